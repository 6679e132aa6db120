/** The work is killed at each of its failpoints: after a restart everything is at the platform once, and in order. */
import { expect, test } from 'vitest'
import { FAILPOINTS } from '../../../../server/db/failpoints.ts'
import { openExchange, SUPPLIER_NIF } from '../../../support/exchange/exchange-books.ts'

const STEPS = FAILPOINTS.filter((step) => step.startsWith('exchange.'))

test.each(STEPS)('killed at %s: nothing is lost or doubled', async (step) => {
  const books = await openExchange()
  const invoice = await books.invoice()
  await books.run('payments.payInvoice', {
    id: invoice.id,
    amount: invoice.amountDue,
    date: '2027-10-07',
    method: 'transfer',
  })
  await books.deliver('S-1', '2027-10-06')
  const end = books.killAtStep(step)
  for (let turns = 0; turns < 6; turns += 1) {
    await books.turn()
    books.goOn(11 * 60_000)
  }
  expect(end()).toBe(true)
  await books.quiet()
  const own = books.platform.held.filter(({ code }) => code.issuerTaxId !== SUPPLIER_NIF)
  expect(own.map(({ code }) => code.number)).toEqual([invoice.number])
  expect(own[0]?.statuses.map(({ kind }) => kind)).toEqual(['settled'])
  expect((await books.documentOf(invoice.id)).state).toBe('admitted')
  const { items } = await books.run('exchange.list', { direction: 'received' })
  expect(items).toMatchObject([{ state: 'open', number: 'S-1', incomingId: expect.any(String) }])
  expect((await books.run('incoming.list', {})).items).toHaveLength(1)
})
