/** Appends records to the chain and seals them: the legally binding part of issuing. It cannot be undone. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { certificateState, credentialOf } from '../../company/certificates/index.ts'
import { loadBook } from '../../platform/books/index.ts'
import { madridInstant } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { english } from '../../domain/errors/messages/en.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import { clockBehindMessages, clockFaults, secondsBehindRecord } from '../state/clock.ts'
import type {
  CancellationTurn,
  InvoiceKey,
  NewCancellation,
  NewRegistration,
  RegistrationTurn,
  Software,
} from '../facts.ts'
import type { RecordFacts } from '../system.ts'
import { systemOf } from '../systems/index.ts'
import { packXml } from '../systems/packing.ts'
import { addRecord, findChainState, headOf } from './rows.ts'
import type { ChainState } from './rows.ts'

export type { NewCancellation, NewRegistration }

/** A record just appended. */
export interface MadeRecord {
  sequence: number
  hash: Uint8Array
  /** What the next record names of it; null: its hash. */
  link: string | null
  /** The chain before it. */
  chain: ChainState
}

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
  return ctx.book.mode === 'test' || ctx.env.sandbox ? systemOf(ctx.book).testProducer : ctx.env.producer
}

function softwareOf(ctx: Ctx, chain: ChainState): Software {
  const own = producerOf(ctx)
  return {
    producer: { name: own.name, nif: own.nif },
    name: 'Sello',
    id: own.systemId,
    version: ctx.env.version,
    installationNumber: chain.installation,
    severalIssuers: chain.several_companies === 1,
  }
}

/** Returns the faults of the build's own data, which every record carries. Blank values are reported elsewhere. */
function producerFaults(ctx: Ctx, chain: ChainState): Fault[] {
  const { producer, sandbox } = ctx.env
  if (ctx.book.mode === 'test' || sandbox || producer.nif === '' || producer.name === '') return []
  return systemOf(ctx.book).softwareFaults(softwareOf(ctx, chain))
}

/**
 * Returns the fault of a book whose records are signed when they are made, and that has no usable certificate: nothing
 * is issued, and the draft stays.
 */
async function keyFaults(ctx: Ctx): Promise<Fault[]> {
  if (!systemOf(ctx.book).needsKeyAtIssue || ctx.book.mode === 'test') return []
  const { status } = await certificateState(ctx)
  if (status === 'ok' || status === 'expiring') return []
  const code = status === 'expired' ? 'certificate_expired' : 'certificate_missing'
  return [{ code, field: '', severity: 'error', message: english[code].message, fix: english[code].next }]
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
  for (const { code, message, fix = '' } of producerFaults(ctx, chain))
    faults.push({ code, field: '', severity: 'error', message, fix })
  faults.push(...(await keyFaults(ctx)))
  if (ctx.book.mode === 'live' && chain.records === 0)
    faults.push(...systemOf(ctx.book).entryWarnings(ctx.today()))
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
export function checkCancellationRecord(
  ctx: Pick<Ctx, 'book'>,
  cancellation: NewCancellation,
  today: BusinessDate,
): Fault[] {
  return systemOf(ctx.book).cancellationFaults(cancellation, today)
}

/**
 * Checks a registration against the registry's own rules before it is made, and reports what would be accepted with
 * errors. `today` is the date in Spain.
 */
export function checkRegistration(
  ctx: Pick<Ctx, 'book'>,
  invoice: NewRegistration,
  today: BusinessDate,
): Fault[] {
  return systemOf(ctx.book).registrationFaults(invoice, today)
}

/**
 * Rejects the first record if registry or environment changed after the caller loaded the book: the first record fixes
 * both, and a person may have chosen others meanwhile. Throws `confirmation_stale`: the QR shown belongs to another
 * service.
 */
async function assertChoices(ctx: Ctx): Promise<void> {
  const now = await loadBook(ctx.db, ctx.book.publicId)
  if (now?.environment !== ctx.book.environment || now.registry !== ctx.book.registry)
    throw new AppError('confirmation_stale')
}

async function append(
  ctx: Ctx,
  invoiceId: number,
  turn: RegistrationTurn | CancellationTurn,
  key: InvoiceKey,
  factsOf: (recordId: string) => RecordFacts,
  known?: ChainState,
): Promise<MadeRecord> {
  const system = systemOf(ctx.book)
  const chain = known ?? (await findChainState(ctx))
  if (chain.records === 0) await assertChoices(ctx)
  const sequence = chain.records + 1
  const facts = factsOf(recordIdOf(sequence))
  const now = ctx.now()
  const draft = system.build(facts, {
    previous: headOf(chain),
    software: softwareOf(ctx, chain),
    generatedAt: madridInstant(now),
  })
  const sealed = await system.seal(draft, system.needsKeyAtIssue ? await credentialOf(ctx) : null)
  const record = {
    bookId: ctx.book.id,
    sequence,
    kind: facts.kind,
    turn,
    invoiceId,
    hash: Buffer.from(sealed.hash, 'hex'),
    link: system.linkOf(sealed),
    ...key,
    generatedAt: now.getTime(),
    xml: packXml(sealed.text, 'thoroughly', system.dictionary),
  }
  await addRecord(ctx, record)
  return { sequence, hash: record.hash, link: record.link, chain }
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
    invoice.turn,
    key,
    (recordId) => ({ kind: 'registration', invoice: { ...invoice, recordId } }),
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
  return append(ctx, invoiceId, cancellation.turn, cancellation.key, (recordId) => ({
    kind: 'cancellation',
    cancellation: { ...cancellation, recordId },
  }))
}
