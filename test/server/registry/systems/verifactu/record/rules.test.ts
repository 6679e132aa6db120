import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkCancellation,
  checkRecord,
  checkSystem,
} from '../../../../../../server/registry/systems/verifactu/record/rules/index.ts'
import {
  buildCancellation,
  buildRegistration,
} from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import { buildSubmission } from '../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import { readReply } from '../../../../../../server/registry/systems/verifactu/wire/reply.ts'
import { expectAdmitted, expectCancellationForetold, expectForetold } from '../../../admitted.ts'
import { alteredCancellation, alteredInvoice } from '../../../altered-records.ts'
import { CASES, COVERAGE, dayOf } from '../../../rule-cases.ts'
import {
  admittedInvoice,
  cancellation,
  GENERATED_AT,
  invoice,
  ISSUER,
  openSimulator,
  PREVIOUS,
  SYSTEM,
  taxed,
  TODAY,
  untaxed,
  validCancellation,
  validInvoice,
  verdict,
} from '../../../samples.ts'
import type {
  ForeignParty,
  RegistryInvoice,
} from '../../../../../../server/registry/systems/verifactu/record/fields.ts'
import type { RuleFault } from '../../../../../../server/registry/systems/verifactu/record/rules/index.ts'
import type { RuleCase } from '../../../rule-cases.ts'

type Changes = Partial<RegistryInvoice>

function faultsOf(one: RuleCase): RuleFault[] {
  if ('system' in one) return checkSystem(one.system)
  return 'invoice' in one
    ? checkRecord(one.invoice, dayOf(one))
    : checkCancellation(one.cancellation, dayOf(one))
}

function xmlOf(one: RuleCase): string {
  if ('cancellation' in one) return buildCancellation(one.cancellation, PREVIOUS, SYSTEM, GENERATED_AT).xml
  if ('system' in one) return buildRegistration(invoice(), PREVIOUS, one.system, GENERATED_AT).xml
  return buildRegistration(one.built ?? one.invoice, PREVIOUS, SYSTEM, GENERATED_AT).xml
}

/** Returns the simulated authority's answer without a check by our rules. */
async function answerTo(one: RuleCase): Promise<string> {
  const message = buildSubmission({ issuer: ISSUER }, [xmlOf(one)])
  const day = one.today
  const { simulator } = openSimulator(day === undefined ? {} : { now: () => new Date(`${day}T09:00:02Z`) })
  const answer = await simulator.submit(one.spoil?.(message) ?? message)
  const reply = readReply(answer)
  if (!one.unread) return verdict(reply)
  expect(reply.kind).toBe('unreadable')
  return ['EstadoRegistro', 'CodigoErrorRegistro'].map((name) => valueIn(answer, name)).join(' ')
}

/** Returns the text of an element, whatever its prefix. */
function valueIn(xml: string, name: string): string | undefined {
  return new RegExp(`:${name}>([^<]*)<`).exec(xml)?.[1]
}

describe.each(CASES.map((one) => [one.name, one.authority, one] as const))('%s', (_name, authority, one) => {
  test(`is found before it is issued`, () => {
    const faults = faultsOf(one)
    expect(faults.map(({ code }) => code).sort()).toEqual([one.local, ...(one.also ?? [])].sort())
    expect(faults).toContainEqual(
      expect.objectContaining({
        code: one.local,
        authorityCode: one.stricter ?? authority.split(' ')[1],
        severity: one.severity ?? 'error',
      }),
    )
  })

  test(`is answered with ${authority}`, async () => {
    expect(await answerTo(one)).toBe(authority)
  })
})

describe('the faults of a record', () => {
  test('each state the cause, the remedy and a field of the record', () => {
    for (const one of CASES) {
      for (const { field, message, fix } of faultsOf(one)) {
        expect(Math.min(message.length, fix.length), message).toBeGreaterThan(10)
        let place: unknown = 'system' in one ? one.system : 'invoice' in one ? one.invoice : one.cancellation
        for (const step of field.split(/[.[\]]+/).filter((part) => part !== '')) {
          expect(place, field).toHaveProperty(step)
          place = (place as Record<string, unknown>)[step]
        }
      }
    }
  })

  test('are all reported, not only the first', () => {
    const faults = checkRecord(
      invoice({ number: 'Ñ<', recipients: [], breakdown: [taxed(1, 2000), untaxed('E2', 1)] }),
      TODAY,
    )
    expect(faults.map(({ authorityCode }) => authorityCode)).toEqual(['1130', '1287', '1189', '1124', '1199'])
  })

  test('cover every party of the record', () => {
    const bad = { name: '', nif: 'X' }
    const faults = checkRecord(
      invoice({
        recipients: [{ name: 'C', nif: '89890002E' }, bad],
        madeBy: { by: 'third_party', party: bad },
      }),
      TODAY,
    )
    expect(faults.map(({ field }) => field)).toEqual([
      'madeBy.party.name',
      'madeBy.party.nif',
      'recipients[1].name',
      'recipients[1].nif',
    ])
    expect(checkCancellation(cancellation({ madeBy: { by: 'recipient', party: bad } }))).toHaveLength(2)
  })

  test('cover every code that is not excused, except one where our rule is stricter', () => {
    const earned = new Set(CASES.map(({ authority, stricter }) => stricter ?? authority.split(' ')[1]))
    const excused = Object.entries(COVERAGE).filter(([, entry]) => typeof entry === 'string')
    // Our rule on an empty agreement number is stricter than the authority, which would look the number up.
    expect(excused.map(([code]) => code).filter((code) => earned.has(code))).toEqual(['1128'])
  })

  test('are listed under the code that they cause', () => {
    for (const [code, entry] of Object.entries(COVERAGE)) {
      if (typeof entry === 'string') continue
      expect(entry.length, code).toBeGreaterThan(0)
      for (const { authority, stricter, name } of entry) {
        expect(stricter ?? authority.split(' ')[1], name).toBe(code)
      }
    }
  })
})

