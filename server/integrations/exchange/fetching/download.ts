/** Fetches the files of invoices that arrived, keeps them byte for byte, and hands each to the purchases. */
import { failpoint } from '../../../db/failpoints.ts'
import { addDocument } from '../../../purchases/incoming/index.ts'
import type { Ctx } from '../../../context.ts'
import { readInvoice } from '../formats.ts'
import type { ExchangePort } from '../port.ts'
import { outcomeOf } from '../sending/outcome.ts'
import { waitAfter, dueNow, MOST_IN_BATCH } from '../sending/pace.ts'
import { receivedFactsOf } from '../state/books.ts'
import { contentRow, keepBytes } from '../state/contents.ts'
import { followReceived } from '../state/follow.ts'
import { changeDocument, documentRow } from '../state/rows.ts'
import type { DocumentRow } from '../state/rows.ts'
import { findSettings } from '../state/settings.ts'
import { recordFact } from '../state/write.ts'

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
      if (xml) await takeIn(ctx, row, xml)
      else
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

/** Keeps a file and hands it to the purchases. Done again after a crash, it finds the document that is there. */
export async function takeIn(ctx: Ctx, row: DocumentRow, xml: Uint8Array): Promise<void> {
  const kept = await keepBytes(ctx, xml)
  const said = await readInvoice(xml)
  const incomingId = row.received_id === null ? await handOver(ctx, row, xml) : null
  failpoint('exchange.document_handed')
  await ctx.transaction(async (tx) => {
    const now = await documentRow(tx, row.id)
    if (now.content_id !== null) return
    const isPaid = said?.paidOn != null && now.state === 'open'
    await recordFact(
      tx,
      row,
      { fact: 'downloaded' },
      {
        content_id: await contentRow(tx, kept),
        next_at: null,
        ...(incomingId === null ? {} : { incoming_id: incomingId }),
        ...(said === null
          ? {}
          : {
              total_cents: now.total_cents ?? centsOf(said.total),
              partner_name: now.partner_name ?? said.issuerName?.slice(0, LONGEST_NAME) ?? null,
            }),
      },
    )
    // It says itself that it was paid: that counts as the customer's report.
    if (isPaid)
      await recordFact(
        tx,
        row,
        { fact: 'paid_on_the_invoice', day: said?.paidOn ?? null },
        { state: 'paid_on_the_invoice' },
      )
    // The same file had come by another way, and its purchase was entered.
    if (incomingId !== null) await joinEntered(tx, incomingId)
  })
}

async function joinEntered(tx: Ctx, incomingId: number): Promise<void> {
  const { received_id: receivedId } = await tx.db
    .selectFrom('incoming_documents')
    .select('received_id')
    .where('book_id', '=', tx.book.id)
    .where('id', '=', incomingId)
    .executeTakeFirstOrThrow()
  const settings = await findSettings(tx)
  if (receivedId !== null && settings !== null)
    await followReceived(tx, settings, await receivedFactsOf(tx, receivedId))
}

/** Hands a file to the documents that wait to be entered, and returns its row. */
async function handOver(ctx: Ctx, row: DocumentRow, xml: Uint8Array): Promise<number> {
  const { row: incoming } = await addDocument(ctx, {
    name: `${row.issuer_nif}-${row.number.replaceAll(/[^\w.-]/g, '_')}.xml`,
    mediaType: 'application/xml',
    bytes: new Uint8Array(xml),
    source: 'program',
    sender: row.partner_name ?? row.issuer_nif,
  })
  return incoming.id
}

/** Returns an amount of a document in cents; null if it is none. */
function centsOf(total: string): number | null {
  const euros = Number(total)
  return Number.isFinite(euros) ? Math.round(euros * 100) : null
}
