/** Examples of requests about returns, and a return that is filed. */
import type { World } from './world.ts'

/** The last quarter that has ended by the clock of the examples. */
const CLOSED_QUARTER = { year: 2026, quarter: 2 }
const QUARTER = { year: 2026, quarter: 3 }
const DAYS = { from: '2026-07-01', to: '2026-12-31' }

export const RETURN_EXAMPLES = {
  'fiscal.summary': () => ({ query: QUARTER }),
  'fiscal.models': () => ({ query: QUARTER }),
  'fiscal.model': () => ({ params: { model: '303' }, query: QUARTER }),
  'fiscal.boxDocuments': () => ({ params: { model: '303', box: '07' }, query: QUARTER }),
  'fiscal.vatBooks': () => ({ query: { ...QUARTER, format: 'csv' } }),
  'fiscal.checkVatBooks': () => ({ query: QUARTER }),
  'fiscal.accountantPack': () => ({ query: QUARTER }),
  'fiscal.closing': () => ({ query: QUARTER }),
  'fiscal.returnFile': () => ({ params: { model: '303' }, query: CLOSED_QUARTER }),
  'fiscal.deadlines': () => ({ query: DAYS }),
  'fiscal.deadlinesCalendar': () => ({ query: DAYS }),
}

/** Returns the sending of a return that the simulated agency has accepted. */
export async function fileReturn(world: World): Promise<string> {
  const { items } = await world.run('fiscal.filings', { year: CLOSED_QUARTER.year })
  if (items[0]) return items[0].id
  const place = { model: '303', ...CLOSED_QUARTER } as const
  const { confirmationToken } = await world.run('fiscal.prepareFiling', place)
  const sending = await world.run('fiscal.fileReturn', {
    ...place,
    confirmationToken: confirmationToken ?? '',
  })
  return sending.id
}
