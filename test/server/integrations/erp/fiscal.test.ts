/**
 * Purchases of the accounting system in the fiscal summary: what counts, once, against an independent sum over the
 * external books.
 */
import { describe, expect, test } from 'vitest'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { mcpMessage } from '../../../support/mcp.ts'
import { groupsOf, rounded, taxOf, totalsOf } from '../../../support/erp/book.ts'
import type { Doc } from '../../../support/erp/book.ts'
import { FACES, openStage } from '../../../support/erp/erp-stage.ts'
import type { Stage } from '../../../support/erp/erp-stage.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

type Summary = OutputOf<'fiscal.summary'>
const HOUR = 3_600_000
const Q2 = { year: 2026, quarter: 2 } as const
const QUARTER = { from: '2026-04-01', to: '2026-06-30' }
const cents = (euros: number): number => Math.round(euros * 100)

const summaryOf = ({ world }: Stage, period: { year: number; quarter: 1 | 2 | 3 | 4 } = Q2, book?: 'live') =>
  world.run('fiscal.summary', period, book ? { book } : {})

/** Returns the received documents of the quarter from the mock endpoint's books. */
function receivedIn({ erp }: Stage): Doc[] {
  return [...erp.book.heads('received')]
    .map(({ index }) => erp.book.doc('received', index))
    .filter(({ date }) => date >= QUARTER.from && date <= QUARTER.to)
}

/** Returns sums in cents of euros, computed from the documents themselves. */
function addedUp(docs: readonly Doc[]) {
  const rates = new Map<number, { base: number; tax: number }>()
  const sum = { base: 0, tax: 0, withholding: 0, mixed: 0 }
  for (const doc of docs) {
    const sign = doc.kind === 'purchase-refund' ? -1 : 1
    const euros = (amount: number) => sign * rounded(amount * 10_000, Math.round(doc.rate * 10_000))
    const totals = totalsOf(doc)
    sum.base += euros(totals.net)
    sum.tax += euros(totals.vat)
    if (doc.currency === 'EUR') sum.withholding += sign * totals.withholding
    const groups = groupsOf(doc)
    if (groups.length > 1) sum.mixed += 1
    for (const { base, line } of groups) {
      // Nothing was charged where the buyer assesses the tax.
      const vatPct = line.reverseCharge ? 0 : line.vatPct
      const rate = rates.get(vatPct) ?? { base: 0, tax: 0 }
      rate.base += euros(base)
      rate.tax += euros(taxOf(base, vatPct))
      rates.set(vatPct, rate)
    }
  }
  return { ...sum, rates }
}

function expectSums({ input, withholdings, result }: Summary, docs: readonly Doc[]): void {
  const own = addedUp(docs)
  expect(input.erp).toMatchObject({ invoices: docs.length, base: own.base / 100, deductible: own.tax / 100 })
  expect(cents(input.deductible)).toBe(own.tax)
  expect(cents(result.vatEstimate ?? Number.NaN)).toBe(-own.tax)
  expect(cents(withholdings.practised)).toBe(own.withholding)
  const shown = new Map(input.byRate.map(({ rate, base, quota }) => [rate, { base, quota }]))
  for (const [rate, { base, tax }] of own.rates) {
    expect(cents(shown.get(rate)?.base ?? 0), `base at ${rate}`).toBe(base)
    // One sum of tax is sent for all rates of a document: its parts are exact to the cent.
    expect(Math.abs(cents(shown.get(rate)?.quota ?? 0) - tax), `tax at ${rate}`).toBeLessThanOrEqual(
      own.mixed,
    )
  }
  expect(cents(input.byRate.reduce((sum, { quota }) => sum + quota, 0))).toBe(own.tax)
  expect(cents(input.byRate.reduce((sum, { base }) => sum + base, 0))).toBe(own.base)
}

const approved = (docs: readonly Doc[]): Doc[] => docs.filter(({ state }) => state === 'approved')

// sync.test.ts reads by v1 and v2.
describe.each(swept(FACES, (face) => face === 'odoo'))('purchases read by %s', (face) => {
  test('add up to those of the external system, by rate, without drafts and cancelled ones', async () => {
    const stage = await openStage({ from: '2026-01-01' })
    await stage.connect(face)
    await stage.sync()
    const docs = receivedIn(stage)
    expect(docs.length - approved(docs).length).toBeGreaterThan(2)
    expect(docs.some(({ currency }) => currency === 'USD')).toBe(true)
    expect(docs.some(({ kind }) => kind === 'purchase-refund')).toBe(true)
    const summary = await summaryOf(stage)
    expectSums(summary, approved(docs))
    expect(summary.input).toMatchObject({ source: 'erp', erp: { coversPeriod: true, withoutRate: 0 } })
    expect(summary.dataQuality.inputCoverage).toBe('complete')
    expect(summary.input.erp!.issuedElsewhere).toBeGreaterThan(10)
    expect(summary.caveats.join(' ')).toContain('issued in the accounting system are not included')
  })
})

longTest('REST and the MCP tool return the same answer', async () => {
  const stage = await openStage({ from: '2026-01-01' })
  await stage.connect()
  await stage.sync()
  const { world } = stage
  // MCP tools answer in the owner's language.
  const rest = await world.get('/api/v1/fiscal/summary?year=2026&quarter=2', {
    headers: { 'accept-language': 'es' },
  })
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'svc_get_fiscal_summary', arguments: Q2 },
  }
  const answer = await world.post('/api/mcp/svc', message, {
    headers: { accept: 'application/json, text/event-stream' },
  })
  const { result } = mcpMessage(answer.raw.body)
  expect(result.structuredContent).toEqual(rest.body.data)
  expect(rest.body.data.input.source).toBe('erp')
  expect(rest.body.data.input.erp.invoices).toBe(approved(receivedIn(stage)).length)
})

