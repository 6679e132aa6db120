/** Accountant's pack: all documents and figures of a quarter in one archive that opens without Sello. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { filesOf, readFile } from '../../platform/attachments/index.ts'
import { findCompany } from '../../company/index.ts'
import { textCell } from '../../domain/formats/csv-writer.ts'
import { addDays, madridTime } from '../../domain/dates.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { issuedDocument } from '../../documents/rendering/index.ts'
import { firstDocument, readDocument, resolveInvoice } from '../../sales/invoices/index.ts'
import { exportLedger } from '../../accounting/ledger/index.ts'
import { exportedFiles, exportRange } from '../../registry/index.ts'
import type { FiscalModel, fiscalPackContract } from '../../accounting/returns/contract.ts'
import {
  booksFile,
  checkedBooks,
  FAULT_MESSAGES,
  modelView,
  quarterReturn,
  returnsOfQuarter,
} from '../../accounting/returns/index.ts'
import type { ReturnPeriod } from '../../accounting/returns/index.ts'
import { eurosText, packPage } from './page.ts'
import type { ListedDocument } from './page.ts'
import { openPack } from './zip.ts'
import type { Pack } from './zip.ts'

const PAGE = 200
const LATE_DAYS = 366
const SHOWN_FAULTS = 100

/** Returns a file name that is valid on every system. */
function safeName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
  return plain.replace(/^[.-]+|-+$/g, '').slice(0, 60) || 'documento'
}

/**
 * Returns the PDF of an issued invoice: the stored one, or one rendered and stored now; null with a report when it
 * cannot be rendered.
 */
async function pdfOf(ctx: Ctx, row: { id: number; public_id: string }): Promise<Uint8Array | null> {
  const kept = await firstDocument(ctx.db, row.id)
  try {
    if (kept) return (await readDocument(ctx, kept)).bytes
    const invoice = await resolveInvoice(ctx, row.public_id)
    return (await issuedDocument(ctx, invoice, { format: 'pdf', language: null })).bytes
  } catch (error) {
    ctx.env.report('accountant-pack', error)
    return null
  }
}

async function addIssued(ctx: Ctx, pack: Pack, period: ReturnPeriod): Promise<ListedDocument[]> {
  const listed: ListedDocument[] = []
  let after = { date: '', id: 0 }
  for (;;) {
    const rows = await ctx.db
      .selectFrom('invoices')
      .leftJoin('amended_parties', 'amended_parties.invoice_id', 'invoices.id')
      .innerJoin('parties', (join) =>
        join.on('parties.id', '=', sql<number>`coalesce(amended_parties.party_id, invoices.party_id)`),
      )
      .select([
        'invoices.id',
        'invoices.public_id',
        'invoices.number',
        'invoices.list_date',
        'invoices.base_cents',
        'invoices.total_cents',
        'invoices.language',
        'invoices.cancelled_at',
        'parties.name',
        'parties.nif',
      ])
      .where('invoices.book_id', '=', ctx.book.id)
      .where('invoices.state', '=', 'issued')
      .where('invoices.list_date', '>=', period.from)
      .where('invoices.list_date', '<=', addDays(period.to, LATE_DAYS))
      .where(
        sql<SqlBool>`case when invoices.kind like 'R%' then invoices.issue_date else coalesce(invoices.operation_date, invoices.issue_date) end between ${period.from} and ${period.to}`,
      )
      .where(sql<SqlBool>`(invoices.list_date, invoices.id) > (${after.date}, ${after.id})`)
      .orderBy('invoices.list_date')
      .orderBy('invoices.id')
      .limit(PAGE)
      .execute()
    const last = rows.at(-1)
    if (!last) return listed
    for (const row of rows) {
      const bytes = await pdfOf(ctx, row)
      const path = bytes === null ? null : `facturas-emitidas/${safeName(row.number ?? String(row.id))}.pdf`
      if (bytes !== null && path !== null) await pack.add(path, bytes, false)
      listed.push({
        number: `${row.number ?? ''}${row.cancelled_at === null ? '' : ' (anulada)'}`,
        date: row.list_date,
        name: row.name,
        nif: row.nif ?? '',
        base: eurosText(eurosFromCents(row.base_cents)),
        total: eurosText(eurosFromCents(row.total_cents)),
        path,
      })
    }
    after = { date: last.list_date, id: last.id }
  }
}

