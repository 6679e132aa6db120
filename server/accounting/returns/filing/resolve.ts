/**
 * Finds out what became of a sending whose answer was lost, by asking the agency; and fetches receipts. Nothing here sends a
 * return.
 */
import { createHash } from 'node:crypto'
import { recordAudit } from '../../../platform/audit/index.ts'
import { keepFile, linkFile, storeFile } from '../../../platform/attachments/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import type { Ctx } from '../../../context.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { madridInstant } from '../../../domain/dates.ts'
import { changeSending, sendingsOf } from './rows.ts'
import type { SendingRow } from './rows.ts'
import { filedText, mayComeFrom, periodOf, receiptOf, unknownHere } from './send.ts'
import type { DeclaredReturn, FilingService } from './service.ts'
import { settleAccepted, settleOtherwise } from './settle.ts'
import { SENDING_TARGET } from './views.ts'

/**
 * How long a return may be filed without being shown is not known. After this time, and this many questions, it counts as
 * not found: a person may then file again, and the agency is asked once more before that leaves.
 */
const NOT_FOUND_AFTER_MS = 30 * 60_000
const FEWEST_QUERIES = 5

/** A return that was not found is asked for this long: it may be shown late. */
const ASKED_FOR_MS = 7 * 24 * 3_600_000

const SHORTEST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 6 * 3_600_000

/** Returns the wait after a number of questions: twice as long each time. */
function waitAfter(queries: number): number {
  return Math.min(LONGEST_WAIT_MS, SHORTEST_WAIT_MS * 2 ** Math.min(queries, 16))
}

/** Asks about a sending whose answer was lost, and writes what is known then. */
export async function resolveSending(ctx: Ctx, row: SendingRow, service: FilingService): Promise<void> {
  const asked = await service.query(periodOf(row))
  const now = ctx.now().getTime()
  if (asked.kind === 'found') {
    const found = await unknownHere(ctx, row, asked.declared)
    const own = service.ownNumber(filedText(row))
    // Of several, only the number that a file gives itself tells which is this one.
    const [first, ...others] =
      found.length > 1 ? found.filter(({ receipt }) => own !== null && receipt === own) : found
    if (first !== undefined && others.length === 0) {
      const sender = await senderOf(ctx, row, first, service)
      if (sender) await settleAccepted(ctx, sender, receiptOf(sender, first, service), 'found_by_query')
      // Filed before this one was sent, or under another number, so by somebody else.
      else await postpone(ctx, row, now, `filed_elsewhere: ${first.csv} ${first.presentedAt}`)
      return
    }
    if (found.length > 0) {
      await postpone(ctx, row, now, `several_found: ${found.map(({ csv }) => csv).join(' ')}`)
      return
    }
    // The last sending is presented: beside earlier returns it may be one of those; alone it must be shown some day. If it is
    // that of an earlier return which these books know, this one never began.
    const isAskedFor =
      now - (row.sent_at ?? row.created_at) < ASKED_FOR_MS && !(await isEarlier(ctx, row, asked.presented))
    if (asked.presented !== undefined && (asked.declared.length === 0 || isAskedFor)) {
      await postpone(ctx, row, now, `presented_not_shown: ${asked.presented}`)
      return
    }
  }
  const isOver =
    now - (row.sent_at ?? row.created_at) >= NOT_FOUND_AFTER_MS && row.queries + 1 >= FEWEST_QUERIES
  if (asked.kind !== 'unavailable' && isOver && row.state === 'unknown')
    await settleOtherwise(ctx, row, {
      state: 'not_found',
      why: 'not_shown',
      nextQueryAt: now + waitAfter(row.queries),
    })
  else
    await postpone(
      ctx,
      row,
      now,
      asked.kind === 'unavailable' ? `query_unavailable: ${asked.detail}` : 'not_shown',
    )
}

/** Returns true if the agency's identifier of an exchange is that of another sending of the period, which is accepted. */
async function isEarlier(ctx: Ctx, row: SendingRow, exchangeId: string | undefined): Promise<boolean> {
  if (exchangeId === undefined || exchangeId === '') return false
  const sendings = await sendingsOf(ctx, row)
  return sendings.some(
    ({ id, state, exchange_id }) => id !== row.id && state === 'accepted' && exchange_id === exchangeId,
  )
}

/** How far the agency's clock may be behind this one. */
const CLOCKS_APART_MS = 5 * 60_000

/** Returns the sending that a return found at the agency comes from: the last one that was sent before it; null if none was. */
async function senderOf(
  ctx: Ctx,
  row: SendingRow,
  found: DeclaredReturn,
  service: FilingService,
): Promise<SendingRow | null> {
  const lost = (await sendingsOf(ctx, row)).filter(
    ({ state }) => state === 'unknown' || state === 'not_found',
  )
  return (
    lost.find(
      (each) =>
        each.sent_at !== null &&
        madridInstant(new Date(each.sent_at - CLOCKS_APART_MS)).slice(0, LOCAL_TIME) <=
          found.presentedAt.slice(0, LOCAL_TIME) &&
        mayComeFrom(each, found, service),
    ) ?? null
  )
}
/** Characters of `2026-04-14T10:32:00`. */
const LOCAL_TIME = 19

async function postpone(ctx: Ctx, row: SendingRow, now: number, why: string): Promise<void> {
  const isGivenUp = now - (row.sent_at ?? row.created_at) > ASKED_FOR_MS
  await ctx.transaction(async (tx) => {
    await changeSending(tx, row.id, ['unknown', 'not_found'], {
      queries: row.queries + 1,
      next_query_at: isGivenUp && row.state === 'not_found' ? null : now + waitAfter(row.queries),
      why,
    })
    await emitEvent(tx, 'filing.changed', { model: row.model, year: row.year, period: row.period })
  })
}

/** Questions for a receipt after which only a person asks again. */
const DOCUMENT_QUERIES = 12

/** Fetches the receipt of an accepted sending and attaches it. Its failure changes nothing of the filing. */
export async function fetchDocument(ctx: Ctx, row: SendingRow, service: FilingService): Promise<void> {
  if (row.csv === null) return
  const bytes = await service.document(row.csv)
  failpoint('filing.document_read')
  const now = ctx.now().getTime()
  if (bytes === null) {
    const isOver = row.queries + 1 >= DOCUMENT_QUERIES
    await ctx.transaction((tx) =>
      changeSending(tx, row.id, ['accepted'], {
        queries: row.queries + 1,
        next_query_at: isOver ? null : now + waitAfter(row.queries),
      }),
    )
    return
  }
  const name = `${row.model}-${row.year}-${row.period}-${row.csv}.pdf`
  for (;;) {
    const content = await keepFile(ctx, { name, mediaType: 'application/pdf', bytes: new Uint8Array(bytes) })
    const isStored = await ctx.transaction(async (tx) => {
      const file = await storeFile(tx, content)
      if (!file) return false
      await linkFile(tx, file.id, { type: SENDING_TARGET, id: row.id })
      await changeSending(tx, row.id, ['accepted'], { next_query_at: null })
      await recordAudit(tx, {
        action: 'filing.document_stored',
        target: {
          type: 'filing',
          id: row.public_id,
          label: `${row.csv}: ${createHash('sha256').update(bytes).digest('hex')}`,
        },
      })
      await emitEvent(tx, 'filing.changed', { model: row.model, year: row.year, period: row.period })
      return true
    })
    if (isStored) return
  }
}
