/** The supported accounting systems: the only place that knows all of them. */
import type { ProviderId } from './contract.ts'
import { holded } from './holded/index.ts'
import { odoo } from './odoo/index.ts'
import type { Provider } from './port.ts'

// Only types of the contract: the worker thread needs none of its validation.
const PROVIDERS: Readonly<Record<ProviderId, Provider>> = { holded, odoo }

export function providerOf(id: string): Provider {
  const provider = PROVIDERS[id as ProviderId]
  if (!provider) throw new Error(`No accounting system is called ${id}.`)
  return provider
}

export const providers: readonly Provider[] = Object.values(PROVIDERS)
