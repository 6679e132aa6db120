/** Values drawn from a JSON Schema: those it admits, and those that stand just outside of it. */
import fc from 'fast-check'
import type { Dice } from '../seeded-random.ts'

export type Schema = Readonly<Record<string, any>>

export interface DrawOptions {
  random: Dice
  /** The schema a `$ref` leads to. */
  resolve(reference: string): Schema
  /** What means something under a member's name, such as identifiers of things that are there. */
  known(name: string): readonly unknown[]
  /** Whether a schema of single values admits one. */
  admits(schema: Schema, value: unknown): boolean
}

const DAYS = [
  ...['2026-07-01', '2026-07-02', '2026-08-20', '2026-08-31', '2026-12-31', '2026-01-01', '2024-02-29'],
  ...['2027-01-15', '1999-12-31'],
]
const INSTANTS = ['2026-07-01T00:00:00Z', '2026-08-20T10:00:00+02:00', '2027-01-01T00:00:00.5-11:30']
const TEXTS = [
  ...[
    'Obra',
    'Ana Ruiz Gil',
    'a',
    'ñandú & <p>',
    "' or 1=1 --",
    '%_',
    '%00',
    '../..',
    'x\u0301',
    '漢字',
    '😀',
  ],
  ...['303', '07', '0', 'EUR', 'M1', 'null', '__proto__', '\u0958'],
]
const MAILS = ['ana@ejemplo.es', "o'neil+x@sub.ejemplo.com", 'a@b.co']
/** Of this computer, where nobody listens: a test may not leave it. */
const ADDRESSES = ['http://127.0.0.1:61234/', 'https://localhost:61234/a?b=c#d', 'https://[::1]:61234/']
/** Longer text is drawn by the tests that are about length. */
const LONGEST = 5_000

const matching = new Map<string, fc.Arbitrary<string>>()

/** Text of a pattern and of these lengths. */
function matchingText(pattern: string, min: number, max: number): fc.Arbitrary<string> {
  const name = `${min} ${max} ${pattern}`
  let found = matching.get(name)
  if (!found) {
    found = fc
      .stringMatching(new RegExp(pattern), { maxLength: Math.min(max, LONGEST) })
      .filter(({ length }) => length >= min)
    matching.set(name, found)
  }
  return found
}

/** Draws from schemas. */
export class Drawer {
  private readonly options: DrawOptions

  constructor(options: DrawOptions) {
    this.options = options
  }

  /** The schema itself instead of a reference to it. */
  whole(schema: Schema): Schema {
    return typeof schema.$ref === 'string' ? this.whole(this.options.resolve(schema.$ref)) : schema
  }

  private sample<Value>(arbitrary: fc.Arbitrary<Value>): Value {
    const [value] = fc.sample(arbitrary, { seed: this.options.random.below(2 ** 31), numRuns: 1 })
    return value as Value
  }

  /** A value that the schema admits. `name` is that of the member or parameter it is for. */
  draw(given: Schema, name = ''): unknown {
    const { chance, pick } = this.options.random
    const schema = this.whole(given)
    if ('const' in schema) return schema.const
    if (schema.enum) return pick(schema.enum as unknown[])
    const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
    if (choices) return this.draw(pick(choices), name)
    const { admits } = this.options
    const known = this.options.known(name).filter((value) => admits(schema, value))
    if (known.length > 0 && chance(0.6)) return pick(known)
    switch (Array.isArray(schema.type) ? pick(schema.type) : schema.type) {
      case 'object':
        return this.object(schema)
      case 'array':
        return this.list(schema, name)
      case 'string':
        return this.text(schema)
      case 'integer':
      case 'number':
        return this.number(schema)
      case 'boolean':
        return chance(0.5)
      case 'null':
        return null
      default:
        return this.sample(fc.jsonValue({ maxDepth: 2 }))
    }
  }

  private object({ properties = {}, required = [], propertyNames, additionalProperties }: Schema): object {
    const { below, chance, pick } = this.options.random
    const share = pick([0.05, 0.2, 0.8])
    const members: [string, unknown][] = []
    for (const [name, schema] of Object.entries<Schema>(properties))
      if (required.includes(name) || chance(share)) members.push([name, this.draw(schema, name)])
    // Of a record of whatever names.
    if (typeof additionalProperties === 'object')
      for (let count = below(3); count > 0; count -= 1) {
        const name = String(
          this.draw((propertyNames as Schema | undefined) ?? { type: 'string', minLength: 1 }),
        )
        members.push([name, this.draw(additionalProperties as Schema, name)])
      }
    // Unlike assignment, this makes a member even of `__proto__`.
    return Object.fromEntries(members)
  }

