/** Creditor data for direct debits, and the mandates that customers signed. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { softDelete } from '../../../platform/trash/index.ts'
import { findCompany } from '../../../company/index.ts'
import { readIban } from '../../../domain/iban.ts'
import { findContact } from '../../../catalog/contacts/index.ts'
import { addDays, addYears } from '../../../domain/dates.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import type {
  createMandateContract,
  deleteMandateContract,
  getCreditorContract,
  listMandatesContract,
  Mandate,
  saveCreditorContract,
  updateMandateContract,
} from './contract.ts'
import { bankReference, creditorIdOf, readCreditorId } from './sepa-identifiers.ts'

/** A mandate not used for 36 months is void (EPC016-06, 4.1). */
const MANDATE_YEARS = 3

function ibanOrFault(text: string, field = 'iban'): string {
  const iban = readIban(text)
  if (iban === null)
    throw validationFailed([
      {
        code: 'iban_invalid',
        field,
        severity: 'error',
        message: 'That is not an IBAN: its length or check digits are wrong.',
        fix: 'Copy it again from the bank or the mandate.',
      },
    ])
  return iban
}

export { ibanOrFault }

/** Returns the company's creditor data, or null. */
export async function findCreditor(ctx: Ctx) {
  return (
    (await ctx.db
      .selectFrom('debit_creditors')
      .selectAll()
      .where('company_id', '=', ctx.book.companyId)
      .executeTakeFirst()) ?? null
  )
}

/** Returns the company's creditor identifier and account, and proposals for them. */
export const getCreditor: UseCase<typeof getCreditorContract> = async (ctx) => {
  const company = await findCompany(ctx)
  const row = await findCreditor(ctx)
  return {
    creditor: row ? { creditorId: row.creditor_id, name: row.name, iban: row.iban, bic: row.bic } : null,
    proposedId: creditorIdOf(company.nif),
    proposedIban: company.iban,
  }
}

/** Sets the company's creditor identifier and account. */
export const saveCreditor: UseCase<typeof saveCreditorContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const creditorId = readCreditorId(input.creditorId)
    if (creditorId === null)
      throw validationFailed([
        {
          code: 'creditor_id_invalid',
          field: 'creditorId',
          severity: 'error',
          message: 'That is not a creditor identifier: its shape or check digits are wrong.',
          fix: 'It is ES, two check digits, a suffix of three and the NIF; the bank tells the suffix.',
        },
      ])
    const values = {
      creditor_id: creditorId,
      name: input.name ?? (await findCompany(tx)).legal_name,
      iban: ibanOrFault(input.iban),
      bic: input.bic ?? null,
      updated_at: tx.now().getTime(),
    }
    await tx.db
      .insertInto('debit_creditors')
      .values({ company_id: tx.book.companyId, ...values })
      .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
      .execute()
    await recordAudit(tx, { action: 'creditor.saved', target: { type: 'company', id: creditorId } })
    await emitEvent(tx, 'payment.changed', { creditorId })
    return { creditorId, name: values.name, iban: values.iban, bic: values.bic }
  })

function rows(ctx: Ctx) {
  return ctx.db
    .selectFrom('mandates')
    .innerJoin('contacts', 'contacts.id', 'mandates.contact_id')
    .selectAll('mandates')
    .select(['contacts.public_id as contact_public_id', 'contacts.name as contact_name'])
    .where('mandates.book_id', '=', ctx.book.id)
}

export type MandateRow = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

/** Returns the last day on which a mandate can be used. */
function expiryOf(row: { signed_on: string; last_used_on: string | null }): string {
  return addDays(addYears(row.last_used_on ?? row.signed_on, MANDATE_YEARS), -1)
}

function view(row: MandateRow): Mandate {
  return {
    id: row.public_id,
    contactId: row.contact_public_id,
    contactName: row.contact_name,
    reference: row.reference,
    scheme: row.scheme,
    type: row.type,
    signedOn: row.signed_on,
    holder: row.holder,
    iban: row.iban,
    bic: row.bic,
    state: row.state,
    uses: row.uses,
    lastUsedOn: row.last_used_on,
    expiresOn: expiryOf(row),
    createdAt: new Date(row.created_at).toISOString(),
  }
}

async function findMandate(ctx: Ctx, publicId: string): Promise<MandateRow> {
  return orNotFound(await rows(ctx).where('mandates.public_id', '=', publicId).executeTakeFirst())
}

/** Lists the mandates of the book, or of one contact. */
export const listMandates: UseCase<typeof listMandatesContract> = async (ctx, { contactId, state }) => {
  let query = rows(ctx)
  if (contactId !== undefined)
    query = query.where('mandates.contact_id', '=', orNotFound(await findContact(ctx, contactId)).id)
  if (state !== undefined) query = query.where('mandates.state', '=', state)
  const items = await query.orderBy('mandates.signed_on', 'desc').orderBy('mandates.id', 'desc').execute()
  return { items: items.map(view) }
}

