/** What keeps a return from being filed: each reason with its code, its field and the next step, and nothing is stored. */
import { describe, expect, test } from 'vitest'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import type { Fault } from '../../../../../server/domain/errors/app-error.ts'
import { SCOPES } from '../../../../../server/domain/contract/scopes.ts'
import type { Ctx } from '../../../../../server/context.ts'
import { openBooks, refused } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { makeP12 } from '../../../../support/files/certificates.ts'
import { NO_SCHEMES } from '../../../../support/schemes.ts'
import { purchase, workedQuarter } from '../worked.ts'

type Prepared = InputOf<'fiscal.prepareFiling'>

const Q4 = { year: 2026, quarter: 4 }
const JANUARY = '2027-01-12T10:00:00+01:00'
const IBAN = 'ES9121000418450200051332'

async function worked(kind: 'legal' | 'natural' = 'legal'): Promise<TestBooks> {
  const world = await workedQuarter(kind)
  world.setTime(JANUARY)
  return world
}

const TABLES = ['filing_confirmations', 'filing_sendings', 'filings', 'simulated_returns'] as const

/** Returns how many rows of filing a book has. */
async function stored({ db }: Ctx): Promise<number> {
  let rows = 0
  for (const table of TABLES) rows += (await db.selectFrom(table).selectAll().execute()).length
  return rows
}

/** Runs work that must leave nothing behind. */
async function withoutTrace<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  const before = await stored(ctx)
  const done = await work()
  expect(await stored(ctx)).toBe(before)
  return done
}

/** Asserts that a return is neither written nor allowed for one reason, which names its field and the next step. */
async function expectRefused(
  world: TestBooks,
  input: Prepared,
  code: string,
  field: string,
  ctx = world.test,
): Promise<Fault> {
  const fault = {
    code,
    field,
    severity: 'error',
    message: expect.stringMatching(/./),
    fix: expect.stringMatching(/./),
  }
  return withoutTrace(ctx, async () => {
    const error = await refused(world.run('fiscal.returnFile', input, ctx))
    expect(error.code).toBe('validation_failed')
    expect(error.details?.faults).toContainEqual(expect.objectContaining(fault))
    const preview = await world.run('fiscal.prepareFiling', input, ctx)
    const found = preview.faults.find((each) => each.code === code)
    expect(found).toMatchObject(fault)
    expect(preview).toMatchObject({ confirmationToken: null, expiresAt: null, fileName: null, sha256: null })
    return found as Fault
  })
}

async function prepared(world: TestBooks, input: Prepared): Promise<string> {
  const { confirmationToken, faults } = await world.run('fiscal.prepareFiling', input)
  if (confirmationToken === null) throw new Error(faults.map(({ code }) => code).join(' '))
  return confirmationToken
}

/** Files a return and returns the number of its receipt. */
async function fileFirst(world: TestBooks, input: Prepared): Promise<string> {
  const { model, year, quarter } = input
  const confirmationToken = await prepared(world, input)
  const sending = await world.run('fiscal.fileReturn', { model, year, quarter, confirmationToken })
  expect(sending).toMatchObject({ state: 'accepted', errors: [] })
  return sending.receipt ?? ''
}

test('how a result is settled must fit it, and its account must be right', async () => {
  const world = await worked()
  const vat = { model: '303', ...Q4 } as const
  expect((await expectRefused(world, { ...vat, kind: 'I' }, 'kind_not_of_result', 'kind')).params).toEqual({
    kind: 'I',
    allowed: 'C, D, V, X',
  })
  await expectRefused(world, { ...vat, kind: 'B' }, 'kind_not_of_result', 'kind')
  await expectRefused(world, { ...vat, kind: 'D' }, 'iban_missing', 'iban')
  // One digit is another.
  await expectRefused(
    world,
    { ...vat, kind: 'D', iban: 'ES91 2100 0418 4502 0005 1342' },
    'iban_invalid',
    'iban',
  )
  await expectRefused(world, { ...vat, kind: 'D', iban: 'TR330006100519786457841326' }, 'iban_abroad', 'iban')
  await expectRefused(world, { ...vat, kind: 'X', iban: IBAN }, 'account_in_sepa', 'iban')
  // The same with the right account is no fault.
  const { bytes } = await world.run('fiscal.returnFile', {
    ...vat,
    kind: 'D',
    iban: 'ES91 2100 0418 4502 0005 1332',
  })
  expect(Buffer.from(bytes).toString('latin1')).toContain(IBAN)
  await expectRefused(world, { model: '347', year: 2026, kind: 'N' }, 'kind_not_of_result', 'kind')
})

