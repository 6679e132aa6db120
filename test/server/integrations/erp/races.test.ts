/** Concurrent or badly ordered events: keys replaced and destroyed during a sync, syncs of a part, months. */
import { inEmbedded } from '../../../support/engines.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../server/context.ts'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { openDatabase } from '../../../../server/db/embedded/open.ts'
import { KEYS } from '../../../support/erp/erp-server.ts'
import { openStage } from '../../../support/erp/erp-stage.ts'
import type { Stage } from '../../../support/erp/erp-stage.ts'
import type { ErpServerOptions } from '../../../support/erp/erp-server.ts'
import { inLongRun, swept, sweptCount } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const HOUR = 3_600_000
const SECOND_KEY = 'pat_stand-in_second_0123456789abc77d1'

/** Every kind of document, few of each: most syncs here are interrupted, or only counted. */
const FEW = { contacts: 8, issued: 60, received: 30, items: 5 } as const
const openFew = (options: ErpServerOptions = {}): Promise<Stage> => openStage({ ...FEW, ...options })

const first = async ({ world }: Stage) => (await world.run('erp.status', {})).integrations[0]!

/** Starts a sync that waits for an answer which never comes. */
async function hanging(stage: Stage): Promise<string> {
  stage.erp.fail({ path: '/credit-notes', with: 'hang' })
  const { runId } = await stage.world.run('erp.sync', {})
  await expect.poll(() => stage.erp.calls.some(({ path }) => path.endsWith('/credit-notes'))).toBe(true)
  return runId
}

