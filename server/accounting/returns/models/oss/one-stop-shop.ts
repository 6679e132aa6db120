/**
 * Figures of model 369, Union scheme: what was sold in a quarter by state of consumption and rate, and what earlier
 * quarters are corrected by. Source: Directive 2006/112/EC arts. 369 septies and octies; Regulation (EU) 2020/194, annex
 * III: a negative balance of a state is refunded by that state and lowers nothing of the others.
 */
import { quarterOf } from '../../../../domain/dates.ts'
import type { Cents } from '../../../../domain/money.ts'
import type { Ctx } from '../../../../context.ts'
import { taxTotals } from '../../../../tax/totals/index.ts'
import type { FigureEntry, Group } from '../../../../tax/totals/index.ts'
import type { ReturnPeriod } from '../../calendar/periods.ts'
import { all, collected, oneStopShopSales } from '../selectors.ts'
import { allEntriesOf, issuedOriginals } from '../eu-return.ts'
import { foreignTaxOf } from './foreign-tax.ts'

export interface OssLine {
  /** State of consumption, ISO 3166. */
  country: string
  /** Basis points; -1 where the books have no rate. */
  rateBp: number
  nature: Group['nature']
  baseCents: Cents
  taxCents: Cents
  documents: number
}

export interface OssCorrection {
  country: string
  year: number
  quarter: number
  taxCents: Cents
  documents: number
}

interface OssReturn {
  /** Of the quarter, less what was corrected within it. */
  lines: OssLine[]
  /** Of earlier quarters, one for each state and quarter. */
  corrections: OssCorrection[]
  /** Corrective invoices that name no original, or originals of several quarters. */
  unclear: number
  /** What is paid in Spain: the positive balances of the states. */
  dueCents: Cents
  /** What other states refund: their negative balances, as a positive amount. */
  refundedCents: Cents
}

const isSold = all(oneStopShopSales, collected)

interface Quarter {
  year: number
  quarter: number
}

const quarterOfMonth = (month: number): Quarter => ({
  year: Math.floor(month / 100),
  quarter: quarterOf(`${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}-01`),
})
const sequence = ({ year, quarter }: Quarter): number => year * 4 + quarter - 1

class Lines {
  readonly #found = new Map<string, OssLine>()

  add(
    { country, vatRateBp: rateBp, nature }: Group,
    amounts: Pick<OssLine, 'baseCents' | 'taxCents' | 'documents'>,
  ): void {
    const key = `${country}|${rateBp}|${nature}`
    const line = this.#found.get(key) ?? { country, rateBp, nature, baseCents: 0, taxCents: 0, documents: 0 }
    line.baseCents += amounts.baseCents
    line.taxCents += amounts.taxCents
    line.documents += amounts.documents
    this.#found.set(key, line)
  }

  all(): OssLine[] {
    return [...this.#found.values()]
      .filter(({ baseCents, taxCents }) => baseCents !== 0 || taxCents !== 0)
      .sort((a, b) => a.country.localeCompare(b.country) || b.rateBp - a.rateBp)
  }
}

const namesOneQuarter = (months: readonly number[]): boolean =>
  new Set(months.map((month) => sequence(quarterOfMonth(month)))).size === 1

/** Returns the earlier quarter that a corrective invoice corrects; null for one of the quarter itself, or of several. */
function correctedQuarter(months: readonly number[], now: number): Quarter | null {
  const [month] = months
  if (month === undefined || !namesOneQuarter(months)) return null
  const quarter = quarterOfMonth(month)
  return sequence(quarter) < now ? quarter : null
}

/** Returns the one-stop shop figures of a quarter. */
export async function ossReturn(ctx: Ctx, period: ReturnPeriod): Promise<OssReturn> {
  const groups = new Map(
    (await taxTotals(ctx, period.months)).filter(isSold).map((figure) => [figure.groupId, figure]),
  )
  const entries = await allEntriesOf(ctx, [...groups.keys()], period.months)
  const tax = await foreignTaxOf(ctx, entries)
  const isCorrective = ({ groupId }: FigureEntry): boolean => groups.get(groupId)?.rectifying === 1
  const corrective = [...new Set(entries.filter(isCorrective).map(({ sourceId }) => sourceId))]
  const originals = await issuedOriginals(ctx, corrective)
  const now = sequence({ year: period.year, quarter: period.quarter ?? 4 })
  const lines = new Lines()
  const corrected = new Map<string, OssCorrection>()
  for (const entry of entries) {
    const group = groups.get(entry.groupId)
    if (!group) continue
    const amounts = {
      baseCents: entry.baseCents,
      taxCents: tax.of(entry, group),
      documents: entry.part === 0 ? 1 : 0,
    }
    const months = isCorrective(entry) ? (originals.get(entry.sourceId)?.months ?? []) : []
    const of = correctedQuarter(months, now)
    if (of === null) {
      lines.add(group, amounts)
      continue
    }
    const key = `${group.country}|${sequence(of)}`
    const known = corrected.get(key) ?? { country: group.country, ...of, taxCents: 0, documents: 0 }
    known.taxCents += amounts.taxCents
    known.documents += amounts.documents
    corrected.set(key, known)
  }
  const found = lines.all()
  const corrections = [...corrected.values()]
    .filter(({ taxCents }) => taxCents !== 0)
    .sort((a, b) => a.country.localeCompare(b.country) || sequence(a) - sequence(b))
  const balances = new Map<string, Cents>()
  for (const { country, taxCents } of [...found, ...corrections])
    balances.set(country, (balances.get(country) ?? 0) + taxCents)
  const sumOf = (sign: 1 | -1): Cents =>
    [...balances.values()].reduce((sum, balance) => sum + Math.max(0, sign * balance), 0)
  return {
    lines: found,
    corrections,
    unclear: corrective.filter((id) => !namesOneQuarter(originals.get(id)?.months ?? [])).length,
    dueCents: sumOf(1),
    refundedCents: sumOf(-1),
  }
}
