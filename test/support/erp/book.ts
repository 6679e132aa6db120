/**
 * The books of an invented company in another accounting system: derived from a number, row by row on request, so
 * that fifty thousand documents need no more memory than one. Every document adds up to the cent.
 */
import { dice } from '../seeded-random.ts'
import type { Dice } from '../seeded-random.ts'

export interface BookOptions {
  seed?: number
  contacts?: number
  issued?: number
  received?: number
  items?: number
  /** First and last day of the documents, spread evenly. */
  from?: string
  to?: string
  /** As if one import had changed every row: all last changes are within one second. */
  sameSecond?: boolean
}

export interface Contact {
  id: string
  index: number
  name: string
  taxId: string | null
  country: string
  isPerson: boolean
  isClient: boolean
  isSupplier: boolean
  email: string | null
  zip: string
  city: string
  hasAddress: boolean
  archived: boolean
  changedAt: string
}

export interface Line {
  name: string
  units: number
  priceCents: number
  discountPct: number
  vatPct: 21 | 10 | 4 | 0
  /** True if the equivalence surcharge of the rate applies. */
  surcharge: boolean
  withholdingPct: 0 | 15 | 19
  reverseCharge: boolean
}

export type DocKind = 'invoice' | 'receipt' | 'credit' | 'purchase' | 'purchase-refund'

export interface Head {
  id: string
  index: number
  side: 'issued' | 'received'
  kind: DocKind
  date: string
  state: 'draft' | 'approved' | 'cancelled'
  /** `YYYY-MM-DD HH:MM:SS.ffffff`, UTC. */
  changedAt: string
}

/** Amounts are positive, also for refunds. */
export interface Doc extends Head {
  number: string | null
  contact: number
  contactName: string
  dueDate: string | null
  currency: string
  /** Units of the currency per euro. */
  rate: number
  lines: Line[]
  /** Paid share in percent. */
  paidPct: number
}

export interface Item {
  id: string
  index: number
  name: string
  sku: string | null
  isService: boolean
  priceCents: number
  costCents: number | null
  vatPct: 21 | 10 | 4
  variants: number
  archived: boolean
  changedAt: string
}

interface Totals {
  net: number
  vat: number
  surcharge: number
  withholding: number
  /** Amount to pay. */
  total: number
  paid: number
  pending: number
}

const SURCHARGE_PCT: Readonly<Record<number, number>> = { 21: 5.2, 10: 1.4, 4: 0.5, 0: 0 }
const NAMES = [
  'Panadería Ebro',
  'Suministros Moncayo',
  'Taller Ñíguez',
  'Asesoría Canal y Cía',
  'Viveros Órtiz',
]
const FORMS = ['SL', 'SA', 'S.C.', '']
const WORKS = [
  'Mantenimiento',
  'Diseño de etiqueta',
  'Harina 25 kg',
  'Alquiler',
  'Hora técnica',
  'Transporte',
]
const CONTROLS = 'TRWAGMYFPDXBNJZSQVHLCKE'

export const surchargePct = (vatPct: number): number => SURCHARGE_PCT[vatPct] ?? 0

/** Divides whole numbers and rounds half away from zero. */
export function rounded(numerator: number, denominator: number): number {
  const size = Math.floor((Math.abs(numerator) * 2 + denominator) / (denominator * 2))
  return numerator < 0 && size !== 0 ? -size : size
}

export function lineNet({ units, priceCents, discountPct }: Line): number {
  return rounded(units * priceCents * (100 - discountPct), 100)
}

/** Returns the tax of a base at a rate in percent with at most one decimal. */
export function taxOf(base: number, pct: number): number {
  return rounded(base * Math.round(pct * 10), 1000)
}

/** Returns the bases by the values that determine their tax. */
export function groupsOf(doc: Doc): { base: number; line: Line }[] {
  const groups = new Map<string, { base: number; line: Line }>()
  for (const line of doc.lines) {
    const key = [line.vatPct, line.surcharge, line.withholdingPct, line.reverseCharge].join()
    const group = groups.get(key) ?? { base: 0, line }
    group.base += lineNet(line)
    groups.set(key, group)
  }
  return [...groups.values()]
}

