/** A quarter that is filed with the simulated agency of a test book. */
import { describe, expect, test } from 'vitest'
import { insertSending, sendingsOf } from '../../../../../server/accounting/returns/filing/rows.ts'
import { settleAccepted } from '../../../../../server/accounting/returns/filing/settle.ts'
import { faultsOfRefusal } from '../../../../support/books.ts'
import { workedQuarter } from '../worked.ts'

const Q4 = { year: 2026, quarter: 4 }
const JANUARY = '2027-01-12T10:00:00+01:00'

async function worked() {
  const world = await workedQuarter()
  world.setTime(JANUARY)
  return world
}

describe('filing a return', () => {
  test('shows what it would say, files it once, and stores its receipt', async () => {
    const world = await worked()
    const preview = await world.run('fiscal.prepareFiling', { model: '303', ...Q4 })
    expect(preview.faults.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(preview).toMatchObject({
      kind: 'C',
      kinds: ['C', 'D', 'V', 'X'],
      result: -582.7,
      way: 'simulated',
    })
    const token = preview.confirmationToken ?? ''
    const sending = await world.run('fiscal.fileReturn', { model: '303', ...Q4, confirmationToken: token })
    expect(sending).toMatchObject({ state: 'accepted', errors: [], hasDocument: true, kind: 'C' })
    expect(sending.csv).toMatch(/^[A-Z0-9]{16}$/)
    expect(sending.receipt).toMatch(/^303\d{10}$/)
    // The same yes twice is one filing.
    expect(await world.run('fiscal.fileReturn', { model: '303', ...Q4, confirmationToken: token })).toEqual(
      sending,
    )
    const model = await world.run('fiscal.model', { model: '303', ...Q4 })
    expect(model.filing).toMatchObject({
      result: -582.7,
      outcome: 'offset',
      reference: sending.csv,
      differences: [],
    })
    const again = await world.run('fiscal.prepareFiling', { model: '303', ...Q4 })
    expect(again.faults.map(({ code }) => code)).toContain('filed_before')
    expect(again.confirmationToken).toBeNull()
    await expect(world.run('fiscal.withdrawFiling', { model: '303', ...Q4 })).rejects.toMatchObject({
      code: 'filed_by_service',
    })
  })

  test.each(['130', '111', '115'] as const)('files model %s as it is computed', async (model) => {
    const world = await worked()
    if (model === '111')
      for (const box of ['01', '02', '03', '04', '05', '06'])
        await world.run('fiscal.setInput', { model, ...Q4, box, amount: 0 })
    const iban = 'ES91 2100 0418 4502 0005 1332'
    const preview = await world.run('fiscal.prepareFiling', { model, ...Q4, iban })
    expect(preview.kind).toBe('U')
    const errors = preview.faults.filter(({ severity }) => severity === 'error')
    expect(errors).toEqual([])
    if (preview.confirmationToken === null) throw new Error(`${preview.kind} has no token.`)
    const sending = await world.run('fiscal.fileReturn', {
      model,
      ...Q4,
      confirmationToken: preview.confirmationToken,
    })
    expect(sending).toMatchObject({ state: 'accepted', errors: [] })
  })

  test('proposes to pay as the last return was paid, where its result and the day allow it', async () => {
    const world = await worked()
    await world.run('fiscal.setFilingSettings', {
      surnames: null,
      firstName: null,
      contactName: null,
      contactPhone: '912345678',
      iban: 'ES9121000418450200051332',
      live: false,
    })
    const proposed = async (model: '115' | '111') =>
      (await world.run('fiscal.prepareFiling', { model, ...Q4 })).kind
    expect(await proposed('115')).toBe('U')
    const { confirmationToken } = await world.run('fiscal.prepareFiling', { model: '115', ...Q4, kind: 'G' })
    await world.run('fiscal.fileReturn', {
      model: '115',
      ...Q4,
      confirmationToken: confirmationToken ?? '',
    })
    await world.run('fiscal.setInput', { model: '111', ...Q4, box: '02', amount: 0 })
    expect(await proposed('111')).toBe('G')
    // A result in favour is not paid.
    expect((await world.run('fiscal.prepareFiling', { model: '303', ...Q4 })).kind).toBe('C')
  })

  test('is refused before its period ends, and for a kind that the result does not have', async () => {
    const world = await workedQuarter()
    const early = await world.run('fiscal.prepareFiling', { model: '303', ...Q4 })
    expect(early.faults.map(({ code }) => code)).toContain('period_open')
    expect(early.confirmationToken).toBeNull()
    world.setTime(JANUARY)
    const faults = await faultsOfRefusal(world.run('fiscal.returnFile', { model: '303', ...Q4, kind: 'I' }))
    expect(faults).toContain('kind: kind_not_of_result')
  })
})

test('a return that shows late does not replace what was filed after it', async () => {
  const world = await worked()
  const place = { model: '303', ...Q4 } as const
  const { confirmationToken } = await world.run('fiscal.prepareFiling', place)
  const first = await world.run('fiscal.fileReturn', {
    ...place,
    confirmationToken: confirmationToken ?? '',
  })
  const ctx = world.test
  const [row] = await sendingsOf(ctx, { model: '303', year: 2026, period: '4T' })
  if (!row) throw new Error('Nothing was sent.')
  // The same as sent an hour before, lost, and found now.
  await ctx.transaction((tx) =>
    insertSending(tx, {
      ...row,
      id: row.id + 1,
      public_id: tx.newId('fsn'),
      confirmation_hash: null,
      state: 'not_found',
      sent_at: (row.sent_at ?? 0) - 3_600_000,
      csv: null,
      receipt: null,
      filing_id: null,
    }),
  )
  const [late] = await sendingsOf(ctx, { model: '303', year: 2026, period: '4T' })
  const receipt = {
    csv: 'LATELATELATELATE',
    receipt: '3030000000009',
    registerNumber: null,
    presentedAt: '2027-01-12T09:00:00',
    documentUrl: null,
    notices: [],
    presented: null,
    exchangeId: null,
  }
  expect(await settleAccepted(ctx, late!, receipt, 'found_by_query')).toBe(true)
  const { filing } = await world.run('fiscal.model', place)
  expect(filing?.reference).toBe(first.csv)
})
