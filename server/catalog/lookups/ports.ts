/** Ports of the external services: each has a real implementation and a simulated one for test books. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Micro } from '../../domain/money.ts'
import type { CensusResult } from './contract.ts'

interface VatNumberAnswer {
  valid: boolean
  name: string | null
  address: string | null
  /** Present when the service knows the requester. */
  consultationNumber: string | null
}

export interface VatNumberService {
  /** Checks a number. `requester` is the caller's VAT number, with its prefix. */
  check(vatNumber: { prefix: string; number: string }, requester: string | null): Promise<VatNumberAnswer>
}

export interface CensusService {
  check(nif: string, name: string): Promise<{ result: CensusResult; name: string | null }>
}

export interface DayRate {
  day: BusinessDate
  currency: string
  /** Units of the currency for one euro, in millionths. */
  rateMicro: Micro
}

export interface ExchangeRateService {
  source: string
  /** Returns the rates of all currencies published from `since` on, as far as the service keeps them. */
  rates(since: BusinessDate): Promise<DayRate[]>
  /** Number of days back that can be queried. */
  reachDays: number
}
