/**
 * Sends to a mock endpoint, and connects as if to a real host, in a process with hostile environment variables;
 * answers in JSON.
 */
import { text } from 'node:stream/consumers'
import { openConnection } from '../../../../../../server/platform/http-client/mutual-tls.ts'
import { createAeatAuthority } from '../../../../../../server/registry/systems/verifactu/authority/index.ts'
import type { ClientCredential } from '../../../../../../server/registry/systems/verifactu/authority/index.ts'

const { url, port, caPem, credential } = JSON.parse(await text(process.stdin)) as {
  url: string
  port: number
  caPem: string
  credential: ClientCredential
}
const authority = createAeatAuthority({
  environment: 'production',
  sandbox: true,
  standIn: { url, caPem },
  credential,
  now: () => new Date('2026-11-21T10:00:00Z'),
  version: '1.2.3',
})
const asStandIn = await authority.submit('<a/>')
const connection = await openConnection({
  address: { host: '127.0.0.1', port, caPem: null },
  credential,
  limits: { connectMs: 15_000, verdictMs: 1_000 },
})
const asRealHost =
  connection.kind === 'refused' ? { kind: connection.kind, reason: connection.reason } : connection.kind
process.stdout.write(JSON.stringify({ asStandIn: asStandIn.kind, asRealHost }))
process.exit()
