/** Sealing records into the chain: the part of issuing that the law is about. Once done it is never done again. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { loadBook } from '../../platform/books/index.ts'
import { madridInstant } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors/catalog.ts'
import type { Fault } from '../../domain/errors/catalog.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import { clockBehindMessages, clockFaults, secondsBehindRecord } from '../state/clock.ts'
import { packXml } from '../record/compact.ts'
import type {
  CancellationTurn,
  InvoiceKey,
  RegistrationTurn,
  RegistryCancellation,
  RegistryInvoice,
  SystemInfo,
} from '../record/fields.ts'
import { addRecord, countCompanies, findChain, headOf } from './rows.ts'
import type { ChainRow } from './rows.ts'
import { checkCancellation, checkRecord, checkSystem } from '../record/rules/index.ts'
import { buildCancellation, buildRegistration } from '../record/xml.ts'
import type { BuiltRecord } from '../record/xml.ts'

/** What the others tell of an invoice; the record's own reference is given here. */
export type NewRegistration = Omit<RegistryInvoice, 'recordId'>
export type NewCancellation = Omit<RegistryCancellation, 'recordId'>

/** A record just made. */
export interface MadeRecord {
  rowId: number
  /** As the authority echoes it, `rec-N`. */
  recordId: string
}

/** The producer the authority's own documents use in examples; test books and sandboxes carry it, and no others. */
const TEST_PRODUCER = { name: 'PRODUCTOR DE PRUEBA', nif: '89890001K', systemId: 'S1' }

/** Our reference of a record, echoed by the authority. Unique within the book. */
export function recordIdOf(sequence: number): string {
  return `rec-${sequence}`
}

/** The sequence in a reference of ours; 0 when it is none. */
export function sequenceOf(recordId: string): number {
  return Number(/^rec-(\d{1,12})$/.exec(recordId)?.[1] ?? 0)
}

/** Whom the book's records name as the producer of the program. */
export function producerOf(ctx: Ctx): { name: string; nif: string; systemId: string } {
  return ctx.book.mode === 'test' || ctx.env.sandbox ? TEST_PRODUCER : ctx.env.producer
}

async function systemOf(ctx: Ctx, chain: ChainRow): Promise<SystemInfo> {
  const own = producerOf(ctx)
  return {
    producer: { name: own.name, nif: own.nif },
    name: 'Sello',
    id: own.systemId,
    version: ctx.env.version,
    installationNumber: chain.installation,
    onlyVerifactu: true,
    multiIssuer: true,
    severalIssuers: (await countCompanies(ctx.db)) > 1,
  }
}

/** What is wrong with the build's own data, which stand in every record; that they are blank is said elsewhere. */
async function producerFaults(ctx: Ctx, chain: ChainRow) {
  const { producer, sandbox } = ctx.env
  if (ctx.book.mode === 'test' || sandbox || producer.nif === '' || producer.name === '') return []
  return checkSystem(await systemOf(ctx, chain)).filter(({ severity }) => severity === 'error')
}

/** What keeps the chain from taking a record, or a person should know before it takes its first one. */
export async function chainFaults(ctx: Ctx): Promise<Fault[]> {
  const chain = await findChain(ctx)
  const faults: Fault[] = await clockFaults(ctx)
  if (chain.held_for !== null)
    faults.push({
      code: 'restored_copy',
      field: '',
      severity: 'error',
      message:
        'These books are an older copy of themselves, or come from another computer: numbers given there could be given twice.',
      fix: 'Open the registry page and begin a new installation.',
    })
  for (const { code, message, fix } of await producerFaults(ctx, chain))
    faults.push({ code, field: '', severity: 'error', message, fix })
  if (ctx.book.mode === 'live' && chain.records === 0)
    faults.push({
      code: 'scheme_commitment',
      field: '',
      severity: 'warning',
      message: `With the first invoice the issuer enters the scheme and stays in it at least until 31 December ${ctx.today().slice(0, 4)}.`,
      fix: 'Try everything in the test book first.',
      params: { year: ctx.today().slice(0, 4) },
    })
  if (chain.broken_at !== null)
    faults.push({
      code: 'chain_broken',
      field: '',
      severity: 'error',
      message: `The record chain does not verify at record ${chain.broken_at}.`,
      fix: 'Open the registry page: it names the way out.',
      params: { sequence: chain.broken_at },
    })
  if (secondsBehindRecord(ctx, chain) > 0)
    faults.push({
      code: 'clock_wrong',
      field: '',
      severity: 'error',
      ...clockBehindMessages(ctx, chain),
      params: { seconds: -secondsBehindRecord(ctx, chain) },
    })
  return faults
}

