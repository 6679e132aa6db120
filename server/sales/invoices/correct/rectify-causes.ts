/** Causes of a rectification, the kind of rectifying invoice of each, and the conditions of the law. Pure. */
import type { BusinessDate } from '../../../domain/dates.ts'
import { addDays } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Cents } from '../../../domain/money.ts'

export const RECTIFY_CAUSES = [
  'returned_goods',
  'returned_packaging',
  'discount',
  'period_discount',
  'price_change',
  'cancelled_operation',
  'provisional_price',
  'wrong_vat',
  'wrong_amount',
  'wrong_client',
  'wrong_text',
  'insolvency',
  'uncollectible',
  'other',
] as const
export type RectifyCause = (typeof RECTIFY_CAUSES)[number]

/** Method of a rectifying invoice: S states the right figures in place of the old ones, I the difference. */
export type RectifyMethod = 'S' | 'I'
type RectifyingKind = 'R1' | 'R2' | 'R3' | 'R4' | 'R5'
type OriginalKind = 'F1' | 'F2' | 'F3' | RectifyingKind

interface CauseFacts {
  /** For a complete invoice; a ticket is always rectified by R5. */
  kind: Exclude<RectifyingKind, 'R5'>
  /** Law that the kind follows from. */
  article: string
  /** Reason for this kind, in one sentence. */
  why: string
  /** The first one is the default. */
  methods: readonly [RectifyMethod, ...RectifyMethod[]]
}

/**
 * Kind of each cause, by the registry's list L2: R1 article 80.Uno, 80.Dos and 80.Seis LIVA and errors founded in
 * law, R2 article 80.Tres, R3 article 80.Cuatro, R4 everything else, R5 every rectification of a ticket.
 */
export const CAUSES: Readonly<Record<RectifyCause, CauseFacts>> = {
  returned_goods: {
    kind: 'R1',
    article: 'art. 80.Dos LIVA',
    why: 'Goods that come back leave the sale without effect, wholly or in part.',
    methods: ['I', 'S'],
  },
  returned_packaging: {
    kind: 'R1',
    article: 'art. 80.Uno.1.º LIVA',
    why: 'Returned packaging reduces the base by what was charged for it.',
    methods: ['I', 'S'],
  },
  discount: {
    kind: 'R1',
    article: 'art. 80.Uno.2.º LIVA',
    why: 'A discount given after the invoice reduces its base.',
    methods: ['I', 'S'],
  },
  period_discount: {
    kind: 'R1',
    article: 'art. 80.Uno.2.º LIVA and art. 15.4 RD 1619/2012',
    why: 'A discount on the sales of a period reduces their base; the period is named instead of each invoice.',
    methods: ['I'],
  },
  price_change: {
    kind: 'R1',
    article: 'art. 80.Dos LIVA',
    why: 'The price was changed by agreement after the sale.',
    methods: ['I', 'S'],
  },
  cancelled_operation: {
    kind: 'R1',
    article: 'art. 80.Dos LIVA',
    why: 'The operation was left without effect, by agreement, by the contract or by a ruling.',
    methods: ['I', 'S'],
  },
  provisional_price: {
    kind: 'R1',
    article: 'art. 80.Seis LIVA',
    why: 'The amount was not known when the VAT fell due, and the provisional one is corrected.',
    methods: ['I', 'S'],
  },
  wrong_vat: {
    kind: 'R1',
    article: 'art. 89.Uno LIVA',
    why: 'VAT charged against the law (wrong rate, exempt, or not charged) is an error founded in law.',
    methods: ['S', 'I'],
  },
  wrong_amount: {
    kind: 'R4',
    article: 'art. 15 RD 1619/2012',
    why: 'A quantity or price typed wrong is a plain mistake: the price agreed never changed.',
    methods: ['S', 'I'],
  },
  wrong_client: {
    kind: 'R4',
    article: 'art. 15.1 RD 1619/2012',
    why: "The customer's data must stand on the invoice as they are.",
    methods: ['S'],
  },
  wrong_text: {
    kind: 'R4',
    article: 'art. 15.1 RD 1619/2012',
    why: 'A description, a date or a legal mention is missing or wrong.',
    methods: ['S'],
  },
  insolvency: {
    kind: 'R2',
    article: 'art. 80.Tres LIVA',
    why: 'The customer was declared insolvent by a court and has not paid.',
    methods: ['I'],
  },
  uncollectible: {
    kind: 'R3',
    article: 'art. 80.Cuatro LIVA',
    why: 'The invoice was claimed and is still unpaid after the term of the law.',
    methods: ['I'],
  },
  other: {
    kind: 'R4',
    article: 'art. 15 RD 1619/2012',
    why: 'None of the causes with a kind of their own.',
    methods: ['I', 'S'],
  },
}

