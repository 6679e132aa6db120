/** Returns that a person types, 123 and 131: from the boxes to the bytes, and filed in a test book. */
import { describe, expect, test } from 'vitest'
import { faultsOfRefusal, openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'

const Q4 = { year: 2026, quarter: 4 } as const
const IBAN = 'ES9121000418450200051332'
const ENVELOPE = 328

type Typed = Readonly<Record<string, number>>

async function type(books: TestBooks, model: '123' | '131', boxes: Typed, reason?: string): Promise<void> {
  for (const [box, amount] of Object.entries(boxes))
    await books.run('fiscal.setInput', { model, ...Q4, box, amount, ...(reason ? { reason } : {}) })
}

async function textOf(books: TestBooks, model: '123' | '131', more: object): Promise<string> {
  const { bytes } = await books.run('fiscal.returnFile', { model, ...Q4, ...more })
  return Buffer.from(bytes).toString('latin1')
}

/** Returns the characters of a field by its place in the published table. */
const at = (page: string, pos: number, length: number): string => page.slice(pos - 1, pos - 1 + length)
const digits = (cents: number, length = 17): string => String(cents).padStart(length, '0')

async function file(books: TestBooks, model: '123' | '131', more: object) {
  const preview = await books.run('fiscal.prepareFiling', { model, ...Q4, ...more })
  expect(preview.faults.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(preview).toMatchObject({ computed: false, way: 'simulated' })
  expect(preview.faults.map(({ code }) => code)).toContain('typed_return')
  return books.run('fiscal.fileReturn', {
    model,
    ...Q4,
    confirmationToken: preview.confirmationToken ?? '',
  })
}

const DIVIDENDS: Typed = {
  '01': 2,
  '04': 10_000,
  '07': 1900,
  '02': 1,
  '05': 500,
  '08': 95,
  '03': 3,
  '06': 10_500,
  '09': 1995,
  '12': 1995,
  '14': 1995,
}

async function withDividends(): Promise<TestBooks> {
  const books = await openBooks({ at: '2027-01-12T10:00:00+01:00' })
  const profile = await books.run('fiscal.profile', {})
  await books.run('fiscal.setProfile', { ...profile, files123: true })
  await type(books, '123', DIVIDENDS)
  return books
}

describe('model 123', () => {
  test('is listed only when a person adds it, and its term too', async () => {
    const books = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
    const listed = async () => {
      const { models } = await books.run('fiscal.models', Q4)
      return models.find(({ model }) => model === '123')
    }
    const due = async () => (await books.run('fiscal.deadlines', {})).deadlines.map(({ model }) => model)
    expect(await listed()).toBeUndefined()
    expect(await due()).not.toContain('123')
    expect(await books.run('fiscal.model', { model: '123', ...Q4 })).toMatchObject({
      applies: false,
      why: 'not_added',
    })
    const profile = await books.run('fiscal.profile', {})
    expect(profile.files123).toBe(false)
    expect(await books.run('fiscal.setProfile', { ...profile, files123: true })).toMatchObject({
      files123: true,
    })
    // Whether anything was paid is not known before somebody types it.
    expect(await listed()).toMatchObject({
      applies: null,
      computed: false,
      why: 'capital_unknown',
      result: null,
    })
    expect(await due()).toContain('123')
    await type(books, '123', { '14': 0 })
    expect(await listed()).toMatchObject({ applies: false, why: 'no_capital_paid', result: 0 })
    await type(books, '123', { '14': 19 })
    expect(await listed()).toMatchObject({
      applies: true,
      computed: false,
      why: 'typed',
      result: 19,
      dueTo: '2027-01-20',
      directDebitTo: '2027-01-15',
    })
  })

  test('says that its figures are typed', async () => {
    const books = await withDividends()
    const model = await books.run('fiscal.model', { model: '123', ...Q4 })
    expect(model).toMatchObject({ computed: false, result: 1995 })
    expect(model.warnings).toContainEqual(expect.objectContaining({ code: 'typed_return', severity: 'info' }))
    expect(model.boxes.filter(({ documents }) => documents !== null)).toEqual([])
    expect(model.boxes.filter(({ input }) => !input).map(({ box }) => box)).toEqual(['13'])
  })

  test('has the bytes that its published table says', async () => {
    const books = await withDividends()
    const text = await textOf(books, '123', { kind: 'U', iban: IBAN })
    expect(text.slice(0, 17)).toBe('<T123020264T0000>')
    const page = text.slice(ENVELOPE, ENVELOPE + 600)
    expect(text).toHaveLength(ENVELOPE + 600 + 18)
    expect(at(page, 1, 13)).toBe('<T12301000> U')
    expect(at(page, 103, 6)).toBe('20264T')
    expect(at(page, 109, 45)).toBe(digits(2, 15) + digits(1, 15) + digits(3, 15))
    expect(at(page, 154, 51)).toBe(digits(1_000_000) + digits(50_000) + digits(1_050_000))
    expect(at(page, 205, 51)).toBe(digits(190_000) + digits(9_500) + digits(199_500))
    expect(at(page, 256, 85)).toBe(digits(0) + digits(0) + digits(199_500) + digits(0) + digits(199_500))
    expect(at(page, 341, 14)).toBe(' '.repeat(14))
    expect(at(page, 355, 34)).toBe(IBAN.padEnd(34))
    expect(at(page, 589, 12)).toBe('</T12301000>')
  })

  test.each([
    ['03', 4, '03'],
    ['03', 1, '03'],
    ['06', 1, '06'],
    ['09', 1995.01, '09'],
    ['12', 1994.99, '12'],
    ['14', 0, '14'],
  ])('is refused where box %s is %d', async (box, amount, wrong) => {
    const books = await withDividends()
    await type(books, '123', { [box]: amount })
    const faults = await faultsOfRefusal(textOf(books, '123', { kind: 'I' }))
    expect(faults).toContain(`boxes.${wrong}: boxes_do_not_close`)
  })

  test('counts whoever was paid income of both classes once', async () => {
    const books = await withDividends()
    await type(books, '123', { '03': 2 })
    expect(await textOf(books, '123', { kind: 'G' })).toContain(digits(2, 15))
  })

  test('that nobody has typed is not written, and says so', async () => {
    const books = await openBooks({ at: '2027-01-12T10:00:00+01:00' })
    const preview = await books.run('fiscal.prepareFiling', { model: '123', ...Q4 })
    expect(preview).toMatchObject({ computed: false, result: null, confirmationToken: null })
    expect(preview.faults.map(({ code }) => code)).toContain('nothing_typed')
    await type(books, '123', { '14': 0 })
    expect(await books.run('fiscal.prepareFiling', { model: '123', ...Q4 })).toMatchObject({
      kind: 'N',
      result: 0,
    })
  })

  test('is filed in a test book, and completed by a later one that only raises it', async () => {
    const books = await withDividends()
    const first = await file(books, '123', { iban: IBAN })
    expect(first).toMatchObject({ state: 'accepted', kind: 'U', result: 1995, errors: [], hasDocument: true })
    expect(first.receipt).toMatch(/^123\d{10}$/)
    const place = { model: '123', ...Q4 } as const
    expect((await books.run('fiscal.model', place)).filing).toMatchObject({
      reference: first.csv,
      result: 1995,
      outcome: 'pay',
      differences: [],
    })
    const again = { '08': 105, '09': 2005, '12': 2005 }
    await expect(books.run('fiscal.setInput', { ...place, box: '08', amount: 105 })).rejects.toMatchObject({
      code: 'already_filed',
    })
    await type(books, '123', again, 'Un interés olvidado')
    const later = { nature: 'complementary', previousReceipt: first.receipt ?? '', kind: 'G' }
    const text = await textOf(books, '123', later)
    const page = text.slice(ENVELOPE, ENVELOPE + 600)
    expect(at(page, 290, 51)).toBe(digits(200_500) + digits(199_500) + digits(1_000))
    expect(at(page, 341, 14)).toBe(`X${first.receipt}`)
    const second = await file(books, '123', later)
    expect(second).toMatchObject({ state: 'accepted', nature: 'complementary', result: 10 })
    await type(books, '123', { '08': 95, '09': 1995, '12': 1995 }, 'No era así')
    const lower = await books.run('fiscal.prepareFiling', {
      ...place,
      ...later,
      nature: 'complementary',
      previousReceipt: second.receipt ?? '',
      kind: 'N',
    })
    expect(lower.faults.map(({ code }) => code)).toContain('complementary_lowers')
  })

  test('takes no whole number where it wants one, and no box of the earlier return', async () => {
    const books = await withDividends()
    const set = (box: string, amount: number) =>
      books.run('fiscal.setInput', { model: '123', ...Q4, box, amount })
    expect(await faultsOfRefusal(set('01', 1.5))).toEqual(['amount: not_a_count'])
    expect(await faultsOfRefusal(set('13', 5))).toEqual(['box: not_allowed'])
    expect(await faultsOfRefusal(set('99', 5))).toEqual(['box: not_allowed'])
    await type(books, '123', { '07': -1 })
    expect(await faultsOfRefusal(textOf(books, '123', { kind: 'I' }))).toContain('boxes.07: box_below_zero')
  })
})

/** A bar and a taxi: 4 % of the first and 2 % of the second, less withholding and the reduction of art. 110.3.c. */
const BAR_AND_TAXI: Typed = {
  iae1: 6731,
  yield1: 20_000,
  share1: 4,
  part1: 800,
  'a1.units1': 2.5,
  'a1.moduleYield1': 15_000,
  'a1.units3': 1,
  'a1.smallIndex': 0.9,
  'a1.days': 92,
  iae2: 7212,
  yield2: 8000,
  share2: 2,
  part2: 160,
  'a2.units1': 1,
  'a2.oneTractor': 1,
  'a2.over1000kg': 2,
  '01': 28_000,
  '02': 960,
  '07': 960,
  '08': 60,
  netBand: 2,
  '09': 75,
  '10': 825,
  homeLoan: 1,
  '12': 25,
  '13': 800,
  '15': 800,
}

async function underModules(boxes: Typed = BAR_AND_TAXI): Promise<TestBooks> {
  const books = await openBooks({ at: '2027-01-12T10:00:00+01:00' })
  await books.tamper("update companies set kind = 'natural', vat_regime = 'simplified'")
  await books.run('fiscal.setFilingSettings', {
    surnames: 'García López',
    firstName: 'Ana',
    contactName: null,
    contactPhone: null,
    iban: null,
    live: false,
  })
  await type(books, '131', boxes)
  return books
}

describe('model 131', () => {
  test('shows an activity after the other, and its modules once its heading is typed', async () => {
    const books = await underModules({})
    const boxes = async () =>
      (await books.run('fiscal.model', { model: '131', ...Q4 })).boxes.map(({ box }) => box)
    expect(await boxes()).toContain('iae1')
    expect(await boxes()).not.toContain('iae2')
    expect(await boxes()).not.toContain('a1.units1')
    await type(books, '131', { iae1: 6731 })
    expect(await boxes()).toEqual(expect.arrayContaining(['a1.units1', 'iae2']))
    for (const n of [2, 3, 4, 5]) await type(books, '131', { [`iae${n}`]: 7212 })
    expect((await boxes()).filter((box) => /^iae/.test(box))).toHaveLength(5)
  })

  test('has the bytes that its published table says, a page for each activity and one for the account', async () => {
    const books = await underModules()
    const text = await textOf(books, '131', { kind: 'U', iban: IBAN })
    expect(text).toHaveLength(ENVELOPE + 831 + 598 + 598 + 257 + 18)
    const page = text.slice(ENVELOPE, ENVELOPE + 831)
    expect(at(page, 1, 13)).toBe('<T13101000> U')
    expect(at(page, 23, 80)).toBe('GARCIA LOPEZ'.padEnd(60) + 'ANA'.padEnd(20))
    expect(at(page, 103, 7)).toBe('20264T ')
    expect(at(page, 110, 43)).toBe(`6731${digits(2_000_000)}00400${digits(80_000)}`)
    expect(at(page, 153, 43)).toBe(`7212${digits(800_000)}00200${digits(16_000)}`)
    expect(at(page, 196, 43)).toBe(`    ${digits(0)}00000${digits(0)}`)
    expect(at(page, 325, 34)).toBe(digits(2_800_000) + digits(96_000))
    expect(at(page, 522, 41)).toBe(`${digits(96_000)}${digits(6_000)}200000${digits(7_500).slice(0, 1)}`)
    expect(at(page, 562, 34)).toBe(digits(7_500) + digits(82_500))
    expect(at(page, 613, 1)).toBe('X')
    expect(at(page, 624, 68)).toBe(digits(2_500) + digits(80_000) + digits(0) + digits(80_000))
    expect(at(page, 692, 14)).toBe(' '.repeat(14))
    const bar = text.slice(ENVELOPE + 831, ENVELOPE + 831 + 598)
    expect(at(bar, 1, 16)).toBe('<T131DPA00> 6731')
    expect(at(bar, 136, 27)).toBe(digits(250, 10) + digits(1_500_000))
    expect(at(bar, 163, 27)).toBe('0'.repeat(27))
    expect(at(bar, 190, 10)).toBe(digits(100, 10))
    expect(at(bar, 349, 4)).toBe('0090')
    expect(at(bar, 385, 2)).toBe('92')
    const taxi = text.slice(ENVELOPE + 831 + 598, ENVELOPE + 831 + 598 * 2)
    expect(at(taxi, 1, 16)).toBe('<T131DPA00>C7212')
    expect(at(taxi, 33, 3)).toBe(' X2')
    const account = text.slice(ENVELOPE + 831 + 598 * 2, -18)
    expect(account).toBe(`<T131DID00>${IBAN.padEnd(34)}${' '.repeat(200)}</T131DID00>`)
  })

  test.each([
    ['01', 'boxes.01: boxes_do_not_close'],
    ['02', 'boxes.02: boxes_do_not_close'],
    ['07', 'boxes.07: boxes_do_not_close'],
    ['10', 'boxes.10: boxes_do_not_close'],
    ['13', 'boxes.13: boxes_do_not_close'],
    ['15', 'boxes.15: boxes_do_not_close'],
  ])('is refused where box %s does not close', async (box, fault) => {
    const books = await underModules({ ...BAR_AND_TAXI, [box]: (BAR_AND_TAXI[box] ?? 0) + 0.01 })
    expect(await faultsOfRefusal(textOf(books, '131', { kind: 'I' }))).toContain(fault)
  })

  test('names the activity whose heading or modules are missing', async () => {
    const { iae2: _heading, ...rest } = BAR_AND_TAXI
    const without = await underModules(
      Object.fromEntries(Object.entries(rest).filter(([box]) => !box.startsWith('a2.'))),
    )
    expect(await faultsOfRefusal(textOf(without, '131', { kind: 'I' }))).toContain(
      'boxes.iae2: activity_heading_missing',
    )
    await type(without, '131', { iae2: 72 })
    expect(await faultsOfRefusal(textOf(without, '131', { kind: 'I' }))).toContain(
      'boxes.iae2: activity_heading_missing',
    )
    await type(without, '131', { iae2: 722 })
    expect(await faultsOfRefusal(textOf(without, '131', { kind: 'I' }))).toContain(
      'boxes.a2.units1: activity_modules_missing',
    )
    await type(without, '131', { 'a2.units2': 3 })
    expect(await textOf(without, '131', { kind: 'I' })).toContain('<T131DPA00>C722 ')
  })

  test('warns where a result is not the yield by its percentage', async () => {
    const books = await underModules({ ...BAR_AND_TAXI, part2: 64, part1: 896 })
    const preview = await books.run('fiscal.prepareFiling', { model: '131', ...Q4 })
    expect(preview.faults.filter(({ code }) => code === 'activity_part_differs')).toMatchObject([
      { severity: 'warning', params: { activity: 1 } },
      { severity: 'warning', params: { activity: 2, value: 64, expected: 160 } },
    ])
  })

  test('is filed in a test book, also below zero, and completed', async () => {
    const books = await underModules()
    const first = await file(books, '131', { kind: 'G' })
    expect(first).toMatchObject({ state: 'accepted', kind: 'G', result: 800, errors: [], hasDocument: true })
    expect(first.receipt).toMatch(/^131\d{10}$/)
    await type(books, '131', { '08': 10, '10': 875, '13': 850 }, 'Retención de otro')
    const later = { nature: 'complementary', previousReceipt: first.receipt ?? '', kind: 'G' }
    const page = (await textOf(books, '131', later)).slice(ENVELOPE, ENVELOPE + 831)
    expect(at(page, 641, 51)).toBe(digits(85_000) + digits(80_000) + digits(5_000))
    expect(at(page, 692, 14)).toBe(`X${first.receipt}`)
    expect(await file(books, '131', later)).toMatchObject({ state: 'accepted', result: 50 })
    const negative = await underModules({
      '03': 1000,
      '04': 20,
      '07': 20,
      '08': 50,
      '10': -30,
      '13': -30,
      '15': -30,
    })
    expect(await file(negative, '131', {})).toMatchObject({ state: 'accepted', kind: 'B', result: -30 })
  })

  test('shows what was typed, with its labels, before it is filed', async () => {
    const books = await underModules()
    const { boxes } = await books.run('fiscal.prepareFiling', { model: '131', ...Q4, kind: 'G' })
    expect(boxes.slice(0, 4).map(({ box, kind, amount }) => [box, kind, amount])).toEqual([
      ['iae1', 'code', 6731],
      ['yield1', 'amount', 20_000],
      ['share1', 'percent', 4],
      ['part1', 'amount', 800],
    ])
  })
})
