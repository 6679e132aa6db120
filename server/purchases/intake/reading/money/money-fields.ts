/** Turns the solved money of a document into fields with their levels and their evidence. Pure. */
import type { BusinessDate } from '../../../../domain/dates.ts'
import { basisPointsToText, centsToText } from '../../../../domain/money.ts'
import type { Cents } from '../../../../domain/money.ts'
import { vatRateAt } from '../../../../domain/tax/vat-rates.ts'
import { missing } from '../field-value.ts'
import type { Evidence, Fields, FieldValue, Level, ReadTaxLine, ReadWithholding } from '../field-value.ts'
import type { Solution, Solved, Total, Veto } from './money.ts'
import type { Pair } from './pairs.ts'
import type { Printed } from '../printed.ts'
import type { Untaxed } from './untaxed.ts'
import type { UntaxedReason } from '../labels.ts'

type MoneyField = 'taxLines' | 'withholding' | 'supplied' | 'total' | 'payable' | 'prepaid'

interface Money {
  fields: Pick<Fields, MoneyField>
  closes: boolean
  vetoes: Veto[]
}

function evidenceAt(
  printed: Printed,
  reason: Evidence['reason'],
  args: Record<string, string> = {},
): Evidence {
  return { page: printed.row.page, box: printed.box, reason, args }
}

const labelOf = (printed: Printed): string => (printed.before || printed.above).slice(-60)

function pairEvidence({ base, tax, baseCents, rateBp, taxCents }: Pair): Evidence[] {
  const args = { base: centsToText(baseCents), rate: basisPointsToText(rateBp), tax: centsToText(taxCents) }
  return [...new Set([base, tax])].map((printed) => evidenceAt(printed, 'base_rate_tax', args))
}

function lineOfPair(
  { baseCents, rateBp, taxCents }: Pair,
  surcharge: Solution['surcharges'][number] = null,
): ReadTaxLine {
  return {
    baseCents,
    rateBp,
    taxCents,
    surchargeBp: surcharge?.rateBp ?? null,
    surchargeCents: surcharge?.cents ?? 0,
    untaxed: null,
  }
}

function untaxedLine(baseCents: Cents, untaxed: NonNullable<ReadTaxLine['untaxed']>): ReadTaxLine {
  return { baseCents, rateBp: 0, taxCents: 0, surchargeBp: null, surchargeCents: 0, untaxed }
}

function field<T>(value: T | null, level: Level, evidence: Evidence[], rivals: T[] = []): FieldValue<T> {
  return { value, level, evidence, rivals }
}

/** Money of a document whose sums close. */
function closed(best: Solution, vetoes: Veto[], solved: Solved): Money {
  const { pairs, surcharges, withholding, supplied, exempt, prepaid, totalCents, payableCents, target } = best
  const level: Level = vetoes.length === 0 ? 'proven' : target.row.source === 'text' ? 'read' : 'guess'
  const sum: Record<string, string> = { total: centsToText(payableCents), label: labelOf(target) }
  const targetEvidence = target.isCoded ? [] : [evidenceAt(target, 'sums_close', sum)]
  const lines = [
    ...pairs.map((pair, index) => lineOfPair(pair, surcharges[index])),
    ...(exempt ? [untaxedLine(exempt.cents, 'exempt')] : []),
  ]
  const rivals = rivalTotals(solved.totals, [totalCents, payableCents])
  // What the document asks for stands at its label, whatever the lines make.
  const asked = vetoes.includes('other_payable')
    ? solved.totals.find(
        ({ isPayable, isExplicit, cents, printed }) =>
          isPayable && isExplicit && cents !== 0 && !printed.values.includes(payableCents),
      )
    : undefined
  return {
    fields: {
      taxLines: field(lines, level, [
        ...pairs.flatMap(pairEvidence),
        ...surcharges.flatMap((each) => (each ? [evidenceAt(each.printed, 'sums_close', sum)] : [])),
        ...(exempt ? [evidenceAt(exempt.printed, 'sums_close', sum)] : []),
        ...targetEvidence,
      ]),
      withholding:
        withholding === null
          ? field<ReadWithholding>(null, level === 'proven' ? 'proven' : 'missing', [])
          : field<ReadWithholding>(
              {
                rateBp: withholding.rateBp,
                baseCents: withholding.baseCents,
                amountCents: withholding.amountCents,
              },
              level,
              [evidenceAt(withholding.printed, 'sums_close', sum)],
            ),
      supplied:
        supplied === null
          ? missing()
          : field(
              supplied.cents,
              level,
              supplied.printed.map((each) => evidenceAt(each, 'sums_close', sum)),
            ),
      prepaid:
        prepaid === null
          ? missing()
          : field(prepaid.cents, level, [evidenceAt(prepaid.printed, 'sums_close', sum)]),
      total: field(totalCents, level, targetEvidence, level === 'proven' ? [] : rivals),
      payable: asked
        ? field(
            asked.cents,
            'read',
            [evidenceAt(asked.printed, 'label', { label: labelOf(asked.printed) })],
            [payableCents],
          )
        : field(payableCents, level, targetEvidence, level === 'proven' ? [] : rivals),
    },
    closes: vetoes.length === 0,
    vetoes,
  }
}

