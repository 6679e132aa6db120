/** The check whether a value has the form of a schema: never true if parsing would reject or change it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { acceptsOf } from '../../../../server/domain/contract/schema-accepts.ts'
import { businessDate, line } from '../../../../server/domain/contract/fields.ts'
import { loadOperations } from '../../../../server/api/operations.ts'

const operations = await loadOperations()

const Inner = z.strictObject({ city: z.string(), note: z.string().optional() })
const Everything = z.strictObject({
  text: z.string(),
  named: line(20),
  day: businessDate().nullable(),
  mail: z.email().optional(),
  amount: z.number(),
  count: z.int().min(0),
  yes: z.boolean(),
  none: z.null(),
  anything: z.unknown(),
  state: z.enum(['draft', 'issued']),
  one: z.literal(1),
  inner: Inner,
  inners: z.array(Inner),
  few: z.array(z.int()).max(2),
  either: z.union([z.string(), z.int()]),
  exact: z.exactOptional(z.string()),
})
const RIGHT: z.infer<typeof Everything> = {
  text: 'á',
  named: 'Ana',
  day: '2026-02-28',
  mail: 'ana@example.com',
  amount: -0.5,
  count: 3,
  yes: false,
  none: null,
  anything: { free: [1] },
  state: 'draft',
  one: 1,
  inner: { city: 'Soria' },
  inners: [
    { city: 'Ávila', note: undefined },
    { city: 'Soria', note: 'x' },
  ],
  few: [1, 2],
  either: 4,
  exact: 'here',
}

/** Returns the value with another one at a place in it, or without the one there. */
function changed(value: unknown, place: readonly string[], other: unknown, remove: boolean): unknown {
  const copy = structuredClone(value) as Record<string, unknown>
  let at: Record<string, unknown> = copy
  for (const name of place.slice(0, -1)) at = at[name] as Record<string, unknown>
  const last = place.at(-1) ?? ''
  if (remove) delete at[last]
  else at[last] = other
  return copy
}

function placesIn(value: unknown, above: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return [
    [...above, 'unknown'],
    ...Object.entries(value).flatMap(([name, member]) => [
      [...above, name],
      ...placesIn(member, [...above, name]),
    ]),
  ]
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const OTHERS = [
  undefined,
  null,
  '',
  'x',
  '2026-02-30',
  'a\u0000',
  1,
  1.5,
  -1,
  NaN,
  Infinity,
  true,
  [],
  {},
  ['x'],
]

test('a value in the form of its schema is accepted', () => {
  expect(Everything.parse(RIGHT)).toEqual(RIGHT)
  expect(acceptsOf(Everything)(RIGHT)).toBe(true)
})

test('a changed value is accepted only if parsing accepts it without a change', () => {
  const accepts = acceptsOf(Everything)
  const one = fc.record({
    place: fc.constantFrom(...placesIn(RIGHT)),
    other: fc.oneof(fc.constantFrom(...OTHERS), fc.jsonValue()),
    remove: fc.boolean(),
  })
  let refused = 0
  fc.assert(
    fc.property(one, ({ place, other, remove }) => {
      const value = changed(RIGHT, place, other, remove)
      const parsed = Everything.safeParse(value)
      expect(accepts(value), place.join('.')).toBe(parsed.success)
      if (parsed.success) expect(asJson(parsed.data)).toStrictEqual(asJson(value))
      else refused += 1
    }),
    { numRuns: 2000 },
  )
  expect(refused).toBeGreaterThan(500)
})

describe('a value that parsing would change is left to it', () => {
  test.each([
    ['a record, which is copied', z.record(z.string(), z.int()), { a: 1 }],
    ['a default', z.strictObject({ size: z.int().default(3) }), {}],
    ['a default within', z.strictObject({ size: z.int().default(3).optional() }), {}],
    ['a member that is dropped', z.object({ a: z.string() }), { a: 'x', b: 'y' }],
    ['a transform', z.strictObject({ a: z.string().transform((text) => text.trim()) }), { a: ' x' }],
    ['a check that tidies', z.strictObject({ a: z.string().trim() }), { a: ' x' }],
    ['a coercion', z.strictObject({ a: z.coerce.number() }), { a: '1' }],
    ['a catch', z.strictObject({ a: z.int().catch(0) }), { a: 'x' }],
    [
      'an undefined member that may only be absent',
      z.strictObject({ a: z.exactOptional(z.int()) }),
      { a: undefined },
    ],
  ])('%s', (_, schema, value) => {
    const parsed = schema.safeParse(value)
    expect(parsed.success && Object.is(parsed.data, value)).toBe(false)
    expect(acceptsOf(schema)(value)).toBe(false)
  })
})

test('a recursive schema is checked as deep as the value', () => {
  const Tree = z.strictObject({
    name: z.string(),
    get under() {
      return z.array(Tree)
    },
  })
  const accepts = acceptsOf(Tree)
  expect(accepts({ name: 'a', under: [{ name: 'b', under: [] }] })).toBe(true)
  expect(accepts({ name: 'a', under: [{ name: 'b', under: [{ name: 'c' }] }] })).toBe(false)
})

test('no answer of an operation accepts a member that its contract does not name', () => {
  const objects = operations.filter(({ contract }) => contract.output instanceof z.ZodObject)
  expect(objects.length).toBeGreaterThan(150)
  for (const { contract } of objects)
    expect(acceptsOf(contract.output)({ notOfTheContract: 1 }), contract.name).toBe(false)
})
