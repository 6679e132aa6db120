/**
 * Years of a business of Las Palmas by the operations of the product, from drafts to returns: 420, 425, 415 and the books to
 * the cent, against the oracle of `test/support/islands/oracle.ts`, which knows documents only.
 */
import { afterAll, describe, expect, test } from 'vitest'
import type { OutputOf } from '../../../../../server/api/contracts.ts'
import { verifyLedger } from '../../../../../server/accounting/ledger/index.ts'
import { verifyTaxTotals } from '../../../../../server/tax/totals/index.ts'
import { openBooks, refusal } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { booksOf, parties415, quarter420, smallYear425, year425 } from '../../../../support/islands/oracle.ts'
import type { OracleReturn, TypedBoxes } from '../../../../support/islands/oracle.ts'
import { ISLAND_RATES, play, realYear } from '../../../../support/islands/real-year.ts'
import type { Entered, Scheme } from '../../../../support/islands/real-year.ts'
import { dice } from '../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../support/sweep.ts'

const FIRST_YEAR = 2027
const YEARS_OF_A_BOOK = 2
const DOCUMENTS = 26

type Model = OutputOf<'fiscal.model'>

const cents = (euros: number) => Math.round(euros * 100)
const boxOf = ({ boxes }: Pick<Model, 'boxes'>, number: string): number => {
  const found = boxes.find(({ box }) => box === number)
  if (!found) throw new Error(`No box ${number}.`)
  return cents(found.amount)
}
const sumOf = (model: Pick<Model, 'boxes'>, boxes: readonly string[]) =>
  boxes.reduce((sum, box) => sum + boxOf(model, box), 0)

const tally = { years: 0, documents: 0, boxes: 0, filed: 0, settled: 0, differing: 0 }
const bySchemes: Record<string, number> = {}

function expectBoxes(model: Model, boxes: Record<string, number>, place: string): void {
  for (const [number, value] of Object.entries(boxes)) {
    expect(boxOf(model, number), `${place}, ${model.model} box ${number}`).toBe(value)
    tally.boxes += 1
  }
}

/** Compares the lines of rates: each rate on a line, or the sums where there are more rates than lines. */
function expectRates(model: Model, bases: readonly string[], { rates }: OracleReturn, place: string): void {
  const next = (box: string, steps: number) => String(Number(box) + steps).padStart(2, '0')
  const found = bases
    .map((base) => [boxOf(model, next(base, 1)), boxOf(model, base), boxOf(model, next(base, 2))] as const)
    .filter(([, base, tax]) => base !== 0 || tax !== 0)
  const expected = [...rates].filter(([, [base, tax]]) => base !== 0 || tax !== 0)
  if (expected.length <= bases.length && rates.size <= bases.length)
    expect(
      found.toSorted(([one], [other]) => one - other),
      place,
    ).toEqual(
      expected.map(([rate, [base, tax]]) => [rate, base, tax]).toSorted(([one], [other]) => one! - other!),
    )
  expect(
    found.reduce((sum, [, base]) => sum + base, 0),
    place,
  ).toBe(expected.reduce((sum, [, [base]]) => sum + base, 0))
}

const LINES = ['01', '04', '07', '10', '13', '16']
const SCHEMES: readonly Exclude<Scheme, 'mainland'>[] = [
  'general',
  'cash',
  'general',
  'retailer',
  'general',
  'small_business',
]

interface Quarter {
  year: number
  quarter: number
}

/** First day after a quarter. */
const afterQuarter = ({ year, quarter }: Quarter): string =>
  quarter === 4 ? `${year + 1}-01-01` : `${year}-${String(3 * quarter + 1).padStart(2, '0')}-01`

/** A book that is filed and settled quarter by quarter, or one whose returns are looked at when the year is over. */
class Book {
  readonly quarters: OracleReturn[] = []
  private readonly entered: Entered[] = []
  private left = 0
  isRefunded = false

  private readonly world: TestBooks
  private readonly scheme: Scheme
  private readonly isFiled: boolean
  private readonly seed: number

  constructor(
    world: TestBooks,
    { scheme, isFiled, seed }: { scheme: Scheme; isFiled: boolean; seed: number },
  ) {
    this.world = world
    this.scheme = scheme
    this.isFiled = isFiled
    this.seed = seed
  }

