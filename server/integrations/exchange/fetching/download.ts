/** Fetches the files of invoices that arrived, keeps them byte for byte, and hands each to the purchases. */
import { failpoint } from '../../../db/failpoints.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { receiveStructured } from '../../../purchases/incoming/index.ts'
import type { Ctx } from '../../../context.ts'
import type { ExchangePort } from '../port.ts'
import { readInvoice } from '../../../documents/e-invoice/index.ts'
import { outcomeOf } from '../sending/outcome.ts'
import { waitAfter, dueNow, MOST_BYTES, MOST_IN_BATCH } from '../sending/pace.ts'
import { receivedFactsOf } from '../state/books.ts'
import { contentRow, keepBytes } from '../state/contents.ts'
import type { StoredContent } from '../state/contents.ts'
import { followReceived } from '../state/follow.ts'
import { changeDocument, documentRow } from '../state/rows.ts'
import type { DocumentRow } from '../state/rows.ts'
import { findSettings } from '../state/settings.ts'
import { recordFact } from '../state/write.ts'
import type { NamedInvoice } from '../types.ts'

/** Of a name that is shown. */
const LONGEST_NAME = 200
/** Messages of one turn; the next one goes on. */
const MOST_MESSAGES = 20

function arrived(ctx: Ctx): Promise<DocumentRow[]> {
  return ctx.db
    .selectFrom('exchange_documents')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('direction', '=', 'received')
    .where('next_at', 'is not', null)
    .where(dueNow(ctx))
    .where('locator', 'is not', null)
    .where('content_id', 'is', null)
    .orderBy('id')
    .limit(MOST_IN_BATCH)
    .execute()
}

/** Fetches what has arrived and was not fetched. What cannot be had now is asked for later. */
export async function downloadArrived(ctx: Ctx, port: ExchangePort): Promise<void> {
  for (let messages = 0; messages < MOST_MESSAGES; messages += 1) {
    const rows = await arrived(ctx)
    if (rows.length === 0) return
    const outcome = await outcomeOf(ctx, () => port.download(rows.flatMap(({ locator }) => locator ?? [])))
    const files = new Map(
      outcome.kind === 'answered' ? outcome.answer.map(({ locator, xml }) => [locator, xml]) : [],
    )
    for (const row of rows) {
      const xml = files.get(row.locator ?? '')
      if (!xml || !(await isTakenIn(ctx, row, xml)))
        await ctx.transaction((tx) =>
          changeDocument(tx, row.id, {
            queries: row.queries + 1,
            next_at: tx.now().getTime() + waitAfter(tx, row.queries + 1),
          }),
        )
    }
    if (outcome.kind !== 'answered') return
  }
}

/** Takes a file in, unless too many others are being read now: then it is fetched again later. */
async function isTakenIn(ctx: Ctx, row: DocumentRow, xml: Uint8Array): Promise<boolean> {
  try {
    await takeIn(ctx, row, xml)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_busy') return false
    throw error
  }
}

/** What names a file in the purchases. */
type Named = Pick<DocumentRow, 'issuer_nif' | 'number' | 'partner_name'>

/** What the purchases do not take in: it is kept here, and nothing can be entered of it. */
const NOT_TAKEN: readonly string[] = ['attachment_type', 'payload_too_large']

/**
 * Hands a file to the purchases, which know the same invoice by other channels. Returns the document that it belongs to there;
 * null if they cannot take it.
 */
async function handOver(
  ctx: Ctx,
  row: Named,
  xml: Uint8Array,
): Promise<{ incomingId: string } | { refused: string }> {
  try {
    return await receiveStructured(ctx, {
      channel: 'platform',
      bytes: xml,
      fileName: `${row.issuer_nif}-${row.number.replaceAll(/[^\w.-]/g, '_')}.xml`,
      receivedAt: ctx.now().toISOString(),
      sender: row.partner_name ?? row.issuer_nif,
    })
  } catch (error) {
    if (error instanceof AppError && NOT_TAKEN.includes(error.code)) return { refused: error.code }
    throw error
  }
}

/** Notes that a file cannot be used: a person looks at the platform. */
function noteUnusable(ctx: Ctx, row: DocumentRow, why: 'too_large' | 'file_unreadable'): Promise<void> {
  return ctx.transaction((tx) => recordFact(tx, row, { fact: 'blocked', code: why }, { why, next_at: null }))
}

/** A file that is kept and handed over, for the transaction that writes it. */
interface HandedIn {
  kept: StoredContent
  said: NamedInvoice | null
  handed: Awaited<ReturnType<typeof handOver>>
}

/** Keeps a file, reads it and hands it to the purchases. Done again after a crash, it finds the document that is there. */
export async function handIn(ctx: Ctx, of: Named, xml: Uint8Array): Promise<HandedIn> {
  const kept = await keepBytes(ctx, xml)
  const said = await readInvoice(xml)
  return { kept, said, handed: await handOver(ctx, of, xml) }
}

async function takeIn(ctx: Ctx, row: DocumentRow, xml: Uint8Array): Promise<void> {
  // The platform itself takes no larger ones.
  if (xml.length > MOST_BYTES) return noteUnusable(ctx, row, 'too_large')
  const given = await handIn(ctx, row, xml)
  failpoint('exchange.document_handed')
  await ctx.transaction((tx) => settleHandedIn(tx, row, given))
}

/** Writes the file of a followed invoice, if it has none yet. Call it in a transaction. */
export async function settleHandedIn(
  tx: Ctx,
  row: DocumentRow,
  { kept, said, handed }: HandedIn,
): Promise<void> {
  const now = await documentRow(tx, row.id)
  if (now.content_id !== null) return
  const incoming = 'refused' in handed ? null : await incomingOf(tx, handed.incomingId)
  await recordFact(
    tx,
    row,
    { fact: 'downloaded', code: 'refused' in handed ? handed.refused : null },
    {
      content_id: await contentRow(tx, kept),
      next_at: null,
      incoming_id: incoming?.id ?? null,
      ...('refused' in handed ? { why: 'file_unreadable' } : {}),
      ...(said === null
        ? {}
        : {
            total_cents: now.total_cents ?? centsOf(said.total),
            partner_name: now.partner_name ?? said.issuerName?.slice(0, LONGEST_NAME) ?? null,
          }),
    },
  )
  // It says itself that it was paid: that counts as the customer's report.
  if (said?.paidOn != null && now.state === 'open')
    await recordFact(
      tx,
      row,
      { fact: 'paid_on_the_invoice', day: said.paidOn },
      { state: 'paid_on_the_invoice' },
    )
  // It had come by another way, and its purchase was entered.
  const settings = await findSettings(tx)
  if (incoming?.received_id != null && settings !== null)
    await followReceived(tx, settings, await receivedFactsOf(tx, incoming.received_id))
}

function incomingOf(tx: Ctx, publicId: string) {
  return tx.db
    .selectFrom('incoming_documents')
    .select(['id', 'received_id'])
    .where('book_id', '=', tx.book.id)
    .where('public_id', '=', publicId)
    .executeTakeFirst()
}

/** Returns an amount of a document in cents; null if it is none. */
function centsOf(total: string): number | null {
  const euros = Number(total)
  return Number.isFinite(euros) ? Math.round(euros * 100) : null
}
