/**
 * The examples of the OpenAPI document: one for each operation with input, valid by its contract. They are recorded
 * from successful requests: `SELLO_RECORD=1 npm test -- test/server/api/openapi/examples.test.ts`.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import recorded from '../../../../server/api/openapi/examples.json' with { type: 'json' }
import { exampleOf, Furnished, ROUTES, send } from '../../../support/examples/index.ts'
import type { Example } from '../../../support/examples/index.ts'
import { openWorld } from '../../../support/world.ts'

const FILE = join(import.meta.dirname, '../../../../server/api/openapi/examples.json')
const LONGEST = 400
const MOST_ITEMS = 2

/** Sorts open invoices of equal days by number: their order by identifier differs in each recording. */
function inOrder(values: unknown[]): unknown[] {
  const numberOf = (value: unknown): string =>
    typeof value === 'object' && value !== null && 'daysLate' in value && 'number' in value
      ? String(value.number)
      : ''
  return values.toSorted((one, other) => numberOf(one).localeCompare(numberOf(other)))
}

/** Replaces identifiers, tokens, secrets and hashes by those of the documentation, the same for every recording. */
function asPrinted(value: unknown): unknown {
  if (Array.isArray(value)) return inOrder(value).slice(0, MOST_ITEMS).map(asPrinted)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, name === 'ms' ? 5 : asPrinted(member)]),
    )
  if (typeof value !== 'string') return value
  if (/^svct_/.test(value)) return 'svct_…'
  const text = value
    .replace(/\b([a-z]{2,5})_[0-9a-z]{16}(?![0-9a-z])/g, '$1_6tqy0v5cbn2k8w4e')
    .replace(/^SELLO[0-9A-Z]{16}$/, 'SELLO6TQY0V5CBN2K8W4E')
    .replace(/^[0-9a-f]{16}$/, '5f1c0e7ab2d94386')
    .replace(/\bsvc_(live|test)_[0-9A-Za-z_-]+/g, 'svc_$1_…')
    .replace(/\bwhsec_[0-9A-Za-z+/=_-]+/g, 'whsec_…')
    .replace(/\b([0-9A-F]{64})\b/g, 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855')
    .replace(/\b([0-9a-f]{64})\b/g, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    .replace(/\[svcr1\.[\w-]+\.[\w-]+\]/g, '[svcr1.…]')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:4545')
  // A file: its beginning is sufficient.
  return text.length > LONGEST ? text.slice(0, LONGEST) : text
}

const record = async (): Promise<void> => {
  const world = await openWorld()
  const made = await new Furnished(world).open()
  const examples: Record<string, Example & { answer?: unknown }> = {}
  for (const { name, contract, rest } of ROUTES) {
    const example = await exampleOf(name, made)
    const { params, query, body } = example
    const answer = contract.media === undefined ? await send(world, rest, example) : undefined
    if (answer && answer.status >= 300)
      throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    examples[name] = asPrinted({
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(body ? { body } : {}),
      ...(answer ? { answer: answer.body.data } : {}),
    }) as Example
  }
  writeFileSync(FILE, `${JSON.stringify(examples, null, 2)}\n`)
}
// Not `test.runIf`: a run without recording has no skipped test.
if (process.env.SELLO_RECORD === '1') test('are recorded', { timeout: 600_000 }, record)

test.each(ROUTES)('$name has one that its contract accepts', ({ name, contract, rest }) => {
  const example = (recorded as Record<string, Example | undefined>)[name]
  expect(example, 'Record it again.').toBeDefined()
  const takesBody = (rest.method === 'POST' && rest.fields !== 'query') || rest.method === 'PATCH'
  if (!takesBody) expect(example!.body).toBeUndefined()
  const { params, query, body } = example!
  const parsed = contract.input.safeParse({ ...params, ...query, ...body })
  expect(parsed.error?.issues ?? []).toEqual([])
})

test.each(ROUTES.filter(({ contract }) => contract.media === undefined))(
  '$name has an answer that matches its contract',
  ({ name, contract }) => {
    const { answer } = (recorded as Record<string, { answer?: unknown }>)[name] ?? {}
    expect(answer, 'Record it again.').toBeDefined()
    expect(contract.output.safeParse(answer).error?.issues ?? []).toEqual([])
  },
)

test('no example contains a key, a secret or an address of this computer other than its own', () => {
  const text = JSON.stringify(recorded)
  expect(text).not.toMatch(
    /svc_(live|test)_[0-9A-Za-z]{8}|whsec_[0-9A-Za-z+/]{8}|svct_[0-9A-Za-z]|\/tmp\/|127\.0\.0\.1:(?!4545)/,
  )
})
