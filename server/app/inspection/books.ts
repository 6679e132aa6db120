/** Writes the books of a pack as spreadsheets: VAT books by year, journal by quarter, balances by year. */
import { unzipSync } from 'fflate/browser'
import { safeEntryName } from '../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../domain/formats/zip-stream.ts'
import type { Ctx } from '../../context.ts'
import { booksFile } from '../../accounting/returns/index.ts'
import { exportLedger } from '../../accounting/ledger/index.ts'

const LAST_QUARTER = 4
const QUARTERS = [1, 2, 3, 4] as const

/**
 * Returns a name without accents: browsers on systems without a character set, and some unpacking programs, cannot
 * find files whose names have them.
 */
const plainName = (name: string): string => safeEntryName(name.normalize('NFD').replaceAll(/\p{M}/gu, ''))

/** Yields the files of the years; a part that is in none of them is left out. */
export async function* bookEntries(
  ctx: Ctx,
  years: readonly number[],
  seen: (done: number) => void,
): AsyncGenerator<ZipEntry, void, undefined> {
  for (const [index, year] of years.entries()) {
    seen(index)
    const sheet = await booksFile(ctx, { year, quarter: LAST_QUARTER, format: 'xlsx' })
    yield { name: `books/${year}/${plainName(sheet.fileName)}`, bytes: sheet.bytes, compress: false }
    const { bytes } = await booksFile(ctx, { year, quarter: LAST_QUARTER, format: 'csv' })
    for (const [name, content] of Object.entries(unzipSync(bytes)))
      yield { name: `books/${year}/${plainName(name)}`, bytes: content, compress: true }
    // By quarter, so that a long year is written in chunks and other requests do not wait.
    for (const quarter of QUARTERS) {
      const asked = { year, quarter, format: 'csv', language: 'es' } as const
      const journal = await exportLedger(ctx, { ...asked, what: 'journal' })
      yield { name: `books/${year}/diario-${year}-${quarter}T.csv`, bytes: journal.bytes, compress: true }
    }
    const balances = await exportLedger(ctx, { what: 'trial_balance', format: 'csv', year, language: 'es' })
    yield { name: `books/${year}/sumas-y-saldos-${year}.csv`, bytes: balances.bytes, compress: true }
  }
}
