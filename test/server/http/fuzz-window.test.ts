/** What only the window calls, with inputs drawn from each contract's own description and then spoilt: never our fault. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ERRORS } from '../../../server/core/errors.ts'
import { operations } from '../../../server/operations.ts'
import { checkBooks } from '../../../server/self-check.ts'
import { dice } from '../../support/dice.ts'
import type { Dice } from '../../support/dice.ts'
import { exampleOf, Furnished, ROUTES } from '../../support/examples.ts'
import { openWorld } from '../../support/world.ts'
import type { World } from '../../support/world.ts'

const REQUESTS = 900
const SEED = 20_260_820

let world: World
beforeAll(async () => {
  world = await openWorld({ shared: true })
})
afterAll(() => world.close())

/** Reach other computers, or take seconds on purpose (keys from passwords). Each has tests of its own. */
const LEFT_OUT =
  /^(mail\.(test|send)|certificates\.import|recovery\.|company\.create$|registry\.(send|export))/

const windowOnly = operations
  .map(({ contract }) => contract)
  .filter(({ name, rest, bookless }) => !rest && !bookless && !LEFT_OUT.test(name))

const DAYS = [
  '2026-07-01',
  '2026-08-20',
  '2026-08-31',
  '2026-12-31',
  '2025-01-01',
  '2027-01-15',
  '1999-12-31',
]
const TEXTS = [
  'Obra',
  'a',
  'ñ'.repeat(60),
  '\u0958'.repeat(60),
  "' or 1=1 --",
  '%_',
  '303',
  '07',
  '572',
  'EUR',
  'M1',
]
const SPOILT = [null, true, '', -1, 1.5, 2 ** 53, [], {}, 'x'.repeat(5_000), '\u0000', '\ud800', '2026-02-30']

type Schema = { [keyword: string]: any }
/** A value that the description admits, more or less. */
function drawn(schema: Schema, whole: Schema, random: Dice, identifiers: readonly string[]): unknown {
  const { below, chance, pick } = random
  const again = (inner: Schema): unknown => drawn(inner, whole, random, identifiers)
  if (typeof schema.$ref === 'string')
    return again(whole.$defs[schema.$ref.slice('#/$defs/'.length)] as Schema)
  if ('const' in schema) return schema.const
  if (schema.enum) return pick(schema.enum as unknown[])
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (choices) return again(pick(choices))
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, inner]) =>
          chance((schema.required as string[] | undefined)?.includes(name) ? 0.97 : 0.4)
            ? [[name, again(inner)]]
            : [],
        ),
      )
    case 'array':
      return Array.from({ length: Math.max((schema.minItems as number) ?? 0, below(3)) }, () =>
        again((schema.items ?? {}) as Schema),
      )
    case 'boolean':
      return chance(0.5)
    case 'integer':
    case 'number': {
      const low = Math.max((schema.minimum as number) ?? -1_000, -1_000)
      const high = Math.min((schema.maximum as number) ?? 3_000, 3_000)
      if (low >= 2_000 || (schema.minimum === 1900 && high === 2_999)) return 2026
      return schema.type === 'integer'
        ? low + below(high - low + 1)
        : Math.round((low + (high - low) * 0.1) * 100) / 100
    }
    case 'null':
      return null
    default:
      if (schema.format === 'date') return pick(DAYS)
      return chance(0.6) ? pick(identifiers) : pick(TEXTS)
  }
}

/** One member of it, at any depth, replaced by something that does not belong there. */
function spoil(value: unknown, { pick }: Dice): void {
  const places: [Record<string, unknown>, string][] = []
  const walk = (member: unknown): void => {
    if (typeof member !== 'object' || member === null) return
    for (const [name, inner] of Object.entries(member)) {
      places.push([member as Record<string, unknown>, name])
      walk(inner)
    }
  }
  walk(value)
  if (places.length === 0) return
  const [holder, name] = pick(places)
  holder[name] = pick(SPOILT)
}

test(
  'whatever the window sends, it is answered or refused, and nothing breaks',
  { timeout: 60_000 },
  async () => {
    const random = dice(SEED)
    const { chance, pick } = random
    const made = await new Furnished(world).open()
    const identifiers: string[] = []
    for (const { name, rest } of ROUTES)
      if (rest.path.includes(':id'))
        identifiers.push(...Object.values((await exampleOf(name, made)).params ?? {}))
    const schemas = new Map(
      windowOnly.map(({ name, input }) => [
        name,
        z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema,
      ]),
    )
    let answered = 0
    for (let count = 0; count < REQUESTS; count += 1) {
      const { name } = pick(windowOnly)
      const schema = schemas.get(name) ?? {}
      const input = drawn(schema, schema, random, identifiers)
      if (chance(0.3)) spoil(input, random)
      const answer = await world.call(name, input)
      const where = `${name} ${JSON.stringify(input).slice(0, 1_500)} -> ${answer.raw.body.slice(0, 500)} ${world.logged.at(-1) ?? ''}`
      expect(answer.status, where).toBeLessThan(500)
      if (answer.status < 400) answered += 1
      else expect(ERRORS, where).toHaveProperty(answer.body.error.code)
    }
    expect(answered).toBeGreaterThan(REQUESTS / 10)
    expect(world.logged.filter((line) => line.includes('"bug"'))).toEqual([])
    // Records, figures, entries and balances still tell one story.
    const { checks } = await checkBooks(world.env, (book) => world.ctx({ book }))
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
  },
)
