/** The books of a pack as spreadsheets: VAT books by year, the journal by quarter, the balances by year. */
import { unzipSync } from 'fflate/browser'
import { safeEntryName } from '../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../domain/formats/zip-stream.ts'
import type { Ctx } from '../../context.ts'
import { booksFile } from '../../accounting/returns/index.ts'
import { exportLedger } from '../../accounting/ledger/index.ts'

const LAST_QUARTER = 4
const QUARTERS = [1, 2, 3, 4] as const

/**
 * Without accents: a browser on a system that was given no character set finds no file by a name with them, and neither do
 * some programs that unpack.
 */
const plainName = (name: string): string => safeEntryName(name.normalize('NFD').replaceAll(/\p{M}/gu, ''))

/** The files of the years; a part that is in none of them is left out. */
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
    // By quarters, so that a long year is written in pieces that nobody has to wait for.
    for (const quarter of QUARTERS) {
      const asked = { year, quarter, format: 'csv', language: 'es' } as const
      const journal = await exportLedger(ctx, { ...asked, what: 'journal' })
      yield { name: `books/${year}/diario-${year}-${quarter}T.csv`, bytes: journal.bytes, compress: true }
    }
    const balances = await exportLedger(ctx, { what: 'trial_balance', format: 'csv', year, language: 'es' })
    yield { name: `books/${year}/sumas-y-saldos-${year}.csv`, bytes: balances.bytes, compress: true }
  }
}
