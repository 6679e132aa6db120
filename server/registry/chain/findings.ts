/**
 * Compares what the authority holds of the issuer with these books, after they turned out to be an older copy of
 * themselves.
 */
import { findCompany } from '../../company/index.ts'
import { businessDateOf } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx } from '../../context.ts'
import { kindReservedBy, printedNumber, seriesOfBook } from '../../company/series/index.ts'
import type { SeriesKind, SeriesRow, UsedElsewhere } from '../../company/series/index.ts'
import { prepare } from '../../db/query.ts'
import { programOf } from './append.ts'
import type { Authority, Exchange } from '../queue/authority.ts'
import { beginBatch, endBatch } from '../queue/settle.ts'
import type { HeldRecord, PageAnswer, PageMark, Question, RegistryWire, Taxpayer } from '../system.ts'
import { systemOf } from '../systems/index.ts'
import { findChain, hexOf } from './rows.ts'

export interface Findings {
  /** Records held by the authority that these books do not have, or have with other content. */
  unknown: HeldRecord[]
  /** The last numbers used in each series: our own series, and those that the same program began elsewhere. */
  used: UsedElsewhere[]
}

function unreachable(details: Record<string, string>): AppError {
  return new AppError('registry_unreachable', { details })
}

/** Returns the answer about a period, or the error that explains why there is none. */
function answerOf(
  kept: RegistryWire['kept'],
  exchange: Exchange,
  question: Question<unknown, PageAnswer>,
): Page | AppError {
  if (exchange.kind === 'not_sent')
    return exchange.reason === 'no_certificate'
      ? new AppError('certificate_missing')
      : unreachable({ reason: exchange.reason, why: exchange.detail })
  if (exchange.kind === 'no_answer') return unreachable({ reason: 'no_answer', why: exchange.detail })
  const answer = question.read(kept(exchange))
  if (answer.kind === 'page') return answer
  if (answer.kind !== 'fault') return unreachable({ reason: 'unreadable', why: answer.detail })
  return unreachable({
    reason: 'fault',
    why: answer.message,
    ...(answer.code === null ? {} : { authorityCode: answer.code }),
  })
}

type Page = Extract<PageAnswer, { kind: 'page' }>

/**
 * Requests one page of a period. Stores the question before it leaves and its outcome afterwards; the listing itself
 * is not stored.
 */
async function askPage(
  ctx: Ctx,
  authority: Authority<unknown>,
  period: string,
  question: Question<unknown, PageAnswer>,
): Promise<Page> {
  const batchId = await ctx.transaction((tx) => beginBatch(tx, 'query', []))
  const exchange = await authority.query(question.message)
  const { kept } = systemOf(ctx.book).wire
  const answer = answerOf(kept, exchange, question)
  await ctx.transaction((tx) =>
    answer instanceof AppError
      ? endBatch(tx, batchId, {
          outcome:
            exchange.kind === 'answered'
              ? answer.details?.reason === 'fault'
                ? 'fault'
                : 'unreadable'
              : exchange.kind,
          detail: `${period}: ${String(answer.details?.why ?? answer.code)}`,
          ...(exchange.kind === 'answered' ? { httpStatus: exchange.status, body: kept(exchange) } : {}),
        })
      : endBatch(tx, batchId, {
          outcome: 'answered',
          detail: `${period}: ${answer.items.length} held`,
          ...(exchange.kind === 'answered' ? { httpStatus: exchange.status } : {}),
        }),
  )
  if (answer instanceof AppError) throw answer
  return answer
}

function isSameMark(a: PageMark, b: PageMark): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b
  return a.issuerNif === b.issuerNif && a.number === b.number && a.issueDate === b.issueDate
}

/** Yields all records held for a period, page by page. */
async function* heldOfPeriod(
  ctx: Ctx,
  authority: Authority<unknown>,
  issuer: Taxpayer,
  period: string,
): AsyncGenerator<HeldRecord> {
  const { wire } = systemOf(ctx.book)
  let after: PageMark | null = null
  for (;;) {
    const page: Page = await askPage(ctx, authority, period, wire.page(issuer, period, after))
    yield* page.items
    if (page.next === null) return
    if (after !== null && isSameMark(page.next, after))
      throw unreachable({ reason: 'unreadable', why: 'the same page again' })
    after = page.next
  }
}

