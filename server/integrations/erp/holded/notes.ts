/** Notes that Holded's provider keeps between steps: API version, decimal separator, taxes, page sizes, lists to skip. */
import { daysBetween, isBusinessDate } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { isObject, listOf } from '../reading/untrusted-values.ts'
import type { Notes } from '../port.ts'
import type { DecimalSign } from './decimals.ts'
import type { Tax, TaxKind } from './taxes.ts'

export type Flavour = 'v1' | 'v2'

export interface Memory {
  flavour: Flavour | null
  decimalSign: DecimalSign | null
  taxes: { on: BusinessDate; list: readonly Tax[] } | null
  /** Rows that a page of a list may have, where that was tried. */
  pageSizes: Readonly<Record<string, number>>
  /** Lists that the account does not offer or the key may not read, and the day from which they are tried again. */
  closed: Readonly<Record<string, BusinessDate>>
}

/** Taxes change with the law; refreshing them once a day is enough. */
const TAXES_DAYS = 1
const KINDS: readonly TaxKind[] = ['vat', 'surcharge', 'withholding', 'reverse']

/** Parses the notes. They are stored by another module and may be of an older version: invalid parts are ignored. */
export function memoryOf(notes: Notes): Memory {
  const { flavour, decimalSign } = notes
  return {
    flavour: flavour === 'v1' || flavour === 'v2' ? flavour : null,
    decimalSign: decimalSign === 'comma' || decimalSign === 'dot' ? decimalSign : null,
    taxes: notedTaxes(notes.taxes),
    pageSizes: entries(notes.pageSizes, (size): size is number => typeof size === 'number'),
    closed: entries(
      notes.closed,
      (day): day is BusinessDate => typeof day === 'string' && isBusinessDate(day),
    ),
  }
}

function entries<T>(value: unknown, fits: (entry: unknown) => entry is T): Record<string, T> {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, T] => fits(entry[1])))
}

function notedTaxes(value: unknown): Memory['taxes'] {
  if (!isObject(value) || typeof value.on !== 'string' || !isBusinessDate(value.on)) return null
  const list = listOf(value.list).flatMap((row): Tax[] => {
    const [id, key, rateBp, kindIndex] = listOf(row)
    const kind = KINDS[Number(kindIndex)]
    if (kind === undefined) return []
    return [
      {
        id: typeof id === 'string' ? id : null,
        key: typeof key === 'string' ? key : null,
        rateBp: typeof rateBp === 'number' ? rateBp : null,
        kind,
      },
    ]
  })
  return { on: value.on, list }
}

export function notesOf(memory: Memory): Notes {
  const { flavour, decimalSign, taxes, pageSizes, closed } = memory
  return {
    flavour,
    decimalSign,
    taxes: taxes && {
      on: taxes.on,
      list: taxes.list.map(({ id, key, rateBp, kind }) => [id, key, rateBp, KINDS.indexOf(kind)]),
    },
    pageSizes,
    closed,
  }
}

export function taxesAreStale({ taxes }: Memory, today: BusinessDate): boolean {
  return taxes === null || Math.abs(daysBetween(taxes.on, today)) > TAXES_DAYS
}

export function isClosed({ closed }: Memory, path: string, today: BusinessDate): boolean {
  const until = closed[path]
  return until !== undefined && today < until
}
