/** Recipients of wages for model 190: typed rows, compared with the four forms 111, retained as personal data. */
import { describe, expect, test } from 'vitest'
import { openBooks } from '../../../support/books.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const EVA = {
  nif: '50123456Q',
  name: 'Gil Mora, Eva',
  key: 'A' as const,
  subkey: null,
  province: '28',
  paid: 18_000,
  withheld: 2700,
  inKind: 600,
  inKindWithheld: 90,
}
const TREASURIES = { state: 1, navarre: 0, alava: 0, gipuzkoa: 0, bizkaia: 0 }
const NOBODY = { total: 0, whole: 0 }
/** Two children, one of them counted whole. */
const CHILDREN = {
  under3: NOBODY,
  others: { total: 2, whole: 1 },
  disabled33: NOBODY,
  reducedMobility: NOBODY,
  disabled65: NOBODY,
}
const LUIS = {
  ...EVA,
  nif: '12345678Z',
  name: 'Ruiz Sanz, Luis',
  key: 'E' as const,
  subkey: '01',
  inKind: 0,
  inKindWithheld: 0,
}

const type = (world: World, box: string, amount: number, quarter = 1) =>
  world.run('fiscal.setInput', { model: '111', year: 2026, quarter, box, amount })
const write = (world: World, recipients: object[], year = 2026) =>
  world.call('fiscal.setWageRecipients', { year, recipients })
const yearly = (world: World) => world.run('fiscal.model', { model: '190', year: 2026 })

