/** The services that may be asked, as this slice needs them: each has a real one and a stand-in for test books. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Micro } from '../../domain/money.ts'
import type { CensusResult } from './contract.ts'

export interface VatNumberAnswer {
  valid: boolean
  name: string | null
  address: string | null
  /** Given when the requester is known to the service. */
  consultationNumber: string | null
}

export interface VatNumberService {
  /** `requester` is the VAT number of whoever asks, with its prefix. */
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
  /** What was published from `since` on, of all currencies, within what the service keeps. */
  rates(since: BusinessDate): Promise<DayRate[]>
  /** Oldest day that can be asked for. */
  reachDays: number
}