export function totalsOf(doc: Doc): Totals {
  const sums = { net: 0, vat: 0, surcharge: 0, withholding: 0 }
  for (const { base, line } of groupsOf(doc)) {
    sums.net += base
    if (!line.reverseCharge) sums.vat += taxOf(base, line.vatPct)
    if (line.surcharge) sums.surcharge += taxOf(base, surchargePct(line.vatPct))
    sums.withholding += taxOf(base, line.withholdingPct)
  }
  const total = sums.net + sums.vat + sums.surcharge - sums.withholding
  const paid = rounded(total * doc.paidPct, 100)
  return { ...sums, total, paid, pending: total - paid }
}

function hexId(prefix: string, index: number): string {
  return prefix + (index + 1).toString(16).padStart(24 - prefix.length, '0')
}

const PREFIXES = { contact: '65a', issued: '66a', received: '66c', item: '67a' } as const
type RowKind = keyof typeof PREFIXES

/** Returns the index of an identifier; -1 for another kind. */
export function indexOfId(kind: RowKind, id: string): number {
  return /^[\da-f]{24}$/.test(id) && id.startsWith(PREFIXES[kind]) ? Number.parseInt(id.slice(3), 16) - 1 : -1
}

const DAY_MS = 86_400_000

export type Row = Contact | Doc | Item

