/**
 * Builds the rows of the VAT books from issued and received invoices, page by page: one row for each document and
 * tax.
 */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { findCompany } from '../../../company/index.ts'
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import { takenBackParts } from '../../../tax/totals/index.ts'
import { kindOfAccount, linesWithAsset } from '../../assets/index.ts'
import { findProfile } from '../rows.ts'
import { assetRows, depreciationRows } from './asset-rows.ts'
import { activity, cellsOf } from './book-row.ts'
import type { BookRow, BookSpan, Holder } from './book-row.ts'
import { amountCell, dateCell, nifCell, quarterCell, rateCell } from './cells.ts'
import { CASH, issuedRows, METHODS, OTHER_METHOD, taxCellsOf } from './issued-rows.ts'
import type { Paid, Replaced, TaxCells } from './issued-rows.ts'
import { GOODS_COLUMNS, RECEIVED_COLUMNS } from '../../../domain/formats/vat-book-columns.ts'
import type { GoodsColumn, ReceivedColumn } from '../../../domain/formats/vat-book-columns.ts'

const PAGE = 250
/** Days after its operation within which an invoice may be issued or received and still belong to the range. */
const LATE_DAYS = 366

async function paymentsOf(
  ctx: Ctx,
  of: 'invoice_id' | 'received_id',
  ids: readonly number[],
  to: BusinessDate,
): Promise<Map<number, Paid[]>> {
  const byDocument = new Map<number, Paid[]>()
  if (ids.length === 0) return byDocument
  const rows = await ctx.db
    .selectFrom('payment_allocations')
    .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
    .select([
      `payment_allocations.${of} as document`,
      'payments.date',
      'payment_allocations.cents',
      'payments.method',
    ])
    .where(`payment_allocations.${of}`, 'in', ids)
    .where('payments.date', '<=', to)
    .orderBy('payments.date')
    .orderBy('payments.id')
    .execute()
  for (const row of rows) {
    const id = Number(row.document)
    const list = byDocument.get(id) ?? []
    list.push({ documentId: id, date: row.date, cents: row.cents, method: row.method })
    byDocument.set(id, list)
  }
  return byDocument
}

/** Documents of an earlier program are in the books of the periods in which they count. */
const IN_ISSUED_BOOK = sql<SqlBool>`(invoices.state = 'issued'
  or (invoices.state = 'history' and history_documents.is_counted = 1))`
const IN_RECEIVED_BOOK = sql<SqlBool>`(received_invoices.state = 'entered'
  or (received_invoices.state = 'history' and history_documents.is_counted = 1))`

async function issuedPage(ctx: Ctx, span: BookSpan, after: { date: string; id: number }) {
  return ctx.db
    .selectFrom('invoices')
    .leftJoin('amended_parties', 'amended_parties.invoice_id', 'invoices.id')
    .leftJoin('history_documents', 'history_documents.invoice_id', 'invoices.id')
    .innerJoin('parties', (join) =>
      join.on('parties.id', '=', sql<number>`coalesce(amended_parties.party_id, invoices.party_id)`),
    )
    .select([
      'invoices.id',
      'invoices.public_id',
      'invoices.number',
      'history_documents.last_number',
      'invoices.kind',
      'invoices.issue_date',
      'invoices.list_date',
      'invoices.operation_date',
      'invoices.withholding_bp',
      'invoices.withholding_cents',
      'invoices.external_ref',
      'invoices.property_situation',
      'invoices.cadastral_ref',
      'invoices.rectification_method',
      'parties.name',
      'parties.nif',
      'parties.id_type',
      'parties.country',
    ])
    .where('invoices.book_id', '=', ctx.book.id)
    .where(IN_ISSUED_BOOK)
    .where('invoices.cancelled_at', 'is', null)
    .where('invoices.list_date', '>=', addDays(span.from, -LATE_DAYS))
    .where('invoices.list_date', '<=', addDays(span.to, LATE_DAYS))
    .where(
      sql<SqlBool>`case when invoices.kind like 'R%' then invoices.issue_date else coalesce(invoices.operation_date, invoices.issue_date) end between ${span.from} and ${span.to}`,
    )
    .where(sql<SqlBool>`(invoices.list_date, invoices.id) > (${after.date}, ${after.id})`)
    .orderBy('invoices.list_date')
    .orderBy('invoices.id')
    .limit(PAGE)
    .execute()
}
type IssuedInvoice = Awaited<ReturnType<typeof issuedPage>>[number]

