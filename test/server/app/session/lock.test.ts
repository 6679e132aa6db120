/** App lock: stays locked in every tab and after every restart, and the ways to unlock it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  codeFault,
  codeKind,
  hashCode,
  isCode,
  waitAfterSeconds,
} from '../../../../server/app/app-lock/code.ts'
import { ANSWERED_WHILE_LOCKED } from '../../../../server/app/app-lock/names.ts'
import { GRACE_MS, lockOf } from '../../../../server/app/app-lock/state.ts'
import { loadOperations } from '../../../../server/api/operations.ts'
import { newRecoveryCode, wrapMasterKey } from '../../../../server/db/embedded/keys/recovery-code.ts'
import { useQuickCodes, useRealCodes } from '../../../support/setup/quick-codes.ts'
import { openWorld, PORT } from '../../../support/world.ts'
import type { Answer, World } from '../../../support/world.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const operations = await loadOperations()

const CODE = 'tres gatos pardos'
const MINUTE_MS = 60_000
// A code is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const ask = (world: World, name: string, input: unknown = {}, headers = {}): Promise<Answer> =>
  world.call(name, input, { book: null, headers })

/** Creates a world whose lock is set; returns its recovery code. */
async function guarded(
  options: Parameters<typeof openWorld>[0] = {},
): Promise<{ world: World; recovery: string }> {
  const world = await openWorld(options)
  const { data } = (await ask(world, 'recovery.reveal')).body
  const groups = [0, 1].map((index) => ({ index, text: data.groups[index] }))
  await ask(world, 'recovery.confirm', { groups })
  expect((await ask(world, 'lock.set', { code: CODE })).body.data).toMatchObject({ set: true })
  return { world, recovery: data.code }
}

const lockIt = (world: World) => ask(world, 'session.lock', { reason: 'person' })
const unlock = (world: World, code = CODE) => ask(world, 'session.unlock', { code })
const errorOf = (answer: Answer) => [answer.status, answer.body?.error?.code]
const isLocked = async (world: World) => (await ask(world, 'session.lockState')).body.data.locked

async function history(world: World) {
  const { items } = await world.run('audit.list', {})
  return items
    .filter(({ action }) => action.startsWith('lock.'))
    .map(({ action, outcome, code, target }) =>
      [action, outcome, code ?? target?.id].filter(Boolean).join(' '),
    )
    .reverse()
}

describe('a code', () => {
  beforeAll(useRealCodes)
  afterAll(useQuickCodes)

  test('has six digits or eight characters, and is not an obvious one', () => {
    for (const short of ['', '12345', 'siete77', 'a1b2c3'])
      expect(codeFault(short), short).toBe('lock_code_short')
    for (const plain of ['111111', '123456', '987654321', 'aaaaaaaa', 'abcdefgh', '        '])
      expect(codeFault(plain), plain).toBe('lock_code_plain')
    for (const fine of ['271828', 'tres gatos pardos', 'ñandú-72', '112358'])
      expect(codeFault(fine), fine).toBeNull()
    expect([codeKind('271828'), codeKind('27 1828')]).toEqual(['pin', 'passphrase'])
  })

  test('is stored as a salted hash with its cost, and is the same however its accents were typed', async () => {
    const [one, two] = [await hashCode('ñandú-72'), await hashCode('ñandú-72')]
    expect(one).toMatchObject({ N: 32_768, r: 8, p: 3 })
    expect(one.hash).not.toBe(two.hash)
    expect(await isCode('ñandú-72'.normalize('NFD'), one)).toBe(true)
    expect(await isCode('ñandú-73', one)).toBe(false)
    // A hash made with another cost is checked with that cost.
    expect(await isCode('ñandú-72', { ...one, N: 16_384 })).toBe(false)
  })

  longTest('takes as long to reject as to accept, also when its first character is wrong', async () => {
    const hash = await hashCode(CODE)
    const median = async (text: string) => {
      const times: number[] = []
      for (let round = 0; round < 3; round += 1) {
        const from = performance.now()
        await isCode(text, hash)
        times.push(performance.now() - from)
      }
      return times.sort((a, b) => a - b)[1]!
    }
    const [right, wrong, empty] = [await median(CODE), await median(`x${CODE.slice(1)}`), await median('')]
    // Deriving takes far longer than comparing: an early exit would be a thousand times faster, a busy machine is
    // not.
    for (const time of [wrong, empty]) expect(time / right).toBeGreaterThan(0.1)
  })

  test('causes no wait after typing errors and a quarter of an hour after guessing', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 40].map(waitAfterSeconds)).toEqual([0, 0, 5, 15, 30, 60, 300, 900, 900])
  })
})

