/** Reports as tables with title, columns and rows, the same for CSV and XLSX. */
import type { ContractInput, ContractOutput } from '../../../domain/contract/define-contract.ts'
import type { exportLedgerContract, profitAndLossContract } from '../contract.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { periodOf, sumsBefore } from './balances.ts'
import type { Language } from '../chart/chart.ts'
import { dayNumber, dayText } from '../journal/days.ts'
import { accountNames } from '../chart/own-names.ts'
import { accountName, sourcesOf } from '../journal/labels.ts'
import type { SourceView } from '../journal/labels.ts'
import { balanceSheet, profitAndLoss } from './statements.ts'
import { accountsUnder, statementRows } from './statement.ts'
import type { StatementPosition } from './statement.ts'
import { trialBalance } from './trial-balance.ts'

export type TableRequest = ContractInput<typeof exportLedgerContract>

export interface Column {
  title: string
  kind: 'text' | 'date' | 'euros' | 'number'
  width: number
}

export interface Table {
  /** Of the file and the sheet. */
  name: string
  columns: Column[]
  rows: (string | number | null)[][]
}

/** A sheet has at most 1,048,576 rows; larger XLSX files are impractical, and the CSV limit protects memory. */
const MAX_ROWS = { xlsx: 200_000, csv: 500_000 } as const
const PAGE = 500

const WORDS = {
  es: {
    journal: 'Diario',
    ledger: 'Mayor',
    trial_balance: 'Sumas y saldos',
    profit_and_loss: 'Pérdidas y ganancias',
    balance_sheet: 'Balance',
    number: 'Asiento',
    date: 'Fecha',
    text: 'Concepto',
    document: 'Documento',
    account: 'Cuenta',
    name: 'Nombre',
    party: 'Contacto',
    debit: 'Debe',
    credit: 'Haber',
    balance: 'Saldo',
    opening: 'Saldo inicial',
    line: 'Partida',
    amount: 'Importe',
    previous: 'Ejercicio anterior',
    key: 'Epígrafe',
    side: 'Masa',
    assets: 'Activo',
    liabilities: 'Patrimonio neto y pasivo',
    total: 'Total',
    paid: { in: 'Cobro', out: 'Pago' },
    sources: {
      invoice: 'Factura emitida',
      received: 'Factura recibida',
      payment: 'Cobro o pago',
      bank: 'Movimiento bancario',
      reversal: 'Anulación del asiento',
      manual: 'Asiento manual',
      opening: 'Asiento de apertura',
      regularisation: 'Regularización',
      closing: 'Asiento de cierre',
      vat_settlement: 'Liquidación de IVA',
      filing: 'Impuestos',
      import: 'Importación',
      depreciation: 'Amortización',
      asset_disposal: 'Baja de un bien',
      vat_adjustment: 'Regularización de IVA de inversiones',
    },
  },
  en: {
    journal: 'Journal',
    ledger: 'Ledger',
    trial_balance: 'Trial balance',
    profit_and_loss: 'Profit and loss',
    balance_sheet: 'Balance sheet',
    number: 'Entry',
    date: 'Date',
    text: 'Text',
    document: 'Document',
    account: 'Account',
    name: 'Name',
    party: 'Contact',
    debit: 'Debit',
    credit: 'Credit',
    balance: 'Balance',
    opening: 'Opening balance',
    line: 'Item',
    amount: 'Amount',
    previous: 'Year before',
    key: 'Heading',
    side: 'Side',
    assets: 'Assets',
    liabilities: 'Equity and liabilities',
    total: 'Total',
    paid: { in: 'Payment received', out: 'Payment made' },
    sources: {
      invoice: 'Issued invoice',
      received: 'Received invoice',
      payment: 'Payment',
      bank: 'Bank movement',
      reversal: 'Reversal',
      manual: 'Manual entry',
      opening: 'Opening',
      regularisation: 'Regularisation',
      closing: 'Closing',
      vat_settlement: 'VAT settlement',
      filing: 'Taxes',
      import: 'Import',
      depreciation: 'Depreciation',
      asset_disposal: 'Asset taken out',
      vat_adjustment: 'VAT of investments regularised',
    },
  },
} as const

function words(asked: TableRequest) {
  return WORDS[asked.language ?? 'es']
}

