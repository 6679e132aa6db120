/** Filing for the company with the certificate of another holder, as a person has stated that it may. */
import { certificateHolder, isSameHolderSince } from '../../../company/certificates/index.ts'
import type { CertificateHolder } from '../../../company/certificates/index.ts'
import type { Ctx } from '../../../context.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { findFilingSettings } from '../declaration/filer.ts'
import type { Representation, Representative } from '../declaration/representation.ts'

/**
 * Returns the holder that may file for the company, as stated; null without a statement, and for one that has ended: another
 * holder's certificate was imported since, or the certificate was removed.
 */
export async function representativeInForce(ctx: Ctx): Promise<Representative | null> {
  const { representative } = await findFilingSettings(ctx)
  if (representative === null) return null
  const holder = await certificateHolder(ctx)
  if (holder?.nif !== representative.nif) return null
  return (await isSameHolderSince(ctx, representative.certificateId)) ? representative : null
}

/** Returns a holder that can be stated as representative, or why none can. */
export function candidateOf(
  holder: CertificateHolder | null,
  companyNif: string,
): { nif: string; name: string; certificateId: string } | null {
  if (holder === null || holder.nif === null || holder.nif === companyNif) return null
  return { nif: holder.nif, name: holder.name, certificateId: holder.certificateId }
}

const refused = (code: string, message: string, fix: string): Error =>
  validationFailed([{ code, field: 'representation', severity: 'error', message, fix }])

/**
 * Returns the statement of a person that the holder of the certificate may file for the company. `seen` is the number that
 * the person was shown. Throws `validation_failed` if the certificate is another one, is the company's own or names no number.
 */
export async function stated(
  ctx: Ctx,
  { as, nif: seen }: { as: Representation; nif: string },
  companyNif: string,
): Promise<Representative> {
  const holder = await certificateHolder(ctx)
  const candidate = candidateOf(holder, companyNif)
  if (candidate === null)
    throw holder?.nif === companyNif
      ? refused(
          'representative_is_company',
          'The certificate is the company’s own.',
          'Nothing needs to be stated: it files for itself.',
        )
      : refused(
          'representative_unknown',
          'There is no certificate that names the tax number of its holder.',
          'Import the certificate of the representative first.',
        )
  if (candidate.nif !== seen)
    throw refused(
      'representative_changed',
      'The certificate is another one than the one that was shown.',
      'Look at its holder and state it again.',
    )
  const before = await representativeInForce(ctx)
  // Saved again without a change, it remains the statement of whoever made it.
  if (before?.as === as && before.nif === candidate.nif) return before
  return { as, ...candidate, since: ctx.now().getTime(), by: ctx.actor.name }
}