describe('while Sello is locked', () => {
  test('every operation but two answers app_locked, and so does the event stream', async () => {
    const { world } = await guarded()
    await lockIt(world)
    for (const { contract } of operations) {
      const answer = await world.call(contract.name, {})
      if (ANSWERED_WHILE_LOCKED.has(contract.name)) expect(answer.body.error?.code).not.toBe('app_locked')
      else expect([contract.name, ...errorOf(answer)]).toEqual([contract.name, 423, 'app_locked'])
    }
    expect([...ANSWERED_WHILE_LOCKED].sort()).toEqual(['session.lockState', 'session.unlock'])
    const events = await world.inject({
      method: 'GET',
      url: '/app/events',
      headers: { authorization: `Bearer ${world.windowToken}` },
    })
    expect(errorOf(events)).toEqual([423, 'app_locked'])
  })

  test('unknown operations are not distinguishable, and a wrong token still learns nothing', async () => {
    const { world } = await guarded()
    await lockIt(world)
    expect(errorOf(await ask(world, 'company.explode'))).toEqual([423, 'app_locked'])
    const stranger = await ask(world, 'session.lockState', {}, { authorization: 'Bearer x' })
    expect(stranger.body.error.code).toBe('unauthorized')
  })

  test('an open event stream receives no more events', async () => {
    const { world } = await guarded()
    const answer = await world.app.inject({
      method: 'GET',
      url: '/app/events',
      headers: { host: `127.0.0.1:${PORT}`, authorization: `Bearer ${world.windowToken}` },
      payloadAsStream: true,
    })
    const ended = new Promise((resolve) => answer.stream().on('end', resolve).resume())
    await lockIt(world)
    await ended
  })

  test('API keys keep working, and do not see the lock', async () => {
    const { world } = await guarded()
    const key = await world.key()
    await lockIt(world)
    expect((await world.get('/api/v1/companies/current', { key })).status).toBe(200)
    expect((await world.get('/healthz')).status).toBe(200)
  })

  test('its state contains neither books nor code, and the company only while allowed', async () => {
    const { world } = await guarded()
    await lockIt(world)
    expect((await ask(world, 'session.lockState')).body.data).toEqual({
      set: true,
      locked: true,
      lockedAt: '2026-07-01T08:00:00.000Z',
      reason: 'person',
      kind: 'passphrase',
      idleMinutes: 15,
      withSystem: true,
      waitSeconds: 0,
      recovery: true,
      companyName: 'Talleres Ejemplo, S.L.',
      waiting: 0,
      language: 'es',
      theme: 'system',
      motion: 'system',
    })
    await unlock(world)
    await ask(world, 'lock.options', { showName: false })
    await lockIt(world)
    expect((await ask(world, 'session.lockState')).body.data.companyName).toBeNull()
  })

  test('the owner sees only the number of pending proposals; nothing when notices are off', async () => {
    const { world } = await guarded()
    await ask(world, 'session.savePreferences', { activeBook: world.books.test.publicId })
    const waiting = async () => (await ask(world, 'session.lockState')).body.data.waiting
    await world.run('inbox.propose', { action: 'prepare_return', reason: 'Llega el plazo' })
    await lockIt(world)
    expect(await waiting()).toBe(1)
    await world.run('inbox.propose', { action: 'renew_certificate', reason: 'Y otra' })
    const state = await ask(world, 'session.lockState')
    expect(state.body.data.waiting).toBe(2)
    expect(JSON.stringify(state.body.data)).not.toMatch(/plazo|prepare_return|certificate/)
    await unlock(world)
    const { notices } = (await ask(world, 'session.get')).body.data.preferences
    await ask(world, 'session.savePreferences', { notices: { ...notices, approvals: false } })
    await lockIt(world)
    expect(await waiting()).toBe(0)
  })

  test('the code unlocks it, and a restart does not', async () => {
    const { world } = await guarded()
    await lockIt(world)
    expect((await unlock(world)).body.data).toMatchObject({ locked: false, lockedAt: null })
    expect((await world.call('invoices.list')).status).toBe(200)
    await world.restart()
    expect((await ask(world, 'session.lockState')).body.data).toMatchObject({ locked: true, reason: 'start' })
    expect(errorOf(await world.call('invoices.list'))).toEqual([423, 'app_locked'])
    await unlock(world)
    expect((await world.call('invoices.list')).status).toBe(200)
  })
})

