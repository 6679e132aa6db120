/** Model 349: corrections within a quarter, and of an earlier one. Every amount is computed by hand. */
import { describe, expect, test } from 'vitest'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import { verifyTaxTotals } from '../../../../../server/tax/totals/index.ts'
import { openBooks } from '../../../../support/books.ts'
import type { Invoice, TestBooks } from '../../../../support/books.ts'
import { amend } from '../../../sales/invoices/steps.ts'
import { line } from '../worked.ts'

const FRANCE = {
  clientName: 'Client SARL',
  clientNif: 'FR40303265045',
  client: { idType: '02' as const, country: 'FR' },
}
const GERMANY = {
  clientName: 'Kunde GmbH',
  clientNif: 'DE136695976',
  client: { idType: '02' as const, country: 'DE' },
}
type Customer = typeof FRANCE

async function sell(
  world: TestBooks,
  customer: Customer,
  issueDate: string,
  amount: number,
): Promise<Invoice> {
  return world.invoice({
    ...customer,
    issueDate,
    lines: [line(amount, { taxTreatment: 'N2' })],
  })
}

async function credit(
  world: TestBooks,
  invoice: Invoice,
  issueDate: string,
  changes: Partial<InputOf<'invoices.rectify'>> = {},
): Promise<Invoice> {
  const draft = await world.run('invoices.rectify', {
    id: invoice.id,
    cause: 'price_change',
    issueDate,
    ...changes,
  } as InputOf<'invoices.rectify'>)
  return world.issue(draft.id)
}

const buy = (world: TestBooks, changes: Partial<InputOf<'received.create'>>) =>
  world.run('received.create', {
    supplierName: 'Lieferant GmbH',
    supplierNif: 'DE136695976',
    supplierNumber: 'L-1',
    issueDate: '2026-02-10',
    receptionDate: '2026-02-10',
    taxLines: [{ base: 500, nature: 'eu_services' }],
    ...changes,
  })

/**
 * Returns operations as key, VAT number, base; corrections as key, number, year, period, rectified, declared,
 * difference.
 */
async function told(world: TestBooks, quarter: number, year = 2026) {
  const { lists, boxes, warnings } = await world.run('fiscal.model', { model: '349', year, quarter })
  const rows = (id: string) => lists.find((list) => list.id === id)?.rows ?? []
  return {
    operations: rows('operations').map(([key, , nif, , base]) => [key, nif, base]),
    corrections: rows('corrections').map(([key, , nif, , ofYear, period, base, declared, difference]) => [
      key,
      nif,
      ofYear,
      period,
      base,
      declared,
      difference,
    ]),
    boxes: boxes.map(({ amount }) => amount),
    warnings: warnings.map(({ code }) => code).filter((code) => code.startsWith('eu_')),
  }
}

const open = () => openBooks({ at: '2026-12-30T12:00:00+01:00' })

describe('a credit of the same quarter', () => {
  test('reduces the operation of the quarter and is no correction: 1,498.13 less 104.01 is 1,394.12', async () => {
    const world = await open()
    await sell(world, FRANCE, '2026-04-10', 1394.12)
    const second = await sell(world, FRANCE, '2026-05-12', 104.01)
    await credit(world, second, '2026-06-15', { cause: 'returned_goods' })
    expect(await told(world, 2)).toEqual({
      operations: [['S', 'FR40303265045', 1394.12]],
      corrections: [],
      boxes: [1, 1394.12, 0, 0],
      warnings: [],
    })
    expect(await verifyTaxTotals(world.test)).toEqual([])
  })

  test('for the whole amount leaves no operator at all', async () => {
    const world = await open()
    const only = await sell(world, FRANCE, '2026-05-12', 300)
    await credit(world, only, '2026-06-15', { cause: 'returned_goods' })
    expect(await told(world, 2)).toMatchObject({ operations: [], corrections: [], boxes: [0, 0, 0, 0] })
  })

  test('by substitution leaves the new amount', async () => {
    const world = await open()
    const first = await sell(world, FRANCE, '2026-04-10', 1000)
    await credit(world, first, '2026-06-15', {
      method: 'S',
      newLines: [line(900, { taxTreatment: 'N2' })],
    })
    expect(await told(world, 2)).toMatchObject({
      operations: [['S', 'FR40303265045', 900]],
      corrections: [],
    })
  })
})

