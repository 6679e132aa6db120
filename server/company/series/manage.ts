/** Lists, adds and changes series; the default one of a year is added when it is first needed. */
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { addSeries } from './add.ts'
import {
  codeOfYear,
  defaultSeriesCode,
  kindReservedBy,
  patternOf,
  printedNumber,
  quoteSeriesCode,
  TEST_PREFIX,
} from './codes.ts'
import type { SeriesKind } from './codes.ts'
import type { createSeriesContract, listSeriesContract, Series, updateSeriesContract } from './contract.ts'
import { gapsOfBook } from './gaps.ts'
import {
  chosenDefault,
  dropDefault,
  findChosenOrNamed,
  findSeries,
  findSeriesByCode,
  seriesOfBook,
  writeSeries,
} from './rows.ts'
import type { SeriesPurpose, SeriesRow } from './rows.ts'

/**
 * Returns a series in the form of the contract. `skipped`: count of numbers that the series skipped because they were
 * used outside these books.
 */
function seriesView(row: SeriesRow, isDefault: boolean, skipped = 0): Series {
  return {
    id: row.publicId,
    code: row.code,
    kind: row.kind,
    purpose: row.purpose,
    yearly: row.pattern !== null || kindReservedBy(row.code) !== null,
    isDefault,
    archived: row.archivedAt !== null,
    note: row.note,
    nextNumber: row.nextNumber,
    nextPrintedNumber: printedNumber(row.code, row.nextNumber),
    issued: row.nextNumber - row.startNumber - skipped,
    canRestart: row.nextNumber === row.startNumber,
    createdAt: new Date(row.createdAt).toISOString(),
  }
}

/** Returns true if the series is the one that its kind uses this year. */
async function isUsual(ctx: Ctx, row: SeriesRow): Promise<boolean> {
  return row.code === (await defaultCodeOf(ctx, row.kind, yearOf(ctx)))
}

function yearOf(ctx: Ctx): number {
  return Number(ctx.today().slice(0, 4))
}

/** Returns the series of the book with their next numbers. */
export const listSeries: UseCase<typeof listSeriesContract> = async (ctx) => {
  const skipped = new Map<number, number>()
  for (const { seriesId, first, last } of await gapsOfBook(ctx))
    skipped.set(seriesId, (skipped.get(seriesId) ?? 0) + last - first + 1)
  const items: Series[] = []
  for (const row of await seriesOfBook(ctx))
    items.push(seriesView(row, await isUsual(ctx, row), skipped.get(row.id)))
  return { items }
}

function codeRefused(code: string, message: string, fix: string) {
  return validationFailed([{ code, field: 'code', severity: 'error', message, fix }])
}

const PLAIN_CODE = /^[A-Za-z0-9][A-Za-z0-9/_-]{0,14}$/

/**
 * Returns the code of the current year and the pattern of other years. Throws `validation_failed` for an invalid
 * code.
 */
function codeOf(
  ctx: Ctx,
  input: ContractInput<typeof createSeriesContract>,
): { code: string; pattern: string | null } {
  const isTestCode = input.code.toUpperCase().startsWith(TEST_PREFIX)
  if (ctx.book.mode === 'live' && isTestCode)
    throw codeRefused(
      'series_code_reserved',
      'Codes that begin with T- are for test books.',
      'Choose another code.',
    )
  const bare = isTestCode ? input.code.slice(TEST_PREFIX.length) : input.code
  const year = yearOf(ctx)
  const pattern = input.yearly === true || bare.includes('{') ? patternOf(bare, year) : null
  if (input.yearly === true && pattern === null)
    throw codeRefused(
      'series_code_year',
      'A series that begins anew each year has the year in its code.',
      `Write it with the year, such as ${bare}${year}.`,
    )
  const plain = pattern === null ? bare : codeOfYear(pattern, year)
  if (!PLAIN_CODE.test(plain))
    throw codeRefused(
      'wrong_format',
      'A code has 1 to 15 letters, digits, hyphens, slashes or underscores, and begins with a letter or digit.',
      'Choose another code.',
    )
  const reserved = kindReservedBy(plain)
  if (reserved && (reserved !== input.kind || (input.purpose ?? 'general') !== 'general'))
    throw codeRefused(
      'series_code_reserved',
      `That code is kept for the ${reserved} series of its year.`,
      'Choose another code.',
    )
  const prefix = ctx.book.mode === 'test' ? TEST_PREFIX : ''
  return { code: prefix + plain, pattern: pattern === null ? null : prefix + pattern }
}

/** Adds a series; its first number can be changed until it is used. */
export const createSeries: UseCase<typeof createSeriesContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { code, pattern } = codeOf(tx, input)
    // People read F2026 and f2026 as one series, so only one of them is allowed.
    const taken = (await seriesOfBook(tx)).some((row) => row.code.toUpperCase() === code.toUpperCase())
    if (taken)
      throw codeRefused(
        'series_code_taken',
        'The book has a series with that code.',
        'Use it, or choose another code.',
      )
    const isDefault = input.isDefault ?? false
    if (isDefault) {
      assertUsualPurpose(input.purpose ?? 'general')
      await dropDefault(tx, input.kind)
    }
    const row = await addSeries(tx, {
      code,
      kind: input.kind,
      startNumber: input.startNumber ?? 1,
      purpose: input.purpose ?? 'general',
      pattern,
      isDefault,
      note: normalizedNote(input.note),
    })
    return seriesView(row, await isUsual(tx, row))
  })

