/** Examples of the operations of replies, and of the journey that they are a part of. */
import { writeCode } from '../../../server/domain/replies/code.ts'
import type { Furnished } from './index.ts'

/** Returns an answer to an invoice as its reply page writes it. */
export function answerCode(page: string, said: { kind: 'received' | 'accepted'; at: Date }): string {
  const [, json = ''] = /<script type="application\/json" id="data">([^<]*)</.exec(page) ?? []
  const data = JSON.parse(json) as { page: string; key: string }
  return writeCode(Buffer.from(data.key, 'base64url'), {
    pageId: data.page,
    kind: said.kind,
    payOn: null,
    reason: null,
    words: 'Conforme.',
    saidBy: 'Ana Ruiz Gil',
    saidAt: said.at.getTime(),
  })
}

async function answered(made: Furnished): Promise<{ id: string; text: string }> {
  const { id } = await made.issued()
  const { page } = await made.world.run('replies.page', { id })
  return { id, text: answerCode(page, { kind: 'accepted', at: made.world.env.now() }) }
}

export const replyExamples = {
  'replies.page': async (made: Furnished) => ({ params: { id: (await made.issued()).id }, body: {} }),
  'replies.take': async (made: Furnished) => ({ body: { text: (await answered(made)).text } }),
  'replies.list': async (made: Furnished) => {
    const { text } = await answered(made)
    await made.world.run('replies.take', { text })
    return { query: { limit: 10 } }
  },
  'invoices.journey': async (made: Furnished) => {
    const { id, text } = await answered(made)
    await made.world.run('replies.take', { text })
    return { params: { id } }
  },
  'received.journey': async (made: Furnished) => ({ params: { id: await made.received() } }),
}
