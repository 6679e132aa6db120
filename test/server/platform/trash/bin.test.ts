/**
 * The trash: a deleted record is restored as the same rows with the same links, for a day, and never over another
 * record.
 */
import { tablesOf } from '../../../support/engines.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { RETENTION_MS, pruneTrash } from '../../../../server/platform/trash/index.ts'
import type { OperationName } from '../../../../server/api/contracts.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { Furnished } from '../../../support/examples/index.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

let world: World
let made: Furnished
beforeEach(async () => {
  world = await openWorld()
  made = await new Furnished(world).open()
})

/** Tables of events and counters, which grow with every action. */
const TOLD = [
  'bin',
  'audit_events',
  'audit_heads',
  'events',
  'actors',
  'settings',
  'idempotency_keys',
  'due_work',
  'request_counts',
]

/** Returns every row of every table as text, without versions and the time of the last change. */
async function everything(): Promise<Record<string, string[]>> {
  const { db } = world.ctx()
  const found: Record<string, string[]> = {}
  for (const name of await tablesOf(db)) {
    if (TOLD.includes(name)) continue
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    found[name] = rows.map(({ version: _version, updated_at: _at, ...row }) => JSON.stringify(row)).toSorted()
  }
  return found
}

const restore = (id: string) => world.run('bin.restore', { id })
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown)
  return error instanceof AppError ? error.code : `not refused: ${String(error)}`
}
const lines = (itemId: string) => [{ description: 'Pieza', quantity: 1, unitPrice: 10, itemId }]

/** For each kind, how to create one with links, and the operation that deletes it. */
const KINDS: Readonly<Record<string, [OperationName, string, () => Promise<string>]>> = {
  contact: [
    'contacts.delete',
    'contact',
    async () => {
      const id = await made.newContact('Cliente enlazado, S.L.', 'B12345674')
      await made.issued({ clientId: id })
      await world.run('quotes.create', { ...EXAMPLE_DRAFT, clientId: id })
      await world.run('recurring.create', {
        ...made.recurrenceInput(),
        invoice: { ...EXAMPLE_DRAFT, clientId: id },
      })
      await world.run('received.create', { ...made.receivedInput(), supplierId: id })
      const other = await made.newContact('Cliente enlazado, S.L. (bis)')
      await world.run('contacts.keepApart', { id, otherId: await made.newContact(), apart: true })
      await world.run('contacts.merge', { id, otherId: other })
      return id
    },
  ],
  item: [
    'items.delete',
    'item',
    async () => (await world.run('items.create', { name: 'Pieza', sku: 'P-1', unitPrice: 5 })).id,
  ],
  draft: [
    'invoices.delete',
    'invoice',
    async () => {
      const item = await world.run('items.create', { name: 'Pieza', unitPrice: 5 })
      const id = await made.draft({ clientName: 'Solo aquí, S.L.', lines: lines(item.id) })
      await world.post(`/api/v1/invoices/${id}/validate`, { action: 'issue' })
      return id
    },
  ],
  quote: [
    'quotes.delete',
    'quote',
    async () => {
      const id = await made.quote()
      await world.run('quotes.setState', { id, state: 'sent' })
      await world.run('quotes.update', { id, notes: 'Otra' })
      return id
    },
  ],
  template: ['templates.delete', 'template', () => made.template()],
  recurrence: [
    'recurring.delete',
    'recurrence',
    async () => {
      const id = await made.recurrence()
      await world.run('recurring.skip', { id, date: '2026-12-01' })
      await world.run('recurring.run', { id })
      return id
    },
  ],
  bank_account: ['bank.deleteAccount', 'bank_account', () => made.bankAccount()],
  bank_rule: [
    'bank.deleteRule',
    'bank_rule',
    async () =>
      (
        await world.run('bank.createRule', {
          direction: 'in',
          textContains: 'transferencia',
          ledgerAccount: '705',
          automatic: true,
        })
      ).id,
  ],
  mandate: ['mandates.delete', 'mandate', () => made.mandate()],
}

