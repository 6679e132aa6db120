/** Boxes and totals of a return's file, under the numbers that Sello's own computation gives them. Pure. */
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { FileRecord } from './file.ts'
import type { FileModel, Layout, LayoutField } from './layout.ts'
import type { RecordValues } from './record.ts'

export interface FileBox {
  box: string
  /** Page or record that states it. */
  record: string
  kind: 'amount' | 'percent' | 'count'
  /** Cents; hundredths of a percent; a plain count. */
  value: number
}

/** A total that the record of the filer states, and the sum of the records that it is of. */
interface TotalRule {
  key: string
  /** Number of the box in Sello's computation, if it has one. */
  box?: string
  /** Record that is counted or summed. */
  record: string
  /** Fields that are added up, each with its own sign; without them the records are counted. */
  of?: readonly string[]
  /** Field of the sign, if it is not named after the total. */
  sign?: string
}

const PAID = ['paid', 'inKind', 'incapacityPaid', 'incapacityInKind']
const WITHHELD = ['withheld', 'inKindWithheld', 'incapacityWithheld', 'incapacityInKindWithheld']

/** Source: the designs named in the layouts, record of type 1. */
const TOTALS: Partial<Record<FileModel, readonly TotalRule[]>> = {
  '180': [
    { key: 'recipients', box: '01', record: '2' },
    { key: 'total', box: '02', record: '2', of: ['base'] },
    { key: 'withheldTotal', box: '03', record: '2', of: ['withheld'] },
  ],
  '190': [
    { key: 'recipients', box: '01', record: '2' },
    { key: 'total', box: '02', record: '2', of: PAID },
    { key: 'withheldTotal', box: '03', record: '2', of: WITHHELD },
  ],
  '347': [
    { key: 'persons', box: '01', record: '2D' },
    { key: 'total', box: '02', record: '2D', of: ['amount'] },
    { key: 'premises', record: '2I' },
    { key: 'premisesTotal', record: '2I', of: ['rent'], sign: 'premisesSign' },
  ],
  '349': [
    { key: 'operators', box: '01', record: '2O' },
    { key: 'total', box: '02', record: '2O', of: ['amount'] },
    { key: 'rectifications', box: '03', record: '2R' },
    { key: 'rectifiedTotal', box: '04', record: '2R', of: ['amount'] },
  ],
}

export interface FileTotal {
  key: string
  kind: 'amount' | 'count'
  /** What the record of the filer states, and what its records come to: cents, or a count. */
  declared: number
  found: number
}

const numberOf = (value: number | string | undefined): number => (typeof value === 'number' ? value : 0)

/** Returns an amount with its sign, which records have in a field of its own; 0 if it is empty. */
function signed(values: RecordValues, key: string, sign = `${key}Sign`): number {
  const size = numberOf(values[key])
  return values[sign] === 'N' ? -size : size
}

/** Returns what a record of another person adds to the total of amounts, in cents. */
export function amountOf(model: FileModel, { record, values }: FileRecord): number {
  const rule = TOTALS[model]?.find((each) => each.record === record && each.of)
  return (rule?.of ?? []).reduce((sum, key) => sum + signed(values, key), 0)
}

/** Adds up the records of a file of the 347, 349, 190 or 180, one after another. */
export class TotalsOfRecords {
  readonly #rules: readonly TotalRule[]
  readonly #declared: RecordValues
  readonly #found: number[]

  /** `filer` contains the values of the first record. */
  constructor(model: FileModel, filer: RecordValues) {
    this.#rules = TOTALS[model] ?? []
    this.#declared = filer
    this.#found = this.#rules.map(() => 0)
  }