describe('rows of model 190', () => {
  test('are listed one by one and add up in its boxes', async () => {
    const world = await openWorld()
    const { body } = await write(world, [EVA, LUIS])
    expect(body.data.boxes.map(({ amount }: { amount: number }) => amount)).toEqual([2, 36_600, 5490])
    expect(body.data.lists[0].rows).toEqual([
      ['50123456Q', 'Gil Mora, Eva', 'A', 18_600, 2790, null],
      ['12345678Z', 'Ruiz Sanz, Luis', 'E01', 18_000, 2700, null],
    ])
    expect(await world.run('fiscal.wageRecipients', { year: 2026 })).toEqual({
      year: 2026,
      recipients: [EVA, LUIS],
    })
    expect((await world.run('fiscal.wageRecipients', { year: 2025 })).recipients).toEqual([])
    expect(await yearly(world)).toMatchObject({ applies: true, why: null })
  })

  test('that differ from the forms 111 give a warning with both sums, until they agree', async () => {
    const world = await openWorld()
    await write(world, [EVA])
    await type(world, '02', 9000, 1)
    await type(world, '02', 9000, 2)
    await type(world, '03', 2700, 2)
    const differ = (await yearly(world)).warnings.find(({ code }) => code === 'wage_rows_differ')
    expect(differ).toMatchObject({
      severity: 'warning',
      amounts: { paid: 18_600, withheld: 2790, paidIn111: 18_000, withheldIn111: 2700 },
    })
    await type(world, '05', 600, 3)
    await type(world, '06', 90, 3)
    const codes = (await yearly(world)).warnings.map(({ code }) => code)
    expect(codes).not.toContain('wage_rows_differ')
    expect(codes).not.toContain('wage_rows_unknown')
    // Same total, but amounts in kind and in money swapped: the forms would not agree.
    await write(world, [{ ...EVA, paid: 18_600, withheld: 2790, inKind: 0, inKindWithheld: 0 }])
    expect((await yearly(world)).warnings.map(({ code }) => code)).toContain('wage_rows_differ')
  })

  test('require the tax number of a natural person and no more withheld than paid; nothing is half written', async () => {
    const world = await openWorld()
    await write(world, [EVA])
    const refused = await write(world, [
      EVA,
      { ...EVA, nif: 'B87654323' },
      { ...EVA, nif: '50123456A' },
      { ...EVA, nif: 'x' },
      { ...EVA, withheld: 18_000.01 },
      { ...EVA, inKindWithheld: 601 },
    ])
    expect(refused.status).toBe(422)
    expect(
      refused.body.error.details.faults.map(({ code, field }: { code: string; field: string }) => [
        code,
        field,
      ]),
    ).toEqual([
      ['nif_not_of_person', 'recipients[1].nif'],
      ['nif_invalid', 'recipients[2].nif'],
      ['nif_not_of_person', 'recipients[3].nif'],
      ['withheld_over_paid', 'recipients[4].withheld'],
      ['withheld_over_paid', 'recipients[5].inKindWithheld'],
    ])
    expect((await world.run('fiscal.wageRecipients', { year: 2026 })).recipients).toEqual([EVA])
  })

  test('with facts are returned as typed, and what was paid for incapacity counts in the sums', async () => {
    const world = await openWorld()
    const facts = {
      birthYear: 1980,
      spouseNif: '12345678-z',
      familySituation: 2,
      incapacityPaid: 500.05,
      incapacityWithheld: 50.01,
    }
    const { body } = await write(world, [{ ...EVA, facts }])
    expect(body.data.boxes.map(({ amount }: { amount: number }) => amount)).toEqual([1, 19_100.05, 2840.01])
    expect(body.data.lists[0].rows[0].slice(3, 5)).toEqual([19_100.05, 2840.01])
    expect((await world.run('fiscal.wageRecipients', { year: 2026 })).recipients).toEqual([
      { ...EVA, facts: { ...facts, spouseNif: '12345678Z' } },
    ])
    await write(world, [{ ...EVA, facts: {} }])
    expect((await world.run('fiscal.wageRecipients', { year: 2026 })).recipients).toEqual([EVA])
  })

  test.each<[string, string, object]>([
    ['wage_subkey_unknown', 'subkey', { subkey: '01' }],
    ['wage_subkey_unknown', 'subkey', { key: 'E', subkey: '05' }],
    ['wage_fact_not_of_key', 'facts.contract', { key: 'E', subkey: '01', facts: { contract: 1 } }],
    ['wage_fact_not_of_key', 'facts.birthYear', { key: 'B', subkey: '02', facts: { birthYear: 1950 } }],
    ['wage_fact_not_of_key', 'facts.treasuries', { facts: { treasuries: TREASURIES } }],
    ['wage_fact_not_of_key', 'facts.pensionTypes', { facts: { pensionTypes: ['retirement'] } }],
    [
      'wage_fact_not_of_key',
      'facts.incapacityInKind',
      { key: 'B', subkey: '01', facts: { incapacityInKind: 1 } },
    ],
    ['spouse_without_situation', 'facts.spouseNif', { facts: { spouseNif: '12345678Z' } }],
    ['nif_invalid', 'facts.spouseNif', { facts: { familySituation: 2, spouseNif: '12345678A' } }],
    ['nif_not_of_person', 'facts.spouseNif', { facts: { familySituation: 2, spouseNif: 'B87654323' } }],
    ['wage_same_person', 'facts.spouseNif', { facts: { familySituation: 2, spouseNif: EVA.nif } }],
    ['birth_year_unlikely', 'facts.birthYear', { facts: { birthYear: 2027 } }],
    ['birth_year_unlikely', 'facts.birthYear', { facts: { birthYear: 1915 } }],
    [
      'wage_representative_of_adult',
      'facts.representativeNif',
      { facts: { birthYear: 2011, representativeNif: '12345678Z' } },
    ],
    ['due_year_not_before', 'facts.dueYear', { facts: { dueYear: 2026 } }],
    [
      'wage_whole_over_total',
      'facts.descendants.under3.whole',
      { facts: { descendants: { ...CHILDREN, under3: { total: 1, whole: 2 } } } },
    ],
    [
      'wage_counts_differ',
      'facts.descendants.reducedMobility.total',
      { facts: { descendants: { ...CHILDREN, reducedMobility: { total: 1, whole: 0 } } } },
    ],
    [
      'wage_counts_differ',
      'facts.descendants.disabled65.total',
      { facts: { descendants: { ...CHILDREN, disabled65: { total: 3, whole: 0 } } } },
    ],
    [
      'wage_counts_differ',
      'facts.childShares',
      { facts: { descendants: CHILDREN, childShares: ['whole', 'whole'] } },
    ],
    ['wage_counts_differ', 'facts.childShares', { facts: { childShares: ['half'] } }],
    ['withheld_over_paid', 'facts.inKindCharged', { facts: { inKindCharged: 90.01 } }],
    [
      'withheld_over_paid',
      'facts.incapacityWithheld',
      { facts: { incapacityPaid: 10, incapacityWithheld: 11 } },
    ],
  ])('are refused for %s at %s: %o', async (code, field, changes) => {
    const world = await openWorld()
    const refused = await write(world, [EVA, { ...EVA, ...changes }])
    expect(refused.status).toBe(422)
    expect(
      refused.body.error.details.faults.map((each: { code: string; field: string }) => [
        each.code,
        each.field,
      ]),
    ).toEqual([[code, `recipients[1].${field}`]])
    expect((await world.run('fiscal.wageRecipients', { year: 2026 })).recipients).toEqual([])
  })

  test('cannot change once the return is marked as filed', async () => {
    const world = await openWorld({ at: '2027-01-15T10:00:00+01:00' })
    await write(world, [EVA])
    await world.run('fiscal.markFiled', { model: '190', year: 2026 })
    const refused = await write(world, [])
    expect([refused.status, refused.body.error.code]).toEqual([409, 'already_filed'])
    await world.run('fiscal.withdrawFiling', { model: '190', year: 2026 })
    expect((await write(world, [])).status).toBe(200)
  })

  test('are read and written only by a person, and audited by their number', async () => {
    const world = await openWorld()
    await write(world, [EVA, LUIS])
    const { key } = await world.makeKey({ scopes: ['fiscal.read'] })
    expect((await world.get('/api/v1/fiscal/wage-recipients?year=2026', { key })).status).toBe(404)
    const { items } = await world.run('audit.list', { limit: 5 })
    expect(items.find(({ action }) => action === 'filing.recipients_typed')).toMatchObject({
      target: { label: '190 2026: 2' },
    })
    expect(JSON.stringify(items)).not.toContain('Gil Mora')
  })

  test('are found, exported and erased with the person, after the legal retention', async () => {
    const books = await openBooks({ at: '2026-12-31T10:00:00+01:00' })
    await books.run('fiscal.setWageRecipients', { year: 2026, recipients: [EVA, LUIS] })
    const { people } = await books.run('privacy.find', { text: '50123456-Q' })
    expect(people).toMatchObject([{ name: 'Gil Mora, Eva', nif: '50123456Q', kind: 'elsewhere' }])
    const subject = people[0]!.subject
    const find = async () =>
      (await books.run('privacy.preview', { subject })).findings.find(({ area }) => area === 'wages')
    expect(await find()).toMatchObject({
      fate: 'keep',
      count: 1,
      until: '2032-12-31',
      samples: [{ label: '190 2026', link: '/taxes/2026-4T/190' }],
    })
    books.setTime('2033-01-02T10:00:00+01:00')
    expect(await find()).toMatchObject({ fate: 'erase', count: 1 })
    const { hash } = await books.run('privacy.preview', { subject })
    await books.run('privacy.erase', { subject, hash })
    expect((await books.run('fiscal.wageRecipients', { year: 2026 })).recipients).toEqual([LUIS])
  })

  test('that name a spouse lose only that number when the spouse is erased', async () => {
    const books = await openBooks({ at: '2026-12-31T10:00:00+01:00' })
    const facts = { familySituation: 2, spouseNif: '12345678Z', birthYear: 1980 }
    await books.run('fiscal.setWageRecipients', { year: 2026, recipients: [{ ...EVA, facts }] })
    const subject = { nif: '12345678Z' }
    books.setTime('2033-01-02T10:00:00+01:00')
    const { findings, hash } = await books.run('privacy.preview', { subject })
    expect(findings.find(({ area }) => area === 'wages')).toMatchObject({ fate: 'erase', count: 1 })
    await books.run('privacy.erase', { subject, hash })
    expect((await books.run('fiscal.wageRecipients', { year: 2026 })).recipients).toEqual([
      { ...EVA, facts: { familySituation: 2, birthYear: 1980 } },
    ])
  })
})

