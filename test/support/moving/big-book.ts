/** A book of issued invoices as an earlier program writes it, of any size. */
import { writeBook } from '../../../server/accounting/returns/books/write.ts'
import type { BookRow } from '../../../server/accounting/returns/books/book-row.ts'
import { ISSUED_COLUMNS } from '../../../server/domain/formats/vat-book-columns.ts'

const AT_ONCE = 250
const PARTIES = 997

async function* pagesOf(documents: number): AsyncGenerator<BookRow[]> {
  for (let from = 0; from < documents; from += AT_ONCE)
    yield Array.from({ length: Math.min(AT_ONCE, documents - from) }, (_, offset) => from + offset).flatMap(
      (index) => {
        const month = (index % 12) + 1
        return [
          ['21,00', '100,00', '21,00', '121,00'],
          ['10,00', '50,00', '5,00', '55,00'],
        ].map(([rate, base, tax, total]): BookRow => {
          const values: Record<string, string> = {
            year: '2026',
            period: `${Math.ceil(month / 3)}T`,
            kind: 'F1',
            issueDate: `15/${String(month).padStart(2, '0')}/2026`,
            series: 'F2026',
            number: String(index + 1).padStart(6, '0'),
            nif: 'B12345674',
            name: `Talleres Beltrán ${index % PARTIES}, S.L.`,
            regimeKey: '01',
            qualification: 'S1',
            total: total ?? '',
            base: base ?? '',
            rate: rate ?? '',
            tax: tax ?? '',
          }
          return {
            sheet: 'issued',
            cells: ISSUED_COLUMNS.map(({ id }) => values[id] ?? ''),
            documentId: '',
            document: '',
          }
        })
      },
    )
}

/** Returns the book: each document has two rows, of two rates, and 150 euros. */
export const bigBook = (documents: number, format: 'xlsx' | 'csv'): Promise<Uint8Array> =>
  writeBook(pagesOf(documents), { format, exercise: 2026, writtenAt: new Date('2026-12-31') })
