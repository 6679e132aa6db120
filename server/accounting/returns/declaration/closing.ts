/**
 * Checks that the boxes of a return close, before a file is written: sums as the layouts state them, and rules between
 * boxes that are no sums. Source: the agency's designs of
 * records.
 */
import type { Fault } from '../../../domain/errors/app-error.ts'
import { percentOf } from '../../../domain/money.ts'
import { ACTIVITIES_131 } from '../models/typed/model-131.ts'
import { layoutFor } from '../files/layout.ts'
import type { FileModel } from '../files/layout.ts'

/** Values by box, in cents or as a plain count; what is missing is 0. */
export type Boxes = Readonly<Record<string, number>>

interface Rule {
  box: string
  /** The value that the other boxes demand, from a reader of boxes. */
  wanted: (box: (name: string) => number) => number
  text: string
  /** The box is a count, not an amount. */
  isCount?: true
}

/** Share of the net yield that is paid by quarters, in basis points (RIRPF art. 110.1.a). */
const INSTALMENT_BP = 2_000

const sumOf =
  (...names: readonly string[]) =>
  (box: (name: string) => number): number =>
    names.reduce((sum, name) => sum + box(name), 0)

const ofActivities = (name: string): string[] =>
  Array.from({ length: ACTIVITIES_131 }, (_, at) => `${name}${at + 1}`)

/** Rules besides the sums, by model. */
const RULES: Partial<Record<FileModel, readonly Rule[]>> = {
  '303': [
    // The part of the State, in hundredths of a percent: 100 % in the common territory.
    { box: '66', wanted: (box) => percentOf(box('64'), box('65')), text: '64 × 65 %' },
    { box: '87', wanted: (box) => box('110') - box('78'), text: '110 − 78' },
  ],
  '130': [
    {
      box: '04',
      wanted: (box) => percentOf(Math.max(0, box('03')), INSTALMENT_BP),
      text: '20 % × 03, never negative',
    },
    // Never below zero (RIRPF art. 110.1 and the design of the record).
    { box: '12', wanted: (box) => Math.max(0, box('07') + box('11')), text: '07 + 11, never negative' },
  ],
  // The designs of 131 and 123 name these boxes "sum", "total" and "difference" (Orden EHA/672/2007; DR123e24).
  '131': [
    { box: '01', wanted: sumOf(...ofActivities('yield')), text: 'I.1 + … + I.5' },
    { box: '02', wanted: sumOf(...ofActivities('part')), text: 'I.1 + … + I.5' },
    { box: '07', wanted: sumOf('02', '04', '06'), text: '02 + 04 + 06' },
    { box: '10', wanted: (box) => box('07') - box('08') - box('09'), text: '07 − 08 − 09' },
    { box: '13', wanted: (box) => box('10') - box('11') - box('12'), text: '10 − 11 − 12' },
    { box: '15', wanted: (box) => box('13') - box('14'), text: '13 − 14' },
  ],
  '123': [
    {
      box: '03',
      // Whoever was paid income of both classes may count once.
      wanted: (box) => Math.min(Math.max(box('03'), box('01'), box('02')), box('01') + box('02')),
      text: '01 + 02',
      isCount: true,
    },
    { box: '06', wanted: sumOf('04', '05'), text: '04 + 05' },
    { box: '09', wanted: sumOf('07', '08'), text: '07 + 08' },
  ],
}

/** Sums of a layout that a rule above replaces: the form cuts them at zero. */
const REPLACED: Partial<Record<FileModel, readonly string[]>> = { '130': ['12'] }

function termsOf(sum: string): [box: string, sign: 1 | -1][] {
  return [...sum.matchAll(/([+-]?)([\w/]+)/g)].map(([, sign, box = '']) => [box, sign === '-' ? -1 : 1])
}

/** Returns a fault for each box whose value is not what the others demand. */
export async function faultsOfClosing(model: FileModel, year: number, boxes: Boxes): Promise<Fault[]> {
  const layout = await layoutFor(model, year)
  const valueOf = (box: string): number => boxes[box] ?? 0
  const faults: Fault[] = []
  const compare = (box: string, wanted: number, text: string, unit = 100): void => {
    if (valueOf(box) === wanted) return
    faults.push({
      code: 'boxes_do_not_close',
      field: `boxes.${box}`,
      severity: 'error',
      message: `Box ${box} is not ${text}.`,
      fix: 'Check the boxes that a person typed.',
      params: { box, rule: text, value: valueOf(box) / unit, expected: wanted / unit },
    })
  }
  for (const fields of Object.values(layout.records))
    for (const { key, sum } of fields) {
      if (sum === undefined || REPLACED[model]?.includes(key)) continue
      compare(
        key,
        termsOf(sum).reduce((total, [box, sign]) => total + sign * valueOf(box), 0),
        sum.replaceAll('+', ' + ').replaceAll('-', ' − '),
      )
    }
  for (const { box, wanted, text, isCount } of RULES[model] ?? [])
    compare(box, wanted(valueOf), text, isCount ? 1 : 100)
  return faults
}
