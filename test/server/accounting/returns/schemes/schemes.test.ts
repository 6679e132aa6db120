/** The schemes of a year: a person states them once, the VAT return says them, and what Sello does not write is refused. */
import { describe, expect, test } from 'vitest'
import { decodeFile } from '../../../../../server/accounting/returns/files/file.ts'
import { schemeFaults } from '../../../../../server/accounting/returns/schemes/faults.ts'
import { faultsOfRefusal, openBooks, refused } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { NO_SCHEMES, stateSchemes } from '../../../../support/schemes.ts'
import type { SchemesInput } from '../../../../support/schemes.ts'
import { openWorld } from '../../../../support/world.ts'
import { line } from '../worked.ts'

const Q3 = { model: '303', year: 2026, quarter: 3 } as const
const Q4 = { model: '303', year: 2026, quarter: 4 } as const

/** Opens books with a sale in September 2026, after the end of the year. */
async function opened(): Promise<TestBooks> {
  const world = await openBooks({ at: '2026-09-10T10:00:00+02:00' })
  await world.invoice({ issueDate: '2026-09-10', lines: [line(1_000)] })
  world.setTime('2027-01-12T10:00:00+01:00')
  return world
}

type Place = { model: '303' | '390'; year: number; quarter?: number; month?: number }

async function errorsOf(world: TestBooks, place: Place) {
  const { faults, confirmationToken, fileName, statements } = await world.run('fiscal.prepareFiling', place)
  const errors = faults.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) expect([confirmationToken, fileName]).toEqual([null, null])
  return { errors, statements }
}

/** Returns the marks of the file of a return. */
async function marksOf(world: TestBooks, place: Place) {
  const { bytes } = await world.run('fiscal.returnFile', place)
  return (await decodeFile(bytes)).records[0]?.values ?? {}
}

describe('until a person states the schemes of a year', () => {
  test.each([Q3, { model: '390', year: 2025 }] as const)('no file of %o is written', async (place) => {
    const world = await opened()
    await stateSchemes(world, place.year - 1)
    await stateSchemes(world, place.year + 1)
    const { errors, statements } = await errorsOf(world, place)
    expect(errors).toMatchObject([{ code: 'schemes_unstated', field: 'schemes' }])
    expect(statements).toEqual([])
    expect(await faultsOfRefusal(world.run('fiscal.returnFile', place))).toContain(
      'schemes: schemes_unstated',
    )
    await stateSchemes(world, place.year)
    expect((await errorsOf(world, place)).errors).toEqual([])
    expect((await world.run('fiscal.returnFile', place)).bytes.length).toBeGreaterThan(1_000)
  })

  test('other returns have their files', async () => {
    const world = await opened()
    for (const box of ['01', '02', '03', '04', '05', '06'])
      await world.run('fiscal.setInput', { ...Q3, model: '111', box, amount: 0 })
    expect((await world.run('fiscal.returnFile', { ...Q3, model: '111' })).bytes.length).toBeGreaterThan(900)
  })
})

describe('stated schemes', () => {
  test('are stored with who stated them, shown, and in the history', async () => {
    const world = await opened()
    expect(await world.run('fiscal.filingSchemes', { year: 2026 })).toEqual({
      year: 2026,
      schemes: null,
      statedAt: null,
      statedBy: null,
      yearBefore: null,
      periods: { '303': 'quarter', '111': 'quarter', '115': 'quarter', '349': 'quarter' },
      inSii: false,
    })
    await stateSchemes(world, 2026, { refundRegister: true, monthly349: true })
    const stated = await world.run('fiscal.filingSchemes', { year: 2026 })
    expect(stated).toMatchObject({
      schemes: { ...NO_SCHEMES, refundRegister: true, monthly349: true },
      statedAt: '2027-01-12T09:00:00.000Z',
      periods: { '303': 'month', '111': 'quarter', '115': 'quarter', '349': 'month' },
      inSii: true,
    })
    expect(stated.statedBy).not.toBe('')
    expect((await world.run('audit.list', { limit: 1 })).items[0]).toMatchObject({
      action: 'filing.schemes_stated',
      target: { label: '2026: refundRegister, monthly349' },
    })
    expect((await world.run('fiscal.filingSchemes', { year: 2027 })).yearBefore).toEqual(stated.schemes)
    await stateSchemes(world, 2026)
    expect((await world.run('fiscal.filingSchemes', { year: 2026 })).schemes).toEqual(NO_SCHEMES)
  })

  test('are written into the file and said before it is filed', async () => {
    const world = await opened()
    await stateSchemes(world, 2026)
    const { statements } = await errorsOf(world, Q3)
    expect(statements.every(({ yes }) => !yes)).toBe(true)
    expect(statements.map(({ mark }) => mark)).toEqual(
      [
        'foralOnly',
        'monthlyRefunds',
        'jointReturn',
        'cashAccounting',
        'cashAccountingReceived',
        'optsForProrata',
        'revokesProrata',
        'insolvency',
        'voluntarySii',
      ].toSpliced(2, 0, 'simplified'),
    )
    expect(await marksOf(world, Q3)).toMatchObject({ monthlyRefunds: 2, simplified: 3, voluntarySii: 2 })
    // In the last period the form asks whether the 390 is filed.
    expect((await errorsOf(world, Q4)).statements).toContainEqual({ mark: 'excusedFrom390', yes: false })
    expect(await marksOf(world, Q4)).toMatchObject({ excusedFrom390: 2 })

    await stateSchemes(world, 2026, { voluntarySii: true })
    expect((await errorsOf(world, Q3)).statements).toContainEqual({ mark: 'voluntarySii', yes: true })
    expect(await marksOf(world, Q3)).toMatchObject({ voluntarySii: 1, monthlyRefunds: 2 })
  })

  test.each<[string, Partial<SchemesInput>, readonly string[]]>([
    ['joint return', { jointReturn: true }, ['jointReturn']],
    ['insolvency', { insolvency: true }, ['insolvency']],
    ['option for pro rata', { prorata: 'opts' }, ['prorata']],
    ['pro rata', { prorata: 'uses' }, ['prorata']],
    ['revoked pro rata', { prorata: 'revokes' }, ['prorata']],
    ['fuels', { fuelDepositary: true }, ['fuelDepositary']],
    ['two of them', { insolvency: true, prorata: 'uses' }, ['insolvency', 'prorata']],
  ])('that Sello does not write are refused and named: %s', async (_name, schemes, named) => {
    const world = await opened()
    await stateSchemes(world, 2026, schemes)
    const { errors } = await errorsOf(world, Q3)
    expect(errors.map(({ code, params }) => [code, params?.scheme])).toEqual(
      named.map((scheme) => ['scheme_not_written', scheme]),
    )
  })

  test.each(['excused390', 'voluntarySii'] as const)(
    'without form 390 (%s) the last return needs a page that is not written; the others do not',
    async (scheme) => {
      const world = await opened()
      await stateSchemes(world, 2026, { [scheme]: true })
      expect((await errorsOf(world, Q3)).errors).toEqual([])
      const { errors, statements } = await errorsOf(world, Q4)
      expect(errors).toMatchObject([{ code: 'scheme_not_written', params: { scheme: 'excused390' } }])
      expect(statements).toContainEqual({ mark: 'excusedFrom390', yes: true })
    },
  )

  test('belong to the returns that state them', () => {
    const schemes = { ...NO_SCHEMES, prorata: 'uses' } as const
    expect(schemeFaults('130', null, true)).toEqual([])
    expect(schemeFaults('347', schemes, true)).toEqual([])
    expect(schemeFaults('390', schemes, true)).toMatchObject([{ params: { scheme: 'prorata' } }])
    // The 390 has no field of fuels, and who is excused from it does not file it.
    expect(schemeFaults('390', { ...NO_SCHEMES, fuelDepositary: true, excused390: true }, true)).toEqual([])
  })
})