describe('amounts that no return declares', () => {
  test('a withholding that is neither for professionals nor for rent gives a warning on the invoice and on the return', async () => {
    const world = await openWorld()
    const { body } = await world.post('/api/v1/received-invoices', {
      supplierName: 'Préstamos Sur',
      supplierNif: 'B58818501',
      supplierNumber: 'P-1',
      issueDate: '2026-05-20',
      receptionDate: '2026-05-22',
      taxLines: [{ base: 100, vatRate: 21 }],
      withholding: { rate: 19, reason: 'other' },
    })
    expect(body.data.warnings.map(({ code }: { code: string }) => code)).toContain('withholding_undeclared')
    const quarter = await world.run('fiscal.model', { model: '111', year: 2026, quarter: 2 })
    expect(quarter.warnings).toContainEqual(expect.objectContaining({ code: 'withheld_other', count: 1 }))
    const next = await world.run('fiscal.model', { model: '111', year: 2026, quarter: 3 })
    expect(next.warnings.map(({ code }) => code)).not.toContain('withheld_other')
  })

  test('an operator of the 349 without a VAT number gives a warning', async () => {
    const world = await openWorld()
    await world.post('/api/v1/received-invoices', {
      supplierName: 'Cloud Ltd',
      supplierNumber: 'C-1',
      issueDate: '2026-05-20',
      receptionDate: '2026-05-22',
      supplier: { country: 'IE' },
      taxLines: [{ base: 120, nature: 'eu_services' }],
    })
    const { warnings } = await world.run('fiscal.model', { model: '349', year: 2026, quarter: 2 })
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'operator_without_number', count: 1 }))
  })
})