test('a payment at the bank has its reference, and nothing else has one', async () => {
  const world = await worked()
  const rent = { model: '115', ...Q4 } as const
  const wrong = 'payment_reference_invalid'
  await expectRefused(
    world,
    { ...rent, kind: 'I', paymentReference: '115123456789012345678' },
    wrong,
    'paymentReference',
  )
  await expectRefused(
    world,
    { ...rent, kind: 'I', paymentReference: '11512345678901234567-9' },
    wrong,
    'paymentReference',
  )
  for (const kind of ['U', 'G'] as const)
    await expectRefused(
      world,
      { ...rent, kind, iban: IBAN, paymentReference: '1151234567890123456789' },
      'payment_reference_not_allowed',
      'paymentReference',
    )
  // Without a reference it can be uploaded, but not filed from here.
  const without = await withoutTrace(world.test, () =>
    world.run('fiscal.prepareFiling', { ...rent, kind: 'I' }),
  )
  expect(without).toMatchObject({ confirmationToken: null, kind: 'I', sha256: expect.any(String) })
  expect(without.faults).toContainEqual(
    expect.objectContaining({
      code: 'payment_reference_missing',
      field: 'paymentReference',
      severity: 'warning',
    }),
  )
  await prepared(world, { ...rent, kind: 'I', paymentReference: '115a234567890123456789' })
})

test('direct debit is possible until its day', async () => {
  const world = await worked()
  const rent = { model: '115', ...Q4, kind: 'U', iban: IBAN } as const
  world.setTime('2027-01-15T23:00:00+01:00')
  expect((await world.run('fiscal.prepareFiling', rent)).confirmationToken).not.toBeNull()
  world.setTime('2027-01-16T00:30:00+01:00')
  expect((await expectRefused(world, rent, 'debit_term_over', 'kind')).params).toEqual({ day: '2027-01-15' })
  // By itself it is paid at the bank then.
  expect(await world.run('fiscal.prepareFiling', { model: '115', ...Q4, iban: IBAN })).toMatchObject({
    kind: 'I',
  })
})

test('the period must have ended, and a late return is only warned about', async () => {
  const world = await workedQuarter()
  world.setTime('2026-12-31T23:30:00+01:00')
  expect((await expectRefused(world, { model: '303', ...Q4 }, 'period_open', 'period')).params).toEqual({
    day: '2026-12-31',
  })
  world.setTime('2027-01-01T00:30:00+01:00')
  expect((await world.run('fiscal.prepareFiling', { model: '303', ...Q4 })).confirmationToken).not.toBeNull()
  world.setTime('2027-02-02T00:30:00+01:00')
  const late = await world.run('fiscal.prepareFiling', { model: '303', ...Q4 })
  expect(late.faults).toContainEqual(
    expect.objectContaining({ code: 'filed_late', severity: 'warning', params: { day: '2027-02-01' } }),
  )
  expect(late.confirmationToken).not.toBeNull()
})

