/** Issue: the one irreversible step. Number, record, chain, totals, history and event commit together or not at all. */
import { historyOf, MOST_EVENTS, recordAudit } from '../../../platform/audit/index.ts'
import type { HistoryRow } from '../../../platform/audit/index.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { allOf } from '../../../db/query.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { spendCaps } from '../../../platform/api-keys/index.ts'
import { appendRegistration } from '../../../registry/index.ts'
import type { MadeRecord } from '../../../registry/index.ts'
import { ensureSeries, takeKnownNumber, takeNumber } from '../../../company/series/index.ts'
import { queueDocument } from './documents.ts'
import { closeApprovals, refuseUnapproved } from './approvals.ts'
import { confirmationFor, readConfirmation, spendConfirmation } from './confirmations.ts'
import type { Confirmation } from './confirmations.ts'
import type { Invoice, issueInvoiceContract } from '../contract.ts'
import { examineDraft, readBookState } from './examine.ts'
import type { BookState, Examination } from './examine.ts'
import { owedInstalments } from '../content.ts'
import type { InvoiceReferenceFacts } from '../content.ts'
import { writeInstalments } from '../instalments.ts'
import { seriesKindOf } from '../kinds.ts'
import { resolveInvoice } from '../read/get.ts'
import { saveIssuer } from '../draft/parties.ts'
import type { PartyFacts } from '../draft/parties.ts'
import { registrationOf } from './registration.ts'
import { registryDetailOf } from './registry-detail.ts'
import { refuseFaulty } from '../draft/faults.ts'
import { bookEntry } from './booking.ts'
import { countInvoice, replacesInvoices } from './counting.ts'
import type { CountedInvoice } from './counting.ts'
import { recordReplacements } from '../references/replace.ts'
import { markIssued, rowAsIssued } from '../rows.ts'
import type { InvoiceRow, IssueValues, LineRow } from '../rows.ts'
import { invoiceView } from '../read/view.ts'

/** Stored draft with the result of its examination. */
interface BookedDraft {
  rowId: number
  publicId: string
  version: number
  /** Null: the default series of its kind and year. */
  seriesId: number | null
  /** Row of the customer's contact, if there is one. */
  contactRowId: number | null
  /** True if approvals of it may be pending. */
  hasApprovals: boolean
}
type BookedFacts = Pick<Examination, 'content' | 'totals' | 'issuer' | 'issueDate' | 'hash'> &
  // Known after an examination in the same transaction.
  Partial<Pick<Examination, 'series' | 'chain' | 'named'>>

/** An invoice with its number and its record. */
interface Registered {
  values: IssueValues
  seriesCode: string
  record: MadeRecord
  counted: CountedInvoice
}

/** Takes the number of the series; the default one of a year is added with its first invoice. */
async function numberFor(ctx: Ctx, draft: BookedDraft, { content, issueDate, series }: BookedFacts) {
  if (series) return { seriesId: series.id, taken: await takeKnownNumber(ctx, series, issueDate) }
  const seriesId =
    draft.seriesId ?? (await ensureSeries(ctx, seriesKindOf(content.kind), Number(issueDate.slice(0, 4)))).id
  return { seriesId, taken: await takeNumber(ctx, seriesId, issueDate) }
}

/** Writes number, frozen row and record of an invoice. Runs in the issue transaction. */
async function register(ctx: Ctx, draft: BookedDraft, facts: BookedFacts): Promise<Registered> {
  const { content, totals, issuer, issueDate, hash } = facts
  const { seriesId, taken } = await numberFor(ctx, draft, facts)
  failpoint('issue.number_taken')
  const values: IssueValues = {
    id: draft.rowId,
    version: draft.version,
    seriesId,
    sequence: taken.sequence,
    number: taken.number,
    issueDate,
    issuerId: await saveIssuer(ctx, issuer),
    isOwed: totals.amountDueCents - content.replacedCents > 0 ? 1 : 0,
    registryStatus: 'pending',
    contentHash: hash,
    issuedAt: ctx.now().getTime(),
  }
  await markIssued(ctx, values)
  if (content.instalments !== null) await writeInstalments(ctx, draft.rowId, owedInstalments(content, totals))
  if (draft.hasApprovals) await closeApprovals(ctx, draft.rowId)
  const record = await appendRegistration(
    ctx,
    draft.rowId,
    registrationOf(content, totals, { number: taken.number, issueDate, issuer }),
    { chain: facts.chain, detailOf: () => registryDetailOf(content, totals) },
  )
  failpoint('issue.record_sealed')
  const replaced = replacesInvoices(content)
    ? await recordReplacements(ctx, draft.rowId, content, facts.named)
    : []
  const counted = { rowId: draft.rowId, content, totals, issueDate, justIssued: { replaced } }
  return { values, seriesCode: taken.code, record, counted }
}

/**
 * Writes number, frozen row, record, totals and history of an invoice, in the issue transaction. Returns what `view`
 * makes of it and of its event in the history, which takes no time of its own: the database is writing meanwhile.
 */