function tooMany(asked: TableRequest, count: number): void {
  const most = MAX_ROWS[asked.format]
  if (count > most) throw new AppError('export_too_large', { details: { rows: count, most } })
}

function textOf(text: string | null, source: SourceView, language: Language): string {
  const { sources, paid } = WORDS[language]
  const kind = source.direction ? paid[source.direction] : sources[source.type]
  return text ?? [kind, source.party].filter(Boolean).join(' · ')
}

async function journalTable(ctx: Ctx, asked: TableRequest): Promise<Table> {
  const w = words(asked)
  const language = asked.language ?? 'es'
  const named = await accountNames(ctx, language)
  const { from, to } = periodOf(asked)
  const rows: Table['rows'] = []
  let after = { day: dayNumber(from), id: 0 }
  for (;;) {
    const entries = await ctx.db
      .selectFrom('journal_entries')
      .select(['id', 'day', 'source_type', 'source_id', 'text', 'number'])
      .where('book_id', '=', ctx.book.id)
      .where('day', '<=', dayNumber(to))
      .where(({ eb, refTuple, tuple }) => eb(refTuple('day', 'id'), '>', tuple(after.day, after.id)))
      .orderBy('day')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    if (entries.length === 0) break
    const lines = await ctx.db
      .selectFrom('journal_lines')
      .innerJoin('ledger_accounts', 'ledger_accounts.id', 'journal_lines.account_id')
      .select(['entry_id', 'amount_cents', 'code', 'name'])
      .where(
        'entry_id',
        'in',
        entries.map((entry) => entry.id),
      )
      .orderBy('entry_id')
      .orderBy('position')
      .execute()
    const byEntry = Map.groupBy(lines, (line) => line.entry_id)
    const sources = await sourcesOf(ctx, entries)
    for (const entry of entries) {
      const source = sources.get(entry.id)
      if (!source) continue
      for (const line of byEntry.get(entry.id) ?? [])
        rows.push([
          entry.number,
          dayText(entry.day),
          textOf(entry.text, source, language),
          source.label,
          line.code,
          accountName(line, named),
          eurosFromCents(Math.max(line.amount_cents, 0)),
          eurosFromCents(Math.max(-line.amount_cents, 0)),
        ])
    }
    tooMany(asked, rows.length)
    const last = entries.at(-1)
    if (!last || entries.length < PAGE) break
    after = { day: last.day, id: last.id }
  }
  return {
    name: w.journal,
    columns: [
      { title: w.number, kind: 'number', width: 9 },
      { title: w.date, kind: 'date', width: 12 },
      { title: w.text, kind: 'text', width: 42 },
      { title: w.document, kind: 'text', width: 18 },
      { title: w.account, kind: 'text', width: 12 },
      { title: w.name, kind: 'text', width: 38 },
      { title: w.debit, kind: 'euros', width: 14 },
      { title: w.credit, kind: 'euros', width: 14 },
    ],
    rows,
  }
}

async function ledgerTable(ctx: Ctx, asked: TableRequest): Promise<Table> {
  const w = words(asked)
  const language = asked.language ?? 'es'
  const named = await accountNames(ctx, language)
  const { from, to } = periodOf(asked)
  const rows: Table['rows'] = []
  for (const account of await accountsUnder(ctx, asked.account ?? '')) {
    const name = accountName(account, named)
    const before = await sumsBefore(ctx, [account.id], from)
    let balance = before.debitCents - before.creditCents
    let place: StatementPosition = { day: dayNumber(from), entry: 0, position: -1 }
    let shown = balance !== 0
    if (shown)
      rows.push([account.code, name, null, from, w.opening, null, null, null, eurosFromCents(balance)])
    for (;;) {
      const lines = await statementRows(ctx, [account.id], place, dayNumber(to), PAGE)
      const sources = await sourcesOf(
        ctx,
        lines.map(({ entry_id, source_type, source_id }) => ({ id: entry_id, source_type, source_id })),
      )
      for (const line of lines) {
        const source = sources.get(line.entry_id)
        if (!source) continue
        balance += line.amount_cents
        shown = true
        rows.push([
          account.code,
          name,
          line.number,
          dayText(line.day),
          textOf(line.text, source, language),
          source.label,
          eurosFromCents(Math.max(line.amount_cents, 0)),
          eurosFromCents(Math.max(-line.amount_cents, 0)),
          eurosFromCents(balance),
        ])
      }
      tooMany(asked, rows.length)
      const last = lines.at(-1)
      if (!last || lines.length < PAGE) break
      place = { day: last.day, entry: last.entry_id, position: last.position }
    }
  }
  return {
    name: w.ledger,
    columns: [
      { title: w.account, kind: 'text', width: 12 },
      { title: w.name, kind: 'text', width: 38 },
      { title: w.number, kind: 'number', width: 9 },
      { title: w.date, kind: 'date', width: 12 },
      { title: w.text, kind: 'text', width: 42 },
      { title: w.document, kind: 'text', width: 18 },
      { title: w.debit, kind: 'euros', width: 14 },
      { title: w.credit, kind: 'euros', width: 14 },
      { title: w.balance, kind: 'euros', width: 14 },
    ],
    rows,
  }
}