describe('a return without a file', () => {
  test.each([
    ['309', Q4, 'model', {}],
    ['303', { year: 2025, quarter: 4 }, 'year', { lastVersion: 'DR303e26v101', year: 2025 }],
    ['390', { year: 2026 }, 'year', { lastVersion: 'dr390e2025', lastYear: 2025, year: 2026 }],
    ['347', { year: 2024 }, 'year', { model: '347', year: 2024 }],
  ] as const)('model %s of %o is refused', async (model, period, field, details) => {
    const world = await worked()
    await withoutTrace(world.test, async () => {
      for (const name of ['fiscal.returnFile', 'fiscal.prepareFiling'] as const) {
        const error = await refused(world.run(name, { model, ...period }))
        expect(error).toMatchObject({ code: 'no_file_layout', field })
        expect(error.details).toMatchObject({ model, ...details })
      }
      const token = { confirmationToken: 'svcf_none' }
      expect((await refused(world.run('fiscal.fileReturn', { model, ...period, ...token }))).code).toBe(
        'confirmation_invalid',
      )
    })
  })

  test('an unknown model and a quarter that is missing are faults of the input', async () => {
    const world = await worked()
    const faultsOf = async (input: object) => {
      const error = await refused(world.run('fiscal.prepareFiling', input as Prepared))
      expect(error.code).toBe('validation_failed')
      return ((error.details?.faults ?? []) as Fault[]).map(({ code, field }) => `${field}: ${code}`)
    }
    expect(await faultsOf({ model: '999', ...Q4 })).toEqual([expect.stringMatching(/^model: /)])
    expect(await faultsOf({ model: '303', year: 2026 })).toEqual(['quarter: quarter_missing'])
    expect(await faultsOf({ model: '303', year: 2026, quarter: 5 })).toEqual([
      expect.stringMatching(/^quarter: /),
    ])
    expect(await faultsOf({ model: '303', ...Q4, kind: 'Z' })).toEqual([expect.stringMatching(/^kind: /)])
    expect(await faultsOf({ model: '303', ...Q4, nature: 'second' })).toEqual([
      expect.stringMatching(/^nature: /),
    ])
  })
})

describe('a later return', () => {
  test('names the receipt of an earlier one of its model, which is known here', async () => {
    const world = await worked()
    const vat = { model: '303', ...Q4, nature: 'rectifying' } as const
    const missing = 'previous_receipt_missing'
    await expectRefused(world, vat, missing, 'previousReceipt')
    for (const previousReceipt of ['303', '30300000000A1', '303000000001'])
      await expectRefused(world, { ...vat, previousReceipt }, missing, 'previousReceipt')
    const other = 'previous_receipt_of_other'
    await expectRefused(world, { ...vat, previousReceipt: '1300000000001' }, other, 'previousReceipt')
    await expectRefused(world, { ...vat, previousReceipt: '3030000000001' }, 'earlier_unknown', 'nature')
    const complementary = { ...vat, nature: 'complementary', previousReceipt: '3030000000001' } as const
    await expectRefused(world, complementary, 'nature_not_allowed', 'nature')
    const list = {
      model: '347',
      year: 2026,
      nature: 'complementary',
      previousReceipt: '3472026000001',
    } as const
    await expectRefused(world, list, 'nature_not_allowed', 'nature')
  })

  test('of a period that is filed is not a first one', async () => {
    const world = await worked()
    await fileFirst(world, { model: '303', ...Q4 })
    const fault = await expectRefused(world, { model: '303', ...Q4 }, 'filed_before', 'nature')
    expect(fault.params).toEqual({ natures: 'rectifying' })
  })

  test('that is complementary only raises what is paid', async () => {
    const world = await worked()
    const rent = { model: '115', ...Q4, iban: IBAN } as const
    const previousReceipt = await fileFirst(world, rent)
    const later = { ...rent, nature: 'complementary', previousReceipt } as const
    // Nothing has changed.
    const same = await expectRefused(world, later, 'complementary_lowers', 'nature')
    expect(same.params).toEqual({ paid: 57, now: 57 })
    const withRent = (supplierNumber: string, base: number) =>
      purchase({
        supplierNumber,
        concept: 'G12',
        taxLines: [{ base, vatRate: 21 }],
        withholding: { rate: 19, base, reason: 'rent' },
      })
    await world.run('received.create', withRent('A5', 100))
    const more = await world.run('fiscal.prepareFiling', later)
    expect(more).toMatchObject({ result: 19, kind: 'U', differences: expect.any(Array) })
    const confirmationToken = more.confirmationToken ?? ''
    const sending = await world.run('fiscal.fileReturn', { model: '115', ...Q4, confirmationToken })
    expect(sending).toMatchObject({ state: 'accepted', nature: 'complementary', result: 19 })
    // After both, all that was paid counts.
    const third = await expectRefused(
      world,
      { ...later, previousReceipt: sending.receipt ?? '' },
      'complementary_lowers',
      'nature',
    )
    expect(third.params).toEqual({ paid: 76, now: 76 })
  })

  test('alone has boxes about an earlier one', async () => {
    const world = await worked()
    await world.run('fiscal.setInput', { model: '303', ...Q4, box: '70', amount: 100 })
    await expectRefused(world, { model: '303', ...Q4 }, 'box_of_later_return', 'boxes.70')
    await world.run('fiscal.setInput', { model: '303', ...Q4, box: '70', amount: null })
    await world.run('fiscal.setInput', { model: '303', ...Q4, box: '108', amount: -1 })
    await expectRefused(world, { model: '303', ...Q4 }, 'box_of_later_return', 'boxes.108')
    await world.run('fiscal.setInput', { model: '115', ...Q4, box: '04', amount: 1 })
    await expectRefused(world, { model: '115', ...Q4 }, 'box_of_later_return', 'boxes.04')
  })
})

