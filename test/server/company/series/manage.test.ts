/** Managing series: their start, the default one, the new year, and retiring them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { openBooks, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

let world: TestBooks

beforeEach(async () => {
  world = await openBooks()
})

const list = async () => (await world.run('series.list', {})).items
const byCode = async (code: string) => {
  const found = (await list()).find((each) => each.code === code)
  if (!found) throw new Error(`No series ${code}.`)
  return found
}

describe('the start of a series', () => {
  test('can be set after the invoices of another program, until its first number', async () => {
    const { id } = await byCode('T-F2026')
    const moved = await world.run('series.update', { id, startNumber: 58 })
    expect(moved).toMatchObject({ nextPrintedNumber: 'T-F2026-0058', issued: 0, canRestart: true })
    await world.run('series.update', { id, startNumber: 57 })
    expect((await world.invoice()).number).toBe('T-F2026-0057')
    expect((await refused(world.run('series.update', { id, startNumber: 90 }))).code).toBe('series_started')
    expect(await byCode('T-F2026')).toMatchObject({ nextNumber: 58, issued: 1, canRestart: false })
  })
})

describe('the default series of a kind', () => {
  test('is the chosen one, for drafts that name none', async () => {
    const made = await world.run('series.create', { code: 'OBRAS', kind: 'ordinary', isDefault: true })
    expect(made).toMatchObject({ code: 'T-OBRAS', isDefault: true, yearly: false })
    expect((await byCode('T-F2026')).isDefault).toBe(false)
    expect((await world.invoice()).number).toBe('T-OBRAS-0001')
    const standard = await byCode('T-F2026')
    await world.run('series.update', { id: standard.id, isDefault: true })
    expect((await byCode('T-OBRAS')).isDefault).toBe(false)
    expect((await world.invoice()).number).toBe('T-F2026-0001')
  })

  test('starts again each year when it is yearly', async () => {
    await world.run('series.create', {
      code: 'OB{YYYY}/',
      kind: 'ordinary',
      isDefault: true,
      startNumber: 5,
    })
    expect((await world.invoice()).number).toBe('T-OB2026/-0005')
    const old = await world.draft({ series: 'OB2026/' })
    world.setTime('2027-01-02T10:00:00+01:00')
    expect((await world.invoice()).number).toBe('T-OB2027/-0001')
    const { issues } = await world.run('invoices.validate', { id: old.id })
    expect(issues).toContainEqual(
      expect.objectContaining({ code: 'series_other_year', severity: 'warning', field: 'series' }),
    )
  })

  test('is never one that the law keeps apart', async () => {
    const apart = { code: 'EJEC', kind: 'ordinary', purpose: 'forced_sale' } as const
    expect((await refused(world.run('series.create', { ...apart, isDefault: true }))).field).toBe('isDefault')
    const made = await world.run('series.create', { ...apart, note: 'Subastas' })
    expect(made).toMatchObject({ purpose: 'forced_sale', note: 'Subastas', isDefault: false })
    expect((await refused(world.run('series.update', { id: made.id, isDefault: true }))).field).toBe(
      'isDefault',
    )
  })
})

describe('a retired series', () => {
  test('assigns no more numbers until it is reactivated', async () => {
    const { id } = await world.run('series.create', { code: 'VIEJA', kind: 'ordinary' })
    const draft = await world.draft({ series: 'VIEJA' })
    expect(await world.run('series.update', { id, archived: true })).toMatchObject({ archived: true })
    const { valid, issues } = await world.run('invoices.validate', { id: draft.id })
    expect(valid).toBe(false)
    expect(issues).toContainEqual(expect.objectContaining({ code: 'series_archived' }))
    const company = await world.run('company.current', {})
    expect(company.series.map(({ code }) => code)).not.toContain('T-VIEJA')
    await world.run('series.update', { id, archived: false })
    expect((await world.issue(draft.id)).number).toBe('T-VIEJA-0001')
  })

  test('is never the default one of a kind', async () => {
    const { id } = await byCode('T-F2026')
    expect((await refused(world.run('series.update', { id, archived: true }))).code).toBe('series_needed')
    await world.run('series.create', { code: 'NUEVA', kind: 'ordinary', isDefault: true })
    await world.run('series.update', { id, archived: true })
  })
})

test.each([
  [{ code: 'F2030', kind: 'simplified' }, 'code'],
  [{ code: 'F2030', kind: 'ordinary', purpose: 'recipient' }, 'code'],
  [{ code: 'AÑO', kind: 'ordinary' }, 'code'],
  [{ code: 'TIENDA', kind: 'ordinary', yearly: true }, 'code'],
  [{ code: 'A{YYYY}{YYYY}', kind: 'ordinary' }, 'code'],
  [{ code: 'ABCDEFGHIJKLMNOP', kind: 'ordinary' }, 'code'],
  [{ code: 'A', kind: 'ordinary', startNumber: 0 }, 'startNumber'],
] as const)('the change %o is rejected', async (input, field) => {
  expect((await refused(world.run('series.create', { ...input }))).field).toBe(field)
})
