/** Files of the exchange: invoices and messages byte for byte. */
import { createHash } from 'node:crypto'
import { findCompany } from '../../../company/index.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type { exchangeFileContract, exchangeMessageContract, exportStatusContract } from '../contract.ts'
import { statusXml } from '../formats.ts'
import { roleOf, travelling } from '../sending/reports.ts'
import { readBytes } from '../state/contents.ts'
import { documentRow, findDocument, findMessage } from '../state/rows.ts'
import type { StatusReport } from '../types.ts'

const safe = (text: string): string => text.replaceAll(/[^\w.-]/g, '_')

function answered(bytes: Uint8Array, fileName: string) {
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), fileName }
}

/** Returns an invoice as it was sent or received. */
export const exchangeFile: UseCase<typeof exchangeFileContract> = async (ctx, { id }) => {
  const row = orNotFound(await findDocument(ctx, id))
  const bytes = await readBytes(ctx, orNotFound(row.content_id))
  return answered(bytes, `${safe(row.issuer_nif)}-${safe(row.number)}.xml`)
}

/** Returns a message, or its answer, as it was. */
export const exchangeMessage: UseCase<typeof exchangeMessageContract> = async (ctx, { id, part }) => {
  const row = orNotFound(await findMessage(ctx, id))
  const contentId = part === 'answer' ? row.answer_id : row.content_id
  return answered(await readBytes(ctx, orNotFound(contentId)), `${row.public_id}-${part}.xml`)
}

const MOST_REPORTS = 100

async function openReports(ctx: Ctx, role: 'issuer' | 'recipient', documentId?: string) {
  let query = ctx.db
    .selectFrom('exchange_reports')
    .innerJoin('exchange_documents', 'exchange_documents.id', 'exchange_reports.document_id')
    .selectAll('exchange_reports')
    .where('exchange_reports.book_id', '=', ctx.book.id)
    .where('exchange_reports.state', '=', 'to_send')
    .where('exchange_reports.kind', '<>', 'withdrawn')
    .where('exchange_documents.direction', '=', role === 'issuer' ? 'issued' : 'received')
  if (documentId !== undefined) query = query.where('exchange_documents.public_id', '=', documentId)
  return query.orderBy('exchange_reports.id').limit(MOST_REPORTS).execute()
}

/** Returns the reports that wait as a message, to hand over by the forms of the platform. Marks nothing as sent. */
export const exportStatus: UseCase<typeof exportStatusContract> = async (ctx, { role, documentId }) => {
  const reports: StatusReport[] = []
  for (const report of await openReports(ctx, role, documentId)) {
    const row = await documentRow(ctx, report.document_id)
    if (roleOf(row) === role) reports.push(travelling(row, report))
  }
  if (reports.length === 0) orNotFound(null)
  const { nif } = await findCompany(ctx)
  const xml = await statusXml({
    id: ctx.newId('exm'),
    role,
    senderTaxId: normalizeNif(nif),
    issuedAt: ctx.now().toISOString(),
    reports,
  })
  return answered(new Uint8Array(Buffer.from(xml, 'utf8')), `estados-${role}-${ctx.today()}.xml`)
}