function rivalTotals(totals: readonly Total[], used: readonly Cents[]): Cents[] {
  return [...new Set(totals.filter(({ strength }) => strength >= 1).map(({ cents }) => cents))]
    .filter((cents) => !used.includes(cents))
    .slice(0, 4)
}

const STRONG_PAIR = 4

/** Money of a document whose sums do not close: what is printed, without a proof. */
function open(solved: Solved, vetoes: Veto[]): Money {
  const lines: Pair[] = []
  for (const pair of solved.pairs) {
    if (pair.evidence < STRONG_PAIR) break
    if (
      lines.some(({ rateBp, base, tax }) => rateBp === pair.rateBp || base === pair.base || tax === pair.tax)
    )
      continue
    lines.push(pair)
  }
  const total = solved.totals.filter(({ isPayable }) => !isPayable)[0] ?? null
  const payable = solved.totals.find(({ isPayable }) => isPayable) ?? null
  const printedField = (each: Total | null): FieldValue<Cents> => {
    if (each === null) return missing()
    const isAlone = solved.totals.every(
      ({ cents, strength, isPayable }) =>
        cents === each.cents || strength < 1 || isPayable !== each.isPayable,
    )
    const level: Level =
      each.printed.row.source === 'text' && isAlone && each.strength >= 1 ? 'read' : 'guess'
    return field(
      each.cents,
      level,
      [evidenceAt(each.printed, each.byHeading ? 'heading' : 'label', { label: labelOf(each.printed) })],
      rivalTotals(solved.totals, [each.cents]),
    )
  }
  // Some of the lines without the others would look like all of them.
  if (solved.namedRatesBp.some((rateBp) => !lines.some((line) => line.rateBp === rateBp))) lines.length = 0
  const sum = lines.reduce((cents, { baseCents, taxCents }) => cents + baseCents + taxCents, 0)
  // With withholding or disbursements in doubt, the lines alone make the total.
  const made =
    lines.length > 0 && vetoes.includes('no_solution') && total === null
      ? field(sum, 'guess', lines.flatMap(pairEvidence))
      : null
  return {
    fields: {
      taxLines:
        lines.length === 0
          ? missing()
          : field(
              lines.map((pair) => lineOfPair(pair)),
              'guess',
              lines.flatMap(pairEvidence),
            ),
      withholding: missing(),
      supplied: missing(),
      prepaid: missing(),
      total: made ?? printedField(total ?? payable),
      payable: printedField(payable ?? total),
    },
    closes: false,
    vetoes,
  }
}

function without({ cents, target, parts, vetoes }: Untaxed, reason: UntaxedReason): Money {
  const level: Level = vetoes.length === 0 ? 'proven' : target.row.source === 'text' ? 'read' : 'guess'
  const args = { total: centsToText(cents), label: labelOf(target) }
  const evidence = [
    evidenceAt(target, parts.length > 0 ? 'parts_sum' : 'label', args),
    ...parts.map((part) => evidenceAt(part, 'parts_sum', args)),
  ]
  return {
    fields: {
      taxLines: field([untaxedLine(cents, reason === 'margin' ? 'cost' : reason)], level, evidence),
      withholding: field<ReadWithholding>(null, level === 'proven' ? 'proven' : 'missing', []),
      supplied: missing(),
      prepaid: missing(),
      total: field(cents, level, evidence),
      payable: field(cents, level, evidence),
    },
    closes: vetoes.length === 0,
    vetoes,
  }
}

