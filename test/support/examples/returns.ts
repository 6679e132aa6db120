/** Examples of requests about returns, and a return that is filed. */
import { HAND_ON_EXAMPLES } from './hand-on.ts'
import type { InputOf } from '../../../server/api/contracts.ts'
import { stateSchemes } from '../schemes.ts'
import type { World } from '../world.ts'

/** The last quarter that has ended by the clock of the examples. */
const CLOSED_QUARTER = { year: 2026, quarter: 2 }
const QUARTER = { year: 2026, quarter: 3 }
const DAYS = { from: '2026-07-01', to: '2026-12-31' }

/** Rented premises in Madrid, as a person types them. */
export const RENTED_PREMISES: InputOf<'fiscal.setRentedPremises'>['premises'][number] = {
  landlordNif: '12345678Z',
  landlordName: 'Ruiz Sanz, Luis',
  rentKind: 'money',
  situation: 1,
  cadastralNumber: '9872023VH5797S0001WX',
  streetType: 'CALLE',
  street: 'Mayor',
  numbering: 'NUM',
  houseNumber: 12,
  qualifier: null,
  block: null,
  entrance: null,
  staircase: null,
  floor: 'BJ',
  door: null,
  complement: null,
  town: null,
  municipality: 'Madrid',
  municipalityCode: '28079',
  province: '28',
  postalCode: '28013',
  fromYear: 2024,
  toYear: null,
  base: null,
}

export const RETURN_EXAMPLES = {
  ...HAND_ON_EXAMPLES,
  'fiscal.summary': () => ({ query: QUARTER }),
  'fiscal.models': () => ({ query: QUARTER }),
  'fiscal.model': () => ({ params: { model: '303' }, query: QUARTER }),
  'fiscal.boxDocuments': () => ({ params: { model: '303', box: '07' }, query: QUARTER }),
  'fiscal.vatBooks': () => ({ query: { ...QUARTER, format: 'csv' } }),
  'fiscal.checkVatBooks': () => ({ query: QUARTER }),
  'fiscal.accountantPack': () => ({ query: QUARTER }),
  'fiscal.closing': () => ({ query: QUARTER }),
  'fiscal.returnFile': async ({ world }: { world: World }) => {
    await stateSchemes(world, CLOSED_QUARTER.year)
    return { params: { model: '303' }, query: CLOSED_QUARTER }
  },
  'fiscal.returnDraft': () => ({ params: { model: '420' }, query: CLOSED_QUARTER }),
  'fiscal.rentedPremises': async ({ world }: { world: World }) => {
    const { year } = QUARTER
    const { premises } = await world.run('fiscal.rentedPremises', { year })
    if (premises.length === 0)
      await world.run('fiscal.setRentedPremises', { year, premises: [{ ...RENTED_PREMISES, base: 9_600 }] })
    return { query: { year } }
  },
  'fiscal.deadlines': () => ({ query: DAYS }),
  'fiscal.deadlinesCalendar': () => ({ query: DAYS }),
}

/** Returns the sending of a return that the simulated agency has accepted. */
export async function fileReturn(world: World): Promise<string> {
  const { items } = await world.run('fiscal.filings', { year: CLOSED_QUARTER.year })
  if (items[0]) return items[0].id
  await stateSchemes(world, CLOSED_QUARTER.year)
  const place = { model: '303', ...CLOSED_QUARTER } as const
  const { confirmationToken } = await world.run('fiscal.prepareFiling', place)
  const sending = await world.run('fiscal.fileReturn', {
    ...place,
    confirmationToken: confirmationToken ?? '',
  })
  return sending.id
}
