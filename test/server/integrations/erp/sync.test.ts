/** Reading an accounting system into the book, over real HTTP, from a mock endpoint that counts. */
import { describe, expect, test } from 'vitest'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { totalsOf } from '../../../support/erp/book.ts'
import { FIRST_ID } from '../../../support/erp/odoo-rows.ts'
import { FACES, openStage, SMALL } from '../../../support/erp/erp-stage.ts'
import type { Stage } from '../../../support/erp/erp-stage.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

/** Every kind of document, for syncs of which only one list or the outcome matters. */
const FEW = { contacts: 8, issued: 60, items: 5 } as const
const LATER = 2 * 60_000
const HOUR = 3_600_000

type Run = OutputOf<'erp.sync'>
const part = (run: Run, name: string) => run.resources.find(({ resource }) => resource === name)!
const states = (run: Run) => Object.fromEntries(run.resources.map((each) => [each.resource, each.state]))

async function countsOf({ world }: Stage) {
  return (await world.run('erp.status', {})).integrations[0]!.counts
}

/** Returns every external document as this book shows it, by its external identifier. */
async function documentsHere({ world }: Stage, side: 'issued' | 'received') {
  const found = new Map<string, OutputOf<'erp.documents'>['items'][number]>()
  let cursor: string | null | undefined
  do {
    const page = await world.run('erp.documents', { side, limit: 100, ...(cursor ? { cursor } : {}) })
    for (const item of page.items) found.set(item.externalId, item)
    cursor = page.nextCursor
  } while (cursor)
  return found
}

/** Returns what the purchases of a quarter deduct. */
async function deductible({ world }: Stage) {
  return (await world.run('fiscal.summary', { year: 2026, quarter: 2 })).input.erp
}

function expectNothingTwice(calls: readonly string[]): void {
  expect(calls.length).toBeGreaterThan(3)
  expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([])
}

// fiscal.test.ts reads by Odoo.
describe.each(swept(FACES, (face) => face === 'v2'))('a first sync by %s', (face) => {
  test('reads every document to the cent, no page twice and no document alone', async () => {
    const stage = await openStage()
    await stage.connect(face)
    stage.newCalls()
    const run = await stage.sync()
    expect(run).toMatchObject({ state: 'completed', mode: 'full', error: null })
    const calls = stage.newCalls()
    expect(run.calls).toBe(calls.length)
    expectNothingTwice(calls)
    // Lists only: nothing is requested by its identifier.
    expect(calls.filter((call) => /\/(6[57][ac]|66[ac])[0-9a-f]{20,}/.test(call))).toEqual([])

    const { book } = stage.erp
    let compared = 0
    for (const side of ['issued', 'received'] as const) {
      const here = await documentsHere(stage, side)
      for (const head of book.heads(side)) {
        const doc = book.doc(side, head.index)
        const id = face === 'odoo' ? String(FIRST_ID[side] + head.index) : head.id
        const { net, vat, surcharge, withholding, total } = totalsOf(doc)
        const sign = head.kind === 'credit' || head.kind === 'purchase-refund' ? -1 : 1
        const euros = (cents: number) => (cents === 0 ? 0 : (sign * cents) / 100)
        const found = here.get(id)
        expect(found, `${doc.kind} ${doc.currency} ${doc.date}`).toMatchObject({
          state: doc.state,
          currency: doc.currency,
          net: euros(net),
          total: euros(total),
          amountCheck: 'ok',
        })
        const { tax, surcharge: extra, withholding: kept } = found!
        expect(Math.round((tax + extra - kept) * 100)).toBe(sign * (vat + surcharge - withholding))
        // Holded sends one sum of all taxes: where it was rounded by rate, the parts are exact to about a cent.
        const within = face === 'odoo' ? 0.001 : 0.021
        expect(Math.abs(tax - euros(vat)), doc.number ?? doc.id).toBeLessThan(within)
        expect(Math.abs(extra - euros(surcharge)), doc.number ?? doc.id).toBeLessThan(within)
        expect(Math.abs(kept - euros(withholding)), doc.number ?? doc.id).toBeLessThan(within)
        compared += 1
      }
    }
    expect(compared).toBe(SMALL.issued + SMALL.received)
    const { issued, received, contacts } = await countsOf(stage)
    expect({ issued, received, contacts }).toEqual({ issued: 250, received: 120, contacts: 30 })
  })
})

