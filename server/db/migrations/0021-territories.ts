/** Businesses of all of Spain: registries and taxes of several territories; one file for each topic. */
import type { WidenedCondition } from './list.ts'
import { companyColumns, companyConditions } from './0021/companies.ts'
import { registries } from './0021/registries.ts'
import { supplies } from './0021/supplies.ts'

const parts: readonly string[] = [registries, companyColumns, supplies]

export const territories = parts.join('\n')

export const territoryConditions: readonly WidenedCondition[] = [...companyConditions]
