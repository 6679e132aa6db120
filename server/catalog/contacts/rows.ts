/** SQL of contacts. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { PaymentTerm } from '../../domain/tax/instalments.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import { checkNif, normalizeNif, writtenTaxNumber } from '../../domain/tax/nif.ts'
import { searchText } from '../../domain/text.ts'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { ContactsTable } from '../../db/schema.ts'
import type { Address } from '../../company/contract.ts'
import type { Contact, Dir3, IdType, InvoiceEnclosure } from './contract.ts'

export type ContactRecord = Selectable<ContactsTable>

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db.selectFrom('contacts').selectAll().where('book_id', '=', p.bookId).where('public_id', '=', p.publicId),
)

const byNif = prepare((db, p: { bookId: number; nif: string }) =>
  db
    .selectFrom('contacts')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('nif', '=', p.nif)
    .where('merged_into', 'is', null)
    .where('blocked_at', 'is', null)
    .orderBy('id')
    .limit(2),
)

const byRow = prepare((db, p: { bookId: number; id: number }) =>
  db.selectFrom('contacts').selectAll().where('book_id', '=', p.bookId).where('id', '=', p.id),
)

/** Returns a contact by its row, or null. */
export async function findContactByRow(ctx: Ctx, id: number): Promise<ContactRecord | null> {
  return (await byRow.first(ctx.db, { bookId: ctx.book.id, id })) ?? null
}

/**
 * Returns a contact of the book by its public identifier, or null. The identifier of a merged contact leads to the
 * one that stayed; a blocked one counts as missing.
 */
export async function findContact(ctx: Ctx, publicId: string): Promise<ContactRecord | null> {
  let row = (await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })) ?? null
  while (row !== null && row.merged_into !== null) row = await findContactByRow(ctx, row.merged_into)
  return row?.blocked_at === null ? row : null
}

/** Returns the contacts with a NIF, oldest first; at most two, which is enough to know whether there is only one. */
export function contactsWithNif(ctx: Ctx, nif: string): Promise<ContactRecord[]> {
  return byNif.all(ctx.db, { bookId: ctx.book.id, nif: normalizeNif(nif) })
}

const byName = prepare((db, p: { bookId: number; nameKey: string }) =>
  db
    .selectFrom('contacts')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('name_key', '=', p.nameKey)
    .where('merged_into', 'is', null)
    .where('blocked_at', 'is', null)
    .orderBy('id'),
)

/**
 * Returns the existing contacts that match new data, oldest first: by NIF, or by name where one of the two has no
 * NIF.
 */
export async function findSameContacts(ctx: Ctx, nif: string | null, name: string): Promise<ContactRecord[]> {
  const number = nif === null ? '' : normalizeNif(nif)
  const rows = number === '' ? [] : await contactsWithNif(ctx, number)
  if (rows.length > 0) return rows
  const named = await byName.all(ctx.db, { bookId: ctx.book.id, nameKey: searchText(name) })
  return named.filter((row) => number === '' || row.nif === null)
}

/** Returns the address of a row; null when it is incomplete. */
export function addressOf(row: ContactRecord): Address | null {
  const { street, postal_code: postalCode, city, province, country } = row
  if (!street || !postalCode || !city) return null
  return { street, postalCode, city, ...(province ? { province } : {}), country }
}

/** Returns the default taxation of operations with a contact; null for an ordinary sale. */
export function vatDefaultOf(
  row: ContactRecord,
): { taxTreatment: TaxTreatment; cause: string | null } | null {
  return row.tax_treatment === null ? null : { taxTreatment: row.tax_treatment, cause: row.cause }
}

/** Returns the offices of a public body, or null. */
export function dir3Of(
  row: Pick<ContactRecord, 'dir3_office' | 'dir3_body' | 'dir3_unit' | 'dir3_proposing'>,
): Dir3 | null {
  const { dir3_office: accountingOffice, dir3_body: managingBody, dir3_unit: processingUnit } = row
  if (!accountingOffice || !managingBody || !processingUnit) return null
  const three = { accountingOffice, managingBody, processingUnit }
  return row.dir3_proposing === null ? three : { ...three, proposingBody: row.dir3_proposing }
}

/** Returns the offices in capitals, as they are stored. */
export function storedDir3({ accountingOffice, managingBody, processingUnit, proposingBody }: Dir3): Dir3 {
  return {
    accountingOffice: accountingOffice.toUpperCase(),
    managingBody: managingBody.toUpperCase(),
    processingUnit: processingUnit.toUpperCase(),
    ...(proposingBody === undefined ? {} : { proposingBody: proposingBody.toUpperCase() }),
  }
}

/** Returns natural or legal: as entered, else by the Spanish NIF. */
export function kindOf(row: Pick<ContactRecord, 'kind' | 'nif' | 'id_type'>): 'natural' | 'legal' | null {
  if (row.kind !== null) return row.kind
  if (row.nif === null || (row.id_type !== null && row.id_type !== '07')) return null
  const { kind } = checkNif(row.nif)
  return kind === null ? null : kind === 'entity' ? 'legal' : 'natural'
}

