/** Reply pages and the answers to them: offered once, taken in once, bound to their invoice. */
import { expect, test } from 'vitest'
import { sendBook } from '../../../../server/registry/index.ts'
import { setRegistryStatus } from '../../../../server/sales/invoices/index.ts'
import { findCodes, pageKey, writeCode } from '../../../../server/domain/replies/code.ts'
import type { Answer } from '../../../../server/domain/replies/code.ts'
import { secretOf } from '../../../../server/sales/replies/secret.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const AT = { at: '2026-07-01T10:00:00+02:00' }

/** What a page holds as data: its identifier and its key. */
function dataOf(page: string): { page: string; key: string; replyTo: string | null } {
  const [, json = ''] = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(page) ?? []
  return JSON.parse(json) as { page: string; key: string; replyTo: string | null }
}

/** Returns an answer as the page writes it. */
function answerOf(page: string, answer: Partial<Answer>, at = '2026-07-01T09:00:00Z'): string {
  const { page: pageId, key } = dataOf(page)
  return writeCode(Buffer.from(key, 'base64url'), {
    pageId,
    kind: 'accepted',
    payOn: null,
    reason: null,
    words: null,
    saidBy: null,
    saidAt: Date.parse(at),
    ...answer,
  })
}

async function issued(world: World) {
  return world.issue((await world.createDraft()).id)
}

test('the page of an invoice is the same each time, and each language has its own', async () => {
  const world = await openWorld(AT)
  const { id } = await issued(world)
  const first = (await world.post(`/api/v1/invoices/${id}/reply-page`, {})).body.data
  const again = (await world.post(`/api/v1/invoices/${id}/reply-page`, {})).body.data
  expect(again).toEqual(first)
  expect(first).toMatchObject({ fileName: 'T-F2026-0001-respuesta.html', signature: 'none' })
  const english = await world.run('replies.page', { id, language: 'en' })
  expect(english.fileName).toBe('T-F2026-0001-answer.html')
  expect(dataOf(english.page).page).not.toBe(dataOf(first.page).page)
  const { offered, items } = await world.run('replies.list', { invoiceId: id })
  expect(offered.map(({ language, supersededAt }) => [language, supersededAt])).toEqual([
    ['en', null],
    ['es', null],
  ])
  expect(items).toEqual([])
})

test('a draft and an annulled invoice have no page', async () => {
  const world = await openWorld(AT)
  const draft = await world.createDraft()
  const refused = await world.post(`/api/v1/invoices/${draft.id}/reply-page`, {})
  expect(refused.body.error.code).toBe('invoice_not_issued')
  const { id } = await issued(world)
  await sendBook(world.env, world.books.test, setRegistryStatus)
  const { confirmation } = await world.run('invoices.validate', { id, action: 'cancel' })
  await world.run('invoices.cancel', { id, confirmationToken: confirmation!.confirmationToken })
  const cancelled = await world.post(`/api/v1/invoices/${id}/reply-page`, {})
  expect(cancelled.body.error.code).toBe('invoice_cancelled')
})

test('an answer is taken in once, however often and by whatever way it comes', async () => {
  const world = await openWorld(AT)
  const { id, number } = await issued(world)
  const { page } = await world.run('replies.page', { id })
  const code = answerOf(page, { kind: 'accepted', payOn: '2026-08-01', words: 'Conforme', saidBy: 'Ana' })
  const taken = await world.post('/api/v1/replies', { text: `Hola\n${code}\n` })
  expect(taken.status, taken.raw.body).toBe(200)
  expect(taken.body.data).toMatchObject({
    refused: 0,
    items: [
      {
        isNew: true,
        reply: {
          invoiceId: id,
          invoiceNumber: number,
          kind: 'accepted',
          payOn: '2026-08-01',
          words: 'Conforme',
          saidBy: 'Ana',
          channel: 'program',
          standing: 'current',
        },
      },
    ],
  })
  const pasted = await world.run('replies.take', { text: `> ${code.replace(/(.{50})/g, '$1\n> ')}` })
  expect(pasted.items.map(({ isNew }) => isNew)).toEqual([false])
  const { items } = await world.run('replies.list', { invoiceId: id })
  expect(items).toHaveLength(1)
  const { items: events } = await world.run('events.list', { types: 'reply.taken' })
  expect(events.map(({ data }) => data)).toEqual([{ invoiceId: id, kind: 'accepted', replyId: items[0]?.id }])
  const after = await world.run('invoices.get', { id })
  expect(after.amountDue).toBe((await world.run('invoices.get', { id })).amountDue)
  expect(after.payment.status).toBe('unpaid')
})