describe('later syncs', () => {
  test('within a minute return the same result without a call', async () => {
    const stage = await openStage(FEW)
    await stage.connect()
    const first = await stage.sync()
    stage.newCalls()
    expect(await stage.sync()).toEqual(first)
    expect(stage.newCalls()).toEqual([])
    stage.world.advance(LATER)
    const second = await stage.sync()
    expect(second.runId).not.toBe(first.runId)
    expect(second.mode).toBe('window')
    // Whole lists are not read again within a quarter of an hour.
    expect(states(second)).toEqual({
      contacts: 'skipped',
      issued: 'completed',
      received: 'completed',
      catalogue: 'skipped',
    })
    expect(part(second, 'issued')).toMatchObject({ created: 0, updated: 0, rejected: 0, missing: 0 })
    expect((await stage.world.run('erp.status', {})).integrations[0]!.lastSyncAt).toBe(second.finishedAt)
  })

  test('requested twice at once are one sync', async () => {
    const stage = await openStage(FEW)
    await stage.connect()
    stage.newCalls()
    const runs = await Promise.all(Array.from({ length: 8 }, () => stage.world.run('erp.sync', { wait: 1 })))
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(1)
    expectNothingTwice(stage.newCalls())
  })

  test.each(swept(FACES, (face) => face === 'v1'))(
    'show changes and absences by %s, and a record that returns exists again',
    async (face) => {
      const stage = await openStage()
      await stage.connect(face)
      await stage.sync({ resources: 'received' })
      const { book } = stage.erp
      const rows = [...book.heads('received')]
      // Of this month, so that the window of a later sync covers them.
      const recent = rows.filter(({ date, state }) => date > '2026-06-10' && state === 'approved')
      const [changed, gone] = [recent[0]!, recent[1]!]
      stage.erp.edit(changed.id, (doc) => (doc.number = 'CAMBIADA-1'))
      stage.erp.remove(gone.id)
      stage.world.advance(HOUR)
      const second = part(await stage.sync({ resources: 'received' }), 'received')
      expect(second).toMatchObject({ created: 0, updated: 1, missing: 1 })
      const here = await documentsHere(stage, 'received')
      const idOf = (head: typeof changed) =>
        face === 'odoo' ? String(FIRST_ID.received + head.index) : head.id
      expect(here.get(idOf(changed))!.number).toBe('CAMBIADA-1')
      expect(here.get(idOf(gone))!.missingSince).not.toBeNull()
      expect(here.size).toBe(SMALL.received)
      expect((await countsOf(stage)).missing).toBe(1)
      stage.world.advance(HOUR)
      expect(part(await stage.sync({ mode: 'full', resources: 'received' }), 'received')).toMatchObject({
        updated: 0,
        missing: 0,
      })
      expect((await documentsHere(stage, 'received')).get(idOf(gone))!.missingSince).not.toBeNull()
    },
  )

  longTest('read a longer history from its start', async () => {
    const stage = await openStage({ from: '2024-06-01' })
    await stage.connect()
    await stage.sync({ resources: 'issued' })
    const before = (await countsOf(stage)).issued
    expect(before).toBeLessThan(SMALL.issued)
    await stage.world.run('erp.settings', { historyFrom: '2024-01-01' })
    stage.world.advance(HOUR)
    await stage.sync({ mode: 'full', resources: 'issued' })
    expect((await countsOf(stage)).issued).toBe(SMALL.issued)
  })
})

