/**
 * Follows the books: reads the events of a book after the last one it knows, and brings the followed invoices in line with
 * what the books say now. Reading the same event again changes nothing, so that no crash can lose or double anything.
 */
import { findCompany } from '../../../company/index.ts'
import { bookEventsAfter } from '../../../platform/events/index.ts'
import type { StoredEvent } from '../../../platform/events/index.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { assessEntered, entryOfCode, filesOfEntry, ofCode } from '../../../purchases/incoming/index.ts'
import type { PurchaseCode } from '../../../purchases/incoming/index.ts'
import { isSimplified } from '../../../sales/invoices/index.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import type { Ctx } from '../../../context.ts'
import { notDueBecause } from '../law/scope.ts'
import type { NotDue } from '../law/scope.ts'
import { isContradicted, needlessRefused, nextStep } from '../said/plan.ts'
import {
  collectedOn,
  issuedFacts,
  issuedFactsOf,
  paidOn,
  paymentTermEnd,
  receivedFacts,
  receivedFactsOf,
} from './books.ts'
import type { IssuedFacts, ReceivedFacts } from './books.ts'
import {
  documentOfInvoice,
  documentOfReceived,
  insertDocument,
  reportsOf,
  unjoinedOf,
  unjoinedOfFile,
} from './rows.ts'
import type { DocumentRow } from './rows.ts'
import type { InvoiceCode } from '../types.ts'
import { changeFlow, findExchangeContact, findFlow, findSettings } from './settings.ts'
import type { SettingsRow } from './settings.ts'
import { addReport, dropOpenReports, dropReport, recordExchange, recordFact, saidReports } from './write.ts'

const EVENTS_AT_ONCE = 200
/** More steps than any change of the books can need. */
const MOST_STEPS = 10

/** Returns the ids of invoices and purchases that some events are about, each once. */
function concerned(events: readonly StoredEvent[]): { invoices: string[]; received: string[] } {
  const invoices = new Set<string>()
  const received = new Set<string>()
  for (const { type, data } of events) {
    if (/^invoice\.(issued|changed|cancelled|amended)$/.test(type) && typeof data.invoiceId === 'string')
      invoices.add(data.invoiceId)
    if (type === 'received.changed' && typeof data.receivedId === 'string') received.add(data.receivedId)
  }
  return { invoices: [...invoices], received: [...received] }
}

/** Follows what has happened in the book since the last time. Returns how many events were read. */
export async function followBooks(ctx: Ctx): Promise<number> {
  let read = 0
  for (;;) {
    const { event_id: from } = await findFlow(ctx)
    const events = await bookEventsAfter(ctx.db, ctx.book.id, from, EVENTS_AT_ONCE)
    const last = events.at(-1)
    if (last === undefined) return read
    const { invoices, received } = concerned(events)
    const isFollowed = await ctx.transaction(async (tx) => {
      const settings = await findSettings(tx)
      // Another server was faster.
      if (settings === null || (await findFlow(tx)).event_id !== from) return false
      for (const id of invoices) await followIssued(tx, settings, await issuedFacts(tx, id))
      for (const id of received) await followReceived(tx, settings, await receivedFacts(tx, id))
      await changeFlow(tx, { event_id: last.id })
      return true
    })
    if (!isFollowed) return read
    failpoint('exchange.followed')
    read += events.length
    if (events.length < EVENTS_AT_ONCE) return read
  }
}

/** Returns null for an invoice that goes by the platform, with whether as a copy; or why it does not. */
export async function dueOf(
  tx: Ctx,
  settings: SettingsRow,
  row: IssuedFacts,
): Promise<{ why: NotDue | null; isCopy: boolean }> {
  const agreed = await findExchangeContact(tx, row.contact_id)
  const channel = agreed?.channel ?? 'platform'
  if (row.cancelled_at !== null) return { why: 'cancelled', isCopy: false }
  const why = notDueBecause(
    {
      kind: row.kind,
      isQualified: isSimplified(row.kind) && row.simplified_art7273 === 1 && row.client_nif !== null,
      issueDate: row.issue_date ?? '',
      clientNif: row.client_id_type === null ? row.client_nif : null,
      clientCountry: row.client_country,
      isBusiness: row.is_business === null ? null : row.is_business === 1,
      isPublicBody: row.dir3_office !== null,
      channel,
    },
    settings.followed_from ?? '9999-12-31',
  )
  return { why, isCopy: channel === 'copy' }
}

