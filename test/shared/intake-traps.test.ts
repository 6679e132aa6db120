/**
 * Documents made to deceive a reader: three invoices in one file, turned and blurred photos, a wrong total, a proforma,
 * somebody else's invoice, one invoice twice. Read by the product's own reader. Needs SELLO_SHARED.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { FIELDS, foundOf, scoreOf } from '../../bench/intake/score.ts'
import { readCorpus } from '../../bench/intake/truth.ts'
import type { TruthFields } from '../../bench/intake/truth.ts'
import { endIdleParsers } from '../../server/platform/processes/parsers.ts'
import type { Reading } from '../../server/purchases/intake/reading/field-value.ts'
import { readFile } from '../../server/purchases/intake/run.ts'

const shared = process.env['SELLO_SHARED'] ?? ''
const corpus = join(shared, 'intake-corpus')

interface Trap {
  id: string
  file: string
  invoices: TruthFields[]
  notInvoice?: boolean
  otherCustomer?: boolean
  duplicateOf?: string
  mustNotBeSure?: (keyof TruthFields)[]
  /** Too blurred to demand that anything is right. */
  mustNotBeWrongAndSure?: boolean
}

const KEY = ['supplierNif', 'number', 'issueDate', 'taxLines', 'total'] as const

/** Returns what is wrong with the reading of one invoice of a trap. */
function faultsOf(trap: Trap, truth: TruthFields, reading: Reading): string[] {
  const document = { id: trap.id, kind: '', layout: '', files: {}, fields: truth }
  const score = scoreOf([document], new Map([[trap.id, foundOf(reading)]]))
  const { sure } = foundOf(reading)
  const exempt: readonly string[] = trap.mustNotBeSure ?? []
  const isDemanded = trap.mustNotBeWrongAndSure !== true && trap.notInvoice !== true
  return FIELDS.flatMap((field) => {
    if (exempt.includes(field)) return sure.has(field) ? [`${field} said sure`] : []
    const isWrong = score.fields[field].right === 0
    if (isWrong && sure.has(field)) return [`${field} wrong but said sure`]
    return isWrong && isDemanded && (KEY as readonly string[]).includes(field) ? [`${field} not right`] : []
  })
}

const identityOf = ({ fields }: Reading): string => `${fields.supplierNif.value} ${fields.number.value}`

describe.skipIf(shared === '')('traps', { timeout: 600_000 }, () => {
  afterAll(endIdleParsers)
  const traps =
    shared === ''
      ? []
      : (JSON.parse(readFileSync(join(corpus, 'traps/traps.json'), 'utf8')) as { documents: Trap[] })
          .documents
  const ownNif = shared === '' ? '' : readCorpus(corpus).ownNif
  const identities = new Map<string, string>()

  test.each(traps.map((trap) => [trap.id, trap] as const))('%s', async (_id, trap) => {
    const bytes = readFileSync(join(corpus, 'traps', trap.file))
    const mediaType = trap.file.endsWith('.pdf') ? 'application/pdf' : 'image/jpeg'
    const context = { ownNif, ownName: '', today: '2026-12-31' }
    const limits = { timeoutMs: 300_000 }
    const { readings = [] } = await readFile({ bytes, mediaType }, context, limits)
    expect(readings).toHaveLength(trap.invoices.length)
    expect(
      trap.invoices.flatMap((truth, index) => faultsOf(trap, truth, readings[index] as Reading)),
    ).toEqual([])
    const [first] = readings as [Reading]
    expect(first.kind === 'not_invoice').toBe(trap.notInvoice === true)
    const { value: customer } = first.fields.customerNif
    if (trap.mustNotBeWrongAndSure !== true) expect(customer !== ownNif).toBe(trap.otherCustomer === true)
    const identity = identityOf(first)
    const same = [...identities].find(([, other]) => other === identity)
    expect(same?.[0]).toBe(trap.duplicateOf)
    identities.set(trap.id, identity)
  })
})
