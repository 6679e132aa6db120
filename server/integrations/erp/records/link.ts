/** Links external contacts to contacts here: only as a person decides, field by field, never automatically. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { findContact, insertContact, rewriteContact } from '../../../catalog/contacts/index.ts'
import type { ContactRecord } from '../../../catalog/contacts/index.ts'
import type { ContractInput, ContractOutput } from '../../../domain/contract/define-contract.ts'
import type { updateContactContract } from '../../../catalog/contacts/contract.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { findErpContact, linkedTo, neutralContact } from './contacts.ts'
import type { ErpContactRow } from './contacts.ts'
import type { NeutralContact } from '../port.ts'
import { shortened } from '../reading/untrusted-values.ts'
import { LINK_FIELDS } from './link-fields.ts'
import type { linkContactsContract, LinkField } from './contract.ts'

type Item = ContractInput<typeof linkContactsContract>['items'][number]
type Changes = Omit<ContractInput<typeof updateContactContract>, 'id' | 'expectedVersion'>

/** Returns the values to copy from an external contact in the chosen fields. A partial address is skipped. */
function taken(record: NeutralContact, fields: readonly LinkField[]): Changes {
  const wanted = new Set(fields)
  const { address } = record
  const foreign = record.taxIdCountry !== null && record.taxIdCountry !== 'ES'
  return {
    ...(wanted.has('name') ? { name: shortened(record.name, 120) } : {}),
    ...(wanted.has('tradeName') && record.tradeName ? { tradeName: shortened(record.tradeName, 120) } : {}),
    ...(wanted.has('nif') && record.taxId && !foreign ? { nif: record.taxId.slice(0, 20) } : {}),
    ...(wanted.has('email') && record.email && isMail(record.email) ? { email: record.email } : {}),
    ...(wanted.has('phone') && (record.phone ?? record.mobile)
      ? { phone: shortened((record.phone ?? record.mobile)!, 40) }
      : {}),
    ...(wanted.has('iban') && record.iban ? { iban: record.iban } : {}),
    ...(wanted.has('address') && address?.line && address.postalCode && address.city
      ? {
          address: {
            street: address.line,
            postalCode: address.postalCode,
            city: address.city,
            ...(address.province ? { province: address.province } : {}),
            country: address.countryCode ?? 'ES',
          },
        }
      : {}),
  }
}

const isMail = (text: string) => /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 120

/**
 * Runs the work, and repeats it without an account number that fails validation: that is no reason to reject the
 * rest.
 */
async function withoutBadIban<T>(changes: Changes, work: (changes: Changes) => Promise<T>): Promise<T> {
  try {
    return await work(changes)
  } catch (error) {
    if (!(error instanceof AppError) || error.field !== 'iban' || changes.iban === undefined) throw error
    const { iban: _iban, ...rest } = changes
    return work(rest)
  }
}

async function target(ctx: Ctx, row: ErpContactRow, item: Item): Promise<ContactRecord> {
  if (item.contactId !== undefined) {
    const contact = await findContact(ctx, item.contactId)
    if (!contact) throw new AppError('not_found', { field: 'contactId' })
    return contact
  }
  const linked = await linkedTo(ctx, row)
  if (linked) return linked
  const rows =
    row.tax_id === null
      ? []
      : await ctx.db
          .selectFrom('contacts')
          .selectAll()
          .where('book_id', '=', ctx.book.id)
          .where('nif', '=', row.tax_id)
          .where('merged_into', 'is', null)
          .where('blocked_at', 'is', null)
          .limit(2)
          .execute()
  const [only, another] = rows
  if (!only || another) throw new AppError('erp_link_unclear', { details: { candidates: rows.length } })
  return only
}

async function setLink(tx: Ctx, row: ErpContactRow, contact: ContactRecord | null): Promise<void> {
  await tx.db
    .updateTable('erp_contacts')
    .set({ contact_id: contact?.id ?? null, linked_at: contact === null ? null : tx.now().getTime() })
    .where('id', '=', row.id)
    .execute()
}

async function recordLinkChange(tx: Ctx, action: string, contact: ContactRecord): Promise<void> {
  await recordAudit(tx, { action, target: { type: 'contact', id: contact.public_id, label: contact.name } })
  await emitEvent(tx, 'contact.changed', { contactId: contact.public_id })
}

type Output = ContractOutput<typeof linkContactsContract>

async function linkOne(tx: Ctx, item: Item, output: Output): Promise<void> {
  const row = await findErpContact(tx, item.id)
  const record = neutralContact(row)
  if (item.action === 'unlink') {
    const linked = await linkedTo(tx, row)
    await setLink(tx, row, null)
    if (linked) await recordLinkChange(tx, 'erp.contact_unlinked', linked)
    output.unlinked += 1
    return
  }
  if (item.action === 'create') {
    if (await linkedTo(tx, row)) throw new AppError('erp_link_unclear', { details: { reason: 'linked' } })
    const contact = await withoutBadIban(taken(record, LINK_FIELDS), (changes) =>
      insertContact(tx, {
        ...changes,
        name: shortened(record.name, 120),
        roles: {
          // A contact is a customer or a supplier; when unknown, a customer, as everywhere.
          customer: row.is_client === 1 || row.is_supplier === 0,
          supplier: row.is_supplier === 1,
        },
        externalRefs: [shortened(row.external_id, 60)],
      }),
    )
    await setLink(tx, row, contact)
    await recordLinkChange(tx, 'contact.created', contact)
    output.created += 1
    output.done.push({ id: item.id, contactId: contact.public_id, wasCreated: true })
    return
  }
  const contact = await target(tx, row, item)
  await setLink(tx, row, contact)
  output.linked += 1
  const changes = taken(record, item.take ?? [])
  if (Object.keys(changes).length > 0) {
    await withoutBadIban(changes, (kept) => rewriteContact(tx, contact, kept))
    output.changed += 1
  }
  await recordLinkChange(tx, 'erp.contact_linked', contact)
  output.done.push({ id: item.id, contactId: contact.public_id, wasCreated: false })
}

/** Links, creates and unlinks; each item alone, so that one failure does not affect the others. */
export const linkContacts: UseCase<typeof linkContactsContract> = (ctx, { items }) =>
  ctx.transaction(async (tx) => {
    const output: Output = { linked: 0, created: 0, unlinked: 0, changed: 0, failed: [], done: [] }
    for (const item of items) {
      try {
        await linkOne(tx, item, output)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        output.failed.push({ id: item.id, code: error.code, message: error.text.message })
      }
    }
    await emitEvent(tx, 'erp.changed', {})
    return output
  })
