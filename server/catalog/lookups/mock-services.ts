/**
 * Simulated services for test books and sandboxes, in this process: the same formats as the real services, the same
 * answer to the same request, and nothing leaves this computer.
 */
import { addDays } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { searchText } from '../../domain/text.ts'
import { unavailable } from './outgoing.ts'
import type { CensusService, DayRate, ExchangeRateService, VatNumberService } from './ports.ts'

/** Accepts every number except those that end in 00; one that ends in 99 finds its state unavailable. */
export const simulatedVies: VatNumberService = {
  async check({ prefix, number }, requester) {
    const digits = number.replace(/\D/g, '')
    if (digits.endsWith('99')) throw unavailable('VIES', 'ms_unavailable')
    const valid = !digits.endsWith('00')
    return {
      valid,
      name: valid ? `EMPRESA DE PRUEBA ${prefix}${number}` : null,
      address: valid ? `CALLE DE PRUEBA 1, ${prefix}` : null,
      consultationNumber: valid && requester !== null ? `PRUEBA${prefix}${number}` : null,
    }
  },
}

/** A name that contains `baja`, `revocado`, `parecido` or `desconocido` gets that answer; any other is identified. */
export const simulatedCensus: CensusService = {
  async check(_nif, name) {
    const words = searchText(name)
    const censusName = name.toUpperCase()
    if (words.includes('baja')) return { result: 'inactive', name: censusName }
    if (words.includes('revocado')) return { result: 'revoked', name: censusName }
    if (words.includes('parecido')) return { result: 'similar', name: null }
    if (words.includes('desconocido')) return { result: 'not_identified', name: null }
    return { result: 'identified', name: censusName }
  },
}

/**
 * Approximate rates of the currencies; each day differs slightly, and Saturdays and Sundays have none, as at the
 * bank.
 */
const BASE: Readonly<Record<string, number>> = {
  USD: 1_080_000,
  GBP: 850_000,
  CHF: 950_000,
  JPY: 160_000_000,
  SEK: 11_300_000,
  NOK: 11_600_000,
  DKK: 7_460_000,
  PLN: 4_300_000,
  CZK: 25_100_000,
  MXN: 20_000_000,
}
const DAYS = 90

function isWorkingDay(day: BusinessDate): boolean {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6
}

/** Returns simulated rates up to `today`. */
export function simulatedEcb(today: BusinessDate): ExchangeRateService {
  return {
    source: 'Simulated reference rates',
    reachDays: DAYS,
    async rates(since) {
      const rates: DayRate[] = []
      for (let day = since; day <= today; day = addDays(day, 1)) {
        if (!isWorkingDay(day)) continue
        const swing = (Number(day.slice(8)) % 7) - 3
        for (const [currency, base] of Object.entries(BASE))
          rates.push({ day, currency, rateMicro: base + Math.round(base / 1_000) * swing })
      }
      return rates
    },
  }
}
