/** Tax totals: every amount added can be removed, in its own months, and every total is the sum of its entries. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../server/context.ts'
import {
  countCash,
  accrueOverdueCash,
  countMissingFile,
  countOperation,
  entriesOf,
  euTotals,
  monthTotals,
  partiesAbove,
  partyQuarters,
  taxTotals,
  topParties,
  verifyTaxTotals,
  withholdingTotals,
} from '../../../../server/tax/totals/index.ts'
import type { Operation, OperationTax } from '../../../../server/tax/totals/index.ts'
import { openTestStore } from '../../../support/store.ts'

const YEAR = { from: 202601, to: 202612 }

const tax = (changes: Partial<OperationTax> = {}): OperationTax => ({
  taxTreatment: 'S1',
  regimeKey: '01',
  vatRateBp: 2100,
  surchargeRateBp: null,
  baseCents: 10_000,
  taxCents: 2_100,
  surchargeCents: 0,
  ...changes,
})

const operation = (changes: Partial<Operation> = {}): Operation => ({
  source: { type: 'invoice', id: 1 },
  side: 'issued',
  date: '2026-07-12',
  rectifying: false,
  cash: false,
  taxes: [tax()],
  party: { nif: 'B87654321', name: 'Cliente, S.L.', country: 'ES', idType: null },
  totalCents: 12_100,
  withholding: null,
  ...changes,
})

async function book(at?: string): Promise<Ctx> {
  const store = await openTestStore(at === undefined ? {} : { at })
  return store.ctx((await store.company()).test)
}

const count = (ctx: Ctx, ...operations: Operation[]) =>
  ctx.transaction(async (tx) => {
    for (const each of operations) await countOperation(tx, each, 1)
  })

/** Returns all tax totals of 2026, for comparison. */
async function told(ctx: Ctx) {
  return {
    taxes: (await taxTotals(ctx, YEAR)).map(({ groupId: _, ...figure }) => figure),
    issued: await monthTotals(ctx, 'issued', YEAR),
    received: await monthTotals(ctx, 'received', YEAR),
    eu: await euTotals(ctx, YEAR),
    withheld: await withholdingTotals(ctx, YEAR),
  }
}

