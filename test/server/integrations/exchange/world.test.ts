/**
 * Two years of invoices and statuses in a deterministic world: lost answers, pauses, refusals, kills at any step, payments
 * that are undone, a clock over holidays and the end of the year. Each invoice and each status is at the platform once and
 * in order, none is lost, and what stands said is what the books say.
 */
import { expect, test } from 'vitest'
import { addDays } from '../../../../server/domain/dates.ts'
import { verifyExchange } from '../../../../server/integrations/exchange/index.ts'
import { lastDayFor } from '../../../../server/integrations/exchange/law/clock.ts'
import { openExchange, OWN_NIF, SUPPLIER_NIF } from '../../../support/exchange/exchange-books.ts'
import type { ExchangeBooks } from '../../../support/exchange/exchange-books.ts'
import type { Fault } from '../../../support/exchange/memory-platform.ts'
import { dice } from '../../../support/seeded-random.ts'
import { sweptCount } from '../../../support/sweep.ts'

const STEPS = sweptCount(2_000, 300)
const FAULTS: readonly Fault[] = [
  'lost_before',
  'lost_after',
  'down',
  'throttled',
  'dies_before',
  'dies_after',
  'refuses_all',
]
const CUSTOMER = 'B87654323'

interface Purchase {
  number: string
  issueDate: string
  id: string | null
  paymentIds: string[]
  saidByPerson: boolean
  isWithdrawn: boolean
}
interface Sale {
  id: string
  number: string
  issueDate: string
  payments: string[]
  customerSays: string | null
}

const today = (books: ExchangeBooks): string => books.test.today()

