/** Reads the tables of a file, each as what it is. */
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import { findCompany } from '../../../company/index.ts'
import { withoutGroups } from '../../../accounting/ledger/index.ts'
import type { Cell, FileRow } from '../../../platform/spreadsheets/cells.ts'
import type { FilePieces } from '../../../platform/processes/parsers.ts'
import { fieldList, guessMapping, importerOf, RowReader } from '../../imports/index.ts'
import { historyKey } from '../../../tax/history/index.ts'
import type { TableChoice } from '../file-shapes.ts'
import { listFields } from '../files/lists/fields.ts'
import { NotationGuess, slotName } from '../files/lists/mapping.ts'
import { readHistoryInChildProcess, readRowsInChildProcess } from '../files/read-apart.ts'
import { RowCells } from '../files/read-row.ts'
import type { Notation } from '../files/read-row.ts'
import { Report } from '../files/report.ts'
import type {
  FileContent,
  HistoryBatch,
  HistoryContent,
  HistoryFault,
  HistoryQuestion,
  Recognition,
  TableRef,
} from '../files/types.ts'
import type { ReadRow } from '../rows.ts'
import type { StagedAccount, StagedOpen, StoredTable } from '../stored.ts'
import { labelOf } from '../take.ts'
import { joinInstalments, labelOfStaged, readBalance } from './balances.ts'
import { balanceFields, isBalanceContent, mapBalances } from './list-fields.ts'
import type { BalanceContent } from './list-fields.ts'
import type { FileStore } from './store.ts'
import { addToSums } from './sums.ts'

const HISTORY: readonly FileContent[] = [
  'books_issued',
  'books_received',
  'books_goods',
  'issued',
  'received',
]
/** Recognized, and of no use for a move. */
const ELSEWHERE: readonly FileContent[] = ['journal', 'accounts', 'assets']
const TAX_FIELDS = ['base', 'rate', 'tax', 'surchargeRate', 'surcharge']
const SLOTS = [2, 3, 4, 5]

type Row = Omit<ReadRow, 'position'>

const isHistory = (content: FileContent): content is HistoryContent => HISTORY.includes(content)

/** Returns the fields that columns of a content can be chosen for. */
function fieldsOf(content: FileContent, mapping: Readonly<Record<string, number>>): string[] {
  if (content === 'issued' || content === 'received')
    return [
      ...listFields(content).map(({ name }) => name),
      ...TAX_FIELDS.flatMap((field) => SLOTS.map((slot) => slotName(field, slot))),
    ]
  if (content === 'contacts' || content === 'items') return fieldList(content).map(({ name }) => name)
  return isBalanceContent(content) ? balanceFields(content).map(({ name }) => name) : Object.keys(mapping)
}

const isSame = (one: TableRef, other: TableRef): boolean =>
  one.entry === other.entry && one.sheet === other.sheet

/** Returns a table as it is going to be read: as recognized, or as a person says. */
function tableOf(recognized: Recognition, choice: TableChoice | undefined): StoredTable {
  const content = choice?.content ?? recognized.content
  const isOther = content !== recognized.content
  const isLeftOut = choice?.leaveOut === true
  return {
    ...recognized,
    content,
    // A layout belongs to its content.
    preset: isOther ? null : recognized.preset,
    mapping: choice?.mapping ?? (isOther ? {} : recognized.mapping),
    dateOrder: choice?.dateOrder ?? recognized.dateOrder,
    decimalSign: choice?.decimalSign ?? recognized.decimalSign,
    isChosen: choice?.content !== undefined,
    isLeftOut,
    isRead:
      !isLeftOut &&
      (isHistory(content) || content === 'contacts' || content === 'items' || isBalanceContent(content)),
    fields: [],
    rows: 0,
    documents: 0,
    failed: 0,
    skipped: 0,
  }
}

interface Job {
  ctx: Ctx
  store: FileStore
  /** The bytes once more, for each reading. */
  file: () => FilePieces
  fileName: string
  answers: Record<string, string>
  remembered: Record<string, string>
}

