/** The holder of the company's certificate, as the services of the tax agency name it, without opening its key. */
import { X509Certificate } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { activeCertificate, certificatesFrom, materialOf } from './rows.ts'
import type { CertificateRow } from './rows.ts'

export interface CertificateHolder {
  /** Public identifier of the certificate. */
  certificateId: string
  /** The entity's number for a representative or a seal, else the person's; null if the certificate names none. */
  nif: string | null
  name: string
}

const nifOf = (row: Pick<CertificateRow, 'holder_nif' | 'organization_nif'>): string | null =>
  row.organization_nif ?? row.holder_nif

/** Returns the entity that a certificate names, or null. `chainPem` begins with the holder's certificate. */
function organizationIn(chainPem: string): string | null {
  const named: string | string[] | undefined = new X509Certificate(chainPem).toLegacyObject().subject?.O
  const [name] = Array.isArray(named) ? named : [named]
  return name === undefined || name.trim() === '' ? null : name.trim()
}

/** Returns the holder of the company's certificate, also of an expired one; null without a certificate. */
export async function certificateHolder(ctx: Ctx): Promise<CertificateHolder | null> {
  const row = await activeCertificate(ctx)
  if (!row) return null
  // The number of a representative's certificate is the entity's, so that its name is too.
  const isEntity = row.kind === 'representative'
  const chain = isEntity ? ((await materialOf(ctx.db, row.id))?.chain ?? null) : null
  const name = (chain === null ? null : organizationIn(chain)) ?? row.holder_name
  return { certificateId: row.public_id, nif: nifOf(row), name }
}

/**
 * Returns true if the company has had certificates of one and the same number without a break since this one: each
 * replaced the one before, none was removed.
 */
export async function isSameHolderSince(ctx: Ctx, certificateId: string): Promise<boolean> {
  const rows = await certificatesFrom(ctx, certificateId)
  const [first, ...later] = rows
  if (first === undefined || nifOf(first) === null || rows.at(-1)?.removed_at !== null) return false
  return later.every((row, at) => nifOf(row) === nifOf(first) && rows[at]?.removed_at === row.imported_at)
}