test('the last word counts by when it was said, and no earlier one is lost', async () => {
  const world = await openWorld(AT)
  const { id } = await issued(world)
  const { page } = await world.run('replies.page', { id })
  const late = answerOf(page, { kind: 'accepted' }, '2026-07-01T09:30:00Z')
  const early = answerOf(page, { kind: 'rejected', reason: 'amount' }, '2026-07-01T09:00:00Z')
  const receipt = answerOf(page, { kind: 'received' }, '2026-06-30T09:00:00Z')
  world.setTime('2026-07-02T10:00:00+02:00')
  for (const text of [late, early, receipt]) await world.run('replies.take', { text })
  const { items } = await world.run('replies.list', { invoiceId: id })
  expect(Object.fromEntries(items.map(({ kind, standing }) => [kind, standing]))).toEqual({
    accepted: 'current',
    rejected: 'superseded',
    received: 'current',
  })
  // A clock that is ahead counts as the moment of taking in.
  const ahead = answerOf(page, { kind: 'rejected', reason: 'other' }, '2099-01-01T00:00:00Z')
  const { items: now } = await world.run('replies.take', { text: ahead })
  expect(now[0]?.reply).toMatchObject({ saidAt: '2026-07-02T08:00:00.000Z', standing: 'current' })
})

test('an answer to a page with other facts is kept, and is not the last word', async () => {
  const world = await openWorld(AT)
  const { id } = await issued(world)
  const { page } = await world.run('replies.page', { id })
  const text = answerOf(page, { kind: 'accepted' })
  await world.ctx().transaction(async (tx) => {
    await tx.db.updateTable('reply_pages').set({ superseded_at: tx.now().getTime() }).execute()
  })
  const next = await world.run('replies.page', { id })
  expect(dataOf(next.page).page).not.toBe(dataOf(page).page)
  const { items } = await world.run('replies.take', { text })
  expect(items[0]?.reply.standing).toBe('earlier_page')
})

test('codes of other books, altered codes and texts without one are refused by name', async () => {
  const world = await openWorld(AT)
  const one = await issued(world)
  const other = await issued(world)
  const { page } = await world.run('replies.page', { id: one.id })
  const { page: otherPage } = await world.run('replies.page', { id: other.id })
  const take = async (text: string) => (await world.call('replies.take', { text })).body
  expect((await take('Buenos días')).error.code).toBe('reply_code_missing')
  const good = answerOf(page, {})
  // The key of one page under the name of another.
  const forged = writeCode(Buffer.from(dataOf(page).key, 'base64url'), {
    pageId: dataOf(otherPage).page,
    kind: 'accepted',
    payOn: null,
    reason: null,
    words: null,
    saidBy: null,
    saidAt: 0,
  })
  const stranger = writeCode(pageKey(Buffer.alloc(32), 'rpp_0000000000000000'), {
    pageId: 'rpp_0000000000000000',
    kind: 'accepted',
    payOn: null,
    reason: null,
    words: null,
    saidBy: null,
    saidAt: 0,
  })
  const [parts] = findCodes(good)
  const altered = `[svcr1.${parts?.payload}.${'A'.repeat(43)}]`
  const broken = `[svcr1.${Buffer.from('[]').toString('base64url')}.${'A'.repeat(43)}]`
  for (const [text, why] of [
    [forged, 'not_authentic'],
    [altered, 'not_authentic'],
    [stranger, 'unknown_page'],
    [broken, 'damaged'],
  ] as const)
    expect((await take(text)).error).toMatchObject({ code: 'reply_code_refused', details: { why } })
  const mixed = await world.run('replies.take', { text: `${forged}\n${good}\n${stranger}` })
  expect([mixed.items.length, mixed.refused]).toEqual([1, 2])
  expect((await world.run('replies.list', {})).items).toHaveLength(1)
  expect((await world.run('replies.list', { invoiceId: other.id })).items).toEqual([])
})

