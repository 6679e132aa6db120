/**
 * Copying from the test book to the live one: data typed once is not typed again, and no test becomes legally
 * binding.
 */
import { describe, expect, test } from 'vitest'
import { createContact, listContacts } from '../../../../server/catalog/contacts/index.ts'
import type { Ctx } from '../../../../server/context.ts'
import { carry, carryOffer } from '../../../../server/app/going-live/index.ts'
import { createDraft, getInvoice, listInvoices } from '../../../../server/sales/invoices/index.ts'
import { createItem, listItems } from '../../../../server/catalog/items/index.ts'
import { openTestStore } from '../../../support/store.ts'

async function openBooks() {
  const world = await openTestStore()
  const books = await world.company()
  return { live: world.ctx(books.live), test: world.ctx(books.test) }
}

async function fillTestBook(ctx: Ctx) {
  const contact = await createContact(ctx, {
    name: 'Bodegas Lobo S.L.',
    nif: 'B50001759',
    address: { street: 'Calle Sol 2', postalCode: '50001', city: 'Zaragoza', country: 'ES' },
    paymentDays: 15,
  } as Parameters<typeof createContact>[1])
  const item = await createItem(ctx, {
    name: 'Taller de cerámica',
    sku: 'TC-1',
    unitPrice: 50,
    vatRate: 21,
  })
  const draft = await createDraft(ctx, {
    clientId: contact.id,
    clientName: contact.name,
    clientNif: contact.nif,
    dueDate: null,
    externalRef: 'PED-7',
    lines: [
      { description: 'Taller de cerámica', quantity: 8, unitPrice: 50, discountPct: 10, itemId: item.id },
      { description: 'Barro', quantity: 2.5, unitPrice: 4.2 },
    ],
  } as Parameters<typeof createDraft>[1])
  return { contact, item, draft }
}

describe('going live', () => {
  test('offers what the test book has and the live one lacks', async () => {
    const { live, test: testBook } = await openBooks()
    const { draft } = await fillTestBook(testBook)
    const offer = await carryOffer(live, {})
    expect(offer).toEqual({
      contacts: 1,
      items: 1,
      invoices: [{ id: draft.id, number: null, clientName: 'Bodegas Lobo S.L.', total: draft.total }],
    })
  })

  test('copies a draft with its customer and items: same lines and total, without its former number, date or reference', async () => {
    const { live, test: testBook } = await openBooks()
    const { draft } = await fillTestBook(testBook)
    const answer = await carry(live, { contacts: false, items: false, invoices: [draft.id] })
    expect(answer).toMatchObject({ contacts: 1, items: 1 })
    const made = await getInvoice(live, { id: answer.drafts[0]?.id ?? '' })
    expect(made).toMatchObject({
      state: 'draft',
      number: null,
      issueDate: null,
      externalRef: null,
      clientName: 'Bodegas Lobo S.L.',
      clientNif: 'B50001759',
      total: draft.total,
    })
    const lines = (view: typeof made) =>
      view.lines.map(({ description, quantity, unitPrice, discountPct }) => [
        description,
        quantity,
        unitPrice,
        discountPct,
      ])
    expect(lines(made)).toEqual(lines(await getInvoice(testBook, { id: draft.id })))
    const { items: contacts } = await listContacts(live, { limit: 10 })
    expect(contacts.map(({ name }) => name)).toEqual(['Bodegas Lobo S.L.'])
    expect(made.clientId).toBe(contacts[0]?.id)
    expect(made.lines[0]?.itemId).toBe((await listItems(live, { limit: 10 })).items[0]?.id)
    // The test book keeps its own.
    expect((await getInvoice(testBook, { id: draft.id })).state).toBe('draft')
  })

  test('uses existing data of the live book unchanged; repeating the request duplicates nothing', async () => {
    const { live, test: testBook } = await openBooks()
    const { draft } = await fillTestBook(testBook)
    const own = await createContact(live, {
      name: 'Bodegas Lobo',
      nif: 'B50001759',
      email: 'real@bodegas.example',
    } as Parameters<typeof createContact>[1])
    const first = await carry(live, { contacts: true, items: true, invoices: [draft.id] })
    expect(first).toMatchObject({ contacts: 0, items: 1 })
    expect((await getInvoice(live, { id: first.drafts[0]?.id ?? '' })).clientId).toBe(own.id)
    expect(await carry(live, { contacts: true, items: true, invoices: [] })).toEqual({
      contacts: 0,
      items: 0,
      drafts: [],
    })
    const { items } = await listContacts(live, { limit: 10 })
    expect(items.map(({ email }) => email)).toEqual(['real@bodegas.example'])
    expect(await carryOffer(live, {})).toMatchObject({ contacts: 0, items: 0 })
  })

  test('copies more contacts than one page', async () => {
    const { live, test: testBook } = await openBooks()
    for (let n = 0; n < 205; n++)
      await createContact(testBook, { name: `Cliente ${n}` } as Parameters<typeof createContact>[1])
    expect(await carry(live, { contacts: true, items: false, invoices: [] })).toMatchObject({ contacts: 205 })
  }, 60_000)

  test('copies no invoice when one of them cannot be copied', async () => {
    const { live, test: testBook } = await openBooks()
    const { draft } = await fillTestBook(testBook)
    await expect(
      carry(live, { contacts: true, items: true, invoices: [draft.id, 'inv_00000000000000000'] }),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect((await listInvoices(live, { limit: 5 })).items).toEqual([])
    expect((await listContacts(live, { limit: 5 })).items).toEqual([])
  })

  test('is not available in a test book', async () => {
    const { test: testBook } = await openBooks()
    await expect(carryOffer(testBook, {})).rejects.toMatchObject({ code: 'not_found' })
    await expect(carry(testBook, { contacts: true, items: true, invoices: [] })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
