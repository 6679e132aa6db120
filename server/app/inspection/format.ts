/**
 * Format of the files in a pack: written here, read by the page that verifies it. Pure. A change that older pages
 * would misread requires another `PACK_VERSION`.
 */
import { canonicalJson } from '../../domain/canonical-json.ts'

export const PACK_FORMAT = 'sello-inspector-pack'
export const PACK_VERSION = 1

export interface PackedFile {
  path: string
  bytes: number
  /** Lower-case hex. */
  sha256: string
}

interface PackedCheck {
  invariant: string
  name: string
  book?: string
  ok: boolean
  detail: string
}

/** An invoice of `invoices/invoices.json`; amounts as `-12.30`. */
export interface PackedInvoice {
  number: string
  series: string
  sequence: number
  kind: string
  issueDate: string
  customer: string
  base: string
  /** VAT and equivalence surcharge: `CuotaTotal` of the record. */
  tax: string
  /** `ImporteTotal` of the record; null when a part of the price is outside base and tax. */
  registered: string | null
  /** Total before withholding. */
  total: string
  cancelled: boolean
  /** Sequences of its records, oldest first. */
  records: number[]
  pdf: string | null
  /** Stored electronic invoices. */
  xml: string[]
}

export interface PackedSeries {
  code: string
  first: number
  last: number
  /** Numbers used outside these books, and so not included. */
  skipped: { first: number; last: number }[]
}

export interface Manifest {
  format: typeof PACK_FORMAT
  version: typeof PACK_VERSION
  madeAt: string
  /** `build`: SHA-256 of the list of its files; null for a program that ran from its sources. */
  program: { name: 'Sello'; version: string; build: string | null; schema: number }
  book: { id: string; mode: 'live' | 'test'; environment: string }
  company: { name: string; nif: string }
  /** Null for the whole book. */
  years: { from: number; to: number } | null
  /** `previousHash`: of the record before the first, which may be outside the range. Null without records. */
  records: { first: number; last: number; previousHash: string | null; head: string } | null
  installations: { installation: string; firstSequence: number; startedAt: string; reason: string }[]
  series: PackedSeries[]
  /** `missing`: numbers whose PDF could not be rendered. */
  invoices: { count: number; missing: string[] }
  audit: { events: number; head: string | null }
  selfCheck: { ok: boolean; checks: PackedCheck[] }
  files: PackedFile[]
  /** SHA-256 of all other fields as canonical JSON. */
  seal: string
}

/** Returns the text from which the seal of a manifest is computed. */
export function sealedText(manifest: Omit<Manifest, 'seal'>): string {
  return canonicalJson(manifest)
}

/** Yields a JSON list with one member per line, so that it can also be read line by line. */
export async function* jsonLines(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield `${before}${page.map((item) => JSON.stringify(item)).join(',\n')}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
