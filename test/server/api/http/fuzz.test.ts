/**
 * Random hostile and demanding callers from a fixed seed: their requests cause no internal error, and everything that
 * validation accepts is accepted by the authority.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setRegistryStatus } from '../../../../server/sales/invoices/index.ts'
import { sendBook } from '../../../../server/registry/index.ts'
import { dice } from '../../../support/seeded-random.ts'
import type { Dice } from '../../../support/seeded-random.ts'
import { fuzz, unsound } from '../../../support/fuzz/run.ts'
import { WHOLE_DRAFT } from '../../../support/fuzz/whole-bodies.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

/** Each round draws other requests for every operation. */
const ROUNDS = swept([1, 2, 3, 4, 5, 6, 7, 8], (round) => round === 1).length
const DRAFTS = sweptCount(150, 60)

let world: World
beforeAll(async () => {
  world = await openWorld({ shared: true, at: '2026-07-01T10:00:00+02:00' })
})
afterAll(() => world.close())

test('every request gets an answer that the OpenAPI document describes', { timeout: 300_000 }, async () => {
  const tally = await fuzz(world, { seed: 20_260_701, rounds: ROUNDS })
  expect(await unsound(world, tally)).toEqual([])
  expect(tally.requests).toBeGreaterThan(190 * ROUNDS)
  for (const [id, { asked }] of tally.byOperation) expect(asked, id).toBe(ROUNDS)
  const accepted = [...tally.byOperation.values()].reduce((sum, count) => sum + count.accepted, 0)
  expect(accepted).toBeGreaterThan(tally.requests / 3)
  expect(tally.unmade).toEqual([])
})

const TEXTS = [
  'Obra',
  'M & <p> "A"',
  'a\tb',
  'a\nb',
  '😀'.repeat(250),
  ']]>',
  'x'.repeat(500),
  '\u0344'.repeat(500),
  '&#0;',
  '\u{10fffd}',
]
const AMOUNTS = [1, 2, 3, 0.5, 0.333333, 1.005, 0.29, 100, 1234.5678, 0, -1, 0.000001, 99_999.99]
const FOREIGN_IDS = [
  'DE123456789',
  'FR12345678901',
  'IE1234567FA',
  'GB123456789',
  'XX123',
  'AB1234',
  "O'1",
  '<1>',
  'ñ12',
  '漢字',
  '12345678Z',
]

/** Returns a random draft over the whole input space, mostly with an invalid part. */
function anyDraft({ below, chance, pick }: Dice): object {
  const treated = (): object => {
    const taxTreatment = pick(['S1', 'S1', 'S1', 'S2', 'N1', 'N2', 'E1', 'E2', 'E3', 'E4', 'E5', 'E6'])
    const rate = pick([21, 10, 4])
    return {
      taxTreatment,
      ...(taxTreatment === 'S1' && chance(0.6) ? { vatRate: chance(0.9) ? rate : pick([0, 5, 7.5, 3]) } : {}),
      ...(taxTreatment === 'S1' && chance(0.15)
        ? { vatRate: rate, surcharge: { 21: 5.2, 10: 1.4, 4: 0.5 }[rate] }
        : {}),
      ...(chance(0.2)
        ? { regimeKey: pick('01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20'.split(' ')) }
        : {}),
    }
  }
  const foreign = {
    clientNif: pick(FOREIGN_IDS),
    client: {
      idType: pick(['02', '03', '04', '05', '06', '07']),
      country: pick(['DE', 'FR', 'US', 'GB', 'ES', 'XX', 'CH']),
    },
  }
  return {
    clientName: pick(['Ana Ruiz', "O'Neil & <Co>", '\u0958'.repeat(60)]),
    ...(chance(0.5)
      ? { clientNif: pick(['12345678Z', 'B12345674', 'X1234567L', 'P2807900B', 'b-12345674']) }
      : foreign),
    ...(chance(0.2) ? { kind: 'F2' } : {}),
    ...(chance(0.25) ? { priceMode: 'gross' } : {}),
    ...(chance(0.15) ? { discountPct: pick([5, 33.33, 100]) } : {}),
    ...(chance(0.1) ? { discountAmount: pick([0.05, 20, 99_999]) } : {}),
    ...(chance(0.15)
      ? { currency: pick(['USD', 'GBP', 'JPY', 'XXX']), fxRate: pick([1.0845, 162.35, 0.5]) }
      : {}),
    ...(chance(0.05) ? { simplifiedArt7273: true } : {}),
    ...(chance(0.2) ? { withholdingPct: pick([15, 7, 1, 50]) } : {}),
    ...(chance(0.15)
      ? {
          operationDate: pick([
            '2024-12-31',
            '2022-08-01',
            '2010-01-01',
            '2026-07-02',
            '2027-06-30',
            '2006-07-01',
          ]),
        }
      : {}),
    lines: Array.from({ length: 1 + below(4) }, () => ({
      description: pick(TEXTS),
      quantity: pick(AMOUNTS),
      unitPrice: chance(0.7) ? below(100_000) / 100 : pick(AMOUNTS),
      ...treated(),
      ...(chance(0.15) ? { discountPct: pick([10, 33.33, 100]) } : {}),
      ...(chance(0.1) ? { discountAmount: pick([0.01, 5, 1_000]) } : {}),
      ...(chance(0.08) ? { cost: pick([1, 50, 0, -1]), regimeKey: pick(['03', '05', '01']) } : {}),
      ...(chance(0.05) ? { isDisbursement: true } : {}),
    })),
  }
}