test('a page that was offered before the books moved is known, not believed, and works once it is saved again', async () => {
  const world = await openWorld(AT)
  const { id } = await issued(world)
  const { page } = await world.run('replies.page', { id })
  const code = answerOf(page, {})
  const remaining = async (): Promise<string> => {
    const { body } = await world.call('replies.take', { text: code })
    return (body.error.details as { why: string }).why
  }
  // What a move leaves behind.
  await world.ctx().transaction((tx) => tx.db.deleteFrom('reply_secrets').execute())
  expect(await remaining()).toBe('earlier_installation')
  world.setTime('2026-07-02T10:00:00+02:00')
  const again = await world.run('replies.page', { id })
  expect(dataOf(again.page).page).toBe(dataOf(page).page)
  expect(dataOf(again.page).key).not.toBe(dataOf(page).key)
  // The earlier code stays refused: its key is not known here.
  expect(await remaining()).toBe('earlier_installation')
  const { items } = await world.run('replies.take', { text: answerOf(again.page, {}) })
  expect(items).toHaveLength(1)
})

test('the live book does not take the answers of the test book', async () => {
  const world = await openWorld(AT)
  const { id } = await issued(world)
  const { page } = await world.run('replies.page', { id })
  const answer = await world.call('replies.take', { text: answerOf(page, {}) }, { book: 'live' })
  expect(answer.body.error).toMatchObject({ code: 'reply_code_refused', details: { why: 'unknown_page' } })
})

test('what was said is never changed or deleted in the store', async () => {
  const world = await openWorld(AT)
  const { id } = await issued(world)
  const { page } = await world.run('replies.page', { id })
  await world.run('replies.take', { text: answerOf(page, { words: 'Conforme' }) })
  const tries = [
    (tx: ReturnType<World['ctx']>) =>
      tx.db.updateTable('reply_answers').set({ words: 'Otra cosa' }).execute(),
    (tx: ReturnType<World['ctx']>) =>
      tx.db.updateTable('reply_answers').set({ emptied_at: 1, kind: 'received' }).execute(),
    (tx: ReturnType<World['ctx']>) => tx.db.deleteFrom('reply_answers').execute(),
    (tx: ReturnType<World['ctx']>) => tx.db.deleteFrom('reply_pages').execute(),
    (tx: ReturnType<World['ctx']>) => tx.db.updateTable('reply_pages').set({ offered_by: 'X' }).execute(),
  ]
  for (const attempt of tries)
    await expect(world.ctx().transaction(async (tx) => void (await attempt(tx)))).rejects.toThrow(/frozen/)
  expect(await secretOf(world.ctx())).toHaveLength(32)
})

test('two first pages at once share one secret', async () => {
  const world = await openWorld(AT)
  const invoices = [await issued(world), await issued(world)]
  const pages = await Promise.all(invoices.map(({ id }) => world.run('replies.page', { id })))
  const texts = pages.map(({ page }) => answerOf(page, {}))
  expect((await world.run('replies.take', { text: texts.join('\n') })).items).toHaveLength(2)
})

test('the list goes on where its page ended', async () => {
  const world = await openWorld(AT)
  const { id } = await issued(world)
  const { page } = await world.run('replies.page', { id })
  for (let at = 0; at < 5; at++)
    await world.run('replies.take', { text: answerOf(page, {}, `2026-06-0${at + 1}T09:00:00Z`) })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await world.run('replies.list', { limit: 2, ...(cursor ? { cursor } : {}) })
    seen.push(...items.map((item) => item.id))
    cursor = nextCursor ?? undefined
  } while (cursor)
  expect(new Set(seen).size).toBe(5)
  expect(seen).toHaveLength(5)
})
