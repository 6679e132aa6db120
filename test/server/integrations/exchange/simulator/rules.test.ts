/** The rules of the simulated platform: invoices, copies, statuses, withdrawals, who may do what, and queries. */
import { describe, expect, test } from 'vitest'
import type {
  InvoiceCode,
  StatusKind,
  StatusReport,
} from '../../../../../server/integrations/exchange/types.ts'
import {
  ADVISER,
  BUYER,
  codeOf,
  exchangeInvoice,
  messageOf,
  openedPlatform,
  report,
  SELLER,
} from '../../../../support/exchange/exchange-invoices.ts'
import type { InvoiceWish } from '../../../../support/exchange/exchange-invoices.ts'

const THIRD = { nif: 'B99999013', name: 'TERCERA SL' }

/** Returns the codes of an answer. */
const codes = (answer: { items: { code: string }[] }): string[] => answer.items.map(({ code }) => code)

function opened(options: Parameters<typeof openedPlatform>[0] = {}) {
  const world = openedPlatform(options)
  const send = (...wishes: InvoiceWish[]) =>
    world.seller.send(wishes.map((wish) => ({ xml: exchangeInvoice(wish) })))
  const customer = async (...reports: StatusReport[]) =>
    codes(await world.buyer.report(messageOf('recipient', reports)))
  const issuer = async (...reports: StatusReport[]) =>
    codes(await world.seller.report(messageOf('issuer', reports)))
  const withdraw = async (invoice: InvoiceCode = codeOf()) => codes(await world.seller.withdraw({ invoice }))
  return { ...world, send, customer, issuer, withdraw }
}

describe('invoices', () => {
  test('are taken together, each with its locator, under the code of a receipt', async () => {
    const { send, seller } = opened()
    const answer = await send({ number: 'A-1' }, { number: 'A-2', type: '384' })
    expect(answer).toMatchObject({ csv: 'CSV0000000000001', batch: 200 })
    expect(answer.items).toEqual([
      {
        invoice: codeOf('A-1'),
        code: '200',
        text: '',
        locator: expect.stringMatching(/^LOCGENV1:O:[\w+/]+=*$/),
      },
      { invoice: codeOf('A-2'), code: '200', text: '', locator: expect.stringMatching(/^LOCGENV1:O:/) },
    ])
    expect(Buffer.from(answer.original ?? []).toString()).toContain('<cbc:ID>CSV0000000000001</cbc:ID>')
    const locators = answer.items.map(({ locator }) => locator ?? '')
    const downloaded = await seller.download(locators)
    expect(downloaded.map(({ locator }) => locator)).toEqual(locators)
    expect(Buffer.from(downloaded[0]?.xml ?? []).toString()).toBe(exchangeInvoice({ number: 'A-1' }))
  })

  test('are judged one by one: what is right is taken', async () => {
    const { send } = opened()
    const answer = await send({ number: 'A-1' }, { number: 'A-2', profile: 'urn:x' }, { number: 'A-1' })
    expect(answer.batch).toBe(206)
    expect(codes(answer)).toEqual(['200', 'SPFE-SIM-PROFILE', 'SPFE-SIM-PART-TWICE'])
    expect(codes(await send({ number: 'A-2' }))).toEqual(['200'])
  })

  test.each<[string, InvoiceWish, string]>([
    [
      'the census does not know its customer',
      { buyer: { nif: '99999999R', name: 'X' } },
      'SPFE-SIM-RECIPIENT',
    ],
    ['the number of its customer is wrong', { buyer: { nif: 'A58818502', name: 'X' } }, 'SPFE-SIM-RECIPIENT'],
    ['it is told not to know its customer', { buyer: THIRD }, 'SPFE-SIM-RECIPIENT'],
    ['its type is not one of the profile', { type: '381' }, 'SPFE-SIM-PROFILE'],
  ])('are refused if %s', async (_why, wish, code) => {
    const { send } = opened({ unknown: [THIRD.nif] })
    const answer = await send(wish)
    expect(answer.batch).toBe(400)
    expect(codes(answer)).toEqual([code])
    expect(answer.items[0]?.text).not.toBe('')
  })

  test('are refused with all others if the holder of the certificate may not act for their issuer', async () => {
    const { send, seller } = opened()
    const theirs = { seller: BUYER, buyer: SELLER }
    await expect(send(theirs)).rejects.toMatchObject({
      name: 'NothingDone',
      code: 'not_allowed',
      message: expect.stringContaining('SPFE-SIM-AUTHORITY'),
    })
    const answer = await seller.send([
      { xml: exchangeInvoice() },
      { xml: exchangeInvoice({ ...theirs, number: 'B-1' }) },
    ])
    expect(codes(answer)).toEqual(['200', 'SPFE-SIM-AUTHORITY'])
  })

  test('are issued by the customer where the type says so', async () => {
    const { buyer, seller } = opened()
    const items = [{ xml: exchangeInvoice({ type: '389' }) }]
    expect(codes(await buyer.send(items))).toEqual(['200'])
    const { found } = await seller.find({ role: 'issuer', codes: [codeOf()] })
    expect(found).toHaveLength(1)
  })

  test('one code, one invoice: originals, copies and withdrawals', async () => {
    const { send, withdraw } = opened()
    expect(codes(await send({}))).toEqual(['200'])
    expect(codes(await send({}))).toEqual(['SPFE-SIM-DUPLICATE'])
    expect(codes(await send({ text: 'Otra cosa' }))).toEqual(['SPFE-SIM-DUPLICATE'])
    expect(codes(await send({ copy: true }))).toEqual(['SPFE-SIM-ORIGINAL-HELD'])
    // Another date is another code.
    expect(codes(await send({ date: '2027-10-16' }))).toEqual(['200'])
    expect(await withdraw()).toEqual(['200'])
    const copied = await send({ copy: true })
    expect(copied.items[0]).toMatchObject({ code: '200', locator: expect.stringMatching(/^LOCGENV1:C:/) })
    expect(codes(await send({ copy: true }))).toEqual(['SPFE-SIM-COPY-TWICE'])
    expect(codes(await send({}))).toEqual(['SPFE-SIM-COPY-HELD'])
    expect(await withdraw()).toEqual(['200'])
    expect(codes(await send({}))).toEqual(['200'])
  })

  test('paid when issued count as reported by the customer', async () => {
    const { send, customer, withdraw, buyer } = opened()
    await send({ paidOn: '2027-10-15' }, { number: 'A-2', paidOn: '2027-10-14' })
    const { found } = await buyer.find({ role: 'recipient', codes: [codeOf(), codeOf('A-2')] })
    expect(found[0]?.statuses).toMatchObject([{ kind: 'paid', date: '2027-10-15', role: 'recipient' }])
    // Paid on another day than that of the operation.
    expect(found[1]?.statuses).toEqual([])
    expect(await customer(report('rejected'))).toEqual(['SPFE-SIM-PAID'])
    expect(await withdraw()).toEqual(['SPFE-SIM-PAID'])
  })
})

