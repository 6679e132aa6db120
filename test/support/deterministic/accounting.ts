/**
 * An accounting system elsewhere, as an actor: the stand-in over real HTTP, for the thread that reads it cannot be handed
 * another network. Each reading is waited for to its end, so that the run stays one that can be played again.
 */
import { KEYS, startErpServer } from '../erp/erp-server.ts'
import type { ErpServer } from '../erp/erp-server.ts'
import type { FaultKind } from '../erp/faults.ts'
import type { Deed } from './person.ts'

/** Those after which nothing waits for the real clock. */
const FAULTS: readonly FaultKind[] = [401, '403-scope', 'html', 'truncated', 'redirect', 'repeat-page']

export function startAccounting(): Promise<ErpServer> {
  return startErpServer({ contacts: 5, issued: 12, received: 8, items: 4, to: '2026-06-30' })
}

/** Connects when there is no connection, and reads; now and then something is wrong on the other side. */
export function readFrom(server: ErpServer): Deed {
  return async (world, company) => {
    const { dice } = world.around
    server.heal()
    const { integrations } = await world.run(company, 'erp.status', {})
    if (!integrations.some(({ connected }) => connected))
      await world.run(company, 'erp.connect', { erpApiKey: KEYS.v2 })
    const fault = dice.chance(0.4) ? dice.pick(FAULTS) : null
    if (fault !== null) server.fail({ with: fault, nth: 1 + dice.below(4) })
    let run = await world.run(company, 'erp.sync', { force: true, wait: 1 })
    // A slow machine may need more than one wait.
    while (run.state === 'running') run = await world.run(company, 'erp.sync', { wait: 1 })
    return `${fault}: ${run.state}`
  }
}
