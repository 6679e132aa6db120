/**
 * The transport against the simulated authority's server: each fault of the server leads to the expected kind of
 * outcome.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Authority } from '../../../../../../server/registry/queue/authority.ts'
import { buildRegistration } from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import type { Fault } from '../../../../../../server/registry/systems/verifactu/simulator/faults.ts'
import { startAuthorityServer } from '../../../../../../server/registry/systems/verifactu/simulator/server.ts'
import type {
  AuthorityServer,
  AuthorityServerOptions,
} from '../../../../../../server/registry/systems/verifactu/simulator/server.ts'
import { buildSubmission } from '../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import { readReply } from '../../../../../../server/registry/systems/verifactu/wire/reply.ts'
import { makeServerCertificate } from '../../../../../support/files/certificates.ts'
import { GENERATED_AT, invoice, ISSUER, NOW, SYSTEM } from '../../../samples.ts'
import { authorityAt, credentialFor } from './peer.ts'

const SUBMISSION = buildSubmission({ issuer: ISSUER }, [
  buildRegistration(invoice(), null, SYSTEM, GENERATED_AT).xml,
])

async function opened(
  options: AuthorityServerOptions = {},
): Promise<{ server: AuthorityServer; authority: Authority }> {
  const server = await startAuthorityServer({ now: () => NOW, ...options })
  onTestFinished(() => server.close())
  const { url, caPem } = server
  const credential = credentialFor({ kind: 'person', nif: ISSUER.nif, name: ISSUER.name })
  const limits = { verdictMs: 30_000 }
  return {
    server,
    authority: authorityAt(url, { standIn: { url, caPem }, credential, now: () => NOW, limits }),
  }
}

/** Roots of which none vouches for our certificate. */
const OTHERS = [makeServerCertificate({ issuer: 'Otra autoridad' }).caPem]

const held = (server: AuthorityServer): number => server.state?.records().length ?? -1

test('a submission is registered and its answer is read', async () => {
  const { server, authority } = await opened()
  const exchange = await authority.submit(SUBMISSION)
  expect(exchange.kind === 'answered' && readReply(exchange.body)).toMatchObject({
    kind: 'answer',
    lines: [{ state: 'Correcto' }],
  })
  expect(held(server)).toBe(1)
})

describe('a fault', () => {
  test.each([
    [{ kind: 'drop_request' }, 'no_answer', 0],
    [{ kind: 'drop_reply' }, 'no_answer', 1],
    [{ kind: 'error_500' }, 'answered', 0],
    [{ kind: 'html_200', processed: true }, 'answered', 1],
    [{ kind: 'half_xml' }, 'answered', 1],
    [{ kind: 'fault_server' }, 'answered', 0],
    [{ kind: 'slow', ms: 20 }, 'answered', 1],
  ] as [Fault, string, number][])('%o: %s, %i held', async (fault, kind, count) => {
    const { server, authority } = await opened()
    server.control.next(fault)
    expect(await authority.submit(SUBMISSION)).toMatchObject({ kind })
    expect(held(server)).toBe(count)
  })
})

describe('with an invalid certificate', () => {
  test.each([
    ["the server's has expired", { serverCertificate: 'expired' }, 'not_trusted'],
    ["the server's is another's", { serverCertificate: 'other_name' }, 'not_trusted'],
    ['ours is turned away by hanging up', { clientCa: OTHERS, refusal: 'handshake' }, 'unreachable'],
  ] as const)('%s: nothing is sent', async (_name, options, reason) => {
    const { server, authority } = await opened(options)
    expect(await authority.submit(SUBMISSION)).toMatchObject({ kind: 'not_sent', reason })
    expect(server.received().submissions).toBe(0)
  })

  test('a client certificate that is refused with a page counts as answered, and nothing is registered', async () => {
    const { server, authority } = await opened({ clientCa: OTHERS })
    expect(await authority.submit(SUBMISSION)).toMatchObject({ kind: 'answered', status: 403 })
    expect(held(server)).toBe(0)
  })
})
