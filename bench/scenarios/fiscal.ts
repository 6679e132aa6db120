/**
 * T7: totals of a period are read from stored sums, so that their cost does not depend on the number of invoices, and
 * they are exact to the cent.
 */
import { sql } from 'kysely'
import { openSello } from '../../server/api/application.ts'
import type { OpenedSello } from '../../server/api/application.ts'
import type { Book } from '../../server/context.ts'
import { taxTotals } from '../../server/tax/totals/index.ts'
import type { Months } from '../../server/tax/totals/index.ts'
import type { Bench, Group } from '../bench.ts'
import { sizeName } from '../bench.ts'
import { call, testBook } from '../books.ts'
import { judge, race, timeEach } from '../method.ts'

const MILLION = 1_000_000
/** Against the join of the tax lines: a hundredth at a million invoices; the gain is smaller in smaller books. */
const AT_A_MILLION = { better: 'less', floor: 0.01, goal: 0.001 } as const
const BELOW = { better: 'less', floor: 0.1, goal: 0.01 } as const
const SAME_COST = { better: 'less', floor: 3, goal: 2 } as const
const SMALL = 10_000
const SUMMARIES = 60
const SUMS = 100
const JOINS = 3

interface Shelf {
  sello: OpenedSello
  book: Book
  size: number
}

async function open(bench: Bench, size: number): Promise<Shelf> {
  const place = await bench.workplace.master(size, 'marked')
  const sello = await openSello({ dataDir: place.folder, keyFile: place.keyFile, keychain: null })
  return { sello, book: await testBook(sello), size }
}

/** Sums bases and taxes of issued invoices in force from their tax lines. */
async function joined({ sello, book }: Shelf, { from, to }: Months): Promise<[number, number]> {
  const { rows } = await sql<{ base: number; tax: number }>`
    select coalesce(sum(invoice_taxes.base_cents), 0) as base,
      coalesce(sum(invoice_taxes.tax_cents + invoice_taxes.surcharge_cents), 0) as tax
    from invoices join invoice_taxes on invoice_taxes.invoice_id = invoices.id
    where invoices.book_id = ${book.id} and state = 'issued' and cancelled_at is null
      and cast(substr(coalesce(operation_date, issue_date), 1, 4) || substr(coalesce(operation_date, issue_date), 6, 2)
        as integer) between ${from} and ${to}`.execute(sello.env.store.reader)
  const [row] = rows
  return [row?.base ?? 0, row?.tax ?? 0]
}

/** Returns the same from the stored totals. */
async function kept({ sello, book }: Shelf, months: Months): Promise<[number, number]> {
  let base = 0
  let tax = 0
  for (const figure of await taxTotals(sello.ctx(book), months)) {
    base += figure.baseCents
    tax += figure.taxCents + figure.surchargeCents
  }
  return [base, tax]
}

/** Returns the last complete quarter of the books. */
async function lastQuarter({ sello, book }: Shelf): Promise<Months> {
  const row = await sello.env.store.reader
    .selectFrom('period_totals')
    .select((eb) => eb.fn.max<number>('month').as('month'))
    .where('book_id', '=', book.id)
    .where('documents', '>', 0)
    .executeTakeFirstOrThrow()
  const year = Math.floor(row.month / 100)
  const quarter = Math.max(1, Math.floor((row.month % 100) / 3))
  return { from: year * 100 + quarter * 3 - 2, to: year * 100 + quarter * 3 }
}

async function compareSums(bench: Bench, shelf: Shelf, name: string, months: Months): Promise<void> {
  const [right, told] = [await joined(shelf, months), await kept(shelf, months)]
  if (right[0] === 0 || right[0] !== told[0] || right[1] !== told[1])
    throw new Error(`${name}: the kept figures are ${told.join(' ')}, the invoices ${right.join(' ')}.`)
  const result = await race(
    { run: () => timeEach(SUMS, () => kept(shelf, months)) },
    { run: () => timeEach(JOINS, () => joined(shelf, months)) },
    bench.rounds,
  )
  bench.report(
    judge(result, {
      target: 'T7',
      name,
      size: sizeName(shelf.size),
      unit: 'ms',
      bar: shelf.size >= MILLION ? AT_A_MILLION : BELOW,
      note: 'limit: joining the tax lines; equal to the cent',
    }),
  )
}

async function compareSummaries(bench: Bench, small: Shelf, big: Shelf): Promise<void> {
  const ask = (shelf: Shelf, months: Months) => {
    const input = { year: Math.floor(months.from / 100), quarter: Math.ceil((months.from % 100) / 3) }
    return {
      run: () => timeEach(SUMMARIES, () => call(shelf.sello, shelf.book, 'fiscal.summary', input)),
    }
  }
  const result = await race(
    ask(big, await lastQuarter(big)),
    ask(small, await lastQuarter(small)),
    bench.rounds,
  )
  bench.report(
    judge(result, {
      target: 'T7',
      name: 'fiscal.summary',
      size: sizeName(big.size),
      unit: 'ms',
      bar: SAME_COST,
      note: `limit: the same summary at ${sizeName(small.size)}`,
    }),
  )
}

export const fiscalGroup: Group = {
  names: ['fiscal.quarter', 'fiscal.all', 'fiscal.summary'],
  async run(bench, wanted) {
    const small = wanted.has('fiscal.summary') ? await open(bench, SMALL) : null
    try {
      for (const size of bench.full ? [100_000, MILLION] : [Math.max(bench.size, 100_000)]) {
        const big = await open(bench, size)
        try {
          if (wanted.has('fiscal.quarter'))
            await compareSums(bench, big, 'fiscal.quarter', await lastQuarter(big))
          if (wanted.has('fiscal.all'))
            await compareSums(bench, big, 'fiscal.all', { from: 200001, to: 299912 })
          if (small) await compareSummaries(bench, small, big)
        } finally {
          await big.sello.close()
        }
      }
    } finally {
      await small?.sello.close()
    }
  },
}
