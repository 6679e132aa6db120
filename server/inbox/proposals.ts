/** Proposals: what an assistant suggests and a person decides. Nothing here executes anything. */
import { recordAudit } from '../audit/index.ts'
import { emitEvent } from '../events/index.ts'
import { AppError } from '../core/errors.ts'
import { eurosFromCents } from '../core/money.ts'
import { tidyText } from '../core/text.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { found } from '../ctx.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import type { InboxItem, Proposal, ProposedAction } from './contract.ts'

const LIFE_MS = 7 * 24 * 3_600_000
const MAX_WAITING = 20

/** What a proposal may be about, as the inbox needs to know it. */
export interface ProposalTarget {
  id: string
  number: string | null
  state: 'draft' | 'issued'
  clientName: string
  baseCents: number
  taxCents: number
  totalCents: number
  registryStatus: string
}

interface Assessment {
  title: string
  effects: string[]
  blockers: string[]
  reversible: boolean
  alternatives: { action: ProposedAction; why: string }[]
}

const NEEDS_INVOICE: readonly ProposedAction[] = [
  'issue_invoice',
  'correct_invoice',
  'cancel_registration',
  'retry_rejected',
  'send_invoice_copy',
]

function nameOf(target: ProposalTarget): string {
  return target.number ?? `the draft for ${target.clientName}`
}

/** What the action would do, and what stands in its way, by the real state of its target. */
function assess(action: ProposedAction, target: ProposalTarget | null, isErpConnected: boolean): Assessment {
  const name = target ? nameOf(target) : ''
  const blockers: string[] = []
  const alternatives: Assessment['alternatives'] = []
  if (NEEDS_INVOICE.includes(action) && !target)
    blockers.push('The action is about an invoice: name it in targetId.')
  switch (action) {
    case 'issue_invoice':
      if (target?.state === 'issued') {
        blockers.push(`${name} is issued already.`)
        alternatives.push({
          action: 'correct_invoice',
          why: 'An issued invoice is changed by a rectifying one.',
        })
      }
      return {
        title: `Issue ${name}`,
        effects: ['The draft gets its number and its registry record.', 'It is sent to the tax authority.'],
        blockers,
        reversible: false,
        alternatives,
      }
    case 'correct_invoice':
      if (target?.state === 'draft') {
        blockers.push(`${name} is not issued: a draft is simply edited.`)
        alternatives.push({ action: 'issue_invoice', why: 'Edit the draft and issue it.' })
      }
      return {
        title: `Correct ${name}`,
        effects: ['A rectifying invoice is drafted; the original stays as it is.'],
        blockers,
        reversible: true,
        alternatives,
      }
    case 'cancel_registration':
      if (target?.state === 'draft') blockers.push(`${name} has no registration.`)
      if (target)
        alternatives.push({
          action: 'correct_invoice',
          why: 'Cancel only what should never have existed; errors are corrected by a rectifying invoice.',
        })
      return {
        title: `Cancel the registration of ${name}`,
        effects: ['A cancellation record is added to the chain.', 'The number cannot be used again.'],
        blockers,
        reversible: false,
        alternatives,
      }
    case 'retry_rejected':
      if (target && target.registryStatus !== 'rejected') blockers.push(`${name} was not rejected.`)
      return {
        title: `Send ${name} again, corrected`,
        effects: ['A new record with the corrected data is added to the chain.'],
        blockers,
        reversible: false,
        alternatives,
      }
    case 'send_invoice_copy':
      if (target?.state === 'draft') {
        blockers.push(`${name} is a draft.`)
        alternatives.push({ action: 'issue_invoice', why: 'Only issued invoices are sent to customers.' })
      }
      return {
        title: `Send a copy of ${name}`,
        effects: ['The customer gets the PDF.'],
        blockers,
        reversible: false,
        alternatives,
      }
    case 'sync_erp':
      if (!isErpConnected) blockers.push('No accounting system is connected.')
      return {
        title: 'Read the accounting system',
        effects: ['Contacts, invoices and the catalogue are read; nothing is written there.'],
        blockers,
        reversible: true,
        alternatives,
      }
    case 'renew_certificate':
      return {
        title: 'Renew the certificate',
        effects: ['The owner imports a new certificate.'],
        blockers,
        reversible: true,
        alternatives,
      }
    case 'prepare_return':
      return {
        title: 'Prepare the tax return',
        effects: ['The figures of the period are put together; nothing is filed.'],
        blockers,
        reversible: true,
        alternatives,
      }
    case 'fix_client_data':
      return {
        title: "Correct the customer's data",
        effects: ['The owner reviews the contact.'],
        blockers,
        reversible: true,
        alternatives,
      }
  }
}

async function waitingOf(ctx: Ctx, keyRowId: number): Promise<number> {
  const row = await ctx.db
    .selectFrom('proposals')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', ctx.book.id)
    .where('key_id', '=', keyRowId)
    .where('status', '=', 'pending_user')
    .where('expires_at', '>', ctx.now().getTime())
    .executeTakeFirstOrThrow()
  return row.count
}

/** Finds the invoice a proposal is about; injected, because the inbox knows nothing of invoices. */
export type FindTarget = (ctx: Ctx, idOrNumber: string) => Promise<ProposalTarget>

/** Whether an accounting system could be read; injected for the same reason. */
export type IsErpConnected = (ctx: Ctx) => Promise<boolean>