test('the authority accepts everything that validation accepts', { timeout: 60_000 }, async () => {
  const random = dice(7)
  const issued = new Map<string, object>()
  for (let count = 0; count < DRAFTS; count += 1) {
    const input = anyDraft(random)
    const made = await world.post('/api/v1/invoices', input)
    if (made.status === 422) continue
    const { id } = made.body.data
    const { body } = await world.post(`/api/v1/invoices/${id}/validate`, {})
    if (!body.data.valid) {
      expect(body.data.issues.some((issue: { severity: string }) => issue.severity === 'error')).toBe(true)
      continue
    }
    const { confirmationToken } = body.data.confirmation
    const answer = await world.post(`/api/v1/invoices/${id}/issue`, { confirmationToken })
    expect([answer.status, answer.body.error], JSON.stringify(input)).toEqual([200, undefined])
    issued.set(id, input)
  }
  expect(issued.size).toBeGreaterThan(DRAFTS / 6)
  await sendBook(world.env, world.books.test, setRegistryStatus)
  for (const [id, input] of issued) {
    const { registry } = (await world.get(`/api/v1/invoices/${id}`)).body.data
    // A customer unknown to the census (07) is accepted with a warning.
    expect(registry.status, `${JSON.stringify(input)} ${JSON.stringify(registry.errors)}`).toMatch(
      /^accepted(_with_errors)?$/,
    )
    if (registry.status === 'accepted_with_errors') expect(input).toMatchObject({ client: { idType: '07' } })
  }
})

test('text that the registry cannot store is rejected when it is written, not when it is issued', async () => {
  for (const character of ['\ufffe', '\uffff', '\ufdd0', '\u{1ffff}']) {
    const answer = await world.post('/api/v1/invoices', {
      ...WHOLE_DRAFT,
      lines: [{ description: `x${character}`, quantity: 1, unitPrice: 10 }],
    })
    expect([answer.status, answer.body.error.details.faults[0].code]).toEqual([422, 'broken_unicode'])
  }
})

test('a day before the table of rates does not turn a reduced rate into the general one', async () => {
  const draft = await world.createDraft({ operationDate: '2010-01-01' })
  expect(draft.lines[0]?.vatRate).toBe(21)
  const { body } = await world.post(`/api/v1/invoices/${draft.id}/validate`, {})
  expect(body.data.valid).toBe(false)
  expect(body.data.issues).toContainEqual(expect.objectContaining({ code: 'vat_rate_unknown' }))
})

test.each([
  ['bases', { vatRate: 10 }, {}],
  ['disbursements', { isDisbursement: true }, { priceMode: 'gross' }],
  ['withholding', { withholdable: false }, { withholdingPct: 15 }],
] as const)(
  '%s beyond the storable range are rejected even if the total is small',
  async (_what, other, more) => {
    const big = { description: 'x', quantity: 999_999_999, unitPrice: 1_000 }
    const lines = [big, big, ...[1, 2].map(() => ({ ...big, quantity: -big.quantity, ...other }))]
    const answer = await world.post('/api/v1/invoices', {
      ...WHOLE_DRAFT,
      withholdingPct: null,
      ...more,
      lines,
    })
    expect([answer.status, answer.body.error?.details.faults[0].code]).toEqual([422, 'amount_too_large'])
  },
)