describe('statuses', () => {
  /** Steps of one invoice, each with its code. */
  type Steps = readonly (readonly [StatusKind, string])[]
  test.each<[string, Steps]>([
    [
      'a rejection, taken back, then a payment',
      [
        ['rejected', '200'],
        ['paid', 'SPFE-SIM-STATUS-STANDS'],
        ['rejection_cancelled', '200'],
        ['paid', '200'],
      ],
    ],
    [
      'no rejection after a payment',
      [
        ['paid', '200'],
        ['rejected', 'SPFE-SIM-PAID'],
        ['payment_cancelled', '200'],
        ['rejected', '200'],
      ],
    ],
    [
      'nothing twice',
      [
        ['paid', '200'],
        ['paid', 'SPFE-SIM-STATUS-STANDS'],
        ['payment_cancelled', '200'],
        ['payment_cancelled', 'SPFE-SIM-STATUS-MISSING'],
      ],
    ],
    [
      'nothing taken back that was not said',
      [
        ['payment_cancelled', 'SPFE-SIM-STATUS-MISSING'],
        ['rejection_cancelled', 'SPFE-SIM-STATUS-MISSING'],
      ],
    ],
    [
      'the issuer speaks for itself',
      [
        ['defaulted', '200'],
        ['settled', 'SPFE-SIM-STATUS-STANDS'],
        ['default_cancelled', '200'],
        ['settled', '200'],
        ['settled', 'SPFE-SIM-STATUS-STANDS'],
        ['settlement_cancelled', '200'],
      ],
    ],
    [
      'both sides at once',
      [
        ['settled', '200'],
        ['paid', '200'],
        ['settlement_cancelled', '200'],
        ['payment_cancelled', '200'],
      ],
    ],
    [
      'no withdrawal after a payment',
      [
        ['paid', '200'],
        ['withdrawn', 'SPFE-SIM-PAID'],
        ['payment_cancelled', '200'],
        ['withdrawn', '200'],
      ],
    ],
    [
      'no withdrawal after a collection',
      [
        ['settled', '200'],
        ['withdrawn', 'SPFE-SIM-PAID'],
      ],
    ],
    [
      'a withdrawal after a rejection, and then nothing',
      [
        ['rejected', '200'],
        ['withdrawn', '200'],
        ['paid', 'SPFE-SIM-UNKNOWN-INVOICE'],
        ['withdrawn', 'SPFE-SIM-UNKNOWN-INVOICE'],
      ],
    ],
  ])('%s', async (_what, steps) => {
    const { send, customer, issuer, withdraw } = opened()
    await send({})
    for (const [kind, code] of steps) {
      const role = /^(rejected|rejection|paid|payment)/.test(kind) ? customer : issuer
      expect(await (kind === 'withdrawn' ? withdraw() : role(report(kind))), kind).toEqual([code])
    }
  })

  test('come back with their days, reason and note, in the order of their presentation', async () => {
    const { send, customer, issuer, seller } = opened()
    await send({})
    await customer(report('rejected', codeOf(), { reason: 'private', note: 'No es para la empresa' }))
    await customer(report('rejection_cancelled'))
    await customer(report('paid', codeOf(), { deliveredOn: '2027-10-14', receivedOn: '2027-10-16' }))
    await issuer(report('settled', codeOf(), { financedOn: '2027-10-18' }))
    const { found } = await seller.find({ role: 'issuer', codes: [codeOf()] })
    const said = found[0]?.statuses ?? []
    expect(said).toMatchObject([
      {
        kind: 'rejected',
        role: 'recipient',
        reason: 'private',
        note: 'No es para la empresa',
        date: '2027-10-19',
      },
      { kind: 'rejection_cancelled', role: 'recipient' },
      {
        kind: 'paid',
        role: 'recipient',
        dueDate: '2027-11-30',
        deliveredOn: '2027-10-14',
        receivedOn: '2027-10-16',
      },
      { kind: 'settled', role: 'issuer', financedOn: '2027-10-18' },
    ])
    const instants = said.map(({ presentedAt }) => presentedAt)
    expect(instants).toEqual(instants.toSorted())
    expect(instants[0]).toMatch(/^2027-10-20T09:00:\d\d\.000Z$/)
  })

  test('several invoices in one message, each with its own answer', async () => {
    const { send, customer } = opened()
    await send({ number: 'A-1' }, { number: 'A-2' })
    expect(
      await customer(
        report('paid', codeOf('A-1')),
        report('rejected', codeOf('A-2')),
        report('paid', codeOf('A-3')),
        report('paid', codeOf('A-1')),
      ),
    ).toEqual(['200', '200', 'SPFE-SIM-UNKNOWN-INVOICE', 'SPFE-SIM-STATUS-TWICE'])
  })

  test.each<[string, Partial<StatusReport>]>([
    ['in the future', { date: '2027-10-21' }],
    ['missing', { date: '' }],
  ])('a day %s is refused', async (_what, more) => {
    const { send, customer } = opened()
    await send({})
    expect(await customer(report('rejected', codeOf(), more))).toEqual(['SPFE-SIM-STATUS-DATE'])
  })

  test('a payment needs the end of its term', async () => {
    const { send, customer } = opened()
    await send({})
    const { dueDate: _dueDate, ...without } = report('paid')
    expect(await customer(without)).toEqual(['SPFE-SIM-STATUS-DATE'])
  })

  test('of both sides in one message, or at the other side’s address, refuse the message', async () => {
    const { send, buyer, seller } = opened()
    await send({})
    const mixed = messageOf('recipient', [report('paid'), report('settled')])
    await expect(buyer.report(mixed)).rejects.toMatchObject({ name: 'NothingDone', code: 'refused' })
    await expect(seller.report(messageOf('issuer', [report('paid')]))).rejects.toMatchObject({
      code: 'refused',
    })
    await expect(seller.report(messageOf('issuer', [report('withdrawn')]))).rejects.toMatchObject({
      code: 'refused',
    })
  })

  test('belong to the parties of the invoice', async () => {
    const { send, portOf, seller } = opened()
    await send({})
    const third = portOf(THIRD)
    expect(codes(await third.report(messageOf('recipient', [report('paid')], THIRD.nif)))).toEqual([
      'SPFE-SIM-UNKNOWN-INVOICE',
    ])
    // The issuer is no customer of its invoice.
    expect(codes(await seller.report(messageOf('recipient', [report('paid')], SELLER.nif)))).toEqual([
      'SPFE-SIM-ROLE',
    ])
    expect(codes(await portOf(BUYER).withdraw({ invoice: codeOf() }))).toEqual(['SPFE-SIM-ROLE'])
  })
})

