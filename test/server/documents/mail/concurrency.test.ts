/** Concurrent changes to the same mails: a decision is made once, and nothing is sent from outdated data. */
import { expect, test } from 'vitest'
import { togetherSorted } from '../../../support/concurrently.ts'
import { inLongRun } from '../../../support/sweep.ts'
import type { World } from '../../../support/world.ts'
import {
  accountAt,
  invoiceWithMail,
  liveQuote,
  openMailWorld,
  openPostOffice,
  OWN,
  sendDue,
} from './post-office.ts'

const longTest = inLongRun(test)

const mails = async (world: World) => (await world.run('mail.list', {})).items

/** Creates a mail that the server rejected. */
async function failedMail(world: World): Promise<string> {
  const office = await openPostOffice()
  office.answer = () => ({ code: 554, text: 'No' })
  await world.run('mail.saveAccount', accountAt(office.port))
  const { input } = await invoiceWithMail(world)
  const { id } = await world.run('mail.send', input)
  await sendDue(world)
  return id
}

test('the account is saved once in each version', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const save = (fromName: string) =>
    world.run('mail.saveAccount', accountAt(office.port, { fromName, expectedVersion: 1 }))
  expect(await togetherSorted(save('Una'), save('Otra'))).toEqual(['done', 'version_conflict'])
})

test('the decision about a mail is made once, and never while it is sent', async () => {
  const world = await openMailWorld()
  const id = await failedMail(world)
  const resolve = (decision: 'again' | 'discard') => world.run('mail.resolve', { id, decision })
  expect(await togetherSorted(resolve('discard'), resolve('discard'))).toEqual(['done', 'mail_not_open'])
  const other = await failedMail(world)
  await world.run('mail.resolve', { id: other, decision: 'again' })
  const discard = () => world.run('mail.resolve', { id: other, decision: 'discard' })
  const outcomes = await togetherSorted(sendDue(world), discard())
  const { state } = (await mails(world)).find((mail) => mail.id === other)!
  // Whichever came first: no decision is possible about a mail in flight.
  expect(state).toBe(outcomes.includes('mail_not_open') ? 'failed' : 'discarded')
})

test('two senders take each mail only once', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const { input } = await invoiceWithMail(world)
  await Promise.all([world.run('mail.send', input), world.run('mail.send', input)])
  world.advance(5_000)
  const tried = await Promise.all([sendDue(world), sendDue(world)])
  expect(tried[0]! + tried[1]!).toBe(2)
  expect(office.received).toHaveLength(2)
})

longTest('a retried mail of a test book goes to an address that is still the company’s own', async () => {
  const world = await openMailWorld()
  const id = await failedMail(world)
  await world.run('mail.saveAccount', accountAt(1, { fromAddress: 'otra@talleres.example' }))
  const outcomes = await togetherSorted(
    world.run('company.update', { email: 'otra@talleres.example' }),
    world.run('mail.resolve', { id, decision: 'again' }),
  )
  expect(outcomes).toEqual(['done', 'mail_test_recipient'])
})

test('a new mail of a test book goes to an address that is still the company’s own', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const { input } = await invoiceWithMail(world)
  await world.run('mail.saveAccount', accountAt(office.port, { fromAddress: 'otra@talleres.example' }))
  const outcomes = await togetherSorted(
    world.run('company.update', { email: 'otra@talleres.example' }),
    world.run('mail.send', input),
  )
  expect(input.to).toEqual([OWN])
  expect(outcomes).toEqual(['done', 'mail_test_recipient'])
})

test('a mail about a quote that is deleted meanwhile is rejected', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const { quote, input } = await liveQuote(world)
  const inLive = { book: 'live' } as const
  // Numbered and sent already, so that the mail changes nothing of it.
  await world.run('quotes.setState', { id: quote.id, state: 'sent' }, inLive)
  await world.run('quotes.pdf', { id: quote.id }, inLive)
  const make = world.env.documents.make
  world.env.documents.make = async (job) => {
    await world.run('quotes.delete', { id: quote.id }, inLive)
    return make(job)
  }
  expect(await togetherSorted(world.run('mail.send', input, inLive))).toEqual(['not_found'])
  expect((await world.run('mail.list', {}, inLive)).items).toEqual([])
})
