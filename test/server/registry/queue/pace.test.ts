/** Pace of the queue: the wait that the authority asks for, full messages, restarts and clocks that jump. */
import { describe, expect, test } from 'vitest'
import { backoffMs, nextSendAt } from '../../../../server/registry/queue/flow.ts'
import {
  createSimulator,
  memoryState,
} from '../../../../server/registry/systems/verifactu/simulator/index.ts'
import type { Authority } from '../../../../server/registry/queue/authority.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { fillBook } from '../../../../server/app/demo/index.ts'
import { answering, listening, recordsIn, unheard, unsent } from '../authorities.ts'
import { sweptCount } from '../../../support/sweep.ts'

const START = Date.parse('2026-11-21T09:00:00Z')
const pace = {
  wait_seconds: 60,
  last_sent_at: null as number | null,
  next_attempt_at: 0,
  stopped: 0 as const,
}

/** Returns an authority of this process that asks for a wait. */
function asking(
  world: TestBooks,
  waitSeconds: number,
): Authority & { state: ReturnType<typeof memoryState> } {
  const state = memoryState()
  let csvs = 0
  const simulator = createSimulator({
    state,
    now: () => world.test.now(),
    newCsv: () => `A-${String(++csvs).padStart(14, '0')}`,
    waitSeconds,
  })
  return {
    state,
    submit: async (envelope) => answering(await simulator.submit(envelope)),
    query: async (envelope) => answering(await simulator.query(envelope)),
  }
}

const at = (world: TestBooks, seconds: number) =>
  world.setTime(new Date(START + seconds * 1000).toISOString())

describe('the next message leaves', () => {
  test('immediately the first time, then after the wait; a full thousand does not wait', () => {
    expect(nextSendAt(pace, 1, START)).toBe(0)
    expect(nextSendAt({ ...pace, last_sent_at: START }, 1, START + 1)).toBe(START + 60_000)
    expect(nextSendAt({ ...pace, last_sent_at: START }, 999, START + 1)).toBe(START + 60_000)
    expect(nextSendAt({ ...pace, last_sent_at: START }, 1000, START + 1)).toBe(0)
  })

  test('after the back-off of a failure, whatever waits', () => {
    const failed = { ...pace, last_sent_at: START, next_attempt_at: START + 240_000 }
    expect(nextSendAt(failed, 1, START)).toBe(START + 240_000)
    expect(nextSendAt(failed, 1000, START)).toBe(START + 240_000)
  })

  test('no later than the wait itself after a clock was set back', () => {
    const lastYear = START - 365 * 86_400_000
    expect(nextSendAt({ ...pace, last_sent_at: START }, 1, lastYear)).toBe(lastYear + 60_000)
    expect(nextSendAt({ ...pace, next_attempt_at: START }, 1, lastYear)).toBe(lastYear + 3_600_000)
  })

  test('never while sending is suspended', () => {
    expect(nextSendAt({ ...pace, stopped: 1 }, 1000, START)).toBeNull()
  })

  test('after a back-off that doubles from a minute to an hour, varies by a fifth, and never exceeds the hour', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 100].map((failures) => backoffMs(failures, () => 0.5) / 60_000)).toEqual([
      1, 2, 4, 8, 16, 32, 60, 60, 60,
    ])
    expect(backoffMs(1, () => 0)).toBe(48_000)
    expect(backoffMs(1, () => 0.999)).toBeLessThan(72_000)
    expect(backoffMs(9, () => 0.999)).toBe(3_600_000)
  })
})

describe('the queue', () => {
  test('sends full messages immediately, in order, and the rest after the wait', async () => {
    const full = sweptCount(2, 1)
    const count = full * 1000 + sweptCount(500, 5)
    const world = await openBooks()
    await fillBook(world.test, { invoices: count })
    const before = await world
      .ctx(world.books.test)
      .db.selectFrom('registry_submissions')
      .select((eb) => eb.fn.countAll<number>().as('waiting'))
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow()
    expect(before.waiting).toBe(count)
    const real = asking(world, 60)
    const authority = listening(world, undefined, undefined, real)
    for (let sent = 0; sent < full; sent += 1) expect(await world.send(authority)).toBe(1000)
    expect(await world.send(authority)).toBe(0)
    at(world, 59)
    await world.restart()
    expect(await world.send(authority)).toBe(0)
    at(world, 60)
    expect(await world.send(authority)).toBe(count - full * 1000)
    expect(authority.envelopes).toHaveLength(full + 1)
    expect(authority.envelopes.flatMap(recordsIn)).toEqual(
      Array.from({ length: count }, (_, index) => `rec-${index + 1}`),
    )
    expect(authority.envelopes.every((envelope) => !envelope.includes('Incidencia'))).toBe(true)
    const log = real.state.records()
    expect(log.map((record) => record.recordRef)).toEqual(
      Array.from({ length: count }, (_, index) => `rec-${index + 1}`),
    )
    for (const [index, record] of log.entries()) expect(record.previousHash).toBe(log[index - 1]?.hash ?? '')
    expect((await world.run('registry.status', {})).counts.accepted).toBe(count)
  }, 120_000)

  test('uses the last requested wait, keeps it over a restart, and keeps the previous one after an empty one', async () => {
    const world = await openBooks()
    const slow = asking(world, 300)
    await world.invoice()
    expect(await world.send(slow)).toBe(1)
    await world.invoice()
    at(world, 299)
    await world.restart()
    expect(await world.send(slow)).toBe(0)
    at(world, 300)
    const silent = listening(
      world,
      async (envelope, real) => {
        const answer = await real.submit(envelope)
        const text = answer.kind === 'answered' ? new TextDecoder().decode(answer.body) : ''
        return answering(text.replace(/<sfR:TiempoEsperaEnvio>\d+</, '<sfR:TiempoEsperaEnvio><'))
      },
      undefined,
      slow,
    )
    expect(await world.send(silent)).toBe(1)
    await world.invoice()
    at(world, 599)
    expect(await world.send(slow)).toBe(0)
    at(world, 600)
    expect(await world.send(slow)).toBe(1)
  })

  test('loses one wait, not a year, when a clock is set back a year', async () => {
    const world = await openBooks()
    const authority = asking(world, 60)
    await world.invoice()
    expect(await world.send(authority)).toBe(1)
    await world.invoice()
    world.setTime('2025-11-21T10:00:00+01:00')
    expect(await world.send(authority)).toBe(0)
    world.setTime('2025-11-21T10:00:59+01:00')
    expect(await world.send(authority)).toBe(0)
    world.setTime('2025-11-21T10:01:00+01:00')
    expect(await world.send(authority)).toBe(1)
  })

  test('does not wait after a message that never left, but waits after a lost answer', async () => {
    const world = await openBooks()
    await world.invoice()
    await world.send(listening(world, async () => unsent('unreachable')))
    await world.run('registry.send', {})
    expect(await world.send(listening(world, async () => unheard()))).toBe(0)
    await world.run('registry.send', {})
    const idle = listening(world)
    await world.send(idle)
    expect(idle.queries).toEqual([])
    at(world, 60)
    expect(await world.send(idle)).toBe(1)
  })

  test('sends records older than four minutes with Incidencia', async () => {
    const world = await openBooks()
    await world.invoice()
    at(world, 241)
    const authority = listening(world)
    await world.send(authority)
    expect(authority.envelopes[0]).toContain('<sf:Incidencia>S</sf:Incidencia>')
  })
})
