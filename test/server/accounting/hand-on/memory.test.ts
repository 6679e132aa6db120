/** What was handed on is remembered: only new and changed entries come next, and numbers are given once. */
import { expect, test } from 'vitest'
import { faultsOfRefusal, openBooks, refusal } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { OFFICE } from '../../../support/examples/hand-on.ts'
import { YEAR } from './worked-book.ts'

const AT = { at: '2026-12-30T12:00:00+01:00' }

async function bookOf(): Promise<{ world: TestBooks; clientId: string }> {
  const world = await openBooks(AT)
  await world.run('handOn.saveSettings', OFFICE)
  const { id: clientId } = await world.run('contacts.create', {
    name: 'Cliente Primero, S.L.',
    nif: 'B87654323',
  })
  return { world, clientId }
}

const fee = (world: TestBooks, amount: number, id?: string) =>
  world.run('ledger.writeEntry', {
    ...(id === undefined ? {} : { id }),
    date: '2026-11-30',
    text: 'Comisión',
    lines: [
      { account: '626', debit: amount },
      { account: '572', credit: amount },
    ],
  })

async function drain(world: TestBooks, id: string): Promise<number> {
  const { stream } = await world.run('handOn.file', { id })
  let bytes = 0
  for await (const piece of stream) bytes += piece.byteLength
  return bytes
}

test('the next file has only what is new, and continues the numbers', async () => {
  const { world, clientId } = await bookOf()
  await world.invoice({
    clientId,
    clientName: 'Cliente Primero, S.L.',
    clientNif: 'B87654323',
    issueDate: '2026-10-01',
  })
  const first = await world.run('handOn.create', YEAR)
  expect([first.entries, first.firstNumber, first.lastNumber]).toEqual([1, 1, 1])
  expect(await refusal(world.run('handOn.create', YEAR))).toBe('hand_on_nothing')
  await fee(world, 12.5)
  const preview = await world.run('handOn.preview', YEAR)
  expect([preview.entries, preview.known, preview.firstNumber, preview.newAccountCount]).toEqual([1, 1, 2, 0])
  const second = await world.run('handOn.create', { year: 2026, quarter: 4 })
  expect([second.entries, second.firstNumber, second.from, second.to]).toEqual([
    1,
    2,
    '2026-10-01',
    '2026-12-31',
  ])
  expect((await world.run('handOn.runs', {})).items.map(({ id }) => id)).toEqual([second.id, first.id])
  // The same file again is the same.
  expect(await drain(world, first.id)).toBe(await drain(world, first.id))
})

test('an entry that changed or is gone is told, and its file no longer comes', async () => {
  const { world } = await bookOf()
  const one = await fee(world, 10)
  await fee(world, 20)
  const run = await world.run('handOn.create', YEAR)
  await fee(world, 11, one.id)
  const preview = await world.run('handOn.preview', YEAR)
  expect(preview.entries).toBe(1)
  expect(preview.different.map(({ number, what }) => [number, what])).toEqual([
    [1, expect.stringMatching(/changed|undone/)],
  ])
  expect(await refusal(world.run('handOn.file', { id: run.id }))).toBe('hand_on_changed')
  const next = await world.run('handOn.create', YEAR)
  expect([next.entries, next.firstNumber]).toEqual([1, 3])
  // Told once.
  expect((await world.run('handOn.preview', YEAR)).different).toEqual([])
  await world.run('ledger.removeEntry', { id: (await world.run('ledger.journal', YEAR)).items[0]!.id })
  expect((await world.run('handOn.preview', YEAR)).different).toHaveLength(1)
})

