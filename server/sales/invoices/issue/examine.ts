/** Examines a draft: content, totals, number, faults and hash as they would be at issue. Shared by validate and issue. */
import { environmentOf, findCompany, issuerFacts, readinessOf } from '../../../company/index.ts'
import type { CompanyRow } from '../../../company/index.ts'
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Totals } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import {
  chainFaults,
  checkRegistration,
  findChainState,
  seriesConflictFaults,
} from '../../../registry/index.ts'
import type { ChainState } from '../../../registry/index.ts'
import { findSeriesByCode, printedNumber, seriesFaults, usualSeries } from '../../../company/series/index.ts'
import type { SeriesRow } from '../../../company/series/index.ts'
import { allOf, prepare } from '../../../db/query.ts'
import { checkDraft } from '../draft/check.ts'
import { issuedByFaults } from '../draft/check-issued-by.ts'
import type { IssuerOfSeries } from '../draft/check-issued-by.ts'
import { replacedCents } from '../draft/compose-references.ts'
import { contentHash, totalsOf } from '../content.ts'
import { seriesKindOf } from '../kinds.ts'
import type { DraftContent } from '../content.ts'
import type { PartyFacts } from '../draft/parties.ts'
import { referenceFaults } from '../references/check.ts'
import { NamedInvoices } from '../references/references.ts'
import { registrationOf } from './registration.ts'
import { registryDetailOf } from './registry-detail.ts'
import { contentOf, findLines, referencesOf } from '../rows.ts'
import type { InvoiceRow, LineRow } from '../rows.ts'

export interface Examination {
  content: DraftContent
  /** The rows of its lines. */
  lines: readonly LineRow[]
  /** The invoices that it names. */
  named: NamedInvoices
  totals: Totals
  issuer: PartyFacts
  issueDate: BusinessDate
  /** Null until the series of that year exists. */
  series: SeriesRow | null
  chain: ChainState
  seriesCode: string
  /** Forecast of the number: the next one of the series. */
  number: string
  environment: ReturnType<typeof environmentOf>
  hash: Buffer
  faults: Fault[]
}

const LOOKALIKE_DAYS = 30

interface Lookalike {
  bookId: number
  partyId: number
  nif: string | null
  totalCents: number
  from: string
  id: number
}

/**
 * Number of spellings of a customer's data that are compared, newest first; older ones of the same tax number are
 * ignored.
 */
const MOST_SPELLINGS = 50

/**
 * Finds an invoice of the same customer: the same tax number under any name or address, or the same data. The reading
 * is bounded: one seek in the index of issued invoices by customer and total for each spelling.
 */
const lookalike = prepare((db, p: Lookalike) =>
  db
    .selectFrom('invoices')
    .select(['number', 'issue_date'])
    .where((eb) =>
      eb(
        'party_id',
        'in',
        eb
          .selectFrom(
            eb
              .selectFrom('parties')
              .select('parties.id')
              .where('parties.book_id', '=', p.bookId)
              .where('parties.nif', '=', p.nif)
              .orderBy('parties.id', 'desc')
              .limit(MOST_SPELLINGS)
              .as('spellings'),
          )
          .select('spellings.id')
          .union(eb.selectFrom('parties').select('parties.id').where('parties.id', '=', p.partyId)),
      ),
    )
    .where('list_date', '>=', p.from)
    .where('total_cents', '=', p.totalCents)
    // Drafts have no number: with this condition SQLite uses the partial index of issued ones.
    .where('number', 'is not', null)
    .where('cancelled_at', 'is', null)
    .where('id', '<>', p.id)
    .orderBy('list_date', 'desc')
    .limit(1),
)

/**
 * Returns the conditions that prevent the book from making a record: missing company data, and faults of the chain or
 * the clock.
 */
export async function bookFaults(ctx: Ctx, company: CompanyRow, chain: ChainState): Promise<Fault[]> {
  const readiness: Fault[] = (await readinessOf(ctx, company)).map((missing) => ({
    code: missing.code,
    field: missing.field ?? '',
    severity: 'error',
    message: missing.message,
  }))
  const told = new Set(readiness.map(({ code }) => code))
  return [...readiness, ...(await chainFaults(ctx, chain)).filter(({ code }) => !told.has(code))]
}

/** Returns the faults of lines whose ledger account does not exist: the issue could not be booked. */
async function accountFaults(ctx: Ctx, { lines }: DraftContent): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const [index, { account }] of lines.entries())
    if (account !== null && !(await ctx.env.ledger.accountExists(ctx, account)))
      faults.push({
        code: 'account_unknown',
        field: `lines[${index}].account`,
        severity: 'error',
        message: 'There is no account with that code.',
        fix: 'Choose one of the chart, or add it first.',
      })
  return faults
}