describe('during a sync', () => {
  test('a replaced key is not used any more, and the sync continues with the new one', async () => {
    const stage = await openFew({ keys: { [KEYS.v2]: 'all', [SECOND_KEY]: 'all' } })
    await stage.connect()
    const runId = await hanging(stage)
    await stage.world.run('erp.connect', { erpApiKey: SECOND_KEY })
    expect(await stage.world.run('erp.run', { id: runId })).toMatchObject({
      state: 'cancelled',
      resumable: true,
    })
    stage.erp.heal()
    expect(await stage.sync()).toMatchObject({ runId, state: 'completed' })
    expect(await first(stage)).toMatchObject({ state: 'connected', keyHint: 'pat_…77d1', lastError: null })
  })

  longTest('a refusal of the previous key does not affect the one that replaced it', async () => {
    const stage = await openFew({ keys: { [KEYS.v2]: 'all', [SECOND_KEY]: 'all' } })
    await stage.connect()
    await hanging(stage)
    // Both at once: the sync is rejected as soon as it may continue.
    stage.erp.heal()
    stage.erp.fail({ path: '/credit-notes', with: 401 })
    await Promise.all([
      stage.world.run('erp.connect', { erpApiKey: SECOND_KEY }),
      stage.world.run('erp.sync', { wait: 1 }).catch(() => undefined),
    ])
    stage.erp.heal()
    expect((await first(stage)).state).toBe('connected')
    expect(await stage.sync({ force: true })).toMatchObject({ state: 'completed' })
  })

  test('disconnecting ends the sync, and a sync begun in between reads nothing with the destroyed key', async () => {
    const stage = await openFew()
    await stage.connect()
    await hanging(stage)
    const begin = () => stage.world.run('erp.sync', {}).catch(() => undefined)
    const disconnecting = stage.world.run('erp.disconnect', {})
    for (let times = 0; times < 5; times += 1) {
      void begin()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await disconnecting
    stage.newCalls()
    const { items } = await stage.world.run('erp.runs', {})
    expect(items.filter(({ state }) => state === 'running')).toEqual([])
    expect(await first(stage)).toMatchObject({ state: 'disconnected', connected: false, keyHint: null })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(stage.newCalls()).toEqual([])
    const { connectionId } = await first(stage)
    await stage.world.run('erp.forget', { connectionId: connectionId! })
    await expect(stage.world.run('erp.documents', { side: 'issued' })).resolves.toMatchObject({ items: [] })
  })

  longTest('disconnecting ends a sync of a connection that was created while it waited', async () => {
    const stage = await openFew()
    const ctx = stage.world.ctx()
    let isFirst = true
    const transaction: Ctx['transaction'] = async (work) => {
      if (isFirst) {
        isFirst = false
        await stage.connect()
        await hanging(stage)
      }
      return ctx.transaction(work)
    }
    const late = Object.assign(Object.create(ctx) as Ctx, { transaction })
    expect(await runOperation(await loadOperation('erp.disconnect'), late, {})).toMatchObject({
      removed: true,
    })
    const { items } = await stage.world.run('erp.runs', {})
    expect(items.map(({ state }) => state)).toEqual(['cancelled'])
  })

  test('a sync resumed while it is being stopped can be stopped again', async () => {
    const stage = await openFew()
    await stage.connect()
    const runId = await hanging(stage)
    const ROUNDS = sweptCount(10, 3)
    // Some of them arrive in the turn in which the stop is written.
    for (let times = 0; times < ROUNDS; times += 1) {
      const cancelling = stage.world.run('erp.cancel', { id: runId })
      const syncing: Promise<unknown>[] = []
      for (let turn = 0; turn < 8; turn += 1) {
        syncing.push(stage.world.run('erp.sync', {}).catch(() => undefined))
        await new Promise((resolve) => setImmediate(resolve))
      }
      await Promise.all([cancelling, ...syncing])
      expect(await stage.world.run('erp.cancel', { id: runId })).toMatchObject({ state: 'cancelled' })
    }
  })

  test('closing ends the sync within a moment, and it continues after opening', async () => {
    const stage = await openFew()
    await stage.connect()
    const runId = await hanging(stage)
    const started = performance.now()
    await stage.world.restart()
    expect(performance.now() - started).toBeLessThan(10_000)
    expect((await first(stage)).lastRun).toMatchObject({
      runId,
      state: 'failed',
      resumable: true,
      error: { code: 'erp_interrupted' },
    })
    stage.erp.heal()
    expect(await stage.sync()).toMatchObject({ runId, state: 'completed' })
  })

  longTest('the live book and the test book of a company are read separately', async () => {
    const stage = await openFew()
    await stage.connect()
    await stage.world.run('erp.connect', { erpApiKey: KEYS.v1 }, { book: 'live' })
    const [test, live] = await Promise.all([
      stage.world.run('erp.sync', { wait: 1 }),
      stage.world.run('erp.sync', { wait: 1 }, { book: 'live' }),
    ])
    expect([test.state, live.state]).toEqual(['completed', 'completed'])
    expect(test.runId).not.toBe(live.runId)
    await expect(stage.world.run('erp.run', { id: live.runId })).rejects.toMatchObject({ code: 'not_found' })
    await stage.world.run('erp.disconnect', {}, { book: 'live' })
    expect((await first(stage)).state).toBe('connected')
    const { connectionId } = (await stage.world.run('erp.status', {}, { book: 'live' })).integrations[0]!
    await expect(
      stage.world.run('erp.forget', { connectionId: connectionId! }),
      'by the other book',
    ).rejects.toMatchObject({ code: 'not_found' })
    await stage.world.run('erp.forget', { connectionId: connectionId! }, { book: 'live' })
    expect((await first(stage)).counts.issued).toBe(FEW.issued)
  })
})

describe('a sync of a part', () => {
  test('is not the answer to a request for everything, neither within the minute nor for resuming', async () => {
    const stage = await openFew()
    await stage.connect()
    const part = await stage.sync({ resources: 'issued' })
    const whole = await stage.sync()
    expect(whole.runId).not.toBe(part.runId)
    expect(whole.resources).toHaveLength(4)

    stage.world.advance(HOUR)
    stage.erp.fail({ path: '/purchases', nth: 1, with: '429-month' })
    const stopped = await stage.sync({ resources: 'received' })
    expect(stopped.resumable).toBe(true)
    const next = await stage.sync({ force: true })
    expect(next.runId).not.toBe(stopped.runId)
    expect(next.resources).toHaveLength(4)
  })

  test.each(swept(['v2', 'odoo'] as const, (face) => face === 'odoo'))(
    'by %s, followed by an earlier start of the history, reads the whole history once',
    async (face) => {
      const stage = await openFew({ from: '2025-01-01' })
      await stage.connect(face)
      await stage.world.run('erp.settings', { historyFrom: '2026-01-01' })
      await stage.sync()
      const before = (await first(stage)).counts
      expect(before.issued).toBeLessThan(FEW.issued)
      await stage.world.run('erp.settings', { historyFrom: '2025-01-01' })
      stage.world.advance(HOUR)
      expect((await stage.sync()).mode).toBe('full')
      const after = (await first(stage)).counts
      expect([after.issued, after.received]).toEqual([FEW.issued, FEW.received])
      stage.world.advance(HOUR)
      const again = await stage.sync()
      expect(again.mode).toBe('window')
      const issued = again.resources.find(({ resource }) => resource === 'issued')!
      expect(issued).toMatchObject({ created: 0, updated: 0, missing: 0 })
    },
  )

  longTest(
    'with one side in full and the other in part counts only the first as read from the start',
    async () => {
      const stage = await openFew()
      await stage.connect()
      stage.erp.fail({ path: '/purchases', with: '403-scope' })
      await stage.sync()
      stage.erp.heal()
      // So that no old document is open and the window of the issued ones is short.
      for (const head of stage.erp.book.heads('issued')) stage.erp.edit(head.id, (doc) => (doc.paidPct = 100))
      stage.world.advance(HOUR)
      await stage.sync({ resources: 'issued', mode: 'full' })
      stage.world.advance(HOUR)
      const both = await stage.sync()
      const [issued, received] = ['issued', 'received'].map((name) =>
        both.resources.find(({ resource }) => resource === name)!,
      )
      expect(received!.window!.from).toBe('2025-01-01')
      expect(issued!.window!.from > '2026-01-01').toBe(true)
      stage.world.advance(HOUR)
      const after = (await stage.sync()).resources.find(({ resource }) => resource === 'issued')!
      expect(after.window!.from > '2026-01-01').toBe(true)
    },
  )
})

describe('the calls of the month', () => {
  longTest('count when a key may not read what is needed', async () => {
    const narrow = 'pat_stand-in_narrow_0123456789abcdef'
    const stage = await openFew({ keys: { [KEYS.v2]: 'all', [narrow]: ['contacts:contacts.read'] } })
    await stage.connect()
    await expect(stage.world.run('erp.connect', { erpApiKey: narrow })).rejects.toMatchObject({
      code: 'erp_permission_missing',
    })
    expect((await first(stage)).quota).toMatchObject({ used: stage.erp.calls.length, source: 'local' })
  })

  test('belong to the month in Spain, not in UTC', async () => {
    const stage = await openFew()
    // Half past midnight of 1 November in Madrid is still October in UTC.
    stage.world.setTime('2026-10-31T23:30:00Z')
    await stage.connect('v1')
    expect((await first(stage)).quota).toMatchObject({ month: '2026-11', used: stage.erp.calls.length })
    stage.world.setTime('2026-10-25T00:30:00Z')
    expect((await first(stage)).quota).toMatchObject({ month: '2026-10', used: 0 })
  })
})

inEmbedded(describe)('the key', () => {
  test('appears nowhere in the folder, the log or an answer, and its sealed text is gone once it is destroyed', async () => {
    const stage = await openFew()
    const { world } = stage
    const answers: unknown[] = [await world.post('/api/v1/integrations/erp/api-key', { erpApiKey: KEYS.v2 })]
    // The external system may echo the key, and unreadable rows are stored as they came.
    const [odd] = [...stage.erp.book.heads('received')]
    stage.erp.edit(odd!.id, (doc) => {
      doc.contactName = `Bearer ${KEYS.v2}`
      doc.date = '2026-02-31'
    })
    for (const head of [...stage.erp.book.heads('issued')].slice(0, 3))
      stage.erp.edit(head.id, (doc) => (doc.contactName = `Key ${KEYS.v2}`))
    const run = await stage.sync()
    answers.push(
      run,
      await world.run('erp.rejects', { id: run.runId }),
      await world.run('erp.documents', { side: 'issued', text: 'Key' }),
      await world.get('/api/v1/integrations/accounting/status'),
      await world.get('/api/v1/audit/events'),
    )
    const said = JSON.stringify(answers.map((one) => (one as { body?: unknown }).body ?? one))
    expect(said).toContain('[secret]')
    expect(said).not.toContain(KEYS.v2)
    expect(world.logged.join('\n')).not.toContain(KEYS.v2)
    const { sealed_key: sealed } = await world
      .ctx()
      .db.selectFrom('erp_connections')
      .select('sealed_key')
      .executeTakeFirstOrThrow()
    await world.run('erp.disconnect', {})
    for (const name of readdirSync(world.folder, { recursive: true, withFileTypes: true }))
      if (name.isFile()) {
        const bytes = readFileSync(join(name.parentPath, name.name))
        expect(bytes.includes(KEYS.v2), name.name).toBe(false)
      }
    const masterKey = Buffer.from(readFileSync(join(world.folder, 'master.key'), 'utf8').trim(), 'hex')
    const connection = openDatabase({ folder: world.folder, masterKey, role: 'reader', cacheKib: 1024 })
    try {
      // oxlint-disable-next-line house/no-serialize -- the pages as they are below the cipher are what is looked at
      const pages = connection.handle.serialize()
      expect(pages.includes('Talleres Ejemplo')).toBe(true)
      expect(pages.includes(KEYS.v2)).toBe(false)
      expect(pages.includes(sealed!)).toBe(false)
    } finally {
      connection.close()
    }
    expect(readFileSync(join(world.folder, 'sello.db-wal')).byteLength).toBe(0)
  })
})

describe('a repetition with one Idempotency-Key', () => {
  test('connects only once, and is rejected with another key', async () => {
    const stage = await openFew()
    const send = (erpApiKey: string) =>
      stage.world.post(
        '/api/v1/integrations/erp/api-key',
        { erpApiKey },
        { headers: { 'idempotency-key': 'connect-1' } },
      )
    // One key of this book for both.
    await stage.world.key()
    const answers = await Promise.all([send(KEYS.v2), send(KEYS.v2)])
    const calls = stage.newCalls().length
    expect(calls).toBe(5)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await send(KEYS.v2)).headers['idempotency-replayed']).toBe('true')
    expect((await send(KEYS.v1)).body.error.code).toBe('idempotency_mismatch')
    expect(stage.newCalls()).toEqual([])
  })

  longTest('retries after a refusal', async () => {
    const stage = await openFew()
    stage.erp.fail({ path: '/taxes', nth: 1, with: 401 })
    const send = () =>
      stage.world.post(
        '/api/v1/integrations/erp/api-key',
        { erpApiKey: KEYS.v2 },
        { headers: { 'idempotency-key': 'connect-2' } },
      )
    expect((await send()).body.error.code).toBe('erp_key_rejected')
    expect((await send()).status).toBe(200)
  })
})

describe('hostile text', () => {
  test('in names is sanitized, however long, without delay', async () => {
    const stage = await openFew({ contacts: 6 })
    await stage.connect()
    const names = [
      `Uno\u0000\u001b[31m\u202eodarred\u200b`,
      'x'.repeat(3_000_000),
      // Combining marks out of order: sorting them takes time that grows with the square of their number.
      `Dos${'\u0315\u0300'.repeat(500_000)}`,
      '<script>alert(1)</script>',
    ]
    for (const [index, contact] of [...stage.erp.book.contacts()].entries())
      if (names[index] !== undefined)
        stage.erp.edit(contact.id, (row) => Object.assign(row, { name: names[index] }))
    const started = performance.now()
    const run = await stage.sync({ resources: 'contacts' })
    expect(performance.now() - started).toBeLessThan(8_000)
    expect(run.state).toBe('completed')
    const { items } = await stage.world.run('erp.contacts', {})
    expect(items).toHaveLength(6)
    for (const { name } of items) expect(name).not.toMatch(/[\u0000-\u001f\u200b\u202e]/)
    expect(Math.max(...items.map(({ name }) => name.length))).toBeLessThan(1_000)
    expect(items.map(({ name }) => name)).toContain('<script>alert(1)</script>')
  })
})
