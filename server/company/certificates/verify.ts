/** Verifies the certificates: each key can be opened and matches its certificate; a removed one has no key. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { AppEnvironment } from '../../context.ts'
import { keySealContext } from './credential.ts'

interface StoredCertificate {
  public_id: string
  company_id: number
  fingerprint: Uint8Array
  chain: string
  sealed_key: string | null
}

function faultOf({ store }: AppEnvironment, row: StoredCertificate): string | null {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(row.chain)
  } catch {
    return `${row.public_id} cannot be read.`
  }
  if (
    certificate.fingerprint256.replaceAll(':', '') !==
    Buffer.from(row.fingerprint).toString('hex').toUpperCase()
  )
    return `${row.public_id} is not the certificate that was imported.`
  if (row.sealed_key === null) return null
  try {
    const der = store.sealer.open(row.sealed_key, keySealContext(row.public_id, row.company_id))
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    der.fill(0)
    return certificate.checkPrivateKey(key) ? null : `The key of ${row.public_id} is another certificate's.`
  } catch {
    return `The key of ${row.public_id} does not open.`
  }
}

/** Verifies every certificate that was ever imported. */
export async function verifyCertificates(env: AppEnvironment): Promise<Proof> {
  const rows = await env.store.reader
    .selectFrom('certificates')
    .select(['public_id', 'company_id', 'fingerprint', 'chain', 'sealed_key'])
    .execute()
  return proveRows(rows, (row) => faultOf(env, row))
}