describe('an invoice that names the wrong operator', () => {
  const toGermany = (world: TestBooks, invoice: Invoice, issueDate: string) =>
    credit(world, invoice, issueDate, { cause: 'wrong_client', method: 'S', ...GERMANY })

  test('and is replaced within the quarter counts for the right one only', async () => {
    const world = await open()
    await toGermany(world, await sell(world, FRANCE, '2026-04-10', 1000), '2026-05-10')
    expect(await told(world, 2)).toEqual({
      operations: [['S', 'DE136695976', 1000]],
      corrections: [],
      boxes: [1, 1000, 0, 0],
      warnings: [],
    })
  })

  test('and is replaced later corrects both: nothing is left of the wrong one', async () => {
    const world = await open()
    await sell(world, FRANCE, '2026-04-09', 200)
    await sell(world, GERMANY, '2026-04-09', 50)
    await toGermany(world, await sell(world, FRANCE, '2026-04-10', 1000), '2026-08-10')
    expect(await told(world, 3)).toMatchObject({
      operations: [],
      corrections: [
        ['S', 'FR40303265045', '2026', '2T', 200, 1200, -1000],
        ['S', 'DE136695976', '2026', '2T', 1050, 50, 1000],
      ],
      warnings: [],
    })
  })

  test('and is amended takes its credit with it once that is amended too', async () => {
    const world = await open()
    const sold = await sell(world, FRANCE, '2026-04-10', 1000)
    const back = await credit(world, sold, '2026-05-10', { amount: 100 })
    while ((await world.send()) > 0) continue
    await amend(world, sold.id, { clientNif: 'FR83404833048' })
    await amend(world, back.id, { clientNif: 'FR83404833048' })
    expect(await told(world, 2)).toMatchObject({
      operations: [['S', 'FR83404833048', 900]],
      corrections: [],
      warnings: [],
    })
  })
})

