/** VAT rates of the other member states, requested once per day of operation, for lines under the one-stop shop. */
import { shallowReactive } from 'vue'
import { call } from '../../../../call.ts'
import type { BusinessDate } from '../../../../../server/domain/dates.ts'

const byDay = shallowReactive(new Map<BusinessDate, ReadonlyMap<string, readonly number[]>>())

async function load(day: BusinessDate): Promise<void> {
  byDay.set(day, new Map())
  try {
    const { memberStates } = await call('tax.rates', { date: day })
    byDay.set(
      day,
      new Map(memberStates.map(({ country, standard, reduced }) => [country, [standard, ...reduced]])),
    )
  } catch {
    // Without the table the rate is typed; the next line that needs it repeats the request.
    byDay.delete(day)
  }
}

/** Returns the rates of a country on a day in percent, the usual one first; empty until they are loaded. */
export function memberRates(country: string, day: BusinessDate): readonly number[] {
  const known = byDay.get(day)
  if (!known) void load(day)
  return known?.get(country) ?? []
}