async function trialTable(ctx: Ctx, asked: TableRequest): Promise<Table> {
  const w = words(asked)
  const { what: _what, format: _format, account: _account, ...period } = asked
  const { rows, totals } = await trialBalance(ctx, period)
  return {
    name: w.trial_balance,
    columns: [
      { title: w.account, kind: 'text', width: 12 },
      { title: w.name, kind: 'text', width: 48 },
      { title: w.opening, kind: 'euros', width: 16 },
      { title: w.debit, kind: 'euros', width: 16 },
      { title: w.credit, kind: 'euros', width: 16 },
      { title: w.balance, kind: 'euros', width: 16 },
    ],
    rows: [
      ...rows.map((row) => [row.code, row.name, row.opening, row.debit, row.credit, row.balance]),
      ['', w.total, totals.opening, totals.debit, totals.credit, totals.balance],
    ],
  }
}

function statementColumns(asked: TableRequest): Column[] {
  const w = words(asked)
  return [
    { title: w.key, kind: 'text', width: 12 },
    { title: w.line, kind: 'text', width: 60 },
    { title: w.amount, kind: 'euros', width: 16 },
    { title: w.previous, kind: 'euros', width: 16 },
  ]
}

type Lines = ContractOutput<typeof profitAndLossContract>['lines']

function statementRowsOf(lines: Lines): Table['rows'] {
  return lines.map((line) => [line.key, line.label, line.amount, line.previous])
}

async function resultTable(ctx: Ctx, asked: TableRequest): Promise<Table> {
  const { what: _what, format: _format, account: _account, ...period } = asked
  const { lines } = await profitAndLoss(ctx, period)
  return {
    name: words(asked).profit_and_loss,
    columns: statementColumns(asked),
    rows: statementRowsOf(lines),
  }
}

async function sheetTable(ctx: Ctx, asked: TableRequest): Promise<Table> {
  const w = words(asked)
  const { what: _what, format: _format, account: _account, ...period } = asked
  const sheet = await balanceSheet(ctx, period)
  const previous = (lines: Lines) =>
    lines.filter((line) => line.level === 1).reduce((sum, line) => sum + Math.round(line.previous * 100), 0)
  return {
    name: w.balance_sheet,
    columns: statementColumns(asked),
    rows: [
      ...statementRowsOf(sheet.assets),
      ['', `${w.total} ${w.assets.toLowerCase()}`, sheet.totalAssets, eurosFromCents(previous(sheet.assets))],
      ...statementRowsOf(sheet.equityAndLiabilities),
      [
        '',
        `${w.total} ${w.liabilities.toLowerCase()}`,
        sheet.totalEquityAndLiabilities,
        eurosFromCents(previous(sheet.equityAndLiabilities)),
      ],
    ],
  }
}

/** Returns the requested table. Throws `export_too_large`. */
export function tableOf(ctx: Ctx, asked: TableRequest): Promise<Table> {
  switch (asked.what) {
    case 'journal':
      return journalTable(ctx, asked)
    case 'ledger':
      return ledgerTable(ctx, asked)
    case 'trial_balance':
      return trialTable(ctx, asked)
    case 'profit_and_loss':
      return resultTable(ctx, asked)
    case 'balance_sheet':
      return sheetTable(ctx, asked)
  }
}