function alike(ctx: Ctx, row: InvoiceRow, issueDate: BusinessDate) {
  return lookalike.first(ctx.db, {
    bookId: ctx.book.id,
    partyId: row.party_id,
    nif: row.client_nif,
    totalCents: row.total_cents,
    from: addDays(issueDate, -LOOKALIKE_DAYS),
    id: row.id,
  })
}

/** Returns the series of an invoice; null until the one of its year exists. */
async function seriesOf(ctx: Ctx, { kind, series_code: code }: InvoiceRow, year: number) {
  if (code === null) return usualSeries(ctx, seriesKindOf(kind), year)
  return { code, series: await findSeriesByCode(ctx, code) }
}

const lastOfOthers = prepare((db, p: { seriesId: number }) =>
  db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .select(['issued_by', 'issued_by_name', 'issued_by_nif', 'parties.name', 'parties.nif'])
    .where('series_id', '=', p.seriesId)
    .where('sequence', 'is not', null)
    .where('issued_by', 'is not', null)
    .orderBy('sequence', 'desc')
    .limit(1),
)

/** Returns who issued the other invoices of the series; read only for a draft that somebody else issues. */
async function issuerOfSeries(
  ctx: Ctx,
  { issuedBy }: DraftContent,
  series: SeriesRow | null,
): Promise<IssuerOfSeries> {
  const last = issuedBy && series ? await lastOfOthers.first(ctx.db, { seriesId: series.id }) : undefined
  const purpose = series?.purpose ?? null
  if (!last) return { purpose, other: null }
  return last.issued_by === 'recipient'
    ? { purpose, other: { nif: last.nif, name: last.name } }
    : { purpose, other: { nif: last.issued_by_nif, name: last.issued_by_name ?? '' } }
}

/** What an examination needs of the book, whichever invoice it is. */
export interface BookState {
  company: CompanyRow
  chain: ChainState
}

/** Reads what an examination needs of the book. */
export async function readBookState(ctx: Ctx): Promise<BookState> {
  const [company, chain] = await allOf(findCompany(ctx), findChainState(ctx))
  return { company, chain }
}

interface ExamineOptions {
  /** False: without looking for a similar invoice, which only gives a warning. */
  withAlike?: boolean
  /** The book's part, if it was read in this transaction. */
  state?: BookState
}

/** Examines a draft as if it were issued now. */
export async function examineDraft(
  ctx: Ctx,
  row: InvoiceRow,
  { withAlike = true, state }: ExamineOptions = {},
): Promise<Examination> {
  const today = ctx.today()
  const issueDate = row.issue_date ?? today
  const [{ company, chain }, lines, references, { code: seriesCode, series }, similar] = await allOf(
    state ? Promise.resolve(state) : readBookState(ctx),
    findLines(ctx.db, row.id),
    referencesOf(ctx, row),
    seriesOf(ctx, row, Number(issueDate.slice(0, 4))),
    withAlike ? alike(ctx, row, issueDate) : Promise.resolve(undefined),
  )
  const issuer = issuerFacts(company)
  const content = await contentOf(ctx.db, row, { lines, references })
  const totals = totalsOf(content)
  const number = printedNumber(seriesCode, series?.nextNumber ?? 1)
  const environment = environmentOf(ctx)
  const faults = checkDraft(content, totals, {
    today,
    issueDate,
    issuer,
    lastIssueDate: series?.lastIssueDate ?? null,
    readiness: [
      ...(await bookFaults(ctx, company, chain)),
      ...(await seriesConflictFaults(ctx, chain, series?.id ?? null)),
    ],
    lookalike:
      similar?.number && similar.issue_date
        ? { number: similar.number, issueDate: similar.issue_date }
        : null,
  })
  const named = new NamedInvoices(ctx)
  faults.push(
    ...seriesFaults(series, issueDate),
    ...issuedByFaults(content, issuer, await issuerOfSeries(ctx, content, series)),
    ...(await referenceFaults(ctx, content, issueDate, row.id, named)),
  )
  faults.push(...(await accountFaults(ctx, content)))
  if (content.replacedCents !== (await replacedCents(ctx, content, totals, named)))
    faults.push({
      code: 'references_changed',
      field: content.kind === 'F3' ? 'substitutes' : 'rectifies',
      severity: 'error',
      message: 'The invoices it stands for have been rectified since this draft was made.',
      fix: 'Save the draft again, so that what is due is reckoned anew.',
    })
  // The registry's own rules come last, and repeat no fault that is already listed.
  if (!faults.some((fault) => fault.severity === 'error'))
    faults.push(
      ...(await checkRegistration(
        ctx,
        registrationOf(content, totals, { number, issueDate, issuer }),
        { company, chain },
        { detailOf: () => registryDetailOf(content, totals) },
      )),
    )
  return {
    content,
    lines,
    named,
    totals,
    issuer,
    issueDate,
    series,
    chain,
    seriesCode,
    number,
    environment,
    hash: contentHash(content, totals, { issuer, seriesCode, issueDate, environment }),
    faults,
  }
}
