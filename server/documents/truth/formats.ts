/** The structured formats that an invoice can have: how each is written, why it may be missing, and who reads it back. */
import { availableFormats, ciiXml, facturaeXml, peppolXml, ubl25Xml, ublXml } from '../e-invoice/index.ts'
import type { EInvoice } from '../e-invoice/index.ts'
import { saidByCii } from './cii.ts'
import { saidByFacturae } from './facturae.ts'
import type { Said, Wanted } from './said.ts'
import { saidByPeppol, saidByUbl } from './ubl.ts'
import { saidByUbl25 } from './ubl25.ts'

interface CheckedFormat {
  /** As the error names it. */
  source: string
  /** True if the invoice can have it. */
  isPossible: (faults: ReturnType<typeof availableFormats>, invoice: EInvoice) => boolean
  write: (invoice: EInvoice) => string
  /** Reads the text back. */
  read: (xml: string, source: string, wanted: Wanted) => Said[]
}

/** A format is compared from its line here on. */
const CHECKED_FORMATS: CheckedFormat[] = [
  { source: 'ubl', isPossible: (faults) => faults.ubl === null, write: ublXml, read: saidByUbl },
  { source: 'cii', isPossible: (faults) => faults.cii === null, write: ciiXml, read: saidByCii },
  {
    source: 'facturae',
    isPossible: (faults) => faults.facturae === null,
    write: facturaeXml,
    read: saidByFacturae,
  },
  {
    source: 'ubl25',
    isPossible: (faults) => faults.ubl25 === null,
    write: (invoice) => ubl25Xml(invoice, { copy: false }),
    read: saidByUbl25,
  },
  {
    source: 'peppol',
    isPossible: (faults) => faults.peppol === null,
    write: peppolXml,
    read: saidByPeppol,
  },
]

/** Writes every format that an invoice can have and returns what each says. One that cannot be written contradicts the others. */
export function saidByFormats(invoice: EInvoice, wanted: Wanted): Said[] {
  const faults = availableFormats(invoice)
  const said: Said[] = []
  for (const { source, isPossible, write, read } of CHECKED_FORMATS) {
    if (!isPossible(faults, invoice)) continue
    try {
      said.push(...read(write(invoice), source, wanted))
    } catch (error) {
      said.push({ source, facts: { unwritable: error instanceof Error ? error.message : String(error) } })
    }
  }
  return said
}
