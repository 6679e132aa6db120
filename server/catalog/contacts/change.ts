/** Adds, changes and removes contacts. Issued invoices keep their own copy of the customer's data. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import { softDelete } from '../../platform/trash/index.ts'
import { readIban } from '../../domain/iban.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { areTerms } from '../../domain/tax/instalments.ts'
import type { PaymentTerm } from '../../domain/tax/instalments.ts'
import { storedMetadata } from '../../domain/contract/metadata.ts'
import { basisPointsFromPercent } from '../../domain/money.ts'
import { searchText, trimmedOrNull, normalizeText } from '../../domain/text.ts'
import { assertVersion } from '../../domain/contract/version-guard.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { contactWarnings, countryFromVatNumber, normalizedTaxNumber } from './check.ts'
import type {
  Contact,
  createContactContract,
  deleteContactContract,
  IdType,
  updateContactContract,
} from './contract.ts'
import { contactView, contactWithExternalRef } from './list.ts'
import { contactsWithNif, findContact } from './rows.ts'
import type { ContactRecord } from './rows.ts'

type NewContact = ContractInput<typeof createContactContract>
type Changes = Omit<ContractInput<typeof updateContactContract>, 'id' | 'expectedVersion'>

/** Columns that a change may set. */
type StoredColumns = Omit<
  ContactRecord,
  | 'id'
  | 'book_id'
  | 'public_id'
  | 'created_at'
  | 'updated_at'
  | 'version'
  | 'used_at'
  | 'merged_into'
  | 'blocked_at'
  | 'keep_until'
>

function exactPercent(percent: number | null): number | null {
  if (percent === null) return null
  const basisPoints = basisPointsFromPercent(percent)
  if (basisPoints === null)
    throw validationFailed([
      {
        code: 'too_many_decimals',
        field: 'withholdingPct',
        severity: 'error',
        message: 'A rate has at most two decimals.',
      },
    ])
  return basisPoints
}

const EMPTY: StoredColumns = {
  name: '',
  trade_name: null,
  nif: null,
  nif_written: null,
  id_type: null,
  kind: null,
  is_business: null,
  is_customer: 1,
  is_supplier: 0,
  street: null,
  postal_code: null,
  city: null,
  province: null,
  country: 'ES',
  email: null,
  phone: null,
  iban: null,
  payment_method: null,
  tax_treatment: null,
  cause: null,
  dir3_office: null,
  dir3_body: null,
  dir3_unit: null,
  dir3_proposing: null,
  tags: '[]',
  external_refs: '[]',
  metadata: '{}',
  surcharge: 0,
  reminders_off: 0,
  enclosed_formats: null,
  withholding_bp: null,
  payment_days: null,
  payment_terms: null,
  language: null,
  notes: null,
  search: '',
  name_key: '',
}

/** Returns payment terms as they are stored. Throws `validation_failed` for terms that do not divide an invoice. */
export function exactTerms(
  given: readonly { days: number; percent?: number | undefined }[],
  field: string,
): PaymentTerm[] {
  const terms = given.map(({ days, percent }) => ({
    days,
    percentBp: percent === undefined ? null : exactPercent(percent),
  }))
  if (areTerms(terms)) return terms
  throw validationFailed([
    {
      code: 'payment_terms_invalid',
      field,
      severity: 'error',
      message: 'These payment terms do not divide an invoice.',
      fix: 'Days must follow each other, and percentages add up to 100; leave out that of the last one, or all of them for equal parts.',
    },
  ])
}

const storedTerms = (given: Changes['paymentTerms']): string | null =>
  given ? JSON.stringify(exactTerms(given, 'paymentTerms')) : null

function checkedIban(text: string | null): string | null {
  if (text === null) return null
  const iban = readIban(text)
  if (iban === null)
    throw validationFailed([
      {
        code: 'iban_invalid',
        field: 'iban',
        severity: 'error',
        message: 'That is no IBAN: its digits do not check.',
        fix: 'Copy it again from the bank or leave it out.',
      },
    ])
  return iban
}

/** Returns words in their order, without repetitions that differ only in case. */
function distinct(words: readonly string[]): string[] {
  const byFold = new Map<string, string>()
  for (const word of words) {
    const normalized = normalizeText(word)
    if (!byFold.has(searchText(normalized))) byFold.set(searchText(normalized), normalized)
  }
  return [...byFold.values()]
}

