/** The merge of two changes of a form: no change of either side vanishes without being shown. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeForms } from '../../../../renderer/components/merge/three-way.ts'
import type { Merge, Side } from '../../../../renderer/components/merge/three-way.ts'

interface Form {
  name: string
  date: string | null
  client: { id: number; nif: string }
  lines: { text: string; price: number }[]
}

const SPEC = { fields: ['name', 'date', 'client'], rows: ['lines'] } as const

const word = fc.constantFrom('a', 'b', 'c', 'd')
const line = fc.record({ text: word, price: fc.integer({ min: 0, max: 3 }) })
const form: fc.Arbitrary<Form> = fc.record({
  name: word,
  date: fc.option(word),
  client: fc.record({ id: fc.integer({ min: 0, max: 2 }), nif: word }),
  lines: fc.array(line, { maxLength: 6 }),
})

const text = (value: unknown): string => JSON.stringify(value ?? null)

/** How often each value is in a list. */
function counted(values: readonly unknown[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(text(value), (counts.get(text(value)) ?? 0) + 1)
  return counts
}

/** Returns a form in which some of `from` was changed, as a person does. */
const changed = (from: Form): fc.Arbitrary<Form> =>
  fc
    .record({
      other: form,
      fields: fc.subarray(['name', 'date', 'client'] as const),
      edits: fc.array(
        fc.record({
          at: fc.nat({ max: 6 }),
          how: fc.constantFrom('remove' as const, 'insert' as const, 'change' as const),
          row: line,
        }),
        { maxLength: 4 },
      ),
    })
    .map(({ other, fields, edits }) => {
      const next: Form = { ...from, lines: [...from.lines] }
      for (const field of fields) Object.assign(next, { [field]: other[field] })
      for (const { at, how, row } of edits) {
        const place = Math.min(at, next.lines.length)
        if (how === 'insert') next.lines.splice(place, 0, row)
        else if (place < next.lines.length) next.lines.splice(place, 1, ...(how === 'change' ? [row] : []))
      }
      return next
    })

const three = form.chain((before) =>
  fc.record({ before: fc.constant(before), mine: changed(before), theirs: changed(before) }),
)

const all = (merge: Merge<Form>, side: Side): Map<string, Side> =>
  new Map(merge.conflicts.map(({ id }) => [id, side]))

test('what only one side changed is in the result, and what both changed is asked', () => {
  fc.assert(
    fc.property(three, ({ before, mine, theirs }) => {
      const merge = mergeForms({ before, mine, theirs }, SPEC)
      const built = merge.build()
      for (const field of SPEC.fields) {
        const [was, here, there] = [text(before[field]), text(mine[field]), text(theirs[field])]
        const shown = merge.differences.find((one) => one.field === field)
        if (here === there) expect(shown).toBeUndefined()
        else if (was === here) expect(shown?.changedBy).toBe('theirs')
        else if (was === there) expect(shown?.changedBy).toBe('mine')
        else expect(shown?.changedBy).toBe('both')
        const expected = was === here ? there : here
        expect(text(built[field])).toBe(expected)
        if (shown?.changedBy === 'both') expect(text(merge.build(all(merge, 'theirs'))[field])).toBe(there)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a row that either side wrote is in the result or shown, and one that neither touched stays', () => {
  fc.assert(
    fc.property(three, ({ before, mine, theirs }) => {
      const merge = mergeForms({ before, mine, theirs }, SPEC)
      const shown = merge.differences.filter(({ field }) => field === 'lines')
      for (const side of ['mine', 'theirs'] as const) {
        const built = counted(merge.build(all(merge, side)).lines)
        const written = counted((side === 'mine' ? mine : theirs).lines)
        // Rows of this side are missing only where the other side alone removed or changed them, which is shown.
        const others = counted(
          shown
            .filter(({ changedBy }) => changedBy === (side === 'mine' ? 'theirs' : 'mine'))
            .map((one) => one[side]),
        )
        for (const [row, count] of written)
          expect((built.get(row) ?? 0) + (others.get(row) ?? 0)).toBeGreaterThanOrEqual(count)
      }
      // Nothing is invented.
      const known = counted([...mine.lines, ...theirs.lines])
      for (const [row, count] of counted(merge.build().lines))
        expect(known.get(row) ?? 0).toBeGreaterThanOrEqual(count)
    }),
    { numRuns: 3_000 },
  )
})

test('a row that is gone was removed by both sides, or is shown', () => {
  fc.assert(
    fc.property(three, ({ before, mine, theirs }) => {
      const merge = mergeForms({ before, mine, theirs }, SPEC)
      const shown = counted(
        merge.differences
          .filter(({ field }) => field === 'lines')
          // A row that was moved is shown where it went.
          .flatMap((one) => [one.before, one.mine, one.theirs]),
      )
      const [built, was, here, there] = [merge.build().lines, before.lines, mine.lines, theirs.lines].map(
        counted,
      )
      for (const [row, count] of was!) {
        const lost = (side: Map<string, number>): number => count - (side.get(row) ?? 0)
        const byBoth = Math.max(0, Math.min(lost(here!), lost(there!)))
        expect((built!.get(row) ?? 0) + (shown.get(row) ?? 0) + byBoth).toBeGreaterThanOrEqual(count)
      }
    }),
    { numRuns: 3_000 },
  )
})

test('without a change of one side the result is the other side', () => {
  fc.assert(
    fc.property(
      form.chain((before) => fc.tuple(fc.constant(before), changed(before))),
      ([before, after]) => {
        const theirs = mergeForms({ before, mine: before, theirs: after }, SPEC)
        expect(theirs.conflicts).toEqual([])
        expect(theirs.build()).toEqual(after)
        const mine = mergeForms({ before, mine: after, theirs: before }, SPEC)
        expect(mine.conflicts).toEqual([])
        expect(mine.build()).toEqual(after)
        expect(mergeForms({ before, mine: after, theirs: after }, SPEC).differences).toEqual([])
      },
    ),
    { numRuns: 1_000 },
  )
})

test('two people who change different lines and one field each lose nothing', () => {
  const before: Form = {
    name: 'Taller',
    date: null,
    client: { id: 1, nif: 'x' },
    lines: [
      { text: 'uno', price: 1 },
      { text: 'dos', price: 2 },
    ],
  }
  const mine: Form = { ...before, name: 'Taller Sur', lines: [{ text: 'uno', price: 9 }, before.lines[1]!] }
  const theirs: Form = {
    ...before,
    date: '2026-12-01',
    lines: [before.lines[0]!, { text: 'dos', price: 8 }, { text: 'tres', price: 3 }],
  }
  const merge = mergeForms({ before, mine, theirs }, SPEC)
  expect(merge.conflicts).toEqual([])
  expect(merge.build()).toEqual({
    name: 'Taller Sur',
    date: '2026-12-01',
    client: { id: 1, nif: 'x' },
    lines: [
      { text: 'uno', price: 9 },
      { text: 'dos', price: 8 },
      { text: 'tres', price: 3 },
    ],
  })
  const same = mergeForms({ before, mine, theirs: { ...theirs, name: 'Taller Norte' } }, SPEC)
  expect(same.conflicts).toMatchObject([
    { field: 'name', before: 'Taller', mine: 'Taller Sur', theirs: 'Taller Norte' },
  ])
  expect(same.build(new Map([['name', 'theirs']])).name).toBe('Taller Norte')
})

test('what the server writes in another way is no change of anybody', () => {
  const before: Form = {
    name: ' Taller ',
    date: null,
    client: { id: 1, nif: '' },
    lines: [{ text: 'uno ', price: 1 }],
  }
  const theirsBefore: Form = { ...before, name: 'Taller', lines: [{ text: 'uno', price: 1 }] }
  const theirs: Form = { ...theirsBefore, date: '2026-12-01' }
  const mine: Form = { ...before, client: { id: 2, nif: 'z' } }
  const merge = mergeForms({ before, mine, theirs, theirsBefore }, SPEC)
  expect(merge.conflicts).toEqual([])
  expect(merge.build()).toEqual({
    name: 'Taller',
    date: '2026-12-01',
    client: { id: 2, nif: 'z' },
    lines: [{ text: 'uno', price: 1 }],
  })
})
