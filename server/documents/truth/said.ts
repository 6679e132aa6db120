/** What one source says of an invoice, in one shape for all of them, and the comparison of several. Pure. */

/** A single fact: a text, an amount in cents, or null where the source says that there is none. */
export type Fact = string | number | null

/** Amounts of a tax, in cents. */
export interface SaidTax {
  base: number
  tax: number
  surcharge: number
}

/** A line; what the source does not say is left out. */
export interface SaidLine {
  description?: string
  quantityMicro?: number
  /** Without tax. */
  priceMicro?: number
  /** The same with four decimals, as paper rounds it for prices that were entered with their tax. */
  roundedPriceMicro?: number
  /** As it was entered: with its tax in gross mode. */
  listedPriceMicro?: number
  /** Without tax. */
  netCents?: number
  /** Quantity times price, less discounts, as far as the source states them. */
  computedCents?: number
  listedCents?: number
  /** VAT shown, in hundredths of a percent; 0 without any. */
  rateBp?: number
  /** Key of the VAT regime. */
  regime?: string
}

/** What a source says. A fact that is left out is not compared; null is said. */
export interface Said {
  /** Stable: programs see it in the details of the error. */
  source: string
  facts: Record<string, Fact | undefined>
  /** Amounts in the document's currency, by what they are of: `vat 2100`, `surcharge 520`. One that is missing is 0. */
  shown?: Map<string, SaidTax>
  /** Amounts in euros, by treatment, regime, rate and surcharge: `S1 01 2100 520`. One that is missing is 0. */
  registered?: Map<string, SaidTax>
  /** By position; undefined for one that the source leaves out by its nature. */
  lines?: (SaidLine | undefined)[]
}

/** What a reader of a format is told of the invoice. */
export interface Wanted {
  /** By line: true for money paid in the customer's name, which a format may leave out of its lines. */
  isSuplido: readonly boolean[]
  /** Legal mentions that the document must hold. */
  mentions: readonly string[]
  /** By line: key of its regime, for formats that do not name all of them. */
  regimes: readonly string[]
}

export interface Contradiction {
  field: string
  sources: [string, string]
  values: [Fact, Fact]
}

/** How two values of a field are compared where sources write the same in different forms. */
const FORMS: Record<string, (one: string, other: string) => boolean> = {
  sellerTaxId: isSameTaxId,
  buyerTaxId: isSameTaxId,
  thirdPartyTaxId: isSameTaxId,
  sellerName: isSameName,
  buyerName: isSameName,
  thirdPartyName: isSameName,
  operation: startsAlike,
  description: startsAlike,
  // Formats with two fields for a number lose the hyphen between them.
  number: (one, other) => compact(one) === compact(other),
  iban: (one, other) => compact(one) === compact(other),
  rectified: (one, other) => compact(one) === compact(other),
}

const compact = (text: string): string => text.replace(/[-\s]/g, '')