describe('when a sync fails,', () => {
  test('a used-up month stops it immediately, and the next sync continues at the page', async () => {
    const stage = await openStage()
    await stage.connect()
    stage.newCalls()
    stage.erp.fail({ path: '/purchases', nth: 2, with: '429-month' })
    const stopped = await stage.sync()
    expect(stopped).toMatchObject({
      state: 'partial',
      resumable: true,
      error: { code: 'erp_quota_exhausted' },
    })
    expect(states(stopped)).toMatchObject({ contacts: 'completed', issued: 'completed', received: 'failed' })
    const first = stage.newCalls()
    // The account states that no calls are left: only `force` continues.
    await expect(stage.sync()).rejects.toMatchObject({ code: 'erp_quota_guard' })
    expect(stage.newCalls()).toEqual([])
    const gone = await stage.sync({ force: true })
    expect(gone).toMatchObject({ runId: stopped.runId, state: 'completed', error: null })
    const second = stage.newCalls()
    // The refused call is the only one repeated.
    const again = second.filter((call) => first.includes(call))
    expect(again).toEqual([first.at(-1)])
    expect((await countsOf(stage)).received).toBe(SMALL.received)
    expect(part(gone, 'received').duplicates).toBe(0)
  })

  // holded/faults.test.ts shows that both mean a rejected key.
  test.each(swept([401, '403-denied'] as const, (kind) => kind === 401))(
    'a key refused in the middle (%s) ends it immediately and keeps what was read',
    async (kind) => {
      const stage = await openStage()
      await stage.connect()
      stage.erp.fail({ path: '/credit-notes', with: kind })
      stage.newCalls()
      const run = await stage.sync()
      expect(run).toMatchObject({ state: 'partial', resumable: false, error: { code: 'erp_key_rejected' } })
      const calls = stage.newCalls()
      expect(calls.filter((call) => call.includes('/credit-notes'))).toHaveLength(1)
      expect(calls.at(-1)).toContain('/credit-notes')
      const [integration] = (await stage.world.run('erp.status', {})).integrations
      expect(integration).toMatchObject({ state: 'needs_reconnection', connected: false, lastSyncAt: null })
      expect(integration!.counts.issued).toBeGreaterThan(100)
      await expect(stage.sync()).rejects.toMatchObject({ code: 'erp_needs_reconnection' })
      expect(stage.newCalls()).toEqual([])
      stage.erp.heal()
      await stage.connect()
      expect(await stage.sync()).toMatchObject({ state: 'completed' })
    },
  )

  test('a permission taken away fails only its resource', async () => {
    const stage = await openStage(FEW)
    await stage.connect()
    stage.erp.fail({ path: '/purchases', with: '403-scope' })
    const run = await stage.sync()
    expect(run.state).toBe('partial')
    expect(states(run)).toEqual({
      contacts: 'completed',
      issued: 'completed',
      received: 'failed',
      catalogue: 'completed',
    })
    expect(part(run, 'received').error).toMatchObject({ code: 'erp_permission_missing' })
    const [integration] = (await stage.world.run('erp.status', {})).integrations
    expect(integration).toMatchObject({ lastSyncAt: null, lastPartialAt: run.finishedAt })
  })

  test('a page that states more without a cursor leaves the run incomplete, and no record counts as deleted', async () => {
    const stage = await openStage(FEW)
    await stage.connect()
    await stage.sync()
    const before = await deductible(stage)
    stage.world.advance(HOUR)
    stage.erp.fail({ path: '/purchases', nth: 1, with: 'no-cursor' })
    const run = await stage.sync({ mode: 'full' })
    expect(run.state).toBe('partial')
    expect(part(run, 'received')).toMatchObject({
      state: 'failed',
      missing: 0,
      error: { code: 'erp_bad_paging', details: { reason: 'missing_cursor' } },
    })
    expect((await countsOf(stage)).missing).toBe(0)
    expect(await deductible(stage)).toEqual(before)
    stage.world.advance(HOUR)
    expect(part(await stage.sync({ mode: 'full' }), 'received')).toMatchObject({
      state: 'completed',
      missing: 0,
    })
  })

  longTest('a page that repeats its cursor ends incomplete, and its new records are stored', async () => {
    const stage = await openStage()
    await stage.connect()
    stage.erp.fail({ path: '/api/v2/invoices', nth: 2, with: 'same-cursor' })
    const run = await stage.sync({ resources: 'issued' })
    expect(part(run, 'issued')).toMatchObject({ state: 'failed', error: { code: 'erp_bad_paging' } })
    // Two pages of invoices were sent, and the rows of both are here.
    expect(part(run, 'issued').fetched).toBeGreaterThan(100)
    expect((await countsOf(stage)).issued).toBe(part(run, 'issued').created)
    expect(part(run, 'issued').created).toBe(part(run, 'issued').fetched)
  })

  // connection/http.test.ts reads waits in both forms; seconds are also those of the month above.
  test.each(swept(['429-month', '429-month-date'] as const, (kind) => kind === '429-month-date'))(
    'a month that is used up for 24 hours (%s) causes no call for 24 hours, and then the sync continues where it stopped',
    async (kind) => {
      // Past the end of a month: the next month's budget would allow it.
      const at = '2026-06-30T20:00:00+02:00'
      const stage = await openStage({ now: () => Date.parse(at) }, { at })
      await stage.connect()
      stage.erp.fail({ path: '/purchases', nth: 2, with: kind })
      const stopped = await stage.sync()
      expect(stopped).toMatchObject({ resumable: true, error: { code: 'erp_quota_exhausted' } })
      stage.newCalls()
      stage.world.advance(23 * HOUR)
      const early = await stage.sync().catch((error: unknown) => error)
      expect(early).toMatchObject({ code: 'erp_quota_exhausted' })
      const seconds = (early as { retryAfterSeconds: number }).retryAfterSeconds
      expect(seconds).toBeGreaterThan(3000)
      expect(seconds).toBeLessThanOrEqual(3600)
      expect(stage.newCalls()).toEqual([])
      stage.world.advance(HOUR + LATER)
      const run = await stage.sync()
      expect(run).toMatchObject({ runId: stopped.runId, state: 'completed', error: null })
    },
  )

  test('each kind of fault fails its resource, the rest is read, and no watermark moves', async () => {
    const stage = await openStage()
    await stage.connect()
    const FIRST = { from: '2025-01-01' }
    const faults = swept(
      [
        ['same-cursor', 'erp_bad_paging'],
        ['repeat-page', 'erp_bad_paging'],
        ['html', 'erp_protocol_error'],
        ['deep', 'erp_protocol_error'],
        ['huge', 'erp_protocol_error'],
        ['redirect', 'erp_protocol_error'],
      ] as const,
      ([kind]) => kind === 'repeat-page' || kind === 'html',
    )
    for (const [kind, code] of faults) {
      stage.erp.fail({ path: '/api/v2/invoices', with: kind, ...(kind === 'repeat-page' ? { nth: 2 } : {}) })
      const run = await stage.sync({ resources: 'issued,received' })
      // Its first sync is still to come: from the start of the history.
      expect(part(run, 'issued'), kind).toMatchObject({ state: 'failed', error: { code }, window: FIRST })
      expect(part(run, 'received').state, kind).toBe('completed')
      expect(run.state, kind).toBe('partial')
      stage.erp.heal()
      stage.world.advance(LATER)
    }
    const next = await stage.sync({ resources: 'issued,received' })
    expect(part(next, 'issued')).toMatchObject({ state: 'completed', window: FIRST })
    expect((await countsOf(stage)).issued).toBe(SMALL.issued)
  })

  test('unreadable rows are set aside and shown, the page continues, and no record counts as deleted', async () => {
    const stage = await openStage(FEW)
    await stage.connect()
    await stage.sync({ resources: 'received' })
    const [odd] = [...stage.erp.book.heads('received')].filter(({ date }) => date > '2026-06-10')
    stage.erp.edit(odd!.id, (doc) => (doc.date = '2026-02-31'))
    stage.world.advance(HOUR)
    const run = await stage.sync({ mode: 'full', resources: 'received' })
    expect(run.state).toBe('completed')
    expect(part(run, 'received')).toMatchObject({ rejected: 1, missing: 0 })
    const { items } = await stage.world.run('erp.rejects', { id: run.runId })
    expect(items).toEqual([
      expect.objectContaining({
        resource: 'received',
        externalId: odd!.id,
        reason: 'impossible_date',
        untrusted: true,
      }),
    ])
    expect((await documentsHere(stage, 'received')).size).toBe(SMALL.received)
  })

  test('a page with mostly unreadable rows stops its resource, because the format may have changed', async () => {
    const stage = await openStage(FEW)
    await stage.connect()
    for (const head of [...stage.erp.book.heads('received')].slice(0, 30))
      stage.erp.edit(head.id, (doc) => (doc.date = '2026-02-31'))
    const run = await stage.sync({ resources: 'received' })
    expect(part(run, 'received')).toMatchObject({
      state: 'failed',
      error: { code: 'erp_protocol_error', details: { reason: 'many_rejects' } },
    })
  })

  test('a cursor that is no longer accepted restarts the resource, once', async () => {
    const stage = await openStage(FEW)
    await stage.connect()
    stage.erp.fail({ path: '/purchases', nth: 2, with: '429-month' })
    const stopped = await stage.sync({ resources: 'received' })
    await stage.world.env.store.transaction(stage.world.books.test.companyId, async (db) => {
      const row = await db
        .selectFrom('erp_run_resources')
        .select(['cursor'])
        .where('resource', '=', 'received')
        .executeTakeFirstOrThrow()
      expect(row.cursor).toContain('"')
      await db
        .updateTable('erp_run_resources')
        .set({ cursor: row.cursor!.replace(/[0-9a-f]{24}/, 'x'.repeat(24)) })
        .where('resource', '=', 'received')
        .execute()
    })
    const run = await stage.sync({ force: true, resources: 'received' })
    expect(run).toMatchObject({ runId: stopped.runId, state: 'completed' })
    expect(part(run, 'received').duplicates).toBe(0)
    expect((await countsOf(stage)).received).toBe(SMALL.received)
  })

  longTest('it can also be stopped, and the next one continues', async () => {
    const stage = await openStage({ issued: 600 })
    await stage.connect()
    stage.erp.fail({ path: '/api/v2/invoices', nth: 3, with: 'hang' })
    const begun = await stage.world.run('erp.sync', {})
    expect(begun.state).toBe('running')
    await expect
      .poll(() => stage.erp.calls.filter(({ path }) => path === '/api/v2/invoices').length)
      .toBe(3 + 1)
    const cancelled = await stage.world.run('erp.cancel', { id: begun.runId })
    expect(cancelled).toMatchObject({ state: 'cancelled', resumable: true, error: null })
    const run = await stage.sync()
    expect(run).toMatchObject({ runId: begun.runId, state: 'completed' })
    expect((await countsOf(stage)).issued).toBe(600)
  })
})