describe('who acts for whom', () => {
  const powers = [
    { nif: ADVISER.nif, for: SELLER.nif, as: 'attorney' as const },
    { nif: '00000000T', for: SELLER.nif, as: 'collaborator' as const },
  ]

  test('nobody without a power', async () => {
    const { portOf } = opened()
    const port = portOf(SELLER, ADVISER.nif)
    await expect(port.send([{ xml: exchangeInvoice() }])).rejects.toMatchObject({
      code: 'not_allowed',
      message: expect.stringContaining('SPFE-SIM-AUTHORITY'),
    })
    await expect(port.find({ role: 'issuer', codes: [codeOf()] })).rejects.toMatchObject({
      code: 'not_allowed',
    })
    await expect(port.report(messageOf('issuer', [report('settled')]))).rejects.toMatchObject({
      code: 'not_allowed',
    })
    await expect(port.download(['LOCGENV1:O:QUJD'])).rejects.toMatchObject({ code: 'not_allowed' })
  })

  test('an attorney does everything', async () => {
    const { send, portOf, withdraw } = opened({ powers })
    const answer = await send({})
    const port = portOf(SELLER, ADVISER.nif)
    expect(codes(await port.send([{ xml: exchangeInvoice({ number: 'A-2' }) }]))).toEqual(['200'])
    expect(codes(await port.report(messageOf('issuer', [report('settled', codeOf('A-2'))])))).toEqual(['200'])
    const { found } = await port.find({ role: 'issuer', from: '2027-10-01', to: '2027-10-31' })
    expect(found).toHaveLength(2)
    expect(await port.download([answer.items[0]?.locator ?? ''])).toHaveLength(1)
    expect(await withdraw()).toEqual(['200'])
  })

  test('a social collaborator sends and reports, and reads only what it presented', async () => {
    const { send, portOf } = opened({ powers })
    const owned = await send({})
    const port = portOf(SELLER, '00000000T')
    const mine = await port.send([{ xml: exchangeInvoice({ number: 'A-2' }) }])
    expect(codes(mine)).toEqual(['200'])
    expect(codes(await port.report(messageOf('issuer', [report('settled')])))).toEqual(['200'])
    const { found } = await port.find({ role: 'issuer', from: '2027-10-01', to: '2027-10-31' })
    expect(found.map(({ invoice }) => invoice.number)).toEqual(['A-2'])
    const byCode = await port.find({ role: 'issuer', codes: [codeOf('A-1'), codeOf('A-2')] })
    expect(byCode.found.map(({ invoice }) => invoice.number)).toEqual(['A-2'])
    const locators = [owned, mine].map(({ items }) => items[0]?.locator ?? '')
    expect((await port.download(locators)).map(({ locator }) => locator)).toEqual([locators[1]])
  })

  test('what is not theirs is not there, for others', async () => {
    const { send, portOf } = opened()
    const answer = await send({})
    const third = portOf(THIRD)
    expect(await third.find({ role: 'issuer', codes: [codeOf()] })).toEqual({ found: [], next: null })
    expect(await third.find({ role: 'recipient', from: '2027-10-01', to: '2027-10-31' })).toEqual({
      found: [],
      next: null,
    })
    expect(await third.download([answer.items[0]?.locator ?? ''])).toEqual([])
  })
})

