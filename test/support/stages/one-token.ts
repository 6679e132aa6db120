/** Many simultaneous issues of one draft with one token, over every transport: one of them succeeds. */
import { expect } from 'vitest'
import { verifyAudit } from '../../../server/platform/audit/index.ts'
import { listBooks, loadBook } from '../../../server/platform/books/index.ts'
import { createCtx } from '../../../server/context.ts'
import type { Ctx } from '../../../server/context.ts'
import { PERSON } from '../../../server/api/http/index.ts'
import { verifyNumbering, verifyTotals } from '../../../server/sales/invoices/index.ts'
import { proveChain } from '../../../server/registry/index.ts'
import { DRAFT } from '../../server/api/mcp/running.ts'
import type { Running } from '../../server/api/mcp/running.ts'
import { callOver } from '../mcp.ts'
import { dice } from '../seeded-random.ts'

const AT_ONCE = 50
type Door = 'rest' | '2025' | '2026'
const DOORS: readonly Door[] = ['rest', '2025', '2026']

interface Issued {
  id: string
  number: string
  replayed?: boolean
}

type Issue = (id: string, confirmationToken: string) => Promise<Issued>

/** Issues over a transport; throws its error. */
function through(door: Door, running: Running, key: string): Issue {
  if (door !== 'rest')
    return async (id, confirmationToken) => {
      const args = { id, confirmationToken }
      const answer = await callOver(
        { url: running.mcpUrl, key, era: door },
        'svc_issue_registry_invoice',
        args,
      )
      if (answer.isError) throw new Error(`${door}: ${JSON.stringify(answer.error)}`)
      return answer.data as Issued
    }
  return async (id, confirmationToken) => {
    const answer = await fetch(`${running.url}/api/v1/invoices/${id}/issue`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ confirmationToken }),
    })
    if (!answer.ok) throw new Error(`rest: ${await answer.text()}`)
    return ((await answer.json()) as { data: Issued }).data
  }
}

/**
 * Runs rounds of: draft, validate, and fifty simultaneous issues with that one token over real connections. In each
 * round one call issues and the others get its invoice as a repetition. Returns how often each transport won.
 */
export async function oneTokenRounds(
  running: Running,
  rounds: number,
  seed: number,
): Promise<Record<Door, number>> {
  const { key } = await running.makeKey()
  const random = dice(seed)
  const won: Record<Door, number> = { rest: 0, '2025': 0, '2026': 0 }
  for (let round = 1; round <= rounds; round++) {
    const where = `round ${round} of seed ${seed}`
    const { id } = await running.run('invoices.create', DRAFT)
    const era = random.pick(['2025', '2026'] as const)
    const validated = await callOver({ url: running.mcpUrl, key, era }, 'svc_validate_registry_invoice', {
      id,
    })
    const { confirmationToken } = validated.data.confirmation
    // At least one of each transport, the rest at random.
    const doors = Array.from({ length: AT_ONCE }, (_, at) => DOORS[at] ?? random.pick(DOORS))
    const order = doors.toSorted(() => random.below(3) - 1)
    const answers = await Promise.all(
      order.map((door) => through(door, running, key)(id, confirmationToken as string)),
    )
    const winners = order.filter((_, at) => answers[at]?.replayed !== true)
    expect(winners, where).toHaveLength(1)
    won[winners[0] as Door] += 1
    expect(new Set(answers.map((answer) => answer.id)), where).toEqual(new Set([id]))
    expect(new Set(answers.map(({ number }) => number)).size, where).toBe(1)
  }
  return won
}

async function testBookCtx({ sello: { env } }: Running): Promise<Ctx> {
  const known = (await listBooks(env.store.reader)).find(({ mode }) => mode === 'test')
  const book = await loadBook(env.store.reader, known?.publicId ?? '')
  if (!book) throw new Error('There is no test book.')
  return createCtx({ env, book, actor: PERSON, channel: 'ui', requestId: env.newId('req') })
}

/** Checks one number and one record for each of `issues`, without gaps, in a valid chain. */
export async function proveOnce(running: Running, issues: number): Promise<void> {
  const ctx = await testBookCtx(running)
  const issued = await ctx.db
    .selectFrom('invoices')
    .select(['id', 'sequence'])
    .where('state', '=', 'issued')
    .orderBy('sequence')
    .execute()
  expect(issued.map(({ sequence }) => sequence)).toEqual(Array.from({ length: issues }, (_, at) => at + 1))
  const records = await ctx.db
    .selectFrom('registry_records')
    .select('invoice_id')
    .orderBy('sequence')
    .execute()
  expect(records.map((record) => record.invoice_id)).toEqual(issued.map(({ id }) => id))
  expect(await proveChain(ctx)).toMatchObject({ ok: true, records: issues })
  expect(await verifyNumbering(ctx)).toMatchObject({ ok: true, checked: issues })
  expect(await verifyTotals(ctx)).toMatchObject({ ok: true, checked: issues })
  expect(await verifyAudit(ctx, {})).toMatchObject({ ok: true })
  expect(running.logged.filter((line) => line.includes('"bug"'))).toEqual([])
}