describe('counting', () => {
  test('an operation counts in the month its tax accrues, by treatment and rate', async () => {
    const ctx = await book()
    await count(
      ctx,
      operation({ taxes: [tax(), tax({ vatRateBp: 1000, baseCents: 5_000, taxCents: 500 })] }),
      operation({ source: { type: 'invoice', id: 2 }, date: '2026-08-01' }),
    )
    const july = await taxTotals(ctx, { from: 202607, to: 202607 })
    expect(
      july.map((figure) => [figure.vatRateBp, figure.baseCents, figure.taxCents, figure.documents]),
    ).toEqual([
      [2100, 10_000, 2_100, 1],
      [1000, 5_000, 500, 1],
    ])
    const both = await taxTotals(ctx, YEAR)
    expect(both.map((figure) => [figure.vatRateBp, figure.baseCents])).toEqual([
      [2100, 20_000],
      [1000, 5_000],
    ])
    expect(
      (await monthTotals(ctx, 'issued', YEAR)).map(({ month, documents }) => [month, documents]),
    ).toEqual([
      [202607, 1],
      [202608, 1],
    ])
    expect(await verifyTaxTotals(ctx)).toEqual([])
  })

  test('two lines of the same tax are one entry of the document', async () => {
    const ctx = await book()
    await count(ctx, operation({ taxes: [tax(), tax()] }))
    const [figure] = await taxTotals(ctx, YEAR)
    expect(figure).toMatchObject({ baseCents: 20_000, documents: 1 })
    expect(await entriesOf(ctx, [figure!.groupId], YEAR, { limit: 10 })).toHaveLength(1)
  })

  test('removing an operation as it was added leaves nothing', async () => {
    const ctx = await book()
    const empty = await told(ctx)
    const one = operation({
      side: 'received',
      source: { type: 'received', id: 7 },
      taxes: [tax({ taxTreatment: 'S2', regimeKey: '09', nature: 'goods', deductibleCents: 2_100 })],
      party: { nif: 'DE123456789', name: 'Lieferant GmbH', country: 'DE', idType: '02' },
      totalCents: 10_000,
      withholding: { rateBp: 1500, baseCents: 10_000, amountCents: 1_500, reason: 'professional' },
    })
    await count(ctx, one)
    expect((await told(ctx)).eu).toMatchObject([{ euKey: 'A', baseCents: 10_000 }])
    await ctx.transaction((tx) => countOperation(tx, one, -1))
    const after = await told(ctx)
    expect({ ...after, received: after.received.filter((month) => month.documents > 0) }).toEqual(empty)
    expect(await verifyTaxTotals(ctx)).toEqual([])
  })

  test('removing what was not counted in that form is rejected and changes nothing', async () => {
    const ctx = await book()
    await count(ctx, operation())
    const before = await told(ctx)
    const other = operation({ taxes: [tax({ baseCents: 9_999 })] })
    await expect(ctx.transaction((tx) => countOperation(tx, other, -1))).rejects.toThrow('was not counted')
    expect(await told(ctx)).toEqual(before)
  })

  test('counting outside a transaction is rejected', async () => {
    const ctx = await book()
    await expect(countOperation(ctx, operation(), 1)).rejects.toThrow('transaction')
  })

  test('a group created in a transaction that was rolled back is created again', async () => {
    const ctx = await book()
    const failing = ctx.transaction(async (tx) => {
      await countOperation(tx, operation(), 1)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await count(ctx, operation())
    expect(await verifyTaxTotals(ctx)).toEqual([])
    expect(await taxTotals(ctx, YEAR)).toHaveLength(1)
  })

  test('a deduction in a later period counts there, and the assessed tax where it accrued', async () => {
    const ctx = await book()
    await count(
      ctx,
      operation({
        side: 'received',
        source: { type: 'received', id: 1 },
        deductionDate: '2026-10-02',
        taxes: [tax({ deductibleCents: 2_100 })],
      }),
    )
    expect(await taxTotals(ctx, { from: 202607, to: 202609 })).toMatchObject([
      { stage: 'accrued', taxCents: 2_100, deductibleCents: 0 },
    ])
    expect(await taxTotals(ctx, { from: 202610, to: 202612 })).toMatchObject([
      { stage: 'settled', taxCents: 2_100, deductibleCents: 2_100 },
    ])
    expect(await verifyTaxTotals(ctx)).toEqual([])
  })
})

describe('cash accounting', () => {
  const cash = operation({
    cash: true,
    taxes: [tax({ regimeKey: '07', baseCents: 10_001, taxCents: 2_100 })],
  })
  const pay = (paymentId: number, date: string, paidCents: number) => ({
    source: cash.source,
    paymentId,
    date,
    paidCents,
    dueCents: 12_101,
  })
  const settled = async (ctx: Ctx) =>
    (await taxTotals(ctx, { from: 202601, to: 202912 })).find((figure) => figure.stage === 'settled')

  test('tax accrues with the payments, to the cent, in whatever order they are undone', async () => {
    const ctx = await book()
    await count(ctx, cash)
    expect(await settled(ctx)).toBeUndefined()
    await ctx.transaction(async (tx) => {
      await countCash(tx, pay(1, '2026-08-01', 4_000), 1)
      await countCash(tx, pay(2, '2026-09-01', 8_000), 1)
    })
    expect(await settled(ctx)).toMatchObject({ baseCents: 6_612, taxCents: 1_388 })
    await ctx.transaction((tx) => countCash(tx, pay(1, '2026-08-01', 0), -1))
    await ctx.transaction((tx) => countCash(tx, pay(3, '2026-11-01', 12_101), 1))
    expect(await settled(ctx)).toMatchObject({ baseCents: 10_001, taxCents: 2_100 })
    expect(await verifyTaxTotals(ctx)).toEqual([])
  })

  test('unpaid amounts accrue on 31 December of the next year', async () => {
    const store = await openTestStore({ at: '2026-07-15T10:00:00+02:00' })
    const { test: books } = await store.company()
    const ctx = store.ctx(books)
    await count(ctx, cash)
    await ctx.transaction((tx) => countCash(tx, pay(1, '2026-08-01', 4_000), 1))
    expect(await accrueOverdueCash(ctx)).toBe(0)
    store.setTime('2028-01-02T09:00:00+01:00')
    expect(await accrueOverdueCash(ctx)).toBe(1)
    expect(await accrueOverdueCash(ctx)).toBe(0)
    expect(await settled(ctx)).toMatchObject({ baseCents: 10_001, taxCents: 2_100 })
    const december = await taxTotals(ctx, { from: 202712, to: 202712 })
    expect(december).toMatchObject([{ stage: 'settled', baseCents: 6_695 }])
    expect(await verifyTaxTotals(ctx)).toEqual([])
  })

  test('a cancelled operation removes its payments from the totals', async () => {
    const ctx = await book()
    await count(ctx, cash)
    await ctx.transaction((tx) => countCash(tx, pay(1, '2026-08-01', 4_000), 1))
    await ctx.transaction((tx) => countOperation(tx, cash, -1))
    expect(await taxTotals(ctx, YEAR)).toEqual([])
    expect(await verifyTaxTotals(ctx)).toEqual([])
  })

  test('a payment of an operation without cash accounting changes no total', async () => {
    const ctx = await book()
    await count(ctx, operation())
    const before = await told(ctx)
    await ctx.transaction((tx) => countCash(tx, pay(1, '2026-08-01', 4_000), 1))
    expect(await told(ctx)).toEqual(before)
  })
})

describe('parties', () => {
  test('the largest of a month, a quarter and a year come first', async () => {
    const ctx = await book()
    const of = (id: number, date: string, nif: string, baseCents: number) =>
      operation({
        source: { type: 'invoice', id },
        date,
        taxes: [tax({ baseCents })],
        party: { nif, name: `Cliente ${nif}`, country: 'ES', idType: null },
      })
    await count(
      ctx,
      of(1, '2026-07-01', 'A11111111', 300),
      of(2, '2026-08-01', 'B22222222', 500),
      of(3, '2026-09-01', 'A11111111', 400),
      of(4, '2026-01-01', 'B22222222', 900),
    )
    const names = async (period: number) =>
      (await topParties(ctx, 'issued', period, 5)).map(({ nif, baseCents }) => [nif, baseCents])
    expect(await names(202607)).toEqual([['A11111111', 300]])
    expect(await names(202623)).toEqual([
      ['A11111111', 700],
      ['B22222222', 500],
    ])
    expect(await names(202600)).toEqual([
      ['B22222222', 1_400],
      ['A11111111', 700],
    ])
  })

  test('operations with third parties exclude those declared in other returns', async () => {
    const ctx = await book()
    const big = { baseCents: 400_000, taxCents: 84_000 }
    const party = (nif: string) => ({ nif, name: nif, country: 'ES', idType: null })
    await count(
      ctx,
      operation({ source: { type: 'invoice', id: 1 }, taxes: [tax(big)], party: party('A11111111') }),
      operation({
        source: { type: 'invoice', id: 2 },
        taxes: [tax(big)],
        party: party('B22222222'),
        withholding: { rateBp: 1500, baseCents: 400_000, amountCents: 60_000, reason: 'professional' },
      }),
      operation({
        source: { type: 'invoice', id: 3 },
        taxes: [tax({ taxTreatment: 'E5', vatRateBp: null, baseCents: 400_000, taxCents: 0 })],
        party: { nif: 'FR40303265045', name: 'Client SA', country: 'FR', idType: '02' },
      }),
      operation({
        source: { type: 'invoice', id: 4 },
        taxes: [tax(big)],
        party: { nif: null, name: 'Sin NIF', country: 'ES', idType: null },
      }),
    )
    const above = await partiesAbove(ctx, 'issued', 2026, 300_506)
    expect(above.map(({ nif, thirdCents }) => [nif, thirdCents])).toEqual([['A11111111', 484_000]])
    expect(await partyQuarters(ctx, 'issued', 2026, [above[0]!.partyId])).toEqual(
      new Map([[above[0]!.partyId, [0, 0, 484_000, 0]]]),
    )
  })

  test('services to a business in the Union are declared with key S, those to a consumer are not', async () => {
    const ctx = await book()
    const service = tax({ taxTreatment: 'N2', vatRateBp: null, taxCents: 0 })
    await count(
      ctx,
      operation({
        taxes: [service],
        party: { nif: 'FR40303265045', name: 'Client SA', country: 'FR', idType: '02' },
      }),
      operation({
        source: { type: 'invoice', id: 2 },
        taxes: [service],
        party: { nif: 'X99', name: 'Jean', country: 'FR', idType: '03' },
      }),
    )
    expect(await euTotals(ctx, YEAR)).toMatchObject([{ euKey: 'S', nif: 'FR40303265045', baseCents: 10_000 }])
  })
})

test('files attached later reduce the count of missing files', async () => {
  const ctx = await book()
  await count(ctx, operation({ side: 'received', source: { type: 'received', id: 1 }, withoutFile: true }))
  expect(await monthTotals(ctx, 'received', YEAR)).toMatchObject([{ withoutFile: 1, documents: 1 }])
  await ctx.transaction((tx) => countMissingFile(tx, 'received', '2026-07-12', -1))
  expect(await monthTotals(ctx, 'received', YEAR)).toMatchObject([{ withoutFile: 0, documents: 1 }])
})

test('pages of entries follow each other without gap or repetition', async () => {
  const ctx = await book()
  const many = Array.from({ length: 53 }, (_, index) =>
    operation({
      source: { type: 'invoice', id: index + 1 },
      date: index % 2 === 0 ? '2026-07-03' : '2026-08-03',
      taxes: index % 3 === 0 ? [tax(), tax({ vatRateBp: 1000 })] : [tax()],
    }),
  )
  await count(ctx, ...many)
  const groups = (await taxTotals(ctx, YEAR)).map(({ groupId }) => groupId)
  const seen: string[] = []
  let after
  for (;;) {
    const page = await entriesOf(ctx, groups, YEAR, { limit: 7, ...(after ? { after } : {}) })
    if (page.length === 0) break
    seen.push(...page.map((entry) => `${entry.month}/${entry.sourceId}/${entry.groupId}`))
    const last = page.at(-1)!
    after = { month: last.month, source: 1, sourceId: last.sourceId, part: last.part }
  }
  expect(seen).toHaveLength(53 + 18)
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual([...seen].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })))
})