async function taxesOf(ctx: Ctx, page: readonly IssuedInvoice[]): Promise<Map<number, TaxCells[]>> {
  const byInvoice = new Map<number, TaxCells[]>()
  const kinds = new Map(page.map(({ id, kind }) => [id, kind]))
  const ids = [...kinds.keys()]
  if (ids.length === 0) return byInvoice
  const rows = await ctx.db
    .selectFrom('invoice_taxes')
    .selectAll()
    .where('invoice_id', 'in', ids)
    .orderBy('invoice_id')
    .orderBy('position')
    .execute()
  for (const row of rows) {
    const list = byInvoice.get(row.invoice_id) ?? []
    list.push(taxCellsOf(kinds.get(row.invoice_id) ?? '', row))
    byInvoice.set(row.invoice_id, list)
  }
  return byInvoice
}

/** Returns the replaced documents with the amounts that the tax totals deducted, so that books and totals agree. */
async function replacedBy(ctx: Ctx, invoices: readonly IssuedInvoice[]): Promise<Map<number, Replaced[]>> {
  const ids = invoices
    .filter((row) => row.rectification_method === 'S' || row.kind === 'F3')
    .map(({ id }) => id)
  const found = new Map<number, Replaced[]>()
  if (ids.length === 0) return found
  const own = await ctx.db
    .selectFrom('invoice_replacements')
    .innerJoin('invoices', 'invoices.id', 'invoice_replacements.replaced_id')
    .leftJoin('amended_parties', 'amended_parties.invoice_id', 'invoices.id')
    .innerJoin('parties', (join) =>
      join.on('parties.id', '=', sql<number>`coalesce(amended_parties.party_id, invoices.party_id)`),
    )
    .select([
      'invoice_replacements.invoice_id',
      'invoices.number',
      'invoices.kind',
      'invoices.withholding_bp',
      'invoices.withholding_cents',
      'parties.name',
      'parties.nif',
      'parties.id_type',
      'parties.country',
    ])
    .where('invoice_replacements.invoice_id', 'in', ids)
    .orderBy('invoice_replacements.invoice_id')
    .orderBy('invoice_replacements.replaced_id')
    .execute()
  for (const row of own) {
    const { invoice_id: id, number, kind, withholding_bp: rateBp, withholding_cents: cents } = row
    found.set(id, [
      ...(found.get(id) ?? []),
      {
        number: number ?? '',
        kind,
        customer: row,
        taxes: [],
        withholding: rateBp === null ? null : { rateBp, cents },
      },
    ])
  }
  // Documents of another program come last, as one part.
  const elsewhere = await ctx.db
    .selectFrom('invoice_references')
    .select(['invoice_id', 'number'])
    .where('invoice_id', 'in', ids)
    .where('role', '=', 'rectifies')
    .where('target_id', 'is', null)
    .orderBy('invoice_id')
    .orderBy('position')
    .execute()
  const seen = new Set<number>()
  for (const { invoice_id: id, number } of elsewhere) {
    if (seen.has(id)) continue
    seen.add(id)
    found.set(id, [
      ...(found.get(id) ?? []),
      { number, kind: 'F1', customer: null, taxes: [], withholding: null },
    ])
  }
  for (const { sourceId, part, ...tax } of await takenBackParts(ctx, ids))
    found.get(sourceId)?.[part - 1]?.taxes.push({
      treatment: tax.taxTreatment,
      regimeKey: tax.regimeKey,
      vatRateBp: tax.vatRateBp === -1 ? null : tax.vatRateBp,
      baseCents: -tax.baseCents,
      taxCents: -tax.taxCents,
      surchargeBp: tax.surchargeBp === -1 ? null : tax.surchargeBp,
      surchargeCents: -tax.surchargeCents,
      incomeCents: -tax.incomeCents,
    })
  return found
}

async function* issuedBook(ctx: Ctx, span: BookSpan, holder: Holder): AsyncGenerator<BookRow[]> {
  let after = { date: '', id: 0 }
  for (;;) {
    const page = await issuedPage(ctx, span, after)
    const last = page.at(-1)
    if (!last) return
    const taxes = await taxesOf(ctx, page)
    const replaced = await replacedBy(ctx, page)
    const cash = page.filter(({ id }) => taxes.get(id)?.some(({ regimeKey }) => regimeKey === CASH))
    const paid = await paymentsOf(
      ctx,
      'invoice_id',
      cash.map(({ id }) => id),
      span.to,
    )
    yield page.flatMap((row) =>
      issuedRows(
        row,
        {
          taxes: taxes.get(row.id) ?? [],
          replaced: replaced.get(row.id) ?? [],
          paid: paid.get(row.id) ?? [],
        },
        holder,
      ),
    )
    after = { date: last.list_date, id: last.id }
  }
}