  know(documents: readonly Entered[]): void {
    this.entered.push(...documents)
  }

  /** Documents in force that are entered before a day. */
  private before(day: string): Entered[] {
    return this.entered.filter((document) => document.receivedOn < day && !document.isCancelled)
  }

  async quarter(period: Quarter, typed: TypedBoxes): Promise<void> {
    const { world } = this
    const place = `seed ${this.seed}, ${this.scheme}, ${period.quarter}T ${period.year}`
    // Without a filing the quarter is looked at with everything that the year brings.
    const documents = this.isFiled ? this.before(afterQuarter(period)) : this.before('9999')
    for (const [box, value] of Object.entries(typed))
      await world.run('fiscal.setInput', { model: '420', ...period, box, amount: value / 100 })
    const expected = quarter420(documents, period, this.left, typed)
    const model = await world.run('fiscal.model', { model: '420', ...period })
    if (this.scheme === 'small_business') {
      expect(model, place).toMatchObject({ applies: false })
      this.quarters.push(expected)
      return
    }
    expectBoxes(model, expected.boxes, place)
    expectRates(model, LINES, expected, place)
    expect(cents(model.result ?? Number.NaN), place).toBe(expected.boxes['45'])
    this.quarters.push(expected)
    const result = expected.boxes['45']!
    this.isRefunded = false
    if (this.isFiled) {
      this.isRefunded = period.quarter === 4 && result < 0 && this.seed % 2 === 0
      await world.run('fiscal.markFiled', {
        model: '420',
        ...period,
        ...(this.isRefunded ? { outcome: 'refund' as const } : {}),
      })
      tally.filed += 1
      await this.settle(period, expected, place)
    }
    this.left = this.isRefunded ? 0 : Math.max(0, -result)
  }

  /** The entry that settles the tax is booked where books and return say the same, and refused otherwise. */
  private async settle(period: Quarter, { boxes }: OracleReturn, place: string): Promise<void> {
    if (this.scheme === 'cash') return
    const books = booksOf(this.before(afterQuarter(period)), period)
    if (books.outputCents === 0 && books.inputCents === 0) return
    const isSame = books.outputCents === boxes['25'] && books.inputCents === boxes['40']
    const work = this.world.run('fiscal.enterVat', period)
    if (!isSame) {
      expect(await refusal(work), place).toBe('vat_entry_differs')
      tally.differing += 1
      return
    }
    const { lines } = await work
    const amount = (account: string) =>
      lines
        .filter((line) => line.account.startsWith(account))
        .reduce((sum, { debit, credit }) => sum + cents(debit) - cents(credit), 0)
    expect([amount('477'), -amount('472') + 0], place).toEqual([boxes['25'], boxes['40']])
    tally.settled += 1
  }

  async year(year: number): Promise<void> {
    const { world } = this
    const place = `seed ${this.seed}, ${this.scheme}, ${year}`
    // A filed year is looked at when it ends: what is received later is not entered yet.
    const documents = this.before(this.isFiled ? `${year + 1}-01-01` : '9999')
    const quarters = this.quarters.slice(-4)
    const yearly = await world.run('fiscal.model', { model: '425', year })
    if (this.scheme === 'small_business') {
      expectBoxes(yearly, smallYear425(documents, year), place)
      expect(yearly.boxes.filter(({ amount }) => amount !== 0).map(({ box }) => box)).toEqual(['142', '147'])
    } else {
      const expected = year425(documents, year, quarters, this.isRefunded)
      expectBoxes(yearly, expected.boxes, place)
      const differs =
        expected.boxes['94'] !== quarters.reduce((sum, { boxes }) => sum + boxes['40']!, 0) ||
        expected.boxes['79'] !== quarters.reduce((sum, { boxes }) => sum + boxes['25']!, 0)
      if (differs)
        expect(
          yearly.warnings.map(({ code }) => code),
          place,
        ).toContain('quarters_differ')
      expect(
        sumOf(yearly, [
          '03',
          '06',
          '09',
          '12',
          '15',
          '18',
          '18 bis',
          '51',
          '54',
          '57',
          '60',
          '63',
          '66',
          '66 bis',
        ]),
        place,
      ).toBe(
        [...expected.ordinary.values(), ...expected.cash.values()].reduce((sum, [, tax]) => sum + tax, 0),
      )
    }
    // Key 17 is of retailers here: nothing of it is for the one-stop shop.
    const oneStopShop = await world.run('fiscal.model', { model: '369', year, quarter: 4 })
    expect(oneStopShop.applies, place).toBe(false)
    const parties = await world.run('fiscal.model', { model: '415', year })
    const amounts = (id: string) =>
      parties.lists.find((list) => list.id === id)!.rows.map((row) => cents(Number(row[2])))
    expect({ sale: amounts('B'), purchase: amounts('A') }, place).toEqual(parties415(documents, year))
    const { totals } = await world.run('ledger.trialBalance', { year })
    expect([totals.opening, totals.balance, totals.debit - totals.credit], place).toEqual([0, 0, 0])
    tally.years += 1
    bySchemes[this.scheme] = (bySchemes[this.scheme] ?? 0) + 1
  }
}

