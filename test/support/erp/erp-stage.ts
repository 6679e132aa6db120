/** A book and an accounting system to read: the mock server over real HTTP, and a world that calls it without pauses. */
import { onTestFinished } from 'vitest'
import type { OutputOf } from '../../../server/api/contracts.ts'
import { KEYS, startErpServer } from './erp-server.ts'
import type { ErpServer, ErpServerOptions } from './erp-server.ts'
import { openWorld } from '../world.ts'
import type { World, WorldOptions } from '../world.ts'

export type Face = 'v2' | 'v1' | 'odoo'
export const FACES: readonly Face[] = ['v2', 'v1', 'odoo']

export interface Stage {
  world: World
  erp: ErpServer
  /** Connects over one of the interfaces. */
  connect(face?: Face): Promise<OutputOf<'erp.connect'>>
  /** Reads to the end. */
  sync(input?: { mode?: 'auto' | 'full'; resources?: string; force?: boolean }): Promise<OutputOf<'erp.sync'>>
  /** Returns the calls since the last query. */
  newCalls(): string[]
}

/** Small, but with every kind of document; the clock is at 1 July 2026. */
export const SMALL = { contacts: 30, issued: 250, received: 120, items: 20, to: '2026-06-30' } as const

export async function openStage(
  options: ErpServerOptions = {},
  worldOptions: WorldOptions = {},
): Promise<Stage> {
  const erp = await startErpServer({ ...SMALL, ...options })
  onTestFinished(() => erp.close())
  const world = await openWorld({ erpUrl: erp.base, ...worldOptions })
  let known = 0
  return {
    world,
    erp,
    connect: (face = 'v2') =>
      world.run(
        'erp.connect',
        face === 'odoo'
          ? { erpApiKey: KEYS.odoo, provider: 'odoo', baseUrl: erp.base }
          : { erpApiKey: KEYS[face] },
      ),
    sync: async (input = {}) => {
      let run = await world.run('erp.sync', { ...input, wait: 1 })
      // A slow machine may need more than one wait.
      while (run.state === 'running') run = await world.run('erp.sync', { wait: 1 })
      return run
    },
    newCalls() {
      const calls = erp.calls.slice(known)
      known = erp.calls.length
      return calls.map(({ method, path, query, body }) => {
        const asked = new URLSearchParams(query).toString()
        return [method, path, asked, method === 'POST' ? JSON.stringify(body) : ''].join(' ')
      })
    },
  }
}
