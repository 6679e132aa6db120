/** Appends records to the chain and seals them: the legally binding part of issuing. It cannot be undone. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { certificateState } from '../../company/certificates/index.ts'
import type { CompanyRow } from '../../company/index.ts'
import { loadBook } from '../../platform/books/index.ts'
import { madridInstant } from '../../domain/dates.ts'
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
import type { InvoiceDetail } from '../invoice-detail.ts'
import type { Attendance, Build, CheckContext, RecordFacts, Taxpayer } from '../system.ts'
import { systemOf } from '../systems/index.ts'
import { packXml, unpackXml } from '../systems/packing.ts'
import { addRecord, findChainState, firstTextOf, headOf } from './rows.ts'
import type { ChainState } from './rows.ts'
import { sealingKeyOf } from './sealing-key.ts'

export type { NewCancellation, NewRegistration }

/** A record just appended. */
export interface MadeRecord {
  sequence: number
  hash: Uint8Array
  /** What the next record names of it; null: its hash. */
  link: string | null
  /** True if the record before it in the book is the one that it follows. */
  followsLast: boolean
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

function buildOf({ book, env }: Ctx): Build {
  return {
    isTest: book.mode === 'test' || env.sandbox,
    environment: book.environment,
    producer: env.producer,
    version: env.version,
  }
}

/** Returns the program as the book's records name it. */
export function programOf(ctx: Ctx): Omit<Software, 'installationNumber' | 'severalIssuers'> {
  return systemOf(ctx.book).programOf(buildOf(ctx))
}

/** Returns the company as the authority knows it. */
export function taxpayerOf(company: CompanyRow): Taxpayer {
  return {
    name: company.legal_name,
    nif: company.nif,
    isPerson: company.kind === 'natural',
    activityCode: company.activity_code,
  }
}

function softwareOf(ctx: Ctx, chain: Pick<ChainState, 'installation' | 'several_companies'>): Software {
  return {
    ...programOf(ctx),
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

/** The book as a check of its next record needs it. */
interface CheckedBook {
  company: CompanyRow
  chain: ChainState
}

/** On a desk the key is on the computer of the person; in an office, and for programs, it is elsewhere. */
function attendanceOf({ actor, env }: Ctx): Attendance {
  if (actor.kind !== 'user') return 'unattended'
  return env.servers === null ? 'local' : 'remote'
}

async function contextOf(
  ctx: Ctx,
  { company, chain }: CheckedBook,
  issuerName: string,
  record: Pick<CheckContext, 'detail' | 'first' | 'registered'>,
): Promise<CheckContext> {
  const taxpayer = { ...taxpayerOf(company), name: issuerName }
  return {
    today: ctx.today(),
    now: ctx.now(),
    environment: ctx.book.environment,
    software: softwareOf(ctx, chain),
    taxpayer,
    attendance: attendanceOf(ctx),
    key: await sealingKeyOf(ctx, taxpayer),
    ...record,
  }
}

/** Checks a cancellation against the registry's own rules before it is made. `issuerName`: as the registration has it. */
export async function checkCancellationRecord(
  ctx: Ctx,
  cancellation: NewCancellation,
  issuerName: string,
  book: CheckedBook,
): Promise<Fault[]> {
  const context = await contextOf(ctx, book, issuerName, {
    detail: null,
    first: null,
    registered: 'active',
  })
  return systemOf(ctx.book).cancellationFaults(cancellation, context)
}

/** The parts of an invoice that only some registries look at: computed if the book's does. */
interface InvoiceParts {
  detailOf: () => InvoiceDetail
  /** Row of the invoice and its state at the registry, for a further registration of it. */
  invoiceId?: number
  registered?: CheckContext['registered']
}

async function partsOf(
  ctx: Ctx,
  { turn }: NewRegistration,
  { detailOf, invoiceId }: Partial<InvoiceParts>,
): Promise<Pick<CheckContext, 'detail' | 'first'>> {
  if (!systemOf(ctx.book).needsDetail) return { detail: null, first: null }
  if (!detailOf) throw new Error('The registry of the book lists more than the registration.')
  const first = turn === 'first' || invoiceId === undefined ? null : await firstTextOf(ctx, invoiceId)
  return { detail: detailOf(), first: first && unpackXml(first) }
}

/**
 * Checks a registration against the registry's own rules before it is made, and reports what would be accepted with
 * errors.
 */
export async function checkRegistration(
  ctx: Ctx,
  invoice: NewRegistration,
  book: CheckedBook,
  parts: InvoiceParts,
): Promise<Fault[]> {
  const { registered = 'none' } = parts
  const context = await contextOf(ctx, book, invoice.issuer.name, {
    ...(await partsOf(ctx, invoice, parts)),
    registered,
  })
  return systemOf(ctx.book).registrationFaults(invoice, context)
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
  issuerName: string,
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
  const sealed = await system.seal(draft, await sealingKeyOf(ctx, { nif: key.issuerNif, name: issuerName }))
  const record = {
    bookId: ctx.book.id,
    sequence,
    kind: facts.kind,
    turn,
    invoiceId,
    hash: Buffer.from(sealed.hash, 'hex'),
    isLink: sealed.isLink,
    link: sealed.link,
    ...key,
    generatedAt: now.getTime(),
    xml: packXml(sealed.text, 'thoroughly', system.dictionary),
  }
  await addRecord(ctx, record)
  const followsLast = system.needsDetail ? false : chain.head_hash !== null || chain.records === 0
  return { sequence, hash: record.hash, link: record.link, followsLast, chain }
}

/**
 * Creates the registration of an issued invoice, appends it to the chain and queues it for the authority. Runs in the
 * issue transaction. `chain`: its state, if this transaction has read it and made no record since. `detailOf`: needed if
 * the book's registry lists more than the registration.
 */
export async function appendRegistration(
  ctx: Ctx,
  invoiceId: number,
  invoice: NewRegistration,
  { chain, detailOf }: { chain?: ChainState | undefined; detailOf?: () => InvoiceDetail } = {},
): Promise<MadeRecord> {
  const { issuer, number, issueDate } = invoice
  const parts = await partsOf(ctx, invoice, { invoiceId, ...(detailOf ? { detailOf } : {}) })
  return append(
    ctx,
    invoiceId,
    invoice.turn,
    { issuerNif: issuer.nif, number, issueDate },
    issuer.name,
    (recordId) => ({ kind: 'registration', invoice: { ...invoice, recordId }, ...parts }),
    chain,
  )
}

/**
 * Creates the record that cancels an invoice's registration, appends it to the chain and queues it. Runs in the
 * annulment transaction. `issuerName`: as the registration has it.
 */
export function appendCancellation(
  ctx: Ctx,
  invoiceId: number,
  cancellation: NewCancellation,
  issuerName: string,
): Promise<MadeRecord> {
  return append(ctx, invoiceId, cancellation.turn, cancellation.key, issuerName, (recordId) => ({
    kind: 'cancellation',
    cancellation: { ...cancellation, recordId },
    issuerName,
  }))
}
