/** Rented premises for model 180: typed once, checked, read by keys, removed, exported and erased with the landlord. */
import { describe, expect, test } from 'vitest'
import { openBooks } from '../../../../support/books.ts'
import { RENTED_PREMISES } from '../../../../support/examples/returns.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'

const SHOP = RENTED_PREMISES

const write = (world: World, premises: object[], year = 2026) =>
  world.call('fiscal.setRentedPremises', { year, premises })
const read = async (world: World, year = 2026) =>
  (await world.run('fiscal.rentedPremises', { year })).premises
const faultsOf = ({ body }: { body: any }) =>
  body.error.details.faults.map(({ code, field }: { code: string; field: string }) => [code, field])

describe('rented premises', () => {
  test('keep their identifier while they are edited, and their rent by year', async () => {
    const world = await openWorld()
    expect((await write(world, [{ ...SHOP, base: 100 }])).status).toBe(200)
    const [first] = await read(world)
    expect(first).toEqual({ ...SHOP, id: first!.id, base: 100 })
    const typed = first!
    await write(world, [{ ...typed, floor: '2', base: 50.5 }], 2025)
    expect(await read(world)).toEqual([{ ...first, floor: '2', base: 100 }])
    expect(await read(world, 2025)).toEqual([{ ...first, floor: '2', base: 50.5 }])
    expect(await read(world, 2024)).toEqual([{ ...first, floor: '2', base: null }])
    await write(world, [])
    expect(await read(world, 2025)).toEqual([])
    // What was removed meanwhile is not written over.
    const gone = await write(world, [typed])
    expect([gone.status, ...faultsOf(gone)]).toEqual([422, ['premises_gone', 'premises[0].id']])
  })

  test.each<[string, string, Partial<typeof SHOP>]>([
    ['nif_invalid', 'landlordNif', { landlordNif: '12345678A' }],
    ['cadastral_number_invalid', 'cadastralNumber', { cadastralNumber: '123' }],
    ['cadastral_number_invalid', 'cadastralNumber', { cadastralNumber: null }],
    ['cadastral_number_unneeded', 'cadastralNumber', { situation: 4 }],
    ['premises_situation_elsewhere', 'situation', { situation: 2 }],
    ['premises_situation_elsewhere', 'situation', { situation: 3 }],
    [
      'premises_situation_elsewhere',
      'situation',
      { province: '48', postalCode: '48001', municipalityCode: '48020' },
    ],
    ['premises_province_differs', 'postalCode', { postalCode: '08001' }],
    ['premises_province_differs', 'municipalityCode', { municipalityCode: '08019' }],
    ['wrong_format', 'province', { province: '54' }],
    ['wrong_format', 'numbering', { numbering: '12' }],
    ['house_number_differs', 'houseNumber', { houseNumber: null }],
    ['house_number_differs', 'houseNumber', { numbering: 'S/N' }],
    ['wrong_format', 'street', { street: '***' }],
    ['dates_reversed', 'toYear', { toYear: 2023 }],
  ])('are refused for %s at %s: %o', async (code, field, changes) => {
    const world = await openWorld()
    const refused = await write(world, [
      SHOP,
      { ...SHOP, fromYear: 2030, ...changes, ...('toYear' in changes ? { fromYear: 2029 } : {}) },
    ])
    expect(refused.status).toBe(422)
    expect(faultsOf(refused)).toContainEqual([code, `premises[1].${field}`])
    expect(await read(world)).toEqual([])
  })

  test('of La Palma have postal codes of its province; S/N has no number', async () => {
    const world = await openWorld()
    const { status } = await write(world, [
      {
        ...SHOP,
        province: '53',
        postalCode: '38700',
        municipalityCode: '38037',
        numbering: 's/n',
        houseNumber: null,
      },
    ])
    expect(status).toBe(200)
    expect(await read(world)).toMatchObject([{ numbering: 'S/N', houseNumber: null }])
  })

  test('cannot be typed twice for the same landlord, kind and years', async () => {
    const world = await openWorld()
    const refused = await write(world, [SHOP, { ...SHOP, floor: '1' }])
    expect(faultsOf(refused)).toEqual([['repeated', 'premises[1].cadastralNumber']])
    for (const other of [
      { rentKind: 'kind' },
      { landlordNif: 'B87654323' },
      { cadastralNumber: '0000000AA0000A0003AA' },
    ])
      expect((await write(world, [SHOP, { ...SHOP, ...other }])).status).toBe(200)
    expect(
      (
        await write(world, [
          { ...SHOP, toYear: 2025 },
          { ...SHOP, fromYear: 2026 },
        ])
      ).status,
    ).toBe(200)
    const bare = { ...SHOP, situation: 4, cadastralNumber: null }
    expect(faultsOf(await write(world, [bare, bare]))).toEqual([['repeated', 'premises[1].cadastralNumber']])
    expect((await write(world, [bare, { ...bare, door: '2' }])).status).toBe(200)
  })

  test('cannot change for a year whose return is marked as filed', async () => {
    const world = await openWorld({ at: '2027-01-15T10:00:00+01:00' })
    await write(world, [SHOP])
    await world.run('fiscal.markFiled', { model: '180', year: 2026 })
    const refused = await write(world, [])
    expect([refused.status, refused.body.error.code]).toEqual([409, 'already_filed'])
    const [shop] = await read(world)
    expect((await write(world, [{ ...SHOP, id: shop?.id }], 2027)).status).toBe(200)
  })

  test('are read by keys with the right to returns, and written only by a person, which is audited without names', async () => {
    const world = await openWorld()
    await write(world, [SHOP])
    const key = await world.makeKey({ scopes: ['fiscal.read'] })
    const answer = await world.get('/api/v1/fiscal/rented-premises?year=2026', { key: key.key })
    expect([answer.status, answer.body.data.premises[0].street]).toEqual([200, 'Mayor'])
    const other = await world.makeKey({ scopes: ['invoices.read'] })
    expect((await world.get('/api/v1/fiscal/rented-premises?year=2026', { key: other.key })).status).toBe(403)
    const { items } = await world.run('audit.list', { limit: 5 })
    const typed = items.find(({ action }) => action === 'filing.premises_typed')
    expect(typed).toMatchObject({ target: { label: '180 2026: 1' } })
    expect(JSON.stringify(items)).not.toContain('Ruiz')
  })

  test('are found, exported and erased with the landlord, after the legal retention', async () => {
    const books = await openBooks({ at: '2026-12-31T10:00:00+01:00' })
    await books.run('fiscal.setRentedPremises', {
      year: 2026,
      premises: [
        { ...SHOP, toYear: 2026, base: 10 },
        { ...SHOP, landlordNif: 'B87654323' },
      ],
    })
    const { people } = await books.run('privacy.find', { text: '12345678-Z' })
    expect(people).toMatchObject([{ name: 'Ruiz Sanz, Luis', nif: '12345678Z', kind: 'elsewhere' }])
    const subject = people[0]!.subject
    const find = async () =>
      (await books.run('privacy.preview', { subject })).findings.find(({ area }) => area === 'premises')
    expect(await find()).toMatchObject({
      fate: 'keep',
      count: 1,
      until: '2032-12-31',
      samples: [{ label: 'Mayor' }],
    })
    books.setTime('2033-01-02T10:00:00+01:00')
    expect(await find()).toMatchObject({ fate: 'erase', count: 1 })
    const { hash } = await books.run('privacy.preview', { subject })
    await books.run('privacy.erase', { subject, hash })
    const left = (await books.run('fiscal.rentedPremises', { year: 2026 })).premises
    expect(left.map(({ landlordNif }) => landlordNif)).toEqual(['B87654323'])
  })
})
