/**
 * Reference rates of the European Central Bank: the daily file and the one of the last 90 days.
 * Source: https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/ (published about 16:00 CET
 * on working days).
 */
import { SaxesParser } from 'saxes'
import { isBusinessDate } from '../../domain/dates.ts'
import { scaleText } from '../../domain/money.ts'
import { callService, refused, unavailable } from './outgoing.ts'
import type { ServiceAddress } from './outgoing.ts'
import type { DayRate, ExchangeRateService } from './ports.ts'

export const ECB_ADDRESS: ServiceAddress = { host: 'www.ecb.europa.eu', port: 443 }
const PATH = '/stats/eurofxref/eurofxref-hist-90d.xml'
const SERVICE = 'ECB'
const NS = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref'
const DECIMALS = 6

/**
 * Reads the rates of a file: `Cube` elements of days that contain `Cube` elements of currencies. Throws for anything
 * else.
 */
export function readRates(xml: string): DayRate[] {
  const rates: DayRate[] = []
  const parser = new SaxesParser({ xmlns: true })
  let day: string | null = null
  parser.on('doctype', () => {
    throw new Error('A document type.')
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) => {
    if (tag.local !== 'Cube' || tag.uri !== NS) return
    const { time, currency, rate } = tag.attributes
    if (time) {
      if (!isBusinessDate(time.value)) throw new Error('A day that is none.')
      day = time.value
    }
    if (!currency || !rate) return
    const rateMicro = scaleText(rate.value, DECIMALS)
    if (day === null || !/^[A-Z]{3}$/.test(currency.value) || rateMicro === null || rateMicro <= 0)
      throw new Error('A rate that is none.')
    rates.push({ day, currency: currency.value, rateMicro })
  })
  parser.write(xml).close()
  if (rates.length === 0) throw new Error('No rate.')
  return rates
}

/** Creates the real service; only tests pass another `address`. */
export function createEcb(address: ServiceAddress = ECB_ADDRESS): ExchangeRateService {
  return {
    source: 'European Central Bank, euro reference rates',
    reachDays: 90,
    async rates(since) {
      const { status, body } = await callService({ service: SERVICE, address, method: 'GET', path: PATH })
      if (status !== 200)
        throw status >= 500 ? unavailable(SERVICE, `status_${status}`) : refused(SERVICE, `status_${status}`)
      try {
        return readRates(body).filter(({ day }) => day >= since)
      } catch {
        throw refused(SERVICE, 'unreadable')
      }
    },
  }
}
