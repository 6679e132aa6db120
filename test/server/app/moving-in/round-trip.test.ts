/** A year written as unified books, added to an empty Sello as files: every box of every return is the same. */
import { describe, expect, test } from 'vitest'
import { PURCHASES } from '../../../../server/app/demo/names.ts'
import { fillSample, getSample } from '../../../../server/app/demo/index.ts'
import { findCompany } from '../../../../server/company/index.ts'
import { inBook } from '../../../../server/context.ts'
import type { Ctx } from '../../../../server/context.ts'
import { loadBook } from '../../../../server/platform/books/index.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { addBooks, addFile } from '../../../support/moving/files.ts'
import { applyAll } from '../../../support/moving/move.ts'
import { returnsOf } from '../../../support/moving/returns-of.ts'
import { stateSchemes } from '../../../support/schemes.ts'
import { swept } from '../../../support/sweep.ts'
import { line, purchase, workedQuarter } from '../../accounting/returns/worked.ts'

const AT = '2027-01-10T12:00:00+01:00'

async function emptyBooks(kind: 'legal' | 'natural', at = AT): Promise<TestBooks> {
  const world = await openBooks({ at })
  if (kind === 'natural') await world.tamper("update companies set kind = 'natural'")
  await stateSchemes(world, 2026)
  return world
}

/** The returns of a company that its book of VAT gives: it holds nothing of what is withheld. */
const OF_VAT = ['303/1', '303/2', '303/3', '303/4', '349/1', '349/2', '349/3', '349/4', '390']

describe.each(['xlsx', 'csv'] as const)('unified books as %s', (format) => {
  test('of a natural person give every return', async () => {
    const before = await workedQuarter('natural')
    const after = await emptyBooks('natural')
    const { id, file } = await addBooks(before, after, { firstDay: '2027-01-01', year: 2026, format })
    expect(file).toMatchObject({ state: 'read', failed: 0, faults: [], waiting: 18 })
    expect(file.sums).toEqual([
      expect.objectContaining({ side: 'issued', month: '2026-10', documents: 9, base: 3965, tax: 415.6 }),
      expect.objectContaining({ side: 'received', month: '2026-10', documents: 7, base: 6210, tax: 1298.6 }),
      expect.objectContaining({ side: 'issued', month: '2026-11', documents: 1, base: -100, tax: -21 }),
    ])
    const move = await applyAll(after, id)
    expect(move).toMatchObject({ created: 18, skipped: 0 })
    // The good is an asset, bought with the line of the history: the book has it once.
    const { items, candidates } = await after.run('assets.list', {})
    expect([items.map(({ kind: each, cost }) => [each, cost]), candidates]).toEqual([[['29', 4000]], 0])
    expect(await returnsOf(after, 2026)).toEqual(await returnsOf(before, 2026))
  })

  test('of a company give the returns of VAT', async () => {
    const before = await workedQuarter('legal')
    const after = await emptyBooks('legal')
    const { id } = await addBooks(before, after, { firstDay: '2027-01-01', year: 2026, format })
    await applyAll(after, id)
    const [was, is] = [await returnsOf(before, 2026), await returnsOf(after, 2026)]
    for (const name of OF_VAT) expect([name, is[name]]).toEqual([name, was[name]])
  })
})

test('of a company give every return, once a person says what was withheld', async () => {
  const before = await emptyBooks('legal')
  await before.invoice({ issueDate: '2026-02-10', lines: [line(9000)] })
  const suppliers = [
    ['A1', 'Inmuebles Norte, S.A.', 'A58818501', 1200, { rate: 19, base: 1200, reason: 'rent' }],
    ['A2', 'Ana Ruiz Soler', '12345678Z', 4000, { rate: 15, base: 4000, reason: 'professional' }],
    ['A3', 'Luis Mora Vidal', '00000000T', 900, { rate: 7, base: 900, reason: 'professional' }],
    ['A4', 'Vidrios Vera, S.L.', 'B12345674', 5000, undefined],
  ] as const
  for (const [supplierNumber, supplierName, supplierNif, base, withholding] of suppliers)
    await before.run(
      'received.create',
      purchase({
        supplierNumber,
        supplierName,
        supplierNif,
        issueDate: '2026-05-04',
        receptionDate: '2026-05-05',
        taxLines: [{ base, vatRate: 21 }],
        ...(withholding ? { withholding } : {}),
      }),
    )
  const after = await emptyBooks('legal')
  const { id, file } = await addBooks(before, after, {
    firstDay: '2027-01-01',
    year: 2026,
    format: 'xlsx',
    answers: {
      'question_withheld:A58818501': 'rent_19',
      'question_withheld:12345678Z': 'professional_15',
      'question_withheld:00000000T': 'professional_7',
    },
  })
  const asked = file.questions.filter(({ code }) => code === 'question_withheld')
  expect(asked.map(({ about, guess, base }) => [about, guess, base])).toEqual(
    suppliers.map(([, , nif, base]) => [nif, 'none', base]),
  )
  await applyAll(after, id)
  const [was, is] = [await returnsOf(before, 2026), await returnsOf(after, 2026)]
  for (const name of Object.keys(was)) expect([name, is[name]]).toEqual([name, was[name]])
})