describe('queries', () => {
  test('find by the day of presentation in Spain, in pages, each invoice once', async () => {
    const { send, buyer } = opened({ pageSize: 2 })
    for (const number of ['A-1', 'A-2', 'A-3', 'A-4', 'A-5']) await send({ number })
    const numbers: string[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const filter = {
        role: 'recipient',
        from: '2027-09-15',
        to: '2027-11-30',
        ...(cursor === undefined ? {} : { cursor }),
      } as const
      const page = await buyer.find(filter)
      numbers.push(...page.found.map(({ invoice }) => invoice.number))
      cursor = page.next ?? undefined
      pages += 1
    } while (cursor !== undefined)
    expect(numbers).toEqual(['A-1', 'A-2', 'A-3', 'A-4', 'A-5'])
    // A month before, three pages, and a month after.
    expect(pages).toBe(5)
    expect((await buyer.find({ role: 'recipient', from: '2027-10-01', to: '2027-10-19' })).found).toEqual([])
    expect((await buyer.find({ role: 'issuer', from: '2027-10-20', to: '2027-10-20' })).found).toEqual([])
    expect(
      (await buyer.find({ role: 'recipient', from: '2027-10-20', to: '2027-10-20' })).found,
    ).toHaveLength(2)
  })

  test('an hour before midnight in Spain is the day before', async () => {
    const { send, seller } = opened({ now: () => new Date('2027-10-31T23:30:00Z') })
    await send({})
    expect((await seller.find({ role: 'issuer', from: '2027-11-01', to: '2027-11-01' })).found).toHaveLength(
      1,
    )
    expect((await seller.find({ role: 'issuer', from: '2027-10-31', to: '2027-10-31' })).found).toEqual([])
  })

  test('do not show what was withdrawn; a number that is used again is another invoice', async () => {
    const { send, withdraw, buyer } = opened()
    const first = await send({})
    await withdraw()
    expect((await buyer.find({ role: 'recipient', codes: [codeOf()] })).found).toEqual([])
    expect(await buyer.download([first.items[0]?.locator ?? ''])).toEqual([])
    const second = await send({})
    expect(second.items[0]?.locator).not.toBe(first.items[0]?.locator)
    const { found } = await buyer.find({ role: 'recipient', codes: [codeOf(), codeOf()] })
    expect(found).toMatchObject([{ locator: second.items[0]?.locator, copy: false, statuses: [] }])
  })

  test('more codes than one message may have are asked for in several', async () => {
    const { send, seller } = opened()
    await send({})
    const asked = Array.from({ length: 1_500 }, (_, index) => codeOf(`X-${index}`))
    const { found } = await seller.find({ role: 'issuer', codes: [...asked, codeOf()] })
    expect(found).toHaveLength(1)
    expect(await seller.find({ role: 'issuer', codes: [] })).toEqual({ found: [], next: null })
  })
})