test('a discarded file makes its entries new again, and contacts keep their numbers', async () => {
  const { world, clientId } = await bookOf()
  await world.invoice({
    clientId,
    clientName: 'Cliente Primero, S.L.',
    clientNif: 'B87654323',
    issueDate: '2026-10-01',
  })
  const { id } = await world.run('handOn.create', YEAR)
  const before = await world.run('handOn.accounts', {})
  expect(before.items.map(({ account, officeAccount }) => [account, officeAccount])).toEqual([
    ['430', '43000001'],
  ])
  await world.run('handOn.discard', { id })
  expect(await refusal(world.run('handOn.file', { id }))).toBe('not_found')
  expect((await world.run('handOn.create', YEAR)).firstNumber).toBe(1)
  expect(await world.run('handOn.accounts', {})).toEqual(before)
  // Fewer digits change the account, not the number.
  await world.run('handOn.saveSettings', { ...OFFICE, digits: 7 })
  expect((await world.run('handOn.accounts', {})).items[0]?.officeAccount).toBe('4300001')
})

test('the numbers of the office are typed, or come as a list, and none is given twice', async () => {
  const { world, clientId } = await bookOf()
  const { id: other } = await world.run('contacts.create', { name: 'Otro, S.A.', nif: 'A58818501' })
  const typed = { account: '430', contactId: clientId, officeAccount: '43000123' }
  await world.run('handOn.saveAccounts', { rows: [typed], write: true })
  // Another contact cannot have it, nor can it come back once it was changed.
  const taken = { ...typed, contactId: other }
  expect(await faultsOfRefusal(world.run('handOn.saveAccounts', { rows: [taken], write: true }))).toEqual([
    'rows[0].officeAccount: hand_on_account_taken',
  ])
  await world.run('handOn.saveAccounts', { rows: [{ ...typed, officeAccount: '43000200' }], write: true })
  expect(await faultsOfRefusal(world.run('handOn.saveAccounts', { rows: [taken], write: true }))).toEqual([
    'rows[0].officeAccount: hand_on_account_taken',
  ])
  const csv =
    'NIF;Cuenta\r\nA-58818501;430.00.045\r\n"B87654323";"41000007"\r\nX1234567L;43000001\r\nnada\r\n'
  const looked = await world.run('handOn.saveAccounts', { csv, write: false })
  expect(looked.changes.map(({ account, before, after }) => [account, before, after])).toEqual([
    ['430', null, '43000045'],
    ['410', null, '41000007'],
  ])
  expect(looked.issues.map(({ code, field }) => [field, code])).toEqual([
    ['csv[5]', 'hand_on_list_row'],
    ['csv[4]', 'hand_on_list_unknown'],
  ])
  expect(await refusal(world.run('handOn.saveAccounts', { csv, write: true }))).toBe('validation_failed')
  await world.run('handOn.saveAccounts', { csv: csv.split('\r\n').slice(0, 3).join('\n'), write: true })
  const { items, count } = await world.run('handOn.accounts', {})
  expect(count).toBe(3)
  expect(items.map(({ officeAccount }) => officeAccount)).toEqual(['41000007', '43000045', '43000200'])
  expect((await world.run('handOn.accounts', { text: 'otro' })).items).toHaveLength(1)
  for (const [row, fault] of [
    [{ ...typed, officeAccount: '4300001' }, 'rows[0].officeAccount: hand_on_account_digits'],
    [{ ...typed, officeAccount: null }, 'rows[0].officeAccount: hand_on_account_needed'],
    [{ ...typed, account: '629', officeAccount: '62900001' }, 'rows[0].officeAccount: hand_on_account_group'],
    [{ ...typed, contactId: 'con_none' }, 'rows[0].contactId: hand_on_no_contact'],
    [{ account: '1999999', contactId: null, officeAccount: '19999990' }, 'rows[0].account: account_unknown'],
  ] as const)
    expect(await faultsOfRefusal(world.run('handOn.saveAccounts', { rows: [row], write: true }))).toEqual([
      fault,
    ])
})

test('nothing booked changes', async () => {
  const { world } = await bookOf()
  await fee(world, 10)
  const before = await world.run('ledger.journal', YEAR)
  const { id } = await world.run('handOn.create', YEAR)
  await drain(world, id)
  expect(await world.run('ledger.journal', YEAR)).toEqual(before)
  expect((await world.run('ledger.trialBalance', { year: 2026 })).totals.balance).toBe(0)
})
