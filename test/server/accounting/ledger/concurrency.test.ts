/** Concurrent ledger requests: the books end up as if the requests had run one after another. */
import { expect, test } from 'vitest'
import type { InputOf } from '../../../../server/api/contracts.ts'
import { openBooks, refusal } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { expectSound, together } from '../../../support/concurrently.ts'

const entry = (account: string, date = '2026-11-20'): InputOf<'ledger.writeEntry'> => ({
  date,
  text: 'Prueba',
  lines: [
    { account, debit: 10 },
    { account: '555', credit: 10 },
  ],
})
const addAccount = (world: TestBooks, code: string) =>
  world.run('ledger.saveAccount', { code, name: `Banco ${code}` })

test('an account deleted with its entries leaves the cache', async () => {
  const world = await openBooks()
  await addAccount(world, '57200099')
  const invoice = await world.invoice()
  const money = { date: '2026-11-21', amount: 605, method: 'transfer', account: '57200099' } as const
  expect(
    await together(
      world.run('payments.payInvoice', { id: invoice.id, ...money }),
      world.run('payments.unpayInvoice', { id: invoice.id }),
      world.run('ledger.removeAccount', { code: '57200099' }),
    ),
  ).toEqual(['done', 'done', 'done'])
  // Its position belongs to another account now.
  await addAccount(world, '57200098')
  expect(await refusal(world.run('payments.payInvoice', { id: invoice.id, ...money }))).toBe(
    'account_unknown',
  )
})

test('an account is not removed while an entry is written to it', async () => {
  const world = await openBooks()
  await addAccount(world, '57200099')
  expect(
    await together(
      world.run('ledger.writeEntry', entry('57200099')),
      world.run('ledger.removeAccount', { code: '57200099' }),
    ),
  ).toEqual(['done', 'account_in_use'])
  await addAccount(world, '57200098')
  expect(
    await together(
      world.run('ledger.removeAccount', { code: '57200098' }),
      world.run('ledger.writeEntry', entry('57200098')),
    ),
  ).toEqual(['done', 'validation_failed'])
})

test('of two concurrent openings, the second reports that it replaced the first', async () => {
  const world = await openBooks()
  const open = () =>
    world.run('ledger.openBalances', {
      date: '2026-01-01',
      rows: [
        { account: '572', debit: 100 },
        { account: '100', credit: 100 },
      ],
      write: true,
    })
  const [first, second] = await Promise.all([open(), open()])
  expect([first.replaces, second.replaces]).toEqual([false, true])
})

test.each<[string, (world: TestBooks) => Promise<() => Promise<unknown>[]>, string[]]>([
  [
    'a day is closed before an entry is written on it',
    async (world) => () => [
      world.run('ledger.lock', { until: '2026-11-20' }),
      world.run('ledger.writeEntry', entry('572')),
    ],
    ['done', 'period_locked'],
  ],
  [
    'a day is closed before a payment is dated on it',
    async (world) => {
      const { id } = await world.invoice()
      return () => [
        world.run('ledger.lock', { until: '2026-11-20' }),
        world.run('payments.payInvoice', { id, date: '2026-11-20', amount: 605, method: 'transfer' }),
      ]
    },
    ['done', 'period_locked'],
  ],
  [
    'an entry is removed twice',
    async (world) => {
      const { id } = await world.run('ledger.writeEntry', entry('572'))
      return () => [world.run('ledger.removeEntry', { id }), world.run('ledger.removeEntry', { id })]
    },
    ['done', 'not_found'],
  ],
  [
    'a year is closed twice',
    async (world) => {
      await world.run('ledger.writeEntry', entry('572', '2025-06-01'))
      return () => [
        world.run('ledger.closeYear', { year: 2025 }),
        world.run('ledger.closeYear', { year: 2025 }),
      ]
    },
    ['done', 'year_not_closable'],
  ],
  [
    'a year is closed before an entry is written in it',
    async (world) => {
      await world.run('ledger.writeEntry', entry('572', '2025-06-01'))
      return () => [
        world.run('ledger.closeYear', { year: 2025 }),
        world.run('ledger.writeEntry', entry('572', '2025-06-01')),
      ]
    },
    ['done', 'period_locked'],
  ],
])('%s: one wins', async (_title, prepare, codes) => {
  const world = await openBooks()
  const start = await prepare(world)
  expect(await together(...start())).toEqual(codes)
  await expectSound(world)
})

test('an invoice issued while its day is closed is booked on the first open day', async () => {
  const world = await openBooks()
  const draft = await world.draft()
  const confirmationToken = await world.token(draft.id)
  expect(
    await together(
      world.run('ledger.lock', { until: '2026-11-21' }),
      world.run('invoices.issue', { id: draft.id, confirmationToken }),
    ),
  ).toEqual(['done', 'done'])
  const { items } = await world.run('ledger.journal', { from: '2026-11-01', to: '2026-12-31' })
  expect(items.map(({ date }) => date)).toEqual(['2026-11-22'])
})