test('adding, removing and paying in any order leaves the sums of a fresh count', async () => {
  const ctx = await book()
  const anOperation = fc.record({
    month: fc.integer({ min: 1, max: 12 }),
    side: fc.constantFrom<Operation['side']>('issued', 'received'),
    cash: fc.boolean(),
    rectifying: fc.boolean(),
    base: fc.integer({ min: -500_000, max: 500_000 }),
    rate: fc.constantFrom(2100, 1000, 400),
    party: fc.integer({ min: 1, max: 4 }),
    paid: fc.integer({ min: 0, max: 100 }),
    stays: fc.boolean(),
  })
  let id = 0
  const expected = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(anOperation, { maxLength: 12 }), async (facts) => {
      for (const fact of facts) {
        id += 1
        const taxCents = Math.round((fact.base * fact.rate) / 10_000)
        const one = operation({
          source: { type: fact.side === 'issued' ? 'invoice' : 'received', id },
          side: fact.side,
          cash: fact.cash,
          rectifying: fact.rectifying,
          date: `2026-${String(fact.month).padStart(2, '0')}-15`,
          taxes: [tax({ vatRateBp: fact.rate, baseCents: fact.base, taxCents, deductibleCents: taxCents })],
          party: { nif: `B0000000${fact.party}`, name: `Nombre ${id}`, country: 'ES', idType: null },
          totalCents: fact.base + taxCents,
        })
        await count(ctx, one)
        const due = fact.base + taxCents
        if (fact.cash && due !== 0)
          await ctx.transaction((tx) =>
            countCash(
              tx,
              {
                source: one.source,
                paymentId: id,
                date: '2026-12-20',
                paidCents: Math.trunc((due * fact.paid) / 100),
                dueCents: due,
              },
              1,
            ),
          )
        if (fact.stays) {
          const key = `${fact.side} ${2026 * 100 + fact.month}`
          expected.set(key, (expected.get(key) ?? 0) + fact.base)
        } else await ctx.transaction((tx) => countOperation(tx, one, -1))
      }
      expect(await verifyTaxTotals(ctx)).toEqual([])
      for (const side of ['issued', 'received'] as const)
        for (const month of await monthTotals(ctx, side, YEAR))
          expect(month.baseCents).toBe(expected.get(`${side} ${month.month}`) ?? 0)
    }),
    { numRuns: 25 },
  )
})