/** Words without accents, marks and order: formats write people as given name and surnames. */
function wordsOf(name: string): string[] {
  return plain(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .sort()
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()

/** The shortest field for a name has 40 characters: what is longer may be cut. */
const CUT = 36

function isSameName(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length >= CUT && startsAlike(short, long)) return true
  const [a, b] = [wordsOf(short), wordsOf(long)]
  if (a.join(' ') === b.join(' ')) return true
  return short.length >= CUT && a.every((word) => b.some((each) => each.startsWith(word)))
}

const withoutBlanks = (text: string): string => text.replace(/\s+/g, '').replace(/…$/, '')

/** True if the shorter text is the beginning of the longer one, apart from blanks and an ellipsis. */
function startsAlike(one: string, other: string): boolean {
  if (one === other) return true
  const [a, b] = [withoutBlanks(one), withoutBlanks(other)]
  if (a === b) return true
  const [c, d] = [plain(a), plain(b)]
  const [short, long] = c.length < d.length ? [c, d] : [d, c]
  return c === d || (short.length >= CUT && long.startsWith(short))
}

/** A number with the prefix of its country and without it are the same; Greece has two prefixes. */
function isSameTaxId(one: string, other: string): boolean {
  const clean = (text: string): string =>
    text
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .replace(/^GR/, 'EL')
  const [a, b] = [clean(one), clean(other)]
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short !== '' && long.length === short.length + 2 && /^[A-Z]{2}/.test(long) && long.endsWith(short)
}

function isSame(field: string, one: Fact, other: Fact): boolean {
  if (one === other) return true
  if (one === null || other === null) return false
  const form = FORMS[field]
  return form !== undefined && form(String(one), String(other))
}

/** Returns the first difference between sources, each of which is compared with the first that says the same thing; null if there is none. */
export function firstContradiction(sources: readonly Said[]): Contradiction | null {
  const first: Record<string, { source: string; value: Fact }> = {}
  const compare = (source: string, field: string, value: Fact, form = field): Contradiction | null => {
    const known = first[field]
    if (known === undefined) {
      first[field] = { source, value }
      return null
    }
    if (isSame(form, known.value, value)) return null
    return { field, sources: [known.source, source], values: [known.value, value] }
  }
  for (const { source, facts } of sources)
    for (const field in facts) {
      const value = facts[field]
      const found = value === undefined ? null : compare(source, field, value)
      if (found) return found
    }
  return (
    taxContradiction(sources, 'shown') ??
    taxContradiction(sources, 'registered') ??
    lineContradiction(sources)
  )
}

const NOTHING: SaidTax = { base: 0, tax: 0, surcharge: 0 }
const AMOUNTS = ['base', 'tax', 'surcharge'] as const

function taxContradiction(sources: readonly Said[], which: 'shown' | 'registered'): Contradiction | null {
  const [one, ...others] = sources.filter((said) => said[which] !== undefined)
  const known = one?.[which]
  if (!one || !known) return null
  for (const { source, [which]: taxes } of others) {
    if (!taxes) continue
    for (const key of new Set([...known.keys(), ...taxes.keys()])) {
      const [a, b] = [known.get(key) ?? NOTHING, taxes.get(key) ?? NOTHING]
      for (const amount of AMOUNTS)
        if (a[amount] !== b[amount])
          return {
            field: `taxes[${key}].${amount}`,
            sources: [one.source, source],
            values: [a[amount], b[amount]],
          }
    }
  }
  return null
}

const LINE_FIELDS = [
  'description',
  'quantityMicro',
  'priceMicro',
  'listedPriceMicro',
  'netCents',
  'computedCents',
  'listedCents',
  'rateBp',
  'regime',
] as const

/** A line states its net twice: the figure itself, and what its parts add up to. */
const SAME_AS: Partial<Record<(typeof LINE_FIELDS)[number], 'netCents'>> = { computedCents: 'netCents' }

function lineContradiction(sources: readonly Said[]): Contradiction | null {
  const speaking = sources.filter((said) => said.lines !== undefined)
  const count = speaking[0]?.lines?.length ?? 0
  for (const { source, lines = [] } of speaking)
    if (lines.length !== count)
      return {
        field: 'lines',
        sources: [speaking[0]?.source ?? '', source],
        values: [count, lines.length],
      }
  for (let index = 0; index < count; index++) {
    for (const name of LINE_FIELDS) {
      const field = SAME_AS[name] ?? name
      let known: { source: string; value: Fact } | null = null
      for (const { source, lines = [] } of speaking) {
        const line = lines[index]
        const value = line?.[name]
        if (!line || value === undefined) continue
        if (name !== field) {
          // Compared with the source's own figure.
          const own = line[field]
          if (own !== undefined && own !== value)
            return { field: `lines[${index}].${field}`, sources: [source, source], values: [own, value] }
          continue
        }
        if (known === null) known = { source, value }
        else if (!isSame(field, known.value, value))
          return {
            field: `lines[${index}].${field}`,
            sources: [known.source, source],
            values: [known.value, value],
          }
      }
    }
    const found = priceContradiction(speaking, index)
    if (found) return found
  }
  return null
}

/** Half of the fourth decimal. */
const ROUNDED_BY = 50

function priceContradiction(speaking: readonly Said[], index: number): Contradiction | null {
  const exact = speaking.find(({ lines = [] }) => lines[index]?.priceMicro !== undefined)
  const rounded = speaking.find(({ lines = [] }) => lines[index]?.roundedPriceMicro !== undefined)
  const one = exact?.lines?.[index]?.priceMicro
  const other = rounded?.lines?.[index]?.roundedPriceMicro
  if (one === undefined || other === undefined || Math.abs(one - other) <= ROUNDED_BY) return null
  return {
    field: `lines[${index}].priceMicro`,
    sources: [exact?.source ?? '', rounded?.source ?? ''],
    values: [one, other],
  }
}

/** Adds to the amounts of a tax. */
export function addTax(taxes: Map<string, SaidTax>, key: string, { base, tax, surcharge }: SaidTax): void {
  const known = taxes.get(key)
  if (!known) taxes.set(key, { base, tax, surcharge })
  else {
    known.base += base
    known.tax += tax
    known.surcharge += surcharge
  }
}
