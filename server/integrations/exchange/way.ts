/** Decides how a book reaches the platform: its simulated one, one over mutual TLS, or not at all. */
import { certificateHolder, credentialOf } from '../../company/certificates/index.ts'
import { findCompany } from '../../company/index.ts'
import { blockingLive } from '../../documents/e-invoice/index.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import type { Ctx } from '../../context.ts'
import type { OpenedPort } from './sending/turn.ts'
import { representationInForce } from './state/representation.ts'
import { findSettings, NO_SETTINGS } from './state/settings.ts'

/** Returns the mock endpoint on this computer, which only a sandbox can have. */
const mockOf = ({ env }: Ctx) => (env.sandbox ? env.platformMockEndpoint : null)

/**
 * Returns true if a book is kept from its platform: a live one always while an assumption blocks it. What a sandbox sends to a
 * mock endpoint is not sent to the real platform.
 */
export function isClosed(ctx: Ctx): boolean {
  return ctx.book.mode === 'live' && mockOf(ctx) === null && blockingLive().length > 0
}

/** Returns the platform of a book, or the code of why it has none. `signal` aborts messages in flight. */
export async function openPlatform(ctx: Ctx, signal?: AbortSignal): Promise<OpenedPort> {
  if (ctx.book.mode === 'test') {
    const { simulatedPort } = await import('./simulated.ts')
    return { port: await simulatedPort(ctx), why: null }
  }
  if (isClosed(ctx)) return { port: null, why: 'live_closed' }
  const endpoint = mockOf(ctx)
  // The program contains no address of the platform.
  if (endpoint === null) return { port: null, why: 'not_configured' }
  return openAt(ctx, endpoint, signal)
}

/** Opens the platform at an address, with the company's certificate or that of whoever acts for it. */
async function openAt(
  ctx: Ctx,
  endpoint: { url: string; caPem: string },
  signal: AbortSignal | undefined,
): Promise<OpenedPort> {
  const { nif: written, legal_name: name } = await findCompany(ctx)
  const nif = normalizeNif(written)
  const [credential, holder] = [await credentialOf(ctx), await certificateHolder(ctx)]
  const now = ctx.now().getTime()
  // Dates of certificates have whole seconds, and the last second is included.
  if (credential === null || now < credential.validFrom || now >= credential.validTo + 1_000)
    return { port: null, why: 'no_certificate' }
  const senderNif = holder?.nif == null ? null : normalizeNif(holder.nif)
  const settings = (await findSettings(ctx)) ?? NO_SETTINGS
  if (senderNif !== nif && (senderNif === null || (await representationInForce(ctx, settings)) === null))
    return { port: null, why: 'representation_missing' }
  const { createExchangeClient, createTlsTransport } = await import('./client/index.ts')
  const port = createExchangeClient({
    transport: createTlsTransport({
      endpoint,
      credential,
      now: () => ctx.env.now(),
      version: ctx.env.version,
      signal,
    }),
    company: { nif, name },
    senderNif,
    now: () => ctx.env.now(),
    newId: () => ctx.env.newId('exm'),
  })
  return { port, why: null }
}
