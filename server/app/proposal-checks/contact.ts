/** Corrects a customer's data, by the contacts' own checks; accepting writes it as a change that can be undone. */
import { examineChange, findContactByRow, updateContact } from '../../catalog/contacts/index.ts'
import type { Ctx } from '../../context.ts'
import type {
  ActionRequestOf,
  Assessment,
  ContactChanges,
  Outcome,
  ProposedChange,
} from '../approvals/index.ts'
import { resolveInvoice } from '../../sales/invoices/index.ts'
import { emptyAssessment, point, splitFaults, runCheck } from './points.ts'

type Contact = Awaited<ReturnType<typeof examineChange>>['before']

/** Faults that the correction must not introduce. */
const SPOILS: ReadonlySet<string> = new Set(['nif_invalid', 'id_type_missing'])

async function contactIdOf(ctx: Ctx, target: string): Promise<string | null> {
  if (target.startsWith('con_')) return target
  const { contact_id: rowId } = await resolveInvoice(ctx, target)
  const row = rowId === null ? null : await findContactByRow(ctx, rowId)
  return row?.public_id ?? null
}

const PLAIN = ['name', 'tradeName', 'nif', 'idType', 'email', 'phone', 'language', 'paymentDays'] as const
const OF_ADDRESS = ['street', 'postalCode', 'city', 'province', 'country'] as const

/** Returns the changes field by field, as shown to the person. */
function changesOf(before: Contact, after: Contact): ProposedChange[] {
  const all = [
    ...PLAIN.map((field) => ({ field: field as string, from: before[field], to: after[field] })),
    ...OF_ADDRESS.map((field) => ({
      field: `address.${field}`,
      from: before.address?.[field] ?? null,
      to: after.address?.[field] ?? null,
    })),
  ]
  return all.filter(({ from, to }) => from !== to)
}

/** Returns the current values of the fields that a change touches. */
function backOf(before: Contact, changes: ContactChanges): ContactChanges {
  return Object.fromEntries(
    (Object.keys(changes) as (keyof ContactChanges)[]).map((field) => [field, before[field]]),
  )
}

export async function checkContactFix(
  ctx: Ctx,
  asked: ActionRequestOf<'fix_client_data'>,
): Promise<Assessment> {
  const outline = emptyAssessment(asked, "Correct the customer's data")
  if (asked.targetId === null)
    return {
      ...outline,
      blockers: [point('contact_missing', 'Name the contact, or an invoice of it, in targetId.')],
    }
  const id = await contactIdOf(ctx, asked.targetId)
  if (id === null)
    return { ...outline, blockers: [point('contact_unlinked', 'The invoice is of no contact that is kept.')] }
  const { params } = asked
  const outcome = await runCheck(() => examineChange(ctx, id, params))
  const pinned = { ...outline, asked: { ...asked, targetId: id } }
  if ('blockers' in outcome) return { ...pinned, ...outcome }
  const { before, after, warnings } = outcome.answer
  const changes = changesOf(before, after)
  const { name } = before
  const judged = {
    ...pinned,
    title: `Correct the data of ${name}`,
    contact: { id: before.id, name },
    facts: Object.fromEntries(changes.map(({ field, from }) => [field, from])),
    changes,
  }
  if (changes.length === 0)
    return {
      ...judged,
      blockers: [
        point('nothing_to_change', 'The contact says so already; put the fields to change in params.'),
      ],
    }
  return {
    ...judged,
    ...splitFaults(
      warnings.map((each) => (SPOILS.has(each.code) ? { ...each, severity: 'error' as const } : each)),
    ),
    effects: [
      point('contact_changed', `${changes.length} fields of the contact change.`, { count: changes.length }),
      point('contact_issued_stay', 'Issued invoices keep the data they were issued with.'),
    ],
  }
}

/** Writes the change on behalf of the person who accepted it. */
export async function acceptFix(
  tx: Ctx,
  { targetId, params }: ActionRequestOf<'fix_client_data'>,
): Promise<Outcome> {
  const id = targetId ?? ''
  const { before } = await examineChange(tx, id, params)
  const contact = await updateContact(tx, { ...params, id, expectedVersion: before.version })
  return { step: 'contact', contactId: contact.id, version: contact.version, before: backOf(before, params) }
}
