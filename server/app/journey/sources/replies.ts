/** What the customer answered with the reply page. Who answers has the invoice, and has seen it. */
import { repliesOf } from '../../../sales/replies/index.ts'
import type { Reply } from '../../../sales/replies/contract.ts'
import type { JourneySource, SourceFact } from '../source.ts'

function factsOf(reply: Reply): SourceFact[] {
  const evidence = { type: 'reply' as const, id: reply.id, label: reply.saidBy ?? reply.sender ?? '' }
  const said = { at: reply.saidAt, day: null, evidence, note: 'said_by_customer' }
  const facts: SourceFact[] = [
    { step: 'delivered', state: 'done', ...said },
    { step: 'seen', state: 'done', ...said },
  ]
  if (reply.standing !== 'current') return facts
  if (reply.kind === 'accepted') facts.push({ step: 'accepted', state: 'done', ...said })
  if (reply.kind === 'rejected') facts.push({ step: 'accepted', state: 'failed', ...said })
  if (reply.payOn !== null)
    facts.push({ step: 'paid', state: 'waiting', ...said, note: `promised_${reply.payOn}` })
  return facts
}

export const replySource: JourneySource = {
  channel: 'reply',
  facts: async (ctx, { rowId }) => (await repliesOf(ctx, rowId)).flatMap(factsOf),
}