describe('who files', () => {
  test('must say whether wages were paid, also beside professionals', async () => {
    const world = await worked()
    await expectRefused(world, { model: '111', ...Q4 }, 'wages_unknown', '')
    await expectRefused(world, { model: '190', year: 2025 }, 'wages_unknown', '')
    await world.run('fiscal.setInput', { model: '111', ...Q4, box: '03', amount: 0 })
    await prepared(world, { model: '111', ...Q4, iban: IBAN })
    const empty = await openBooks({ at: JANUARY })
    await expectRefused(empty, { model: '111', ...Q4 }, 'wages_unknown', '')
  })

  test('under modules prepares it elsewhere', async () => {
    const world = await worked('natural')
    await world.tamper("update companies set vat_regime = 'simplified'")
    const fault = await expectRefused(world, { model: '303', ...Q4 }, 'not_computed', '')
    expect(fault.params).toEqual({ why: 'simplified' })
    const instalment = await expectRefused(world, { model: '130', ...Q4 }, 'not_computed', '')
    expect(instalment.params).toEqual({ why: 'modules' })
  })

  test('in another territory files elsewhere, and a postal code of one is only warned about', async () => {
    const world = await worked()
    const faultsOf = async () => (await world.run('fiscal.prepareFiling', { model: '303', ...Q4 })).faults
    await world.tamper("update companies set postal_code = '01001'")
    expect(await faultsOf()).toContainEqual(
      expect.objectContaining({
        code: 'territory_doubtful',
        severity: 'warning',
        fix: expect.stringMatching(/./),
      }),
    )
    await prepared(world, { model: '303', ...Q4 })
    await world.tamper("update companies set postal_code = '28013'")
    expect((await faultsOf()).map(({ code }) => code)).not.toContain('territory_doubtful')
    await world.tamper("update companies set territory = 'canary'")
    await expectRefused(world, { model: '303', ...Q4 }, 'other_territory', '')
  })

  test('is warned about a return that is not due', async () => {
    const world = await worked()
    const warning = async (input: Prepared) =>
      (await world.run('fiscal.prepareFiling', input)).faults.find(({ code }) => code === 'not_due')
    expect(await warning({ model: '303', ...Q4 })).toBeUndefined()
    expect(await warning({ model: '130', ...Q4 })).toMatchObject({
      severity: 'warning',
      params: { why: 'company' },
    })
    await world.tamper("update companies set vat_regime = 'exempt'")
    expect(await warning({ model: '303', ...Q4 })).toMatchObject({
      severity: 'warning',
      fix: expect.stringMatching(/./),
      params: { why: 'vat_regime' },
    })
  })

  test('needs the parts of a name, and a telephone number for a list', async () => {
    const world = await worked('natural')
    await world.tamper("update companies set legal_name = 'María José García', phone = null")
    await expectRefused(world, { model: '130', ...Q4 }, 'name_parts_missing', 'surnames')
    await expectRefused(world, { model: '349', ...Q4 }, 'contact_phone_missing', 'contactPhone')
    await world.tamper("update companies set legal_name = 'García, María José', phone = '912345678'")
    await prepared(world, { model: '130', ...Q4, iban: IBAN })
  })

  test('types data for filing that are checked before they are stored', async () => {
    const world = await worked()
    const given = {
      surnames: null,
      firstName: null,
      contactName: null,
      contactPhone: null,
      iban: null,
      live: false,
    }
    const before = await world.run('fiscal.filingSettings', {})
    for (const [changes, fault] of [
      [{ iban: 'ES9121000418450200051342' }, { code: 'iban_invalid', field: 'iban' }],
      [{ contactPhone: '12345' }, { code: 'contact_phone_missing', field: 'contactPhone' }],
    ] as const) {
      const error = await refused(world.run('fiscal.setFilingSettings', { ...given, ...changes }))
      expect(error.code).toBe('validation_failed')
      expect(error.details?.faults).toMatchObject([{ ...fault, fix: expect.stringMatching(/./) }])
      expect(await world.run('fiscal.filingSettings', {})).toEqual(before)
    }
  })
})

