/** UBL and Facturae files against the official schemas. Runs only where SELLO_SHARED names the folder of facts; needs xmllint. */
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { availableFormats, eInvoiceOf, facturaeXml, ublXml } from '../../server/documents/e-invoice/index.ts'
import { totalsOf } from '../../server/sales/invoices/index.ts'
import { issued, randomContent, SAMPLES } from '../server/documents/e-invoice/samples.ts'
import { needs } from '../support/tools.ts'
import { schemaComplaints } from '../support/files/xmllint.ts'

const shared = process.env['SELLO_SHARED'] ?? ''
const SEED = 20_261_121

describe.skipIf(shared === '')('official schemas of electronic invoices', () => {
  const at = (path: string) => join(shared, 'einvoice', path)
  const invoices = [
    ...Object.values(SAMPLES).map((make) => make()),
    ...fc
      .sample(randomContent, { seed: SEED, numRuns: 150 })
      .map((content) => eInvoiceOf(content, totalsOf(content), issued())),
  ]

  needs('xmllint')('UBL invoices and credit notes are valid', () => {
    const files = invoices.map(ublXml)
    const credits = files.filter((xml) => xml.includes('<CreditNote '))
    const others = files.filter((xml) => !xml.includes('<CreditNote '))
    expect(credits.length).toBeGreaterThan(5)
    expect(schemaComplaints(at('ubl/maindoc/UBL-CreditNote-2.5.xsd'), credits)).toBe('')
    expect(schemaComplaints(at('ubl/maindoc/UBL-Invoice-2.5.xsd'), others)).toBe('')
  })

  needs('xmllint')('Facturae files are valid', () => {
    const files = invoices.filter((each) => availableFormats(each).facturae === null).map(facturaeXml)
    expect(files.length).toBeGreaterThan(100)
    expect(schemaComplaints(at('Facturaev3_2_2.xsd'), files)).toBe('')
  })
})
