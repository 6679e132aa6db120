/** Decides how a book can file: with its simulated agency, with the real service, or only by uploading the file. */
import { certificateHolder, certificateState, credentialOf } from '../../../company/certificates/index.ts'
import type { Credential } from '../../../company/certificates/index.ts'
import { findCompany } from '../../../company/index.ts'
import type { Ctx } from '../../../context.ts'
import { findFilingSettings } from '../declaration/filer.ts'
import { createFilingService } from './aeat/index.ts'
import { createLiveTransport } from './aeat/transport.ts'
import { representativeInForce } from './representative.ts'
import type { FilingService, Signer } from './service.ts'
import { simulatedTransport } from './simulated.ts'

type Way =
  | { way: 'simulated' | 'service'; why: null; signer: Signer }
  /** `why`: the code of the reason. */
  | { way: 'upload'; why: string; signer: null }

/** A way with the key that its messages are sent with; null in a test book. */
type OpenWay =
  | { way: 'simulated'; why: null; signer: Signer; credential: null; filerNif: string }
  | { way: 'service'; why: null; signer: Signer; credential: Credential; filerNif: string }
  | { way: 'upload'; why: string; signer: null }

const upload = (why: string): OpenWay => ({ way: 'upload', why, signer: null })

/** Returns the holder of the certificate as signer of the company's returns; null if nobody stated that it may be. */
async function signerOf(ctx: Ctx, company: { nif: string; legal_name: string }): Promise<Signer | null> {
  const holder = await certificateHolder(ctx)
  if (holder?.nif === company.nif) return { nif: company.nif, name: company.legal_name, representation: null }
  const representative = await representativeInForce(ctx)
  return (
    representative && {
      nif: representative.nif,
      name: representative.name,
      representation: representative.as,
    }
  )
}

/** Finds the way of this book now; certificate and signer belong together. */
async function openWay(ctx: Ctx): Promise<OpenWay> {
  const company = await findCompany(ctx)
  const filerNif = company.nif
  if (ctx.book.mode === 'test') {
    // Without a statement about another holder, the simulated agency takes the company for the holder.
    const signer = (await signerOf(ctx, company)) ?? {
      nif: company.nif,
      name: company.legal_name,
      representation: null,
    }
    return { way: 'simulated', why: null, signer, credential: null, filerNif }
  }
  const { liveSince } = await findFilingSettings(ctx)
  if (liveSince === null) return upload('live_filing_off')
  if (ctx.env.sandbox && !ctx.env.returnsMockEndpoint) return upload('sandbox')
  const { status } = await certificateState(ctx)
  if (status !== 'ok' && status !== 'expiring') return upload('no_certificate')
  const credential = await credentialOf(ctx)
  if (!credential) return upload('no_certificate')
  const signer = await signerOf(ctx, company)
  if (signer === null) return upload('certificate_of_other')
  const isOfSigner = (credential.organizationNif ?? credential.holderNif) === signer.nif
  // Replaced between the two reads.
  if (!isOfSigner) return upload('certificate_of_other')
  return { way: 'service', why: null, signer, credential, filerNif }
}

/** Returns the way for this book now. The real service stays closed until a person opens it. */
export async function wayOf(ctx: Ctx): Promise<Way> {
  const { way, why, signer } = await openWay(ctx)
  return { way, why, signer } as Way
}

/** Returns the services that a book files with, and who signs; the reason where it can only upload. `signal` aborts messages. */
export async function openService(
  ctx: Ctx,
  signal?: AbortSignal,
): Promise<{ service: FilingService; signer: Signer; why: null } | { service: null; why: string }> {
  const opened = await openWay(ctx)
  if (opened.way === 'upload') return { service: null, why: opened.why }
  const { signer, filerNif } = opened
  if (opened.way === 'simulated')
    return { service: createFilingService(simulatedTransport(ctx, { signer, filerNif })), signer, why: null }
  const transport = createLiveTransport({
    environment: ctx.book.environment,
    credential: opened.credential,
    version: ctx.env.version,
    standIn: ctx.env.sandbox ? ctx.env.returnsMockEndpoint : null,
    signal,
  })
  return { service: createFilingService(transport), signer, why: null }
}

/** Returns the services that a book files with; null where it can only upload. `signal` aborts messages in flight. */
export async function filingServiceOf(ctx: Ctx, signal?: AbortSignal): Promise<FilingService | null> {
  return (await openService(ctx, signal)).service
}
