/**
 * UBL and Facturae files against the official schemas, and where `SELLO_EN16931` names them, UBL, CII and Peppol files against the
 * official rules of EN 16931. Runs only where SELLO_SHARED names the folder of facts; needs xmllint.
 */
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  availableFormats,
  ciiXml,
  eInvoiceOf,
  facturaeXml,
  peppolXml,
  ublXml,
} from '../../server/documents/e-invoice/index.ts'
import { totalsOf } from '../../server/sales/invoices/index.ts'
import { differencesOf } from '../server/documents/e-invoice/round-trip.ts'
import { issued, randomContent, SAMPLES } from '../server/documents/e-invoice/samples.ts'
import { needs } from '../support/tools.ts'
import { CII_SCHEMA, HAS_OFFICIAL_RULES, officialFaults } from '../support/files/official-rules.ts'
import { exchangeInvoices } from '../server/documents/e-invoice/exchange-samples.ts'
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
  const inSpain = fc.sample(exchangeInvoices, { seed: SEED, numRuns: 2_000 })
  const all = [...invoices, ...inSpain.slice(0, 1_825)]

  test(`${inSpain.length} invoices are read back as they were written, in every format that each can have`, () => {
    const read = inSpain.map(differencesOf)
    expect(read.flatMap(({ differences }) => differences)).toEqual([])
    expect(read.reduce((sum, { files }) => sum + files, 0)).toBeGreaterThan(4 * inSpain.length)
  }, 120_000)

  needs('xmllint')('UBL invoices and credit notes are valid', () => {
    const files = all.map(ublXml)
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

  // The rules are a download of their own: without them there is nothing to skip.
  if (HAS_OFFICIAL_RULES) {
    // The schema of D16B has one preceding invoice, its rules and EN 16931 any number.
    const ofOne = all.filter(({ references }) => references.length <= 1)

    needs('xmllint')(`${ofOne.length} CII files are valid`, () => {
      expect(ofOne.length).toBeGreaterThan(1_990)
      expect(schemaComplaints(CII_SCHEMA, ofOne.map(ciiXml))).toBe('')
    })

    needs('java')(`${all.length} UBL files follow the official rules of EN 16931`, () => {
      expect(officialFaults('ubl', all.map(ublXml))).toEqual([])
    })

    needs('java')(`${all.length} CII files follow the official rules of EN 16931`, () => {
      // The sheet refuses IGIC at 0 %, against the words of its own rules and the sheet of UBL: "0 (zero) or greater than zero".
      const isOfIgic = /BR-AF-0[567]$/
      const faults = officialFaults('cii', all.map(ciiXml))
      expect(faults.filter((fault) => !isOfIgic.test(fault))).toEqual([])
    })

    needs('java')('Peppol files follow the official rules of EN 16931', () => {
      const own = all.filter((each) => availableFormats(each).peppol === null)
      expect(own.length).toBeGreaterThan(100)
      expect(officialFaults('ubl', own.map(peppolXml))).toEqual([])
    })
  }
})
