/** Random operations of two companies against a simple model of the platform, with lost answers. */
import { expect, test } from 'vitest'
import { OutcomeUnknown } from '../../../../../server/integrations/exchange/port.ts'
import type { InvoiceCode, StatusKind } from '../../../../../server/integrations/exchange/types.ts'
import {
  codeOf,
  exchangeInvoice,
  messageOf,
  openedPlatform,
  report,
} from '../../../../support/exchange/exchange-invoices.ts'
import { dice } from '../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../support/sweep.ts'

/** An invoice as the model knows it: what each side says now, and all that was said. */
interface Modelled {
  copy: boolean
  customer: 'paid' | 'rejected' | null
  issuer: 'settled' | 'defaulted' | null
  said: StatusKind[]
}

const CUSTOMER: readonly StatusKind[] = ['paid', 'payment_cancelled', 'rejected', 'rejection_cancelled']
const ISSUER: readonly StatusKind[] = ['settled', 'settlement_cancelled', 'defaulted', 'default_cancelled']

/** Says a status in the model; returns whether the platform takes it. */
function said(held: Modelled | undefined, kind: StatusKind): boolean {
  if (!held) return false
  const before = { ...held }
  if (kind === 'paid' && held.customer === null) held.customer = 'paid'
  else if (kind === 'rejected' && held.customer === null) held.customer = 'rejected'
  else if (kind === 'payment_cancelled' && held.customer === 'paid') held.customer = null
  else if (kind === 'rejection_cancelled' && held.customer === 'rejected') held.customer = null
  else if (kind === 'settled' && held.issuer === null) held.issuer = 'settled'
  else if (kind === 'defaulted' && held.issuer === null) held.issuer = 'defaulted'
  else if (kind === 'settlement_cancelled' && held.issuer === 'settled') held.issuer = null
  else if (kind === 'default_cancelled' && held.issuer === 'defaulted') held.issuer = null
  const isTaken = before.customer !== held.customer || before.issuer !== held.issuer
  if (isTaken) held.said = [...held.said, kind]
  return isTaken
}

/** Few enough that most operations meet an invoice. */
const NUMBERS = 150

test('the platform holds what the model holds', async () => {
  const random = dice(20_271_101)
  const { seller, buyer, faults } = openedPlatform()
  const model = new Map<string, Modelled>()
  let operations = 0
  let lost = 0
  let taken = 0

  /** Runs a call; null if its answer was lost. Half of the lost ones were taken, which `processed` says. */
  async function called<T>(work: () => Promise<T>): Promise<{ answer: T | null; processed: boolean }> {
    const fault = random.chance(0.1)
      ? random.pick(['drop_request', 'drop_reply', 'half_answer'] as const)
      : null
    if (fault) faults.next({ kind: fault })
    try {
      return { answer: await work(), processed: true }
    } catch (error) {
      expect(error).toBeInstanceOf(OutcomeUnknown)
      expect(fault).not.toBeNull()
      lost += 1
      return { answer: null, processed: fault !== 'drop_request' }
    }
  }

  function check(answer: { items: { code: string }[] } | null, expected: readonly boolean[]): void {
    taken += expected.filter(Boolean).length
    if (answer) expect(answer.items.map(({ code }) => code === '200')).toEqual(expected)
  }

  /** Reads the model as a query of the same codes would answer it. */
  async function compare(codes: InvoiceCode[]): Promise<void> {
    const { found } = await buyer.find({ role: 'recipient', codes })
    const held = found.map(({ invoice, copy, statuses }) => [
      invoice.number,
      copy,
      statuses.map(({ kind }) => kind),
    ])
    const modelled = codes.flatMap(({ number }) => {
      const each = model.get(number)
      return each ? [[number, each.copy, each.said]] : []
    })
    expect(held).toEqual(modelled)
  }

  const total = sweptCount(2_000, 400)
  for (; operations < total; operations += 1) {
    const numbers = [
      ...new Set(Array.from({ length: 1 + random.below(3) }, () => `A-${random.below(NUMBERS)}`)),
    ]
    const codes = numbers.map((number) => codeOf(number))
    const kind = random.below(10)
    if (kind < 4) {
      const copy = random.chance(0.2)
      const { answer, processed } = await called(() =>
        seller.send(numbers.map((number) => ({ xml: exchangeInvoice({ number, copy }) }))),
      )
      if (!processed) continue
      const expected = numbers.map((number) => !model.has(number))
      for (const [index, number] of numbers.entries())
        if (expected[index]) model.set(number, { copy, customer: null, issuer: null, said: [] })
      check(answer, expected)
    } else if (kind < 8) {
      const role = random.chance(0.6) ? 'recipient' : 'issuer'
      const reports = codes.map((code) => report(random.pick(role === 'issuer' ? ISSUER : CUSTOMER), code))
      const port = role === 'issuer' ? seller : buyer
      const { answer, processed } = await called(() => port.report(messageOf(role, reports)))
      if (!processed) continue
      check(
        answer,
        reports.map(({ kind: each, invoice }) => said(model.get(invoice.number), each)),
      )
    } else if (kind < 9) {
      const [number = ''] = numbers
      const { answer, processed } = await called(() => seller.withdraw({ invoice: codeOf(number) }))
      if (!processed) continue
      const held = model.get(number)
      const isTaken = held !== undefined && held.customer !== 'paid' && held.issuer !== 'settled'
      if (isTaken) model.delete(number)
      check(answer, [isTaken])
    } else await compare(codes)
  }
  await compare(Array.from({ length: NUMBERS }, (_, index) => codeOf(`A-${index}`)))
  const { found } = await seller.find({ role: 'issuer', from: '2027-10-01', to: '2027-10-31' })
  expect(found).toHaveLength(model.size)
  expect(lost).toBeGreaterThan(total / 20)
  expect(taken).toBeGreaterThan(total / 3)
  console.log(`${operations} operations, ${taken} taken, ${lost} answers lost, ${model.size} invoices held`)
})