const ownRecords = prepare((db, p: { seriesId: number; sequence: number; issueDate: string }) =>
  db
    .selectFrom('invoices')
    .innerJoin('registry_records', 'registry_records.invoice_id', 'invoices.id')
    .select(['registry_records.kind', 'registry_records.hash', 'registry_records.link'])
    .where('invoices.series_id', '=', p.seriesId)
    .where('invoices.sequence', '=', p.sequence)
    .where('invoices.issue_date', '=', p.issueDate),
)

/**
 * Returns true if these books made the held record; false if records that they do not have amended or annulled it
 * since.
 */
async function isKnown(ctx: Ctx, held: HeldRecord, series: SeriesRow, sequence: number): Promise<boolean> {
  const { issueDate } = held.key
  const records = await ownRecords.all(ctx.db, { seriesId: series.id, sequence, issueDate })
  if (held.state === 'Anulado' && !records.some((record) => record.kind === 'cancellation')) return false
  if (held.link !== undefined) return records.some(({ link }) => link === held.link)
  return records.some((record) => held.hash === null || hexOf(record.hash) === held.hash)
}

/** Series codes and numbers as this program assigns them in a live book. */
const NUMBER = /^([A-Za-z0-9][A-Za-z0-9/_-]{0,14})-(\d{4,7})$/

/** Splits an invoice number into series code and sequence; null when this program would not have printed it so. */
export function partsOfNumber(number: string): { code: string; sequence: number } | null {
  const [, code, digits] = NUMBER.exec(number) ?? []
  if (code === undefined || digits === undefined) return null
  const sequence = Number(digits)
  return sequence > 0 && printedNumber(code, sequence) === number ? { code, sequence } : null
}

function kindOf(code: string, held: HeldRecord): SeriesKind {
  const reserved = kindReservedBy(code)
  if (reserved) return reserved
  if (held.kind === 'F2') return 'simplified'
  return held.kind?.startsWith('R') ? 'rectifying' : 'ordinary'
}

/**
 * Queries the authority for every period from the last record of these books until now, and compares the result.
 * Leaves out records of other programs in series that are not ours. Throws `registry_unreachable` or
 * `certificate_missing`.
 */
export async function queryUnknown(ctx: Ctx, authority: Authority<unknown>): Promise<Findings> {
  const company = await findCompany(ctx)
  const chain = await findChain(ctx)
  const begun = await ctx.db
    .selectFrom('registry_installations')
    .select((eb) => eb.fn.min('started_at').as('at'))
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirstOrThrow()
  const first = chain.head_issue_date ?? businessDateOf(new Date(begun.at ?? ctx.now().getTime()))
  const issuer = { name: company.legal_name, nif: company.nif }
  const program = programOf(ctx)
  const series = new Map((await seriesOfBook(ctx)).map((row) => [row.code, row]))
  const unknown: HeldRecord[] = []
  const used = new Map<string, UsedElsewhere>()
  for (const period of systemOf(ctx.book).wire.periods(first, ctx.today()))
    for await (const held of heldOfPeriod(ctx, authority, issuer, period)) {
      const parts = partsOfNumber(held.key.number)
      const own = parts ? series.get(parts.code) : undefined
      const isOurProgram =
        held.system !== null &&
        held.system.producerId === program.producer.nif &&
        held.system.id === program.id
      if (!own && !isOurProgram) continue
      if (parts && own && (await isKnown(ctx, held, own, parts.sequence))) continue
      unknown.push(held)
      if (!parts) continue
      const before = used.get(parts.code)
      const { issueDate } = held.key
      used.set(parts.code, {
        code: parts.code,
        kind: own?.kind ?? before?.kind ?? kindOf(parts.code, held),
        last: Math.max(parts.sequence, before?.last ?? 0),
        lastIssueDate:
          before?.lastIssueDate && before.lastIssueDate > issueDate ? before.lastIssueDate : issueDate,
      })
    }
  return { unknown, used: [...used.values()] }
}

/** Stores the findings, for the person to review and for later queries. Runs in a transaction. */
export async function saveFindings(tx: Ctx, unknown: readonly HeldRecord[]): Promise<void> {
  for (const held of unknown) {
    const { number, issueDate } = held.key
    const values = { held: JSON.stringify(held), found_at: tx.now().getTime() }
    await tx.db
      .insertInto('registry_findings')
      .values({ book_id: tx.book.id, number, issue_date: issueDate, ...values })
      .onConflict((conflict) => conflict.columns(['book_id', 'number', 'issue_date']).doUpdateSet(values))
      .execute()
  }
}