export interface KindChoice {
  kind: RectifyingKind
  article: string
  why: string
}

/**
 * Returns the kind that rectifies an invoice for a cause; null when the cause does not fit the invoice (an unnamed
 * debtor).
 */
export function rectificationKind(cause: RectifyCause, original: OriginalKind): KindChoice | null {
  const { kind, article, why } = CAUSES[cause]
  if (original !== 'F2' && original !== 'R5') return { kind, article, why }
  // Both require a notice to the customer, the administrator or the authority that names the debtor: a ticket names
  // nobody.
  if (kind === 'R2' || kind === 'R3') return null
  return {
    kind: 'R5',
    article: `${article} and art. 15 RD 1619/2012`,
    why: `${why} What it rectifies is a ticket.`,
  }
}

// ---- Terms of the law, as dated rows. ----

interface Dated {
  from: BusinessDate
  /** Null: still in force. */
  to: BusinessDate | null
  source: string
}

/** Years within which an invoice can be rectified. */
const RECTIFY_YEARS: readonly (Dated & { years: number })[] = [
  { from: '1993-01-01', to: null, years: 4, source: 'art. 89.Uno LIVA; art. 15.3 RD 1619/2012' },
]

/** Insolvency: period after the publication of the court order within which the invoice can be rectified. */
const INSOLVENCY_TERMS: readonly (Dated & { monthsAfterPublication: number })[] = [
  {
    from: '2015-01-01',
    to: null,
    monthsAfterPublication: 3,
    source: 'art. 80.Tres LIVA (Ley 28/2014): two months after the month given to creditors',
  },
]

/** Uncollectible: start and length of the period, and the lowest base when the customer is no business. */
const UNCOLLECTIBLE_TERMS: readonly (Dated & {
  shortMonths: number
  longMonths: number
  windowMonths: number
  consumerBaseCents: Cents
  smallTurnoverCents: Cents
})[] = [
  {
    from: '2015-01-01',
    to: '2022-12-31',
    shortMonths: 6,
    longMonths: 12,
    windowMonths: 3,
    consumerBaseCents: 30_000,
    smallTurnoverCents: 601_012_104,
    source: 'art. 80.Cuatro LIVA (Ley 28/2014)',
  },
  {
    from: '2023-01-01',
    to: null,
    shortMonths: 6,
    longMonths: 12,
    windowMonths: 6,
    consumerBaseCents: 5_000,
    smallTurnoverCents: 601_012_104,
    source: 'art. 80.Cuatro LIVA (Ley 31/2022)',
  },
]

function inForce<Row extends Dated>(rows: readonly Row[], date: BusinessDate): Row {
  const row = rows.find((each) => each.from <= date && (each.to === null || date <= each.to)) ?? rows.at(-1)
  if (!row) throw new Error('A table of the law has no rows.')
  return row
}

/** Returns the day some months later; the last of the month if it has no such day. */
export function addMonths(date: BusinessDate, months: number): BusinessDate {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return `${first.toISOString().slice(0, 8)}${String(Math.min(day, last)).padStart(2, '0')}`
}

interface TermFacts {
  /** Null when none is chosen. */
  cause: RectifyCause | null
  issueDate: BusinessDate
  /** Day on which the VAT of the earliest original fell due; null when no original is named. */
  accrualDate: BusinessDate | null
  /** Present base of the originals; null when unknown. */
  baseCents: Cents | null
}

