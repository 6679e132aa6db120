/** Decides how a book reaches the portal: its simulated one, the real service, or not at all. */
import { credentialOf } from '../../company/certificates/index.ts'
import type { Credential } from '../../company/certificates/index.ts'
import { findCompany } from '../../company/index.ts'
import type { Ctx } from '../../context.ts'
import { openSigningKey } from '../../documents/signing/index.ts'
import type { SigningKey } from '../../documents/signing/index.ts'
import { checkNif } from '../../domain/tax/nif.ts'
import type { PORTAL_WHY_NOT } from './contract.ts'
import { environmentOf } from './environment.ts'
import type { PortalEnvironment } from './environment.ts'
import { createFaceService } from './face/index.ts'
import { createLiveTransport } from './face/transport.ts'
import { findSettings } from './rows.ts'
import type { PortalService } from './service.ts'
import { simulatedTransport } from './simulated.ts'

type WhyNot = (typeof PORTAL_WHY_NOT)[number]

/** Returns the company's certificate if it is within its dates, or null. */
async function validCredential(ctx: Ctx): Promise<Credential | null> {
  const credential = await credentialOf(ctx)
  const now = ctx.now().getTime()
  return credential && now >= credential.validFrom && now <= credential.validTo ? credential : null
}

/** Returns what keeps a book from the portal, or null. The real service stays closed until a person opens it. */
export async function closedBecause(ctx: Ctx): Promise<WhyNot | null> {
  if (environmentOf(ctx.book) === 'simulator') return null
  if ((await findSettings(ctx)).live_since === null) return 'live_off'
  if (ctx.env.sandbox && !ctx.env.portalMockEndpoint) return 'sandbox'
  return (await validCredential(ctx)) ? null : 'no_certificate'
}

const YEAR_MS = 365 * 86_400_000

/** Creates a certificate for a company whose test book has none; only its simulated portal accepts it. */
async function testKey(ctx: Ctx): Promise<SigningKey> {
  const [{ issueClientCertificate, makeAuthorityCa }, company] = await Promise.all([
    import('../../platform/simulated-authority/index.ts'),
    findCompany(ctx),
  ])
  const now = ctx.now().getTime()
  const dates = { from: new Date(now - YEAR_MS), to: new Date(now + YEAR_MS) }
  const check = checkNif(company.nif)
  const { keyPem, certPem } = await issueClientCertificate({
    ca: await makeAuthorityCa(dates),
    kind: check.ok && check.kind === 'entity' ? 'seal' : 'person',
    nif: company.nif,
    name: company.legal_name,
    ...dates,
  })
  return openSigningKey({ keyPem, chainPem: certPem })
}

/** The portal as a book reaches it now. */
export interface OpenPortal {
  environment: PortalEnvironment
  service: PortalService
  /** Signs invoices and messages. */
  key: SigningKey
  /** True if the key is the company's. */
  isOwnKey: boolean
}

/** Returns the portal of a book, or why it has none. `signal` aborts messages in flight. */
export async function openPortal(
  ctx: Ctx,
  signal?: AbortSignal,
): Promise<OpenPortal | { service: null; why: WhyNot }> {
  const why = await closedBecause(ctx)
  if (why !== null) return { service: null, why }
  const environment = environmentOf(ctx.book)
  const credential = await validCredential(ctx)
  if (credential === null && environment !== 'simulator') return { service: null, why: 'no_certificate' }
  const key = credential ? openSigningKey(credential) : await testKey(ctx)
  const transport =
    environment === 'simulator'
      ? simulatedTransport(ctx)
      : createLiveTransport({
          environment,
          version: ctx.env.version,
          standIn: ctx.env.sandbox ? ctx.env.portalMockEndpoint : null,
          signal,
        })
  const service = createFaceService({ transport, key, now: () => ctx.now() })
  return { environment, service, key, isOwnKey: credential !== null }
}
