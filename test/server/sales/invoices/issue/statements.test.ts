/**
 * What an issue sends while it holds the lock of its company: everybody else of that company waits as long. The answer
 * is made of what is known there, and must be what reading the invoice gives.
 */
import { expect, test } from 'vitest'
import type { InputOf, OutputOf } from '../../../../../server/api/contracts.ts'
import { ENGINE } from '../../../../support/postgres/databases.ts'
import { partsUnderLock, watchStatements } from '../../../../support/postgres/sent.ts'
import type { PartCount } from '../../../../support/postgres/sent.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'

type Invoice = OutputOf<'invoices.issue'>

/** Four of them read back what was written, in one round trip (docs/adr/0069-one-invoice-one-truth.md). */
const MOST = 30
/** The first one also adds series, accounts, groups of the totals and parties. */
const MOST_OF_FIRST = 45

const CUSTOMER: InputOf<'invoices.create'> = {
  clientName: 'Acme',
  clientNif: 'B12345674',
  client: { address: { street: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid' } },
  lines: [{ description: 'Work', quantity: 1, unitPrice: 100, vatRate: 21 }],
}

const lines = (count: number): InputOf<'invoices.create'>['lines'] =>
  Array.from({ length: count }, (_, index) => ({
    description: `Work ${index}`,
    quantity: 1,
    unitPrice: 10 + index,
    vatRate: index % 2 === 0 ? 21 : 10,
  }))

const creditOf = (of: Invoice): Partial<InputOf<'invoices.create'>> => ({
  rectifies: [{ id: of.id }],
  rectification: { method: 'I', cause: 'other', reason: 'Returned' },
  lines: [{ description: 'Back', quantity: -1, unitPrice: 1, vatRate: 21 }],
})

async function ready(world: World, input: Partial<InputOf<'invoices.create'>> = {}) {
  const { id } = await world.run('invoices.create', { ...CUSTOMER, ...input })
  const { confirmation } = await world.run('invoices.validate', { id })
  if (!confirmation) throw new Error('The draft is not valid.')
  return { id, confirmationToken: confirmation.confirmationToken }
}

async function counted<T>(work: () => Promise<T>): Promise<{ result: T; parts: PartCount[] }> {
  const watch = watchStatements('sello-write')
  try {
    return { result: await work(), parts: partsUnderLock(watch.sent) }
  } finally {
    watch.stop()
  }
}

/** Issues a draft; its answer must be what reading it gives. Returns what was sent under the lock. */
async function issued(
  world: World,
  input: Partial<InputOf<'invoices.create'>> = {},
): Promise<{ invoice: Invoice; statements: number }> {
  const draft = await ready(world, input)
  const { result: invoice, parts } = await counted(() => world.run('invoices.issue', draft))
  expect(await world.run('invoices.get', { id: invoice.id })).toEqual(invoice)
  if (ENGINE === 'pg') expect(parts).toHaveLength(1)
  return { invoice, statements: parts[0]?.statements ?? 0 }
}

test('an issue sends few statements under the lock, and answers what a reading gives', async () => {
  const world = await openWorld()
  const first = await issued(world)
  expect(first.statements).toBeLessThanOrEqual(MOST_OF_FIRST)
  await issued(world, { lines: lines(10) })
  const ticket = { kind: 'F2', clientNif: null, lines: lines(2) } as const
  await issued(world, ticket)
  await issued(world, creditOf(first.invoice))
  const counts = {
    plain: await issued(world),
    lines10: await issued(world, { lines: lines(10) }),
    simplified: await issued(world, ticket),
    corrective: await issued(world, creditOf((await issued(world)).invoice)),
    complete: await issued(world, {
      kind: 'F3',
      substitutes: [{ id: (await issued(world, ticket)).invoice.id }],
      lines: lines(2),
    }),
  }
  console.log(
    Object.entries(counts)
      .map(([n, c]) => n + ' ' + c.statements)
      .join(', '),
  )
  for (const [name, { statements }] of Object.entries(counts))
    expect(statements, name).toBeLessThanOrEqual(name === 'complete' ? MOST + 5 : MOST)
})

test('those that share a commit send few statements each, savepoints included', async () => {
  const world = await openWorld()
  for (const input of [{}, {}, { lines: lines(10) }]) await issued(world, input)
  await issued(world, creditOf((await issued(world)).invoice))
  const corrective = creditOf((await issued(world)).invoice)
  const drafts: Awaited<ReturnType<typeof ready>>[] = []
  for (const input of [{}, { lines: lines(10) }, corrective, {}, {}, {}])
    drafts.push(await ready(world, input))
  const { result, parts } = await counted(() =>
    Promise.all(drafts.map((draft) => world.run('invoices.issue', draft))),
  )
  expect(new Set(result.map(({ number }) => number)).size).toBe(drafts.length)
  for (const one of result) expect(await world.run('invoices.get', { id: one.id })).toEqual(one)
  if (ENGINE !== 'pg') return
  expect(parts).toHaveLength(drafts.length)
  console.log(parts.map((p) => p.statements).join(' '))
  for (const part of parts) expect(part.statements).toBeLessThanOrEqual(MOST)
})
