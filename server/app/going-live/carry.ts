/**
 * Copies data from the test book to the live one. Nothing of a test becomes legally binding: contacts and items are
 * copied, and an invoice becomes a draft without number or date, which is issued like any other.
 */
import { booksOfCompany } from '../../platform/books/index.ts'
import { contactsOfBook, copyContact, findContact, findSameContacts } from '../../catalog/contacts/index.ts'
import type { carryContract, carryOfferContract } from './contract.ts'
import { addDays, businessDateOf, daysBetween } from '../../domain/dates.ts'
import { orNotFound, inBook } from '../../context.ts'
import type { Book, Ctx, UseCase } from '../../context.ts'
import {
  clearedFor,
  contentOf,
  createDraft,
  inputOf,
  listInvoices,
  resolveInvoice,
} from '../../sales/invoices/index.ts'
import { copyItem, findItem, findSameItems, itemsOfBook } from '../../catalog/items/index.ts'
import { INVOICES_OFFERED } from './contract.ts'

/** Rows per transaction, so that other requests can write in between. */
const PAGE = 200
/** Excludes rectifying and substituting invoices, which reference others of their own book. */
const KINDS = ['F1', 'F2'] as const

/** Returns the test book of a live one. Throws `not_found` in a test book, and when there is no test book. */
async function testBookOf(ctx: Ctx): Promise<Book> {
  const books = ctx.book.mode === 'live' ? await booksOfCompany(ctx.db, ctx.book.companyId) : []
  return orNotFound(books.find(({ mode }) => mode === 'test'))
}

/** Processes the rows of a book page by page. */
async function eachPage<Row extends { id: number }>(
  read: (page: { after: number; limit: number }) => Promise<Row[]>,
  work: (rows: Row[]) => Promise<void>,
): Promise<void> {
  for (let after = 0; ;) {
    const rows = await read({ after, limit: PAGE })
    await work(rows)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.id
  }
}

/** Returns what the test book has and this live book lacks. */
export const carryOffer: UseCase<typeof carryOfferContract> = async (ctx) => {
  const test = await testBookOf(ctx)
  const offer = { contacts: 0, items: 0 }
  await eachPage(
    (page) => contactsOfBook(ctx, test, page),
    async (rows) => {
      for (const row of rows)
        if ((await findSameContacts(ctx, row.nif, row.name)).length === 0) offer.contacts += 1
    },
  )
  await eachPage(
    (page) => itemsOfBook(ctx, test, page),
    async (rows) => {
      for (const row of rows) if ((await findSameItems(ctx, row.sku, row.name)).length === 0) offer.items += 1
    },
  )
  // The newest of each kind, so that later rectifying invoices hide none.
  const newest = await Promise.all(
    KINDS.map((kind) =>
      listInvoices(inBook(ctx, test), { kind, limit: INVOICES_OFFERED, sort: '-issueDate' }),
    ),
  )
  const invoices = newest
    .flatMap(({ items }) => items)
    .toSorted((a, b) => (b.issueDate ?? '').localeCompare(a.issueDate ?? ''))
    .slice(0, INVOICES_OFFERED)
  return {
    ...offer,
    invoices: invoices.map(({ id, number, clientName, total }) => ({ id, number, clientName, total })),
  }
}

interface Added {
  contacts: number
  items: number
}

/** Creates the live draft of a test invoice, with the contact and items it references. Throws `not_found`. */
async function carryInvoice(tx: Ctx, test: Book, id: string, added: Added): Promise<string> {
  const there = inBook(tx, test)
  const row = await resolveInvoice(there, id)
  orNotFound(KINDS.find((kind) => kind === row.kind))
  const input = inputOf(await contentOf(tx.db, row))

  const contact = input.clientId ? await findContact(there, input.clientId) : null
  const copied = contact ? await copyContact(tx, contact) : null
  if (copied?.isNew) added.contacts += 1

  const lines = []
  for (const { itemId, ...line } of input.lines) {
    const item = itemId ? await findItem(there, itemId) : null
    const copy = item ? await copyItem(tx, item) : null
    if (copy?.isNew) added.items += 1
    lines.push({ ...line, ...(copy ? { itemId: copy.item.public_id } : {}) })
  }

  // The payment term stays, counted from today; for a draft without a date it is measured from the day of creation.
  const from = row.issue_date ?? businessDateOf(new Date(row.created_at))
  const termDays = input.dueDate ? Math.max(0, daysBetween(from, input.dueDate)) : null
  const draft = await createDraft(tx, {
    ...input,
    lines,
    clientId: copied?.contact.public_id ?? null,
    ...clearedFor('duplicate'),
    series: null,
    issueDate: null,
    dueDate: termDays === null ? null : addDays(tx.today(), termDays),
  })
  return draft.id
}

/**
 * Copies the selected data. Existing data of the live book is left unchanged, so that repeating the request
 * duplicates nothing but drafts.
 */
export const carry: UseCase<typeof carryContract> = async (ctx, wanted) => {
  const test = await testBookOf(ctx)
  // Invoices first and in one transaction: when one cannot be copied, none is.
  // What a transaction counts is its own: the store may run it again from its start.
  const { drafts, ...copied } = await ctx.transaction(async (tx) => {
    const made: { from: string; id: string }[] = []
    const counted: Added = { contacts: 0, items: 0 }
    for (const id of wanted.invoices) made.push({ from: id, id: await carryInvoice(tx, test, id, counted) })
    return { ...counted, drafts: made }
  })
  const added: Added = copied
  const countNew = async <Row>(
    rows: readonly Row[],
    copy: (tx: Ctx, row: Row) => Promise<{ isNew: boolean }>,
  ): Promise<number> =>
    ctx.transaction(async (tx) => {
      let count = 0
      for (const row of rows) if ((await copy(tx, row)).isNew) count += 1
      return count
    })
  if (wanted.contacts)
    await eachPage(
      (page) => contactsOfBook(ctx, test, page),
      async (rows) => void (added.contacts += await countNew(rows, copyContact)),
    )
  if (wanted.items)
    await eachPage(
      (page) => itemsOfBook(ctx, test, page),
      async (rows) => void (added.items += await countNew(rows, copyItem)),
    )
  return { ...added, drafts }
}
