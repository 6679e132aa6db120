/** Sends to the real hosts from real books, under the network guard, which keeps every byte here; answers in JSON. */
import { createAeatAuthority } from '../../../../../../server/registry/systems/verifactu/authority/index.ts'
import { connectsTried } from '../../../../../support/setup/network-guard.ts'
import { credentialFor, NOW } from './peer.ts'

// Throws without the guard, before anything is tried.
const before = connectsTried()
const said: Record<string, string> = {}
for (const environment of ['production', 'preproduction'] as const) {
  for (const kind of ['person', 'representative', 'seal'] as const) {
    const authority = createAeatAuthority({
      environment,
      sandbox: false,
      standIn: null,
      credential: credentialFor({ kind }),
      now: () => NOW,
      version: '1.2.3',
    })
    said[`${environment} ${kind}`] = await authority.submit('<a/>').then(
      (exchange) => `went through: ${exchange.kind}`,
      (error: Error) => error.message,
    )
  }
}
process.stdout.write(JSON.stringify({ said, connects: connectsTried() - before }))