describe('a deleted record', () => {
  test.each(Object.entries(KINDS))(
    'of the kind %s is restored unchanged',
    async (_name, [operation, type, make]) => {
      const id = await make()
      const before = await everything()
      await world.run(operation, { id } as never)
      expect(await everything()).not.toEqual(before)
      expect(await restore(id)).toEqual({ id, type })
      expect(await everything()).toEqual(before)
      const { items } = await world.run('audit.list', { limit: 2 })
      expect(items.map(({ action }) => action)).toEqual([`${type}.restored`, `${type}.deleted`])
      expect(await refusal(restore(id))).toBe('restore_gone')
    },
  )

  test('can be deleted and restored repeatedly; its version increases', async () => {
    const id = await made.draft()
    const before = await world.run('invoices.get', { id })
    for (let times = 1; times <= 3; times++) {
      await world.run('invoices.delete', { id, expectedVersion: before.version + times - 1 })
      await restore(id)
      expect(await world.run('invoices.get', { id })).toMatchObject({
        id,
        state: 'draft',
        number: null,
        version: before.version + times,
      })
    }
    const stale = world.run('invoices.update', { id, notes: 'x', expectedVersion: before.version })
    expect(await refusal(stale)).toBe('version_conflict')
    expect((await world.issue(id)).number).not.toBeNull()
  })

  test('is identified even if its row numbers were reused in the meantime', async () => {
    const item = await world.run('items.create', { name: 'Vieja', unitPrice: 5 })
    const contact = await made.newContact('Vieja, S.L.')
    const draft = await made.draft({ clientId: contact, clientName: 'Vieja, S.L.', lines: lines(item.id) })
    await world.run('invoices.delete', { id: draft })
    await world.run('contacts.delete', { id: contact })
    await world.run('items.delete', { id: item.id })
    // These take the row numbers that have just become free.
    await world.run('items.create', { name: 'Nueva', unitPrice: 7 })
    await made.newContact('Nueva, S.L.')
    await made.draft({ clientName: 'Otra cosa, S.L.' })
    for (const id of [item.id, contact, draft]) await restore(id)
    const back = await world.run('invoices.get', { id: draft })
    expect(back).toMatchObject({ clientId: contact, clientName: 'Vieja, S.L.' })
    expect(back.lines[0]).toMatchObject({ itemId: item.id })
    expect(await world.run('contacts.get', { id: contact })).toMatchObject({ name: 'Vieja, S.L.' })
  })

  test('is restored without records that no longer exist, and leaves links that have a new value', async () => {
    const contact = await made.newContact('Se va, S.L.')
    const other = await made.newContact('Se queda, S.L.')
    const quote = (await world.run('quotes.create', { ...EXAMPLE_DRAFT, clientId: contact })).id
    const second = (await world.run('quotes.create', { ...EXAMPLE_DRAFT, clientId: contact })).id
    await world.run('quotes.delete', { id: second })
    await world.run('contacts.delete', { id: contact })
    await world.run('quotes.update', { id: quote, clientId: other, clientName: 'Se queda, S.L.' })
    await restore(second)
    expect((await world.run('quotes.get', { id: second })).content.clientId ?? null).toBeNull()
    await restore(contact)
    expect((await world.run('quotes.get', { id: quote })).content.clientId).toBe(other)
  })
})

describe('a restore is rejected', () => {
  test('if the code is in use by another record', async () => {
    const item = await world.run('items.create', { name: 'Una', sku: 'X', unitPrice: 5 })
    await world.run('items.delete', { id: item.id })
    await world.run('items.create', { name: 'Otra', sku: 'X', unitPrice: 5 })
    const before = await everything()
    expect(await refusal(restore(item.id))).toBe('restore_taken')
    expect(await everything()).toEqual(before)
  })

  test('if the quote of the draft was invoiced again; else the quote counts as invoiced again', async () => {
    const quote = await made.quote()
    const first = (await world.run('quotes.convert', { id: quote })).invoice.id
    const spent = await everything()
    await world.run('invoices.delete', { id: first })
    await restore(first)
    expect(await everything()).toEqual(spent)
    await world.run('invoices.delete', { id: first })
    await world.run('quotes.convert', { id: quote })
    expect(await refusal(restore(first))).toBe('restore_taken')
  })

  test('after a day, once the maintenance has deleted it, and in another book', async () => {
    const id = await made.newContact()
    await world.run('contacts.delete', { id })
    expect(await refusal(world.run('bin.restore', { id }, { book: 'live' }))).toBe('restore_gone')
    world.advance(RETENTION_MS)
    expect(await refusal(restore(id))).toBe('restore_gone')
    await world.env.store.transaction(null, (db) => pruneTrash(db, world.env.now()))
    expect(await world.ctx().db.selectFrom('bin').select('id').execute()).toEqual([])
  })

  test('once the person was erased: nothing of them remains in the trash', async () => {
    const id = await made.newContact('Ana Borrada')
    const draft = await made.draft({ clientId: id, clientName: 'Ana Borrada' })
    const { hash } = await world.run('privacy.preview', { subject: { contactId: id } })
    await world.run('privacy.erase', { subject: { contactId: id }, hash })
    expect(await world.ctx().db.selectFrom('bin').select('id').execute()).toEqual([])
    expect(await refusal(restore(draft))).toBe('restore_gone')
  })
})