export function makeErpBook(options: BookOptions = {}) {
  const { seed = 1, contacts = 40, issued = 100, received = 60, items = 30 } = options
  const { from = '2026-01-01', to = '2026-10-31', sameSecond = false } = options
  const counts: Record<RowKind, number> = { contact: contacts, issued, received, item: items }
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  const edits = new Map<string, ((row: never) => void)[]>()
  const changes = new Map<string, string>()
  const removed = new Set<string>()

  function drawn(kind: RowKind, index: number): Dice {
    const salt = { contact: 1, issued: 2, received: 3, item: 4 }[kind]
    return dice(Math.imul(seed + salt * 7919, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  }

  function dayAt(kind: 'issued' | 'received', index: number): string {
    const day = Math.floor((index * days) / Math.max(1, counts[kind]))
    return new Date(Date.parse(from) + day * DAY_MS).toISOString().slice(0, 10)
  }

  /** Within a second the order of changes differs from that of identifiers. */
  function changeOf(id: string, day: string, index: number): string {
    const fraction = String((index * 7919) % 1_000_000).padStart(6, '0')
    const second = sameSecond ? `${to} 08:00:00` : `${day} 10:00:${String(index % 60).padStart(2, '0')}`
    return changes.get(id) ?? `${second}.${fraction}`
  }

  function edited<T extends { id: string }>(row: T): T {
    for (const change of edits.get(row.id) ?? []) change(row as never)
    return row
  }

  function contact(index: number): Contact {
    const die = drawn('contact', index)
    const id = hexId(PREFIXES.contact, index)
    const isPerson = die.chance(0.2)
    const digits = String(10_000_000 + index * 37).padStart(8, '0')
    const taxId = index % 7 === 6 ? null : `${digits}${CONTROLS[Number(digits) % 23] ?? ''}`
    return edited({
      id,
      index,
      name: isPerson ? `Lucía Ñíguez ${index}` : `${die.pick(NAMES)} ${index} ${die.pick(FORMS)}`.trim(),
      taxId,
      country: 'ES',
      isPerson,
      isClient: index % 3 !== 2,
      isSupplier: index % 3 !== 0,
      email: die.chance(0.5) ? `correo${index}@example.test` : null,
      zip: String(1000 + die.below(50_000)).padStart(5, '0'),
      city: die.pick(['Zaragoza', 'Barcelona', 'Gijón', 'León']),
      hasAddress: index % 5 !== 4,
      archived: index % 19 === 18,
      changedAt: changeOf(id, from, index),
    })
  }

  function plainHead(side: 'issued' | 'received', index: number): Head {
    const id = hexId(PREFIXES[side], index)
    const date = dayAt(side, index)
    const kind: DocKind =
      side === 'received'
        ? index % 30 === 29
          ? 'purchase-refund'
          : 'purchase'
        : index % 25 === 24
          ? 'credit'
          : index % 40 === 38
            ? 'receipt'
            : 'invoice'
    const state = index % 20 === 19 ? 'draft' : index % 33 === 31 ? 'cancelled' : 'approved'
    return { id, index, side, kind, date, state, changedAt: changeOf(id, date, index) }
  }

  /** Returns the values used by list filters, without creating a whole document. */
  function head(side: 'issued' | 'received', index: number): Head {
    const plain = plainHead(side, index)
    return edits.has(plain.id) ? doc(side, index) : plain
  }

  function doc(side: 'issued' | 'received', index: number): Doc {
    const plain = plainHead(side, index)
    const die = drawn(side, index)
    const isForeign = index % 17 === 16
    const isReversed = side === 'received' && index % 13 === 12 && !isForeign
    const vatPct = isForeign ? 0 : isReversed ? 21 : die.pick([21, 21, 10, 4] as const)
    const surcharge = side === 'issued' && !isForeign && index % 13 === 12
    const withholdingPct = index % 11 === 10 && !isForeign && !isReversed ? (side === 'issued' ? 15 : 19) : 0
    const lines = Array.from({ length: 1 + die.below(4) }, (_, at): Line => ({
      name: `${die.pick(WORKS)} ${at + 1}`,
      units: at > 0 && die.chance(0.1) ? -1 : 1 + die.below(9),
      priceCents: at === 0 ? 5000 + die.below(50_000) : 100 + die.below(900),
      discountPct: die.chance(0.2) ? 10 : 0,
      vatPct: at > 0 && vatPct === 21 && !isReversed && die.chance(0.3) ? 10 : vatPct,
      surcharge,
      withholdingPct,
      reverseCharge: isReversed,
    }))
    const who = die.below(Math.max(1, contacts))
    const isDraft = plain.state === 'draft'
    const year = plain.date.slice(2, 4)
    const serial = String(index + 1).padStart(5, '0')
    const letter = {
      invoice: 'F',
      receipt: 'T',
      credit: 'R',
      purchase: 'PROV-',
      'purchase-refund': 'ABONO-',
    }[plain.kind]
    return edited({
      ...plain,
      number: isDraft ? null : `${letter}${year}${serial}`,
      contact: who,
      contactName: contact(who).name,
      dueDate:
        index % 4 === 3 ? null : new Date(Date.parse(plain.date) + 30 * DAY_MS).toISOString().slice(0, 10),
      currency: isForeign ? 'USD' : 'EUR',
      rate: isForeign ? 1.0845 : 1,
      lines,
      paidPct: plain.state === 'approved' ? ([100, 50, 0][index % 3] ?? 0) : 0,
    })
  }

  function item(index: number): Item {
    const die = drawn('item', index)
    const id = hexId(PREFIXES.item, index)
    return edited({
      id,
      index,
      name: `${die.pick(WORKS)} nº ${index}`,
      sku: index % 6 === 5 ? null : `ART-${index}`,
      isService: index % 4 === 3,
      priceCents: 100 + die.below(20_000),
      costCents: die.chance(0.5) ? 100 + die.below(5000) : null,
      vatPct: die.pick([21, 10, 4] as const),
      variants: index % 9 === 8 ? 2 : 0,
      archived: index % 15 === 14,
      changedAt: changeOf(id, from, index),
    })
  }

  /** Yields the current rows from an index on. */
  function* rows<T extends { id: string }>(
    kind: RowKind,
    make: (index: number) => T,
    start = 0,
  ): Generator<T> {
    for (let index = Math.max(0, start); index < counts[kind]; index++) {
      const row = make(index)
      if (!removed.has(row.id)) yield row
    }
  }

  let clock = Date.parse(`${to}T12:00:00Z`)

  return {
    counts,
    to,
    contact,
    doc,
    item,
    contacts: (start = 0) => rows('contact', contact, start),
    heads: (side: 'issued' | 'received', start = 0) => rows(side, (index) => head(side, index), start),
    items: (start = 0) => rows('item', item, start),
    isThere: (kind: RowKind, id: string): boolean => {
      const index = indexOfId(kind, id)
      return index >= 0 && index < counts[kind] && !removed.has(id)
    },
    /** Changes a row; its last change becomes later than any other. */
    edit<T extends Row = Doc>(id: string, change: (row: T) => void): void {
      edits.set(id, [...(edits.get(id) ?? []), change as (row: never) => void])
      clock += 60_000
      changes.set(id, `${new Date(clock).toISOString().slice(0, 19).replace('T', ' ')}.000001`)
    },
    remove(id: string): void {
      removed.add(id)
    },
  }
}

export type ErpBook = ReturnType<typeof makeErpBook>
