/** Companies outside the area of VAT and of its registry; one file for each topic. */
import type { WidenedCondition } from './list.ts'
import { companyConditions } from './0021/companies.ts'

const parts: readonly string[] = []

export const territories = parts.join('\n')

export const territoryConditions: readonly WidenedCondition[] = [...companyConditions]