describe('wrong codes', () => {
  test('cause longer and longer waits, whatever is typed meanwhile, and a restart does not shorten them', async () => {
    const { world } = await guarded()
    await lockIt(world)
    for (const seconds of [0, 0, 5])
      expect((await unlock(world, 'no es esta')).body.error).toMatchObject({
        code: 'lock_code_wrong',
        details: { seconds },
      })
    // Rejects the right code too: otherwise the wait would distinguish right from wrong.
    const early = await unlock(world)
    expect(errorOf(early)).toEqual([429, 'lock_wait'])
    expect(early.headers['retry-after']).toBe('5')
    await world.restart()
    expect((await ask(world, 'session.lockState')).body.data.waitSeconds).toBe(5)
    expect(errorOf(await unlock(world))).toEqual([429, 'lock_wait'])
    world.advance(5_000)
    expect((await unlock(world, 'tampoco esta')).body.error.details).toEqual({ seconds: 15 })
    world.advance(15_000)
    expect((await unlock(world)).status).toBe(200)
    // Cleared after a correct code.
    await lockIt(world)
    expect((await unlock(world, 'no es esta')).body.error.details).toEqual({ seconds: 0 })
  })

  test('never cause more than the longest wait when the clock is set back', async () => {
    const { world } = await guarded()
    await lockIt(world)
    for (let tries = 0; tries < 3; tries += 1) await unlock(world, 'no es esta')
    world.advance(-30 * 24 * 60 * MINUTE_MS)
    expect((await ask(world, 'session.lockState')).body.data.waitSeconds).toBe(900)
  })

  test('sent concurrently or with an Idempotency-Key count one by one', async () => {
    const { world } = await guarded()
    await lockIt(world)
    const headers = { 'idempotency-key': 'again' }
    const together = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => ask(world, 'session.unlock', { code: 'no es esta' }, headers)),
    )
    expect(together.map((answer) => answer.body.error.code).sort()).toEqual([
      ...Array(3).fill('lock_code_wrong'),
      ...Array(3).fill('lock_wait'),
    ])
  })

  test('count also when the lock is changed or turned off', async () => {
    const { world } = await guarded()
    const other = { code: 'otra clave larga' }
    expect((await ask(world, 'lock.set', other)).body.error).toMatchObject({ code: 'validation_failed' })
    for (const [name, input] of [
      ['lock.set', { ...other, current: 'no es esta' }],
      ['lock.remove', { current: 'no es esta' }],
      ['lock.set', { ...other, current: 'no es esta' }],
    ] as const)
      expect(errorOf(await ask(world, name, input))).toEqual([422, 'lock_code_wrong'])
    expect(errorOf(await ask(world, 'lock.remove', { current: CODE }))).toEqual([429, 'lock_wait'])
    world.advance(5_000)
    expect((await ask(world, 'lock.set', { ...other, current: CODE })).body.data.set).toBe(true)
    await lockIt(world)
    expect(errorOf(await unlock(world))).toEqual([422, 'lock_code_wrong'])
    await unlock(world, other.code)
    expect((await ask(world, 'lock.remove', { current: other.code })).body.data).toMatchObject({ set: false })
    await world.restart()
    expect(await isLocked(world)).toBe(false)
    expect(errorOf(await lockIt(world))).toEqual([409, 'lock_not_set'])
  })
})