/** Keeps a proposal for a person to decide. */
export function proposeAction(
  findTarget: FindTarget,
  isErpConnected: IsErpConnected,
): UseCase<ParsedInputOf<'inbox.propose'>, OutputOf<'inbox.propose'>> {
  return (ctx, input) =>
    ctx.transaction(async (tx) => {
      const keyRowId = tx.actor.kind === 'key' ? tx.actor.rowId : null
      if (keyRowId !== null && (await waitingOf(tx, keyRowId)) >= MAX_WAITING)
        throw new AppError('proposals_full', { retryAfterSeconds: 3600 })
      const target = input.targetId === undefined ? null : await findTarget(tx, input.targetId)
      const assessment = assess(input.action, target, await isErpConnected(tx))
      const id = tx.newId('prop')
      const now = tx.now().getTime()
      const proposal: Proposal = {
        proposalId: id,
        status: assessment.blockers.length > 0 ? 'not_applicable' : 'pending_user',
        action: input.action,
        ...(target ? { targetId: target.id } : {}),
        ...assessment,
        ...(target
          ? {
              estimatedImpact: {
                base: eurosFromCents(target.baseCents),
                tax: eurosFromCents(target.taxCents),
              },
            }
          : {}),
        expiresAt: new Date(now + LIFE_MS).toISOString(),
        openInApp: `sello://inbox/${id}`,
      }
      const { status, proposalId: _id, ...body } = proposal
      await tx.db
        .insertInto('proposals')
        .values({
          book_id: tx.book.id,
          public_id: id,
          key_id: keyRowId,
          status,
          action: input.action,
          target_id: target?.id ?? null,
          reason: tidyText(input.reason),
          body: JSON.stringify({ ...body, period: input.period, invoice: target ? invoiceOf(target) : null }),
          created_at: now,
          expires_at: now + LIFE_MS,
          decided_at: null,
          decision_note: null,
        })
        .execute()
      await recordAudit(tx, {
        action: 'proposal.created',
        target: { type: 'proposal', id, label: input.action },
      })
      await emitEvent(tx, 'proposal.created', { proposalId: id })
      return proposal
    })
}

function invoiceOf(target: ProposalTarget): NonNullable<InboxItem['invoice']> {
  return {
    id: target.id,
    number: target.number,
    clientName: target.clientName,
    total: eurosFromCents(target.totalCents),
  }
}

function items(ctx: Ctx) {
  return ctx.db
    .selectFrom('proposals')
    .leftJoin('api_keys', 'api_keys.id', 'proposals.key_id')
    .selectAll('proposals')
    .select([
      'api_keys.public_id as key_public_id',
      'api_keys.name as key_name',
      'api_keys.prefix as key_prefix',
    ])
    .where('proposals.book_id', '=', ctx.book.id)
}

type ItemRow = Awaited<ReturnType<ReturnType<typeof items>['execute']>>[number]
type StoredBody = Omit<Proposal, 'status' | 'proposalId'> & {
  invoice: InboxItem['invoice']
  period?: unknown
}

function itemView(row: ItemRow, nowMs: number): InboxItem {
  const { invoice, period: _period, ...body } = JSON.parse(row.body) as StoredBody
  const expired = row.status === 'pending_user' && row.expires_at <= nowMs
  return {
    ...body,
    proposalId: row.public_id,
    status: expired ? 'expired' : row.status,
    reason: row.reason,
    createdAt: new Date(row.created_at).toISOString(),
    decidedAt: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
    decisionNote: row.decision_note,
    key:
      row.key_public_id && row.key_name && row.key_prefix
        ? { id: row.key_public_id, name: row.key_name, prefix: row.key_prefix }
        : null,
    invoice,
  }
}

const DEFAULT_LIMIT = 50

/** What waits, oldest first, and what was decided or ran out, newest first. */
export const listInbox: UseCase<ParsedInputOf<'inbox.list'>, OutputOf<'inbox.list'>> = async (ctx, input) => {
  const now = ctx.now().getTime()
  const limit = input.limit ?? DEFAULT_LIMIT
  const waiting = await items(ctx)
    .where('proposals.status', '=', 'pending_user')
    .where('proposals.expires_at', '>', now)
    .orderBy('proposals.id')
    .limit(limit)
    .execute()
  const decided = await items(ctx)
    .where((where) =>
      where.or([where('proposals.status', '<>', 'pending_user'), where('proposals.expires_at', '<=', now)]),
    )
    .orderBy('proposals.id', 'desc')
    .limit(limit)
    .execute()
  return {
    waiting: waiting.map((row) => itemView(row, now)),
    decided: decided.map((row) => itemView(row, now)),
  }
}

/** A person's decision. Accepting only says so: what follows is done by the person, in the app. */
export const decideInbox: UseCase<ParsedInputOf<'inbox.decide'>, OutputOf<'inbox.decide'>> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    const { numUpdatedRows } = await tx.db
      .updateTable('proposals')
      .set({
        status: input.decision === 'accept' ? 'accepted' : 'rejected',
        decided_at: now,
        decision_note: input.note ? tidyText(input.note) : null,
      })
      .where('book_id', '=', tx.book.id)
      .where('public_id', '=', input.id)
      .where('status', '=', 'pending_user')
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) !== 1) throw new AppError('not_found')
    await recordAudit(tx, {
      action: `proposal.${input.decision === 'accept' ? 'accepted' : 'rejected'}`,
      target: { type: 'proposal', id: input.id },
    })
    await emitEvent(tx, 'proposal.decided', { proposalId: input.id })
    return itemView(
      found(await items(tx).where('proposals.public_id', '=', input.id).executeTakeFirst()),
      now,
    )
  })

/** How many proposals wait, for the badge. */
export async function waitingProposals(ctx: Ctx): Promise<number> {
  const row = await ctx.db
    .selectFrom('proposals')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', ctx.book.id)
    .where('status', '=', 'pending_user')
    .where('expires_at', '>', ctx.now().getTime())
    .executeTakeFirstOrThrow()
  return row.count
}
