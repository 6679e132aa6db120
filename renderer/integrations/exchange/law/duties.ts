/** The dated duties as the page shows them: which one comes first for this business, and what lacks. Pure. */
import type { RouteLocationRaw } from 'vue-router'
import type { OutputOf } from '../../../../server/api/contracts.ts'

type Readiness = OutputOf<'exchange.readiness'>
export type Duty = Readiness['duties'][number]

/** Duties of the law itself and of the agency ask nothing of a business. */
const asks = ({ what }: Duty): boolean => what !== 'information'

/** Returns the first duty that binds this business: one in force, else the nearest; null if that is not known. */
export function firstDuty(duties: readonly Duty[]): Duty | null {
  const binding = duties
    .filter(
      (duty) =>
        duty.binds === true && asks(duty) && !(duty.to !== null && !duty.isNow && duty.daysLeft === 0),
    )
    .toSorted((one, other) => one.from.localeCompare(other.from))
  return binding.find(({ isNow }) => isNow) ?? binding[0] ?? null
}

/** Returns whether something that comes earlier depends on what is not known. */
export function isUncertain(duties: readonly Duty[]): boolean {
  const first = firstDuty(duties)
  return duties.some(
    (duty) => asks(duty) && duty.binds === null && (first === null || duty.from <= first.from),
  )
}

const LACKS = ['certificate', 'representation', 'turnover', 'sending', 'platform_unpublished'] as const
type Lack = (typeof LACKS)[number]

/** Where each thing that lacks is put right. */
export const LACK_PLACES: Readonly<Record<Lack, RouteLocationRaw>> = {
  certificate: '/settings/certificate',
  representation: '/exchange/law#settings',
  turnover: '/exchange/law#settings',
  sending: '/exchange/law#settings',
  platform_unpublished: '/exchange/law#assumptions',
}

/** Returns the known codes of what lacks, in the order of the page. */
export const knownLacks = (codes: readonly string[]): Lack[] => LACKS.filter((lack) => codes.includes(lack))
