/** Random years of a business of Las Palmas: four returns 420, the 425 and the 415 to the cent, against an oracle. */
import { describe, expect, test } from 'vitest'
import { countCash, countOperation, verifyTaxTotals } from '../../../../../server/tax/totals/index.ts'
import { openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { operationOf, randomYear } from '../../../../support/islands/documents.ts'
import type { TradeDocument } from '../../../../support/islands/documents.ts'
import { parties415, quarters420, year425 } from '../../../../support/islands/oracle.ts'
import { dice } from '../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../support/sweep.ts'

const FIRST_YEAR = 2030
const YEARS_OF_A_BOOK = 10
const DOCUMENTS = 30

type Model = Awaited<ReturnType<typeof modelOf>>
const modelOf = (world: TestBooks, model: '420' | '425' | '415', year: number, quarter?: number) =>
  world.run('fiscal.model', { model, year, ...(quarter === undefined ? {} : { quarter }) })

const cents = (euros: number) => Math.round(euros * 100)
const boxOf = ({ boxes }: Pick<Model, 'boxes'>, number: string): number => {
  const found = boxes.find(({ box }) => box === number)
  if (!found) throw new Error(`No box ${number}.`)
  return cents(found.amount)
}

/** Returns the lines of the form that have an amount: rate, base and tax, by rate. */
function linesOf(model: Model, bases: readonly string[]): [number, number, number][] {
  return bases
    .map((base): [number, number, number] => {
      const [, digits = '', bis = ''] = /^(\d+)( bis)?$/.exec(base) ?? []
      const at = (steps: number) => `${String(Number(digits) + steps).padStart(2, '0')}${bis}`
      return [boxOf(model, at(1)), boxOf(model, base), boxOf(model, at(2))]
    })
    .filter(([, base, tax]) => base !== 0 || tax !== 0)
    .sort(([one], [other]) => one - other)
}

const expectedLines = (rates: ReadonlyMap<number, readonly [number, number]>) =>
  [...rates]
    .map(([rate, [base, tax]]): [number, number, number] => [rate, base, tax])
    .filter(([, base, tax]) => base !== 0 || tax !== 0)
    .sort(([one], [other]) => one - other)

const columns = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => String(first + 3 * index).padStart(2, '0'))

async function count(world: TestBooks, documents: readonly TradeDocument[]): Promise<void> {
  await world.test.transaction(async (tx) => {
    for (const document of documents) {
      const operation = operationOf(document)
      await countOperation(tx, operation, 1)
      const { totalCents } = operation
      if (document.paidOn !== null)
        await countCash(
          tx,
          {
            source: operation.source,
            paymentId: document.id,
            date: document.paidOn,
            paidCents: totalCents,
            dueCents: totalCents,
          },
          1,
        )
    }
  })
}

/** Compares lines that each have one rate; a form with too few lines is compared by its sums, and warns. */
function expectLines(
  model: Model,
  bases: readonly string[],
  rates: ReadonlyMap<number, readonly [number, number]>,
  place: string,
): void {
  const expected = expectedLines(rates)
  if (rates.size <= bases.length) {
    expect(linesOf(model, bases), place).toEqual(expected)
    return
  }
  expect(model.warnings.map(({ code }) => code)).toContain('rates_share_line')
  const found = linesOf(model, bases)
  for (const at of [1, 2] as const)
    expect(
      found.reduce((sum, line) => sum + line[at], 0),
      place,
    ).toBe(expected.reduce((sum, line) => sum + line[at], 0))
}

const tally = { years: 0, documents: 0, boxes: 0 }

async function expectBook(seed: number): Promise<void> {
  const random = dice(seed)
  const world = await openBooks({ at: '2026-07-01T10:00:00+02:00' })
  await world.tamper("update companies set territory = 'canary'")
  let brought = 0
  for (let index = 0; index < YEARS_OF_A_BOOK; index++) {
    const year = FIRST_YEAR + index
    const documents = randomYear(random, year, 1 + index * DOCUMENTS, DOCUMENTS)
    await count(world, documents)
    const quarters = quarters420(documents, year, brought)
    for (const [at, { rates, boxes }] of quarters.entries()) {
      const place = `seed ${seed}, ${at + 1}T ${year}`
      const model = await modelOf(world, '420', year, at + 1)
      for (const [number, value] of Object.entries(boxes)) {
        expect(boxOf(model, number), `${place}, box ${number}`).toBe(value)
        tally.boxes += 1
      }
      expectLines(model, columns(1, 6), rates, place)
      expect(cents(model.result ?? Number.NaN)).toBe(boxes['45'])
    }
    const place = `seed ${seed}, ${year}`
    const yearly = await modelOf(world, '425', year)
    const expected = year425(documents, year, quarters)
    for (const [number, value] of Object.entries(expected.boxes)) {
      expect(boxOf(yearly, number), `${place}, box ${number}`).toBe(value)
      tally.boxes += 1
    }
    expectLines(yearly, [...columns(1, 6), '16 bis'], expected.ordinary, place)
    expectLines(yearly, columns(19, 5), expected.usedGoods, place)
    expectLines(yearly, [...columns(49, 6), '64 bis'], expected.cash, place)
    // Nothing was typed or filed otherwise: the year is the sum of its quarters, and what was paid less what is left.
    expect(yearly.warnings.map(({ code }) => code)).not.toContain('quarters_differ')
    expect(boxOf(yearly, '116') - boxOf(yearly, '118') - boxOf(yearly, '119'), place).toBe(
      boxOf(yearly, '115'),
    )
    const parties = await modelOf(world, '415', year)
    const amounts = (id: string) =>
      parties.lists.find((list) => list.id === id)!.rows.map((row) => cents(Number(row[2])))
    const listed = parties415(documents, year)
    expect({ sale: amounts('B'), purchase: amounts('A') }, place).toEqual(listed)
    brought = Math.max(0, -quarters.at(-1)!.boxes['45']!)
    tally.years += 1
    tally.documents += documents.length
  }
  expect(await verifyTaxTotals(world.test)).toEqual([])
}

/** 50 years in every run, 1,000 in the long one. */
const BOOKS = sweptCount(100, 5)
const SEEDS = Array.from({ length: BOOKS }, (_, index) => index + 1)

describe('random years of a business of Las Palmas', () => {
  test.each(SEEDS)('have the boxes of their text (seed %i)', expectBook, 120_000)

  test('were as many as they say', () => {
    expect(tally.years).toBe(BOOKS * YEARS_OF_A_BOOK)
    expect(tally.documents).toBe(BOOKS * YEARS_OF_A_BOOK * DOCUMENTS)
    // 25 boxes of each quarter and 56 of each year, beside the lines of rates.
    expect(tally.boxes).toBe(tally.years * 156)
  })
})
