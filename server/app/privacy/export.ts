/**
 * Exports all data of a person as a ZIP, created while it is sent: a readable page, JSON by area, the PDFs of their
 * invoices, their files.
 */
import { sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { filesOf, readFile } from '../../platform/attachments/index.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { readContent } from '../../platform/contents/index.ts'
import { findCompany } from '../../company/index.ts'
import { businessDateOf } from '../../domain/dates.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { safeEntryName, zipOf } from '../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../domain/formats/zip-stream.ts'
import { issuedDocument } from '../../documents/rendering/index.ts'
import { HISTORY_TARGET, resolveInvoice } from '../../sales/invoices/index.ts'
import { RECEIVED_TARGET } from '../../purchases/invoices/index.ts'
import { erpCopyRows } from './accounting.ts'
import type { Area, exportPersonContract } from './contract.ts'
import { personOf } from './person.ts'
import { answerRows } from './answers.ts'
import { agreementRows, exchangedFiles, exchangedRows } from './exchanged.ts'
import { issuerRows } from './issuers.ts'
import { listed } from './rows.ts'
import { standingOf } from './standing.ts'
import type { Standing } from './standing.ts'
import { summaryPage } from './summary.ts'
import type { SummaryLanguage } from './messages.ts'

type Row = Record<string, unknown>
type Keys = readonly (number | string)[]

/** Columns that describe the store and not the person. */
const OURS =
  /^(id|book_id|search|name_key|digest|content_hash|fingerprint|sha256|hash|fx_micro|.*_id|.*_hash|is_spent)$/
const JSON_COLUMNS = new Set([
  'content',
  'recipients',
  'copies',
  'refused',
  'consequence',
  'facts',
  'tags',
  'external_refs',
  'metadata',
  'lines',
  'deposits',
  'details',
  'body_json',
  'before',
  'faults',
  'memory',
])

function portableValue(name: string, value: unknown): unknown {
  if (name.endsWith('_at') && typeof value === 'number') return new Date(value).toISOString()
  if (JSON_COLUMNS.has(name) && typeof value === 'string') {
    try {
      return JSON.parse(value)
    } catch {
      return value
    }
  }
  return value
}

/** Returns a row for other programs: without internal keys, instants as ISO 8601, bytes left to the files. */
function portable(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => (name === 'public_id' || !OURS.test(name)) && !(value instanceof Uint8Array))
      .map(([name, value]) => [name === 'public_id' ? 'id' : name, portableValue(name, value)]),
  )
}

async function rowsOf(ctx: Ctx, table: string, column: string, keys: Keys): Promise<Row[]> {
  const { rows } =
    await sql<Row>`select * from ${sql.table(table)} where ${sql.ref(column)} in ${listed(keys)}`.execute(
      ctx.db,
    )
  return rows
}

/** Returns rows with their child rows. */
async function withParts(
  ctx: Ctx,
  table: string,
  keys: Keys,
  parts: Record<string, readonly [string, string]>,
): Promise<Row[]> {
  const rows = await rowsOf(ctx, table, 'id', keys)
  const found = await Promise.all(
    Object.entries(parts).map(async ([name, [from, column]]) => {
      const of = new Map<unknown, Row[]>()
      for (const part of await rowsOf(
        ctx,
        from,
        column,
        rows.map(({ id }) => Number(id)),
      ))
        of.set(part[column], [...(of.get(part[column]) ?? []), portable(part)])
      return [name, of] as const
    }),
  )
  return rows.map((row) => ({
    ...portable(row),
    ...Object.fromEntries(found.map(([name, of]) => [name, of.get(row.id) ?? []])),
  }))
}

const INVOICE_PARTS = {
  lines: ['invoice_lines', 'invoice_id'],
  taxes: ['invoice_taxes', 'invoice_id'],
} as const

async function invoicesWithParty(ctx: Ctx, keys: Keys): Promise<Row[]> {
  const { rows } =
    await sql<Row>`select i.public_id as invoice, p.* from invoices i join parties p on p.id = i.party_id
    where i.id in ${listed(keys)}`.execute(ctx.db)
  const customers = new Map(rows.map(({ invoice, ...party }) => [invoice, portable(party)]))
  return (await withParts(ctx, 'invoices', keys, INVOICE_PARTS)).map((row) => ({
    ...row,
    customer: customers.get(row.id),
  }))
}

const plain = (table: string) => async (ctx: Ctx, keys: Keys) =>
  (await rowsOf(ctx, table, 'id', keys)).map(portable)

async function draftRows(ctx: Ctx, publicIds: Keys): Promise<Row[]> {
  const rows = await rowsOf(ctx, 'invoices', 'public_id', publicIds)
  return invoicesWithParty(
    ctx,
    rows.map(({ id }) => Number(id)),
  )
}

