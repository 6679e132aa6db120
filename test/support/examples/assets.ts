/** Valid requests for the operations of fixed assets. */
import type { InputOf } from '../../../server/api/contracts.ts'
import type { Example, Furnished } from './index.ts'

const assetInput = (made: Furnished): InputOf<'assets.create'> => ({
  description: `Portátil ${made.next()}`,
  kind: '23',
  acquiredOn: '2026-03-02',
  inUseOn: '2026-03-02',
  base: 1200,
  vat: 252,
  vatPercent: 21,
  method: 'percent',
  percent: 26,
  table: 'simplified.computers',
})

async function newAsset(made: Furnished): Promise<string> {
  return (await made.world.run('assets.create', assetInput(made))).id
}

const YEAR = { query: { year: 2026 } }

export const assetExamples = {
  'assets.list': () => ({}),
  'assets.candidates': () => ({}),
  'assets.depreciation': () => YEAR,
  'assets.vatAdjustments': () => YEAR,
  'assets.get': async (made) => ({ params: { id: await newAsset(made) } }),
  'assets.create': (made) => ({ body: assetInput(made) }),
  'assets.update': async (made) => ({ params: { id: await newAsset(made) }, body: { percent: 20 } }),
  'assets.delete': async (made) => ({ params: { id: await newAsset(made) } }),
} satisfies Record<string, (made: Furnished) => Example | Promise<Example>>