/** What stops a series: somebody else has registered one of its numbers, and nobody has decided yet. */
export async function seriesConflictFaults(ctx: Ctx, seriesId: number | null): Promise<Fault[]> {
  const found =
    seriesId === null ? undefined : await conflictIn.first(ctx.db, { bookId: ctx.book.id, seriesId })
  if (!found) return []
  return [
    {
      code: 'series_in_conflict',
      field: 'series',
      severity: 'error',
      message: `Another program has registered ${found.number ?? 'a number of this series'} with other content.`,
      fix: 'Decide on the registry page, or issue in another series.',
      params: { number: found.number ?? '' },
    },
  ]
}

const conflictIn = prepare((db, p: { bookId: number; seriesId: number }) =>
  db
    .selectFrom('registry_submissions')
    .innerJoin('registry_records', 'registry_records.id', 'registry_submissions.record_id')
    .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
    .select('invoices.number')
    .where('registry_submissions.book_id', '=', p.bookId)
    .where(sql<SqlBool>`registry_submissions.conflict = 1`)
    .where('registry_submissions.closed', '=', 0)
    .where('invoices.series_id', '=', p.seriesId)
    .limit(1),
)

/** The registry's own rules for a cancellation about to be made. `today` is the day in Spain. */
export function checkCancellationRecord(cancellation: NewCancellation, today: BusinessDate): Fault[] {
  return checkCancellation({ ...cancellation, recordId: recordIdOf(1) }, today).filter(
    (fault) => fault.severity === 'error',
  )
}

/** The fields of a record under the names the invoice's caller knows. */
const FIELD_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^recipients\[\d+\]\.name/, 'clientName'],
  [/^recipients/, 'clientNif'],
  [/^breakdown.*/, 'lines'],
  [/^(description|taxTotalCents|totalCents).*/, 'lines'],
  [/^number.*/, 'series'],
]

function outsideField(field: string): string {
  for (const [pattern, name] of FIELD_NAMES) if (pattern.test(field)) return name
  return field
}

/** Acceptances with errors that can be told beforehand; other warnings of the rules are given in the trade's words before. */
const FORESEEN = ['2001', '2009']

/** The registry's own rules for a record about to be made, and what it would accept with errors. `today` is the day in Spain. */
export function checkRegistration(invoice: NewRegistration, today: BusinessDate): Fault[] {
  return checkRecord({ ...invoice, recordId: recordIdOf(1) }, today)
    .filter((fault) => fault.severity === 'error' || FORESEEN.includes(fault.authorityCode))
    .map((fault) => ({ ...fault, field: outsideField(fault.field) }))
}

/**
 * The first record fixes the service it goes to. Whoever asks for it came with the book as it was, and a person may have
 * chosen another since. Throws `confirmation_stale`: the QR that was shown is another's.
 */
async function assertEnvironment(ctx: Ctx): Promise<void> {
  const now = await loadBook(ctx.db, ctx.book.publicId)
  if (now?.environment !== ctx.book.environment) throw new AppError('confirmation_stale')
}

async function append(
  ctx: Ctx,
  invoiceId: number,
  facts: {
    kind: 'registration' | 'cancellation'
    turn: RegistrationTurn | CancellationTurn
    key: InvoiceKey
  },
  build: (
    recordId: string,
    head: ReturnType<typeof headOf>,
    system: SystemInfo,
    generatedAt: string,
  ) => BuiltRecord,
): Promise<MadeRecord> {
  const chain = await findChain(ctx)
  if (chain.records === 0) await assertEnvironment(ctx)
  const sequence = chain.records + 1
  const recordId = recordIdOf(sequence)
  const now = ctx.now()
  const { xml, hash } = build(recordId, headOf(chain), await systemOf(ctx, chain), madridInstant(now))
  const rowId = await addRecord(ctx, {
    bookId: ctx.book.id,
    sequence,
    kind: facts.kind,
    turn: facts.turn,
    invoiceId,
    hash: Buffer.from(hash, 'hex'),
    ...facts.key,
    generatedAt: now.getTime(),
    xml: packXml(xml),
  })
  return { rowId, recordId }
}

/** Makes a registration of an issued invoice, chains it and queues it for the authority. In the issue transaction. */
export function appendRegistration(
  ctx: Ctx,
  invoiceId: number,
  invoice: NewRegistration,
): Promise<MadeRecord> {
  const key = { issuerNif: invoice.issuer.nif, number: invoice.number, issueDate: invoice.issueDate }
  return append(ctx, invoiceId, { kind: 'registration', turn: invoice.turn, key }, (recordId, ...rest) =>
    buildRegistration({ ...invoice, recordId }, ...rest),
  )
}

/** Makes the record that cancels an invoice's registration, chains it and queues it. In the transaction that annuls it. */
export function appendCancellation(
  ctx: Ctx,
  invoiceId: number,
  cancellation: NewCancellation,
): Promise<MadeRecord> {
  return append(
    ctx,
    invoiceId,
    { kind: 'cancellation', turn: cancellation.turn, key: cancellation.key },
    (recordId, ...rest) => buildCancellation({ ...cancellation, recordId }, ...rest),
  )
}
