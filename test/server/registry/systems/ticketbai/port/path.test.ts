/**
 * A company of each Basque province on its whole way: set up, drafts, issues, cancels and corrects in its test book, and
 * the simulated service in this process keeps what is sent.
 */
import { describe, expect, test } from 'vitest'
import { checkBooks } from '../../../../../../server/app/integrity/index.ts'
import { queryUnknown } from '../../../../../../server/registry/chain/findings.ts'
import { verifyTicketBai } from '../../../../../../server/registry/systems/ticketbai/index.ts'
import { openBooks, faultsOfRefusal, refusal } from '../../../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../../../support/books.ts'
import { dice } from '../../../../../support/seeded-random.ts'
import type { Dice } from '../../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../../support/sweep.ts'
import {
  basqueCompany,
  PLACES,
  recordsOf,
  sendAll,
  sendOnce,
} from '../../../../../support/ticketbai/product.ts'
import { amend, cancel } from '../../../../sales/invoices/steps.ts'
import { createFaultless } from './services.ts'

/** Everything that the books say about themselves and that does not hold. */
const failing = async (world: TestBooks) =>
  (await checkBooks(world.env, (book) => world.ctx(book))).checks.filter(({ ok }) => !ok)

describe.each(PLACES)('a company of $province', ({ postalCode, registry, province }) => {
  test('issues, sends, cancels and issues again, each invoice linked to the one before', async () => {
    const world = await openBooks({ company: basqueCompany(postalCode) })
    expect(world.books.test.registry).toBe(registry)
    expect(world.books.live.registry).toBe(registry)
    const first = await world.invoice({})
    expect(first.registry.identifier).toMatch(/^TBAI-B12345674-\d{6}-.{13}-\d{3}$/)
    await world.invoice({})
    await sendAll(world)
    const seen = await world.run('registry.status', { invoiceId: first.id })
    expect(seen.registrations?.[0]).toMatchObject({ status: 'accepted' })
    expect(seen.counts).toMatchObject({ accepted: 2, acceptedWithErrors: 0, rejected: 0 })
    await cancel(world, first.id)
    const third = await world.invoice({})
    await sendAll(world)
    const status = await world.run('registry.status', { invoiceId: third.id })
    expect(status.counts).toMatchObject({ accepted: 4, acceptedWithErrors: 0, rejected: 0, unknown: 0 })
    expect((await world.run('invoices.get', { id: first.id })).registry.status).toBe('cancelled')
    const files = (await recordsOf(world)).map(({ text }) => verifyTicketBai(text))
    expect(files.map(({ kind }) => kind)).toEqual(['issue', 'issue', 'cancellation', 'issue'])
    const [, second, , last] = files
    if (second?.kind !== 'issue' || last?.kind !== 'issue') throw new Error('Two invoices are expected.')
    expect(last.invoice.footprint.previous).toEqual({
      ...second.invoice.key,
      signature: second.signatureValue.slice(0, 100),
    })
    expect(await world.run('registry.verify', {})).toMatchObject({ ok: true, records: 4 })
    expect(await failing(world)).toEqual([])
  })

  test('corrects a kept invoice by a message where the treasury takes one', async () => {
    const world = await openBooks({ company: basqueCompany(postalCode) })
    const { id } = await world.invoice({})
    await sendAll(world)
    const corrected = amend(world, id, { clientName: 'Cliente Corregido, S.L.' })
    if (province === 'bizkaia') {
      await expect(corrected).rejects.toThrow('amend_not_here')
      return
    }
    await corrected
    await world.invoice({})
    await sendAll(world)
    expect((await recordsOf(world)).map(({ kind, status, link }) => [kind, status, link !== null])).toEqual([
      ['registration', 'accepted', true],
      ['registration', 'accepted', false],
      ['registration', 'accepted', true],
    ])
    expect(await failing(world)).toEqual([])
    await cancel(world, id)
    await sendAll(world)
    await expect(amend(world, id, { clientName: 'Otra, S.L.' })).rejects.toThrow('amend_cancelled')
  })

  test('begins another chain with another installation, which is kept without a remark', async () => {
    const world = await openBooks({ company: basqueCompany(postalCode) })
    await world.invoice({})
    await sendAll(world)
    await world.run('registry.newInstallation', { reason: 'moved' })
    await world.invoice({})
    await world.invoice({})
    await sendAll(world)
    const records = await recordsOf(world)
    expect(records.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted'])
    const files = records.map(({ text }) => verifyTicketBai(text))
    expect(files.map((file) => file.kind === 'issue' && file.invoice.footprint.previous === null)).toEqual([
      true,
      true,
      false,
    ])
    expect(await failing(world)).toEqual([])
  })

  test('issues nothing in its live book without a certificate, and the draft stays', async () => {
    const producer = {
      name: 'P',
      nif: 'B87654323',
      address: 'a',
      systemId: 'S1',
      licences: { [province]: 'TBAI1' },
    }
    const world = await openBooks({ company: basqueCompany(postalCode), environment: { producer } })
    const { id } = await world.draft({}, world.live)
    const { confirmation, issues } = await world.run('invoices.validate', { id }, world.live)
    expect(confirmation).toBeUndefined()
    expect(issues.filter(({ code }) => code === 'certificate_missing')).toHaveLength(1)
    expect((await world.run('invoices.get', { id }, world.live)).state).toBe('draft')
    expect(await recordsOf(world)).toEqual([])
  })
})

test('a chain goes on after an invoice that was refused, and the next one says so', async () => {
  const world = await openBooks({ company: basqueCompany('01001') })
  const services = createFaultless(world, 'araba')
  await world.invoice({})
  services.faults.next({ kind: 'record_code', code: '002' })
  expect(await sendOnce(world, services.authority)).toBe(1)
  const { id } = await world.invoice({})
  expect(await sendOnce(world, services.authority)).toBe(1)
  expect((await recordsOf(world)).map((record) => [record.status, record.authority_code])).toEqual([
    ['rejected', '002'],
    ['accepted_with_errors', '010'],
  ])
  expect(await world.run('registry.verify', {})).toMatchObject({ ok: true, records: 2 })
  expect((await world.run('invoices.get', { id })).registry.errors[0]).toMatchObject({ authorityCode: '010' })
})

test('an answer of the book for some of many leaves the others to be asked for', async () => {
  const world = await openBooks({ company: basqueCompany('48001') })
  const services = createFaultless(world, 'bizkaia')
  for (let count = 0; count < 5; count += 1) await world.invoice({})
  services.faults.next({ kind: 'short_answer' })
  expect(await sendOnce(world, services.authority)).toBe(4)
  expect((await recordsOf(world)).map(({ status }) => status)).toEqual([
    ...Array<string>(4).fill('accepted'),
    'unknown',
  ])
  world.setTime('2026-11-21T12:00:00+01:00')
  expect(await sendOnce(world, services.authority)).toBe(1)
  expect((await recordsOf(world)).at(-1)).toMatchObject({ status: 'accepted', csv_lost: 1 })
  expect(services.state.files()).toHaveLength(5)
  expect(await failing(world)).toEqual([])
})

describe('an older copy of the books', () => {
  test('learns from the book of Bizkaia which numbers were used since', async () => {
    const world = await openBooks({ company: basqueCompany('48001') })
    const services = createFaultless(world, 'bizkaia', { pageSize: 2 })
    const invoices = [await world.invoice({}), await world.invoice({}), await world.invoice({})]
    await sendOnce(world, services.authority)
    expect(await queryUnknown(world.test, services.authority)).toEqual({ unknown: [], used: [] })
    const copy = await openBooks({ company: basqueCompany('48001') })
    await copy.draft({})
    const { unknown, used } = await queryUnknown(copy.test, services.authority)
    expect(unknown.map(({ key, state }) => [key.number, state])).toEqual(
      invoices.map(({ number }) => [number, 'Correcto']),
    )
    expect(used.map(({ last }) => last)).toEqual([3])
  })

  test('cannot ask the others, and a number that is taken is a conflict', async () => {
    const world = await openBooks({ company: basqueCompany('01001') })
    const services = createFaultless(world, 'araba')
    await world.invoice({})
    await sendOnce(world, services.authority)
    const copy = await openBooks({ company: basqueCompany('01001') })
    expect(await queryUnknown(copy.test, services.authority)).toEqual({ unknown: [], used: [] })
    await copy.invoice({})
    await sendOnce(copy, services.authority)
    expect(await recordsOf(copy)).toMatchObject([{ status: 'rejected', authority_code: '005', conflict: 1 }])
    expect(services.state.files()).toHaveLength(1)
    expect(await failing(copy)).toEqual([])
  })
})

describe('a person in Bizkaia', () => {
  test('issues with a code of the activity, and not without one', async () => {
    const { activityCode: _code, ...without } = basqueCompany('48001', '8499')
    const world = await openBooks({ company: without })
    const { id } = await world.draft({})
    const { issues } = await world.run('invoices.validate', { id })
    expect(issues.map(({ code }) => code)).toContain('activity_code_missing')
    const { version } = await world.run('company.current', {})
    await world.run('company.update', { expectedVersion: version, activityCode: '849.9' })
    await world.invoice({})
    await sendAll(world)
    expect((await recordsOf(world)).map(({ status }) => status)).toEqual(['accepted'])
  })
})

describe('a set-up', () => {
  test('without a postal code of the territory names the field', async () => {
    for (const address of [{ ...basqueCompany('28013').address }, null])
      expect(await faultsOfRefusal(openBooks({ company: { ...basqueCompany('28013'), address } }))).toEqual([
        'address.postalCode: province_unknown',
      ])
  })

  test('takes the territory from the postal code, and the first registry elsewhere', async () => {
    const { territory: _basque, ...company } = basqueCompany('48001')
    expect((await openBooks({ company })).books.live.registry).toBe('signed-48')
    const mainland = await openBooks({ company: { ...company, territory: 'mainland' } })
    expect(mainland.books.live.registry).not.toBe('signed-48')
  })

  test('refuses a code of an activity that is none', async () => {
    expect(await refusal(openBooks({ company: { ...basqueCompany('48001', 'A12') } }))).toBe(
      'validation_failed',
    )
  })
})

function randomLine({ below, chance, pick }: Dice): DraftInput['lines'][number] {
  return {
    description: pick(['Ordua', 'Materiala', 'Lana & garraioa <1>', 'Ñandú 99 €']),
    quantity: (below(900) + 1) / 100,
    unitPrice: (below(90_000) + 1) / 100,
    ...(chance(0.2) ? { discountPct: below(50) } : {}),
    ...pick<Partial<DraftInput['lines'][number]>>([
      {},
      {},
      { vatRate: 10 },
      { vatRate: 4 },
      { surcharge: 5.2 },
      { taxTreatment: 'E1' },
      { taxTreatment: 'N2' },
      { taxTreatment: 'S2' },
      { isDisbursement: true },
    ]),
  }
}

function randomDraft(die: Dice): Partial<DraftInput> {
  const { below, chance, pick } = die
  const lines = [
    { description: 'Oinarria', quantity: 1, unitPrice: (below(9_000) + 1) / 100 },
    ...Array.from({ length: below(4) }, () => randomLine(die)),
  ]
  // A simplified invoice is small, and names no customer.
  if (chance(0.2))
    return { kind: 'F2', clientName: 'Azken bezeroa', clientNif: null, lines: lines.slice(0, 1) }
  return {
    clientName: pick(['Cliente, S.L.', 'Zubiri eta Semeak']),
    clientNif: 'B87654323',
    operationDate: chance(0.2) ? pick(['2026-10-15', '2026-11-01']) : null,
    withholdingPct: pick([null, null, 15]),
    lines,
  }
}

const COUNT = sweptCount(500, 25)

test.each(PLACES)(
  `${COUNT} random invoices of $province are issued and kept without a remark`,
  { timeout: 1_800_000 },
  async ({ postalCode }) => {
    const world = await openBooks({ company: basqueCompany(postalCode) })
    const die = dice(Number(postalCode))
    for (let count = 0; count < COUNT; count += 1) {
      await world.invoice(randomDraft(die))
      if (count % 40 === 39) await sendAll(world)
    }
    await sendAll(world)
    const records = await recordsOf(world)
    expect(records.filter(({ status }) => status !== 'accepted')).toEqual([])
    expect(records).toHaveLength(COUNT)
    expect(await failing(world)).toEqual([])
  },
)
