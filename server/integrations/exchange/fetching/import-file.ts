/**
 * Takes in files that a person fetched from the forms of the platform: invoices, statuses of the other side, answers. The
 * same file twice changes nothing.
 */
import { fileOf } from '../../../platform/attachments/index.ts'
import { findCompany } from '../../../company/index.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type { importFileContract } from '../contract.ts'
import { readPlatformFile } from '../../../documents/e-invoice/index.ts'
import { MOST_BYTES } from '../sending/pace.ts'
import { settleAdmittedReport, settleRefusedReport } from '../sending/reports.ts'
import { settleAdmitted, settleRefused } from '../sending/settle.ts'
import {
  codeColumns,
  documentOfCode,
  documentRow,
  insertDocument,
  OPEN_REPORTS,
  reportsOf,
  SENDING,
} from '../state/rows.ts'
import type { DocumentRow } from '../state/rows.ts'
import { recordExchange, recordFact } from '../state/write.ts'
import { listedRows, summaryView } from '../shown/view.ts'
import type { ListedRow } from '../shown/view.ts'
import type { InvoiceCode, PlatformAnswer, NamedInvoice, StatusMessage } from '../types.ts'
import { handIn, settleHandedIn } from './download.ts'
import { knownReceived, noteStatus } from './note.ts'

type Taken = { rows: DocumentRow[]; unknown: InvoiceCode[] }

/** Takes in a file, whatever of the three it is. */
export const importFile: UseCase<typeof importFileContract> = async (ctx, input) => {
  const file = fileOf(input)
  if (file.bytes.length > MOST_BYTES)
    throw new AppError('exchange_file_unreadable', { field: 'content', details: { why: 'too_large' } })
  if (file.mediaType !== 'application/xml')
    throw new AppError('exchange_file_unreadable', { field: 'content' })
  const { file: read, why } = await readPlatformFile(file.bytes)
  if (read === null)
    throw new AppError('exchange_file_unreadable', { field: 'content', ...(why ? { details: { why } } : {}) })
  const taken =
    read.kind === 'invoice'
      ? await takeInvoice(ctx, read.invoice, file.bytes)
      : read.kind === 'statuses'
        ? await takeStatuses(ctx, read.message)
        : await takeAnswer(ctx, read.answer)
  const { rows, unknown } = taken
  const ids = rows.map(({ id }) => id)
  const listed =
    ids.length === 0
      ? []
      : await listedRows(ctx)
          .where('exchange_documents.id', 'in', ids)
          .orderBy('exchange_documents.id')
          .$castTo<ListedRow>()
          .execute()
  return {
    kind: read.kind,
    documents: listed.map((row) => summaryView(row, ctx.today())),
    incomingId: read.kind === 'invoice' ? (listed[0]?.incoming_public_id ?? null) : null,
    unknown: unknown.map(({ issuerTaxId, number, issueDate }) => ({
      issuerNif: issuerTaxId,
      number,
      issueDate,
    })),
  }
}

const wrong = (code: string, message: string, fix: string): Error =>
  validationFailed([{ code, field: 'content', severity: 'error', message, fix }])

async function takeInvoice(ctx: Ctx, invoice: NamedInvoice, bytes: Uint8Array): Promise<Taken> {
  const own = normalizeNif((await findCompany(ctx)).nif)
  if (normalizeNif(invoice.issuerTaxId) === own)
    throw wrong('own_invoice', 'The company itself issued this invoice.', 'Take in those of suppliers.')
  if (invoice.recipientTaxId !== null && normalizeNif(invoice.recipientTaxId) !== own)
    throw wrong('other_recipient', 'The invoice is for somebody else.', 'Take it in for that company.')
  const before = await documentOfCode(ctx, 'received', invoice)
  if (before !== null && before.state !== 'withdrawn' && before.content_id !== null)
    return { rows: [before], unknown: [] }
  const code = codeColumns(invoice)
  const given = await handIn(ctx, { ...code, partner_name: null }, bytes)
  const row = await ctx.transaction(async (tx) => {
    const known = await knownReceived(tx, invoice)
    const followed =
      known ??
      (await insertDocument(tx, {
        direction: 'received',
        ...code,
        partner_nif: normalizeNif(invoice.issuerTaxId),
        is_copy: invoice.copy ? 1 : 0,
        state: 'open',
      }))
    if (known === null) {
      await recordFact(tx, followed, { fact: 'arrived', note: 'file' })
      await recordExchange(tx, 'exchange.arrived', followed)
    }
    await settleHandedIn(tx, followed, given)
    return followed
  })
  return { rows: [row], unknown: [] }
}

function takeStatuses(ctx: Ctx, message: StatusMessage): Promise<Taken> {
  return ctx.transaction(async (tx) => {
    const taken: Taken = { rows: [], unknown: [] }
    for (const report of message.reports) {
      const row = await documentOfCode(
        tx,
        message.role === 'recipient' ? 'issued' : 'received',
        report.invoice,
      )
      // Only the other party of an invoice can say something of it.
      const isTheirs =
        row !== null && (row.partner_nif === null || row.partner_nif === normalizeNif(message.senderTaxId))
      if (!isTheirs) {
        taken.unknown.push(report.invoice)
        continue
      }
      await noteStatus(tx, report.invoice, { ...report, role: message.role, presentedAt: message.issuedAt })
      taken.rows.push(row)
    }
    return taken
  })
}

/** Takes in what the platform answered to a file that was handed over by its forms. */
function takeAnswer(ctx: Ctx, answer: PlatformAnswer): Promise<Taken> {
  return ctx.transaction(async (tx) => {
    const taken: Taken = { rows: [], unknown: [] }
    for (const item of answer.items) {
      if (item.invoice === null) continue
      const own = await documentOfCode(tx, 'issued', item.invoice)
      const row = own ?? (await documentOfCode(tx, 'received', item.invoice))
      if (row === null) {
        taken.unknown.push(item.invoice)
        continue
      }
      taken.rows.push(row)
      const isTaken = item.code === '200'
      if (SENDING.includes(row.state)) {
        if (isTaken) await settleAdmitted(tx, row, { locator: item.locator, csv: answer.csv }, null, 'file')
        else await settleRefused(tx, row, { code: item.code, text: item.text }, null)
        continue
      }
      const head = (await reportsOf(tx, row.id)).find(({ state }) => OPEN_REPORTS.includes(state))
      if (head === undefined) continue
      const now = await documentRow(tx, row.id)
      if (isTaken) await settleAdmittedReport(tx, now, head, answer.csv)
      else await settleRefusedReport(tx, now, head, { code: item.code, text: item.text })
    }
    return taken
  })
}
