/**
 * Two pairs of eyes: a step that one person asks for and another one confirms, which performs it. The history names both.
 * The request is bound to what was shown; what has changed since has to be asked for again.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { normalizeText } from '../../../domain/text.ts'
import type { Ctx } from '../../../context.ts'
import type { Capability } from '../../../domain/people.ts'
import { membersOf } from '../directory/memberships.ts'
import { directoryOf } from '../directory/store.ts'
import { capabilitiesOf } from '../roles/roles.ts'
import { capabilityFor } from '../roles/capabilities.ts'
import { readRules } from './rules.ts'
import type { SecondPersonRules } from './rules.ts'
import { STEPS } from './steps.ts'
import type { StepRequest, Perform, StepSummary } from './steps.ts'

const LIVES_MS = 3 * 24 * 3_600_000
const MOST_WAITING = 50

type RequestStatus = 'pending' | 'approved' | 'denied' | 'withdrawn' | 'expired'

export interface SecondPersonRequest {
  id: string
  operation: string
  summary: StepSummary
  hash: string
  input: Record<string, unknown>
  askedBy: { id: string; name: string }
  decidedBy: { id: string; name: string } | null
  status: RequestStatus
  note: string | null
  createdAt: number
  expiresAt: number
  decidedAt: number | null
}

/** Rules by which every step needs a second person. */
const STRICTEST: SecondPersonRules = { issueAboveCents: -1, closing: true, bankAccounts: true, version: 0 }

/** Callers of requests in which a second person performs what was asked. */
const confirmed = new WeakSet<object>()

/** Whose step it is: a key asks for its person. */
function askerOf({ actor }: Ctx): { id: string; name: string } | null {
  if (actor.kind === 'system') return null
  if (!actor.rights) return null
  if (actor.kind === 'key') return actor.personId ? { id: actor.personId, name: actor.name } : null
  return { id: actor.id, name: actor.name }
}

/** True if somebody else may perform the operation and confirm. */
async function hasSecondPerson(ctx: Ctx, operation: string, askerId: string): Promise<boolean> {
  const needed = capabilityFor(operation)
  const members = await membersOf(directoryOf(ctx.env.store.reader), ctx.book.companyId)
  return members.some(({ personId, roles, mayIssue }) => {
    const capabilities = capabilitiesOf(roles, mayIssue)
    return personId !== askerId && needed !== null && mayConfirm(capabilities, needed)
  })
}

/** Whoever may do the step may confirm it for somebody else. */
const mayConfirm = (capabilities: ReadonlySet<Capability>, needed: Capability): boolean =>
  capabilities.has(needed)

/**
 * Returns normally if the caller alone may take a step. Throws `second_person_asked` with the request that waits now, or
 * `second_person_missing` if nobody else could confirm.
 */
export async function assertEnoughPeople(ctx: Ctx, operation: string, input: unknown): Promise<void> {
  const step = STEPS[operation]
  const asker = askerOf(ctx)
  if (!step || !asker || confirmed.has(ctx.actor)) return
  const rules = await readRules(ctx)
  const asked = await step.examine(ctx, rules, input as Record<string, unknown>)
  if (!asked) return
  if (!(await hasSecondPerson(ctx, operation, asker.id))) {
    // Rules that nobody could loosen any more would shut everybody out.
    if (operation === 'people.setSecondPersonRules') return
    throw new AppError('second_person_missing')
  }
  const wanted = asked.instead ?? { operation, input }
  const id = await ask(ctx, asker, wanted.operation, wanted.input, asked)
  throw new AppError('second_person_asked', { details: { requestId: id } })
}

async function ask(
  ctx: Ctx,
  asker: { id: string; name: string },
  operation: string,
  input: unknown,
  { summary, hash }: StepRequest,
): Promise<string> {
  return ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    const waiting = await tx.db
      .selectFrom('second_person_requests')
      .select(['public_id', 'operation', 'content_hash', 'asked_by'])
      .where('book_id', '=', tx.book.id)
      .where('status', '=', 'pending')
      .where('expires_at', '>', now)
      .execute()
    const same = waiting.find(
      (row) =>
        row.operation === operation &&
        row.asked_by === asker.id &&
        Buffer.compare(row.content_hash, hash) === 0,
    )
    if (same) return same.public_id
    if (waiting.length >= MOST_WAITING) throw new AppError('approvals_full', { retryAfterSeconds: 60 })
    const id = tx.newId('spr')
    await tx.db
      .insertInto('second_person_requests')
      .values({
        book_id: tx.book.id,
        public_id: id,
        operation,
        input: JSON.stringify(withoutToken(input)),
        summary: JSON.stringify(summary),
        content_hash: hash,
        asked_by: asker.id,
        asked_by_name: asker.name,
        created_at: now,
        expires_at: now + LIVES_MS,
      })
      .execute()
    await recordAudit(tx, {
      action: 'second_person.asked',
      target: { type: 'request', id, ...labelOf(summary) },
    })
    await emitEvent(tx, 'people.step_asked', { requestId: id })
    return id
  })
}

/** How the history names what a request is about; without a word for rules, which have no name. */
const labelOf = ({ subject }: StepSummary): { label?: string } => (subject ? { label: subject } : {})

