/**
 * The euro's reference rate on a day (art. 79.Once Ley 37/1992: the one in force at accrual), fetched once and
 * stored.
 */
import type { exchangeRateContract } from './contract.ts'
import { addDays, madridInstant } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { numberFromMicro } from '../../domain/money.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { saveRates, hasLaterRates, rateUpTo } from './rows.ts'
import type { RateRow } from './rows.ts'
import { exchangeRateService, isSimulated } from './services.ts'

/** The longest run of days without a rate: weekends with Christmas or Easter. */
const LONGEST_GAP_DAYS = 7

/** Returns a stored rate only if it is certain: it is of that very day, or later days are stored, so none is missing. */
async function storedRate(ctx: Ctx, currency: string, date: BusinessDate): Promise<RateRow | null> {
  const row = await rateUpTo(ctx, currency, date)
  if (!row || row.day < addDays(date, -LONGEST_GAP_DAYS)) return null
  return row.day === date || (await hasLaterRates(ctx, date)) ? row : null
}

/** Returns the rate of a day. The euro itself is 1 on every day, without a request. */
export const exchangeRate: UseCase<typeof exchangeRateContract> = async (
  ctx,
  { currency, date = ctx.today() },
) => {
  if (date > ctx.today())
    throw validationFailed([
      {
        code: 'date_in_future',
        field: 'date',
        severity: 'error',
        message: 'No rate is known of a day to come.',
        fix: 'Ask for today or an earlier day.',
      },
    ])
  const row = (await storedRate(ctx, currency, date)) ?? (await fetched(ctx, currency, date))
  return {
    currency,
    date,
    rateDate: row.day,
    rate: numberFromMicro(row.rate_micro),
    source: row.source,
    fetchedAt: madridInstant(new Date(row.fetched_at)),
    ...(row.simulated === 1 ? { simulated: true as const } : {}),
  }
}

async function fetched(ctx: Ctx, currency: string, date: BusinessDate): Promise<RateRow> {
  const service = exchangeRateService(ctx)
  const unknown = (): AppError =>
    new AppError('exchange_rate_unknown', {
      details: { currency, date, oldest: addDays(ctx.today(), -service.reachDays) },
    })
  if (date < addDays(ctx.today(), -service.reachDays)) throw unknown()
  const rates = await service.rates(addDays(date, -LONGEST_GAP_DAYS))
  return ctx.transaction(async (tx) => {
    await saveRates(tx, rates, { source: service.source, simulated: isSimulated(tx) })
    const row = await rateUpTo(tx, currency, date)
    if (!row || row.day < addDays(date, -LONGEST_GAP_DAYS)) throw unknown()
    return row
  })
}