  private list({ items = {}, minItems = 0, maxItems = Infinity }: Schema, name: string): unknown[] {
    const { below, chance } = this.options.random
    const usual = Math.min(maxItems, minItems + below(3))
    const length = maxItems <= 100 && chance(0.03) ? maxItems : usual
    return Array.from({ length }, () => this.draw(items as Schema, name))
  }

  private number({ type, minimum, maximum }: Schema): number {
    const { below, chance, pick } = this.options.random
    const low = minimum ?? -1e12
    const high = maximum ?? 1e12
    if (chance(0.1)) return pick([low, high])
    // Near zero, or near the end that stands nearest to it.
    const from = Math.max(low, Math.min(chance(0.1) ? -100 : 0, high))
    const span = Math.min(high - from, pick([3, 30, 3_000]))
    if (type === 'integer') return from + below(span + 1)
    return Math.min(high, Math.max(low, Math.round((from + (span * below(1_000)) / 1_000) * 100) / 100))
  }

  private text({ minLength: min = 0, maxLength: max = 400, pattern, format }: Schema): string {
    const { chance, pick } = this.options.random
    const from = (usual: readonly string[], rare: () => string): string =>
      chance(0.8) ? pick(usual) : rare()
    const day = (): string => this.sample(fc.date({ ...YEARS, noInvalidDate: true })).toISOString()
    switch (format) {
      case 'date':
        return from(DAYS, () => day().slice(0, 10))
      case 'date-time':
        return from(INSTANTS, day)
      case 'email':
        return pick(MAILS)
      case 'uri':
        return pick(ADDRESSES)
      case 'base64':
        return this.sample(fc.base64String({ minLength: Math.max(4, min), maxLength: 400 }))
    }
    if (pattern) return this.sample(matchingText(pattern as string, min, max))
    if (chance(0.05) && max <= LONGEST) return pick(['x', 'ñ', '\u0958']).repeat(max)
    const usual = TEXTS.filter(({ length }) => length >= min && length <= max)
    if (usual.length > 0 && chance(0.8)) return pick(usual)
    const unit = pick(['grapheme', 'binary'] as const)
    return this.sample(
      fc
        .string({ unit, minLength: min, maxLength: Math.max(min, Math.min(max, 30)) })
        .map((text) => text.slice(0, max).toWellFormed()),
    )
  }

  /** A value that the schema does not admit, if only just; null where there is no telling. */
  beyond(given: Schema): unknown {
    const { pick } = this.options.random
    const schema = this.whole(given)
    const {
      type,
      enum: values,
      pattern,
      format,
      minLength,
      maxLength,
      minimum,
      maximum,
      minItems,
      maxItems,
    } = schema
    const choices: unknown[] = []
    if (values) choices.push(`${String(values[0])} `, String(values[0]).toUpperCase() + 'X', 0)
    if (schema.anyOf) return this.beyond(pick(schema.anyOf as Schema[]))
    if (type === 'string') choices.push(7, ['x'], true)
    if (minLength > 0) choices.push('')
    if (maxLength <= LONGEST) choices.push('x'.repeat(maxLength + 1))
    if (pattern) choices.push('\n', 'ñ€', `${String(pattern).slice(0, 5)} `)
    if (format === 'date')
      choices.push('2026-02-30', '2026-13-01', '26-1-1', '0000-00-00', '2026-07-01T00:00:00Z')
    if (format === 'date-time') choices.push('2026-07-01', '2026-07-01T25:00:00Z', '2026-07-01T00:00:00')
    if (format === 'email' || format === 'uri') choices.push('x', 'a@', 'http://', '//x', 'javascript:0')
    if (type === 'integer') choices.push(0.5, '1', 2 ** 53)
    if (type === 'number') choices.push('1.5', 1e300)
    if (minimum !== undefined) choices.push(minimum - 1)
    if (maximum !== undefined) choices.push(maximum + 1)
    if (type === 'boolean') choices.push('true', 0)
    if (type === 'array') choices.push({}, [[[]]], 'x')
    if (minItems > 0) choices.push([])
    if (type === 'array' && maxItems <= 1_000)
      choices.push(Array.from({ length: maxItems + 1 }, () => this.draw((schema.items ?? {}) as Schema)))
    if (type === 'object') choices.push([], 'x', null, 1)
    return choices.length > 0 ? pick(choices) : null
  }
}

const YEARS = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') }
