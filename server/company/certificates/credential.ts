/** Opens the key with its certificate, for the connection to the registry and for signatures. Nothing caches it. */
import type { Ctx } from '../../context.ts'
import { activeCertificate, materialOf } from './rows.ts'

/**
 * Key and certificate that identify the company. Never logged, stored or returned; the caller drops it after the
 * call.
 */
export interface Credential {
  certificateId: string
  kind: 'person' | 'representative' | 'seal'
  /** PKCS#8. */
  keyPem: string
  /** The holder's certificate first, each followed by its issuer's. */
  chainPem: string
  /** SHA-256 of the certificate, in hexadecimal. */
  fingerprint: string
  /** Milliseconds since 1970; the last second is included. */
  validFrom: number
  validTo: number
  holderName: string
  holderNif: string | null
  organizationNif: string | null
}

/** Returns the place that a sealed key is bound to: it cannot be opened anywhere else. */
export function keySealContext(certificateId: string, companyId: number): string {
  return `certificates|sealed_key|${certificateId}|${companyId}`
}

function pemOf(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

/** Returns the company's certificate with its key, also an expired one; null when it has none. */
export async function credentialOf(ctx: Ctx): Promise<Credential | null> {
  const row = await activeCertificate(ctx)
  if (!row) return null
  const material = await materialOf(ctx.db, row.id)
  // Removed between the two reads.
  if (!material) return null
  const key = ctx.env.store.sealer.open(material.sealedKey, keySealContext(row.public_id, row.company_id))
  try {
    return {
      certificateId: row.public_id,
      kind: row.kind,
      keyPem: pemOf('PRIVATE KEY', key),
      chainPem: material.chain,
      fingerprint: Buffer.from(row.fingerprint).toString('hex'),
      validFrom: row.valid_from,
      validTo: row.valid_to,
      holderName: row.holder_name,
      holderNif: row.holder_nif,
      organizationNif: row.organization_nif,
    }
  } finally {
    key.fill(0)
  }
}
