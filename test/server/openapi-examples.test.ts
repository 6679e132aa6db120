/**
 * The examples of the description: one for each operation that takes anything, right by its contract. They are recorded from
 * requests that work: `SELLO_RECORD=1 npm test -- test/server/openapi-examples.test.ts`.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import recorded from '../../server/openapi-examples.json' with { type: 'json' }
import { exampleOf, Furnished, ROUTES } from '../support/examples.ts'
import type { Example } from '../support/examples.ts'
import { openWorld } from '../support/world.ts'

const FILE = join(import.meta.dirname, '../../server/openapi-examples.json')
const LONGEST = 400

/** The same for every recording: identifiers, tokens and days of one book become those of the documentation. */
function asPrinted(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 3).map(asPrinted)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asPrinted(member)]))
  if (typeof value !== 'string') return value
  if (/^svct_/.test(value)) return 'svct_…'
  const text = value.replace(/\b([a-z]{2,5})_[0-9a-z]{16}\b/g, '$1_6tqy0v5cbn2k8w4e')
  // A file: its beginning shows what it is.
  return text.length > LONGEST ? text.slice(0, LONGEST) : text
}

const record = async (): Promise<void> => {
  const world = await openWorld()
  const made = await new Furnished(world).open()
  const examples: Record<string, Example> = {}
  for (const { name } of ROUTES) {
    const { params, query, body } = await exampleOf(name, made)
    examples[name] = asPrinted({
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(body ? { body } : {}),
    }) as Example
  }
  writeFileSync(FILE, `${JSON.stringify(examples, null, 2)}\n`)
}
// Not `test.runIf`: a run that records nothing has nothing to skip.
if (process.env.SELLO_RECORD === '1') test('are recorded', { timeout: 600_000 }, record)

test.each(ROUTES)('$name has one that its contract takes', ({ name, contract, rest }) => {
  const example = (recorded as Record<string, Example | undefined>)[name]
  expect(example, 'Record it again.').toBeDefined()
  const takesBody = (rest.method === 'POST' && rest.fields !== 'query') || rest.method === 'PATCH'
  if (!takesBody) expect(example!.body).toBeUndefined()
  const { params, query, body } = example!
  const parsed = contract.input.safeParse({ ...params, ...query, ...body })
  expect(parsed.error?.issues ?? []).toEqual([])
})
