/** A simulated service in memory for a test book, with its fault switches, as the authority that the queue sends to. */
import { createServiceFaultControl } from '../../../../../../server/registry/systems/ticketbai/simulator/faults.ts'
import { transportTo } from '../../../../../../server/registry/systems/ticketbai/simulator/in-process.ts'
import { createProvinceService } from '../../../../../../server/registry/systems/ticketbai/simulator/provinces.ts'
import type { ProvinceOptions } from '../../../../../../server/registry/systems/ticketbai/simulator/provinces.ts'
import { memoryServiceState } from '../../../../../../server/registry/systems/ticketbai/simulator/state.ts'
import {
  fileIdentifier,
  verifyFile,
} from '../../../../../../server/registry/systems/ticketbai/simulator/verifier.ts'
import type { Authority, Exchange } from '../../../../../../server/registry/queue/authority.ts'
import type { WireRequest } from '../../../../../../server/registry/systems/ticketbai/wire/outcome.ts'
import type { TestBooks } from '../../../../../support/books.ts'
import type { Place } from '../../../../../support/ticketbai/product.ts'

/** Creates the service; it has no faults until some are set. */
export function createFaultless(
  world: TestBooks,
  province: Place['province'],
  { nif = 'B12345674', ...options }: Partial<ProvinceOptions> & { nif?: string } = {},
) {
  const state = memoryServiceState()
  const faults = createServiceFaultControl()
  let receipts = 0
  const service = createProvinceService(province, {
    state,
    faults,
    now: world.env.now,
    verify: verifyFile,
    identifierOf: fileIdentifier,
    newReceipt: () => `R${++receipts}`,
    ...options,
  })
  const transport = transportTo(service, [nif])
  const carry = async (message: unknown): Promise<Exchange> => {
    const exchange = await transport(message as WireRequest)
    return exchange.kind === 'answered' ? { ...exchange, serverTime: null } : exchange
  }
  const authority: Authority<unknown> = { submit: carry, query: carry }
  return { state, faults, authority }
}
