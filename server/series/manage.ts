/** Listing and adding series; the default one of a year is added when it is first needed. */
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { validationFailed } from '../core/errors.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import { addSeries } from './add.ts'
import { defaultSeriesCode, kindReservedBy, printedNumber, TEST_PREFIX } from './codes.ts'
import type { SeriesKind } from './codes.ts'
import type { Series } from './contract.ts'
import { gapsOfBook } from './gaps.ts'
import { findSeriesByCode, seriesOfBook } from './rows.ts'
import type { SeriesRow } from './rows.ts'

/** `skipped`: numbers beyond which the series was moved because they were used outside these books. */
function seriesView(row: SeriesRow, skipped = 0): Series {
  return {
    id: row.publicId,
    code: row.code,
    kind: row.kind,
    nextNumber: row.nextNumber,
    nextPrintedNumber: printedNumber(row.code, row.nextNumber),
    issued: row.nextNumber - row.startNumber - skipped,
    createdAt: new Date(row.createdAt).toISOString(),
  }
}

/** The series of the book with their next numbers. */
export const listSeries: UseCase<ParsedInputOf<'series.list'>, OutputOf<'series.list'>> = async (ctx) => {
  const skipped = new Map<number, number>()
  for (const { seriesId, first, last } of await gapsOfBook(ctx))
    skipped.set(seriesId, (skipped.get(seriesId) ?? 0) + last - first + 1)
  return { items: (await seriesOfBook(ctx)).map((row) => seriesView(row, skipped.get(row.id))) }
}

function codeRefused(code: string, message: string, fix: string) {
  return validationFailed([{ code, field: 'code', severity: 'error', message, fix }])
}

/** Adds a series with the start number chosen now and never again. */
export const createSeries: UseCase<ParsedInputOf<'series.create'>, OutputOf<'series.create'>> = (
  ctx,
  input,
) =>
  ctx.transaction(async (tx) => {
    const isTestCode = input.code.toUpperCase().startsWith(TEST_PREFIX)
    if (tx.book.mode === 'live' && isTestCode)
      throw codeRefused(
        'series_code_reserved',
        'Codes that begin with T- are for test books.',
        'Choose another code.',
      )
    const reserved = kindReservedBy(input.code)
    if (reserved && reserved !== input.kind)
      throw codeRefused(
        'series_code_reserved',
        `That code is kept for the ${reserved} series of its year.`,
        'Choose another code.',
      )
    const bare = isTestCode ? input.code.slice(TEST_PREFIX.length) : input.code
    const code = tx.book.mode === 'test' ? TEST_PREFIX + bare : bare
    if (bare === '')
      throw codeRefused('wrong_format', 'A code is more than its prefix.', 'Add letters or digits.')
    // People read F2026 and f2026 as one series, so they may not be two.
    const taken = (await seriesOfBook(tx)).some((row) => row.code.toUpperCase() === code.toUpperCase())
    if (taken)
      throw codeRefused(
        'series_code_taken',
        'The book has a series with that code.',
        'Use it, or choose another code.',
      )
    return seriesView(await addSeries(tx, { code, kind: input.kind, startNumber: input.startNumber ?? 1 }))
  })

/** The default series of a kind and year, added when the year has none yet. */
export function ensureSeries(ctx: Ctx, kind: SeriesKind, year: number): Promise<SeriesRow> {
  return ctx.transaction(async (tx) => {
    const code = defaultSeriesCode(tx.book.mode, kind, year)
    return (await findSeriesByCode(tx, code)) ?? addSeries(tx, { code, kind, startNumber: 1 })
  })
}
