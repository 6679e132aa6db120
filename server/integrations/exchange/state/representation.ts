/** Who acts for the company at the platform: itself, or the holder of another certificate, as a person stated it. */
import { certificateHolder, isSameHolderSince } from '../../../company/certificates/index.ts'
import type { Ctx } from '../../../context.ts'
import type { SettingsRow } from './settings.ts'

type Stated = Pick<
  SettingsRow,
  | 'representation'
  | 'representative_nif'
  | 'representative_name'
  | 'representative_certificate'
  | 'representation_since'
  | 'representation_by'
>

interface Representation {
  as: NonNullable<SettingsRow['representation']>
  nif: string
  name: string
  /** Instant in UTC. */
  since: string
  by: string
}

/** Returns how the holder of the certificate may act, as stated; null without a statement, and for one that has ended. */
export async function representationInForce(ctx: Ctx, settings: Stated): Promise<Representation | null> {
  const { representation: as, representative_nif: nif, representative_certificate: certificate } = settings
  if (as === null || nif === null || certificate === null) return null
  const holder = await certificateHolder(ctx)
  if (holder?.nif !== nif || !(await isSameHolderSince(ctx, certificate))) return null
  return {
    as,
    nif,
    name: settings.representative_name ?? holder.name,
    since: new Date(settings.representation_since ?? 0).toISOString(),
    by: settings.representation_by ?? '',
  }
}
