/** A person's answer to a key while somebody else answers, changes the draft or asks again: it is given once, to what was shown. */
import { expect, test } from 'vitest'
import type { Ctx } from '../../../../../server/context.ts'
import { openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { makeP12 } from '../../../../support/files/certificates.ts'
import { expectSound, together } from '../../../../support/concurrently.ts'
import { swept } from '../../../../support/sweep.ts'

interface Asked {
  world: TestBooks
  key: Ctx
  id: string
  token: string
  decide: (decision: 'approve' | 'deny') => Promise<unknown>
}

/** What a key asks of a sandbox's live book, with its page open. */
async function asked(): Promise<Asked> {
  const world = await openBooks({ environment: { sandbox: true, window: { pages: 1 } } })
  const { p12 } = makeP12({ password: 'clave' })
  await world.run('certificates.import', { file: p12.toString('base64'), password: 'clave' }, world.live)
  const key = world.ctx(world.books.live, await world.key({ approval: 'always' }, world.books.live))
  const { id } = await world.draft({}, world.live)
  const { confirmation } = await world.run('invoices.validate', { id }, key)
  const approvalId = confirmation?.approval.approvalId ?? ''
  const { contentHash } = await world.run('approvals.get', { id: approvalId }, world.live)
  return {
    world,
    key,
    id,
    token: confirmation?.confirmationToken ?? '',
    decide: (decision) =>
      world.run('approvals.decide', { id: approvalId, decision, contentHash }, world.live),
  }
}

const CASES: Record<string, [(asked: Asked) => Promise<unknown>[], string[], number]> = {
  'a yes twice': [({ decide }) => [decide('approve'), decide('approve')], ['done', 'approval_closed'], 1],
  'a no and a yes': [({ decide }) => [decide('deny'), decide('approve')], ['done', 'approval_closed'], 0],
  'a change of the draft and a yes': [
    ({ world, id, decide }) => [
      world.run('invoices.update', { id, notes: 'x' }, world.live),
      decide('approve'),
    ],
    ['done', 'approval_closed'],
    0,
  ],
  'the person issuing it and a yes': [
    ({ world, id, decide }) => [world.issue(id, world.live), decide('approve')],
    ['invoice_not_draft', 'done'],
    1,
  ],
  'a yes and the key that asks again a moment before': [
    ({ world, id, token, key, decide }) => [
      decide('approve'),
      world.run('invoices.issue', { id, confirmationToken: token }, key),
    ],
    ['done', 'approval_pending'],
    1,
  ],
}

test.each(swept(Object.entries(CASES), ([title]) => /^a (yes twice|change)/.test(title)))(
  '%s',
  async (_title, [start, codes, records]) => {
    const its = await asked()
    expect(await together(...start(its))).toEqual(codes)
    const { chain } = await its.world.run('registry.status', {}, its.world.live)
    expect(chain.records).toBe(records)
    await expectSound(its.world)
  },
)
