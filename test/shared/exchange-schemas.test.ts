/**
 * Documents of the exchange against the official schemas of UBL 2.5 and the samples of the folder of facts. Runs only where
 * SELLO_SHARED names that folder; needs xmllint.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { structureSource } from '../../build/ubl/structure.ts'
import {
  checkAnswer,
  checkExchangeInvoice,
  checkStatusMessage,
  exchangeFault,
  readAnswer,
  readInvoiceCode,
  readStatusMessage,
  ubl25Xml,
  writeAnswer,
  writeStatusMessage,
} from '../../server/documents/e-invoice/index.ts'
import type { Finding } from '../../server/documents/e-invoice/index.ts'
import { changedDocument } from '../server/documents/e-invoice/changed.ts'
import { exchangeInvoices } from '../server/documents/e-invoice/exchange-samples.ts'
import { SAMPLES } from '../server/documents/e-invoice/samples.ts'
import { readStructured } from '../../server/purchases/intake/structured.ts'
import { dice } from '../support/seeded-random.ts'
import { areValid, schemaComplaints } from '../support/files/xmllint.ts'
import { needs } from '../support/tools.ts'

const shared = process.env['SELLO_SHARED'] ?? ''
const SEED = 20_261_130

const CHECKS = {
  Invoice: checkExchangeInvoice,
  ApplicationResponse: checkStatusMessage,
  DocumentStatus: checkAnswer,
}
type Root = keyof typeof CHECKS
const isRoot = (name: string): name is Root => Object.hasOwn(CHECKS, name)
const ofStructure = ({ rule }: Finding): boolean => rule.startsWith('UBL-')

describe.skipIf(shared === '')('documents of the exchange', () => {
  const folder = join(shared, 'b2b')
  const schema = (root: Root) => join(folder, `schemas/ubl25-os/maindoc/UBL-${root}-2.5.xsd`)
  const sample = (file: string): string => readFileSync(join(folder, 'samples', file), 'utf8')
  const samples =
    shared === ''
      ? []
      : readFileSync(join(folder, 'samples/index.tsv'), 'utf8')
          .trim()
          .split('\n')
          .slice(1)
          .map((row) => row.split('\t') as [file: string, root: string, valid: string, profile: string])

  test('the table of the structure is that of the schemas', () => {
    const table = resolve(import.meta.dirname, '../../server/documents/e-invoice/exchange/structure-table.ts')
    expect(readFileSync(table, 'utf8')).toBe(structureSource(join(folder, 'schemas/ubl25-os')))
  })

  test('there are 38 samples, three of them envelopes', () => {
    expect(samples).toHaveLength(38)
    expect(samples.filter(([, root]) => !isRoot(root))).toHaveLength(3)
  })

  test.each(samples.filter(([, root]) => isRoot(root)))('%s is judged as the index says', (...row) => {
    const [file, root, valid, profile] = row
    const findings = CHECKS[root as Root](sample(file))
    expect(findings.filter(ofStructure).length === 0).toBe(valid === 'yes')
    expect(findings.length > 0).toBe(profile === 'must be refused')
  })

  needs('xmllint')('the schemas judge the samples as the index says', () => {
    for (const root of Object.keys(CHECKS) as Root[]) {
      const own = samples.filter((row) => row[1] === root)
      expect(
        areValid(
          schema(root),
          own.map(([file]) => sample(file)),
        ),
      ).toEqual(own.map(([, , valid]) => valid === 'yes'))
    }
  })

  test('samples that are taken are read, and messages written again are the same', () => {
    for (const [file, root, , profile] of samples) {
      if (profile === 'must be refused') continue
      const xml = sample(file)
      if (root === 'Invoice') {
        const { number } = readInvoiceCode(xml)
        expect(readStructured(Buffer.from(xml))?.proposal).toMatchObject({
          format: 'UBL 2.5 Invoice',
          supplierNumber: number,
        })
      } else if (root === 'ApplicationResponse') {
        const message = readStatusMessage(xml)
        expect(readStatusMessage(writeStatusMessage(message))).toEqual(message)
      } else if (root === 'DocumentStatus') {
        const answer = readAnswer(xml)
        expect(readAnswer(writeAnswer(answer, '2027-11-30'))).toEqual(answer)
      }
    }
  })

  needs('xmllint')('invoices of every treatment are valid', () => {
    const invoices = [
      ...Object.values(SAMPLES)
        .map((make) => make())
        .filter((invoice) => exchangeFault(invoice) === null),
      ...fc.sample(exchangeInvoices, { seed: SEED, numRuns: 2_000 }),
    ]
    const files = invoices.map((invoice, index) => ubl25Xml(invoice, { copy: index % 2 === 0 }))
    expect(files.length).toBeGreaterThan(2_010)
    expect(schemaComplaints(schema('Invoice'), files)).toBe('')
    expect(files.flatMap(checkExchangeInvoice)).toEqual([])
  })

  needs('xmllint')('changed documents are judged alike by the table and by the schemas', () => {
    const random = dice(SEED)
    const own = fc.sample(exchangeInvoices, { seed: SEED, numRuns: 20 })
    const counts = { valid: 0, invalid: 0 }
    for (const root of Object.keys(CHECKS) as Root[]) {
      const bases = [
        ...samples
          .filter(([, each, valid]) => each === root && valid === 'yes')
          .map(([file]) => sample(file)),
        ...(root === 'Invoice' ? own.map((invoice) => ubl25Xml(invoice, { copy: false })) : []),
      ]
      const changed = Array.from({ length: root === 'Invoice' ? 3_000 : 1_000 }, () =>
        changedDocument(random.pick(bases), random),
      )
      const verdicts = areValid(schema(root), changed)
      for (const [index, xml] of changed.entries()) {
        const isValid = !CHECKS[root](xml).some(ofStructure)
        if (isValid !== verdicts[index])
          throw new Error(`${isValid ? 'Taken here' : 'Refused here'}, not by the schema:\n${xml}`)
        counts[isValid ? 'valid' : 'invalid'] += 1
      }
    }
    console.info(`${counts.valid} valid, ${counts.invalid} invalid, 0 judged otherwise`)
    expect(counts.valid).toBeGreaterThan(500)
    expect(counts.invalid).toBeGreaterThan(2_000)
  })
})
