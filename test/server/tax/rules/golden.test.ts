/** Treatment helper against cases that a tax adviser can read: facts in plain words, result, article. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TreatmentProposal, TreatmentQuestion } from '../../../../server/tax/rules/contract.ts'
import { findCause, legalMentions, proposeTreatment } from '../../../../server/tax/rules/index.ts'
import { basisPointsFromPercent, percentOf } from '../../../../server/domain/money.ts'
import { breakdownRule } from '../../../../server/registry/systems/verifactu/record/rules/breakdown.ts'
import type {
  BreakdownLine,
  RegistryInvoice,
} from '../../../../server/registry/systems/verifactu/record/fields.ts'

const FOLDER = resolve(import.meta.dirname, '../../../golden/tax')

interface Golden {
  case: string
  question: TreatmentQuestion
  expect: Partial<Omit<TreatmentProposal, 'warnings' | 'why' | 'foreignTax'>> & {
    /** Codes that must be among the warnings. */
    warnings?: string[]
    why?: string[]
    /** Fields asked next, all of them. */
    next?: string[]
    foreignTax?: { country: string; rate: number }
  }
}

const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort()
const read = (name: string): Golden[] => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Golden[]
const all = files.flatMap(read)

/** Returns the proposal as a line of a registered invoice of 100 euros. */
function lineOf(proposal: TreatmentProposal): BreakdownLine {
  const vatRateBp = proposal.vatRate === null ? null : basisPointsFromPercent(proposal.vatRate)
  const surchargeRateBp = proposal.surcharge === null ? null : basisPointsFromPercent(proposal.surcharge)
  return {
    tax: { vat: '01', igic: '03', ipsi: '02' }[proposal.tax],
    taxTreatment: proposal.taxTreatment,
    regimeKey: proposal.regimeKey,
    vatRateBp,
    baseCents: 10_000,
    costBaseCents: null,
    taxCents: percentOf(10_000, vatRateBp ?? 0),
    surchargeRateBp,
    surchargeCents: percentOf(10_000, surchargeRateBp ?? 0),
  } as BreakdownLine
}

/** Returns the faults by the registry's own rules for the proposal's treatment, regime and rate. */
function registryFaults(proposal: TreatmentProposal, question: TreatmentQuestion): string[] {
  const date = question.date ?? ''
  const foreign = !(question.customer.place ?? 'ES').startsWith('ES')
  const publicBody = question.customer.kind === 'public_body'
  const invoice = {
    kind: 'F1',
    issueDate: date,
    // Certified works are due later (regime 14).
    operationDate: proposal.regimeKey === '14' ? `${date.slice(0, 4)}-12-31` : null,
    rectification: null,
    recipients: [
      foreign
        ? { name: 'X', country: question.customer.place, idType: '02', id: 'DE123456789' }
        : { name: 'X', nif: publicBody ? 'P2807900B' : '89890002E' },
    ],
    breakdown: [lineOf(proposal)],
  } as unknown as RegistryInvoice
  return [...breakdownRule(invoice, '2027-01-01')].map((fault) => fault.code)
}

describe.each(files)('%s', (file) => {
  test.each(read(file).map((golden) => [golden.case, golden] as const))('%s', (_name, golden) => {
    const question = TreatmentQuestion.parse(golden.question)
    const proposal = proposeTreatment(question)
    // The contract defines the whole answer: nothing outside it.
    expect(TreatmentProposal.parse(proposal)).toEqual(proposal)
    const { warnings, why, next, foreignTax, ...plain } = golden.expect
    expect(proposal).toMatchObject(plain)
    for (const code of warnings ?? []) expect(proposal.warnings.map((each) => each.code)).toContain(code)
    for (const code of why ?? []) expect(proposal.why.map((each) => each.code)).toContain(code)
    if (next) expect(proposal.nextQuestions.map((each) => each.field)).toEqual(next)
    if (foreignTax) expect(proposal.foreignTax).toMatchObject(foreignTax)
    else expect(proposal.foreignTax).toBeNull()
    expect(proposal.complete).toBe(proposal.nextQuestions.length === 0)
    expect(proposal.why.length).toBeGreaterThan(0)
    for (const { text } of [...proposal.why, ...proposal.warnings]) expect(text).not.toMatch(/[{}]/)
    // Every proposal can be registered and carries the legally required mentions.
    if (proposal.document === 'invoice' && proposal.tax === 'vat')
      expect(registryFaults(proposal, question)).toEqual([])
    if (proposal.taxTreatment !== 'S1') expect(proposal.mention).toBeTruthy()
  })
})

test('there are at least 150 cases, all different, and every supply occurs in one', async () => {
  expect(all.length).toBeGreaterThanOrEqual(150)
  expect(new Set(all.map((golden) => golden.case)).size).toBe(all.length)
  const { SUPPLY_CODES } = await import('../../../../server/domain/tax/supplies.ts')
  const asked = new Set(all.map((golden) => golden.question.supply))
  expect(SUPPLY_CODES.filter((code) => !asked.has(code))).toEqual([])
})

test('a proposed cause is in the catalogue, and its line carries the same mention', () => {
  for (const { question, case: name } of all) {
    const proposal = proposeTreatment(question)
    if (proposal.cause === null || proposal.tax !== 'vat' || proposal.document !== 'invoice') continue
    const cause = findCause(proposal.cause)
    expect(cause?.taxTreatment, name).toBe(proposal.taxTreatment)
    const mentions = legalMentions([proposal], {
      language: 'es',
      customerCountry: (question.customer.place ?? 'ES').slice(0, 2),
    })
    expect(proposal.mention ?? '', name).toBe(mentions.join('. '))
  }
})