/** Puts each fault to the document of its rows; those of rows without a document become rows of their own. */
function rowsOf({ documents, assets, faults }: HistoryBatch): { rows: Row[]; whole: HistoryFault[] } {
  const byRow = new Map<number, HistoryFault[]>()
  const whole: HistoryFault[] = []
  for (const fault of faults) {
    if (fault.row === null) whole.push(fault)
    else byRow.set(fault.row, [...(byRow.get(fault.row) ?? []), fault])
  }
  const faultsAt = (rows: readonly number[]): HistoryFault[] =>
    rows.flatMap((row) => {
      const found = byRow.get(row) ?? []
      byRow.delete(row)
      return found
    })
  const rows: Row[] = [
    ...documents.map((document) => ({
      document,
      key: historyKey(document),
      label: labelOf(document),
      faults: faultsAt(document.source.rows),
    })),
    ...assets.map((asset) => ({
      kind: 'asset' as const,
      document: asset,
      key: null,
      label: asset.description.slice(0, 120),
      faults: faultsAt(asset.source.rows),
    })),
  ]
  for (const found of byRow.values()) {
    if (found.every(({ severity }) => severity !== 'error')) whole.push(...found)
    else {
      const number = found.find(({ params }) => params?.number !== undefined)?.params?.number
      rows.push({ document: null, key: null, label: String(number ?? ''), faults: found })
    }
  }
  return { rows, whole }
}

async function readHistoryTable(
  job: Job,
  table: StoredTable,
  choice: TableChoice | undefined,
): Promise<void> {
  const { ctx, store } = job
  const { entry, sheet } = table
  const isBook = table.content.startsWith('books_')
  const summary = await readHistoryInChildProcess(
    job.file(),
    {
      entry,
      sheet,
      fileName: job.fileName,
      content: table.content as HistoryContent,
      preset: table.preset,
      mapping:
        choice?.mapping ?? (isBook || table.preset !== null || table.isChosen ? undefined : table.mapping),
      dateOrder: choice?.dateOrder,
      decimalSign: choice?.decimalSign,
      answers: job.answers,
      today: ctx.today(),
      ownNif: (await findCompany(ctx)).nif,
    },
    async (batch) => {
      addToSums(store.sums, batch.documents)
      const { rows, whole } = rowsOf(batch)
      store.addFaults(whole)
      store.addSkipped(batch.skipped.map((row) => ({ ...row, entry, sheet })))
      Object.assign(store.summary.progress, { rowsRead: batch.rowsRead, rows: batch.rows })
      await store.store(rows)
    },
  )
  Object.assign(table, {
    mapping: summary.mapping,
    dateOrder: summary.dateOrder,
    decimalSign: summary.decimalSign,
    rows: summary.rows,
    documents: summary.documents + summary.assets,
    failed: summary.failed,
    skipped: summary.skipped,
  })
  mergeQuestions(store.summary.questions, summary.questions)
}

/** The same question of two tables is one. */
function mergeQuestions(all: HistoryQuestion[], more: readonly HistoryQuestion[]): void {
  for (const question of more) {
    const known = all.find(({ id }) => id === question.id)
    if (known) {
      known.documents += question.documents
      known.baseCents += question.baseCents
    } else all.push(question)
  }
}

const placed = (faults: readonly Fault[], table: StoredTable, row: number): HistoryFault[] =>
  faults.map((fault) => ({
    ...fault,
    entry: table.entry,
    sheet: table.sheet,
    row,
    column: table.columns[table.mapping[fault.field] ?? -1]?.title ?? null,
  }))

