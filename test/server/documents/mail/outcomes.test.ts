/** Outcomes of a mail that is not delivered at once: later, never, unknown; and the decisions of a person. */
import { companyOf } from '../../../support/books.ts'
import { expect, test } from 'vitest'
import { recoverInterruptedMails, sendDueMails } from '../../../../server/documents/mail/jobs.ts'
import type { World } from '../../../support/world.ts'
import {
  accountAt,
  invoiceWithMail,
  liveQuote,
  openMailWorld,
  openPostOffice,
  openSilence,
  sendDue,
} from './post-office.ts'

const MINUTE_MS = 60_000

/** Like `sendDue`, to a server that never answers: with a shorter wait for it. */
function sendInVain(world: World): Promise<number> {
  world.advance(5_000)
  const limits = { connectMs: 100, idleMs: 100, totalMs: 3_000 }
  const options = { env: world.env, log: (line: string) => world.logged.push(line), limits }
  return sendDueMails(options, companyOf(world))
}

test('a mail to a server that hangs or is missing is retried three times, at increasing intervals', async () => {
  const world = await openMailWorld()
  await world.run('mail.saveAccount', accountAt(await openSilence()))
  const { input } = await invoiceWithMail(world)
  await world.run('mail.send', input)
  const waits: number[] = []
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    expect(await sendInVain(world)).toBe(1)
    expect(await sendInVain(world)).toBe(0)
    const mail = (await world.run('mail.list', {})).items[0]!
    expect(mail).toMatchObject({ state: 'queued', attempts: attempt, reason: 'timeout' })
    const wait = Date.parse(mail.nextAttemptAt ?? '') - world.env.now().getTime()
    // The second run came five seconds later.
    waits.push((wait + 5_000) / MINUTE_MS)
    world.advance(wait)
  }
  expect(waits).toEqual([1, 5, 30])
  expect(await sendInVain(world)).toBe(1)
  expect((await world.run('mail.list', {})).items[0]).toMatchObject({
    state: 'failed',
    attempts: 4,
    reason: 'timeout',
  })
})

test('a temporary refusal is retried later, and a permanent one is not', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const { input } = await invoiceWithMail(world)
  await world.run('mail.send', input)
  office.answer = () => ({ code: 451, text: 'Try again later' })
  await sendDue(world)
  expect((await world.run('mail.list', {})).items[0]).toMatchObject({ state: 'queued', reason: 'try_later' })
  office.answer = null
  world.advance(MINUTE_MS)
  await sendDue(world)
  expect((await world.run('mail.list', {})).items[0]).toMatchObject({
    state: 'sent',
    attempts: 2,
    reason: null,
  })
  expect(office.received).toHaveLength(1)

  await world.run('mail.send', input)
  office.answer = () => ({ code: 554, text: 'Looks like spam' })
  await sendDue(world)
  expect((await world.run('mail.list', {})).items[0]).toMatchObject({
    state: 'failed',
    reason: 'refused',
    attempts: 1,
    detail: expect.stringContaining('Looks like spam'),
  })
})

test('an unknown recipient fails alone, and is named when others received the mail', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const { input } = await liveQuote(world)
  office.refuses.set('ana@cliente.example', 550)
  await world.run('mail.send', input, { book: 'live' })
  await sendDue(world)
  expect((await world.run('mail.list', {}, { book: 'live' })).items[0]).toMatchObject({
    state: 'failed',
    reason: 'recipient_refused',
  })
  await world.run(
    'mail.send',
    { ...input, cc: ['luis@cliente.example', 'LUIS@cliente.example'] },
    { book: 'live' },
  )
  await sendDue(world)
  expect((await world.run('mail.list', {}, { book: 'live' })).items[0]).toMatchObject({
    state: 'sent',
    cc: ['luis@cliente.example'],
    refused: ['ana@cliente.example'],
  })
  expect(office.received.map(({ to }) => to)).toEqual([['luis@cliente.example']])
})

test('a connection lost after the mail was transmitted leaves it unknown: only a person sends it again', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const { input } = await invoiceWithMail(world)
  const { id } = await world.run('mail.send', input)
  office.answer = () => 'hang up'
  await sendDue(world)
  const unknown = (await world.run('mail.list', { open: true })).items[0]
  expect(unknown).toMatchObject({ state: 'unknown', actions: ['again', 'delivered', 'discard'] })
  world.advance(24 * 60 * MINUTE_MS)
  expect(await sendDue(world)).toBe(0)
  expect(office.received).toHaveLength(1)

  // A second attempt sends the same bytes under the same identifier.
  office.answer = null
  await world.run('mail.resolve', { id, decision: 'again' })
  await sendDue(world)
  expect(office.received).toHaveLength(2)
  expect(office.received[1]?.raw.equals(office.received[0]!.raw)).toBe(true)
  const refused = await world.call('mail.resolve', { id, decision: 'again' })
  expect(refused.body.error).toMatchObject({ code: 'mail_not_open', details: { state: 'sent' } })
  await expect(
    world.env.store.transaction(world.books.test.companyId, (db) =>
      db
        .updateTable('mails')
        .set({ state: 'queued', next_attempt_at: 0 })
        .where('public_id', '=', id)
        .execute(),
    ),
  ).rejects.toThrow('frozen: mails')
})

test('a mail in flight when the program ended is unknown at the next start', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const { input } = await invoiceWithMail(world)
  const { id } = await world.run('mail.send', input)
  await world.env.store.transaction(world.books.test.companyId, (db) =>
    db.updateTable('mails').set({ state: 'sending', next_attempt_at: null, attempts: 1 }).execute(),
  )
  await recoverInterruptedMails(world.env, companyOf(world))
  await sendDue(world)
  expect(office.received).toHaveLength(0)
  expect((await world.run('mail.list', {})).items[0]).toMatchObject({
    id,
    state: 'unknown',
    reason: 'interrupted',
  })
  const settled = await world.run('mail.resolve', { id, decision: 'delivered' })
  expect(settled).toMatchObject({ state: 'sent', actions: [] })
})

test('a waiting mail can be cancelled', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const { input } = await invoiceWithMail(world)
  const { id } = await world.run('mail.send', input)
  const options = { env: world.env, log: () => undefined }
  expect(await sendDueMails(options, companyOf(world))).toBe(0)
  expect((await world.run('mail.resolve', { id, decision: 'discard' })).state).toBe('discarded')
  expect(await sendDue(world)).toBe(0)
  expect(office.received).toHaveLength(0)
})