/** A token works for its holder alone, and is none of the next person's business. */
function withoutToken(input: unknown): unknown {
  const { confirmationToken: _token, ...rest } = input as Record<string, unknown>
  return rest
}

function rows(ctx: Ctx) {
  return ctx.db.selectFrom('second_person_requests').selectAll().where('book_id', '=', ctx.book.id)
}

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

function viewOf(row: Row, now: number): SecondPersonRequest {
  return {
    id: row.public_id,
    operation: row.operation,
    summary: JSON.parse(row.summary) as StepSummary,
    hash: Buffer.from(row.content_hash).toString('hex'),
    input: JSON.parse(row.input) as Record<string, unknown>,
    askedBy: { id: row.asked_by, name: row.asked_by_name },
    decidedBy:
      row.decided_by === null ? null : { id: row.decided_by, name: row.decided_by_name ?? row.decided_by },
    status: row.status === 'pending' && row.expires_at <= now ? 'expired' : row.status,
    note: row.note,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
  }
}

/** Returns the requests that wait, oldest first, and those that were decided, newest first. */
export async function listRequests(
  ctx: Ctx,
  limit: number,
): Promise<{ waiting: SecondPersonRequest[]; decided: SecondPersonRequest[] }> {
  const now = ctx.now().getTime()
  const waiting = await rows(ctx)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .orderBy('id')
    .limit(limit)
    .execute()
  const decided = await rows(ctx)
    .where((eb) => eb.or([eb('status', '<>', 'pending'), eb('expires_at', '<=', now)]))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const view = (row: Row): SecondPersonRequest => viewOf(row, now)
  return { waiting: waiting.map(view), decided: decided.map(view) }
}

/** True if the caller could confirm a request: somebody else, who may take the step. */
export function mayDecide(ctx: Ctx, request: Pick<SecondPersonRequest, 'operation' | 'askedBy'>): boolean {
  const needed = capabilityFor(request.operation)
  return ctx.actor.id !== request.askedBy.id && needed !== null && ctx.may(needed)
}

/** How the history names a decision. */
const DECIDED = {
  approved: 'second_person.approved',
  denied: 'second_person.denied',
  withdrawn: 'second_person.withdrawn',
} as const

async function settle(
  tx: Ctx,
  row: Row,
  status: 'approved' | 'denied' | 'withdrawn',
  note: string | undefined,
): Promise<SecondPersonRequest> {
  const decision = {
    status,
    decided_at: tx.now().getTime(),
    decided_by: tx.actor.id,
    decided_by_name: tx.actor.name,
    note: note ? normalizeText(note) : null,
  } as const
  await tx.db.updateTable('second_person_requests').set(decision).where('id', '=', row.id).execute()
  const summary = JSON.parse(row.summary) as StepSummary
  await recordAudit(tx, {
    action: DECIDED[status],
    target: { type: 'request', id: row.public_id, ...labelOf(summary) },
  })
  await emitEvent(tx, 'people.step_decided', { requestId: row.public_id, decision: status })
  return viewOf({ ...row, ...decision }, tx.now().getTime())
}

interface Decision {
  id: string
  decision: 'approve' | 'deny' | 'withdraw'
  note?: string | undefined
  /** The hash of what was shown. */
  seen?: string | undefined
}

/**
 * Decides a request. A yes performs the step at once as the second person, in one transaction with the decision. Throws
 * `not_found`, `approval_closed`, `second_person_needed` for whoever asked, or `second_person_stale` if it is no longer
 * what was shown.
 */
export async function decideRequest(
  ctx: Ctx,
  { id, decision, note, seen }: Decision,
  perform: Perform,
): Promise<SecondPersonRequest> {
  return ctx.transaction(async (tx) => {
    const row = await rows(tx).where('public_id', '=', id).executeTakeFirst()
    if (!row) throw new AppError('not_found')
    const now = tx.now().getTime()
    const request = viewOf(row, now)
    if (request.status !== 'pending') throw new AppError('approval_closed')
    if (decision === 'withdraw') {
      if (row.asked_by !== tx.actor.id) throw new AppError('not_found')
      return settle(tx, row, 'withdrawn', note)
    }
    if (!mayDecide(tx, request)) throw new AppError('second_person_needed')
    if (decision === 'deny') return settle(tx, row, 'denied', note)
    const step = STEPS[row.operation]
    if (!step || seen !== request.hash) throw new AppError('second_person_stale')
    const input = JSON.parse(row.input) as Record<string, unknown>
    const isAboutRules = row.operation === 'people.setSecondPersonRules'
    // Rules can have been loosened meanwhile: what is done is still what was shown.
    const current = await step.examine(tx, isAboutRules ? await readRules(tx) : STRICTEST, input)
    if (!current || Buffer.compare(current.hash, row.content_hash) !== 0)
      throw new AppError('second_person_stale')
    confirmed.add(tx.actor)
    try {
      await perform(tx, row.operation, await step.inputFor(tx, input, perform))
    } finally {
      confirmed.delete(tx.actor)
    }
    return settle(tx, row, 'approved', note)
  })
}