/** Decides columns and notation of a list by its first rows. Returns false if a column that is needed is missing. */
function settleList(
  job: Job,
  table: StoredTable,
  choice: TableChoice | undefined,
  fields: readonly { name: string; required?: boolean; reads?: 'number' | 'day' }[],
  guessed: Record<string, number>,
): (rows: readonly FileRow[]) => Notation | null {
  table.mapping = choice?.mapping ?? guessed
  const missing = fields.filter(({ name, required }) => required && table.mapping[name] === undefined)
  for (const { name } of missing)
    job.store.addFaults([
      {
        code: 'history_column_missing',
        field: name,
        severity: 'error',
        message: 'No column is chosen for a field that is needed.',
        fix: 'Choose its column.',
        params: { name },
        entry: table.entry,
        sheet: table.sheet,
        row: table.headerRow,
        column: null,
      },
    ])
  return (rows) => {
    if (missing.length > 0) return null
    const guess = new NotationGuess(
      table.mapping,
      Object.fromEntries(fields.map(({ name, reads }) => [name, reads])),
    )
    for (const row of rows) guess.add(row)
    table.dateOrder = choice?.dateOrder ?? guess.notation.dateOrder
    table.decimalSign = choice?.decimalSign ?? guess.notation.decimalSign
    return { dateOrder: table.dateOrder, decimalSign: table.decimalSign }
  }
}

/** Reads a list row by row; `read` returns a row to store, or null for one that is passed over. */
async function readList(
  job: Job,
  table: StoredTable,
  notationOf: (rows: readonly FileRow[]) => Notation | null,
  read: (row: FileRow, notation: Notation) => Promise<Row | null>,
): Promise<void> {
  const { store } = job
  let notation: Notation | null | undefined
  const summary = await readRowsInChildProcess(
    job.file(),
    { entry: table.entry, sheet: table.sheet, headerRow: table.headerRow ?? 1 },
    async (portion) => {
      notation ??= notationOf(portion)
      if (!notation) return
      const rows: Row[] = []
      for (const each of portion) {
        const row = await read(each, notation)
        if (row === null) table.skipped += 1
        else if (row.document === null) table.failed += 1
        else table.documents += 1
        if (row !== null) rows.push(row)
      }
      const { progress } = store.summary
      progress.rowsRead += portion.length
      progress.rows = progress.rowsRead
      await store.store(rows)
    },
  )
  table.rows = summary.rows
  table.skipped += summary.skipped
}

const titlesOf = (table: StoredTable): string[] => table.columns.map(({ title }) => title)

async function readContactsOrItems(
  job: Job,
  table: StoredTable,
  choice: TableChoice | undefined,
): Promise<void> {
  const content = table.content as 'contacts' | 'items'
  const kind = content === 'contacts' ? ('contact' as const) : ('item' as const)
  const importer = await importerOf(content)
  const mapping = guessMapping(content, titlesOf(table), job.remembered)
  await readList(
    job,
    table,
    settleList(job, table, choice, fieldList(content), mapping),
    async ({ row, cells }, notation) => {
      const options = { onDuplicate: 'skip' as const, ...notation }
      const reader = new RowReader(cells, table.mapping, options)
      const { label, faults } = await importer.check(job.ctx, reader, options)
      const isWrong = faults.some(({ severity }) => severity === 'error')
      const fields = Object.keys(table.mapping)
      const kept: Cell[] = fields.map((name) => cells[table.mapping[name] ?? -1] ?? null)
      return {
        kind,
        document: isWrong
          ? null
          : {
              kind,
              mapping: Object.fromEntries(fields.map((name, index) => [name, index])),
              cells: kept,
              ...notation,
            },
        key: null,
        label: label.slice(0, 120),
        faults: placed(faults, table, row),
      }
    },
  )
}