interface MoneyFacts {
  solved: Solved
  untaxed: Untaxed | null
  untaxedBy: UntaxedReason | null
  issueDate: BusinessDate | null
  /** The document is in euros and of a Spanish supplier, as far as is known. */
  isSpanish: boolean
  isCreditTitle: boolean
  /** Words of a credit stand somewhere in the document. */
  mentionsCredit: boolean
  namesIslands: boolean
  /** By the company's own tax: VAT, another one that the document names, or another one that it does not name. */
  charges: 'usual' | 'own' | 'other'
}

function negated(money: Money): Money {
  const { taxLines, withholding, supplied, total, payable, prepaid } = money.fields
  const not = <T>(of: FieldValue<T>, turn: (value: T) => T): FieldValue<T> => ({
    ...of,
    value: of.value === null ? null : turn(of.value),
    rivals: of.value === null ? of.rivals : [of.value, ...of.rivals],
    level: of.value === null ? of.level : 'guess',
  })
  const minus = (cents: Cents): Cents => (cents === 0 ? 0 : -cents)
  return {
    fields: {
      taxLines: not(taxLines, (lines) =>
        lines.map((line) => ({
          ...line,
          baseCents: minus(line.baseCents),
          taxCents: minus(line.taxCents),
          surchargeCents: minus(line.surchargeCents),
        })),
      ),
      withholding: not(withholding, (each) => ({
        ...each,
        baseCents: minus(each.baseCents),
        amountCents: minus(each.amountCents),
      })),
      supplied: not(supplied, minus),
      prepaid,
      total: not(total, minus),
      payable: not(payable, minus),
    },
    closes: false,
    vetoes: [...money.vetoes, 'credit_sign'],
  }
}

/** Takes the proof from the money of a document, with the reason. */
function doubted(money: Money, veto: Veto): Money {
  const lower = <T>(of: FieldValue<T>): FieldValue<T> =>
    of.level === 'proven' ? { ...of, level: of.value === null ? 'missing' : 'read' } : of
  const { taxLines, withholding, supplied, total, payable, prepaid } = money.fields
  return {
    fields: {
      taxLines: lower(taxLines),
      withholding: lower(withholding),
      supplied: lower(supplied),
      total: lower(total),
      payable: lower(payable),
      prepaid: lower(prepaid),
    },
    closes: false,
    vetoes: [...money.vetoes, veto],
  }
}

/** Returns the money of a document. */
export function moneyOf(facts: MoneyFacts): Money {
  const {
    solved,
    untaxed,
    untaxedBy,
    issueDate,
    isSpanish,
    isCreditTitle,
    mentionsCredit,
    namesIslands,
    charges,
  } = facts
  const { best } = solved
  const extra: Veto[] = []
  if (
    best !== null &&
    isSpanish &&
    !namesIslands &&
    issueDate !== null &&
    best.pairs.some(({ rateBp }) => vatRateAt(rateBp, issueDate) === undefined)
  )
    extra.push('rate_not_in_force')
  // IGIC and IPSI are not deducted like VAT, except by who is under them; nor is VAT by those.
  if (charges === 'usual' ? namesIslands : charges === 'other') extra.push('other_tax')
  const money =
    // Sums below a larger total are part of it.
    best !== null && !solved.vetoes.includes('larger_total')
      ? closed(best, [...solved.vetoes, ...extra], solved)
      : untaxed !== null && untaxedBy !== null
        ? without(untaxed, untaxedBy)
        : open(solved, solved.vetoes)
  // The tax of another territory is part of the cost of what was bought: IGIC beside its rates, or VAT where it does not apply.
  const { taxLines } = money.fields
  const isCost = (line: ReadTaxLine): boolean =>
    charges === 'usual'
      ? solved.islandRatesBp.includes(line.rateBp)
      : charges === 'other' && line.untaxed === null && line.taxCents !== 0
  if (taxLines.value !== null)
    taxLines.value = taxLines.value.map((line) =>
      isCost(line) ? untaxedLine(line.baseCents + line.taxCents, 'cost') : line,
    )
  // A document that gives back states it with or without its sign.
  const { value: total } = money.fields.total
  if (total === null || total <= 0) return money
  if (isCreditTitle) return negated(money)
  return mentionsCredit ? doubted(money, 'credit_sign') : money
}