async function receivedPage(ctx: Ctx, span: BookSpan, after: { date: string; id: number }) {
  return ctx.db
    .selectFrom('received_invoices')
    .leftJoin('history_documents', 'history_documents.received_id', 'received_invoices.id')
    .selectAll('received_invoices')
    .select(['history_documents.reception', 'history_documents.last_number'])
    .where('received_invoices.book_id', '=', ctx.book.id)
    .where(IN_RECEIVED_BOOK)
    .where('reception_date', '>=', span.from)
    .where('reception_date', '<=', span.to)
    .where(sql<SqlBool>`(reception_date, received_invoices.id) > (${after.date}, ${after.id})`)
    .orderBy('reception_date')
    .orderBy('received_invoices.id')
    .limit(PAGE)
    .execute()
}
type ReceivedInvoice = Awaited<ReturnType<typeof receivedPage>>[number]

async function receivedLines(ctx: Ctx, ids: readonly number[]) {
  return ctx.db
    .selectFrom('received_lines')
    .selectAll()
    .where('received_id', 'in', ids)
    .orderBy('received_id')
    .orderBy('position')
    .execute()
}
type ReceivedLine = Awaited<ReturnType<typeof receivedLines>>[number]

/** Document kinds in the codes of the received book. */
const RECEIVED_KINDS: Record<string, string> = {
  invoice: 'F1',
  simplified: 'F2',
  rectifying: 'R4',
  receipt: 'SF',
  customs: 'F5',
  reagyp: 'F6',
  self_billed: 'F1',
}

const documentName = (row: ReceivedInvoice): string =>
  row.sequence === null ? (row.supplier_number ?? '') : `${row.year}/${row.sequence}`

/** Returns the reception number: that of the earlier program for what came from it. */
const receptionOf = ({ sequence, reception }: ReceivedInvoice): string =>
  sequence === null ? (reception ?? '') : String(sequence)

function lineCells(row: ReceivedInvoice, line: ReceivedLine): Partial<Record<ReceivedColumn, string>> {
  const isTaxed = line.tax_treatment === 'S1' || line.tax_treatment === 'S2'
  const isSelfAssessed = line.self_assessed === 1
  const isReverse = isSelfAssessed && !['07', '08', '09'].includes(line.regime_key) && row.kind !== 'customs'
  const charged = isSelfAssessed ? 0 : line.tax_cents + line.surcharge_cents
  return {
    regimeKey: line.regime_key,
    investment: line.investment_good === 1 ? 'S' : 'N',
    reverseCharge: isReverse ? 'S' : 'N',
    total: amountCell(line.base_cents + charged),
    base: amountCell(line.base_cents),
    rate: isTaxed ? rateCell(line.vat_rate_bp ?? 0) : '',
    tax: isTaxed ? amountCell(line.tax_cents) : '',
    deductible: isTaxed ? amountCell(line.deductible_cents) : '',
    surchargeRate: isTaxed ? rateCell(line.surcharge_bp) : '',
    surcharge: isTaxed && line.surcharge_bp !== null ? amountCell(line.surcharge_cents) : '',
  }
}

function receivedRows(
  row: ReceivedInvoice,
  lines: readonly ReceivedLine[],
  paid: readonly Paid[],
  holder: Holder,
  ownNif: string,
): BookRow[] {
  const isSpanish = row.supplier_id_type === null || row.supplier_id_type === '07'
  const isCustoms = row.kind === 'customs'
  const later = row.deduction_date
  const isLater =
    later !== null &&
    `${later.slice(0, 4)}${quarterCell(later)}` >
      `${row.reception_date.slice(0, 4)}${quarterCell(row.reception_date)}`
  const common: Partial<Record<ReceivedColumn, string>> = {
    year: row.reception_date.slice(0, 4),
    period: quarterCell(row.reception_date),
    ...activity(holder),
    kind: RECEIVED_KINDS[row.kind] ?? 'F1',
    issueDate: dateCell(row.issue_date),
    operationDate:
      row.operation_date === null || row.operation_date === row.issue_date
        ? ''
        : dateCell(row.operation_date),
    number: row.supplier_number ?? receptionOf(row),
    lastNumber: row.last_number ?? '',
    receptionDate: dateCell(row.reception_date),
    reception: receptionOf(row),
    idType: isSpanish || isCustoms ? '' : (row.supplier_id_type ?? ''),
    country: isSpanish || isCustoms ? '' : row.supplier_country,
    nif: isCustoms ? ownNif : nifCell(row.supplier_nif),
    name: row.supplier_name,
    deductedLater: isLater ? 'S' : 'N',
    ...(isLater && later !== null
      ? { deductionYear: later.slice(0, 4), deductionPeriod: quarterCell(later) }
      : {}),
    externalRef: row.external_ref ?? '',
    propertySituation: row.property_situation === null ? '' : String(row.property_situation),
    cadastralRef: row.cadastral_reference ?? '',
  }
  const rows: BookRow[] = []
  const document = documentName(row)
  const push = (values: Partial<Record<ReceivedColumn, string>>) =>
    rows.push({
      sheet: 'received',
      cells: cellsOf<ReceivedColumn>(RECEIVED_COLUMNS, values),
      documentId: row.public_id,
      document,
    })
  const expense = (line: ReceivedLine): Partial<Record<ReceivedColumn, string>> => {
    const isDepreciated = line.investment_good === 1 || line.account.startsWith('2')
    if (holder.isLegal || isDepreciated || isCustoms) return {}
    // The books hold at most the base here (their rule 13): tax that cannot be deducted is not in this column.
    return { concept: line.concept, expense: amountCell(line.base_cents) }
  }
  for (const [index, line] of lines.entries())
    push({
      ...common,
      ...lineCells(row, line),
      ...expense(line),
      ...(index === 0 && !holder.isLegal && row.withholding_bp !== null
        ? { withholdingRate: rateCell(row.withholding_bp), withholding: amountCell(row.withholding_cents) }
        : {}),
    })
  if (row.cash_accounting === 1)
    for (const each of paid)
      push({
        ...common,
        year: each.date.slice(0, 4),
        period: quarterCell(each.date),
        regimeKey: CASH,
        investment: 'N',
        reverseCharge: 'N',
        paidOn: dateCell(each.date),
        paid: amountCell(each.cents),
        method: METHODS[each.method ?? ''] ?? OTHER_METHOD,
      })
  return rows
}

