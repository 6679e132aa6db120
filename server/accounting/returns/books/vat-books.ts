/** VAT and income books of a year up to a quarter: checked by the published rules, and exported as a file. */
import { createHash } from 'node:crypto'
import { findCompany } from '../../../company/index.ts'
import type { CompanyRow } from '../../../company/index.ts'
import type { fiscalCheckBooksContract, fiscalVatBooksContract } from '../contract.ts'
import { quarterPeriod } from '../../../domain/dates.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { familyOf, taxOfReturn } from '../calendar/return-rows.ts'
import { createBookChecker } from './check.ts'
import type { BookCheck } from './check.ts'
import { bookRows } from './rows.ts'
import type { BookSpan } from './book-row.ts'
import type { RuleContext } from './rules.ts'
import { writeBook } from './write.ts'

/** Returns the range from January to the end of a quarter. */
function spanOf(year: number, quarter: number): BookSpan {
  return { from: `${year}-01-01`, to: quarterPeriod(year, quarter).to }
}

async function ruleContext(ctx: Ctx): Promise<{ company: CompanyRow; rules: RuleContext }> {
  const company = await findCompany(ctx)
  return {
    company,
    rules: {
      ownNif: company.nif,
      isLegal: company.kind === 'legal',
      today: ctx.today(),
      otherTax: taxOfReturn('303') !== familyOf(company),
    },
  }
}

/** Returns `{year}{NIF}T{name}`, the authority's file name for a unified book. Companies use a different kind of book. */
function bookFileName(company: { nif: string; legal_name: string }, year: number): string {
  const name = company.legal_name
    .normalize('NFC')
    .replace(/[\\/:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return `${year}${company.nif}T${name}`
}

/** Returns the faults that the rules find in the books of a range. */
export async function checkedBooks(ctx: Ctx, year: number, quarter: number): Promise<BookCheck> {
  const { rules } = await ruleContext(ctx)
  const checker = createBookChecker(rules)
  for await (const page of bookRows(ctx, spanOf(year, quarter))) for (const row of page) checker.check(row)
  return checker.done()
}

export const checkVatBooks: UseCase<typeof fiscalCheckBooksContract> = async (ctx, { year, quarter }) => {
  const { faults, total, errors, rows } = await checkedBooks(ctx, year, quarter)
  return { ok: errors === 0, rows, faults, total }
}

/** Returns the books as one file. */
export async function booksFile(
  ctx: Ctx,
  input: { year: number; quarter: number; format: 'xlsx' | 'csv' },
): Promise<{ bytes: Uint8Array; fileName: string }> {
  const { year, quarter, format } = input
  const company = await findCompany(ctx)
  const bytes = await writeBook(bookRows(ctx, spanOf(year, quarter)), {
    format,
    exercise: year,
    writtenAt: ctx.now(),
  })
  return { bytes, fileName: `${bookFileName(company, year)}.${format === 'xlsx' ? 'xlsx' : 'zip'}` }
}

const MEDIA = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'application/zip',
} as const

export const vatBooks: UseCase<typeof fiscalVatBooksContract> = async (ctx, input) => {
  const { bytes, fileName } = await booksFile(ctx, input)
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fileName,
    mediaType: MEDIA[input.format],
  }
}