/** Returns true if the contact acts as a business: as entered; an entity always does. */
export function isBusinessOf(
  row: Pick<ContactRecord, 'is_business' | 'kind' | 'nif' | 'id_type'>,
): boolean | null {
  if (row.is_business !== null) return row.is_business === 1
  return kindOf(row) === 'legal' || row.id_type === '02' ? true : null
}

/** Returns the usual instalments of a contact; null for one due date. */
export function termsOf({ payment_terms: text }: Pick<ContactRecord, 'payment_terms'>): PaymentTerm[] | null {
  return text === null ? null : (JSON.parse(text) as PaymentTerm[])
}

/** Returns what goes along with the PDF of an invoice by mail. */
export function enclosuresOf({
  enclosed_formats: text,
}: Pick<ContactRecord, 'enclosed_formats'>): InvoiceEnclosure[] {
  return text === null ? [] : (JSON.parse(text) as InvoiceEnclosure[])
}

/** Facts that an invoice takes from a contact. */
export interface ContactFacts {
  id: string
  rowId: number
  name: string
  nif: string | null
  idType: IdType | null
  address: Address | null
  country: string
  email: string | null
  phone: string | null
  surcharge: boolean
  withholdingBp: number | null
  paymentDays: number | null
  paymentTerms: PaymentTerm[] | null
  language: DocumentLanguage | null
  tradeName: string | null
  isBusiness: boolean | null
  iban: string | null
  paymentMethod: Contact['paymentMethod']
  vatDefault: { taxTreatment: TaxTreatment; cause: string | null } | null
  dir3: Dir3 | null
}

/** Returns a contact's tax number as documents show it: a foreign one with its punctuation. */
export function shownNif({
  nif,
  nif_written: written,
  id_type: idType,
  country,
}: Pick<ContactRecord, 'nif' | 'nif_written' | 'id_type' | 'country'>): string | null {
  return written === null ? nif : writtenTaxNumber(written, { idType, country })
}

function factsOf(row: ContactRecord): ContactFacts {
  return {
    id: row.public_id,
    rowId: row.id,
    name: row.name,
    nif: shownNif(row),
    idType: row.id_type as IdType | null,
    address: addressOf(row),
    country: row.country,
    email: row.email,
    phone: row.phone,
    surcharge: row.surcharge === 1,
    withholdingBp: row.withholding_bp,
    paymentDays: row.payment_days,
    paymentTerms: termsOf(row),
    language: row.language,
    tradeName: row.trade_name,
    isBusiness: isBusinessOf(row),
    iban: row.iban,
    paymentMethod: row.payment_method as Contact['paymentMethod'],
    vatDefault: vatDefaultOf(row),
    dir3: dir3Of(row),
  }
}

/** Returns the facts that an invoice takes from a contact, or null when the book has no such contact. */
export async function contactFacts(ctx: Ctx, publicId: string): Promise<ContactFacts | null> {
  const row = await findContact(ctx, publicId)
  return row ? factsOf(row) : null
}

/** Returns the only contact with a NIF; null when there is none or more than one. */
export async function findContactByNif(ctx: Ctx, nif: string): Promise<ContactFacts | null> {
  const [row, other] = await contactsWithNif(ctx, nif)
  return row && !other ? factsOf(row) : null
}

const markUsed = prepare((db, p: { id: number; bookId: number; at: number }) =>
  db.updateTable('contacts').set({ used_at: p.at }).where('id', '=', p.id).where('book_id', '=', p.bookId),
)

/**
 * Records that a contact was put on a draft now, for "last used first". This is not a change of the contact: its
 * version stays.
 */
export async function markContactUsed(tx: Ctx, rowId: number): Promise<void> {
  await markUsed.run(tx.db, { id: rowId, bookId: tx.book.id, at: tx.now().getTime() })
}

/** Numbers looked up at a time: a statement takes a limited number of values. */
const NIFS_AT_ONCE = 500

/**
 * Returns the postal codes of the contacts in Spain with these tax numbers, by tax number. Gives others their turn between
 * pieces of the list.
 */
export async function postalCodesByNif(ctx: Ctx, nifs: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let start = 0; start < nifs.length; start += NIFS_AT_ONCE) {
    const rows = await ctx.db
      .selectFrom('contacts')
      .select(['nif', 'postal_code'])
      .where('book_id', '=', ctx.book.id)
      .where('nif', 'in', nifs.slice(start, start + NIFS_AT_ONCE))
      .where('country', '=', 'ES')
      .where('postal_code', 'is not', null)
      .orderBy('id')
      .execute()
    for (const { nif, postal_code } of rows) if (nif && postal_code) found.set(nif, postal_code)
    await nextTurn()
  }
  return found
}
