/** A corpus of documents whose fields are known: `truth.json` beside the files. Amounts in euros, dates YYYY-MM-DD. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface TruthLine {
  base: number
  vatRate: number
  tax: number
  surchargeRate?: number
  surcharge?: number
}

export interface TruthFields {
  docType: string
  supplierName: string | null
  supplierNif: string | null
  customerNif: string | null
  number: string | null
  issueDate: string | null
  dueDate: string | null
  currency: string
  taxLines: TruthLine[]
  withholding: { rate: number; amount: number } | null
  supplied: number | null
  total: number | null
  payable: number | null
  paymentMethod: string | null
  iban: string | null
  category: string | null
}

export interface TruthDocument {
  id: string
  kind: string
  layout: string
  /** Files by variant: text, scan300, scan200, photo, hard. */
  files: Record<string, string | string[]>
  fields: TruthFields
}

export interface Corpus {
  folder: string
  ownNif: string
  /** Name of the customer of all documents, where the corpus states it. */
  ownName?: string | undefined
  documents: TruthDocument[]
}

/** Reads the corpus of a folder. */
export function readCorpus(folder: string): Corpus {
  const { ownNif, ownName, documents } = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as Omit<
    Corpus,
    'folder'
  >
  return { folder, ownNif, ownName, documents }
}
