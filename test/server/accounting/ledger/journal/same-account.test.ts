/** An entry with two lines of one account, of two contacts: summed once for the month, and taken back as a whole. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../../support/books.ts'

test('two lines of one account count together', async () => {
  const world = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  const { id: one } = await world.run('contacts.create', { name: 'Uno' })
  const { id: two } = await world.run('contacts.create', { name: 'Dos' })
  const balance = async () =>
    (await world.run('ledger.trialBalance', { year: 2026 })).rows
      .filter(({ account }) => account)
      .map(({ code, debit, credit }) => [code, debit, credit])
  const entry = await world.run('ledger.writeEntry', {
    date: '2026-11-30',
    text: 'Reparto',
    lines: [
      { account: '430', debit: 100, contactId: one },
      { account: '430', debit: 50, contactId: two },
      { account: '430', credit: 20 },
      { account: '705', credit: 130 },
    ],
  })
  expect(await balance()).toEqual([
    ['430', 150, 20],
    ['705', 0, 130],
  ])
  await world.run('ledger.removeEntry', { id: entry.id })
  expect(await balance()).toEqual([])
})