describe('the calls of the month', () => {
  test('are protected: a sync that would use up the budget is rejected unless it is forced', async () => {
    const stage = await openStage()
    await stage.connect()
    await stage.sync()
    await stage.world.run('erp.settings', { monthlyBudget: 20 })
    stage.world.advance(HOUR)
    stage.newCalls()
    await expect(stage.sync()).rejects.toMatchObject({
      code: 'erp_quota_guard',
      details: { left: 0, quota: { budget: 20, reserve: 4 } },
    })
    expect(stage.newCalls()).toEqual([])
    expect(await stage.sync({ force: true })).toMatchObject({ state: 'completed' })
    const { quota } = (await stage.world.run('erp.status', {})).integrations[0]!
    expect(quota).toMatchObject({ month: '2026-07', used: stage.erp.calls.length, source: 'meter' })
  })

  longTest('restart at zero in a new month', async () => {
    const stage = await openStage()
    await stage.connect('v1')
    await stage.sync({ resources: 'contacts' })
    const used = async () => (await stage.world.run('erp.status', {})).integrations[0]!.quota
    expect(await used()).toMatchObject({ used: stage.erp.calls.length, source: 'local' })
    stage.world.setTime('2026-08-01T00:30:00+02:00')
    expect(await used()).toMatchObject({ month: '2026-08', used: 0 })
  })
})