test.each(swept(['with', 'without'] as const, (which) => which === 'without'))(
  'an invoice entered here too is counted once: a supplier %s a tax number',
  async (which) => {
    const stage = await openStage({ from: '2026-01-01' })
    await stage.connect()
    await stage.sync()
    const { world, erp } = stage
    const before = await summaryOf(stage)
    const isIt = ({ contact, kind, currency, lines, paidPct }: Doc) =>
      kind === 'purchase' &&
      currency === 'EUR' &&
      paidPct >= 0 &&
      lines.every(({ reverseCharge, withholdingPct }) => !reverseCharge && withholdingPct === 0) &&
      (erp.book.contact(contact).taxId !== null) === (which === 'with')
    const doc = approved(receivedIn(stage)).find(isIt)!
    const { items } = await world.run('erp.documents', { side: 'received', text: doc.number! })
    const there = items.find(({ externalId }) => externalId === doc.id)!
    const { proposal } = await world.run('erp.copy', { id: there.id })
    const { id } = await world.run('received.create', { ...proposal!, receptionDate: doc.date })
    const after = await summaryOf(stage)
    expect(after.input).toMatchObject({ source: 'both', invoices: before.input.invoices })
    expect(after.input.erp).toMatchObject({ alreadyHere: 1, invoices: before.input.erp!.invoices - 1 })
    expect(after.input.deductible).toBe(before.input.deductible)
    const { here } = await world.run('erp.document', { id: there.id })
    expect(here).toMatchObject({ type: 'received', id })
    // Declared void here, it only exists in the external system again.
    await world.run('received.void', { id })
    expect((await summaryOf(stage)).input).toMatchObject({
      source: 'erp',
      invoices: before.input.invoices,
      deductible: before.input.deductible,
    })
  },
)

test('deleted documents, and those without a rate or with wrong sums, are excluded and reported', async () => {
  const stage = await openStage({ from: '2026-01-01' })
  const { world, erp } = stage
  const foreign = approved(receivedIn(stage)).find(({ currency }) => currency === 'USD')!
  erp.edit(foreign.id, (doc) => (doc.rate = 1))
  await stage.connect()
  await stage.sync()
  const [gone, odd] = approved(receivedIn(stage)).filter(({ currency }) => currency === 'EUR')
  erp.remove(gone!.id)
  world.advance(HOUR)
  await stage.sync({ mode: 'full' })
  // As a provider reports a document with inconsistent sums.
  await world.env.store.transaction(world.books.test.companyId, (db) =>
    db
      .updateTable('erp_documents')
      .set({ amount_check: 'failed' })
      .where('external_id', '=', odd!.id)
      .execute(),
  )
  const summary = await summaryOf(stage)
  const left = new Set([foreign.id, gone!.id, odd!.id])
  expectSums(
    summary,
    approved(receivedIn(stage)).filter(({ id }) => !left.has(id)),
  )
  expect(summary.input.erp).toMatchObject({ withoutRate: 1, uncertain: 1 })
  expect(summary.dataQuality.inputCoverage).toBe('partial')
  expect(summary.caveats).toEqual(
    expect.arrayContaining([
      '1 purchases in other currencies are left out: no rate.',
      '1 purchases are left out: their sums do not agree.',
    ]),
  )
})

test('the answer states how much of a period was read: during a sync, in part, and completely', async () => {
  const stage = await openStage({ from: '2026-01-01' })
  const { world } = stage
  expect((await summaryOf(stage)).input).toMatchObject({ source: 'none', invoices: 0 })
  await stage.connect()
  expect((await summaryOf(stage)).input.erp).toMatchObject({ readFrom: null, coversPeriod: false })
  await world.run('erp.settings', { historyFrom: '2026-05-01' })
  // Half past midnight in Madrid is still the last day of the quarter in UTC.
  world.setTime('2026-06-30T22:30:00Z')
  await stage.sync()
  expect((await summaryOf(stage)).input.erp).toMatchObject({
    readFrom: '2026-05-01',
    readUntil: '2026-07-01',
    coversPeriod: false,
  })
  await world.run('erp.settings', { historyFrom: '2026-01-01' })
  world.advance(HOUR)
  await stage.sync()
  const whole = await summaryOf(stage)
  expect(whole.input.erp).toMatchObject({ readFrom: '2026-01-01', coversPeriod: true })
  expect(whole.dataQuality.inputCoverage).toBe('complete')
  const open = await summaryOf(stage, { year: 2026, quarter: 3 })
  expect(open.input.erp!.coversPeriod).toBe(false)
  expect(open.dataQuality.inputCoverage).not.toBe('complete')
})

test('the live book does not contain what the test book reads', async () => {
  const stage = await openStage({ from: '2026-01-01' })
  await stage.connect()
  await stage.sync()
  const live = await summaryOf(stage, Q2, 'live')
  expect(live.input).toMatchObject({ source: 'none', invoices: 0, deductible: 0 })
  expect(live.input.erp).toBeUndefined()
  // After disconnection, the records still count.
  await stage.world.run('erp.disconnect', {})
  expect((await summaryOf(stage)).input.source).toBe('erp')
})
