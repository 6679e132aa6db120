/** Takes customers' answers in: only codes that a page of this book made, each once. */
import { recordAudit } from '../../platform/audit/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { digestOf, findCodes, isAuthentic, pageKey, readCode } from '../../domain/replies/code.ts'
import type { Answer, Code } from '../../domain/replies/code.ts'
import type { ReplyChannel, takeRepliesContract } from './contract.ts'
import { answersOf, findAnswer, findPage, insertAnswer } from './rows.ts'
import type { PageRow } from './rows.ts'
import { isOfEarlierSecret, secretOf } from './secret.ts'
import { replyViews } from './view.ts'

/**
 * Why a code is refused: it is no answer; its page is not of this book; it was not made by its page; its page was offered before
 * these books moved here, so that nothing proves it.
 */
type Refusal = 'damaged' | 'unknown_page' | 'not_authentic' | 'earlier_installation'

async function checkCode(ctx: Ctx, code: Code): Promise<{ answer: Answer; page: PageRow } | Refusal> {
  const answer = readCode(code)
  if (answer === null) return 'damaged'
  const page = await findPage(ctx, answer.pageId)
  if (page === null) return 'unknown_page'
  const secret = await secretOf(ctx)
  if (secret !== null && isAuthentic(pageKey(secret, page.public_id), code)) return { answer, page }
  return (await isOfEarlierSecret(ctx, page)) ? 'earlier_installation' : 'not_authentic'
}

interface Taken {
  id: number
  invoiceRow: number
  isNew: boolean
}

interface TakingOptions {
  channel: ReplyChannel
  /** Of the mail, as the mail says. */
  sender?: string | null
}

async function takeOne(tx: Ctx, code: Code, options: TakingOptions): Promise<Taken | Refusal> {
  const checked = await checkCode(tx, code)
  if (typeof checked === 'string') return checked
  const { answer, page } = checked
  const digest = digestOf(code)
  const known = await findAnswer(tx, { pageRow: page.id, digest })
  if (known) return { id: known.id, invoiceRow: page.invoice_id, isNew: false }
  const now = tx.now().getTime()
  const row = await insertAnswer(tx, {
    book_id: tx.book.id,
    public_id: tx.newId('rpa'),
    page_id: page.id,
    invoice_id: page.invoice_id,
    kind: answer.kind,
    reason: answer.reason,
    pay_on: answer.payOn,
    words: answer.words,
    said_by: answer.saidBy,
    // A clock that is ahead must not make a first answer the last one for ever.
    said_at: Math.min(answer.saidAt, now),
    taken_at: now,
    taken_by: tx.actor.name,
    channel: options.channel,
    sender: options.sender ?? null,
    digest,
  })
  const invoice = await tx.db
    .selectFrom('invoices')
    .select(['public_id', 'number'])
    .where('id', '=', page.invoice_id)
    .executeTakeFirstOrThrow()
  await recordAudit(tx, {
    action: ACTIONS[answer.kind],
    target: { type: 'invoice', id: invoice.public_id, label: invoice.number ?? '' },
  })
  await emitEvent(tx, 'reply.taken', {
    invoiceId: invoice.public_id,
    replyId: row.public_id,
    kind: answer.kind,
  })
  return { id: row.id, invoiceRow: page.invoice_id, isNew: true }
}

/** What the history calls each kind of answer. */
const ACTIONS = {
  received: 'reply.received',
  accepted: 'reply.accepted',
  rejected: 'reply.rejected',
  will_pay: 'reply.will_pay',
} as const

/** What of some codes was taken in. */
interface TakenReplies {
  taken: Taken[]
  refused: Refusal[]
}

/**
 * Takes the codes of a text in, in one transaction. Refuses none of them aloud: a mail may hold anything. Throws only what
 * the store throws.
 */
export async function takeCodes(
  ctx: Ctx,
  codes: readonly Code[],
  options: TakingOptions,
): Promise<TakenReplies> {
  return ctx.transaction(async (tx) => {
    const found: TakenReplies = { taken: [], refused: [] }
    for (const code of codes) {
      const one = await takeOne(tx, code, options)
      if (typeof one === 'string') found.refused.push(one)
      else found.taken.push(one)
    }
    return found
  })
}

/** Takes in the answers of a text. Throws `reply_code_missing`, or `reply_code_refused` if none of its codes holds. */
export const takeReplies: UseCase<typeof takeRepliesContract> = async (ctx, { text, channel = 'paste' }) => {
  const codes = findCodes(text)
  if (codes.length === 0) throw new AppError('reply_code_missing', { field: 'text' })
  const { taken, refused } = await takeCodes(ctx, codes, {
    channel: ctx.channel === 'ui' ? channel : 'program',
  })
  if (taken.length === 0)
    throw new AppError('reply_code_refused', { field: 'text', details: { why: refused[0] ?? 'damaged' } })
  const rows = await answersOf(ctx, [...new Set(taken.map(({ invoiceRow }) => invoiceRow))])
  const views = replyViews(rows)
  return {
    items: taken.flatMap(({ id, isNew }) => {
      const reply = views.get(id)
      return reply ? [{ reply, isNew }] : []
    }),
    refused: refused.length,
  }
}
