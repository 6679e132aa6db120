/**
 * The sums of the page models, written down apart from the program's own: a mistake there must not be repeated here.
 * Source: the tax agency's designs of records 303 (2026), 130, 111 (2019), 115 (2019), 123 (2024) and 131 (2026).
 */
import { finding } from '../findings.ts'
import type { Finding } from '../findings.ts'

/** Boxes of a return in cents (counts and rates in the unit of their field); an empty one is 0. */
export type Boxes = (box: string) => number

interface Sum {
  box: string
  /** The boxes that it adds, and those it takes off with a minus. */
  of: string
  /** Further rule of the sum. */
  then?: (sum: number) => number
}

const SUMS: Readonly<Record<string, readonly Sum[]>> = {
  '303': [
    { box: '27', of: '152 167 03 155 06 09 11 13 15 158 170 18 21 24 26' },
    { box: '45', of: '29 31 33 35 37 39 41 42 43 44' },
    { box: '46', of: '27 -45' },
    { box: '64', of: '46 58 76' },
    { box: '87', of: '110 -78' },
    { box: '69', of: '66 77 -78 68 108' },
    { box: '71', of: '69 -70 109 -112' },
  ],
  '130': [
    { box: '03', of: '01 -02' },
    { box: '04', of: '03', then: (net) => Math.max(0, hundredth(net * 20)) },
    { box: '07', of: '04 -05 -06' },
    { box: '11', of: '09 -10' },
    { box: '12', of: '07 11', then: (sum) => Math.max(0, sum) },
    { box: '14', of: '12 -13' },
    { box: '17', of: '14 -15 -16' },
    { box: '19', of: '17 -18' },
  ],
  '111': [
    { box: '28', of: '03 06 09 12 15 18 21 24 27' },
    { box: '30', of: '28 -29' },
  ],
  '115': [{ box: '05', of: '03 -04' }],
  '123': [
    { box: '06', of: '04 05' },
    { box: '09', of: '07 08' },
    { box: '12', of: '09 11' },
    { box: '14', of: '12 -13' },
  ],
  '131': [
    { box: '01', of: 'yield1 yield2 yield3 yield4 yield5' },
    { box: '02', of: 'part1 part2 part3 part4 part5' },
    { box: '07', of: '02 04 06' },
    { box: '10', of: '07 -08 -09' },
    { box: '13', of: '10 -11 -12' },
    { box: '15', of: '13 -14' },
  ],
}

/** Boxes that are a rounded share: one cent more or less is no mistake. */
const ROUNDED: Readonly<Record<string, readonly string[]>> = { '130': ['04'] }

/** Returns a hundredth, rounded half away from zero. */
function hundredth(amount: number): number {
  return Math.sign(amount) * Math.floor((Math.abs(amount) + 50) / 100)
}

/** Returns a finding for each box that is not the sum of the others. */
export function sumFindings(model: string, boxes: Boxes): Finding[] {
  const wrong = (SUMS[model] ?? []).filter(({ box, of, then }) => {
    const sum = of
      .split(' ')
      .reduce((total, each) => total + (each.startsWith('-') ? -boxes(each.slice(1)) : boxes(each)), 0)
    const slack = ROUNDED[model]?.includes(box) ? 1 : 0
    return Math.abs((then ? then(sum) : sum) - boxes(box)) > slack
  })
  const share = model === '303' ? shareFindings(boxes) : []
  const counted = model === '123' ? countFindings(boxes) : []
  return [...wrong.map(({ box }) => finding('S0202', box)), ...share, ...counted]
}

/** Whoever has income of both classes may count once in the total of the 123. */
function countFindings(boxes: Boxes): Finding[] {
  const [dividends, other, total] = [boxes('01'), boxes('02'), boxes('03')]
  const isRight = total >= Math.max(dividends, other) && total <= dividends + other
  return isRight ? [] : [finding('S0202', '03')]
}

/** Box 66 is the share of box 64 that belongs to the State, in hundredths of a percent in box 65. */
function shareFindings(boxes: Boxes): Finding[] {
  const [total, share] = [boxes('64'), boxes('65')]
  if (share > 10_000 || (share === 0 && total !== 0)) return [finding('S0203')]
  const exact = (BigInt(total) * BigInt(share)) / 10_000n
  return Math.abs(Number(exact) - boxes('66')) > 1 ? [finding('S0202', '66')] : []
}

const RESULTS: Readonly<Record<string, string>> = {
  '303': '71',
  '130': '19',
  '131': '15',
  '111': '30',
  '115': '05',
  '123': '14',
}

/** Returns the result of a return in cents: positive to pay. 0 for the 390, which has none. */
export function resultOf(model: string, boxes: Boxes): number {
  const box = RESULTS[model]
  return box === undefined ? 0 : boxes(box)
}

/** The box of what was paid before, which only a complementary return has. */
const PAID_BEFORE: Readonly<Record<string, string>> = {
  '130': '18',
  '131': '14',
  '111': '29',
  '115': '04',
  '123': '13',
}

/** Returns what a complementary return says was paid before, in cents; null for a model that does not say it. */
export function paidBeforeOf(model: string, boxes: Boxes): number | null {
  const box = PAID_BEFORE[model]
  return box === undefined ? null : boxes(box)
}
