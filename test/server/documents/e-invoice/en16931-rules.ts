/**
 * Business rules of EN 16931-1 (table of rules, clause 6.4) that Sello's output could break, each as a check of the
 * read file. VAT amounts may differ from base times rate by up to one unit of currency, as the published checks of
 * CEN/TC 434 allow (BR-CO-17, BR-S-9…): with prices that include tax, or two regimes at one rate, differences of
 * cents are unavoidable.
 */
import type { Allowance, Breakdown, Line, Model } from './model.ts'

type Rule = readonly [id: string, isBroken: (model: Model) => boolean]

/** Returns exact hundredths of a decimal text; NaN when it is not one. */
function cents(text: string | null): number {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text ?? '')
  if (!match) return Number.NaN
  const [, sign, whole = '', fraction = ''] = match
  const value = Number(whole) * 100 + Number(fraction.padEnd(2, '0').slice(0, 2))
  return sign ? -value : value
}
const decimals = (text: string | null): number => /\.(\d+)$/.exec(text ?? '')?.[1]?.length ?? 0
const sum = (values: readonly (string | null)[]): number => values.reduce((all, each) => all + cents(each), 0)
const missing = (text: string | null | undefined): boolean =>
  text === null || text === undefined || text.trim() === ''

const of = (model: Model, isCharge: boolean): Allowance[] =>
  model.allowances.filter((each) => each.isCharge === isCharge)
const everyAmount = (model: Model): (string | null)[] => [
  ...model.allowances.map(({ amount }) => amount),
  ...model.lines.flatMap((line) => [line.net, ...line.allowances.map(({ amount }) => amount)]),
  ...model.breakdowns.flatMap(({ base, tax }) => [base, tax]),
  model.linesTotal,
  model.allowancesTotal,
  model.chargesTotal,
  model.base,
  model.tax,
  model.taxInAccounting,
  model.total,
  model.paid,
  model.due,
]

const general: readonly Rule[] = [
  ['BR-1', (m) => missing(m.specification)],
  ['BR-2', (m) => missing(m.number)],
  ['BR-3', (m) => !/^\d{4}-\d\d-\d\d$/.test(m.issueDate ?? '')],
  ['BR-4', (m) => !['380', '381', '384', '389', '261', '471', '751'].includes(m.typeCode ?? '')],
  ['BR-5', (m) => !/^[A-Z]{3}$/.test(m.currency ?? '')],
  ['BR-6', (m) => missing(m.seller.name)],
  ['BR-7', (m) => missing(m.buyer.name)],
  ['BR-8', (m) => !m.seller.hasAddress],
  ['BR-9', (m) => !/^[A-Z]{2}$/.test(m.seller.country ?? '')],
  ['BR-10', (m) => !m.buyer.hasAddress],
  ['BR-11', (m) => !/^[A-Z]{2}$/.test(m.buyer.country ?? '')],
  ['BR-12', (m) => missing(m.linesTotal)],
  ['BR-13', (m) => missing(m.base)],
  ['BR-14', (m) => missing(m.total)],
  ['BR-15', (m) => missing(m.due)],
  ['BR-16', (m) => m.lines.length === 0],
  ['BR-21', (m) => m.lines.some(({ id }) => missing(id))],
  ['BR-22', (m) => m.lines.some(({ quantity }) => missing(quantity))],
  ['BR-23', (m) => m.lines.some(({ unit }) => !/^[A-Z0-9]{2,3}$/.test(unit ?? ''))],
  ['BR-24', (m) => m.lines.some(({ net }) => missing(net))],
  ['BR-25', (m) => m.lines.some(({ name }) => missing(name))],
  ['BR-26', (m) => m.lines.some(({ price }) => missing(price))],
  ['BR-27', (m) => m.lines.some(({ price }) => (price ?? '').startsWith('-'))],
  ['BR-31', (m) => of(m, false).some(({ amount }) => missing(amount))],
  ['BR-32', (m) => of(m, false).some(({ code }) => missing(code))],
  ['BR-33', (m) => of(m, false).some(({ reason, reasonCode }) => missing(reason) && missing(reasonCode))],
  ['BR-36', (m) => of(m, true).some(({ amount }) => missing(amount))],
  ['BR-37', (m) => of(m, true).some(({ code }) => missing(code))],
  ['BR-38', (m) => of(m, true).some(({ reason, reasonCode }) => missing(reason) && missing(reasonCode))],
  ['BR-41', (m) => m.lines.some((l) => l.allowances.some((a) => missing(a.amount)))],
  ['BR-42', (m) => m.lines.some((l) => l.allowances.some((a) => missing(a.reason) && missing(a.reasonCode)))],
  ['BR-45', (m) => m.breakdowns.some(({ base }) => missing(base))],
  ['BR-46', (m) => m.breakdowns.some(({ tax }) => missing(tax))],
  ['BR-47', (m) => m.breakdowns.some(({ code }) => missing(code))],
  ['BR-48', (m) => m.breakdowns.some(({ code, rate }) => code !== 'O' && missing(rate))],
  ['BR-49', (m) => m.means !== null && missing(m.means.code)],
  ['BR-53', (m) => m.taxCurrency !== null && missing(m.taxInAccounting)],
  ['BR-55', (m) => m.preceding.some(({ number }) => missing(number))],
  ['BR-61', (m) => ['30', '58'].includes(m.means?.code ?? '') && missing(m.means?.iban)],
  ['BR-62', (m) => m.seller.endpoint !== null && missing(m.seller.endpointScheme)],
  ['BR-63', (m) => m.buyer.endpoint !== null && missing(m.buyer.endpointScheme)],
]

