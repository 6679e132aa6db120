/** The layouts by set: `first`, `own` for developing, `held` for judging only. */
import type { Layout } from '../scene.ts'
import { ABROAD_LAYOUTS } from './abroad.ts'
import { COMPANY_LAYOUTS } from './companies.ts'
import { FIRST_LAYOUTS } from './first.ts'
import { HELD_COMPANY_LAYOUTS } from './held-companies.ts'
import { HELD_SERVICE_LAYOUTS } from './held-services.ts'
import { REGIONAL_LAYOUTS } from './regional.ts'
import { SERVICE_LAYOUTS } from './services.ts'
import { TICKET_LAYOUTS } from './tickets.ts'

export const SETS: Readonly<Record<string, Readonly<Record<string, Layout>>>> = {
  first: FIRST_LAYOUTS,
  own: { ...COMPANY_LAYOUTS, ...REGIONAL_LAYOUTS, ...TICKET_LAYOUTS, ...SERVICE_LAYOUTS, ...ABROAD_LAYOUTS },
  held: { ...HELD_COMPANY_LAYOUTS, ...HELD_SERVICE_LAYOUTS },
}