test('a certificate that sends too much is asked to wait, and others are not', async () => {
  let at = Date.parse('2027-10-20T09:00:00Z')
  const { send, buyer, customer } = opened({ perMinute: 2, now: () => new Date(at) })
  await send({ number: 'A-1' })
  at += 20_000
  await send({ number: 'A-2' })
  await expect(send({ number: 'A-3' })).rejects.toMatchObject({ code: 'throttled', retryAfter: 40 })
  expect(await customer(report('paid'))).toEqual(['200'])
  at += 41_000
  expect(codes(await send({ number: 'A-3' }))).toEqual(['200'])
  expect(
    (await buyer.find({ role: 'recipient', codes: ['A-1', 'A-2', 'A-3'].map((number) => codeOf(number)) }))
      .found,
  ).toHaveLength(3)
})

describe('events', () => {
  test('tell what the other side did since, once', async () => {
    const { send, customer, issuer, withdraw, buyer, seller } = opened()
    const nothing = await buyer.events(null)
    expect(nothing.events).toEqual([])
    await send({ number: 'A-1' }, { number: 'A-2' })
    const arrived = await buyer.events(nothing.next)
    expect(arrived.events).toMatchObject([
      { kind: 'arrived', found: { invoice: codeOf('A-1') } },
      { kind: 'arrived', found: { invoice: codeOf('A-2') } },
    ])
    const before = await seller.events(null)
    expect(before.events).toEqual([])
    await customer(report('rejected', codeOf('A-2')))
    await issuer(report('defaulted', codeOf('A-1')))
    await withdraw(codeOf('A-2'))
    const said = await buyer.events(arrived.next)
    expect(said.events).toMatchObject([
      { kind: 'status', invoice: codeOf('A-1'), status: { kind: 'defaulted', role: 'issuer' } },
      { kind: 'withdrawn', invoice: codeOf('A-2') },
    ])
    expect((await buyer.events(said.next)).events).toEqual([])
    await customer(report('paid', codeOf('A-1')))
    const paid = await seller.events(before.next)
    expect(paid.events).toMatchObject([
      { kind: 'status', invoice: codeOf('A-1'), status: { kind: 'paid', date: '2027-10-19' } },
    ])
    expect((await seller.events(paid.next)).events).toEqual([])
    // The same place gives the same events again.
    expect((await seller.events(before.next)).events).toHaveLength(1)
  })

  test('tell all again after a place that cannot be read', async () => {
    const { send, buyer } = opened()
    await send({})
    for (const since of ['', '{}', '{"v":1}', '[1', 'null'])
      expect((await buyer.events(since)).events).toHaveLength(1)
  })

  test('see a number that was withdrawn and used again as two', async () => {
    const { send, withdraw, buyer } = opened()
    await send({})
    const { next } = await buyer.events(null)
    await withdraw()
    await send({})
    const { events } = await buyer.events(next)
    expect(events.map(({ kind }) => kind).toSorted()).toEqual(['arrived', 'withdrawn'])
  })
})
