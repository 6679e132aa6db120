/** The clock: what a difference from the authority's blocks, and what a person may accept. */
import { describe, expect, test } from 'vitest'
import { eventsAfter } from '../../../../server/platform/events/index.ts'
import { clockFaults, provenSkewMs } from '../../../../server/registry/state/clock.ts'
import { changeFlow, findFlow } from '../../../../server/registry/queue/rows.ts'
import { simulatedAuthority } from '../../../../server/registry/systems/verifactu/simulator/stored.ts'
import { openBooks, refusal } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

/** Sets the computer's clock minus the authority's, as the answer at that time measured it. */
async function measured(world: TestBooks, seconds: number, at = world.env.now()): Promise<void> {
  await world.test.transaction((tx) => changeFlow(tx, { skew_ms: seconds * 1000, skew_at: at.getTime() }))
}

const faults = async (world: TestBooks) =>
  clockFaults(world.test, await findFlow(world.test)).map(
    ({ code, severity, params }) => `${severity} ${code} ${params?.seconds}`,
  )

describe('a difference between the clocks', () => {
  test.each([
    [0, []],
    [60, []],
    [-60, []],
    [61, ['warning clock_differs 61']],
    [-61, ['warning clock_differs -61']],
    [240, ['warning clock_differs 240']],
    [241, ['error clock_wrong 241']],
    [-241, ['error clock_wrong -241']],
    [86_400, ['error clock_wrong 86400']],
  ])('of %i seconds causes a warning above one minute and an error above four', async (seconds, expected) => {
    const world = await openBooks()
    expect(await faults(world)).toEqual([])
    await measured(world, seconds)
    expect(await faults(world)).toEqual(expected)
  })

  test('expires a day after it was measured', async () => {
    const world = await openBooks({ at: '2026-11-21T10:00:00+01:00' })
    await measured(world, 600)
    world.setTime('2026-11-22T10:00:00+01:00')
    expect(await faults(world)).toEqual(['error clock_wrong 600'])
    world.setTime('2026-11-22T10:00:01+01:00')
    expect(await faults(world)).toEqual([])
    // Nor when the clock was set back by more than a day since.
    world.setTime('2026-11-20T09:59:59+01:00')
    expect(await faults(world)).toEqual([])
  })

  test('is discarded when a clock that ran ahead is set back', async () => {
    const world = await openBooks({ at: '2026-11-21T10:10:00+01:00' })
    await measured(world, 600)
    expect(await faults(world)).toEqual(['error clock_wrong 600'])
    world.setTime('2026-11-21T10:00:05+01:00')
    expect(await faults(world)).toEqual([])
    expect((await world.invoice()).number).toBe('T-F2026-0001')
  })

  test('beyond four minutes blocks the issue of a draft, which reports it beforehand', async () => {
    const world = await openBooks()
    await measured(world, -300)
    const draft = await world.draft()
    const { confirmation, issues } = await world.run('invoices.validate', { id: draft.id })
    expect(confirmation).toBeUndefined()
    expect(issues.map((issue) => issue.code)).toContain('clock_wrong')
    await measured(world, 0)
    const token = await world.token(draft.id)
    await measured(world, -300)
    expect(await refusal(world.run('invoices.issue', { id: draft.id, confirmationToken: token }))).toBe(
      'clock_wrong',
    )
    expect((await world.run('invoices.get', { id: draft.id })).state).toBe('draft')
  })
})

describe('the measurement', () => {
  test.each([
    ['an instant exchange', 1_000, 1_600, 1_600, 600],
    ['a clock ahead by more than the exchange', 1_000, 1_600, 1_700, 600],
    ['a clock behind by more than the exchange', 1_000, 300, 400, -600],
    ['an exchange during which the computer was suspended', 1_000, 999, 9_000, 0],
    ['a clock that was set back during the exchange', 1_000, 9_000, 999, 0],
  ])('is the smallest difference that is possible: %s', (_case, theirs, sentAt, answeredAt, skew) => {
    expect(provenSkewMs(theirs, sentAt, answeredAt)).toBe(skew)
  })

  test('of a computer that was suspended while an answer was on its way blocks nothing', async () => {
    const world = await openBooks({ at: '2026-11-21T10:00:00+01:00' })
    await world.invoice()
    const authority = simulatedAuthority(world.test)
    const settled = await world.send({
      query: (envelope) => authority.query(envelope),
      submit: async (envelope) => {
        const exchange = await authority.submit(envelope)
        world.setTime('2026-11-21T10:11:00+01:00')
        return exchange
      },
    })
    expect(settled).toBe(1)
    expect(await faults(world)).toEqual([])
    expect((await world.invoice()).number).toBe('T-F2026-0002')
  })
})

describe('accepting the difference', () => {
  test('lets invoices be issued with a warning, while it stays about the same', async () => {
    const world = await openBooks()
    await measured(world, 600)
    expect(await world.run('registry.acceptClock', {})).toEqual({ skewSeconds: 600 })
    expect(await faults(world)).toEqual(['warning clock_differs 600'])
    expect((await world.invoice()).number).toBe('T-F2026-0001')
    for (const seconds of [540, 660]) {
      await measured(world, seconds)
      expect(await faults(world), `${seconds}`).toEqual([`warning clock_differs ${seconds}`])
    }
    for (const seconds of [539, 661, -600]) {
      await measured(world, seconds)
      expect(await faults(world), `${seconds}`).toEqual([`error clock_wrong ${seconds}`])
    }
  })

  test('is recorded in the history and emits an event', async () => {
    const world = await openBooks()
    await measured(world, -300)
    await world.run('registry.acceptClock', {})
    const told = (await world.run('audit.list', {})).items.find(
      (item) => item.action === 'registry.clock_accepted',
    )
    expect(told).toMatchObject({ actor: { kind: 'user' }, target: { label: '-300 s' } })
    const events = await eventsAfter(world.env.store.reader, 0)
    expect(events.find((event) => event.type === 'registry.changed')?.data).toEqual({ skewSeconds: -300 })
  })

  test('before any measurement has no effect', async () => {
    const world = await openBooks()
    expect(await world.run('registry.acceptClock', {})).toEqual({ skewSeconds: 0 })
    await measured(world, 300)
    expect(await faults(world)).toEqual(['error clock_wrong 300'])
    const actions = (await world.run('audit.list', {})).items.map((item) => item.action)
    expect(actions).not.toContain('registry.clock_accepted')
  })

  test('is only possible for the person at the window', async () => {
    const world = await openBooks()
    const ctx = world.ctx(world.books.test, await world.key())
    expect(await refusal(world.run('registry.acceptClock', {}, ctx))).toBe('not_found')
  })
})
