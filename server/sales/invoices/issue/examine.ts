/** Examines a draft: content, totals, number, faults and hash as they would be at issue. Shared by validate and issue. */
import { environmentOf, findCompany, issuerFacts, readinessOf } from '../../../company/index.ts'
import type { CompanyRow } from '../../../company/index.ts'
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Totals } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import { chainFaults, checkRegistration, seriesConflictFaults } from '../../../registry/index.ts'
import {
  defaultCodeOf,
  findSeriesByCode,
  printedNumber,
  seriesFaults,
} from '../../../company/series/index.ts'
import { prepare } from '../../../db/query.ts'
import { checkDraft } from '../draft/check.ts'
import { replacedCents } from '../draft/compose-references.ts'
import { contentHash, totalsOf } from '../content.ts'
import { seriesKindOf } from '../kinds.ts'
import type { DraftContent } from '../content.ts'
import type { PartyFacts } from '../draft/parties.ts'
import { referenceFaults } from '../references/check.ts'
import { registrationOf } from './registration.ts'
import { contentOf } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'

export interface Examination {
  content: DraftContent
  totals: Totals
  issuer: PartyFacts
  issueDate: BusinessDate
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
export async function bookFaults(ctx: Ctx, company: CompanyRow): Promise<Fault[]> {
  const readiness: Fault[] = (await readinessOf(ctx, company)).map((missing) => ({
    code: missing.code,
    field: missing.field ?? '',
    severity: 'error',
    message: missing.message,
  }))
  return [...readiness, ...(await chainFaults(ctx))]
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

/** Examines a draft as if it were issued now. */
export async function examineDraft(ctx: Ctx, row: InvoiceRow): Promise<Examination> {
  const company = await findCompany(ctx)
  const issuer = issuerFacts(company)
  const content = await contentOf(ctx.db, row)
  const totals = totalsOf(content)
  const today = ctx.today()
  const issueDate = content.issueDate ?? today
  const year = Number(issueDate.slice(0, 4))
  const seriesCode = content.seriesCode ?? (await defaultCodeOf(ctx, seriesKindOf(content.kind), year))
  const series = await findSeriesByCode(ctx, seriesCode)
  const number = printedNumber(seriesCode, series?.nextNumber ?? 1)
  const environment = environmentOf(ctx)
  const similar = await lookalike.first(ctx.db, {
    bookId: ctx.book.id,
    partyId: row.party_id,
    nif: content.client.nif,
    totalCents: row.total_cents,
    from: addDays(issueDate, -LOOKALIKE_DAYS),
    id: row.id,
  })
  const faults = checkDraft(content, totals, {
    today,
    issueDate,
    issuer,
    lastIssueDate: series?.lastIssueDate ?? null,
    readiness: [
      ...(await bookFaults(ctx, company)),
      ...(await seriesConflictFaults(ctx, series?.id ?? null)),
    ],
    lookalike:
      similar?.number && similar.issue_date
        ? { number: similar.number, issueDate: similar.issue_date }
        : null,
  })
  faults.push(...seriesFaults(series, issueDate), ...(await referenceFaults(ctx, content, issueDate, row.id)))
  faults.push(...(await accountFaults(ctx, content)))
  if (content.replacedCents !== (await replacedCents(ctx, content, totals)))
    faults.push({
      code: 'references_changed',
      field: content.kind === 'F3' ? 'substitutes' : 'rectifies',
      severity: 'error',
      message: 'The invoices it stands for have been rectified since this draft was made.',
      fix: 'Save the draft again, so that what is due is reckoned anew.',
    })
  // The registry's own rules come last, and repeat no fault that is already listed.
  if (!faults.some((fault) => fault.severity === 'error'))
    faults.push(...checkRegistration(registrationOf(content, totals, { number, issueDate, issuer }), today))
  return {
    content,
    totals,
    issuer,
    issueDate,
    seriesCode,
    number,
    environment,
    hash: contentHash(content, totals, { issuer, seriesCode, issueDate, environment }),
    faults,
  }
}
