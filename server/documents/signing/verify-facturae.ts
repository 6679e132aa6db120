/**
 * Verifies the signature in a Facturae invoice (XAdES), as a receiver does: the whole invoice, the signed properties, the
 * certificate that they name and the signature policy. Written apart from the signer.
 */
import { createHash } from 'node:crypto'
import type { X509Certificate } from 'node:crypto'
import {
  BrokenXmlSignature,
  certificateIn,
  DS,
  elementsOf,
  onlyElement,
  readTree,
  textIn,
  UnreadableTree,
  verifyXmlSignature,
  within,
} from '../../platform/signing/index.ts'
import type { TreeElement } from '../../platform/signing/index.ts'

const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
const POLICY = /politica_de_firma_formato_facturae_v3_1\.pdf$/

const HASHES: Readonly<Record<string, string>> = {
  [`${DS}sha1`]: 'sha1',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}

/** An invoice whose signature holds. */
export interface SignedFacturae {
  root: TreeElement
  certificate: X509Certificate
  signedAt: Date | null
}

const broken = (fault: BrokenXmlSignature['fault'], message: string): never => {
  throw new BrokenXmlSignature(fault, message)
}

function find(element: TreeElement, ...path: string[]): TreeElement | null {
  let at: TreeElement | null = element
  for (const name of path) at = at && (elementsOf(at, name)[0] ?? null)
  return at
}

/** Returns the invoice and who signed it. Throws `BrokenXmlSignature`. */
export function verifyFacturae(xml: string): SignedFacturae {
  let root: TreeElement
  try {
    root = readTree(xml)
  } catch (error) {
    if (error instanceof UnreadableTree) return broken('unreadable', error.message)
    throw error
  }
  const [signature, second] = elementsOf(root, 'Signature', DS)
  if (!signature) return broken('unsigned', 'The invoice is not signed.')
  if (second) return broken('unreadable', 'The invoice has two signatures.')
  const certificate = certificateIn(find(signature, 'KeyInfo', 'X509Data', 'X509Certificate'))
  const proven = verifyXmlSignature(signature, certificate, root)
  if (!proven.some(({ element }) => element === root))
    return broken('not_covered', 'The invoice itself is not signed.')
  const properties = [...within(signature)].find(
    ({ local, uri }) => local === 'SignedProperties' && uri === XADES,
  )
  if (!properties || !proven.some(({ element }) => element === properties))
    return broken('not_covered', 'The signed properties are not signed.')
  const signed = onlyElement(properties, 'SignedSignatureProperties', XADES)
  const policy =
    signed && find(signed, 'SignaturePolicyIdentifier', 'SignaturePolicyId', 'SigPolicyId', 'Identifier')
  if (!policy || !POLICY.test(textIn(policy).trim()))
    return broken('not_covered', 'The signature names no policy of Facturae.')
  const digest =
    signed &&
    (find(signed, 'SigningCertificate', 'Cert', 'CertDigest') ??
      find(signed, 'SigningCertificateV2', 'Cert', 'CertDigest'))
  const method = digest && find(digest, 'DigestMethod')
  const hash = HASHES[method?.attributes.find(({ local }) => local === 'Algorithm')?.value ?? '']
  const isNamed =
    digest !== null &&
    hash !== undefined &&
    createHash(hash).update(certificate.raw).digest('base64') === textIn(find(digest, 'DigestValue')).trim()
  if (!isNamed) return broken('not_covered', 'The signature does not name its certificate.')
  const time = Date.parse(textIn(signed && find(signed, 'SigningTime')))
  return { root, certificate, signedAt: Number.isNaN(time) ? null : new Date(time) }
}
