/** Contacts: found by any spelling, accepted with warnings, never deleted while a draft uses them. */
import { describe, expect, test } from 'vitest'
import { listAudit } from '../../../../server/platform/audit/index.ts'
import {
  contactFacts,
  createContact,
  deleteContact,
  findContact,
  findContactByNif,
  getContact,
  listContacts,
  markContactUsed,
  updateContact,
} from '../../../../server/catalog/contacts/index.ts'
import { ContactRow } from '../../../../server/catalog/contacts/contract.ts'
import type { Ctx } from '../../../../server/context.ts'
import { openTestStore } from '../../../support/store.ts'

async function testBook() {
  const world = await openTestStore()
  const books = await world.company()
  return { world, books, ctx: world.ctx(books.test) }
}

async function party(tx: Ctx): Promise<number> {
  const { id } = await tx.db
    .insertInto('parties')
    .values({
      book_id: tx.book.id,
      digest: new Uint8Array(16),
      name: 'Cliente',
      country: 'ES',
      search: 'cliente',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts an invoice of a contact as the books store it. */
async function invoiceOf(
  ctx: Ctx,
  contactId: string,
  figures: {
    totalCents: number
    withholdingCents?: number
    paidCents?: number
    issued: boolean
    date?: string
  },
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const contact = await findContact(tx, contactId)
    const partyId =
      (await tx.db.selectFrom('parties').select('id').executeTakeFirst())?.id ?? (await party(tx))
    const series = await tx.db
      .selectFrom('series')
      .select('id')
      .where('book_id', '=', tx.book.id)
      .executeTakeFirstOrThrow()
    const { count } = await tx.db
      .selectFrom('invoices')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const date = figures.date ?? '2026-11-20'
    const issued = figures.issued
      ? {
          series_id: series.id,
          sequence: count + 1,
          number: `T-F2026-${count + 1}`,
          issue_date: date,
          issuer_id: partyId,
          content_hash: new Uint8Array(32),
          issued_at: 1,
        }
      : {}
    await tx.db
      .insertInto('invoices')
      .values({
        book_id: tx.book.id,
        public_id: tx.newId('inv'),
        state: figures.issued ? 'issued' : 'draft',
        kind: 'F1',
        list_date: date,
        party_id: partyId,
        contact_id: contact!.id,
        price_mode: 'net',
        base_cents: figures.totalCents,
        tax_cents: 0,
        surcharge_cents: 0,
        disbursements_cents: 0,
        total_cents: figures.totalCents,
        withholding_base_cents: 0,
        withholding_cents: figures.withholdingCents ?? 0,
        paid_cents: figures.paidCents ?? 0,
        is_owed: figures.issued && (figures.paidCents ?? 0) < figures.totalCents ? 1 : 0,
        registry_status: figures.issued ? 'pending' : 'not_issued',
        language: 'es',
        created_at: 1,
        ...issued,
      })
      .execute()
  })
}

describe('a list of contacts', () => {
  test('is empty in an empty book', async () => {
    const { ctx } = await testBook()
    expect(await listContacts(ctx, {})).toEqual({ items: [], count: 0, nextCursor: null })
    await expect(getContact(ctx, { id: 'con_nobody' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is sorted by name, ignoring accents and capitals', async () => {
    const { ctx } = await testBook()
    for (const name of ['Zapatería Sol', 'álvarez e Hijos', 'Ñandú Viajes', 'Bodegas Río'])
      await createContact(ctx, { name })
    const { items } = await listContacts(ctx, {})
    expect(items.map((contact) => contact.name)).toEqual([
      'álvarez e Hijos',
      'Bodegas Río',
      'Ñandú Viajes',
      'Zapatería Sol',
    ])
  })

  test.each([
    ['peluqueria', 'accents left out'],
    ['ANA peluquería', 'words in another order'],
    ['12.345.678-Z', 'a NIF with its dots'],
    ['5678z', 'the end of a NIF'],
    ['ana@example', 'part of an e-mail'],
  ])('finds a contact by %j: %s', async (text) => {
    const { ctx } = await testBook()
    await createContact(ctx, { name: 'Peluquería Ana', nif: '12345678Z', email: 'ana@example.com' })
    await createContact(ctx, { name: 'Otra Persona', nif: 'B12345674' })
    const { items, count } = await listContacts(ctx, { text })
    expect(items.map((contact) => contact.name)).toEqual(['Peluquería Ana'])
    expect(count).toBe(1)
  })

  test.each(['%', '_', '\\', '50%'])('searches for %j literally', async (text) => {
    const { ctx } = await testBook()
    await createContact(ctx, { name: 'Cliente' })
    expect((await listContacts(ctx, { text })).count).toBe(0)
    await createContact(ctx, { name: `Rebajas ${text} fin` })
    expect((await listContacts(ctx, { text })).count).toBe(1)
  })

  test('by position states the total', async () => {
    const { ctx } = await testBook()
    for (const letter of 'ABCDE') await createContact(ctx, { name: `Cliente ${letter}` })
    const { items, count } = await listContacts(ctx, { limit: 2, offset: 2 })
    expect(items.map((contact) => contact.name)).toEqual(['Cliente C', 'Cliente D'])
    expect(count).toBe(5)
  })

  test('can start with the last used, followed by the unused by name', async () => {
    const { ctx, world } = await testBook()
    for (const name of ['A', 'B', 'C']) await createContact(ctx, { name })
    const use = async (name: string, at: string) => {
      world.setTime(at)
      const id = (await listContacts(ctx, { text: name })).items[0]!.id
      await ctx.transaction(async (tx) => markContactUsed(tx, (await findContact(tx, id))!.id))
    }
    await use('C', '2026-11-22T10:00:00Z')
    await use('B', '2026-11-23T10:00:00Z')
    expect((await listContacts(ctx, { sort: '-lastUsed' })).items.map((contact) => contact.name)).toEqual([
      'B',
      'C',
      'A',
    ])
  })

  test('states what was issued to each and what is uncollected, without drafts', async () => {
    const { ctx } = await testBook()
    const ana = (await createContact(ctx, { name: 'Ana' })).id
    const eva = (await createContact(ctx, { name: 'Eva' })).id
    await invoiceOf(ctx, ana, { totalCents: 12_100, issued: true, date: '2026-11-01' })
    await invoiceOf(ctx, ana, {
      totalCents: 10_000,
      withholdingCents: 1_500,
      paidCents: 500,
      issued: true,
      date: '2026-11-10',
    })
    await invoiceOf(ctx, ana, { totalCents: 5_000, paidCents: 5_000, issued: true, date: '2026-11-05' })
    await invoiceOf(ctx, ana, { totalCents: 99_999, issued: false, date: '2026-11-20' })
    const { items } = await listContacts(ctx, {})
    expect(items).toMatchObject([
      { id: ana, invoices: 3, invoiced: 271, owed: 201, lastInvoiceOn: '2026-11-10' },
      { id: eva, invoices: 0, invoiced: 0, owed: 0, lastInvoiceOn: null },
    ])
    const one = await getContact(ctx, { id: ana })
    expect(one).toEqual(items[0])
    expect(ContactRow.parse(one)).toEqual(one)
  })

  test('of the test book does not contain contacts of the live book', async () => {
    const { world, books, ctx } = await testBook()
    const contact = await createContact(world.ctx(books.live), { name: 'Real', nif: '12345678Z' })
    expect((await listContacts(ctx, {})).count).toBe(0)
    await expect(getContact(ctx, { id: contact.id })).rejects.toMatchObject({ code: 'not_found' })
    expect(await contactFacts(ctx, contact.id)).toBeNull()
    expect(await findContactByNif(ctx, '12345678Z')).toBeNull()
  })
})

describe('the checks of a contact', () => {
  test.each([
    ['12345678A', 'nif_invalid'],
    ['HOLA', 'nif_invalid'],
    ['B12345678', 'nif_doubtful'],
  ])('warn of the number %s: %s', async (nif, code) => {
    const { ctx } = await testBook()
    const { warnings, ...contact } = await createContact(ctx, { name: 'Cliente', nif })
    expect(warnings).toMatchObject([{ code, severity: 'warning', field: 'nif' }])
    expect(contact.nif).toBe(nif)
  })

  test('store a valid NIF in its normalized form without a warning', async () => {
    const { ctx } = await testBook()
    const { warnings, ...contact } = await createContact(ctx, { name: 'Cliente', nif: ' b-12.345.674 ' })
    expect(warnings).toEqual([])
    expect(contact.nif).toBe('B12345674')
    expect(await findContactByNif(ctx, 'ESB12345674')).toMatchObject({
      id: contact.id,
      country: 'ES',
      surcharge: false,
    })
  })

  test("require the kind of a foreign customer's identifier", async () => {
    const { ctx } = await testBook()
    const address = { street: 'Hauptstr. 1', postalCode: '10115', city: 'Berlin', country: 'DE' }
    const { warnings, ...contact } = await createContact(ctx, { name: 'Kunde', nif: 'DE 123456789', address })
    expect(warnings.map((warning) => warning.code)).toEqual(['id_type_missing'])
    const after = await updateContact(ctx, { id: contact.id, idType: '02' })
    expect(after.warnings).toEqual([])
    expect(await contactFacts(ctx, contact.id)).toMatchObject({
      country: 'DE',
      nif: 'DE123456789',
      idType: '02',
      address,
    })
  })

  test('take the country from an EU VAT number without an address', async () => {
    const { ctx } = await testBook()
    const contact = await createContact(ctx, { name: 'Πελάτης', nif: 'EL123456789', idType: '02' })
    expect(await contactFacts(ctx, contact.id)).toMatchObject({ country: 'GR', address: null })
  })

  test('warn of two contacts with one NIF, of which neither counts as the only one', async () => {
    const { ctx } = await testBook()
    const first = await createContact(ctx, { name: 'Ana', nif: '12345678Z' })
    expect((await findContactByNif(ctx, '12345678Z'))?.id).toBe(first.id)
    const second = await createContact(ctx, { name: 'Ana otra vez', nif: '12345678Z' })
    expect(second.warnings).toMatchObject([{ code: 'nif_repeated', params: { contactId: first.id } }])
    expect(await findContactByNif(ctx, '12345678Z')).toBeNull()
  })
})

describe('changing and deleting contacts', () => {
  test('keeps the fields that a change omits, clears those that are null and makes the new name searchable', async () => {
    const { ctx } = await testBook()
    const contact = await createContact(ctx, {
      name: 'Ana',
      email: 'ana@example.com',
      phone: '600',
      withholdingPct: 15,
      surcharge: true,
    })
    const after = await updateContact(ctx, {
      id: contact.id,
      name: 'Ana María',
      phone: null,
      expectedVersion: 1,
    })
    expect(after).toMatchObject({
      name: 'Ana María',
      email: 'ana@example.com',
      phone: null,
      withholdingPct: 15,
      surcharge: true,
      version: 2,
    })
    expect((await listContacts(ctx, { text: 'maria' })).count).toBe(1)
  })

  test('is rejected for an older version', async () => {
    const { ctx } = await testBook()
    const contact = await createContact(ctx, { name: 'Ana' })
    await updateContact(ctx, { id: contact.id, name: 'Eva' })
    await expect(
      updateContact(ctx, { id: contact.id, name: 'Isa', expectedVersion: 1 }),
    ).rejects.toMatchObject({ code: 'version_conflict' })
    expect((await getContact(ctx, { id: contact.id })).name).toBe('Eva')
  })

  test('is rejected for a rate of three decimals', async () => {
    const { ctx } = await testBook()
    await expect(createContact(ctx, { name: 'Ana', withholdingPct: 15.125 })).rejects.toMatchObject({
      code: 'validation_failed',
      field: 'withholdingPct',
    })
    expect((await listContacts(ctx, {})).count).toBe(0)
  })

  test('keeps a contact with a draft; one with only issued invoices can be deleted, and they stay', async () => {
    const { ctx } = await testBook()
    const drafted = (await createContact(ctx, { name: 'Ana' })).id
    const billed = (await createContact(ctx, { name: 'Eva' })).id
    await invoiceOf(ctx, drafted, { totalCents: 100, issued: false })
    await invoiceOf(ctx, billed, { totalCents: 100, issued: true })
    await expect(deleteContact(ctx, { id: drafted })).rejects.toMatchObject({
      code: 'contact_in_use',
      details: { drafts: 1 },
    })
    expect(await deleteContact(ctx, { id: billed })).toEqual({ deleted: true })
    await expect(deleteContact(ctx, { id: billed })).rejects.toMatchObject({ code: 'not_found' })
    const { count } = await ctx.db
      .selectFrom('invoices')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(2)
    expect((await listAudit(ctx, {})).items.map((event) => event.action).slice(0, 3)).toEqual([
      'contact.deleted',
      'contact.created',
      'contact.created',
    ])
  })
})