test(
  `${STEPS} steps at the platform: each invoice and status there once and in order, none lost`,
  { timeout: 1_800_000 },
  async () => {
    const die = dice(32)
    const books = await openExchange('2027-10-07T08:00:00Z')
    const sales: Sale[] = []
    const purchases: Purchase[] = []
    const counts = { killed: 0, turns: 0, rejected: 0, undone: 0, withdrawn: 0, said: 0 }

    async function sell(): Promise<void> {
      const { id, number, issueDate } = await books.invoice()
      sales.push({ id, number: number ?? '', issueDate: issueDate ?? '', payments: [], customerSays: null })
    }
    async function collect(): Promise<void> {
      if (sales.length === 0) return
      const sale = die.pick(sales)
      const { amountDue } = await books.run('invoices.get', { id: sale.id })
      if (amountDue === 0) return
      const amount = die.below(3) === 0 ? Math.round(amountDue * 50) / 100 : amountDue
      const date = die.below(2) === 0 ? today(books) : sale.issueDate
      const { id } = await books.run('payments.payInvoice', { id: sale.id, amount, date, method: 'transfer' })
      sale.payments.push(id)
    }
    async function uncollect(): Promise<void> {
      const paid = sales.filter(({ payments }) => payments.length > 0)
      if (paid.length === 0) return
      counts.undone += 1
      await books.run('payments.delete', { id: die.pick(paid).payments.pop() ?? '' })
    }
    async function arrive(): Promise<void> {
      const number = `S-${purchases.length + 1}`
      const issueDate = today(books)
      await books.deliver(number, issueDate)
      purchases.push({ number, issueDate, id: null, paymentIds: [], saidByPerson: false, isWithdrawn: false })
    }
    async function enter(): Promise<void> {
      const waiting = purchases.filter(({ id }) => id === null)
      if (waiting.length === 0) return
      const one = die.pick(waiting)
      const { id } = await books.run('received.create', {
        supplierName: 'Proveedor, S.A.',
        supplierNif: SUPPLIER_NIF,
        supplierNumber: one.number,
        issueDate: one.issueDate,
        receptionDate: today(books),
        taxLines: [{ base: 100, vatRate: 21 }],
      })
      one.id = id
    }
    async function pay(): Promise<void> {
      const open = purchases.filter(({ id }) => id !== null)
      if (open.length === 0) return
      const one = die.pick(open)
      const { amountDue } = await books.run('received.get', { id: one.id ?? '' })
      if (amountDue === 0) return
      const amount = die.below(3) === 0 ? Math.round(amountDue * 50) / 100 : amountDue
      const date = die.below(2) === 0 ? today(books) : one.issueDate
      const payment = await books.run('payments.payReceived', {
        id: one.id ?? '',
        amount,
        date,
        method: 'transfer',
      })
      one.paymentIds.push(payment.id)
    }
    async function unpay(): Promise<void> {
      const paid = purchases.filter(({ paymentIds }) => paymentIds.length > 0)
      if (paid.length === 0) return
      counts.undone += 1
      await books.run('payments.delete', { id: die.pick(paid).paymentIds.pop() ?? '' })
    }
    /** A person rejects an invoice, says that it was paid, or takes either back. */
    async function decide(): Promise<void> {
      const { items } = await books.run('exchange.list', { direction: 'received', limit: 200 })
      if (items.length === 0) return
      const { id, number } = die.pick(items)
      const document = await books.run('exchange.get', { id })
      const mine = purchases.find((each) => each.number === number)
      const kind = document.mayReport.length > 0 ? die.pick(['rejected', 'paid'] as const) : 'cancel'
      if (kind === 'cancel' && document.state === 'withdrawn') return
      const { confirmationToken } = await books.run('exchange.prepare', {
        id,
        kind,
        day: today(books),
        ...(kind === 'rejected' ? { reason: 'commercial' as const } : {}),
      })
      await books.run(kind === 'cancel' ? 'exchange.cancelReport' : 'exchange.report', {
        id,
        confirmationToken,
      })
      counts.said += 1
      if (kind === 'rejected') counts.rejected += 1
      if (mine) mine.saidByPerson = true
    }
    function customerSays(): void {
      const there = sales.filter(
        (sale) =>
          books.platform.find({ issuerTaxId: OWN_NIF, number: sale.number, issueDate: sale.issueDate }) !==
          undefined,
      )
      if (there.length === 0) return
      const sale = die.pick(there)
      const invoice = { issuerTaxId: OWN_NIF, number: sale.number, issueDate: sale.issueDate }
      const kind =
        sale.customerSays === null
          ? die.pick(['rejected', 'paid'] as const)
          : sale.customerSays === 'rejected'
            ? ('rejection_cancelled' as const)
            : ('payment_cancelled' as const)
      expect(books.platform.sayAs(CUSTOMER, 'recipient', { kind, invoice, date: today(books) })).toBe('200')
      sale.customerSays = kind === 'rejected' || kind === 'paid' ? kind : null
    }
    function supplierWithdraws(): void {
      const there = purchases.filter(({ isWithdrawn, id }) => !isWithdrawn && id === null)
      if (there.length === 0 || die.below(4) > 0) return
      const one = die.pick(there)
      one.isWithdrawn = true
      counts.withdrawn += 1
      books.platform.withdrawAs(SUPPLIER_NIF, {
        issuerTaxId: SUPPLIER_NIF,
        number: one.number,
        issueDate: one.issueDate,
      })
    }
    async function turn(): Promise<void> {
      counts.turns += 1
      if (die.below(2) === 0) books.platform.faults.push(die.pick(FAULTS))
      if (die.below(5) === 0) books.platform.faults.push(die.pick(FAULTS))
      if (die.below(4) === 0) books.killAt(1 + die.below(8), die.below(2) === 0)
      if ((await books.turn()) === 'killed') counts.killed += 1
    }

    const STEPS_BY_CHANCE = [
      sell,
      sell,
      collect,
      collect,
      uncollect,
      arrive,
      enter,
      pay,
      pay,
      unpay,
      decide,
      customerSays,
      supplierWithdraws,
      turn,
      turn,
      turn,
      turn,
    ]
    for (let step = 0; step < STEPS; step += 1) {
      await die.pick(STEPS_BY_CHANCE)()
      if (step === STEPS / 2) books.setTime('2027-12-30T20:00:00Z')
      // Mostly minutes, sometimes days.
      books.goOn(die.below(20) === 0 ? 26 * 3_600_000 : die.below(40) * 60_000)
    }
    await books.quiet()
    // What the platform refused as a whole waits for a person, who tries again.
    for (let round = 0; round < 6; round += 1) {
      const { troubles } = await books.run('exchange.due', {})
      for (const { id, state } of troubles) {
        const { maySend } = await books.run('exchange.get', { id })
        if (maySend && state !== 'not_due') await books.run('exchange.retry', { id })
      }
      await books.quiet()
    }

    // Every invoice is there once, and nothing else is.
    const own = books.platform.held.filter(({ code }) => code.issuerTaxId === OWN_NIF)
    expect(own.map(({ code }) => code.number).toSorted()).toEqual(
      sales.map(({ number }) => number).toSorted(),
    )
    for (const sale of sales) {
      const document = await books.documentOf(sale.id)
      expect(document.state).toBe('admitted')
      const held = own.find(({ code }) => code.number === sale.number)!
      const file = await books.run('exchange.file', { id: document.id })
      expect(Buffer.compare(Buffer.from(file.bytes), Buffer.from(held.xml))).toBe(0)
      const admitted = document.reports.filter(({ state }) => state === 'admitted')
      expect(
        held.statuses.filter(({ role }) => role === 'issuer').map(({ kind, date }) => `${kind} ${date}`),
      ).toEqual(admitted.map(({ kind, day }) => `${kind} ${day}`))
      // Settled exactly while nothing is owed.
      const { amountDue } = await books.run('invoices.get', { id: sale.id })
      expect(document.said).toBe(amountDue === 0 ? 'settled' : null)
      // What the customer said, in order and each once.
      expect(document.partnerSaid).toBe(sale.customerSays)
      expect(
        document.facts
          .filter(({ fact }) => fact.startsWith('partner_'))
          .map(({ fact }) => fact.slice('partner_'.length)),
      ).toEqual(held.statuses.filter(({ role }) => role === 'recipient').map(({ kind }) => kind))
    }
    const { items } = await books.run('exchange.list', { direction: 'received', limit: 200 })
    expect(items.map(({ number }) => number).toSorted()).toEqual(
      purchases.map(({ number }) => number).toSorted(),
    )
    for (const one of purchases) {
      const row = items.find(({ number }) => number === one.number)!
      const document = await books.run('exchange.get', { id: row.id })
      const held = books.platform.held.find(({ code }) => code.number === one.number)!
      expect(document.state === 'withdrawn').toBe(one.isWithdrawn)
      expect(document.receivedId).toBe(one.id)
      const admitted = document.reports.filter(({ state }) => state === 'admitted')
      if (!one.isWithdrawn) {
        expect(document.hasFile).toBe(true)
        expect(
          held.statuses.filter(({ role }) => role === 'recipient').map(({ kind, date }) => `${kind} ${date}`),
        ).toEqual(admitted.map(({ kind, day }) => `${kind} ${day}`))
      }
      for (const { kind, day, lastDay, state } of document.reports) {
        expect(lastDay).toBe(lastDayFor(day))
        expect(lastDay! > addDays(day, 3), kind).toBe(true)
        expect(['admitted', 'dropped', 'refused']).toContain(state)
      }
      if (!one.saidByPerson && !one.isWithdrawn && one.id !== null) {
        const { amountDue } = await books.run('received.get', { id: one.id })
        expect(document.said).toBe(amountDue === 0 ? 'paid' : null)
        expect(document.state).toBe(amountDue === 0 ? 'paid' : 'open')
      }
    }
    // Each arrived file is one document to enter.
    const fetched = items.filter(({ incomingId }) => incomingId !== null)
    expect(new Set(fetched.map(({ incomingId }) => incomingId)).size).toBe(fetched.length)
    expect((await verifyExchange(books.test)).faults).toEqual([])
    expect(counts.killed).toBeGreaterThan(STEPS / 60)
    console.log(
      `${STEPS} steps, ${sales.length} sales, ${purchases.length} purchases, ${own.reduce((sum, { statuses }) => sum + statuses.length, 0)} statuses of sales, ${JSON.stringify(counts)}, ${books.platform.calls.length} calls`,
    )
  },
)
