/** Demonstration books of the territories: the tax, rates and places of each, and what the registry says to them. */
import { expect, test } from 'vitest'
import { buyAndQuote, createEverydayDice, sellAndCollect } from '../../../../server/app/demo/everyday.ts'
import { fillBook } from '../../../../server/app/demo/fill.ts'
import { openBooks } from '../../../support/books.ts'

const FROM = '2026-07-01'
const Q3 = { year: 2026, quarter: 3 }

async function demonstration(territory: 'mainland' | 'canary' | 'ceuta_melilla', postalCode: string) {
  const world = await openBooks({
    at: '2026-10-05T10:00:00+02:00',
    company: {
      territory,
      address: { street: 'Calle Real, 1', postalCode, city: 'Ciudad', country: 'ES' },
    },
  })
  await fillBook(world.test, { invoices: 30, contacts: 6, drafts: 1, from: FROM })
  await sellAndCollect(world.test, createEverydayDice())
  await buyAndQuote(world.test, FROM, createEverydayDice())
  while ((await world.send()) > 0) world.setTime('2026-10-05T11:00:00+02:00')
  const { dataQuality } = await world.run('fiscal.summary', Q3)
  // The simulated agency took every record.
  expect(dataQuality).toMatchObject({ rejected: 0, pending: 0 })
  const rates = async (table: 'issued' | 'received') =>
    (
      await world.test.db
        .selectFrom('figure_groups')
        .select(['tax', 'vat_rate_bp'])
        .distinct()
        .where('book_id', '=', world.test.book.id)
        .where('side', '=', table)
        .execute()
    )
      .map((row) => `${row.tax} ${row.vat_rate_bp}`)
      .sort()
  return { world, issued: await rates('issued'), received: await rates('received') }
}

test('a book of Las Palmas has IGIC, and its 420 adds up', async () => {
  const { world, issued, received } = await demonstration('canary', '35002')
  expect(issued).toEqual(['igic 300', 'igic 700'])
  expect(received).toEqual(['igic 700'])
  const model = await world.run('fiscal.model', { model: '420', ...Q3 })
  const box = (number: string) => model.boxes.find((each) => each.box === number)?.amount ?? 0
  expect(box('07')).toBeGreaterThan(10_000)
  expect(box('27')).toBeGreaterThan(100)
  expect(Math.round((box('06') + box('09')) * 100)).toBe(Math.round(box('25') * 100))
})

test('a book of Ceuta has IPSI on what it sells and buys', async () => {
  const { world, issued } = await demonstration('ceuta_melilla', '51001')
  expect(issued.every((each) => each.startsWith('ipsi '))).toBe(true)
  expect((await world.run('fiscal.models', Q3)).models.map(({ model }) => model)).not.toContain('303')
})

test('a book of the mainland has the rates of VAT as before', async () => {
  const { issued, received } = await demonstration('mainland', '28013')
  expect(issued).toEqual(['vat 1000', 'vat 2100', 'vat 400'])
  expect(received).toEqual(['vat 2100'])
})