describe('a forgotten code', () => {
  test('is replaced with the recovery code and a new one, also during the wait', async () => {
    const { world, recovery } = await guarded()
    await lockIt(world)
    for (let tries = 0; tries < 3; tries += 1) await unlock(world, 'no es esta')
    const recover = (recoveryCode: string, newCode = '271828') =>
      ask(world, 'session.unlock', { recoveryCode, newCode })
    expect(errorOf(await recover(newRecoveryCode()))).toEqual([422, 'recovery_code_wrong'])
    expect(errorOf(await recover('AAAA-BBBB'))).toEqual([422, 'recovery_code_wrong'])
    expect((await recover(recovery, '111111')).body.error.details.faults[0]).toMatchObject({
      code: 'lock_code_plain',
      field: 'newCode',
    })
    expect(await isLocked(world)).toBe(true)
    expect((await recover(recovery.toLowerCase())).body.data).toMatchObject({ locked: false, kind: 'pin' })
    await lockIt(world)
    expect(errorOf(await unlock(world))).toEqual([422, 'lock_code_wrong'])
    expect((await unlock(world, '271828')).status).toBe(200)
    expect(await history(world)).toEqual([
      'lock.on ok',
      'lock.locked ok person',
      ...Array(3).fill('lock.unlocked refused lock_code_wrong'),
      'lock.recovered refused recovery_code_wrong',
      'lock.recovered ok',
      'lock.locked ok person',
      'lock.unlocked refused lock_code_wrong',
      'lock.unlocked ok',
    ])
  })

  test('is not replaced with a recovery file put in place of the right one', async () => {
    const { world } = await guarded()
    await lockIt(world)
    const mine = newRecoveryCode()
    const forged = wrapMasterKey(Buffer.alloc(32, 7), mine, world.env.store.storeId, world.env.now())
    writeFileSync(join(world.folder, 'recovery.json'), JSON.stringify(forged))
    const answer = await ask(world, 'session.unlock', { recoveryCode: mine, newCode: '271828' })
    expect(errorOf(answer)).toEqual([422, 'recovery_code_wrong'])
  })

  test('must have a way back: without a recovery code the lock is not turned on', async () => {
    const world = await openWorld()
    expect(errorOf(await ask(world, 'lock.set', { code: CODE }))).toEqual([409, 'lock_needs_recovery'])
    expect((await ask(world, 'lock.get')).body.data).toMatchObject({ set: false, recovery: false })
  })
})

describe('without user activity', () => {
  test('Sello locks by itself, even when no page does', async () => {
    const { world } = await guarded()
    await ask(world, 'lock.options', { idleMinutes: 5 })
    world.advance(5 * MINUTE_MS)
    expect((await world.call('invoices.list')).status).toBe(200)
    world.advance(GRACE_MS)
    expect(errorOf(await world.call('invoices.list'))).toEqual([423, 'app_locked'])
    expect((await ask(world, 'session.lockState')).body.data.reason).toBe('idle')
    await unlock(world)
    expect(await history(world)).toEqual([
      'lock.on ok',
      'lock.changed ok',
      'lock.locked ok idle',
      'lock.unlocked ok',
    ])
  })

  test('reading invoices does not count as activity, and activity in any window counts for all', async () => {
    const { world } = await guarded()
    await ask(world, 'lock.options', { idleMinutes: 1 })
    for (let tens = 0; tens < 13; tens += 1) {
      world.advance(10_000)
      expect((await world.call('invoices.list')).status).toBe(200)
    }
    expect((await ask(world, 'session.alive', { idleSeconds: 20 })).body.data).toEqual({ idleSeconds: 20 })
    world.advance(30_000)
    expect((await ask(world, 'session.alive', { idleSeconds: 130 })).body.data).toEqual({ idleSeconds: 50 })
    world.advance(MINUTE_MS + GRACE_MS - 50_000 - 1)
    expect(await isLocked(world)).toBe(false)
    world.advance(1)
    expect(await isLocked(world)).toBe(true)
  })

  test('operations in progress are finished first', async () => {
    const { world } = await guarded()
    await ask(world, 'lock.options', { idleMinutes: 1 })
    const lock = await lockOf(world.env)
    await lock.whileWorking(async () => {
      world.advance(MINUTE_MS + GRACE_MS)
      expect(errorOf(await world.call('invoices.list'))).toEqual([200, undefined])
    })
    expect(errorOf(await world.call('invoices.list'))).toEqual([423, 'app_locked'])
  })
})

describe('the lock code', () => {
  test('is in no answer, no audit log, no log and no readable setting', async () => {
    const { world } = await guarded()
    await lockIt(world)
    await unlock(world, 'no es esta clave')
    const answers = [await unlock(world), await ask(world, 'lock.get'), await ask(world, 'session.lockState')]
    const settings = await world.env.store.reader.selectFrom('settings').selectAll().execute()
    const audit = await world.run('audit.list', {})
    const everything = [
      ...answers.map((answer) => answer.raw.body),
      JSON.stringify(settings),
      JSON.stringify(audit),
      world.logged.join('\n'),
    ].join('\n')
    expect(everything).not.toMatch(/gatos|no es esta/)
    const kept = JSON.parse(settings.find((row) => row.name === 'app_lock')!.value) as Record<string, unknown>
    expect(String(kept.code)).toMatch(/^v1\./)
    expect(JSON.stringify(kept)).not.toContain('salt')
    for (const file of ['sello.db', 'sello.db-wal'])
      expect(readFileSync(join(world.folder, file)).includes('app_lock')).toBe(false)
    expect((await world.run('audit.verify', {})).ok).toBe(true)
  })
})