function flag(value: boolean | null): number | null {
  return value === null ? null : value ? 1 : 0
}

/** Returns the columns for search (names, identifier, mail and telephone), and the normalized name for comparison. */
export function foldedColumns(
  row: Pick<ContactRecord, 'name' | 'trade_name' | 'nif' | 'email' | 'phone'>,
): Pick<ContactRecord, 'search' | 'name_key'> {
  return {
    search: searchText([row.name, row.trade_name, row.nif, row.email, row.phone].filter(Boolean).join(' ')),
    name_key: searchText(row.name),
  }
}

/** Returns the columns after a change: an omitted field stays, null clears it. */
function changed(before: StoredColumns, input: Changes): StoredColumns {
  const after: StoredColumns = { ...before }
  if (input.name !== undefined) after.name = normalizeText(input.name)
  if (input.nif !== undefined) {
    const given = trimmedOrNull(input.nif)
    after.nif = normalizedTaxNumber(given)
    // Stored whatever the kind of identification is now: the kind may be set later.
    after.nif_written = given?.toUpperCase() ?? null
    if (after.nif_written === after.nif) after.nif_written = null
  }
  if (input.idType !== undefined) after.id_type = input.idType
  if (input.address !== undefined) {
    after.street = trimmedOrNull(input.address?.street)
    after.postal_code = trimmedOrNull(input.address?.postalCode)
    after.city = trimmedOrNull(input.address?.city)
    after.province = trimmedOrNull(input.address?.province)
  }
  if (input.address) after.country = input.address.country
  else if (after.street === null)
    after.country = countryFromVatNumber(after.nif, after.id_type as IdType | null)
  if (input.tradeName !== undefined) after.trade_name = trimmedOrNull(input.tradeName)
  if (input.kind !== undefined) after.kind = input.kind
  if (input.isBusiness !== undefined) after.is_business = flag(input.isBusiness)
  if (input.roles !== undefined) {
    after.is_customer = input.roles.customer ? 1 : 0
    after.is_supplier = input.roles.supplier ? 1 : 0
  }
  if (input.iban !== undefined) after.iban = checkedIban(trimmedOrNull(input.iban))
  if (input.paymentMethod !== undefined) after.payment_method = input.paymentMethod
  if (input.vatDefault !== undefined) {
    after.tax_treatment = input.vatDefault?.taxTreatment ?? null
    after.cause = input.vatDefault?.cause ?? null
  }
  if (input.dir3 !== undefined) {
    after.dir3_office = input.dir3?.accountingOffice.toUpperCase() ?? null
    after.dir3_body = input.dir3?.managingBody.toUpperCase() ?? null
    after.dir3_unit = input.dir3?.processingUnit.toUpperCase() ?? null
    after.dir3_proposing = input.dir3?.proposingBody?.toUpperCase() ?? null
  }
  if (input.tags !== undefined) after.tags = JSON.stringify(distinct(input.tags))
  if (input.externalRefs !== undefined) after.external_refs = JSON.stringify(distinct(input.externalRefs))
  if (input.metadata !== undefined) after.metadata = storedMetadata(input.metadata)
  if (input.email !== undefined) after.email = trimmedOrNull(input.email)
  if (input.phone !== undefined) after.phone = trimmedOrNull(input.phone)
  if (input.surcharge !== undefined) after.surcharge = input.surcharge ? 1 : 0
  if (input.remindersOff !== undefined) after.reminders_off = input.remindersOff ? 1 : 0
  if (input.invoiceEnclosures !== undefined)
    after.enclosed_formats =
      input.invoiceEnclosures.length > 0 ? JSON.stringify(distinct(input.invoiceEnclosures)) : null
  if (input.withholdingPct !== undefined) after.withholding_bp = exactPercent(input.withholdingPct)
  if (input.paymentDays !== undefined) after.payment_days = input.paymentDays
  if (input.paymentTerms !== undefined) after.payment_terms = storedTerms(input.paymentTerms)
  if (input.language !== undefined) after.language = input.language
  if (input.notes !== undefined) after.notes = trimmedOrNull(input.notes)
  return { ...after, ...foldedColumns(after) }
}

