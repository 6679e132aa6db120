/** The fiscal summary as an assistant gets it: complete, with text of others marked, and without unfounded certainty. */
import { beforeAll, afterAll, expect, test } from 'vitest'
import { Furnished } from '../../../support/examples/index.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'
import { call, messageOf, post } from './wires.ts'

let world: World
let made: Furnished
beforeAll(async () => {
  world = await openWorld({ shared: true })
  made = await new Furnished(world).open()
})
afterAll(() => world.close())

async function summary(args: object): Promise<any> {
  return messageOf(await post(world, call('svc_get_fiscal_summary', args))).result.structuredContent
}

test('without purchases there is an estimate without a direction, and a caveat with the reason', async () => {
  for (let client = 0; client < 6; client += 1)
    await made.issued({
      ...EXAMPLE_DRAFT,
      clientName: `Cliente ${client}`,
      clientNif: ['12345678Z', 'B87654323', '50123456Q', '00000000T', '11111111H', '22222222J'][client]!,
      lines: [{ description: 'Obra', quantity: 1, unitPrice: 4000 + client }],
      // Sales with income tax withheld are reported in another return than 347.
      ...(client === 0 ? { withholdingPct: 15 } : {}),
    })
  await world.createDraft()
  const told = await summary({ year: 2026, quarter: 3 })
  expect(told.dataQuality).toMatchObject({ draftsInPeriod: 1, numberingGaps: [], inputCoverage: 'none' })
  expect(told.result).toEqual({ vatEstimate: told.output.quota })
  expect(told.input).toMatchObject({ byRate: [], deductible: 0, source: 'none' })
  expect(told.withholdings).toEqual({ suffered: 600, practised: 0 })
  expect(told.caveats.join(' ')).toContain('no incluye el IVA deducible')
  expect(told.compare).toMatchObject({
    previousPeriod: { from: '2026-04-01', to: '2026-06-30', total: 0 },
    sameLastYear: { from: '2025-07-01', to: '2025-09-30', total: 0 },
  })
})

test('customers are at most five, those of model 347 its required ones, and each names the author of its text', async () => {
  const { topClients, thirdPartyThreshold } = await summary({ year: 2026, quarter: 3 })
  expect(topClients.map(({ base }: { base: number }) => base)).toEqual([4005, 4004, 4003, 4002, 4001])
  expect(thirdPartyThreshold).toHaveLength(5)
  for (const client of [...topClients, ...thirdPartyThreshold]) expect(client.untrusted).toBe(true)
})

test('each return of the quarter has its days', async () => {
  const { obligations } = await summary({ year: 2026, quarter: 3 })
  expect(obligations.map(({ form }: { form: string }) => form)).toEqual(
    expect.arrayContaining(['303', '111']),
  )
  for (const obligation of obligations)
    expect(obligation).toMatchObject({
      dueFrom: '2026-10-01',
      dueTo: '2026-10-20',
      status: 'upcoming',
      filed: false,
    })
})

test('with a purchase it states the direction of the estimate, and how much of it is known', async () => {
  await made.received()
  const told = await summary({ year: 2026, quarter: 3 })
  expect(told.result.direction).toBe('pay')
  expect(told.result.vatEstimate).toBe(told.output.quota - told.input.deductible)
  expect(told.dataQuality.inputCoverage).toBe('partial')
})