async function addReceived(ctx: Ctx, pack: Pack, period: ReturnPeriod): Promise<ListedDocument[]> {
  const listed: ListedDocument[] = []
  const rows = await ctx.db
    .selectFrom('received_invoices')
    .select([
      'id',
      'year',
      'sequence',
      'supplier_number',
      'supplier_name',
      'supplier_nif',
      'supplier_nif_written',
      'issue_date',
      'base_cents',
      'total_cents',
    ])
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'entered')
    .where('reception_date', '>=', period.from)
    .where('reception_date', '<=', period.to)
    .orderBy('reception_date')
    .orderBy('id')
    .execute()
  for (const row of rows) {
    let path: string | null = null
    for (const [index, file] of (await filesOf(ctx, { type: 'received', id: row.id })).entries()) {
      const extension = /\.([A-Za-z0-9]{1,5})$/.exec(file.name)?.[1] ?? 'bin'
      const base = `${row.year}-${String(row.sequence).padStart(4, '0')}-${safeName(row.supplier_name)}`
      const at = `facturas-recibidas/${base}${index === 0 ? '' : `-${index + 1}`}.${extension}`
      await pack.add(at, await readFile(ctx, file), false)
      path ??= at
    }
    listed.push({
      number: `${row.year}/${row.sequence} · ${row.supplier_number ?? 'sin número'}`,
      date: row.issue_date,
      name: row.supplier_name,
      nif: row.supplier_nif_written ?? row.supplier_nif ?? '',
      base: eurosText(eurosFromCents(row.base_cents)),
      total: eurosText(eurosFromCents(row.total_cents)),
      path,
    })
  }
  return listed
}

async function addBooks(ctx: Ctx, pack: Pack, year: number, quarter: number): Promise<string[]> {
  const { unzipSync } = await import('fflate/browser')
  const sheet = await booksFile(ctx, { year, quarter, format: 'xlsx' })
  await pack.add(`libros/${sheet.fileName}`, sheet.bytes, false)
  const text = await booksFile(ctx, { year, quarter, format: 'csv' })
  for (const [name, bytes] of Object.entries(unzipSync(text.bytes))) await pack.add(`libros/${name}`, bytes)
  const { faults, total } = await checkedBooks(ctx, year, quarter)
  const shown = faults
    .slice(0, SHOWN_FAULTS)
    .map(
      (fault) =>
        `${fault.sheet} ${fault.column}${fault.row}${fault.document ? ` (${fault.document})` : ''}, regla ${fault.rule}: ${FAULT_MESSAGES[fault.code] ?? fault.message}`,
    )
  return total > shown.length ? [...shown, `… y ${total - shown.length} más.`] : shown
}

function modelCsv(model: FiscalModel): string {
  const lines = model.boxes.map((box) =>
    [
      box.box,
      textCell(box.label.es),
      csvValue(box.amount),
      textCell(box.formula?.es ?? ''),
      csvValue(box.documents),
    ].join(';'),
  )
  const lists = model.lists.flatMap((list) => [
    '',
    textCell(list.title.es),
    list.columns.map(({ label }) => textCell(label.es)).join(';'),
    ...list.rows.map((row) =>
      row
        .map((cell, at) =>
          csvValue(typeof cell === 'string' ? (list.columns[at]?.values?.[cell]?.es ?? cell) : cell),
        )
        .join(';'),
    ),
  ])
  return `\ufeff${['Casilla;Concepto;Importe;Fórmula;Documentos', ...lines, ...lists].join('\r\n')}\r\n`
}

function csvValue(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value).replace('.', ',')
  return textCell(value)
}

async function addModels(ctx: Ctx, pack: Pack, year: number, quarter: number): Promise<FiscalModel[]> {
  const models: FiscalModel[] = []
  for (const [model, period] of await returnsOfQuarter(ctx, { year, quarter })) {
    const view = await modelView(ctx, model, period)
    if (view.applies === false) continue
    models.push(view)
    await pack.add(`modelos/${model}-${view.period}.json`, `${JSON.stringify(view, null, 2)}\n`)
    await pack.add(`modelos/${model}-${view.period}.csv`, modelCsv(view))
  }
  return models
}

/** Creates the archive of a quarter. */
export const accountantPack: UseCase<typeof fiscalPackContract> = async (ctx, { year, quarter }) => {
  const company = await findCompany(ctx)
  const period = quarterReturn(year, quarter)
  const now = ctx.now()
  const pack = await openPack(now)
  const issued = await addIssued(ctx, pack, period)
  const received = await addReceived(ctx, pack, period)
  const faults = await addBooks(ctx, pack, year, quarter)
  const models = await addModels(ctx, pack, year, quarter)
  const journal = await exportLedger(ctx, {
    what: 'journal',
    format: 'csv',
    year,
    quarter,
    language: 'es',
  })
  await pack.add('contabilidad/diario.csv', journal.bytes)
  const range = await exportRange(ctx, year)
  if (range)
    for await (const { path, parts } of exportedFiles(ctx, range)) await pack.add(`registro/${path}`, parts)
  const { date, time } = madridTime(now)
  const page = packPage({
    company: { name: company.legal_name, nif: company.nif },
    title: `Documentación fiscal ${period.code} ${year}`,
    period: `${period.from} a ${period.to}`,
    madeAt: `${date} ${time.slice(0, 5)}`,
    isTest: ctx.book.mode === 'test',
    models,
    issued,
    received,
    faults,
    files: [...pack.files],
  })
  await pack.add('index.html', page)
  return {
    ...pack.finish(),
    fileName: `${year}-${period.code}-${company.nif}${ctx.book.mode === 'test' ? '-test' : ''}.zip`,
  }
}