test('an answer sent with the same file changes what it was asked for', async () => {
  const before = await workedQuarter('natural')
  const after = await emptyBooks('natural')
  const { bytes } = await before.run('fiscal.vatBooks', { year: 2026, quarter: 4, format: 'xlsx' })
  const { move } = await after.run('moving.start', { firstDay: '2027-01-01' })
  const first = await addFile(after, move.id, 'libros.xlsx', bytes)
  const question = first.questions.find(({ code }) => code === 'question_eu_nature')
  expect(question).toMatchObject({ guess: 'eu_services', answer: null, base: 1000, documents: 1 })
  const second = await addFile(after, move.id, 'libros.xlsx', bytes, {
    answers: { [question!.id]: 'eu_goods' },
  })
  expect(second.id).toBe(first.id)
  expect(second.questions.find(({ id }) => id === question!.id)).toMatchObject({ answer: 'eu_goods' })
  // The answer stays when the file comes once more without it.
  const third = await addFile(after, move.id, 'otro nombre.xlsx', bytes)
  expect(third.questions.find(({ id }) => id === question!.id)).toMatchObject({ answer: 'eu_goods' })
  const { move: listed } = await after.run('moving.get', { id: move.id })
  expect(listed.files.map(({ name }) => name)).toEqual(['otro nombre.xlsx'])
  await applyAll(after, move.id)
  const operators = async (world: TestBooks) =>
    (await world.run('fiscal.model', { model: '349', year: 2026, quarter: 4 })).lists.flatMap(
      ({ rows }) => rows,
    )
  const german = (rows: readonly (readonly unknown[])[]) =>
    rows.filter((row) => row.some((cell) => String(cell).includes('136695976')))
  const [was, is] = [german(await operators(before)), german(await operators(after))]
  expect([was.length, is.length]).toEqual([1, 1])
  // Key I of services, and A of goods.
  expect([was[0]?.includes('I'), is[0]?.includes('A')]).toEqual([true, true])
})

test('half a year as history and the rest in these books are a whole year', async () => {
  const firstHalf = async (world: TestBooks): Promise<void> => {
    await world.invoice({ issueDate: '2026-02-10', lines: [line(1000), line(90, { vatRate: 10 })] })
    await world.invoice({ issueDate: '2026-05-20', lines: [line(400)], withholdingPct: 15 })
    for (const [supplierNumber, day, base] of [
      ['P1', '2026-03-02', 3000],
      ['P2', '2026-06-12', 80],
    ] as const)
      await world.run(
        'received.create',
        purchase({ supplierNumber, issueDate: day, receptionDate: day, taxLines: [{ base, vatRate: 21 }] }),
      )
  }
  const secondHalf = async (world: TestBooks): Promise<void> => {
    await world.invoice({ issueDate: '2026-08-03', lines: [line(2500)] })
    await world.run(
      'received.create',
      purchase({
        supplierNumber: 'P3',
        issueDate: '2026-07-15',
        receptionDate: '2026-07-15',
        taxLines: [{ base: 220, vatRate: 21 }],
      }),
    )
  }
  const at = '2026-09-30T12:00:00+02:00'
  const always = await emptyBooks('natural', at)
  await firstHalf(always)
  const moved = await emptyBooks('natural', at)
  const { bytes } = await always.run('fiscal.vatBooks', { year: 2026, quarter: 2, format: 'xlsx' })
  const { move } = await moved.run('moving.start', { firstDay: '2026-07-01' })
  await addFile(moved, move.id, 'semestre.xlsx', bytes)
  await applyAll(moved, move.id)
  await secondHalf(always)
  await secondHalf(moved)
  expect(await returnsOf(moved, 2026)).toEqual(await returnsOf(always, 2026))
})

/** The sample company in a store of its own, with the operations of its book. */
async function sampleBooks(): Promise<{ world: TestBooks; ctx: Ctx }> {
  const world = await openBooks()
  for (let call = 0; call < 4; call++) await fillSample(world.bookless(), {})
  const { bookId } = await getSample(world.bookless(), {})
  const book = await loadBook(world.bookless().db, bookId ?? '')
  if (!book) throw new Error('There is no sample book.')
  const ctx = inBook(world.bookless(), book)
  return { world: { ...world, run: (name, input) => world.run(name, input, ctx) }, ctx }
}

/** What the sample company withholds from its suppliers, as its owner knows it. */
const WITHHELD_BY_SAMPLE = Object.fromEntries(
  PURCHASES.flatMap(({ nif, withheld }) =>
    withheld ? [[`question_withheld:${nif}`, `${withheld.reason}_${withheld.rate}`]] : [],
  ),
)

test.each(swept(['xlsx', 'csv'] as const, (format) => format === 'xlsx'))(
  'the sample company as %s',
  async (format) => {
    const { world: before, ctx } = await sampleBooks()
    const { kind } = await findCompany(ctx)
    const after = await openBooks({ at: ctx.now().toISOString() })
    if (kind === 'natural') await after.tamper("update companies set kind = 'natural'")
    const { incomeMethod, ...profile } = await before.run('fiscal.profile', {})
    await after.run('fiscal.setProfile', { ...profile, incomeMethod })
    const tomorrow = new Date(ctx.now().getTime() + 86_400_000).toISOString().slice(0, 10)
    const year = Number(ctx.today().slice(0, 4))
    const { move } = await after.run('moving.start', { firstDay: tomorrow })
    for (const each of [year - 1, year]) {
      const { bytes } = await before.run('fiscal.vatBooks', { year: each, quarter: 4, format })
      const name = `libros-${each}.${format === 'csv' ? 'zip' : 'xlsx'}`
      const file = await addFile(after, move.id, name, bytes, { answers: WITHHELD_BY_SAMPLE })
      expect([file.state, file.failed]).toEqual(['read', 0])
    }
    await applyAll(after, move.id)
    for (const each of [year - 1, year]) {
      const [was, is] = [await returnsOf(before, each), await returnsOf(after, each)]
      for (const name of Object.keys(was)) expect([name, is[name]]).toEqual([name, was[name]])
    }
  },
  120_000,
)