async function readBalances(job: Job, table: StoredTable, choice: TableChoice | undefined): Promise<void> {
  const content = table.content as BalanceContent
  const mapping = mapBalances(content, titlesOf(table), job.remembered)
  const titles = titlesOf(table)
  const accounts: StagedAccount[] = []
  const opens: { staged: StagedOpen; row: number; faults: readonly HistoryFault[] }[] = []
  const kind = (
    { receivable: 'open', payable: 'open', bank_balances: 'bank', trial_balance: 'account' } as const
  )[content]
  await readList(
    job,
    table,
    settleList(job, table, choice, balanceFields(content), mapping),
    async (row, notation) => {
      const report = new Report({ entry: table.entry, sheet: table.sheet }, {})
      const staged = readBalance(
        content,
        new RowCells(row, { columns: table.mapping, titles, notation, report }),
      )
      if (staged === 'skipped') return null
      if (staged === null) return { kind, document: null, key: null, label: '', faults: report.faults }
      // Accounts are stored once all are known, since the totals of groups are among them.
      if (staged.kind === 'account') {
        accounts.push(staged)
        return null
      }
      // Open invoices as well, since those in instalments are several rows.
      if (staged.kind === 'open') {
        opens.push({ staged, row: row.row, faults: report.faults })
        return null
      }
      return { kind, document: staged, key: null, label: labelOfStaged(staged), faults: report.faults }
    },
  )
  if (opens.length > 0) await storeOpens(job, table, opens)
  if (accounts.length === 0) return
  const kept = withoutGroups(
    accounts.map(({ code, name, cents }) => ({ account: code, name, cents })),
  ).filter(({ cents }) => cents !== 0)
  await job.store.store(
    kept.map(({ account, name, cents }) => {
      const staged: StagedAccount = { kind: 'account', code: account, name, cents }
      return { kind, document: staged, key: null, label: labelOfStaged(staged).slice(0, 120), faults: [] }
    }),
  )
  table.documents = kept.length
  table.skipped = table.rows - kept.length - table.failed
}

/** Stores open invoices, those in instalments as one. */
async function storeOpens(
  job: Job,
  table: StoredTable,
  opens: readonly { staged: StagedOpen; row: number; faults: readonly HistoryFault[] }[],
): Promise<void> {
  const { joined, repeated } = joinInstalments(opens)
  const faultsOf = new Map(opens.map(({ row, faults }) => [row, faults]))
  await job.store.store([
    ...joined.map(({ staged, row }) => ({
      kind: 'open' as const,
      document: staged,
      key: null,
      label: labelOfStaged(staged),
      faults: faultsOf.get(row) ?? [],
    })),
    ...repeated.map(({ staged, row, of }) => {
      const report = new Report({ entry: table.entry, sheet: table.sheet }, {})
      const column = table.columns[table.mapping.number ?? -1]?.title ?? null
      report.fault('history_number_repeated', { row, column }, { number: staged.number, row: of })
      return {
        kind: 'open' as const,
        document: null,
        key: null,
        label: labelOfStaged(staged),
        faults: report.faults,
      }
    }),
  ])
  table.documents = joined.length
  table.failed += repeated.length
  table.skipped -= opens.length
}

/** Reads all tables; returns them with what they came to. */
export async function readTables(
  job: Job,
  recognized: readonly Recognition[],
  choices: readonly TableChoice[],
): Promise<StoredTable[]> {
  const tables: StoredTable[] = []
  const { progress } = job.store.summary
  progress.tables = recognized.length
  for (const each of recognized) {
    const choice = choices.find((one) => isSame(one, each))
    const table = tableOf(each, choice)
    tables.push(table)
    Object.assign(progress, { table: tables.length, rowsRead: 0, rows: 0 })
    if (table.isRead) {
      if (isHistory(table.content)) await readHistoryTable(job, table, choice)
      else if (isBalanceContent(table.content)) await readBalances(job, table, choice)
      else await readContactsOrItems(job, table, choice)
    } else if (!table.isLeftOut && ELSEWHERE.includes(table.content))
      job.store.addFaults([
        {
          code: 'history_content_elsewhere',
          field: 'content',
          severity: 'warning',
          message: 'Sello does not take in tables of this kind here.',
          fix: 'Leave it out, or say that it is something else.',
          params: { content: table.content },
          entry: table.entry,
          sheet: table.sheet,
          row: null,
          column: null,
        },
      ])
    table.fields = fieldsOf(table.content, table.mapping)
  }
  return tables
}