/** Follows an issued invoice: queues a new one, and says what payments changed. */
async function followIssued(
  tx: Ctx,
  settings: SettingsRow,
  facts: IssuedFacts | null,
  again = false,
): Promise<DocumentRow | null> {
  if (facts === null || facts.state !== 'issued' || facts.number === null || facts.issue_date === null)
    return null
  let row = await documentOfInvoice(tx, facts.id)
  if (row === null) {
    if (settings.sending_since === null) return null
    const { why, isCopy } = await dueOf(tx, settings, facts)
    // An invoice of before is not followed; every later one is, if only to say why it does not go this way.
    if (why === 'before_followed') return null
    row = await beginDocument(tx, facts, why, isCopy)
  } else if (facts.cancelled_at !== null && row.state === 'to_send' && row.attempts === 0) {
    await recordFact(
      tx,
      row,
      { fact: 'cancelled_here' },
      { state: 'not_due', why: 'cancelled', next_at: null },
    )
    await dropOpenReports(tx, row)
  } else if (facts.cancelled_at !== null && row.state === 'admitted' && row.why !== 'cancelled')
    await recordFact(tx, row, { fact: 'cancelled_here' }, { why: 'cancelled' })
  if (row.state === 'not_due' || row.state === 'withdrawn') return row
  const day = settings.report_collections === 1 ? await collectedOn(tx, facts) : null
  await sayWanted(tx, row, day === null ? null : { said: 'settled', day, dueDate: null }, again)
  return row
}

/** Adds an issued invoice to those that are followed. */
export async function beginDocument(
  tx: Ctx,
  facts: IssuedFacts,
  why: NotDue | null,
  isCopy: boolean,
): Promise<DocumentRow> {
  const { nif } = await findCompany(tx)
  const row = await insertDocument(tx, {
    direction: 'issued',
    invoice_id: facts.id,
    issuer_nif: normalizeNif(nif),
    number: facts.number ?? '',
    issue_date: facts.issue_date ?? '',
    partner_nif: facts.client_nif === null ? null : normalizeNif(facts.client_nif),
    partner_name: facts.client_name,
    total_cents: facts.total_cents,
    due_date: paymentTermEnd(facts),
    is_copy: isCopy ? 1 : 0,
    state: why === null ? 'to_send' : 'not_due',
    why,
    next_at: why === null ? tx.now().getTime() : null,
  })
  await recordFact(tx, row, { fact: why === null ? 'queued' : 'not_due', code: why })
  if (why === null) {
    await recordExchange(tx, 'exchange.queued', row)
    tx.wake('exchange')
  }
  return row
}

/** Returns true for a purchase whose supplier is a business in Spain and that has an invoice of its own. */
function isFromSpain(facts: ReceivedFacts): boolean {
  return (
    facts.supplier_country === 'ES' &&
    facts.supplier_nif !== null &&
    facts.supplier_id_type === null &&
    facts.supplier_number !== null &&
    facts.currency === 'EUR' &&
    (facts.kind === 'invoice' || facts.kind === 'rectifying')
  )
}

/** Follows a purchase: knows an arrived invoice again, and says what payments changed. */
export async function followReceived(
  tx: Ctx,
  settings: SettingsRow,
  facts: ReceivedFacts | null,
  again = false,
): Promise<DocumentRow | null> {
  if (facts === null || facts.state === 'history') return null
  let row = await documentOfReceived(tx, facts.id)
  row ??= await arrivedFor(tx, facts)
  if (row === null) {
    const isFollowed =
      settings.sending_since !== null && facts.issue_date >= (settings.followed_from ?? '9999')
    if (!isFollowed || facts.state === 'void' || !isFromSpain(facts)) return null
    row = await insertDocument(tx, {
      direction: 'received',
      received_id: facts.id,
      issuer_nif: normalizeNif(facts.supplier_nif ?? ''),
      number: facts.supplier_number ?? '',
      issue_date: facts.issue_date,
      partner_nif: normalizeNif(facts.supplier_nif ?? ''),
      partner_name: facts.supplier_name,
      total_cents: facts.total_cents,
      due_date: paymentTermEnd(facts),
      state: 'open',
    })
    await recordFact(tx, row, { fact: 'followed' })
  }
  if (row.state === 'withdrawn' || row.state === 'paid_on_the_invoice') return row
  const day = await paidOn(tx, facts)
  await sayWanted(
    tx,
    row,
    day === null ? null : { said: 'paid', day, dueDate: paymentTermEnd(facts) ?? facts.issue_date },
    again,
  )
  return row
}

