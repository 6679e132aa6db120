/**
 * Sends a return once. Before it leaves, the agency is asked what it has of the period, and its validation service checks
 * the file; that it leaves is written first. What then is neither an acceptance nor a refusal is unknown, and is asked for
 * (resolve.ts): a return is never sent again by itself.
 */
import { gunzipSync } from 'node:zlib'
import type { Ctx } from '../../../context.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { findFilings } from '../rows.ts'
import type { ModelNumber } from '../contract.ts'
import { changeSending, sendingsOf } from './rows.ts'
import type { SendingRow } from './rows.ts'
import type { DeclaredReturn, FiledText, FilingService, Receipt } from './service.ts'
import { settleAccepted, settleOtherwise } from './settle.ts'

/** Wait before the first question after an answer was lost: the agency may still be writing. */
const FIRST_QUERY_MS = 60_000

/** Returns the file of a sending as text. */
export function filedText(row: SendingRow): FiledText {
  const text = gunzipSync(row.file).toString('latin1')
  return { model: row.model, year: row.year, period: row.period, text }
}

/** Returns the codes and receipt numbers of the period's returns that these books know. */
async function knownHere(ctx: Ctx, row: SendingRow): Promise<ReadonlySet<string>> {
  const model = row.model as ModelNumber
  const filing = (await findFilings(ctx, model, { from: row.year, to: row.year })).get(
    `${row.year} ${row.period}`,
  )
  const sendings = await sendingsOf(ctx, row)
  const { previousReceipt } = JSON.parse(row.choices) as { previousReceipt?: string }
  return new Set(
    [
      filing?.reference,
      filing?.receipt,
      previousReceipt,
      ...sendings.filter(({ state }) => state === 'accepted').flatMap(({ csv, receipt }) => [csv, receipt]),
    ].filter((each) => typeof each === 'string'),
  )
}

/** Returns the returns of the period that the agency has and these books do not know. */
export async function unknownHere(
  ctx: Ctx,
  row: SendingRow,
  declared: readonly DeclaredReturn[],
): Promise<DeclaredReturn[]> {
  const known = await knownHere(ctx, row)
  return declared.filter(({ csv, receipt }) => !known.has(csv) && (receipt === null || !known.has(receipt)))
}

/** Returns true unless a return at the agency carries another number than the file of a sending gives itself. */
export function mayComeFrom(row: SendingRow, { receipt }: DeclaredReturn, service: FilingService): boolean {
  const own = service.ownNumber(filedText(row))
  return own === null || receipt === null || receipt === own
}

/** Returns a declared return as the receipt that the answer to its sending would have been. */
export function receiptOf(row: SendingRow, declared: DeclaredReturn, service: FilingService): Receipt {
  const { csv, receipt, registerNumber, presentedAt } = declared
  const number = service.ownNumber(filedText(row)) ?? receipt
  return {
    csv,
    receipt: number,
    registerNumber,
    presentedAt,
    documentUrl: null,
    notices: [],
    presented: null,
    exchangeId: row.exchange_id,
  }
}

/** Returns what the agency is asked about a sending: the period of its filer, whoever signs. */
export function periodOf(row: SendingRow): Parameters<FilingService['query']>[0] {
  const { filer_nif: nif, filer_name: name, model, year, period } = row
  return { nif, name, model, year, period }
}

/** Returns true if nothing stands against sending; else the reason is written. */
async function isFree(ctx: Ctx, row: SendingRow, service: FilingService): Promise<boolean> {
  const asked = await service.query(periodOf(row))
  if (asked.kind === 'unavailable') {
    await settleOtherwise(ctx, row, { state: 'not_sent', why: `query_unavailable: ${asked.detail}` })
    return false
  }
  const number = service.ownNumber(filedText(row))
  // With the number of an earlier return, a lost answer to this one could not be told apart from it.
  if (number !== null && (await knownHere(ctx, row)).has(number)) {
    await settleOtherwise(ctx, row, { state: 'not_sent', why: `number_used: ${number}` })
    return false
  }
  if (asked.kind === 'none') return true
  if (asked.declared.length === 0) {
    const why = `presented_not_shown: ${asked.presented ?? ''}`
    await settleOtherwise(ctx, row, { state: 'not_sent', why })
    return false
  }
  const others = await unknownHere(ctx, row, asked.declared)
  const [other] = others
  if (other === undefined) return true
  // A sending that the agency did not show before is filed after all.
  const lost = (await sendingsOf(ctx, row)).find(
    (each) => each.state === 'not_found' && mayComeFrom(each, other, service),
  )
  if (lost && others.length === 1)
    await settleAccepted(ctx, lost, receiptOf(lost, other, service), 'found_by_query')
  const found = `${other.csv} ${other.receipt ?? ''} ${other.presentedAt}`
  await settleOtherwise(ctx, row, {
    state: 'not_sent',
    why: lost ? `found_meanwhile: ${found}` : `filed_elsewhere: ${found}`,
  })
  return false
}

async function isValid(ctx: Ctx, row: SendingRow, service: FilingService): Promise<boolean> {
  const checked = await service.validate(filedText(row))
  if (checked.kind === 'valid') return true
  if (checked.kind === 'invalid')
    await settleOtherwise(ctx, row, { state: 'refused', why: 'invalid', errors: checked.errors })
  else
    await settleOtherwise(ctx, row, { state: 'not_sent', why: `validation_unavailable: ${checked.detail}` })
  return false
}

/** Carries a sending that a person allowed through to its outcome. Never throws for what the agency or the network do. */
export async function sendReturn(
  ctx: Ctx,
  row: SendingRow,
  service: FilingService,
  { withoutValidation }: { withoutValidation: boolean },
): Promise<void> {
  if (!(await isFree(ctx, row, service))) return
  if (!withoutValidation && !(await isValid(ctx, row, service))) return
  const sentAt = ctx.now().getTime()
  const isMine = await ctx.transaction((tx) =>
    changeSending(tx, row.id, ['preparing'], { state: 'sent', sent_at: sentAt }),
  )
  // Another process settled it meanwhile: it must not leave.
  if (!isMine) return
  failpoint('filing.send_written')
  const sent: SendingRow = { ...row, state: 'sent', sent_at: sentAt }
  const { paymentReference } = JSON.parse(row.choices) as { paymentReference?: string }
  const answer = await service.file(
    filedText(row),
    {
      filer: { nif: row.filer_nif, name: row.filer_name },
      signer: { nif: row.signer_nif, name: row.signer_name },
    },
    paymentReference ?? null,
  )
  failpoint('filing.answer_read')
  switch (answer.kind) {
    case 'accepted':
      await settleAccepted(ctx, sent, answer.receipt, null)
      failpoint('filing.outcome_committed')
      return
    case 'refused':
      await settleOtherwise(ctx, sent, { state: 'refused', why: 'refused', errors: answer.errors })
      return
    case 'not_sent':
      await settleOtherwise(ctx, sent, { state: 'not_sent', why: `${answer.reason}: ${answer.detail}` })
      return
    case 'unknown':
      await settleOtherwise(ctx, sent, {
        state: 'unknown',
        why: `answer_lost: ${answer.detail}`,
        nextQueryAt: ctx.now().getTime() + FIRST_QUERY_MS,
        ...(answer.exchangeId === undefined ? {} : { exchangeId: answer.exchangeId }),
      })
  }
}
