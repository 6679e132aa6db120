/**
 * The sending in a deterministic world, once for each wire: invoices and cancellations, lost answers, refusals, pauses, kills at any
 * step. Each file is at the service once and in the order of its chain, none is lost, and what the books say is what the service has.
 */
import { expect, test } from 'vitest'
import {
  createLroeClient,
  createXmlClient,
} from '../../../../../../server/registry/systems/ticketbai/client/client.ts'
import type { TicketBaiClient } from '../../../../../../server/registry/systems/ticketbai/client/client.ts'
import { deliverNext } from '../../../../../../server/registry/systems/ticketbai/client/deliver.ts'
import type { Transport } from '../../../../../../server/registry/systems/ticketbai/client/transport.ts'
import { createServiceFaultControl } from '../../../../../../server/registry/systems/ticketbai/simulator/faults.ts'
import type { ServiceFault } from '../../../../../../server/registry/systems/ticketbai/simulator/faults.ts'
import { transportTo } from '../../../../../../server/registry/systems/ticketbai/simulator/in-process.ts'
import { createProvinceService } from '../../../../../../server/registry/systems/ticketbai/simulator/provinces.ts'
import { memoryServiceState } from '../../../../../../server/registry/systems/ticketbai/simulator/state.ts'
import { SERVICES } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import type { Province } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import type { LroeFile } from '../../../../../../server/registry/systems/ticketbai/lroe/message.ts'
import { dice } from '../../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../../support/sweep.ts'
import {
  cancellationFile,
  COMPANY,
  invoiceFile,
  PERSON,
  signerOf,
  testIdentifier,
  verifyTestFile,
} from '../../../../../support/ticketbai/files.ts'
import { Killed, TestOutbox } from '../../../../../support/ticketbai/outbox.ts'

const STEPS = sweptCount(2_000, 250)
const DAY_MS = 86_400_000

interface World {
  name: string
  province: Province
  model: '140' | '240'
  /** Services without a query differ in what they say about a file that is there. */
  heldIdentifier?: 'held' | 'sent' | 'none'
}
const WORLDS: readonly World[] = [
  { name: 'araba', province: 'araba', model: '240', heldIdentifier: 'none' },
  { name: 'gipuzkoa', province: 'gipuzkoa', model: '240', heldIdentifier: 'held' },
  { name: 'bizkaia 240', province: 'bizkaia', model: '240' },
  { name: 'bizkaia 140', province: 'bizkaia', model: '140' },
]

const FAULTS: readonly ServiceFault[] = [
  { kind: 'down' },
  { kind: 'drop_request' },
  { kind: 'drop_reply' },
  { kind: 'half_answer' },
  { kind: 'error_500' },
  { kind: 'error_500', processed: true },
  { kind: 'html_200' },
  { kind: 'html_200', processed: true },
  { kind: 'throttled', seconds: 30 },
  { kind: 'unavailable' },
  { kind: 'short_answer' },
  { kind: 'stray_answer' },
]