describe('a correction of an earlier quarter', () => {
  test('has its own row with year, period, rectified base and base declared before', async () => {
    const world = await open()
    // First quarter: 1,000 + 500 to France, 200 to Germany. The second takes back 100 of the first thousand.
    const first = await sell(world, FRANCE, '2026-01-20', 1000)
    await sell(world, FRANCE, '2026-02-20', 500)
    await sell(world, GERMANY, '2026-02-21', 200)
    await sell(world, FRANCE, '2026-04-10', 300)
    await credit(world, first, '2026-05-05', { amount: 100 })
    expect(await told(world, 1)).toMatchObject({
      operations: [
        ['S', 'FR40303265045', 1500],
        ['S', 'DE136695976', 200],
      ],
      corrections: [],
    })
    expect(await told(world, 2)).toEqual({
      operations: [['S', 'FR40303265045', 300]],
      corrections: [['S', 'FR40303265045', '2026', '1T', 1400, 1500, -100]],
      boxes: [1, 300, 1, 1400],
      warnings: [],
    })
  })

  test('starts from what the previous correction declared', async () => {
    const world = await open()
    const first = await sell(world, FRANCE, '2026-01-20', 1000)
    await credit(world, first, '2026-05-05', { amount: 100 })
    await credit(world, first, '2026-08-05', { amount: 50 })
    expect((await told(world, 2)).corrections).toEqual([
      ['S', 'FR40303265045', '2026', '1T', 900, 1000, -100],
    ])
    expect((await told(world, 3)).corrections).toEqual([['S', 'FR40303265045', '2026', '1T', 850, 900, -50]])
  })

  test('for two periods has two rows, also by substitution', async () => {
    const world = await open()
    const first = await sell(world, FRANCE, '2026-01-20', 1000)
    const second = await sell(world, FRANCE, '2026-04-20', 400)
    await credit(world, first, '2026-07-05', { method: 'S', newLines: [line(900, { taxTreatment: 'N2' })] })
    await credit(world, second, '2026-07-06', { amount: 400 })
    expect(await told(world, 3)).toMatchObject({
      operations: [],
      corrections: [
        ['S', 'FR40303265045', '2026', '1T', 900, 1000, -100],
        ['S', 'FR40303265045', '2026', '2T', 0, 400, -400],
      ],
      boxes: [0, 0, 2, 900],
    })
  })

  test('of a purchase has its own key; the original of another program is unknown here', async () => {
    const world = await open()
    await buy(world, {})
    await buy(world, {
      kind: 'rectifying',
      supplierNumber: 'L-2',
      issueDate: '2026-05-10',
      receptionDate: '2026-05-10',
      taxLines: [{ base: -60, nature: 'eu_services' }],
      rectifies: [{ supplierNumber: 'L-1', issueDate: '2026-02-10' }],
    })
    expect((await told(world, 2)).corrections).toEqual([['I', 'DE136695976', '2026', '1T', 440, 500, -60]])
    await buy(world, {
      kind: 'rectifying',
      supplierNumber: 'L-3',
      issueDate: '2026-05-11',
      receptionDate: '2026-05-11',
      taxLines: [{ base: -30, nature: 'eu_services' }],
      rectifies: [{ supplierNumber: 'OLD-9', issueDate: '2025-11-10' }],
    })
    const q2 = await told(world, 2)
    expect(q2.corrections).toEqual([
      ['I', 'DE136695976', '2025', '4T', null, null, -30],
      ['I', 'DE136695976', '2026', '1T', 440, 500, -60],
    ])
    expect(q2.warnings).toEqual(['eu_declared_unknown'])
  })

  test('without a reference reduces its own quarter with a warning, also below zero', async () => {
    const world = await open()
    await buy(world, {
      kind: 'rectifying',
      supplierNumber: 'L-2',
      taxLines: [{ base: -60, nature: 'eu_services' }],
    })
    const q1 = await told(world, 1)
    expect(q1).toMatchObject({ operations: [['I', 'DE136695976', -60]], corrections: [] })
    expect(q1.warnings).toEqual(['eu_period_unclear', 'eu_negative'])
  })

  test('satisfies for random sequences: declared before plus the difference is the rectified base', async () => {
    const world = await open()
    let state = 20_261_123
    const below = (limit: number) => (state = (state * 48_271) % 2_147_483_647) % limit
    const sold: { invoice: Invoice; cents: number; quarter: number }[] = []
    /** By the quarter in which it counts, then by the quarter it corrects; in cents. */
    const net = new Map<string, number>()
    const add = (at: number, of: number, cents: number) =>
      net.set(`${at} ${of}`, (net.get(`${at} ${of}`) ?? 0) + cents)
    for (let month = 1; month <= 12; month++) {
      const quarter = Math.ceil(month / 3)
      const day = (number: number) =>
        `2026-${String(month).padStart(2, '0')}-${String(number).padStart(2, '0')}`
      const cents = 10_000 + below(90_000)
      sold.push({ invoice: await sell(world, FRANCE, day(5), cents / 100), cents, quarter })
      add(quarter, quarter, cents)
      const back = sold[below(sold.length)]!
      const part = 1 + below(Math.max(1, Math.floor(back.cents / 3)))
      back.cents -= part
      await credit(world, back.invoice, day(20), { amount: part / 100 })
      add(quarter, back.quarter, -part)
    }
    for (const at of [1, 2, 3, 4]) {
      const { operations, corrections } = await told(world, at)
      expect(operations.map((row) => row[2])).toEqual([(net.get(`${at} ${at}`) ?? 0) / 100])
      const expected = [1, 2, 3, 4]
        .filter((of) => of < at && net.has(`${at} ${of}`))
        .map((of) => {
          let declared = 0
          for (let earlier = of; earlier < at; earlier++) declared += net.get(`${earlier} ${of}`) ?? 0
          const difference = net.get(`${at} ${of}`) ?? 0
          return ['2026', `${of}T`, (declared + difference) / 100, declared / 100, difference / 100]
        })
      expect(corrections.map((row) => row.slice(2))).toEqual(expected)
    }
  }, 60_000)
})
