/** The marks, pages and figures of a 303 that depend on its period. Source: notes of the design of record 303 (2026). */
import type { RecordValues } from '../../files/record.ts'
import { finding } from '../findings.ts'
import type { Finding } from '../findings.ts'
import type { Boxes } from './boxes.ts'
import { isLastOfYear } from './periods.ts'

const ALWAYS = [
  'foralOnly',
  'monthlyRefunds',
  'simplified',
  'jointReturn',
  'cashAccounting',
  'cashAccountingReceived',
  'optsForProrata',
  'revokesProrata',
  'insolvency',
  'voluntarySii',
]

/** Figures that are no amounts: the share of the State, and the fixed rates. */
const SHARE_BOX = '65'

interface Form303 {
  period: string
  /** Values of the pages 01000 and 03000. */
  first: RecordValues
  last: RecordValues
  /** Names of all pages. */
  pages: readonly string[]
  boxes: Boxes
}

/** Returns what is wrong with marks and pages. */
export function markFindings(form: Form303): Finding[] {
  const { period, first, pages, boxes } = form
  const mark = (key: string): number => Number(first[key] ?? 0)
  const isLast = isLastOfYear(period)
  const found = ALWAYS.filter((key) => mark(key) === 0).map((key) => finding('S0205', key))
  const expect = (holds: boolean, key: string) => {
    if (!holds) found.push(finding('S0205', key))
  }
  expect(isLast || mark('optsForProrata') !== 1, 'optsForProrata')
  expect(isLast || mark('revokesProrata') !== 1, 'revokesProrata')
  expect((mark('excusedFrom390') === 0) === !isLast, 'excusedFrom390')
  const isExcused = isLast && mark('excusedFrom390') === 1
  expect((mark('turnoverNotZero') === 0) === !isExcused, 'turnoverNotZero')
  if (isExcused && mark('turnoverNotZero') === 2 && boxes('88') !== 0) found.push(finding('30650'))
  const mustSayFuel = /^\d\d$/.test(period) && period !== '01'
  expect((mark('fuelPayments') === 0) === !mustSayFuel, 'fuelPayments')
  expect(boxes('112') === 0 || mark('fuelPayments') === 1, '112')
  if (pages.includes('02000') !== (mark('simplified') === 1 || mark('simplified') === 2))
    found.push(finding('S0104', '02000'))
  if (pages.includes('04000') && !isExcused) found.push(finding('S0104', '04000'))
  if (boxes('78') > boxes('110')) found.push(finding('S0204'))
  return [...found, ...rectificationFindings(form), ...activityFindings(form)]
}

/** Since the third quarter of 2024 a 303 is corrected by a rectifying one (Orden HAC/819/2024). */
function rectificationFindings({ last, boxes }: Form303): Finding[] {
  const has = (key: string): boolean => last[key] !== undefined
  const isRectifying = has('rectifying')
  const reasons = ['ordinaryRectification', 'disagreesWithCriterion'].filter(has)
  const details = ['previousReceipt', 'cancelsDebit', '111', ...reasons].filter(has)
  if (!isRectifying) return details.map((key) => finding('S0301', key))
  const found: Finding[] = []
  if (!has('previousReceipt')) found.push(finding('S0301', 'previousReceipt'))
  if (reasons.length !== 1) found.push(finding('S0301', 'ordinaryRectification'))
  if (boxes('108') !== 0 && !has('disagreesWithCriterion')) found.push(finding('S0301', '108'))
  if (boxes('111') > Math.max(0, -boxes('71'))) found.push(finding('S0301', '111'))
  return found
}

function activityFindings({ first, last }: Form303): Finding[] {
  if (last['noActivity'] === undefined) return []
  const isFigure = (key: string): boolean => /^\d+$/.test(key) && key !== SHARE_BOX
  const figures = [...Object.keys(first), ...Object.keys(last)].filter(isFigure)
  return figures.length > 0 || first['kind'] !== 'N' ? [finding('S0105', figures.join(' '))] : []
}