const calculations: readonly Rule[] = [
  ['BR-CO-4', (m) => m.lines.some(({ code }) => missing(code))],
  ['BR-CO-9', (m) => [m.seller.vat, m.buyer.vat].some((vat) => vat !== null && !/^[A-Z]{2}/.test(vat))],
  ['BR-CO-10', (m) => cents(m.linesTotal) !== sum(m.lines.map(({ net }) => net))],
  ['BR-CO-11', (m) => cents(m.allowancesTotal ?? '0') !== sum(of(m, false).map(({ amount }) => amount))],
  ['BR-CO-12', (m) => cents(m.chargesTotal ?? '0') !== sum(of(m, true).map(({ amount }) => amount))],
  [
    'BR-CO-13',
    (m) =>
      cents(m.base) !== cents(m.linesTotal) - cents(m.allowancesTotal ?? '0') + cents(m.chargesTotal ?? '0'),
  ],
  ['BR-CO-14', (m) => cents(m.tax) !== sum(m.breakdowns.map(({ tax }) => tax))],
  ['BR-CO-15', (m) => cents(m.total) !== cents(m.base) + cents(m.tax)],
  ['BR-CO-16', (m) => cents(m.due) !== cents(m.total) - cents(m.paid ?? '0')],
  ['BR-CO-17', (m) => m.breakdowns.some((each) => Math.abs(cents(each.tax) - product(each)) >= 100)],
  ['BR-CO-18', (m) => m.breakdowns.length === 0],
  ['BR-CO-25', (m) => cents(m.due) > 0 && missing(m.dueDate) && missing(m.terms)],
  ['BR-CO-26', (m) => missing(m.seller.id) && missing(m.seller.legalId) && missing(m.seller.vat)],
  ['BR-DEC-1', (m) => everyAmount(m).some((amount) => decimals(amount) > 2)],
]

/** Returns base times rate in hundredths. */
const product = ({ base, rate }: Breakdown): number => Math.round((cents(base) * Number(rate ?? '0')) / 100)

const CATEGORIES = ['S', 'Z', 'E', 'AE', 'IC', 'G', 'O', 'AF', 'AG'] as const
type CategoryName = (typeof CATEGORIES)[number]

/** Code of each category, by its name in the rules. */
const CODE: Record<CategoryName, string> = {
  S: 'S',
  Z: 'Z',
  E: 'E',
  AE: 'AE',
  IC: 'K',
  G: 'G',
  O: 'O',
  AF: 'L',
  AG: 'M',
}
const RATED: readonly CategoryName[] = ['S', 'AF', 'AG']
const REASONED: readonly CategoryName[] = ['E', 'AE', 'IC', 'G', 'O']

