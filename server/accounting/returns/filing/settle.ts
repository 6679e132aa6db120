/** Writes what became of a sending: each outcome once, with the filing, the history and the event in one transaction. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { businessDateOf } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { outcomeOf } from '../declaration/kinds.ts'
import type { ReturnKind } from '../declaration/kinds.ts'
import type { ModelNumber } from '../contract.ts'
import { findFilings, insertFiling, replaceFilingRow } from '../rows.ts'
import { changeSending, sendingsOf } from './rows.ts'
import type { SendingRow, SendingState } from './rows.ts'
import type { Receipt } from './service.ts'

const label = ({ model, period, year }: SendingRow): string => `${model} ${period} ${year}`

const OPEN: readonly SendingState[] = ['preparing', 'sent', 'unknown', 'not_found']

/** Returns the day of the agency's time, or that of the sending where it cannot be read. */
function dayOf(presentedAt: string, sentAt: number): BusinessDate {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(presentedAt)
  if (iso) return `${iso[1]}-${iso[2]}-${iso[3]}` as BusinessDate
  const spanish = /^(\d{2})[/-](\d{2})[/-](\d{4})/.exec(presentedAt)
  if (spanish) return `${spanish[3]}-${spanish[2]}-${spanish[1]}` as BusinessDate
  return businessDateOf(new Date(sentAt))
}

/** Returns true if a filing comes from a sending that left after this one. */
async function wasSentLater(ctx: Ctx, row: SendingRow, filingId: string): Promise<boolean> {
  const other = (await sendingsOf(ctx, row)).find(({ filing_id }) => filing_id === filingId)
  return (other?.sent_at ?? 0) > (row.sent_at ?? 0)
}

/**
 * Writes that a return is filed: the filing with its boxes, which from now on stands for the period. `why` says how it is
 * known where the answer itself was lost. Returns false if the sending was settled before.
 */
export function settleAccepted(
  ctx: Ctx,
  row: SendingRow,
  receipt: Receipt,
  why: string | null,
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    const filingId = tx.newId('fil')
    const isFirst = await changeSending(tx, row.id, OPEN, {
      state: 'accepted',
      csv: receipt.csv,
      receipt: receipt.receipt,
      register_number: receipt.registerNumber,
      presented_at: receipt.presentedAt,
      document_url: receipt.documentUrl,
      presenter_nif: receipt.presented?.presenterNif ?? null,
      presenter_name: receipt.presented?.presenterName ?? null,
      presenter_as: receipt.presented?.presenterAs ?? null,
      declarant_nif: receipt.presented?.declarantNif ?? null,
      declarant_name: receipt.presented?.declarantName ?? null,
      exchange_id: receipt.exchangeId,
      answer: JSON.stringify(receipt.notices),
      settled_at: now,
      // The document of the receipt is fetched next.
      next_query_at: now,
      why,
      filing_id: filingId,
    })
    if (!isFirst) return false
    const model = row.model as ModelNumber
    const filings = await findFilings(tx, model, { from: row.year, to: row.year })
    const earlier = filings.get(`${row.year} ${row.period}`)
    // One that shows late was filed before what was sent after it, which goes on standing.
    const isLate = earlier !== undefined && (await wasSentLater(tx, row, earlier.publicId))
    if (earlier && !isLate) await replaceFilingRow.run(tx.db, { id: earlier.id, at: now, by: filingId })
    await insertFiling.run(tx.db, {
      bookId: tx.book.id,
      publicId: filingId,
      model: row.model,
      year: row.year,
      period: row.period,
      filedOn: dayOf(receipt.presentedAt ?? '', row.sent_at ?? now),
      outcome: outcomeOf(row.kind === '' ? null : (row.kind as ReturnKind)),
      resultCents: row.result_cents,
      reference: receipt.csv,
      boxes: row.boxes,
      createdAt: now,
      nature: row.nature,
      source: 'service',
      receipt: receipt.receipt,
      withdrawnAt: isLate ? now : null,
      replacedBy: isLate ? earlier.publicId : null,
    })
    failpoint('filing.outcome_written')
    await recordAudit(tx, {
      action: 'filing.accepted',
      target: {
        type: 'filing',
        id: filingId,
        label: `${label(row)}: ${receipt.csv} ${receipt.receipt ?? ''}`.trim(),
      },
    })
    tx.wake('filing')
    const place = { model: row.model, year: row.year, period: row.period }
    await emitEvent(tx, 'return.filed', { ...place, filingId, sendingId: row.public_id })
    await emitEvent(tx, 'filing.changed', place)
    return true
  })
}

const ACTIONS = {
  unknown: 'filing.unknown',
  refused: 'filing.refused',
  not_sent: 'filing.not_sent',
  not_found: 'filing.not_found',
} as const

/** Writes that a return is certainly not filed, or that it is not known. */
export function settleOtherwise(
  ctx: Ctx,
  row: SendingRow,
  outcome: {
    state: Exclude<SendingState, 'preparing' | 'sent' | 'accepted'>
    why: string
    errors?: readonly string[]
    nextQueryAt?: number
    /** Where the agency gave one before its answer was lost. */
    exchangeId?: string
  },
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const isFirst = await changeSending(tx, row.id, OPEN, {
      state: outcome.state,
      why: outcome.why,
      answer: JSON.stringify(outcome.errors ?? []),
      settled_at: outcome.state === 'unknown' ? null : tx.now().getTime(),
      next_query_at: outcome.nextQueryAt ?? null,
      ...(outcome.exchangeId === undefined ? {} : { exchange_id: outcome.exchangeId }),
    })
    if (!isFirst) return false
    await recordAudit(tx, {
      action: ACTIONS[outcome.state],
      target: { type: 'filing', id: row.public_id, label: label(row) },
      outcome: outcome.state === 'refused' ? 'refused' : 'failed',
    })
    if (outcome.nextQueryAt !== undefined) tx.wake('filing')
    await emitEvent(tx, 'filing.changed', { model: row.model, year: row.year, period: row.period })
    return true
  })
}