/** What a person types where the books do not know it; the final pro rata in the fourth quarter. */
function typedBoxes(random: ReturnType<typeof dice>, quarter: number): TypedBoxes {
  if (!random.chance(0.3)) return {}
  const amount = () => 1 + random.below(20_000)
  return quarter === 4 ? { '39': -amount() } : { '23': amount(), '24': amount(), '37': amount() }
}

async function expectBook(seed: number): Promise<void> {
  const random = dice(seed)
  const scheme = SCHEMES[(seed - 1) % SCHEMES.length]!
  const isFiled = seed % 2 === 1 && scheme !== 'small_business'
  const world = await openBooks({
    at: `${FIRST_YEAR}-01-01T08:00:00Z`,
    company: {
      territory: 'canary',
      vatRegime: scheme,
      address: { street: 'Calle Triana, 1', postalCode: '35002', city: 'Las Palmas', country: 'ES' },
    },
  })
  const book = new Book(world, { scheme, isFiled, seed })
  const all: Entered[] = []
  for (let index = 0; index < YEARS_OF_A_BOOK; index++)
    all.push(
      ...realYear(random, {
        year: FIRST_YEAR + index,
        firstId: 1 + index * DOCUMENTS,
        count: DOCUMENTS,
        scheme,
        rates: ISLAND_RATES,
      }),
    )
  book.know(all)
  const periods = Array.from({ length: YEARS_OF_A_BOOK * 4 }, (_, index) => ({
    year: FIRST_YEAR + Math.floor(index / 4),
    quarter: 1 + (index % 4),
  }))
  const left = [...periods]
  /** Files what is over on a day. */
  const closeUntil = async (day: string) => {
    for (let next = left[0]; next && afterQuarter(next) <= day; next = left[0]) {
      left.shift()
      world.setTime(`${afterQuarter(next)}T08:00:00Z`)
      await book.quarter(next, {})
      if (next.quarter === 4) await book.year(next.year)
    }
  }
  await play(world, all, ISLAND_RATES, isFiled ? closeUntil : undefined)
  if (isFiled) await closeUntil('9999-12-31')
  else {
    world.setTime(`${FIRST_YEAR + YEARS_OF_A_BOOK + 1}-01-01T08:00:00Z`)
    for (const period of periods) {
      await book.quarter(period, scheme === 'small_business' ? {} : typedBoxes(random, period.quarter))
      if (period.quarter === 4) await book.year(period.year)
    }
  }
  tally.documents += all.length
  expect(await verifyTaxTotals(world.test), `seed ${seed}`).toEqual([])
  expect(await verifyLedger(world.test), `seed ${seed}`).toMatchObject({ ok: true })
}

/** 12 years in every run, 1,000 in the long one. */
const BOOKS = sweptCount(500, 6)

describe('years of a business of Las Palmas by its own documents', () => {
  test.each(Array.from({ length: BOOKS }, (_, index) => index + 1))(
    'have the boxes of their text and balanced books (seed %i)',
    expectBook,
    120_000,
  )

  test('were as many as they say', () => {
    expect(tally.years).toBe(BOOKS * YEARS_OF_A_BOOK)
    expect(tally.documents).toBe(BOOKS * YEARS_OF_A_BOOK * DOCUMENTS)
    expect(tally.settled).toBeGreaterThan(0)
  })

  afterAll(() => {
    console.log('years of Las Palmas by documents:', JSON.stringify({ ...tally, ...bySchemes }))
  })
})