const FULL_PRO_RATA_BP = 10_000

function goodsRow(row: ReceivedInvoice, line: ReceivedLine, holder: Holder): BookRow {
  const isSpanish = row.supplier_id_type === null || row.supplier_id_type === '07'
  const charged = line.tax_cents + line.surcharge_cents
  const proRata =
    charged === 0 ? FULL_PRO_RATA_BP : Math.round((line.deductible_cents * FULL_PRO_RATA_BP) / charged)
  const values: Partial<Record<GoodsColumn, string>> = {
    year: row.reception_date.slice(0, 4),
    period: '0A',
    ...activity(holder),
    type: kindOfAccount(line.account),
    identifier: `${row.year}-${receptionOf(row) || row.id}-${line.position + 1}`,
    description: line.description ?? row.supplier_name,
    inUseFrom: dateCell(row.operation_date ?? row.reception_date),
    value: amountCell(line.base_cents),
    issueDate: dateCell(row.issue_date),
    number: row.supplier_number ?? receptionOf(row),
    reception: receptionOf(row),
    idType: isSpanish ? '' : (row.supplier_id_type ?? ''),
    country: isSpanish ? '' : row.supplier_country,
    nif: nifCell(row.supplier_nif),
    name: row.supplier_name,
    base: amountCell(line.base_cents),
    rate: rateCell(line.vat_rate_bp),
    proRata: amountCell(proRata),
    deductible: amountCell(line.deductible_cents),
  }
  return {
    sheet: 'goods',
    cells: cellsOf<GoodsColumn>(GOODS_COLUMNS, values),
    documentId: row.public_id,
    document: documentName(row),
  }
}

async function* receivedBook(
  ctx: Ctx,
  span: BookSpan,
  holder: Holder,
  ownNif: string,
): AsyncGenerator<BookRow[]> {
  let after = { date: '', id: 0 }
  const registered = await linesWithAsset(ctx)
  for (;;) {
    const page = await receivedPage(ctx, span, after)
    const last = page.at(-1)
    if (!last) return
    const lines = await receivedLines(
      ctx,
      page.map(({ id }) => id),
    )
    const cash = page.filter(({ cash_accounting }) => cash_accounting === 1)
    const paid = await paymentsOf(
      ctx,
      'received_id',
      cash.map(({ id }) => id),
      span.to,
    )
    const rows: BookRow[] = []
    for (const row of page) {
      const own = lines.filter((line) => line.received_id === row.id)
      rows.push(...receivedRows(row, own, paid.get(row.id) ?? [], holder, ownNif))
      // A good that is registered stands in the book as its asset.
      for (const line of own)
        if (line.investment_good === 1 && !registered.has(`${line.received_id}/${line.position}`))
          rows.push(goodsRow(row, line, holder))
    }
    yield rows
    after = { date: last.reception_date, id: last.id }
  }
}

/** Yields all rows of the books of a range, in pages; the rows of a sheet are in its order. */
export async function* bookRows(ctx: Ctx, span: BookSpan): AsyncGenerator<BookRow[]> {
  const company = await findCompany(ctx)
  const holder: Holder = {
    isLegal: company.kind === 'legal',
    profile: await findProfile(ctx, company),
  }
  yield* issuedBook(ctx, span, holder)
  yield* receivedBook(ctx, span, holder, company.nif)
  yield [...(await depreciationRows(ctx, span, holder)), ...(await assetRows(ctx, span, holder))]
}