async function warningsFor(tx: Ctx, contact: ContactRecord): Promise<Fault[]> {
  const warnings = contactWarnings({
    nif: contact.nif,
    idType: contact.id_type as IdType | null,
    country: contact.country,
  })
  if (contact.nif === null) return warnings
  const twin = (await contactsWithNif(tx, contact.nif)).find((row) => row.id !== contact.id)
  if (twin)
    warnings.push({
      code: 'nif_repeated',
      field: 'nif',
      severity: 'warning',
      message: 'Another contact has the same NIF.',
      fix: 'Keep one of them.',
      params: { contactId: twin.public_id, name: twin.name },
    })
  return warnings
}

/**
 * Returns the warnings about a reference that another contact already has. Throws `external_ref_taken` where it must
 * be unique.
 */
async function referenceWarnings(
  tx: Ctx,
  row: ContactRecord,
  { externalRefs, uniqueExternalRef }: Changes,
): Promise<Fault[]> {
  if (externalRefs === undefined) return []
  const twin = await contactWithExternalRef(tx, JSON.parse(row.external_refs) as string[], row.id)
  if (!twin) return []
  const params = { contactId: twin.public_id, name: twin.name }
  if (uniqueExternalRef === true)
    throw new AppError('external_ref_taken', { field: 'externalRefs', details: params })
  return [
    {
      code: 'external_ref_taken',
      field: 'externalRefs',
      severity: 'warning',
      message: 'Another contact has that reference.',
      fix: 'Give each its own, or keep one of them.',
      params,
    },
  ]
}

/** Records a change in the history and emits its event. */
export async function recordContactChange(tx: Ctx, action: string, contact: ContactRecord): Promise<void> {
  await recordAudit(tx, { action, target: { type: 'contact', id: contact.public_id, label: contact.name } })
  await emitEvent(tx, 'contact.changed', { contactId: contact.public_id })
}

/** Inserts a contact without a history entry: for operations that add many at once and record them as one. */
export async function insertContact(tx: Ctx, input: NewContact): Promise<ContactRecord> {
  const now = tx.now().getTime()
  const publicId = tx.newId('con')
  await tx.db
    .insertInto('contacts')
    .values({
      ...changed(EMPTY, input),
      book_id: tx.book.id,
      public_id: publicId,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return orNotFound(await findContact(tx, publicId))
}

/** Returns the warnings about a new contact. Throws `validation_failed` for invalid data. Writes nothing. */
export function checkContact(input: NewContact): Fault[] {
  const columns = changed(EMPTY, input)
  return contactWarnings({
    nif: columns.nif,
    idType: columns.id_type as IdType | null,
    country: columns.country,
  })
}

/**
 * Returns a contact as a change would leave it, with its warnings. Throws `not_found`, and `validation_failed` for
 * invalid data. Writes nothing.
 */
export async function examineChange(
  ctx: Ctx,
  id: string,
  changes: Changes,
): Promise<{ before: Contact; after: Contact; warnings: Fault[] }> {
  const row = orNotFound(await findContact(ctx, id))
  const after: ContactRecord = { ...row, ...changed(row, changes) }
  return { before: contactView(row), after: contactView(after), warnings: await warningsFor(ctx, after) }
}

/** Restores the columns of an earlier state; the version increases, because this is a change. */
export async function restoreContact(tx: Ctx, row: ContactRecord, before: ContactRecord): Promise<void> {
  const {
    id: _id,
    book_id: _book,
    public_id: _publicId,
    created_at: _created,
    updated_at: _updated,
    version: _version,
    used_at: _used,
    merged_into: _merged,
    ...columns
  } = before
  await tx.db
    .updateTable('contacts')
    .set({ ...columns, version: row.version + 1, updated_at: tx.now().getTime() })
    .where('id', '=', row.id)
    .execute()
}

/** Deletes the row of a contact without references. */
export async function removeContact(tx: Ctx, rowId: number): Promise<void> {
  await tx.db.deleteFrom('contacts').where('id', '=', rowId).execute()
}

/** Writes a changed contact without a history entry. */
export async function rewriteContact(
  tx: Ctx,
  before: ContactRecord,
  changes: Changes,
): Promise<ContactRecord> {
  const {
    id: rowId,
    book_id: _book,
    public_id: publicId,
    created_at: _created,
    updated_at: _updated,
    version,
    used_at: _used,
    merged_into: _merged,
    ...kept
  } = before
  await tx.db
    .updateTable('contacts')
    .set({ ...changed(kept, changes), version: version + 1, updated_at: tx.now().getTime() })
    .where('id', '=', rowId)
    .execute()
  return orNotFound(await findContact(tx, publicId))
}

/** Adds a contact. Suspicious data cause warnings, not errors; only an IBAN must be valid. */
export const createContact: UseCase<typeof createContactContract> = (ctx, input: NewContact) =>
  ctx.transaction(async (tx) => {
    const row = await insertContact(tx, input)
    const warnings = [...(await warningsFor(tx, row)), ...(await referenceWarnings(tx, row, input))]
    await recordContactChange(tx, 'contact.created', row)
    return { ...contactView(row), warnings }
  })

/** Changes a contact; `expectedVersion` prevents overwriting another change. */
export const updateContact: UseCase<typeof updateContactContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { id, expectedVersion, ...changes } = input
    const before = orNotFound(await findContact(tx, id))
    if (expectedVersion !== undefined && expectedVersion !== before.version)
      throw new AppError('version_conflict', { details: { version: before.version } })
    const row = await rewriteContact(tx, before, changes)
    const warnings = [...(await warningsFor(tx, row)), ...(await referenceWarnings(tx, row, changes))]
    await recordContactChange(tx, 'contact.updated', row)
    return { ...contactView(row), warnings }
  })

