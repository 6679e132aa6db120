/** Appends records to the chain and seals them: the legally binding part of issuing. It cannot be undone. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { loadBook } from '../../platform/books/index.ts'
import { madridInstant } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { english } from '../../domain/errors/messages/en.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import { clockBehindMessages, clockFaults, secondsBehindRecord } from '../state/clock.ts'
import { packXml } from '../systems/verifactu/record/compact.ts'
import type {
  CancellationTurn,
  InvoiceKey,
  RegistrationTurn,
  RegistryCancellation,
  RegistryInvoice,
  SystemInfo,
} from '../systems/verifactu/record/fields.ts'
import { addRecord, findChainState, headOf } from './rows.ts'
import type { ChainState } from './rows.ts'
import { checkCancellation, checkRecord, checkSystem } from '../systems/verifactu/record/rules/index.ts'
import { buildCancellation, buildRegistration } from '../systems/verifactu/record/xml.ts'
import type { BuiltRecord } from '../systems/verifactu/record/xml.ts'

/** The facts of an invoice from its slice; this file adds the record's own reference. */
export type NewRegistration = Omit<RegistryInvoice, 'recordId'>
export type NewCancellation = Omit<RegistryCancellation, 'recordId'>

/** A record just appended. */
export interface MadeRecord {
  sequence: number
  hash: Uint8Array
  /** The chain before it. */
  chain: ChainState
}

/** The producer that the authority's documents use in examples; only test books and sandboxes carry it. */
const TEST_PRODUCER = { name: 'PRODUCTOR DE PRUEBA', nif: '89890001K', systemId: 'S1' }

/** Returns our reference of a record, which the authority echoes. It is unique within the book. */
export function recordIdOf(sequence: number): string {
  return `rec-${sequence}`
}

/** Returns the sequence number in a reference of ours; 0 when the text is not one. */
export function sequenceOf(recordId: string): number {
  return Number(/^rec-(\d{1,12})$/.exec(recordId)?.[1] ?? 0)
}

/** Returns the producer of the program that the book's records name. */
export function producerOf(ctx: Ctx): { name: string; nif: string; systemId: string } {
  return ctx.book.mode === 'test' || ctx.env.sandbox ? TEST_PRODUCER : ctx.env.producer
}

function systemOf(ctx: Ctx, chain: ChainState): SystemInfo {
  const own = producerOf(ctx)
  return {
    producer: { name: own.name, nif: own.nif },
    name: 'Sello',
    id: own.systemId,
    version: ctx.env.version,
    installationNumber: chain.installation,
    onlyVerifactu: true,
    multiIssuer: true,
    severalIssuers: chain.several_companies === 1,
  }
}

/** Returns the faults of the build's own data, which every record carries. Blank values are reported elsewhere. */
function producerFaults(ctx: Ctx, chain: ChainState) {
  const { producer, sandbox } = ctx.env
  if (ctx.book.mode === 'test' || sandbox || producer.nif === '' || producer.name === '') return []
  return checkSystem(systemOf(ctx, chain)).filter(({ severity }) => severity === 'error')
}

/** Returns the faults that stop the chain from taking a record, and the warnings to show before its first record. */
export async function chainFaults(ctx: Ctx, chain: ChainState): Promise<Fault[]> {
  const faults: Fault[] = clockFaults(ctx, chain)
  if (chain.held_for !== null)
    faults.push({
      code: 'restored_copy',
      field: '',
      severity: 'error',
      message: english.restored_copy.message,
      fix: english.restored_copy.next,
    })
  for (const { code, message, fix } of producerFaults(ctx, chain))
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

/**
 * Returns the fault that blocks a series: another program has registered one of its numbers, and no decision has been
 * made yet.
 */
export async function seriesConflictFaults(
  ctx: Ctx,
  { has_conflict: hasConflict }: ChainState,
  seriesId: number | null,
): Promise<Fault[]> {
  const found =
    seriesId === null || hasConflict === 0
      ? undefined
      : await conflictIn.first(ctx.db, { bookId: ctx.book.id, seriesId })
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

/** Checks a cancellation against the registry's own rules before it is made. `today` is the date in Spain. */
export function checkCancellationRecord(cancellation: NewCancellation, today: BusinessDate): Fault[] {
  return checkCancellation({ ...cancellation, recordId: recordIdOf(1) }, today).filter(
    (fault) => fault.severity === 'error',
  )
}

/** Names of the record's fields as the invoice's caller knows them. */
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

/**
 * Acceptances with errors that can be predicted; the other warnings of the rules are reported earlier, as rules of
 * the trade.
 */
const FORESEEN = ['2001', '2009']

/**
 * Checks a registration against the registry's own rules before it is made, and reports what would be accepted with
 * errors. `today` is the date in Spain.
 */
export function checkRegistration(invoice: NewRegistration, today: BusinessDate): Fault[] {
  return checkRecord({ ...invoice, recordId: recordIdOf(1) }, today)
    .filter((fault) => fault.severity === 'error' || FORESEEN.includes(fault.authorityCode))
    .map((fault) => ({ ...fault, field: outsideField(fault.field) }))
}

/**
 * Rejects the first record if the environment changed after the caller loaded the book: the first record fixes the
 * service, and a person may have chosen another one meanwhile. Throws `confirmation_stale`: the QR shown belongs to
 * another service.
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
  known?: ChainState,
): Promise<MadeRecord> {
  const chain = known ?? (await findChainState(ctx))
  if (chain.records === 0) await assertEnvironment(ctx)
  const sequence = chain.records + 1
  const recordId = recordIdOf(sequence)
  const now = ctx.now()
  const { xml, hash } = build(recordId, headOf(chain), systemOf(ctx, chain), madridInstant(now))
  const record = {
    bookId: ctx.book.id,
    sequence,
    kind: facts.kind,
    turn: facts.turn,
    invoiceId,
    hash: Buffer.from(hash, 'hex'),
    ...facts.key,
    generatedAt: now.getTime(),
    xml: packXml(xml),
  }
  await addRecord(ctx, record)
  return { sequence, hash: record.hash, chain }
}

/**
 * Creates the registration of an issued invoice, appends it to the chain and queues it for the authority. Runs in the
 * issue transaction. `chain`: its state, if this transaction has read it and made no record since.
 */
export function appendRegistration(
  ctx: Ctx,
  invoiceId: number,
  invoice: NewRegistration,
  chain?: ChainState,
): Promise<MadeRecord> {
  const key = { issuerNif: invoice.issuer.nif, number: invoice.number, issueDate: invoice.issueDate }
  return append(
    ctx,
    invoiceId,
    { kind: 'registration', turn: invoice.turn, key },
    (recordId, ...rest) => buildRegistration({ ...invoice, recordId }, ...rest),
    chain,
  )
}

/**
 * Creates the record that cancels an invoice's registration, appends it to the chain and queues it. Runs in the
 * annulment transaction.
 */
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
