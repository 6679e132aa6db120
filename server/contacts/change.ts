/** Adding, changing and removing contacts. Issued invoices keep their own copy of the customer's data. */
import { recordAudit } from '../audit/index.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { AppError, validationFailed } from '../core/errors.ts'
import type { Fault } from '../core/errors.ts'
import { basisPointsFromPercent } from '../core/money.ts'
import { searchText, tidyText } from '../core/text.ts'
import { found } from '../ctx.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import { emitEvent } from '../events/index.ts'
import { contactWarnings, countryFromVatNumber, keptTaxNumber } from './check.ts'
import type { IdType } from './contract.ts'
import { contactView } from './list.ts'
import { contactsWithNif, findContact } from './rows.ts'
import type { ContactRecord } from './rows.ts'

type NewContact = ParsedInputOf<'contacts.create'>
type Changes = Omit<ParsedInputOf<'contacts.update'>, 'id' | 'expectedVersion'>

/** What a change may touch. */
type KeptColumns = Omit<
  ContactRecord,
  'id' | 'book_id' | 'public_id' | 'created_at' | 'updated_at' | 'version' | 'used_at'
>

function tidyOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : tidyText(text) || null
}

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

const EMPTY: KeptColumns = {
  name: '',
  nif: null,
  id_type: null,
  street: null,
  postal_code: null,
  city: null,
  province: null,
  country: 'ES',
  email: null,
  phone: null,
  surcharge: 0,
  withholding_bp: null,
  payment_days: null,
  language: null,
  notes: null,
  search: '',
}

/** The columns after a change: a field left out stays, null clears it. */
function changed(before: KeptColumns, input: Changes): KeptColumns {
  const after: KeptColumns = { ...before }
  if (input.name !== undefined) after.name = tidyText(input.name)
  if (input.nif !== undefined) after.nif = keptTaxNumber(tidyOrNull(input.nif))
  if (input.idType !== undefined) after.id_type = input.idType
  if (input.address !== undefined) {
    after.street = tidyOrNull(input.address?.street)
    after.postal_code = tidyOrNull(input.address?.postalCode)
    after.city = tidyOrNull(input.address?.city)
    after.province = tidyOrNull(input.address?.province)
  }
  if (input.address) after.country = input.address.country
  else if (after.street === null)
    after.country = countryFromVatNumber(after.nif, after.id_type as IdType | null)
  if (input.email !== undefined) after.email = tidyOrNull(input.email)
  if (input.phone !== undefined) after.phone = tidyOrNull(input.phone)
  if (input.surcharge !== undefined) after.surcharge = input.surcharge ? 1 : 0
  if (input.withholdingPct !== undefined) after.withholding_bp = exactPercent(input.withholdingPct)
  if (input.paymentDays !== undefined) after.payment_days = input.paymentDays
  if (input.language !== undefined) after.language = input.language
  if (input.notes !== undefined) after.notes = tidyOrNull(input.notes)
  after.search = searchText([after.name, after.nif, after.email].filter(Boolean).join(' '))
  return after
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

async function tell(tx: Ctx, action: string, contact: ContactRecord): Promise<void> {
  await recordAudit(tx, { action, target: { type: 'contact', id: contact.public_id, label: contact.name } })
  await emitEvent(tx, 'contact.changed', { contactId: contact.public_id })
}

/** Adds a contact. What looks wrong is told, not refused. */
export const createContact: UseCase<ParsedInputOf<'contacts.create'>, OutputOf<'contacts.create'>> = (
  ctx,
  input: NewContact,
) =>
  ctx.transaction(async (tx) => {
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
    const row = found(await findContact(tx, publicId))
    await tell(tx, 'contact.created', row)
    return { contact: contactView(row), warnings: await warningsFor(tx, row) }
  })

/** Changes a contact; `expectedVersion` guards against overwriting somebody else's change. */
export const updateContact: UseCase<ParsedInputOf<'contacts.update'>, OutputOf<'contacts.update'>> = (
  ctx,
  input,
) =>
  ctx.transaction(async (tx) => {
    const { id, expectedVersion, ...changes } = input
    const before = found(await findContact(tx, id))
    if (expectedVersion !== undefined && expectedVersion !== before.version)
      throw new AppError('version_conflict', { details: { version: before.version } })
    const {
      id: rowId,
      book_id: _book,
      public_id: _publicId,
      created_at: _created,
      updated_at: _updated,
      version,
      used_at: _used,
      ...kept
    } = before
    await tx.db
      .updateTable('contacts')
      .set({ ...changed(kept, changes), version: version + 1, updated_at: tx.now().getTime() })
      .where('id', '=', rowId)
      .execute()
    const row = found(await findContact(tx, id))
    await tell(tx, 'contact.updated', row)
    return { contact: contactView(row), warnings: await warningsFor(tx, row) }
  })

/** Removes a contact no draft uses. */
export const deleteContact: UseCase<ParsedInputOf<'contacts.delete'>, OutputOf<'contacts.delete'>> = (
  ctx,
  { id },
) =>
  ctx.transaction(async (tx) => {
    const row = found(await findContact(tx, id))
    const { drafts } = await tx.db
      .selectFrom('invoices')
      .select((eb) => eb.fn.countAll<number>().as('drafts'))
      .where('contact_id', '=', row.id)
      .where('state', '=', 'draft')
      .executeTakeFirstOrThrow()
    if (drafts > 0) throw new AppError('contact_in_use', { details: { drafts } })
    await tx.db.deleteFrom('contacts').where('id', '=', row.id).execute()
    await tell(tx, 'contact.deleted', row)
    return { deleted: true }
  })
