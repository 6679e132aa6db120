/** Rows of proposals: the request and its assessment at that time. */
import type { Ctx } from '../../context.ts'
import type { InboxItem, Outcome, ProposalPoint } from './contract.ts'
import type { ActionRequest, Assessment } from './ports.ts'

/** Stored as JSON next to the columns. */
export interface Body {
  /** Assessment at the time of the proposal, compared with the current one. */
  then: Assessment
  /** Last assessment, at the time of the decision. */
  last?: Assessment
  outcome?: Outcome
}

/** Body of an old proposal without a stored request: only sentences, which cannot be assessed again. */
interface OldBody {
  title: string
  effects: string[]
  blockers: string[]
  reversible: boolean
  alternatives: Assessment['alternatives']
  invoice: InboxItem['invoice']
}

export function proposals(ctx: Ctx) {
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

export type ProposalRow = Awaited<ReturnType<ReturnType<typeof proposals>['execute']>>[number]

const sentence = (message: string): ProposalPoint => ({ code: 'said', message })

/** Returns the body of a row. */
export function bodyOf(row: ProposalRow): Body {
  const body = JSON.parse(row.body) as Body | OldBody
  if ('then' in body) return body
  const { title, effects, blockers, reversible, alternatives, invoice } = body
  return {
    then: {
      asked: { action: row.action, targetId: row.target_id, period: null, params: {} } as ActionRequest,
      title,
      invoice,
      contact: null,
      taxReturn: null,
      facts: {},
      effects: effects.map(sentence),
      blockers: blockers.map(sentence),
      warnings: [],
      reversible,
      impact: null,
      changes: [],
      alternatives,
    },
  }
}

/** Selects pending proposals: neither decided nor expired. */
export function waiting(ctx: Ctx) {
  return proposals(ctx)
    .where('proposals.status', '=', 'pending_user')
    .where('proposals.expires_at', '>', ctx.now().getTime())
}

/** Returns the number of pending proposals, of some keys or of all. */
export async function countWaiting(ctx: Ctx, keyRowIds?: readonly number[]): Promise<number> {
  let query = ctx.db
    .selectFrom('proposals')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', ctx.book.id)
    .where('status', '=', 'pending_user')
    .where('expires_at', '>', ctx.now().getTime())
  if (keyRowIds !== undefined) query = query.where('key_id', 'in', keyRowIds)
  return (await query.executeTakeFirstOrThrow()).count
}