async function checkRows(ctx: Ctx, keys: Keys): Promise<Row[]> {
  const of = (kind: string) =>
    keys.flatMap((key) => (String(key).startsWith(`${kind} `) ? [Number(String(key).split(' ')[1])] : []))
  return [
    ...(await rowsOf(ctx, 'vat_number_checks', 'id', of('vat'))),
    ...(await rowsOf(ctx, 'census_checks', 'id', of('census'))),
  ].map(portable)
}

async function debitRows(ctx: Ctx, keys: Keys): Promise<Row[]> {
  const { rows } =
    await sql<Row>`select r.execution_date, r.kind, x.* from remittance_items x join remittances r on r.id = x.remittance_id
    where x.remittance_id || ' ' || x.position in ${listed(keys)}`.execute(ctx.db)
  return rows.map(portable)
}

async function entryRows(ctx: Ctx, keys: Keys, { person }: Standing): Promise<Row[]> {
  const { rows } = await sql<Row>`select e.day, e.text, a.code as account, l.amount_cents from journal_lines l
    join journal_entries e on e.id = l.entry_id join ledger_accounts a on a.id = l.account_id
    where e.id in ${listed(keys)} and l.contact_id in ${listed(person.contactRows)}`.execute(ctx.db)
  return rows.map(portable)
}

async function importedRows(ctx: Ctx, _keys: Keys, { imports }: Standing): Promise<Row[]> {
  const found = []
  for (const { runId, row } of imports.rows)
    found.push(
      await ctx.db
        .selectFrom('import_rows')
        .selectAll()
        .where('run_id', '=', runId)
        .where('row', '=', row)
        .executeTakeFirst(),
    )
  for (const { fileId, position } of imports.moved)
    found.push(
      await ctx.db
        .selectFrom('moving_rows')
        .select(['label', 'document', 'faults'])
        .where('file_id', '=', fileId)
        .where('position', '=', position)
        .executeTakeFirst(),
    )
  return found.flatMap((row) => (row ? [portable(row as unknown as Row)] : []))
}

async function wageRows(ctx: Ctx, keys: Keys): Promise<Row[]> {
  const { rows } = await sql<Row>`select year, nif, name, key, subkey, province, paid_cents, withheld_cents,
    in_kind_cents, in_kind_withheld_cents, facts from wage_recipients
    where book_id = ${ctx.book.id} and year || ' ' || position in ${listed(keys)} order by year`.execute(
    ctx.db,
  )
  // The wages of somebody else stay out of it: only that the person is named in them, and as what.
  const mentions = keys.flatMap((key) => {
    const [year, , mention] = String(key).split(' ')
    return mention === undefined ? [] : [{ year: Number(year), mentioned_as: mention }]
  })
  return [...rows.map(portable), ...mentions]
}

async function memoryRows(ctx: Ctx, keys: Keys): Promise<Row[]> {
  const { rows } = await sql<Row>`select nif, documents, memory, updated_at from supplier_memory
    where book_id = ${ctx.book.id} and nif in ${listed(keys)}`.execute(ctx.db)
  return rows.map(portable)
}

async function premisesRows(ctx: Ctx, keys: Keys): Promise<Row[]> {
  const premises = await rowsOf(ctx, 'rented_premises', 'id', keys)
  const bases = await rowsOf(ctx, 'rent_bases', 'premises_id', keys)
  return premises.map((row) => ({
    ...portable(row),
    rents: bases.filter((base) => base.premises_id === row.id).map(portable),
  }))
}

async function noteRows(ctx: Ctx, keys: Keys): Promise<Row[]> {
  const rowsIn = (kind: string): number[] =>
    keys.flatMap((key) => (String(key).startsWith(`${kind} `) ? [Number(String(key).split(' ')[1])] : []))
  const notes = await rowsOf(ctx, 'notes', 'id', rowsIn('note'))
  const tasks = await rowsOf(ctx, 'tasks', 'id', rowsIn('task'))
  return [...notes, ...tasks].map(portable)
}

async function historyRows(ctx: Ctx, keys: Keys): Promise<Row[]> {
  const { rows } =
    await sql<Row>`select sequence, at, channel, action, target_label, outcome from audit_events
    where book_id = ${ctx.book.id} and sequence in ${listed(keys)}`.execute(ctx.db)
  return rows.map((row) => ({ ...portable(row), at: new Date(Number(row.at)).toISOString() }))
}

