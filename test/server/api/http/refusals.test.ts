/** Errors that occur only with an unusual order of requests: each is listed in the description of its operation. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Furnished } from '../../../support/examples/index.ts'
import { Description } from '../../../support/fuzz/described.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

let world: World
let made: Furnished
beforeAll(async () => {
  world = await openWorld({ shared: true })
  made = await new Furnished(world).open()
})
afterAll(() => world.close())

const description = new Description()
const UNKNOWN_ACCOUNT = '57743128'

/** Settles an invoice by payment or write-off. */
async function settledBy(how: 'payments' | 'write-off'): Promise<string> {
  const { id } = await made.issued()
  const body = how === 'payments' ? { ...made.paying(), amount: 24.2 } : { date: made.today }
  expect((await world.post(`/api/v1/invoices/${id}/${how}`, body)).status).toBe(201)
  return id
}

type Asking = () => Promise<{ path: string; body: object }>

test.each<[string, string, string, Asking]>([
  [
    'what is paid is not collected again',
    'payments_collect',
    'invoice_settled',
    async () => ({
      path: '/collections',
      body: { date: made.today, method: 'transfer', invoiceIds: [await settledBy('payments')] },
    }),
  ],
  [
    'what was given up is not given up again',
    'payments_writeOff',
    'invoice_uncollectible',
    async () => ({
      path: `/invoices/${await settledBy('write-off')}/write-off`,
      body: { date: made.today },
    }),
  ],
  [
    'what was given up is not paid',
    'payments_payInvoice',
    'invoice_uncollectible',
    async () => ({ path: `/invoices/${await settledBy('write-off')}/payments`, body: made.paying() }),
  ],
  [
    'money goes through no account that nobody made',
    'payments_payInvoice',
    'account_unknown',
    async () => ({
      path: `/invoices/${(await made.issued()).id}/payments`,
      body: { ...made.paying(), account: UNKNOWN_ACCOUNT },
    }),
  ],
  [
    'nor does what a supplier is paid',
    'payments_payReceived',
    'account_unknown',
    async () => ({
      path: `/received-invoices/${await made.received()}/payments`,
      body: { ...made.paying(), account: UNKNOWN_ACCOUNT },
    }),
  ],
  [
    'an expense is booked on no account that nobody made',
    'received_create',
    'account_unknown',
    async () => ({
      path: '/received-invoices',
      body: { ...made.receivedInput(), taxLines: [{ base: 100, vatRate: 21, account: '61803498' }] },
    }),
  ],
  [
    'a draft is not collected by the bank',
    'remittances_create',
    'invoice_not_issued',
    async () => ({ path: '/remittances', body: { kind: 'debit', items: [{ id: await made.draft() }] } }),
  ],
  [
    'nor what was given up',
    'remittances_create',
    'invoice_uncollectible',
    async () => ({
      path: '/remittances',
      body: { kind: 'debit', items: [{ id: await settledBy('write-off') }] },
    }),
  ],
  [
    'a VAT number is checked for a contact that is there',
    'lookups_vatNumber',
    'not_found',
    async () => ({
      path: '/contacts/vat-number-check',
      body: { vatNumber: 'DE123456789', contactId: 'nobody' },
    }),
  ],
  [
    'so is the census',
    'lookups_census',
    'not_found',
    async () => ({
      path: '/contacts/census-check',
      body: { nif: '12345678Z', name: 'Ana Ruiz Gil', contactId: 'nobody' },
    }),
  ],
])('%s', async (_what, id, code, ask) => {
  const { path, body } = await ask()
  const { status, headers, body: answer, raw } = await world.post(`/api/v1${path}`, body)
  expect(answer.error?.code, raw.body).toBe(code)
  const operation = description.operations.find((one) => one.id === id)
  if (!operation) throw new Error(`${id} is not described.`)
  expect(description.complaintAbout(operation, { status, headers, body: raw.rawPayload })).toBeNull()
})