describe('the rules', () => {
  test('and the authority accept valid invoices of every kind', async () => {
    await fc.assert(fc.asyncProperty(validInvoice, expectAdmitted), { numRuns: 500 })
  })

  test('reject everything that the authority rejects, whatever is changed in a record', async () => {
    await fc.assert(fc.asyncProperty(alteredInvoice, expectForetold), { numRuns: 1_000 })
    await fc.assert(fc.asyncProperty(alteredCancellation, expectCancellationForetold), { numRuns: 1_000 })
  })

  test('do not reject what only causes a warning', () => {
    fc.assert(
      fc.property(admittedInvoice, (made) => {
        expect(checkRecord(made, TODAY).filter(({ severity }) => severity === 'error')).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('accept valid cancellations', () => {
    fc.assert(
      fc.property(validCancellation, (made) => {
        expect(checkCancellation(made, TODAY)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  const lines = (...breakdown: RegistryInvoice['breakdown']): Changes => ({ breakdown })
  const foreign = (changes: Partial<ForeignParty>): Changes => ({
    recipients: [{ name: 'CLIENTE', country: 'US', idType: '04', id: 'X1', ...changes }],
  })
  const nobody: Changes = { kind: 'F2', recipients: [] }
  const difference: Changes = { rectification: { method: 'I' } }

  test.each<[string, Changes]>([
    ['5 % in summer 2024', { operationDate: '2024-07-01', breakdown: [taxed(1_000, 500, 62)] }],
    ['7.5 % at the end of 2024', { operationDate: '2024-12-31', breakdown: [taxed(1_000, 750, 100)] }],
    ['2 % at the end of 2024', { operationDate: '2024-10-01', breakdown: [taxed(1_000, 200, 26)] }],
    ['5 % with 0.5 in 2022', { operationDate: '2022-12-31', breakdown: [taxed(1_000, 500, 50)] }],
    ['0 % with 0 in 2023', { operationDate: '2023-05-05', breakdown: [taxed(1_000, 0, 0)] }],
    ['VAT 10.00 off', lines({ ...taxed(1_000_000), taxCents: 211_000 })],
    [
      'VAT far off by the difference',
      { kind: 'R1', ...difference, breakdown: [{ ...taxed(1), taxCents: -9_999 }] },
    ],
    [
      'VAT far off for insolvency',
      {
        kind: 'R2',
        rectification: { method: 'S', baseCents: 1, taxCents: 1, surchargeCents: null },
        breakdown: [{ ...taxed(0), taxCents: -9_999 }],
      },
    ],
    ['F2 of 3,010', { ...nobody, breakdown: [{ ...taxed(248_760), taxCents: 52_240 }] }],
    [
      'F2 over 3,000 by art. 6.1.d',
      { ...nobody, withoutRecipientArt61d: true, breakdown: [taxed(1_000_000)] },
    ],
    ['F2 over 3,000 by agreement', { ...nobody, agreementNumber: 'A-1', breakdown: [taxed(1_000_000)] }],
    ['R5 over 3,000', { kind: 'R5', recipients: [], ...difference, breakdown: [taxed(1_000_000)] }],
    ['500 characters outside the basic plane', { description: '😀'.repeat(500) }],
    ['Northern Ireland', foreign({ idType: '02', id: 'XI123456789', country: 'GB' })],
    ['Greece', foreign({ idType: '02', id: 'EL123456789', country: 'GR' })],
    ['Spanish passport', foreign({ country: 'ES', idType: '03', id: 'AAA123456' })],
    ['E5 to France', { ...foreign({ idType: '02', id: 'FR12345678901' }), breakdown: [untaxed('E5', 100)] }],
    ['E5 of IGIC to a Spanish number', lines({ ...untaxed('E5', 100), tax: '03' })],
    [
      'an EU customer of an insolvency',
      { ...foreign({ idType: '02', id: 'DE123456789' }), kind: 'R2', ...difference },
    ],
    [
      'totals of the margin scheme',
      { breakdown: [{ ...taxed(10_000), regimeKey: '03' }], totalCents: 99_999, taxTotalCents: 1 },
    ],
    ['an invoice the customer made', { madeBy: { by: 'recipient' } }],
    [
      'an operation a year ahead',
      { operationDate: '2027-11-16', breakdown: [{ ...taxed(100), regimeKey: '15' }] },
    ],
  ])('%s', async (_what, changes) => {
    expect(checkRecord(invoice(changes), TODAY)).toEqual([])
    await expectAdmitted(invoice(changes))
  })
})