describe('a live book', () => {
  const SETTINGS = {
    surnames: null,
    firstName: null,
    contactName: null,
    contactPhone: null,
    iban: null,
    live: true,
  }

  test('files only by upload until a person allows more, with the certificate of the company', async () => {
    const world = await worked()
    const { live } = world
    await world.run('fiscal.setFilingSchemes', { ...NO_SCHEMES, year: Q4.year }, live)
    const vat = { model: '303', ...Q4 } as const
    const refusedWhy = (why: string) =>
      withoutTrace(live, async () => {
        const preview = await world.run('fiscal.prepareFiling', vat, live)
        expect(preview).toMatchObject({
          way: 'upload',
          wayWhy: why,
          confirmationToken: null,
          sha256: expect.any(String),
        })
        for (const work of [
          () => world.run('fiscal.fileReturn', { ...vat, confirmationToken: 'svcf_none' }, live),
          () => world.run('fiscal.validateReturn', vat, live),
        ]) {
          const error = await refused(work())
          expect(error).toMatchObject({ code: 'filing_not_possible' })
          expect(error.details).toEqual({ why })
        }
      })
    await refusedWhy('live_filing_off')
    await world.run('fiscal.setFilingSettings', SETTINGS, live)
    await refusedWhy('no_certificate')
    const given = { password: 'contraseña ñ€' }
    const importOf = async (wish: Parameters<typeof makeP12>[0]) =>
      world.run('certificates.import', { ...given, file: makeP12(wish).p12.toString('base64') }, live)
    await importOf({})
    expect(await world.run('fiscal.prepareFiling', vat, live)).toMatchObject({ way: 'service', wayWhy: null })
    await world.tamper("update companies set nif = 'A58818501'")
    await refusedWhy('certificate_of_other')
  })
})