type FaultDetails = Pick<Fault, 'code' | 'message' | 'fix'> & Partial<Fault>
const warning = (fault: FaultDetails): Fault => ({ severity: 'warning', field: 'rectification', ...fault })

/** Returns warnings about the terms and conditions of the law that Sello cannot verify. */
export function termWarnings({ cause, issueDate, accrualDate, baseCents }: TermFacts): Fault[] {
  const faults: Fault[] = []
  const { years } = inForce(RECTIFY_YEARS, issueDate)
  if (accrualDate !== null && issueDate > addMonths(accrualDate, 12 * years))
    faults.push(
      warning({
        code: 'rectify_too_late',
        message: `More than ${years} years have passed since the operation: its VAT can no longer be changed.`,
        fix: 'Ask your adviser before you issue it.',
        params: { years },
      }),
    )
  if (cause === 'insolvency') faults.push(...insolvencyWarnings(issueDate))
  if (cause === 'uncollectible') faults.push(...uncollectibleWarnings(issueDate, accrualDate, baseCents))
  return faults
}

function insolvencyWarnings(issueDate: BusinessDate): Fault[] {
  const { monthsAfterPublication } = inForce(INSOLVENCY_TERMS, issueDate)
  return [
    warning({
      code: 'insolvency_term',
      message: `The invoice must be older than the court's order, and rectified within ${monthsAfterPublication} months of its publication in the official gazette.`,
      fix: 'Check the day of the publication; send the invoice to the customer and to the administrator.',
      params: { months: monthsAfterPublication },
    }),
    toldToAuthority,
    stillOwed,
  ]
}

function uncollectibleWarnings(
  issueDate: BusinessDate,
  accrualDate: BusinessDate | null,
  baseCents: Cents | null,
): Fault[] {
  const term = inForce(UNCOLLECTIBLE_TERMS, issueDate)
  const faults: Fault[] = []
  if (accrualDate !== null && issueDate < addMonths(accrualDate, term.shortMonths))
    faults.push(
      warning({
        code: 'uncollectible_too_early',
        message: `The law asks for ${term.shortMonths} months without payment, ${term.longMonths} when the turnover of the year before was above 6,010,121.04 euros.`,
        fix: `Wait until ${addMonths(accrualDate, term.shortMonths)}.`,
        params: {
          short: term.shortMonths,
          long: term.longMonths,
          date: addMonths(accrualDate, term.shortMonths),
        },
      }),
    )
  else if (accrualDate !== null && issueDate > addMonths(accrualDate, term.longMonths + term.windowMonths))
    faults.push(
      warning({
        code: 'uncollectible_too_late',
        message: `The ${term.windowMonths} months in which it could be rectified seem to be over.`,
        fix: 'Check with your adviser from which day they count: sales in instalments count from each due date.',
        params: { window: term.windowMonths },
      }),
    )
  faults.push(
    warning({
      code: 'uncollectible_claimed',
      message: 'The payment must have been claimed in court, by a notary or by other means that prove it.',
      fix: 'Keep the proof of the claim.',
    }),
  )
  if (baseCents !== null && baseCents <= term.consumerBaseCents)
    faults.push(
      warning({
        code: 'uncollectible_small',
        message: `With a base up to ${term.consumerBaseCents / 100} euros only the debt of a business can be rectified.`,
        fix: 'Check that the customer is a business or a professional.',
        params: { amount: term.consumerBaseCents / 100 },
      }),
    )
  faults.push(toldToAuthority, stillOwed)
  return faults
}

const toldToAuthority = warning({
  code: 'rectify_tell_authority',
  message: 'The authority has to be told within a month of the issue (form 952).',
  fix: 'File form 952 and keep the proof that the customer got the invoice.',
})

const stillOwed = warning({
  code: 'rectify_still_owed',
  message: 'The customer still owes the base: only the VAT is taken back.',
  fix: 'Go on claiming the base.',
})

/** Returns the last day on which an invoice of this accrual can be rectified. */
export function lastDayToRectify(accrualDate: BusinessDate): BusinessDate {
  return addDays(addMonths(accrualDate, 12 * inForce(RECTIFY_YEARS, accrualDate).years), 0)
}
