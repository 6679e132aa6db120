/** Exports of received invoices: the list as CSV and the documents as a ZIP, both streamed. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { attachmentView, filesOf, readFile } from '../../platform/attachments/index.ts'
import { csvFile, csvStream, spanishDate, spanishNumber, textCell } from '../../domain/formats/csv-writer.ts'
import type { CsvColumn } from '../../domain/formats/csv-writer.ts'
import { MOST_ZIP_BYTES, safeEntryName, uniqueName, zipOf } from '../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../domain/formats/zip-stream.ts'
import { withTaxTitles } from '../../company/index.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { findConcept } from './concepts.ts'
import type { exportReceivedContract, receivedFilesContract, ReceivedSummary } from './contract.ts'
import { receivedChosen } from './list.ts'
import type { ListRow } from './list.ts'
import { RECEIVED_TARGET, receivedSummary } from './view.ts'

const KINDS: Record<ReceivedSummary['kind'], string> = {
  invoice: 'Factura',
  simplified: 'Tique',
  rectifying: 'Rectificativa',
  receipt: 'Gasto sin factura',
  customs: 'DUA',
  reagyp: 'Recibo REAGYP',
  self_billed: 'Autofactura',
}

const STATUSES: Record<ReceivedSummary['payment']['status'], string> = {
  unpaid: 'Por pagar',
  partial: 'Pagada en parte',
  paid: 'Pagada',
  overdue: 'Vencida',
  void: 'Anulada',
}

const COLUMNS: readonly CsvColumn<ReceivedSummary>[] = [
  { title: 'Registro', cell: (it) => it.receptionNumber },
  { title: 'Proveedor', cell: (it) => textCell(it.supplierName) },
  { title: 'NIF', cell: (it) => textCell(it.supplierNif ?? '') },
  { title: 'Número', cell: (it) => textCell(it.supplierNumber ?? '') },
  { title: 'Fecha', cell: (it) => spanishDate(it.issueDate) },
  { title: 'Fecha de recepción', cell: (it) => spanishDate(it.receptionDate) },
  { title: 'Vencimiento', cell: (it) => (it.dueDate === null ? '' : spanishDate(it.dueDate)) },
  { title: 'Clase', cell: (it) => KINDS[it.kind] },
  { title: 'Concepto de gasto', cell: (it) => it.concept },
  { title: 'Nombre del concepto', cell: (it) => textCell(findConcept(it.concept)?.name ?? '') },
  { title: 'Base', cell: (it) => spanishNumber(it.base) },
  { title: 'Cuota IVA', cell: (it) => spanishNumber(it.tax) },
  { title: 'Total', cell: (it) => spanishNumber(it.total) },
  { title: 'A pagar', cell: (it) => spanishNumber(it.payable) },
  { title: 'Pagado', cell: (it) => spanishNumber(it.payment.paid) },
  { title: 'Pendiente', cell: (it) => spanishNumber(it.amountDue) },
  { title: 'Estado', cell: (it) => STATUSES[it.payment.status] },
  { title: 'Moneda', cell: (it) => it.currency },
  { title: 'Archivos', cell: (it) => String(it.files) },
]

async function* summaries(
  stretches: AsyncIterable<readonly ListRow[]>,
  ctx: Ctx,
): AsyncGenerator<ReceivedSummary[], void, undefined> {
  const today = ctx.today()
  for await (const rows of stretches)
    yield rows.map((row) => receivedSummary(row, row.contact_public_id, today))
}

/** Streams the list as CSV. Amounts are in euros. */
export const exportReceived: UseCase<typeof exportReceivedContract> = async (ctx, input) => ({
  stream: csvStream(await withTaxTitles(ctx, COLUMNS), summaries(await receivedChosen(ctx, input), ctx)),
  fileName: `facturas-recibidas-${ctx.today()}.csv`,
})

const INDEX = 'indice.csv'
const INDEX_TITLES = ['Registro', 'Proveedor', 'Número', 'Fecha', 'Archivo', 'SHA-256']
const NO_FILE = '(sin archivo)'
const NO_ROOM = '(no cabía: un ZIP llega hasta 4 GB)'
/** File types that are compressed already. */
const PACKED = /^(?:application\/pdf|image\/|application\/vnd\.)/

async function* documentEntries(
  ctx: Ctx,
  stretches: AsyncIterable<readonly ListRow[]>,
): AsyncGenerator<ZipEntry, void, undefined> {
  const taken = new Set([INDEX])
  const index: string[][] = [INDEX_TITLES]
  let bytesLeft = MOST_ZIP_BYTES
  for await (const rows of stretches)
    for (const row of rows) {
      const it = receivedSummary(row, row.contact_public_id, ctx.today())
      const labelled = (file: string, sha256: string): void =>
        void index.push([
          it.receptionNumber,
          textCell(it.supplierName),
          textCell(it.supplierNumber ?? ''),
          spanishDate(it.issueDate),
          textCell(file),
          sha256,
        ])
      const files = row.files === 0 ? [] : await filesOf(ctx, { type: RECEIVED_TARGET, id: row.id })
      if (files.length === 0) labelled(NO_FILE, '')
      for (const file of files) {
        const { sha256, mediaType, size } = attachmentView(file)
        bytesLeft -= size
        if (bytesLeft < 0) {
          bytesLeft += size
          labelled(NO_ROOM, sha256)
          continue
        }
        const name = uniqueName(safeEntryName(`${it.receptionNumber} ${file.name}`), taken)
        yield { name, bytes: await readFile(ctx, file), compress: !PACKED.test(mediaType) }
        labelled(name, sha256)
        // The store answers synchronously, so without a pause a fast reader would block every other request.
        await nextTurn()
      }
    }
  yield { name: INDEX, bytes: csvFile(index), compress: true }
}

/** Streams their documents as a ZIP. */
export const exportReceivedFiles: UseCase<typeof receivedFilesContract> = async (ctx, input) => ({
  stream: zipOf(documentEntries(ctx, await receivedChosen(ctx, input)), ctx.now()),
  fileName: `documentos-recibidos-${ctx.today()}.zip`,
})
