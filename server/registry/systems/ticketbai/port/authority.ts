/** The services of a province as the queue reaches them: the real ones, a stand-in on this computer, or a simulated one. */
import { findCompany } from '../../../../company/index.ts'
import type { Ctx } from '../../../../context.ts'
import type { Authority, Exchange } from '../../../queue/authority.ts'
import type { Connection } from '../../../system.ts'
import { createTransport } from '../client/transport.ts'
import type { Transport } from '../client/transport.ts'
import type { Province } from '../profiles.ts'
import type { WireExchange, WireRequest } from '../wire/outcome.ts'
import { SERVICES } from '../wire/services.ts'

/** The clocks are not compared: the services' times have no zone, and what they tolerate is not published. */
const exchangeOf = (exchange: WireExchange): Exchange =>
  exchange.kind === 'answered' ? { ...exchange, serverTime: null } : exchange

function authorityOver(transport: Transport, origin: string | null): Authority<WireRequest> {
  const carry = async (message: WireRequest): Promise<Exchange> => {
    const url = origin === null ? message.url : new URL(new URL(message.url).pathname, origin).href
    return exchangeOf(await transport({ ...message, url }))
  }
  return { submit: carry, query: carry }
}

/** Creates the connection of a live book. A sandbox without a stand-in sends nothing. */
export function connectTo(province: Province, connection: Connection): Authority<WireRequest> {
  const { environment, credential, now, version, sandbox, standIn, signal } = connection
  if (sandbox && !standIn) {
    const nowhere = async (): Promise<Exchange> => ({
      kind: 'not_sent',
      reason: 'no_address',
      detail: 'A sandbox sends to a stand-in only, and none is named.',
    })
    return { submit: nowhere, query: nowhere }
  }
  if (!sandbox && standIn) throw new Error('Only a sandbox can be pointed at a stand-in.')
  const common = { credential, now, version, signal }
  if (standIn)
    return authorityOver(
      createTransport({ ...common, reach: { kind: 'simulator', caPem: standIn.caPem } }),
      new URL(standIn.url).origin,
    )
  const services = SERVICES[province][environment === 'production' ? 'production' : 'test']
  return authorityOver(
    createTransport({ ...common, reach: { kind: 'official' } }),
    new URL(services.invoice).origin,
  )
}

/** Creates the simulated service of a test book, in this process. */
export async function simulatedService(province: Province, ctx: Ctx): Promise<Authority<WireRequest>> {
  const [{ simulatedTransport }, { fileIdentifier, verifyFile }] = await Promise.all([
    import('../simulator/stored.ts'),
    import('../simulator/verifier.ts'),
  ])
  const { nif } = await findCompany(ctx)
  const options = { callers: [nif], verify: verifyFile, identifierOf: fileIdentifier }
  return authorityOver(simulatedTransport(ctx, province, options), null)
}