test('in the SII neither the 390 nor the 347 is due; who is excused for another reason has the 347', async () => {
  const world = await opened()
  await world.invoice({ issueDate: '2027-01-12', lines: [line(10_000)] })
  world.setTime('2028-01-12T10:00:00+01:00')
  const why = async (model: '390' | '347' | '180') => {
    const { applies, why: reason } = await world.run('fiscal.model', { model, year: 2027 })
    return [applies, reason]
  }
  expect([await why('390'), await why('347')]).toEqual([
    [true, null],
    [true, null],
  ])
  for (const scheme of ['refundRegister', 'largeCompany', 'voluntarySii'] as const) {
    await stateSchemes(world, 2027, { [scheme]: true })
    expect([await why('390'), await why('347')]).toEqual([
      [false, 'sii'],
      [false, 'sii'],
    ])
  }
  await stateSchemes(world, 2027, { excused390: true })
  expect([await why('390'), await why('347')]).toEqual([
    [false, 'excused_390'],
    [true, null],
  ])
})

describe('a statement is refused', () => {
  test.each(['refundRegister', 'largeCompany'] as const)(
    'as the SII by choice where it is by law: %s',
    async (scheme) => {
      const world = await opened()
      expect(
        await faultsOfRefusal(stateSchemes(world, 2026, { [scheme]: true, voluntarySii: true })),
      ).toEqual(['voluntarySii: sii_by_law'])
      expect((await world.run('fiscal.filingSchemes', { year: 2026 })).schemes).toBeNull()
    },
  )

  test('when returns of the year were filed by other periods, in either direction', async () => {
    const world = await opened()
    await stateSchemes(world, 2026)
    await world.run('fiscal.markFiled', Q3)
    expect(await faultsOfRefusal(stateSchemes(world, 2026, { refundRegister: true }))).toEqual([
      'largeCompany: filed_by_other_periods',
    ])
    // What does not change the periods can be stated again.
    await stateSchemes(world, 2026, { voluntarySii: true })
    await world.run('fiscal.withdrawFiling', Q3)
    await stateSchemes(world, 2026, { refundRegister: true })
    await world.run('fiscal.markFiled', { model: '303', year: 2026, month: 9 })
    expect(await faultsOfRefusal(stateSchemes(world, 2026))).toEqual(['largeCompany: filed_by_other_periods'])
    expect(await faultsOfRefusal(stateSchemes(world, 2026, { voluntarySii: true }))).toEqual([
      'largeCompany: filed_by_other_periods',
    ])
    await stateSchemes(world, 2026, { largeCompany: true })
  })

  test('from a key: only a person knows the schemes', async () => {
    const world = await openWorld({ at: '2026-12-30T12:00:00+01:00' })
    const { key } = await world.makeKey({ scopes: ['fiscal.read', 'company.read'] })
    for (const method of ['get', 'post'] as const)
      expect((await world[method]('/api/v1/fiscal/schemes', method === 'get' ? { key } : {})).status).toBe(
        404,
      )
    const error = await refused(
      world.run(
        'fiscal.filingSchemes',
        { year: 2026 },
        {
          actor: { kind: 'key', id: 'key_1', name: 'Un programa', scopes: ['fiscal.read'] } as never,
        },
      ),
    )
    expect(error.code).toBe('not_found')
  })
})