function normalizedNote(note: string | null | undefined): string | null {
  return note?.trim() || null
}

/**
 * Rejects a default for a series with a special purpose: invoices that the law keeps apart must not be mixed with all
 * others.
 */
function assertUsualPurpose(purpose: SeriesPurpose): void {
  if (purpose !== 'general')
    throw validationFailed([
      {
        code: 'series_purpose_default',
        field: 'isDefault',
        severity: 'error',
        message: 'A series kept apart by law cannot be the one for all invoices.',
        fix: 'Choose it on each invoice that needs it.',
      },
    ])
}

/** Changes a series. Throws `series_started` when it has assigned numbers, `series_needed` for the last of its kind. */
export const updateSeries: UseCase<typeof updateSeriesContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(await findSeries(tx, input.id))
    const changed: SeriesRow = { ...row }
    if (input.startNumber !== undefined && input.startNumber !== row.startNumber) {
      if (row.nextNumber !== row.startNumber)
        throw new AppError('series_started', {
          field: 'startNumber',
          details: { id: row.publicId, nextNumber: row.nextNumber },
        })
      changed.startNumber = input.startNumber
      changed.nextNumber = input.startNumber
    }
    if (input.note !== undefined) changed.note = normalizedNote(input.note)
    if (input.archived !== undefined && input.archived !== (row.archivedAt !== null)) {
      if (input.archived && (await isUsual(tx, { ...row, isDefault: false })))
        throw new AppError('series_needed', { field: 'archived', details: { id: row.publicId } })
      changed.archivedAt = input.archived ? tx.now().getTime() : null
      if (input.archived) changed.isDefault = false
    }
    if (input.isDefault !== undefined) {
      if (input.isDefault && changed.archivedAt !== null)
        throw validationFailed([
          {
            code: 'series_archived',
            field: 'isDefault',
            severity: 'error',
            message: 'The series is no longer used.',
            fix: 'Take it back into use first.',
          },
        ])
      if (input.isDefault) assertUsualPurpose(row.purpose)
      changed.isDefault = input.isDefault && !(await isStandard(tx, row))
      // Choosing the standard series clears the one chosen in its place.
      if (input.isDefault && !changed.isDefault) await dropDefault(tx, row.kind)
    }
    await writeSeries(tx, changed)
    await recordAudit(tx, {
      action: 'series.changed',
      target: { type: 'series', id: row.publicId, label: row.code },
    })
    await emitEvent(tx, 'company.changed', { seriesId: row.publicId })
    return seriesView(changed, await isUsual(tx, changed))
  })

async function isStandard(ctx: Ctx, row: SeriesRow): Promise<boolean> {
  return row.code === defaultSeriesCode(ctx.book.mode, row.kind, yearOf(ctx))
}

/**
 * Returns the code of the series for an invoice that names none in a year: the chosen one of its kind, else the
 * standard one.
 */
export async function defaultCodeOf(ctx: Ctx, kind: SeriesKind, year: number): Promise<string> {
  const chosen = await chosenDefault(ctx, kind)
  if (!chosen) return defaultSeriesCode(ctx.book.mode, kind, year)
  return codeIn(chosen, year)
}

function codeIn({ pattern, code }: SeriesRow, year: number): string {
  return pattern === null ? code : codeOfYear(pattern, year)
}

/** Returns the series for an invoice that names none in a year; it is null until the year has one. */
export async function usualSeries(
  ctx: Ctx,
  kind: SeriesKind,
  year: number,
): Promise<{ code: string; series: SeriesRow | null }> {
  const standard = defaultSeriesCode(ctx.book.mode, kind, year)
  const found = await findChosenOrNamed(ctx, kind, standard)
  const chosen = found.find((row) => row.isDefault && row.kind === kind)
  const code = chosen ? codeIn(chosen, year) : standard
  const series = found.find((row) => row.code === code) ?? null
  // A chosen series of other years: that of this year may exist all the same.
  return { code, series: series ?? (chosen ? await findSeriesByCode(ctx, code) : null) }
}

/** Returns the series of a kind and year for invoices that name none; adds it when the year has none yet. */
export function ensureSeries(ctx: Ctx, kind: SeriesKind, year: number): Promise<SeriesRow> {
  return ctx.transaction(async (tx) => {
    const code = await defaultCodeOf(tx, kind, year)
    const known = await findSeriesByCode(tx, code)
    if (known) return known
    const pattern = (await chosenDefault(tx, kind))?.pattern ?? null
    return addSeries(tx, { code, kind, startNumber: 1, pattern })
  })
}

/** Returns the series of quotes, proformas or delivery notes of a year; adds it when it has none yet. */
export function ensureQuoteSeries(
  ctx: Ctx,
  kind: 'quote' | 'proforma' | 'delivery_note',
  year: number,
): Promise<SeriesRow> {
  return ctx.transaction(async (tx) => {
    const code = quoteSeriesCode(tx.book.mode, kind, year)
    return (await findSeriesByCode(tx, code)) ?? addSeries(tx, { code, kind: 'quote', startNumber: 1 })
  })
}