test.each(WORLDS)(
  `${STEPS} steps at $name: each file there once and in order, none lost`,
  { timeout: 1_800_000 },
  async ({ province, model, heldIdentifier = 'none' }) => {
    const die = dice(33 + province.length + Number(model))
    const who = model === '140' ? PERSON : COMPANY
    const signer = await signerOf(who)
    let now = new Date('2026-12-20T09:00:00Z')
    const state = memoryServiceState()
    const faults = createServiceFaultControl()
    const service = createProvinceService(province, {
      state,
      now: () => now,
      verify: verifyTestFile,
      identifierOf: testIdentifier,
      heldIdentifier,
      faults,
      pageSize: 7,
    })
    const outbox = new TestOutbox()
    const counts = { killed: 0, turns: 0, messages: 0, cancelled: 0, rejected: 0, recovered: 0 }
    const inner = transportTo(service, [who.nif])
    // A kill may come when a message left, and when its answer came.
    const transport: Transport = async (request) => {
      counts.messages += 1
      const exchange = await inner(request)
      outbox.step()
      return exchange
    }
    const addresses = SERVICES[province].production
    const start = (): TicketBaiClient =>
      province === 'bizkaia'
        ? createLroeClient({
            service: addresses,
            transport,
            mostFiles: 12,
            taxpayer: {
              model,
              nif: who.nif,
              name: who.name,
              person: model === '140' ? { firstName: 'ANE', surname1: 'LEJARDI', surname2: null } : null,
            },
          })
        : createXmlClient({ service: addresses, transport })
    let client = start()

    const issued: LroeFile[] = []
    const refused = new Set<string>()
    const cancelled = new Set<string>()
    let numbers = 0
    /** The last file that the service keeps or will keep: one that it refuses is no link for the next. */
    let last: LroeFile | null = null
    const day = (): string => now.toISOString().slice(0, 10).split('-').reverse().join('-')

    function issue(): void {
      numbers += 1
      const file = invoiceFile(signer, {
        series: die.pick(['A', 'A', 'B', '']),
        number: String(numbers),
        issueDate: day(),
        previous: last,
      })
      last = file
      issued.push(file)
      outbox.add(file)
    }
    /** A file that the service refuses for good: it has no lines. */
    function issueUnfit(): void {
      if (die.below(4) > 0) return issue()
      numbers += 1
      const file = invoiceFile(signer, {
        number: String(numbers),
        issueDate: day(),
        previous: last,
        withoutLines: true,
      })
      refused.add(file.id)
      outbox.add(file)
    }
    function cancel(): void {
      const open = issued.filter(({ id }) => !cancelled.has(id))
      if (open.length === 0) return
      const file = die.pick(open)
      cancelled.add(file.id)
      outbox.add(cancellationFile(signer, file))
    }
    async function turn(): Promise<void> {
      counts.turns += 1
      if (die.below(2) === 0) faults.next(die.pick(FAULTS))
      if (die.below(4) === 0) faults.next(die.pick(FAULTS), { on: 'any' })
      if (die.below(4) === 0) outbox.killAt(1 + die.below(9))
      try {
        await deliverNext(client, outbox)
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        counts.killed += 1
        client = start()
      }
      outbox.killAt(0)
    }

    const ACTIONS = [issue, issue, issue, issueUnfit, cancel, turn, turn, turn, turn]
    for (let step = 0; step < STEPS; step += 1) {
      await die.pick(ACTIONS)()
      now = new Date(now.getTime() + (die.below(25) === 0 ? DAY_MS : die.below(60) * 60_000))
    }
    faults.clear()
    for (let round = 0; round < STEPS * 2; round += 1) {
      const { pause } = await deliverNext(client, outbox)
      expect(pause).toBeNull()
      if (outbox.rows.every(({ settlement }) => settlement !== null)) break
    }

    // What the books say is what the service has: once, none missing, none besides.
    const held = state.files()
    const accepted = outbox.rows.filter(({ settlement }) => settlement?.kind === 'accepted')
    counts.recovered = accepted.filter(
      ({ settlement }) => settlement?.kind === 'accepted' && settlement.recovered,
    ).length
    counts.rejected = outbox.rows.filter(({ settlement }) => settlement?.kind === 'rejected').length
    counts.cancelled = cancelled.size
    expect(outbox.rows.every(({ settlement }) => settlement !== null)).toBe(true)
    expect(outbox.rows.some(({ settlement }) => settlement?.kind === 'conflict')).toBe(false)
    expect(
      outbox.rows.filter(({ settlement }) => settlement?.kind === 'rejected').map(({ file }) => file.id),
    ).toEqual(outbox.rows.filter(({ file }) => refused.has(file.id)).map(({ file }) => file.id))
    // In the order of the chain, byte for byte.
    expect(held.map(({ xml }) => xml)).toEqual(issued.map(({ xml }) => Buffer.from(xml).toString('utf8')))
    expect(held.map(({ remarks }) => remarks).filter((remarks) => remarks.length > 0)).toEqual([])
    expect(held.map(({ previous }) => previous)).toEqual([
      null,
      ...issued.slice(0, -1).map(({ signature }) => signature),
    ])
    expect(held.filter(({ status }) => status === 'cancelled').map(({ signature }) => signature)).toEqual(
      issued.filter(({ id }) => cancelled.has(id)).map(({ signature }) => signature),
    )
    expect(counts.killed).toBeGreaterThan(STEPS / 80)
    expect(counts.recovered).toBeGreaterThan(STEPS / 100)
    console.log(
      `${STEPS} steps, ${held.length} files held, 0 duplicates, 0 missing, 0 out of order, ${JSON.stringify(counts)}`,
    )
  },
)
