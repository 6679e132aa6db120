/**
 * An external accounting system as an actor: the mock server over real HTTP, because the thread that reads it cannot
 * use another network. Each reading is awaited, so that the run stays repeatable.
 */
import { KEYS, startErpServer } from '../erp/erp-server.ts'
import type { ErpServer } from '../erp/erp-server.ts'
import type { FaultKind } from '../erp/faults.ts'
import type { Deed } from './person.ts'

/** Faults after which nothing waits for the real clock. */
const FAULTS: readonly FaultKind[] = [401, '403-scope', 'html', 'truncated', 'redirect', 'repeat-page']

export function startAccounting(): Promise<ErpServer> {
  return startErpServer({ contacts: 5, issued: 12, received: 8, items: 4, to: '2026-06-30' })
}

/** Connects if there is no connection, and reads; occasionally with a fault on the other side. */
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
