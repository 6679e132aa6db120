/**
 * The queue in a deterministic world, once for each service: invoices and cancellations of a test book, lost and halved
 * answers, refusals, pauses, a clock that moves both ways, and ends of the program at any step. Each file is at the
 * service once and in the order of its chain, none is lost, and what the books say is what the service has.
 */
import { expect, test } from 'vitest'
import { AppError } from '../../../../../../server/domain/errors/app-error.ts'
import { verifyQueue, verifyReplies } from '../../../../../../server/registry/index.ts'
import { recoverInterrupted } from '../../../../../../server/registry/queue/sender.ts'
import type { Authority } from '../../../../../../server/registry/queue/authority.ts'
import { readRecord } from '../../../../../../server/registry/systems/ticketbai/port/records.ts'
import type { ServiceFault } from '../../../../../../server/registry/systems/ticketbai/simulator/faults.ts'
import { openBooks } from '../../../../../support/books.ts'
import { dice } from '../../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../../support/sweep.ts'
import { basqueCompany, recordsOf, sendOnce } from '../../../../../support/ticketbai/product.ts'
import type { Place } from '../../../../../support/ticketbai/product.ts'
import { cancel } from '../../../../sales/invoices/steps.ts'
import { createFaultless } from './services.ts'

const STEPS = sweptCount(2_000, 150)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const WORLDS: readonly {
  name: string
  province: Place['province']
  postalCode: string
  activityCode?: string
  heldIdentifier?: 'held' | 'sent' | 'none'
}[] = [
  { name: 'araba', province: 'araba', postalCode: '01001', heldIdentifier: 'none' },
  { name: 'gipuzkoa', province: 'gipuzkoa', postalCode: '20001', heldIdentifier: 'held' },
  { name: 'bizkaia 240', province: 'bizkaia', postalCode: '48001' },
  { name: 'bizkaia 140', province: 'bizkaia', postalCode: '48001', activityCode: '8499' },
]

const FAULTS: readonly ServiceFault[] = [
  { kind: 'down' },
  { kind: 'drop_request' },
  { kind: 'drop_reply' },
  { kind: 'drop_reply' },
  { kind: 'half_answer' },
  { kind: 'error_500' },
  { kind: 'error_500', processed: true },
  { kind: 'html_200' },
  { kind: 'html_200', processed: true },
  { kind: 'throttled', seconds: 30 },
  { kind: 'unavailable' },
  { kind: 'certificate' },
  { kind: 'short_answer' },
  { kind: 'stray_answer' },
]

/** The program ended: what it was doing is not finished. */
class Ended extends Error {}

