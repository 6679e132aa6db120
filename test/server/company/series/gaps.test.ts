/** Numbers used elsewhere: skipped, never assigned again, and distinguished from missing numbers. */
import { describe, expect, test } from 'vitest'
import { verifyNumbering } from '../../../../server/sales/invoices/index.ts'
import { gapsOfBook, skipNumbers } from '../../../../server/company/series/index.ts'
import type { UsedElsewhere } from '../../../../server/company/series/index.ts'
import { faultsOfRefusal, openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

const used = (last: number, changes: Partial<UsedElsewhere> = {}): UsedElsewhere => ({
  code: 'T-F2026',
  kind: 'ordinary',
  last,
  lastIssueDate: null,
  ...changes,
})
const skip = (world: TestBooks, last: number, changes: Partial<UsedElsewhere> = {}) =>
  world.test.transaction((tx) => skipNumbers(tx, used(last, changes)))
const gaps = async (world: TestBooks) =>
  (await gapsOfBook(world.test)).map(({ first, last }) => [first, last])
const series = async (world: TestBooks, code = 'T-F2026') =>
  (await world.run('series.list', {})).items.find((item) => item.code === code)

describe('skipping numbers used elsewhere', () => {
  test('continues after the highest, records the span, and does not count it as assigned', async () => {
    const world = await openBooks()
    await world.invoice()
    expect(await skip(world, 7)).toBe(8)
    expect(await gaps(world)).toEqual([[2, 7]])
    expect(await series(world)).toMatchObject({ nextNumber: 8, nextPrintedNumber: 'T-F2026-0008', issued: 1 })
    expect((await world.invoice()).number).toBe('T-F2026-0008')
    expect(await skip(world, 9)).toBe(10)
    expect(await gaps(world)).toEqual([
      [2, 7],
      [9, 9],
    ])
    expect(await series(world)).toMatchObject({ nextNumber: 10, issued: 2 })
  })

  test('never goes back, and does nothing where no number is to be skipped', async () => {
    const world = await openBooks()
    await world.invoice()
    await world.invoice()
    expect(await skip(world, 2)).toBeNull()
    expect(await skip(world, 1)).toBeNull()
    expect(await gaps(world)).toEqual([])
    expect(await series(world)).toMatchObject({ nextNumber: 3 })
    expect((await world.run('audit.list', {})).items.map((item) => item.action)).not.toContain(
      'series.numbers_skipped',
    )
  })

  test('adds a series that these books lack, so that its numbers do not start again', async () => {
    const world = await openBooks()
    expect(await series(world, 'T-TIENDA')).toBeUndefined()
    expect(await skip(world, 3, { code: 'T-TIENDA', kind: 'simplified' })).toBe(4)
    expect(await series(world, 'T-TIENDA')).toMatchObject({ kind: 'simplified', nextNumber: 4, issued: 0 })
    expect(await gaps(world)).toEqual([[1, 3]])
  })

  test('keeps the order of dates: nothing is dated before an invoice issued elsewhere', async () => {
    const world = await openBooks({ at: '2026-11-21T10:00:00+01:00' })
    await world.invoice({ issueDate: '2026-11-10' })
    await skip(world, 5, { lastIssueDate: '2026-11-18' })
    const draft = await world.draft({ issueDate: '2026-11-17' })
    const { issues } = await world.run('invoices.validate', { id: draft.id })
    expect(issues.map((issue) => issue.code)).toContain('issue_date_out_of_order')
    expect((await world.invoice({ issueDate: '2026-11-18' })).number).toBe('T-F2026-0006')
    // An earlier one elsewhere changes nothing.
    await skip(world, 8, { lastIssueDate: '2026-11-01' })
    expect((await world.invoice({ issueDate: '2026-11-18' })).number).toBe('T-F2026-0009')
  })

  test('does not affect the other book, and a taken code stays taken', async () => {
    const world = await openBooks()
    await skip(world, 4, { code: 'T-TIENDA' })
    expect((await world.run('series.list', {}, world.live)).items.map((item) => item.code)).not.toContain(
      'T-TIENDA',
    )
    expect(await gapsOfBook(world.live)).toEqual([])
    expect(await faultsOfRefusal(world.run('series.create', { code: 'tienda', kind: 'ordinary' }))).toEqual([
      'code: series_code_taken',
    ])
  })
})

describe('the proof of the numbers', () => {
  async function withGap(): Promise<TestBooks> {
    const world = await openBooks()
    await world.invoice()
    await skip(world, 4)
    await world.invoice()
    await skip(world, 8)
    return world
  }

  test('explains skipped numbers, in the middle and at the end', async () => {
    expect(await verifyNumbering((await withGap()).test)).toEqual({ ok: true, checked: 2, faults: [] })
  })

  test.each([
    ['a number is missing', 'delete from invoices where sequence = 5', /2 numbers were given, 1 invoices/],
    ['an invoice stands in the gap', 'update invoices set sequence = 3 where sequence = 5', /used elsewhere/],
    [
      'an invoice stands beyond the end',
      'update invoices set sequence = 9 where sequence = 5',
      /numbers run from 1 to 9/,
    ],
    ['the gap is gone', 'delete from series_gaps where first = 2', /5 numbers were given, 2 invoices/],
    ['the series went on unnoted', 'update series set next_number = 12', /5 numbers were given, 2 invoices/],
  ])('detects that %s', async (_name, statement, fault) => {
    const world = await withGap()
    await world.tamper(statement)
    const proof = await verifyNumbering(world.test)
    expect(proof.ok).toBe(false)
    expect(proof.faults.join(' ')).toMatch(fault)
  })
})