/**
 * Returns the arrived invoice of a purchase, and joins the two; null if none arrived. The purchases know which documents are
 * one invoice: by its file, and by its code until the file is there.
 */
async function arrivedFor(tx: Ctx, facts: ReceivedFacts): Promise<DocumentRow | null> {
  const code = { nif: facts.supplier_nif, number: facts.supplier_number, issueDate: facts.issue_date }
  // Also one that its issuer has withdrawn: it was entered all the same, and nothing is said of it.
  const row =
    (await unjoinedOfFile(tx, await filesOfEntry(tx, facts.id, 'platform'))) ??
    (code.nif === null
      ? null
      : ofCode(await unjoinedOf(tx, normalizeNif(code.nif), code.issueDate), code, purchaseCodeOf))
  if (row === null) return null
  await recordFact(
    tx,
    row,
    { fact: 'entered' },
    { received_id: facts.id, due_date: paymentTermEnd(facts), total_cents: facts.total_cents },
  )
  // Its document may wait still, where the purchase was entered without it.
  if (row.incoming_id !== null) await assessEntered(tx, facts.id)
  return { ...row, received_id: facts.id }
}

/** Returns the code of a followed invoice as the purchases compare it. */
function purchaseCodeOf(row: DocumentRow): PurchaseCode {
  return { nif: row.issuer_nif, number: row.number, issueDate: row.issue_date }
}

/**
 * Returns the invoice that is followed already because its purchase was entered from elsewhere, and of which the platform
 * knows nothing yet; null if there is none. Its number may have been typed in another spelling.
 */
export async function followedWithoutFile(tx: Ctx, code: InvoiceCode): Promise<DocumentRow | null> {
  const entry = await entryOfCode(tx, {
    nif: code.issuerTaxId,
    number: code.number,
    issueDate: code.issueDate,
  })
  const row = entry === null ? null : await documentOfReceived(tx, entry.rowId)
  if (row === null || row.state === 'withdrawn' || row.locator !== null || row.content_id !== null)
    return null
  // What was said under another code stays what it was.
  return (await reportsOf(tx, row.id)).some(({ attempts }) => attempts > 0) ? null : row
}

/** Says what the books say, step by step. */
async function sayWanted(
  tx: Ctx,
  row: DocumentRow,
  wanted: { said: 'paid' | 'settled'; day: string; dueDate: string | null } | null,
  again: boolean,
): Promise<void> {
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const reports = saidReports(await reportsOf(tx, row.id))
    const step = nextStep(reports, wanted, tx.today(), { again })
    if (step === null) {
      const needless = needlessRefused(reports, wanted)
      if (needless !== null) await dropReport(tx, row, needless.id)
      const isOdd = isContradicted(reports, wanted)
      if (isOdd !== (row.why === 'paid_though_rejected') && row.direction === 'received')
        await recordFact(
          tx,
          row,
          { fact: isOdd ? 'blocked' : 'followed', code: isOdd ? 'paid_though_rejected' : null },
          { why: isOdd ? 'paid_though_rejected' : null },
        )
      return
    }
    if (step.kind === 'drop') await dropReport(tx, row, step.reportId)
    else
      await addReport(tx, row, {
        kind: step.what,
        day: step.day,
        dueDate: step.what === 'paid' ? (wanted?.dueDate ?? null) : null,
        byMachine: true,
      })
  }
  throw new Error(`What is said of ${row.public_id} does not come to rest.`)
}

/** Brings one followed invoice in line with the books. `again`: also by what the platform refused before. */
export async function followAgain(tx: Ctx, row: DocumentRow, again = false): Promise<void> {
  const settings = await findSettings(tx)
  if (settings === null) return
  if (row.invoice_id !== null)
    await followIssued(tx, settings, await issuedFactsOf(tx, row.invoice_id), again)
  if (row.received_id !== null)
    await followReceived(tx, settings, await receivedFactsOf(tx, row.received_id), again)
}