async function recordMandateChange(tx: Ctx, action: string, row: MandateRow): Promise<void> {
  await recordAudit(tx, { action, target: { type: 'mandate', id: row.public_id, label: row.reference } })
  await emitEvent(tx, 'payment.changed', { mandateId: row.public_id })
}

async function freeReference(tx: Ctx, wanted: string): Promise<string> {
  for (let turn = 1; ; turn++) {
    const reference = turn === 1 ? wanted : `${wanted.slice(0, 31)}-${turn}`
    const taken = await tx.db
      .selectFrom('mandates')
      .select('id')
      .where('book_id', '=', tx.book.id)
      .where('reference', '=', reference)
      .executeTakeFirst()
    if (!taken) return reference
  }
}

/** Adds a mandate. */
export const createMandate: UseCase<typeof createMandateContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const contact = orNotFound(await findContact(tx, input.contactId))
    if (input.signedOn > tx.today())
      throw validationFailed([
        {
          code: 'date_in_future',
          field: 'signedOn',
          severity: 'error',
          message: 'It cannot be signed in the future.',
        },
      ])
    const wanted =
      input.reference?.trim() ??
      bankReference(
        `${contact.nif ?? contact.public_id.slice(-8).toUpperCase()}-${input.signedOn.replaceAll('-', '')}`,
      )
    const reference = await freeReference(tx, wanted)
    if (input.reference !== undefined && reference !== wanted)
      throw new AppError('mandate_reference_taken', { field: 'reference' })
    const publicId = tx.newId('man')
    await tx.db
      .insertInto('mandates')
      .values({
        book_id: tx.book.id,
        public_id: publicId,
        contact_id: contact.id,
        reference,
        scheme: input.scheme ?? 'CORE',
        type: input.type ?? 'recurrent',
        signed_on: input.signedOn,
        holder: input.holder?.trim() ?? contact.name.slice(0, 70),
        iban: ibanOrFault(input.iban),
        bic: input.bic ?? null,
        state: 'active',
        created_at: tx.now().getTime(),
      })
      .execute()
    const row = await findMandate(tx, publicId)
    await recordMandateChange(tx, 'mandate.created', row)
    return view(row)
  })

/** Changes a mandate. */
export const updateMandate: UseCase<typeof updateMandateContract> = (ctx, { id, ...changes }) =>
  ctx.transaction(async (tx) => {
    const before = await findMandate(tx, id)
    await tx.db
      .updateTable('mandates')
      .set({
        state: changes.state ?? before.state,
        holder: changes.holder?.trim() ?? before.holder,
        scheme: changes.scheme ?? before.scheme,
        type: changes.type ?? before.type,
        iban: changes.iban === undefined ? before.iban : ibanOrFault(changes.iban),
        bic: changes.bic === undefined ? before.bic : changes.bic,
      })
      .where('id', '=', before.id)
      .execute()
    const row = await findMandate(tx, id)
    await recordMandateChange(tx, 'mandate.updated', row)
    return view(row)
  })

/** Removes a mandate that no debit has used. */
export const deleteMandate: UseCase<typeof deleteMandateContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await findMandate(tx, id)
    const used = await tx.db
      .selectFrom('remittance_items')
      .select('position')
      .where('mandate_id', '=', row.id)
      .limit(1)
      .executeTakeFirst()
    if (used) throw new AppError('mandate_in_use', { details: { uses: row.uses } })
    await softDelete(tx, {
      rows: [{ table: 'mandates', id: row.id }],
      action: 'mandate.restored',
      target: { type: 'mandate', id: row.public_id, label: row.reference },
      event: { type: 'payment.changed', data: { mandateId: row.public_id } },
    })
    await recordMandateChange(tx, 'mandate.deleted', row)
    return { deleted: true }
  })

/** Returns the mandate of each contact for collection: the one in force that was signed last. */
export async function mandatesInForce(
  ctx: Ctx,
  scheme: 'CORE' | 'B2B',
  contactIds: readonly number[],
): Promise<Map<number, MandateRow>> {
  if (contactIds.length === 0) return new Map()
  const today = ctx.today()
  const all = await rows(ctx)
    .where('mandates.contact_id', 'in', contactIds)
    .where('mandates.state', '=', 'active')
    .where('mandates.scheme', '=', scheme)
    .orderBy('mandates.signed_on')
    .orderBy('mandates.id')
    .execute()
  return new Map(
    all
      .filter((row) => expiryOf(row) >= today && !(row.type === 'one_off' && row.uses > 0))
      .map((row) => [row.contact_id, row]),
  )
}

/**
 * Returns the direct debit data printed on an invoice: the contact's mandate in force and the creditor; null without
 * a mandate.
 */
export async function debitFactsOf(
  ctx: Ctx,
  contactId: number,
): Promise<{ mandate: string; creditorId: string; payerIban: string | null } | null> {
  const creditor = await findCreditor(ctx)
  if (creditor === null) return null
  for (const scheme of ['CORE', 'B2B'] as const) {
    const mandate = (await mandatesInForce(ctx, scheme, [contactId])).get(contactId)
    if (mandate)
      return { mandate: mandate.reference, creditorId: creditor.creditor_id, payerIban: mandate.iban }
  }
  return null
}
