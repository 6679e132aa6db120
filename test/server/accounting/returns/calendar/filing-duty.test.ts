/** Returns that apply, may apply, or are not computed: the same answer on the page, over REST and for assistants. */
import { describe, expect, test } from 'vitest'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'

const Q2 = { year: 2026, quarter: 2 }
const Q4 = { year: 2026, quarter: 4 }

async function standing(world: World, period = Q2) {
  const { models } = await world.run('fiscal.models', period)
  return Object.fromEntries(
    models.map(({ model, applies, computed, why }) => [model, { applies, computed, why }]),
  )
}

const model = (world: World, number: '111' | '190' | '303' | '130' | '131' | '309' | '390', period = Q2) =>
  world.run('fiscal.model', { model: number, ...period })

const type = (world: World, box: string, amount: number | null, quarter = 2) =>
  world.run('fiscal.setInput', { model: '111', year: 2026, quarter, box, amount })

describe('wages, which Sello knows only as typed', () => {
  test('are unknown when nothing is typed: neither «nothing to file» nor a certain duty', async () => {
    const world = await openWorld()
    const all = await standing(world, Q4)
    expect(all['111']).toEqual({ applies: null, computed: true, why: 'wages_unknown' })
    expect(all['190']).toEqual({ applies: null, computed: true, why: 'wages_unknown' })
    const { warnings } = await model(world, '111')
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'wages_unknown', severity: 'warning' }))
  })

  test('are typed in boxes 01 to 06, add to 28 and 30, and are audited with their amounts', async () => {
    const world = await openWorld()
    await type(world, '01', 2)
    await type(world, '02', 6000)
    await type(world, '03', 720.5)
    await type(world, '04', 1)
    await type(world, '05', 300)
    const typed = await type(world, '06', 36)
    const box = Object.fromEntries(typed.boxes.map((each) => [each.box, each]))
    expect([box['01']?.amount, box['02']?.amount, box['03']?.amount, box['06']?.amount]).toEqual([
      2, 6000, 720.5, 36,
    ])
    expect([box['28']?.amount, box['30']?.amount, typed.result]).toEqual([756.5, 756.5, 756.5])
    expect(box['01']).toMatchObject({ input: true, typed: true, kind: 'count' })
    expect(typed).toMatchObject({ applies: true, why: null })
    expect(typed.warnings.map(({ code }) => code)).not.toContain('wages_unknown')
    const labels = (await world.run('audit.list', { limit: 20 })).items.map((event) => JSON.stringify(event))
    expect(labels.some((label) => label.includes('111 2T 2026: [03] 720.5'))).toBe(true)
  })

  test('count recipients as whole numbers', async () => {
    const world = await openWorld()
    await expect(type(world, '01', 1.5)).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('of 0 mean that none were paid: there is nothing to file, and for the year once all quarters say so', async () => {
    const world = await openWorld()
    await type(world, '02', 0)
    expect((await standing(world))['111']).toEqual({
      applies: false,
      computed: true,
      why: 'nothing_withheld',
    })
    expect((await standing(world, Q4))['190']?.applies).toBeNull()
    for (const quarter of [1, 3, 4]) await type(world, '02', 0, quarter)
    expect((await standing(world, Q4))['190']).toMatchObject({ applies: false, why: 'nothing_withheld' })
    await type(world, '02', 1000, 3)
    await type(world, '03', 150, 3)
    expect((await standing(world, Q4))['190']).toMatchObject({ applies: true })
    const yearly = await model(world, '190', Q4)
    expect(yearly.boxes.map(({ amount }) => amount)).toEqual([0, 1000, 150])
    expect(yearly.lists[0]?.rows).toEqual([[null, 'wages_of_111', 'A', 1000, 150, null]])
    expect(yearly.warnings.map(({ code }) => code)).toContain('wage_rows_unknown')
    await type(world, '02', null, 2)
    expect((await standing(world))['111']?.applies).toBeNull()
  })
})

describe('the simplified scheme', () => {
  test('computes neither 303 nor 130, and lists 303 and 131 as filed but not computed', async () => {
    const world = await openWorld({ company: { kind: 'natural', nif: '12345678Z', vatRegime: 'simplified' } })
    await world.post('/api/v1/received-invoices', {
      supplierName: 'Sol',
      supplierNif: 'B58818501',
      supplierNumber: '1',
      issueDate: '2026-05-20',
      receptionDate: '2026-05-22',
      taxLines: [{ base: 100, vatRate: 21 }],
    })
    const all = await standing(world)
    expect(all['303']).toEqual({ applies: true, computed: false, why: 'simplified' })
    expect(all['131']).toEqual({ applies: true, computed: false, why: 'typed' })
    expect(all['130']).toEqual({ applies: false, computed: false, why: 'modules' })
    for (const number of ['303', '130', '390'] as const)
      expect(await model(world, number)).toMatchObject({ result: null, boxes: [], lists: [] })
    const { warnings } = await model(world, '303')
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'simplified_scheme' }))
    const summary = await world.run('fiscal.summary', Q2)
    expect(summary.result).toEqual({ vatEstimate: null })
    expect(summary.caveats.join(' ')).toContain('simplified scheme')
  })
})