describe('the yes of a person', () => {
  const vat = { model: '303', ...Q4 } as const

  /** Asserts that a token is refused, and that nothing is filed with it. */
  async function refusedToken(
    world: TestBooks,
    input: InputOf<'fiscal.fileReturn'>,
    code: string,
    ctx = world.test,
  ) {
    await withoutTrace(world.test, async () => {
      expect((await refused(world.run('fiscal.fileReturn', input, ctx))).code).toBe(code)
    })
    expect((await world.run('fiscal.filings', { year: input.year })).items).toEqual([])
  }

  test('is of use for ten minutes', async () => {
    const world = await worked()
    const confirmationToken = await prepared(world, vat)
    world.setTime('2027-01-12T10:10:00+01:00')
    await refusedToken(world, { ...vat, confirmationToken }, 'confirmation_expired')
    // Nor before it was given.
    world.setTime('2027-01-12T09:58:00+01:00')
    await refusedToken(world, { ...vat, confirmationToken }, 'confirmation_expired')
    world.setTime('2027-01-12T10:09:59+01:00')
    expect(await world.run('fiscal.fileReturn', { ...vat, confirmationToken })).toMatchObject({
      state: 'accepted',
    })
  })

  test('is for the books as they were shown', async () => {
    const world = await worked()
    const confirmationToken = await prepared(world, vat)
    const later = purchase({ supplierNumber: 'L1', taxLines: [{ base: 10, vatRate: 21 }] })
    await world.run('received.create', later)
    await refusedToken(world, { ...vat, confirmationToken }, 'confirmation_stale')
    const typed = await prepared(world, vat)
    await world.run('fiscal.setInput', { ...vat, box: '43', amount: 1 })
    await refusedToken(world, { ...vat, confirmationToken: typed }, 'confirmation_stale')
    const named = await prepared(world, vat)
    await world.tamper("update companies set legal_name = 'Talleres Otros, S.L.'")
    await refusedToken(world, { ...vat, confirmationToken: named }, 'confirmation_stale')
  })

  test('is for one period, one model, and the last time it was asked for', async () => {
    const world = await worked()
    const confirmationToken = await prepared(world, vat)
    await refusedToken(
      world,
      { model: '303', year: 2026, quarter: 3, confirmationToken },
      'confirmation_invalid',
    )
    await refusedToken(world, { model: '115', ...Q4, confirmationToken }, 'confirmation_invalid')
    await refusedToken(world, { ...vat, confirmationToken: 'svcf_made_up' }, 'confirmation_invalid')
    const second = await prepared(world, vat)
    expect(second).not.toBe(confirmationToken)
    await refusedToken(world, { ...vat, confirmationToken }, 'confirmation_invalid')
    expect(await world.run('fiscal.fileReturn', { ...vat, confirmationToken: second })).toMatchObject({
      state: 'accepted',
    })
  })

  test('given twice files once, also after the books have changed and the time is over', async () => {
    const world = await worked()
    const confirmationToken = await prepared(world, vat)
    const first = await world.run('fiscal.fileReturn', { ...vat, confirmationToken })
    const together = await Promise.all(
      [1, 2, 3].map(() => world.run('fiscal.fileReturn', { ...vat, confirmationToken })),
    )
    for (const again of together) expect(again).toEqual(first)
    world.setTime('2027-01-12T12:00:00+01:00')
    await world.run(
      'received.create',
      purchase({ supplierNumber: 'L1', taxLines: [{ base: 10, vatRate: 21 }] }),
    )
    expect(await world.run('fiscal.fileReturn', { ...vat, confirmationToken })).toEqual(first)
    expect(await world.test.db.selectFrom('simulated_returns').selectAll().execute()).toHaveLength(1)
    expect((await world.run('fiscal.filings', { year: 2026 })).items).toHaveLength(1)
  })

  test('is not that of a key, which cannot even learn that it exists', async () => {
    const world = await worked()
    const confirmationToken = await prepared(world, vat)
    const key = world.ctx(
      world.books.test,
      await world.key({ scopes: SCOPES.filter((scope) => !scope.startsWith('keys.')) }),
    )
    await refusedToken(world, { ...vat, confirmationToken }, 'not_found', key)
    await withoutTrace(world.test, async () => {
      expect((await refused(world.run('fiscal.prepareFiling', vat, key))).code).toBe('not_found')
      expect((await refused(world.run('fiscal.validateReturn', vat, key))).code).toBe('not_found')
    })
    // It may read the file, if it may read returns at all.
    expect((await world.run('fiscal.returnFile', vat, key)).bytes.length).toBeGreaterThan(0)
    const other = world.ctx(world.books.test, await world.key({ scopes: ['invoices.read'] }))
    expect((await refused(world.run('fiscal.returnFile', vat, other))).code).toBe('scope_missing')
  })

  test('of one book is unknown in the other', async () => {
    const world = await worked()
    const confirmationToken = await prepared(world, vat)
    await withoutTrace(world.live, async () => {
      expect(
        (await refused(world.run('fiscal.fileReturn', { ...vat, confirmationToken }, world.live))).code,
      ).toBe('filing_not_possible')
    })
  })
})
