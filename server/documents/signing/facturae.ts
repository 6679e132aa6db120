/**
 * Signs a Facturae invoice: XAdES-EPES inside the invoice, as the format's signature policy 3.1 requires and FACe
 * checks.
 */
import { signXades } from '../../platform/signing/index.ts'
import type { SignaturePolicy, SigningKey } from '../../platform/signing/index.ts'

interface FacturaeSigning {
  /** Written to the second, in UTC; the caller checks that the certificate is valid then. */
  signedAt: Date
}

/** The policy by its address and the SHA-1 of its document: the policy itself requires this form. */
const POLICY: SignaturePolicy = {
  address:
    'http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf',
  title: 'Política de Firma FacturaE v3.1',
  digest: 'sha1',
  value: 'Ohixl6upD6av8N7pEvDABhEL6hM=',
  isQualified: false,
}

/**
 * Returns the signed invoice. Throws `NotCanonicalXml` when it is not in the form of our writer, or is already
 * signed.
 */
export function signFacturae(xml: string, key: SigningKey, { signedAt }: FacturaeSigning): string {
  return signXades(xml, key, {
    policy: POLICY,
    transforms: ['enveloped'],
    // Some receivers reject a chain with a part missing.
    keyInfo: 'chain',
    role: 'emisor',
    description: 'Factura electrónica',
    signedAt: `${signedAt.toISOString().slice(0, 19)}Z`,
  }).xml
}