  /** Adds a record. Throws `validation_failed` if a sum has more digits than its total. */
  add({ record, values }: FileRecord): void {
    for (const [index, rule] of this.#rules.entries()) {
      if (rule.record !== record) continue
      const more = rule.of ? rule.of.reduce((sum, key) => sum + signed(values, key), 0) : 1
      const sum = (this.#found[index] ?? 0) + more
      if (!Number.isSafeInteger(sum))
        throw validationFailed([
          {
            code: 'not_in_layout',
            field: 'records[0]',
            severity: 'error',
            message: 'The amounts of the file come to more than its total can hold.',
          },
        ])
      this.#found[index] = sum
    }
  }

  totals(): FileTotal[] {
    return this.#rules.map(({ key, of, sign }, index) => ({
      key,
      kind: of ? 'amount' : 'count',
      declared: of ? signed(this.#declared, key, sign) : numberOf(this.#declared[key]),
      found: this.#found[index] ?? 0,
    }))
  }
}

/** Longest field of a percentage: three digits and two decimals. */
const PERCENT_LENGTH = 5

function boxKind({ decimals = 0, length }: LayoutField): FileBox['kind'] {
  if (decimals === 0) return 'count'
  return length <= PERCENT_LENGTH ? 'percent' : 'amount'
}

/** Returns the box of a field; undefined if it is none, or no figure that a filer chooses. */
function boxOfField({ key, box, as, is }: LayoutField): string | undefined {
  if (as === 'A' || as === 'An' || is !== undefined) return undefined
  return /^\d/.test(key) ? key : box
}

function boxesOfPages(layout: Layout, records: readonly FileRecord[]): FileBox[] {
  return records.flatMap(({ record, values }) =>
    (layout.records[record] ?? []).flatMap((field) => {
      const box = boxOfField(field)
      const value = numberOf(values[field.key])
      return box === undefined || value === 0 ? [] : [{ box, record, kind: boxKind(field), value }]
    }),
  )
}

/** The 369 numbers no boxes: its lines repeat the base and the tax of a country and rate. */
const OSS_STATE = /^state(\d+)$/

function boxesOf369(records: readonly FileRecord[]): FileBox[] {
  let base = 0
  const balances = new Map<string, number>()
  for (const { values } of records)
    for (const [key, state] of Object.entries(values)) {
      const at = OSS_STATE.exec(key)?.[1]
      if (at === undefined) continue
      base += numberOf(values[`base${at}`])
      const tax = numberOf(values[`tax${at}`]) + numberOf(values[`correctedTax${at}`])
      balances.set(String(state), (balances.get(String(state)) ?? 0) + tax)
    }
  // Each state refunds what is negative of its own: it lowers nothing of the others.
  const due = [...balances.values()].reduce((sum, balance) => sum + Math.max(0, balance), 0)
  return [
    { box: '01', record: '', kind: 'amount', value: base },
    { box: '02', record: '', kind: 'amount', value: due },
  ]
}

/**
 * Returns the boxes of a file that are not zero. Those of records are the totals of the first one; those of the 369 are
 * the sum of its bases, and what is due to all states whose balance, with corrections, is positive.
 */
export function boxesOf(layout: Layout, records: readonly FileRecord[]): FileBox[] {
  if (layout.model === '369') return boxesOf369(records)
  if (layout.kind === 'pages') return boxesOfPages(layout, records)
  const filer = records[0]?.values ?? {}
  return (TOTALS[layout.model] ?? []).flatMap(({ key, box, of, sign }) => {
    const value = of ? signed(filer, key, sign) : numberOf(filer[key])
    const kind = of ? 'amount' : 'count'
    return box === undefined || value === 0 ? [] : [{ box, record: '1', kind, value } satisfies FileBox]
  })
}

/** Returns the numbers of all boxes that files of a layout can state. */
export function boxNumbersOf(layout: Layout): Set<string> {
  if (layout.model === '369') return new Set(['01', '02'])
  if (layout.kind === 'records')
    return new Set((TOTALS[layout.model] ?? []).flatMap(({ box }) => (box === undefined ? [] : [box])))
  const fields = Object.values(layout.records).flat()
  return new Set(fields.flatMap((field) => boxOfField(field) ?? []))
}
