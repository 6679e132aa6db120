/** Content of an archive of documents: the files, their index, and the list of missing ones. Writes nothing to disk. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { csvFile, spanishDate, spanishNumber, textCell } from '../../../domain/formats/csv-writer.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { BytesAnswer } from '../../../domain/contract/fields.ts'
import type { Ctx } from '../../../context.ts'
import { resolveInvoice } from '../../../sales/invoices/index.ts'
import type { InvoiceRow } from '../../../sales/invoices/index.ts'
import { WHY_MISSING } from './messages.ts'
import type { Archive } from './run.ts'
import { issuedDocument } from '../invoice.ts'
import { uniqueName } from '../../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../../domain/formats/zip-stream.ts'

const INDEX = 'indice.csv'
const MISSING = 'faltan.csv'
const INDEX_TITLES = ['Número', 'Fecha', 'Cliente', 'NIF', 'Total', 'Archivo', 'SHA-256', 'Firma']
const MISSING_TITLES = ['Factura', 'Motivo', 'Código']

function signatureOf({ signature, fileName }: BytesAnswer): string {
  if (fileName.endsWith('.xsig')) return 'XAdES-EPES'
  return signature === undefined || signature === 'none' ? 'sin firma' : signature
}

function indexRow(row: InvoiceRow, document: BytesAnswer, name: string): string[] {
  return [
    textCell(row.number ?? ''),
    spanishDate(row.issue_date ?? ''),
    textCell(row.client_name),
    textCell(row.client_nif ?? ''),
    spanishNumber(eurosFromCents(row.total_cents)),
    textCell(name),
    document.sha256,
    signatureOf(document),
  ]
}

/** Yields the entries of a finished archive; each is read when it is needed. */
export async function* archiveEntries(ctx: Ctx, archive: Archive): AsyncGenerator<ZipEntry, void, undefined> {
  const taken = new Set([INDEX, MISSING])
  const index: string[][] = [INDEX_TITLES]
  for (const { id } of archive.made) {
    const row = await resolveInvoice(ctx, id)
    const document = await issuedDocument(ctx, row, archive)
    const name = uniqueName(document.fileName, taken)
    yield { name, bytes: document.bytes, compress: archive.format !== 'pdf' }
    index.push(indexRow(row, document, name))
    // The store answers immediately, so a fast reader would block all other work.
    await nextTurn()
  }
  yield { name: INDEX, bytes: csvFile(index), compress: true }
  if (archive.failed.length === 0) return
  const missing = archive.failed.map(({ id, number, why }) => [
    textCell(number ?? id),
    textCell(WHY_MISSING[why]),
    why,
  ])
  yield { name: MISSING, bytes: csvFile([MISSING_TITLES, ...missing]), compress: true }
}
