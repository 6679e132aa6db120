/** Whole timelines: invoices that go through the simulated platform and the simulated portal, step by step. */
import { expect, test } from 'vitest'
import { createSystemCtx } from '../../../../server/context.ts'
import { exchangeTurn } from '../../../../server/integrations/exchange/sending/turn.ts'
import {
  createPlatform,
  createPlatformFaultControl,
  exchangePortOf,
  memoryPlatformState,
} from '../../../../server/integrations/exchange/simulator/index.ts'
import type { StatusKind } from '../../../../server/integrations/exchange/types.ts'
import { CLIENT_ADDRESS, openBooks } from '../../../support/books.ts'
import type { Invoice, TestBooks } from '../../../support/books.ts'
import { openExchange, SUPPLIER_NIF } from '../../../support/exchange/exchange-books.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { openPortalBooks, PUBLIC_BODY } from '../../integrations/portal/samples.ts'

const CUSTOMER = { nif: 'B87654323', name: 'Cliente Primero, S.L.' }

type Steps = Awaited<ReturnType<TestBooks['run']>> & {
  steps: {
    step: string
    state: string
    channel: string | null
    note: string | null
    at: string | null
    day: string | null
  }[]
}

/** Each step as `step: state, channel note (when)`. */
const lines = ({ steps }: Steps): string[] =>
  steps.map(({ step, state, channel, note, at, day }) =>
    [`${step}: ${state}`, channel, note, at ?? day].filter(Boolean).join(' '),
  )

const timelineOf = async (books: TestBooks, id: string): Promise<string[]> =>
  lines((await books.run('invoices.journey', { id })) as Steps)

/** A test book and its customer at one simulated platform. */
async function openPlatform() {
  const books = await openBooks({ at: '2027-10-07T10:00:00Z' })
  await books.run('exchange.setSettings', { sending: true })
  let count = 0
  const newId = (): string => `m-${(count += 1)}`
  const now = (): Date => books.env.now()
  const faults = createPlatformFaultControl()
  const platform = createPlatform({
    state: memoryPlatformState(),
    now,
    newCsv: () => `CSV${String((count += 1)).padStart(13, '0')}`,
    faults,
  })
  const portOf = (company: { nif: string; name: string }) =>
    exchangePortOf(platform, { company, senderNif: company.nif, now, newId })
  const own = portOf({ nif: EXAMPLE_COMPANY.nif, name: EXAMPLE_COMPANY.legalName })
  const customer = portOf(CUSTOMER)
  return {
    books,
    faults,
    async turnAt(time: string): Promise<void> {
      books.setTime(time)
      await exchangeTurn(createSystemCtx(books.env, books.books.test), () =>
        Promise.resolve({ port: own, why: null }),
      )
    },
    /** The customer reports a status by messages of its own. */
    async says(kind: StatusKind, invoice: Invoice, time: string): Promise<void> {
      books.setTime(time)
      const { batch, items } = await customer.report({
        id: newId(),
        role: 'recipient',
        senderTaxId: CUSTOMER.nif,
        issuedAt: time,
        reports: [
          {
            kind,
            invoice: {
              issuerTaxId: EXAMPLE_COMPANY.nif,
              number: invoice.number ?? '',
              issueDate: invoice.issueDate ?? '',
            },
            date: time.slice(0, 10),
            ...(kind === 'rejected' ? { reason: 'commercial' } : {}),
            ...(kind === 'paid' ? { dueDate: '2027-11-06' } : {}),
          },
        ],
      })
      expect([batch, items.map(({ code }) => code)]).toEqual([200, ['200']])
    },
  }
}

