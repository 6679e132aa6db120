/** Rates of the taxes that replace VAT, as the treatment helper and its tables ask for them. */
import type { BusinessDate } from '../../domain/dates.ts'
import { inForce } from '../../domain/tax/dated.ts'
import { TAX_SYSTEMS } from '../systems/index.ts'
import type { SystemRate, TaxSystem } from '../systems/index.ts'
import type { TaxFamily } from '../systems/contract.ts'

function systemOf(tax: TaxFamily): TaxSystem {
  const system = TAX_SYSTEMS.find(({ family }) => family === tax)
  if (!system) throw new Error(`No tax ${tax}.`)
  return system
}

/** Returns the rates of a tax on a day, lowest first. */
export function islandRatesAt(tax: TaxFamily, date: BusinessDate): SystemRate[] {
  return systemOf(tax).ratesAt(date).toReversed()
}

/** Returns the rate of a good or service of which nothing else is known. */
export function generalRateOf({ family, rates }: TaxSystem, date: BusinessDate): SystemRate {
  const general = rates.filter((row) => row.general === true)
  const row = inForce(general, date)[0] ?? general[0]
  if (!row) throw new Error(`${family} has no general rate.`)
  return row
}

/** Returns the general rate of a tax on a day. */
export function islandGeneralRateAt(tax: TaxFamily, date: BusinessDate): SystemRate {
  return generalRateOf(systemOf(tax), date)
}