export async function bookInvoice<T>(
  ctx: Ctx,
  draft: BookedDraft,
  facts: BookedFacts,
  view: (registered: Registered, event: HistoryRow) => Promise<T>,
): Promise<T> {
  const registered = await register(ctx, draft, facts)
  const { counted, values } = registered
  const recorded = recordAudit(ctx, {
    action: 'invoice.issued',
    target: { type: 'invoice', id: draft.publicId, label: values.number },
  })
  // None of these needs what another one writes.
  const [viewed] = await allOf(
    recorded.then((event) => view(registered, event)),
    bookEntry(ctx, counted, draft.contactRowId),
    countInvoice(ctx, counted, 1),
    emitEvent(ctx, 'invoice.issued', { invoiceId: draft.publicId, number: values.number }),
  )
  return viewed
}

/** An invoice that this transaction has booked, with what it has read of it. */
export interface BookedInvoice {
  rowId: number
  issuer: PartyFacts
  lines: readonly LineRow[]
  references: readonly InvoiceReferenceFacts[]
}

/** What the issue of a draft reads before it is known to be one. */
interface ReadAhead {
  state: BookState
  /** Its history so far. */
  history: readonly HistoryRow[]
}

async function readAhead(tx: Ctx, publicId: string): Promise<ReadAhead> {
  const [state, history] = await allOf(readBookState(tx), historyOf(tx, publicId))
  return { state, history }
}

/**
 * Issues a draft with its unspent confirmation, in the issue transaction. `key` requested it, null for the person at
 * the window: the key's caps are spent.
 */
export async function issueConfirmed(
  tx: Ctx,
  row: InvoiceRow,
  confirmation: Confirmation,
  key: { rowId: number } | null,
  ahead?: ReadAhead,
): Promise<Invoice> {
  if (row.state !== 'draft')
    throw new AppError('invoice_not_draft', { details: { id: row.public_id, number: row.number } })
  const { state, history } = ahead ?? (await readAhead(tx, row.public_id))
  const examination = await examineDraft(tx, row, { withAlike: false, state })
  await spendConfirmation(tx, confirmation, { version: row.version, contentHash: examination.hash })
  failpoint('issue.token_spent')
  // A refusal shows the warnings too.
  if (examination.faults.some(({ severity }) => severity === 'error'))
    refuseFaulty((await examineDraft(tx, row)).faults)
  if (key) await spendCaps(tx, key, examination.totals.totalCents)
  const issued = await bookInvoice(
    tx,
    {
      rowId: row.id,
      publicId: row.public_id,
      version: row.version,
      seriesId: row.series_id,
      contactRowId: row.contact_id,
      hasApprovals: confirmation.has_approvals === 1,
    },
    examination,
    // What follows from the draft and from what was written is not read again under the lock.
    ({ values, seriesCode, record }, event) =>
      invoiceView(tx, rowAsIssued(row, values, seriesCode), {
        issuer: examination.issuer,
        lines: examination.lines,
        references: examination.content.references,
        named: examination.named,
        record,
        history: [...history, event].slice(0, MOST_EVENTS),
      }),
  )
  const { issuer, lines, content } = examination
  const booked: BookedInvoice = { rowId: row.id, issuer, lines, references: content.references }
  // Nothing is called issued that something else will contradict: the transaction fails, and the draft stays.
  await tx.env.truth.check(tx, booked)
  await queueDocument(tx, row.id)
  tx.wake('sender')
  tx.wake('documents')
  return issued
}

/**
 * Issues a draft with the token of its validation. A repeated call after success returns the same invoice with
 * `replayed`; any other second use of the token is rejected.
 */
export const issueInvoice: UseCase<typeof issueInvoiceContract> = async (ctx, input) => {
  const { id, confirmationToken } = input
  if (!confirmationToken) throw new AppError('confirmation_required', { field: 'confirmationToken' })
  const issue = async (tx: Ctx): Promise<Invoice> => {
    // A draft has no number yet: whoever names it gives its identifier.
    const [row, read, ahead] = await allOf(
      resolveInvoice(tx, id),
      readConfirmation(tx, confirmationToken),
      readAhead(tx, id),
    )
    const confirmation = confirmationFor(tx, read, { invoiceId: row.id, action: 'issue' })
    if (confirmation.used_at !== null) {
      if (row.state === 'issued') return { ...(await invoiceView(tx, row)), replayed: true }
      throw new AppError('confirmation_used')
    }
    if (row.state !== 'draft')
      throw new AppError('invoice_not_draft', { details: { id: row.public_id, number: row.number } })
    await refuseUnapproved(tx, confirmation, async () => ({
      version: row.version,
      hash: (await examineDraft(tx, row, { withAlike: false })).hash,
    }))
    return issueConfirmed(tx, row, confirmation, tx.actor.kind === 'key' ? tx.actor : null, ahead)
  }
  const loading = ctx.env.truth.load()
  if (loading) await loading
  return ctx.transaction(issue, { readsFirst: true })
}