test('through the simulated platform: sent, rejected by the customer, taken back, paid', async () => {
  const { books, turnAt, says } = await openPlatform()
  const invoice = await books.invoice({ client: { address: CLIENT_ADDRESS } })
  expect(await timelineOf(books, invoice.id)).toEqual([
    'registered: waiting registry simulated',
    'delivered: waiting',
    'seen: waiting',
    'accepted: waiting',
    'paid: waiting payment',
  ])
  await books.send()
  await turnAt('2027-10-07T10:10:00Z')
  const registered = 'registered: done registry simulated 2027-10-07T10:00:00.000Z'
  const delivered = 'delivered: done exchange exchange_admitted 2027-10-07T10:10:00.000Z'
  expect(await timelineOf(books, invoice.id)).toEqual([
    registered,
    delivered,
    'seen: unknown',
    'accepted: waiting exchange exchange_silence 2027-10-07T10:10:00.000Z',
    'paid: waiting payment',
  ])
  await says('rejected', invoice, '2027-10-08T09:00:00Z')
  await turnAt('2027-10-08T09:30:00Z')
  const seen = 'seen: done exchange exchange_partner_rejected 2027-10-08T09:00:00.000Z'
  expect(await timelineOf(books, invoice.id)).toEqual([
    registered,
    delivered,
    seen,
    'accepted: failed exchange exchange_partner_rejected 2027-10-08T09:00:00.000Z',
    'paid: waiting payment',
  ])
  await says('rejection_cancelled', invoice, '2027-10-11T09:00:00Z')
  await turnAt('2027-10-11T09:30:00Z')
  expect((await timelineOf(books, invoice.id))[3]).toBe(
    'accepted: waiting exchange exchange_cancellation 2027-10-11T09:00:00.000Z',
  )
  await says('paid', invoice, '2027-10-13T09:00:00Z')
  await turnAt('2027-10-13T09:30:00Z')
  expect(await timelineOf(books, invoice.id)).toEqual([
    registered,
    delivered,
    seen,
    'accepted: done exchange exchange_partner_paid 2027-10-13T09:00:00.000Z',
    // The customer says so, and nothing came in.
    'paid: unknown exchange exchange_partner_paid 2027-10-13T09:00:00.000Z',
  ])
  await books.run('payments.payInvoice', {
    id: invoice.id,
    date: '2027-10-13',
    method: 'transfer',
    amount: invoice.amountDue,
  })
  await turnAt('2027-10-13T10:00:00Z')
  const { steps } = await books.run('invoices.journey', { id: invoice.id })
  const paid = steps.at(-1)
  expect(paid).toMatchObject({ step: 'paid', state: 'done' })
  expect(paid?.facts.map(({ channel, state, note }) => `${channel} ${state} ${note}`)).toEqual([
    'payment done null',
    'exchange done exchange_said_settled',
    'exchange done exchange_partner_paid',
  ])
  const accepted = steps.find(({ step }) => step === 'accepted')
  expect(accepted?.facts.map(({ state, note }) => `${state} ${note}`)).toEqual([
    'done exchange_partner_paid',
    'waiting exchange_cancellation',
    'failed exchange_taken_back',
    'waiting exchange_silence',
  ])
})

test('an answer that the platform loses is unknown, and done once the platform was asked', async () => {
  const { books, faults, turnAt } = await openPlatform()
  const invoice = await books.invoice({ client: { address: CLIENT_ADDRESS } })
  faults.next({ kind: 'drop_reply' })
  await turnAt('2027-10-07T10:10:00Z')
  expect((await timelineOf(books, invoice.id)).slice(1, 3)).toEqual([
    'delivered: unknown exchange exchange_answer_lost 2027-10-07T10:10:00.000Z',
    'seen: waiting',
  ])
  await turnAt('2027-10-07T10:20:00Z')
  expect((await timelineOf(books, invoice.id)).slice(1, 3)).toEqual([
    'delivered: done exchange exchange_admitted 2027-10-07T10:20:00.000Z',
    'seen: unknown',
  ])
})

test('through the simulated portal: registered, in the books of the public body, accepted, paid', async () => {
  const books = await openPortalBooks({ at: '2026-07-01T10:00:00Z' })
  const invoice = await books.invoice(PUBLIC_BODY)
  await books.send()
  const { id } = await books.run('portal.submit', { invoiceId: invoice.id })
  const move = async (code: '1300' | '2400' | '2500', time: string): Promise<void> => {
    books.setTime(time)
    await books.run('portal.simulate', { id, code })
  }
  const registered = 'registered: done registry simulated 2026-07-01T10:00:00.000Z'
  const delivered = 'delivered: done portal portal_registered 2026-07-01T10:00:00.000Z'
  expect(await timelineOf(books, invoice.id)).toEqual([
    registered,
    delivered,
    'seen: unknown',
    'accepted: waiting',
    'paid: waiting payment',
  ])
  await move('1300', '2026-07-02T10:00:00Z')
  await move('2400', '2026-07-03T10:00:00Z')
  await move('2500', '2026-07-20T10:00:00Z')
  const seen = 'seen: done portal portal_1300 2026-07-02T10:00:00.000Z'
  expect(await timelineOf(books, invoice.id)).toEqual([
    registered,
    delivered,
    seen,
    'accepted: done portal portal_2500 2026-07-20T10:00:00.000Z',
    'paid: unknown portal portal_2500 2026-07-20T10:00:00.000Z',
  ])
  books.setTime('2026-07-21T10:00:00Z')
  await books.run('payments.payInvoice', {
    id: invoice.id,
    date: '2026-07-21',
    method: 'transfer',
    amount: invoice.amountDue,
  })
  expect((await timelineOf(books, invoice.id)).at(-1)).toBe('paid: done payment 2026-07-21')
})