/** Writer of each area. Technical copies of other areas, and the company's own rules, appear only on the page. */
const WRITERS: Partial<Record<Area, (ctx: Ctx, keys: Keys, standing: Standing) => Promise<Row[]>>> = {
  drafts: draftRows,
  quotes: (ctx, keys) => withParts(ctx, 'quotes', keys, { earlier: ['quote_revisions', 'quote_id'] }),
  recurrences: plain('recurrences'),
  templates: plain('templates'),
  mandates: plain('mandates'),
  mails: plain('mails'),
  reminders: plain('reminders'),
  checks: checkRows,
  imports: importedRows,
  erp: (ctx, keys) => erpCopyRows(ctx, keys) as Promise<Row[]>,
  proposals: plain('proposals'),
  notes: noteRows,
  bankRules: plain('bank_rules'),
  supplierMemory: memoryRows,
  incoming: plain('incoming_documents'),
  issued: invoicesWithParty,
  received: (ctx, keys) =>
    withParts(ctx, 'received_invoices', keys, { lines: ['received_lines', 'received_id'] }),
  payments: plain('payments'),
  debits: debitRows,
  entries: entryRows,
  bank: plain('bank_transactions'),
  wages: wageRows,
  premises: premisesRows,
  assets: plain('assets'),
  issuers: issuerRows,
  answers: answerRows,
  exchanged: exchangedRows,
  agreements: agreementRows,
  history: historyRows,
}

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`, 'utf8')

async function* fileEntries(ctx: Ctx, standing: Standing): AsyncGenerator<ZipEntry, void, undefined> {
  const taken = new Set<string>()
  const named = (folder: string, name: string): string => {
    let path = `${folder}/${safeEntryName(name)}`
    for (let copy = 2; taken.has(path.toLowerCase()); copy += 1)
      path = `${folder}/${copy}-${safeEntryName(name)}`
    taken.add(path.toLowerCase())
    return path
  }
  for (const [type, folder, ids] of [
    [RECEIVED_TARGET, 'archivos/recibidas', standing.received],
    [HISTORY_TARGET, 'archivos/emitidas', standing.history],
  ] as const)
    for (const id of ids)
      for (const file of await filesOf(ctx, { type, id })) {
        yield { name: named(folder, file.name), bytes: await readFile(ctx, file), compress: false }
        await nextTurn()
      }
  for await (const { name, bytes } of exchangedFiles(ctx, standing.keys.get('exchanged') ?? []))
    yield { name: named('archivos/intercambiadas', name), bytes, compress: true }
  const mails = standing.keys.get('mails') ?? []
  const { rows } = await sql<{ name: string; bytes: Uint8Array; sha256: Uint8Array }>`
    select name, bytes, sha256 from mail_attachments
    where bytes is not null and mail_id in ${listed(mails)}`.execute(ctx.db)
  for (const { name, bytes: cell, sha256 } of rows)
    yield {
      name: named('archivos/correos', name),
      bytes: await readContent(ctx, { cell, sha256 }),
      compress: false,
    }
}

async function* entriesFor(
  ctx: Ctx,
  standing: Standing,
  language: SummaryLanguage,
): AsyncGenerator<ZipEntry, void, undefined> {
  const { person, findings, keys } = standing
  yield {
    name: 'datos/contact.json',
    bytes: json(person.contacts.map((row) => portable({ ...row }))),
    compress: true,
  }
  for (const [area, write] of Object.entries(WRITERS) as [Area, NonNullable<(typeof WRITERS)[Area]>][]) {
    const found = keys.get(area)
    if (found)
      yield { name: `datos/${area}.json`, bytes: json(await write(ctx, found, standing)), compress: true }
    await nextTurn()
  }
  const missing: string[] = []
  for (const { publicId } of standing.issued) {
    const row = await resolveInvoice(ctx, publicId)
    try {
      const document = await issuedDocument(ctx, row, { format: 'pdf', language: null })
      yield { name: `facturas/${document.fileName}`, bytes: document.bytes, compress: false }
    } catch {
      // The rest is still exported; the page lists what is missing.
      missing.push(row.number ?? publicId)
    }
    await nextTurn()
  }
  yield* fileEntries(ctx, standing)
  const { legal_name: company } = await findCompany(ctx)
  yield {
    name: language === 'es' ? 'resumen.html' : 'summary.html',
    bytes: Buffer.from(
      summaryPage({ language, person: person.name, company, day: ctx.today(), findings, missing }),
      'utf8',
    ),
    compress: true,
  }
}

/** Returns the ZIP, after the audit entry of the export is committed. */
export const exportPerson: UseCase<typeof exportPersonContract> = async (
  ctx,
  { subject, language = 'es' },
) => {
  const standing = await standingOf(ctx, await personOf(ctx, subject))
  await ctx.transaction((tx) =>
    recordAudit(tx, {
      action: 'privacy.exported',
      target: { type: 'contact', id: standing.person.contactIds[0] ?? 'none' },
    }),
  )
  return {
    stream: zipOf(entriesFor(ctx, standing, language), ctx.now()),
    fileName: `datos-personales-${businessDateOf(ctx.now())}.zip`,
  }
}
