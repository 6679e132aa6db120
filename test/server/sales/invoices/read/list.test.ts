/** Lists: every filter against a plain reading of all invoices, pages that cover everything once, sums that are sums. */
import { inEmbedded } from '../../../../support/engines.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { InputOf, OutputOf } from '../../../../../server/api/contracts.ts'
import type { InvoiceSort } from '../../../../../server/sales/invoices/contract.ts'
import { resolveFilter } from '../../../../../server/sales/invoices/read/filter.ts'
import { totalsOfFilter } from '../../../../../server/sales/invoices/read/list-totals.ts'
import { faultsOfRefusal, openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { cancel } from '../steps.ts'
import { swept } from '../../../../support/sweep.ts'

type Item = OutputOf<'invoices.list'>['items'][number]
type Filter = Omit<InputOf<'invoices.list'>, 'cursor' | 'limit' | 'sort' | 'totals'>

const SORTS: readonly InvoiceSort[] = ['issueDate', '-issueDate', 'number', '-number', 'total', '-total']

const CLIENTS = [
  { clientName: 'Peña Ávila, S.L.', clientNif: 'B87654323' },
  { clientName: 'Ana Ruiz', clientNif: '12345678Z' },
  { clientName: 'Panadería 100%_natural', clientNif: 'B11111119' },
]

/** Two years of invoices in two series, some drafts, one rejected, one with errors, two annulled, equal totals among them. */
async function fullBooks(): Promise<TestBooks & { contactId: string }> {
  const world = await openBooks()
  const contact = await world.run('contacts.create', { name: 'Ana Ruiz', nif: '12345678Z' })
  await world.run('series.create', { code: 'OBRA', kind: 'ordinary' })
  const line = (unitPrice: number) => ({ description: 'x', quantity: 1, unitPrice })
  for (let index = 0; index < 24; index++) {
    const issueDate =
      index < 4
        ? `2025-12-0${index + 1}`
        : `2026-${String(Math.floor(index / 3) + 1).padStart(2, '0')}-${String(index + 1).padStart(2, '0')}`
    await world.invoice({
      ...CLIENTS[index % 3],
      ...(index % 3 === 1 ? { clientId: contact.id } : { clientId: null }),
      issueDate,
      dueDate: addMonth(issueDate),
      lines: [line((index % 5) * 10 + 10)],
      ...(index >= 4 && index % 4 === 0 ? { series: 'OBRA' } : {}),
    })
  }
  await world.invoice({
    kind: 'F2',
    clientName: 'Público',
    clientNif: null,
    clientId: null,
    lines: [line(30)],
  })
  await world.invoice({ clientName: 'Nadie', clientNif: '99999999R', lines: [line(50)] })
  await world.invoice({
    clientName: 'Sin censo',
    clientNif: '00000000T',
    client: { idType: '07' },
    lines: [line(60)],
  })
  while ((await world.send()) > 0);
  await cancel(world, 'T-F2026-0003')
  await world.send()
  await cancel(world, 'T-OBRA-0002')
  await world.invoice({ lines: [line(70)], dueDate: '2027-01-10' })
  for (let index = 0; index < 5; index++)
    await world.draft({ ...CLIENTS[index % 3], lines: [line(index * 10)] })
  return Object.assign(world, { contactId: contact.id })
}

const addMonth = (date: string): string =>
  new Date(Date.parse(date) + 30 * 86_400_000).toISOString().slice(0, 10)

async function pages(world: TestBooks, input: InputOf<'invoices.list'>): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await world.run('invoices.list', { ...input, ...(cursor === undefined ? {} : { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(input.limit ?? 25)
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return items
}

const listDate = (item: Item) => item.issueDate ?? '2026-11-21'

test('every filter finds what a plain reading finds, in the list, the window and the sums alike', async () => {
  const world = await fullBooks()
  const all = await pages(world, { limit: 100 })
  expect(all).toHaveLength(33)
  const cases: [Filter, (item: Item) => boolean][] = [
    [{}, () => true],
    [{ state: 'draft' }, (item) => item.state === 'draft'],
    [{ state: 'issued' }, (item) => item.state === 'issued'],
    ...(
      [
        'not_issued',
        'pending',
        'accepted',
        'accepted_with_errors',
        'rejected',
        'unknown',
        'cancelled',
      ] as const
    ).map((registryStatus): [Filter, (item: Item) => boolean] => [
      { registryStatus },
      (item) => item.registry.status === registryStatus,
    ]),
    [{ paymentStatus: 'open' }, (item) => ['unpaid', 'partial', 'overdue'].includes(item.payment.status)],
    ...(['draft', 'unpaid', 'partial', 'paid', 'overdue', 'uncollectible', 'cancelled'] as const).map(
      (paymentStatus): [Filter, (item: Item) => boolean] => [
        { paymentStatus },
        (item) => item.payment.status === paymentStatus,
      ],
    ),
    [{ from: '2026-03-01' }, (item) => listDate(item) >= '2026-03-01'],
    [{ to: '2025-12-31' }, (item) => listDate(item) <= '2025-12-31'],
    [{ from: '2026-05-16', to: '2026-05-16' }, (item) => listDate(item) === '2026-05-16'],
    [{ client: world.contactId }, (item) => item.clientNif === '12345678Z'],
    [{ client: 'con_0000000000000000' }, () => false],
    [{ nif: 'b-87654323' }, (item) => item.clientNif === 'B87654323'],
    [{ nif: 'B00000000' }, () => false],
    [{ series: 'T-OBRA' }, (item) => item.series === 'T-OBRA'],
    [{ series: 'OBRA' }, (item) => item.series === 'T-OBRA'],
    [{ series: 'NADA' }, () => false],
    [{ text: 'pena avila' }, (item) => item.clientName.startsWith('Peña')],
    [{ text: 'ÁVILA' }, (item) => item.clientName.startsWith('Peña')],
    [{ text: '100%_nat' }, (item) => item.clientName.startsWith('Panadería')],
    [{ text: '100X_nat' }, () => false],
    // Words, from their beginning: not the middle of another.
    [{ text: 'ávil' }, (item) => item.clientName.startsWith('Peña')],
    [{ text: 'vila' }, () => false],
    [{ text: '12345678Z' }, (item) => item.clientNif === '12345678Z'],
    [{ text: '36,30' }, (item) => item.total === 36.3],
    [{ text: '36.3 €' }, (item) => item.total === 36.3],
    [{ text: 't-f2026-0001' }, (item) => item.number === 'T-F2026-0001'],
    [{ text: 'T-OBRA' }, (item) => item.series === 'T-OBRA'],
    [{ text: 'nothing like it' }, () => false],
    [{ text: "'; drop table invoices; --" }, () => false],
    [
      { state: 'issued', from: '2026-01-01', nif: '12345678Z', paymentStatus: 'overdue', text: 'ana' },
      (item) =>
        item.state === 'issued' &&
        listDate(item) >= '2026-01-01' &&
        item.clientNif === '12345678Z' &&
        item.payment.status === 'overdue',
    ],
  ]
  let found = 0
  for (const [filter, matches] of cases) {
    const expected = all.filter(matches)
    found += expected.length === 0 ? 0 : 1
    const { items, totals } = await world.run('invoices.list', { ...filter, limit: 100, totals: true })
    const label = JSON.stringify(filter)
    expect(
      items.map((item) => item.id),
      label,
    ).toEqual(expected.map((item) => item.id))
    const window = await world.run('invoices.window', { ...filter, limit: 500, summary: true })
    expect(window.items, label).toEqual(items)
    expect(window.totals, label).toEqual(totals)
    const inForce = expected.filter((item) => item.cancelledAt === undefined)
    const cents = (pick: (item: Item) => number) =>
      inForce.reduce((sum, item) => sum + Math.round(pick(item) * 100), 0) / 100
    expect(totals, label).toEqual({
      count: expected.length,
      base: cents((item) => item.base),
      tax: cents((item) => item.tax),
      total: cents((item) => item.total),
      due: cents((item) =>
        ['unpaid', 'partial', 'overdue'].includes(item.payment.status) ? item.amountDue : 0,
      ),
    })
    // As in large books, where others get their turn in between.
    const resolved = await resolveFilter(world.test, filter)
    for (const atOnce of [1, 4])
      expect(await totalsOfFilter(world.test, resolved, atOnce), label).toEqual(totals)
  }
  expect(found).toBeGreaterThan(20)
})

inEmbedded(test)(
  'while large books are added up others get their turn, and what they write is counted once or not at all',
  async () => {
    const world = await fullBooks()
    let turns = 0
    let working = true
    const beside = (async () => {
      for (; working; turns++) {
        if (turns === 2) await world.invoice({ lines: [{ description: 'x', quantity: 1, unitPrice: 100 }] })
        await nextTurn()
      }
    })()
    const before = await totalsOfFilter(world.test, { conditions: [], nothing: false })
    const told = await totalsOfFilter(world.test, { conditions: [], nothing: false }, 1)
    working = false
    await beside
    expect(turns).toBeGreaterThan(20)
    const after = await totalsOfFilter(world.test, { conditions: [], nothing: false })
    expect(after.count).toBe(before.count + 1)
    expect([before, after]).toContainEqual(told)
  },
)

test('each sort sorts, and pages of any size are the list cut up', async () => {
  const world = await fullBooks()
  const value: Record<string, (item: Item) => (string | number)[]> = {
    issueDate: (item) => [listDate(item)],
    total: (item) => [item.total],
    number: (item) => [item.series ?? '', item.number ?? ''],
  }
  for (const sort of SORTS) {
    const whole = await pages(world, { sort, limit: 100 })
    for (const limit of [1, 7, 32, 33])
      expect(
        (await pages(world, { sort, limit })).map((item) => item.id),
        `${sort} by ${limit}`,
      ).toEqual(whole.map((item) => item.id))
    expect(new Set(whole.map((item) => item.id)).size).toBe(33)
    const key = value[sort.replace('-', '')]
    const ordered = sort.startsWith('-') ? whole.toReversed() : whole
    const comparable = sort.endsWith('number')
      ? ordered.filter((item) => item.number !== null && item.series === 'T-OBRA')
      : ordered
    for (const [index, item] of comparable.entries()) {
      const before = comparable[index - 1]
      if (!before || !key) continue
      const [a, b] = [key(before), key(item)]
      const place = a.findIndex((part, at) => part !== b[at])
      if (place >= 0)
        expect(a[place]! < b[place]!, `${sort}: ${JSON.stringify(a)} before ${JSON.stringify(b)}`).toBe(true)
    }
  }
})

test('pages stay right while others issue and draft', async () => {
  const world = await fullBooks()
  for (const sort of swept(SORTS, (each) => each === '-total')) {
    const before = new Set((await pages(world, { sort, limit: 100 })).map((item) => item.id))
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await world.run('invoices.list', {
        sort,
        limit: 5,
        ...(cursor === undefined ? {} : { cursor }),
      })
      seen.push(...page.items.map((item) => item.id))
      cursor = page.nextCursor ?? undefined
      await world.draft({ lines: [{ description: 'x', quantity: 1, unitPrice: 33 }] })
      if (sort === '-total') await world.invoice()
    } while (cursor !== undefined && seen.length < 400)
    expect(new Set(seen).size, sort).toBe(seen.length)
    expect(
      [...before].filter((id) => !seen.includes(id)),
      sort,
    ).toEqual([])
  }
})

test('a cursor of another filter, sort or book is refused', async () => {
  const world = await fullBooks()
  const { nextCursor } = await world.run('invoices.list', { limit: 2, state: 'issued' })
  const cursor = nextCursor ?? ''
  expect((await world.run('invoices.list', { limit: 30, state: 'issued', cursor })).items).toHaveLength(26)
  for (const input of [
    { cursor },
    { cursor, state: 'draft' },
    { cursor, state: 'issued', sort: 'total' },
    { cursor: 'nonsense' },
  ] as const)
    expect(await faultsOfRefusal(world.run('invoices.list', input))).toEqual(['cursor: cursor_invalid'])
})

test('dates the wrong way round are said', async () => {
  const world = await openBooks()
  for (const name of ['invoices.list', 'invoices.window'] as const)
    expect(await faultsOfRefusal(world.run(name, { from: '2026-12-01', to: '2026-11-01' }))).toEqual([
      'from: dates_reversed',
    ])
})

describe('the window', () => {
  test('stretches by position are the list', async () => {
    const world = await fullBooks()
    for (const sort of SORTS) {
      const list = (await pages(world, { sort, limit: 100 })).map((item) => item.id)
      const stretches: string[] = []
      for (let offset = 0; offset < 40; offset += 9)
        stretches.push(
          ...(await world.run('invoices.window', { sort, offset, limit: 9 })).items.map((item) => item.id),
        )
      expect(stretches).toEqual(list)
    }
  })

  test('the saved views count what they show', async () => {
    const world = await fullBooks()
    const { views } = await world.run('invoices.window', { limit: 0, summary: true })
    for (const view of ['all', 'drafts', 'owed', 'overdue', 'trouble', 'unsigned'] as const) {
      const { items, totals } = await world.run('invoices.window', { view, limit: 500, summary: true })
      expect(totals?.count, view).toBe(items.length)
      expect(views?.[view], view).toBe(items.length)
    }
    expect(views).toEqual({
      all: 33,
      drafts: 5,
      owed: 26,
      overdue: expect.any(Number),
      trouble: 2,
      unsigned: 0,
      history: 0,
    })
    expect(
      (await world.run('invoices.window', { view: 'trouble', sort: 'issueDate' })).items
        .map((item) => item.registry.status)
        .toSorted(),
    ).toEqual(['accepted_with_errors', 'rejected'])
  })
})