describe('the dashboard', () => {
  const ahead = async (world: World) =>
    (await world.run('dashboard.get', {})).deadlines.map(
      ({ model: form, applies, computed, result }) => [form, applies, computed, result] as const,
    )

  test('lists 111 as possibly due when wages are not stated, and not at all after 0', async () => {
    const world = await openWorld()
    expect(await ahead(world)).toContainEqual(['111', null, true, 0])
    // On 1 July the second quarter is to be filed, and the third has begun.
    for (const quarter of [2, 3]) await type(world, '02', 0, quarter)
    expect((await ahead(world)).filter(([form]) => form === '111')).toEqual([])
  })

  test('shows no action item for a return that may not be due', async () => {
    const world = await openWorld()
    const { attention } = await world.run('dashboard.get', {})
    expect(attention.filter(({ kind, id }) => kind === 'deadline' && id === '111')).toEqual([])
  })

  test('lists 303 and 131 without amounts under the simplified scheme', async () => {
    const world = await openWorld({ company: { kind: 'natural', nif: '12345678Z', vatRegime: 'simplified' } })
    const found = await ahead(world)
    expect(found).toContainEqual(['303', true, false, null])
    expect(found).toContainEqual(['131', true, false, null])
  })
})

describe('a retailer under the surcharge', () => {
  test('files 309 for intra-Community purchases, and sees it only then', async () => {
    const world = await openWorld({ company: { kind: 'natural', nif: '12345678Z', vatRegime: 'surcharge' } })
    expect((await standing(world))['309']).toMatchObject({ applies: false, why: 'owes_no_vat' })
    await world.post('/api/v1/received-invoices', {
      supplierName: 'Lieferant GmbH',
      supplierNif: 'DE136695976',
      supplierNumber: '1',
      issueDate: '2026-05-20',
      receptionDate: '2026-05-22',
      concept: 'G01',
      taxLines: [{ base: 100 }],
    })
    const all = await standing(world)
    expect(all['309']).toEqual({ applies: true, computed: false, why: 'not_computed' })
    expect(all['303']).toMatchObject({ applies: false, why: 'vat_regime' })
    expect((await model(world, '309')).warnings.map(({ code }) => code)).toContain('not_computed')
  })
})

test.each([
  ['a company', {}],
  ['a person', { kind: 'natural', nif: '12345678Z' }],
  ['a business under the simplified scheme', { kind: 'natural', nif: '12345678Z', vatRegime: 'simplified' }],
  ['a retailer under the surcharge', { kind: 'natural', nif: '12345678Z', vatRegime: 'surcharge' }],
  ['an exempt business', { vatRegime: 'exempt' }],
] as const)('for %s the summary, REST and the list contain the same returns', async (_name, company) => {
  const world = await openWorld({ company: company as object })
  await world.post('/api/v1/received-invoices', {
    supplierName: 'Lieferant GmbH',
    supplierNif: 'DE136695976',
    supplierNumber: '1',
    issueDate: '2026-05-20',
    receptionDate: '2026-05-22',
    taxLines: [{ base: 4000 }],
  })
  for (const quarter of [1, 2, 3, 4]) {
    const period = { year: 2026, quarter }
    const { models } = await world.run('fiscal.models', period)
    const listed = models
      .filter(({ applies }) => applies !== false)
      .map(({ model: form, applies, computed, dueTo }) => ({ form, applies, computed, dueTo }))
    const told = (list: { form: string; applies: unknown; computed: boolean; dueTo: string }[]) =>
      list.map(({ form, applies, computed, dueTo }) => ({ form, applies, computed, dueTo }))
    const summary = await world.run('fiscal.summary', period)
    expect(told(summary.obligations)).toEqual(listed)
    const rest = await world.get(`/api/v1/fiscal/summary?year=2026&quarter=${quarter}`)
    expect(told(rest.body.data.obligations)).toEqual(listed)
  }
  const year = await world.run('fiscal.summary', { year: 2026 })
  const quarters = await Promise.all(
    [1, 2, 3, 4].map((quarter) => world.run('fiscal.summary', { year: 2026, quarter })),
  )
  const names = (list: { form: string; period: string }[]) =>
    list.map(({ form, period }) => `${form} ${period}`).sort()
  expect(names(year.obligations)).toEqual(names(quarters.flatMap(({ obligations }) => obligations)))
})