test('through the simulated portal: rejected, submitted again, cancelled', async () => {
  const books = await openPortalBooks({ at: '2026-07-01T10:00:00Z' })
  const invoice = await books.invoice(PUBLIC_BODY)
  const first = await books.run('portal.submit', { invoiceId: invoice.id })
  books.setTime('2026-07-02T10:00:00Z')
  await books.run('portal.simulate', { id: first.id, code: '2600', reason: 'Falta el expediente' })
  expect((await timelineOf(books, invoice.id)).slice(1)).toEqual([
    'delivered: done portal portal_registered 2026-07-01T10:00:00.000Z',
    'seen: done portal portal_2600 2026-07-02T10:00:00.000Z',
    'accepted: failed portal portal_2600 2026-07-02T10:00:00.000Z',
    'paid: waiting payment',
  ])
  books.setTime('2026-07-03T10:00:00Z')
  const again = await books.run('portal.submit', { invoiceId: invoice.id })
  // The rejection was of the first one.
  expect((await timelineOf(books, invoice.id))[3]).toBe('accepted: waiting')
  await books.run('portal.cancel', { id: again.id, reason: 'Importe equivocado' })
  expect((await timelineOf(books, invoice.id))[3]).toBe('accepted: waiting')
  books.setTime('2026-07-04T10:00:00Z')
  await books.run('portal.simulate', { id: again.id, code: '4300' })
  expect((await timelineOf(books, invoice.id))[3]).toMatch(
    /^accepted: failed portal portal_(3100|4300) 2026-07-04/,
  )
})

test('a received invoice: it came by the platform, was entered, rejected, taken back, paid', async () => {
  const books = await openExchange()
  await books.deliver('S-1', '2027-10-06')
  await books.turn()
  const received = await books.run('received.create', {
    supplierName: 'Proveedor, S.A.',
    supplierNif: SUPPLIER_NIF,
    supplierNumber: 'S-1',
    issueDate: '2027-10-06',
    receptionDate: '2027-10-07',
    dueDate: '2027-11-06',
    taxLines: [{ base: 100, vatRate: 21 }],
  })
  await books.turn()
  const timeline = async (): Promise<string[]> =>
    lines((await books.run('received.journey', { id: received.id })) as Steps).map((line) =>
      line.replace(/ \d{4}-\d\d-\d\d(T\S+)?$/, ''),
    )
  expect(await timeline()).toEqual([
    'registered: not_applicable',
    'delivered: done exchange exchange_arrived',
    'seen: done entry',
    'accepted: waiting exchange exchange_silence',
    'paid: waiting payment',
  ])
  const { items } = await books.run('exchange.list', { receivedId: received.id })
  const id = items[0]?.id ?? ''
  const { confirmationToken } = await books.run('exchange.prepare', {
    id,
    kind: 'rejected',
    reason: 'commercial',
  })
  await books.run('exchange.report', { id, confirmationToken })
  // It has not left.
  expect((await timeline())[3]).toBe('accepted: waiting exchange exchange_silence')
  await books.turn()
  expect((await timeline())[3]).toBe('accepted: failed exchange exchange_said_rejected')
  const { reports } = await books.run('exchange.get', { id })
  const asked = await books.run('exchange.prepare', { id, kind: 'cancel' })
  await books.run('exchange.cancelReport', { id, confirmationToken: asked.confirmationToken })
  await books.turn()
  expect(reports).toHaveLength(1)
  expect((await timeline())[3]).toBe('accepted: waiting exchange exchange_cancellation')
  await books.run('payments.payReceived', {
    id: received.id,
    date: '2027-10-07',
    method: 'transfer',
    amount: 121,
  })
  await books.turn()
  expect((await timeline()).slice(2)).toEqual([
    'seen: done entry',
    'accepted: done exchange exchange_said_paid',
    'paid: done payment',
  ])
})

test('a received invoice on paper is delivered on its day, and nothing more is said', async () => {
  const books = await openBooks({ at: '2026-07-03T10:00:00Z' })
  const received = await books.run('received.create', {
    supplierName: 'Proveedor, S.A.',
    supplierNif: SUPPLIER_NIF,
    supplierNumber: 'P-7',
    issueDate: '2026-07-01',
    receptionDate: '2026-07-02',
    taxLines: [{ base: 100, vatRate: 21 }],
  })
  const timeline = async () => lines((await books.run('received.journey', { id: received.id })) as Steps)
  expect(await timeline()).toEqual([
    'registered: not_applicable',
    'delivered: done entry 2026-07-02',
    'seen: done entry 2026-07-03T10:00:00.000Z',
    'accepted: waiting',
    'paid: waiting payment',
  ])
  await books.run('payments.payReceived', {
    id: received.id,
    date: '2026-07-03',
    method: 'cash',
    amount: 121,
  })
  expect((await timeline()).at(-1)).toBe('paid: done payment 2026-07-03')
  await expect(books.run('received.journey', { id: 'rec_nada' })).rejects.toMatchObject({ code: 'not_found' })
})