test.each(WORLDS)(
  `${STEPS} steps at $name: each file there once and in order, none lost`,
  { timeout: 3_600_000 },
  async ({ province, postalCode, activityCode, heldIdentifier, name }) => {
    const die = dice(33 + Number(postalCode) + Number(activityCode ?? 0))
    const company = basqueCompany(postalCode, activityCode)
    const world = await openBooks({ company, at: '2026-03-02T09:00:00Z' })
    let time = Date.parse('2026-03-02T09:00:00Z')
    const services = createFaultless(world, province, {
      nif: company.nif,
      pageSize: 7,
      ...(heldIdentifier ? { heldIdentifier } : {}),
    })
    const counts = {
      issued: 0,
      cancelled: 0,
      refused: 0,
      turns: 0,
      messages: 0,
      faults: 0,
      ended: 0,
      clock: 0,
    }
    /** Which message of the turn the program ends at, and whether it was taken. */
    let end: { at: number; taken: boolean } | null = null
    const dying = (send: (message: unknown) => ReturnType<Authority<unknown>['submit']>) => {
      return async (message: unknown) => {
        counts.messages += 1
        if (end !== null) end.at -= 1
        const isEnd = end !== null && end.at <= 0
        if (isEnd && !end?.taken) throw new Ended()
        const exchange = await send(message)
        if (isEnd) throw new Ended()
        return exchange
      }
    }
    const { submit, query } = services.authority
    const authority: Authority<unknown> = { submit: dying(submit), query: dying(query) }
    const invoices: string[] = []
    const cancelled = new Set<string>()

    async function issue(): Promise<void> {
      try {
        const unitPrice = (die.below(90_000) + 1) / 100
        const line = { description: 'Ordua', quantity: 1, unitPrice }
        invoices.push((await world.invoice({ lines: [line] })).id)
        counts.issued += 1
      } catch (error) {
        // A clock that was set back stops the issue until it is past the last record again.
        if (!/clock_wrong|date_before_last|issue_date/.test(String(error))) throw error
        counts.clock += 1
      }
    }
    async function cancelOne(): Promise<void> {
      const open = invoices.filter((id) => !cancelled.has(id))
      if (open.length === 0) return
      const id = die.pick(open)
      try {
        await cancel(world, id)
        cancelled.add(id)
        counts.cancelled += 1
      } catch (error) {
        // Before an answer no further record follows.
        if (error instanceof AppError && error.code === 'registry_pending') return
        if (/clock_wrong/.test(String(error))) return
        throw error
      }
    }
    async function turn(): Promise<void> {
      counts.turns += 1
      if (die.below(3) === 0) {
        services.faults.next(die.pick(FAULTS), die.below(3) === 0 ? { on: 'any' } : {})
        counts.faults += 1
      }
      if (die.below(5) === 0) end = { at: 1 + die.below(2), taken: die.below(2) === 0 }
      try {
        await sendOnce(world, authority)
      } catch (error) {
        if (!(error instanceof Ended)) throw error
        counts.ended += 1
        await recoverInterrupted(world.test)
      }
      end = null
    }

    const ACTIONS = [issue, issue, issue, cancelOne, turn, turn, turn, turn]
    for (let step = 0; step < STEPS; step += 1) {
      await die.pick(ACTIONS)()
      const move = die.below(100)
      if (move < 2) time += DAY
      else if (move < 4) time -= die.below(90) * MINUTE
      else time += die.below(60) * MINUTE
      world.setTime(new Date(time).toISOString())
    }
    services.faults.clear()
    for (let round = 0; round < STEPS * 3; round += 1) {
      time += 61 * MINUTE
      world.setTime(new Date(time).toISOString())
      await sendOnce(world, authority)
      if ((await recordsOf(world)).every(({ status }) => status === 'accepted')) break
    }

    const records = await recordsOf(world)
    const held = services.state.files()
    const files = records.filter(({ kind }) => kind === 'registration')
    expect(records.filter(({ status }) => status !== 'accepted')).toEqual([])
    expect(records.filter(({ conflict }) => conflict === 1)).toEqual([])
    // In the order of the chain, byte for byte, each once, none besides.
    expect(held.map(({ xml }) => xml)).toEqual(files.map(({ text }) => text))
    expect(held.filter(({ remarks }) => remarks.length > 0)).toEqual([])
    expect(held.map(({ previous }) => previous)).toEqual([
      null,
      ...files.slice(0, -1).map(({ link }) => link),
    ])
    const cancellations = records.filter(({ kind }) => kind === 'cancellation')
    expect(held.flatMap(({ cancellation }) => cancellation ?? []).toSorted()).toEqual(
      cancellations.map(({ text }) => text).toSorted(),
    )
    expect(held.filter(({ status }) => status === 'cancelled')).toHaveLength(cancelled.size)
    expect(await world.run('registry.verify', {})).toMatchObject({ ok: true, records: records.length })
    expect((await verifyQueue(world.test)).faults).toEqual([])
    expect((await verifyReplies(world.test)).faults).toEqual([])
    expect(records.every(({ text }) => readRecord(text).text === text)).toBe(true)
    const recovered = records.filter(({ csv_lost: lost }) => lost === 1).length
    expect(recovered).toBeGreaterThan(STEPS / 100)
    expect(counts.ended).toBeGreaterThan(STEPS / 80)
    console.log(
      `${name}: ${STEPS} steps, ${held.length} files held, ${cancelled.size} cancelled, 0 duplicates, 0 missing, 0 out of order, ${recovered} recovered, ${JSON.stringify(counts)}`,
    )
  },
)