/** Returns rules 1 to 10 of a category, whose requirements differ. */
function rulesOf(name: CategoryName): Rule[] {
  const code = CODE[name]
  const lines = (m: Model): Line[] => m.lines.filter((each) => each.code === code)
  const parts = (m: Model) => [...lines(m), ...m.allowances.filter((each) => each.code === code)]
  const taxes = (m: Model): Breakdown[] => m.breakdowns.filter((each) => each.code === code)
  const rateFault = (rate: string | null): boolean => {
    if (name === 'O') return rate !== null
    if (name === 'S') return !(Number(rate) > 0)
    return RATED.includes(name) ? !(Number(rate) >= 0) || rate === null : rate === null || Number(rate) !== 0
  }
  const sameRate = (a: string | null, b: string | null) => Number(a ?? '0') === Number(b ?? '0')
  /** Returns lines and charges less allowances of a category, and of a rate where it has rates. */
  const baseOf = (m: Model, rate: string | null): number => {
    const counts = (each: { code: string | null; rate: string | null }) =>
      each.code === code && (!RATED.includes(name) || sameRate(each.rate, rate))
    return (
      sum(m.lines.filter(counts).map(({ net }) => net)) -
      sum(
        of(m, false)
          .filter(counts)
          .map(({ amount }) => amount),
      ) +
      sum(
        of(m, true)
          .filter(counts)
          .map(({ amount }) => amount),
      )
    )
  }
  const isPartyFault = (m: Model): boolean => {
    if (parts(m).length === 0) return false
    if (name === 'O') return m.seller.vat !== null || m.buyer.vat !== null
    if (missing(m.seller.vat)) return true
    if (name === 'AE') return missing(m.buyer.vat) && missing(m.buyer.legalId)
    return name === 'IC' && missing(m.buyer.vat)
  }
  const rules: Rule[] = [
    [
      `BR-${name}-1`,
      (m) => {
        if (parts(m).length === 0) return taxes(m).length !== 0
        return RATED.includes(name) ? taxes(m).length === 0 : taxes(m).length !== 1
      },
    ],
    [`BR-${name}-2`, isPartyFault],
    [`BR-${name}-5`, (m) => lines(m).some(({ rate }) => rateFault(rate))],
    [
      `BR-${name}-6`,
      (m) => m.allowances.some((each) => each.code === code && !each.isCharge && rateFault(each.rate)),
    ],
    [
      `BR-${name}-7`,
      (m) => m.allowances.some((each) => each.code === code && each.isCharge && rateFault(each.rate)),
    ],
    [`BR-${name}-8`, (m) => taxes(m).some((each) => cents(each.base) !== baseOf(m, each.rate))],
    [
      `BR-${name}-9`,
      (m) =>
        taxes(m).some((each) =>
          RATED.includes(name) ? Math.abs(cents(each.tax) - product(each)) >= 100 : cents(each.tax) !== 0,
        ),
    ],
    [
      `BR-${name}-10`,
      (m) =>
        taxes(m).some((each) =>
          REASONED.includes(name)
            ? missing(each.reason) && missing(each.reasonCode)
            : !missing(each.reason) || !missing(each.reasonCode),
        ),
    ],
  ]
  return rules
}

const others: readonly Rule[] = [
  ['BR-IC-11', (m) => has(m, 'K') && missing(m.deliveryDate)],
  ['BR-IC-12', (m) => has(m, 'K') && missing(m.deliverTo)],
  ['BR-O-11', (m) => has(m, 'O') && m.breakdowns.some(({ code }) => code !== 'O')],
  ['BR-O-12', (m) => has(m, 'O') && m.lines.some(({ code }) => code !== 'O')],
  ['BR-O-13', (m) => has(m, 'O') && of(m, false).some(({ code }) => code !== 'O')],
  ['BR-O-14', (m) => has(m, 'O') && of(m, true).some(({ code }) => code !== 'O')],
]
const has = (m: Model, code: string): boolean => m.breakdowns.some((each) => each.code === code)

/**
 * Our own rule beyond the standard: each line is its quantity times its price less its allowances (as Peppol
 * requires).
 */
const own: readonly Rule[] = [
  [
    'LINE',
    (m) =>
      m.lines.some((line) => {
        const exact = BigInt(micro(line.quantity)) * BigInt(micro(line.price))
        const listed = Number(
          (exact < 0n ? exact - 5_000_000_000n : exact + 5_000_000_000n) / 10_000_000_000n,
        )
        const less = line.allowances.map((a) => (a.isCharge ? -1 : 1) * cents(a.amount))
        return cents(line.net) !== listed - less.reduce((all, each) => all + each, 0)
      }),
  ],
  [
    'ONE-PER-RATE',
    (m) => new Set(m.breakdowns.map(({ code, rate }) => `${code} ${rate}`)).size !== m.breakdowns.length,
  ],
  ['NO-NEGATIVE-ALLOWANCE', (m) => m.allowances.some(({ amount }) => cents(amount) < 0)],
]

function micro(text: string | null): string {
  const [whole = '0', fraction = ''] = (text ?? '0').split('.')
  return `${whole}${fraction.padEnd(6, '0').slice(0, 6)}`
}

export const RULES: readonly Rule[] = [
  ...general,
  ...calculations,
  ...CATEGORIES.flatMap(rulesOf),
  ...others,
  ...own,
]

/** Returns the rules that a file breaks. */
export function brokenRules(model: Model): string[] {
  return RULES.flatMap(([id, isBroken]) => (isBroken(model) ? [id] : []))
}