/**
 * Returns the references that block the deletion of a contact: drafts, direct debit mandates, and received invoices
 * that can no longer change.
 */
async function usesOf(ctx: Ctx, rowId: number): Promise<{ drafts: number; mandates: number }> {
  const count = async (query: RawBuilder<{ count: number }>) =>
    (await query.execute(ctx.db)).rows[0]?.count ?? 0
  return {
    drafts: await count(
      sql`select count(*) as count from invoices where contact_id = ${rowId} and state = 'draft'`,
    ),
    mandates: await count(sql`select count(*) as count from mandates where contact_id = ${rowId}`),
  }
}

/** Returns true if nothing refers to a contact: an import may then undo it. */
export async function isContactUnused(ctx: Ctx, rowId: number): Promise<boolean> {
  const { rows } = await sql<{ used: number }>`select (
    exists (select 1 from invoices where contact_id = ${rowId})
    or exists (select 1 from quotes where contact_id = ${rowId})
    or exists (select 1 from received_invoices where contact_id = ${rowId})
    or exists (select 1 from payments where contact_id = ${rowId})
    or exists (select 1 from journal_lines where contact_id = ${rowId})
    or exists (select 1 from recurrences where contact_id = ${rowId})
    or exists (select 1 from contacts where merged_into = ${rowId})
    or exists (select 1 from mandates where contact_id = ${rowId})) as used`.execute(ctx.db)
  return rows[0]?.used === 0
}

/** Removes a contact that nothing needs any more. */
export const deleteContact: UseCase<typeof deleteContactContract> = (ctx, { id, expectedVersion }) =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(await findContact(tx, id))
    assertVersion(expectedVersion, row.version)
    // Its merged duplicates are removed with it: their references have moved already.
    const rowIds = [row.id]
    for (const id of rowIds) {
      const second = await tx.db.selectFrom('contacts').select('id').where('merged_into', '=', id).execute()
      rowIds.push(...second.map((each) => each.id))
    }
    for (const id of rowIds.toReversed()) {
      const uses = await usesOf(tx, id)
      if (Object.values(uses).some((count) => count > 0))
        throw new AppError('contact_in_use', { details: uses })
    }
    await softDelete(tx, {
      rows: rowIds.toReversed().map((id) => ({ table: 'contacts', id })),
      action: 'contact.restored',
      target: { type: 'contact', id: row.public_id, label: row.name },
      event: { type: 'contact.changed', data: { contactId: row.public_id } },
    })
    await recordContactChange(tx, 'contact.deleted', row)
    return { deleted: true }
  })
