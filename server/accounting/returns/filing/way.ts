/** Decides how a book can file: with its simulated agency, with the real service, or only by uploading the file. */
import { certificateState, credentialOf } from '../../../company/certificates/index.ts'
import { findCompany } from '../../../company/index.ts'
import type { Ctx } from '../../../context.ts'
import { findFilingSettings } from '../declaration/filer.ts'
import { createFilingService } from './aeat/index.ts'
import { createLiveTransport } from './aeat/transport.ts'
import type { FilingService, Signer } from './service.ts'
import { simulatedTransport } from './simulated.ts'

type Way =
  | { way: 'simulated' | 'service'; why: null; signer: Signer }
  /** `why`: the code of the reason. */
  | { way: 'upload'; why: string; signer: null }

const upload = (why: string): Way => ({ way: 'upload', why, signer: null })

/** Returns the way for this book now. The real service stays closed until a person opens it. */
export async function wayOf(ctx: Ctx): Promise<Way> {
  const company = await findCompany(ctx)
  if (ctx.book.mode === 'test')
    return { way: 'simulated', why: null, signer: { nif: company.nif, name: company.legal_name } }
  const { liveSince } = await findFilingSettings(ctx)
  if (liveSince === null) return upload('live_filing_off')
  if (ctx.env.sandbox && !ctx.env.mockEndpoint) return upload('sandbox')
  const { status } = await certificateState(ctx)
  if (status !== 'ok' && status !== 'expiring') return upload('no_certificate')
  const credential = await credentialOf(ctx)
  if (!credential) return upload('no_certificate')
  const nif = credential.organizationNif ?? credential.holderNif
  if (nif !== company.nif) return upload('certificate_of_other')
  return { way: 'service', why: null, signer: { nif, name: company.legal_name } }
}

/** Returns the services that a book files with; null where it can only upload. `signal` aborts messages in flight. */
export async function filingServiceOf(ctx: Ctx, signal?: AbortSignal): Promise<FilingService | null> {
  const { way, signer } = await wayOf(ctx)
  if (signer === null) return null
  if (way === 'simulated') return createFilingService(simulatedTransport(ctx, signer.nif))
  return createFilingService(
    createLiveTransport({
      environment: ctx.book.environment,
      credential: await credentialOf(ctx),
      version: ctx.env.version,
      standIn: ctx.env.sandbox ? ctx.env.mockEndpoint : null,
      signal,
    }),
  )
}
