/**
 * Verifies XML signatures of others (XML Signature, W3C): the references with their transforms, and the signature itself. It
 * returns the elements that are proven, so that a caller reads these and no others. Whether the certificate is trustworthy
 * is the caller's question.
 */
import { createHash, timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import { canonicalize } from './canonicalize.ts'
import type { CanonicalForm } from './canonicalize.ts'
import { attributeOf, elementsOf, onlyElement, textIn, within } from './xml-tree.ts'
import type { TreeElement } from './xml-tree.ts'

export const DS = 'http://www.w3.org/2000/09/xmldsig#'
export const WSU = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'
export const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
export const ENVELOPED = `${DS}enveloped-signature`
export const XPATH = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
/** The only XPath transform that is understood: the document without its signatures. */
export const WITHOUT_SIGNATURES = 'not(ancestor-or-self::ds:Signature)'

const DIGESTS: Readonly<Record<string, string>> = {
  [`${DS}sha1`]: 'sha1',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}

const METHODS: Readonly<Record<string, { digest: string; type: 'rsa' | 'ec' }>> = {
  [`${DS}rsa-sha1`]: { digest: 'sha1', type: 'rsa' },
  ...Object.fromEntries(
    ['sha256', 'sha384', 'sha512'].flatMap((digest) => [
      [`http://www.w3.org/2001/04/xmldsig-more#rsa-${digest}`, { digest, type: 'rsa' }],
      [`http://www.w3.org/2001/04/xmldsig-more#ecdsa-${digest}`, { digest, type: 'ec' }],
    ]),
  ),
}

type XmlSignatureFault =
  /** No XML, or a signature of another form than can be verified. */
  | 'unreadable'
  | 'unsigned'
  /** Something signed is not what was signed. */
  | 'changed'
  /** The signature was not made with the key of the certificate. */
  | 'forged'
  /** It is valid, but does not cover what it has to. */
  | 'not_covered'
  /** It is valid, but of another time. */
  | 'expired'

export class BrokenXmlSignature extends Error {
  override name = 'BrokenXmlSignature'
  readonly fault: XmlSignatureFault

  constructor(fault: XmlSignatureFault, message: string) {
    super(message)
    this.fault = fault
  }
}

const broken = (fault: XmlSignatureFault, message: string): never => {
  throw new BrokenXmlSignature(fault, message)
}

/** An element that the signature proves. */
interface ProvenReference {
  element: TreeElement
  /** The digest as written, by which a signature within the document names its parts. */
  digest: string
}

/** Returns the elements of a document by their identifiers. Throws when two have the same one: nobody could tell them apart. */
export function identifiersOf(root: TreeElement): ReadonlyMap<string, TreeElement> {
  const found = new Map<string, TreeElement>()
  for (const element of within(root)) {
    const ids = new Set(
      [attributeOf(element, 'Id', WSU), attributeOf(element, 'Id')].filter((id) => id !== null),
    )
    for (const id of ids) {
      if (found.has(id)) broken('unreadable', `Two elements have the identifier ${id}.`)
      found.set(id, element)
    }
  }
  return found
}

const algorithmOf = (element: TreeElement | null | undefined): string =>
  (element && attributeOf(element, 'Algorithm')) ?? ''

/** Returns the form that an algorithm names, or null. */
function formOf(element: TreeElement): CanonicalForm | null {
  const algorithm = algorithmOf(element)
  if (algorithm === INCLUSIVE) return { exclusive: false }
  if (algorithm !== EXCLUSIVE) return null
  const list = onlyElement(element, 'InclusiveNamespaces')
  const prefixes = (list ? (attributeOf(list, 'PrefixList') ?? '') : '').split(/\s+/).filter(Boolean)
  return {
    exclusive: true,
    inclusivePrefixes: prefixes.map((prefix) => (prefix === '#default' ? '' : prefix)),
  }
}

/**
 * Returns true for the XPath transform that leaves all signatures out. Only the one that is verified is left out here:
 * another one in the document would then be part of the digest, and the verification fails.
 */
function leavesSignaturesOut(transform: TreeElement): boolean {
  if (algorithmOf(transform) !== XPATH) return false
  const path = onlyElement(transform, 'XPath', DS)
  if (!path || textIn(path).trim() !== WITHOUT_SIGNATURES) return false
  for (let at: TreeElement | null = path; at; at = at.parent)
    if (at.declared.has('ds')) return at.declared.get('ds') === DS
  return false
}

function signedForm(reference: TreeElement, signature: TreeElement): CanonicalForm {
  let form: CanonicalForm = { exclusive: false }
  let omit: TreeElement | undefined
  const [transforms] = elementsOf(reference, 'Transforms', DS)
  for (const transform of transforms ? elementsOf(transforms, 'Transform', DS) : []) {
    if (algorithmOf(transform) === ENVELOPED || leavesSignaturesOut(transform)) omit = signature
    else form = formOf(transform) ?? broken('unreadable', `Transform ${algorithmOf(transform)} is not known.`)
  }
  return { ...form, omit }
}

function checkReference(
  reference: TreeElement,
  signature: TreeElement,
  { root, ids }: { root: TreeElement; ids: ReadonlyMap<string, TreeElement> },
): ProvenReference {
  const uri = attributeOf(reference, 'URI')
  const element = uri === '' ? root : uri?.startsWith('#') ? ids.get(uri.slice(1)) : undefined
  if (!element) return broken('unreadable', `The signature names ${uri ?? 'nothing'}, which is not there.`)
  const digestName = DIGESTS[algorithmOf(onlyElement(reference, 'DigestMethod', DS))]
  if (digestName === undefined) return broken('unreadable', 'The digest is of an unknown kind.')
  const written = textIn(onlyElement(reference, 'DigestValue', DS)).replace(/\s+/g, '')
  const computed = createHash(digestName)
    .update(canonicalize(element, signedForm(reference, signature)))
    .digest()
  const expected = Buffer.from(written, 'base64')
  if (expected.length !== computed.length || !timingSafeEqual(expected, computed))
    return broken('changed', `${element.name} is not what was signed.`)
  return { element, digest: written }
}

const MOST_REFERENCES = 20

/**
 * Returns what a signature proves, in the order of its references. `certificate` is the signer's. Throws
 * `BrokenXmlSignature`.
 */
export function verifyXmlSignature(
  signature: TreeElement,
  certificate: X509Certificate,
  root: TreeElement,
): ProvenReference[] {
  const signedInfo = onlyElement(signature, 'SignedInfo', DS)
  if (!signedInfo) return broken('unreadable', 'The signature has no SignedInfo.')
  const c14n = onlyElement(signedInfo, 'CanonicalizationMethod', DS)
  const form = c14n && formOf(c14n)
  const method = METHODS[algorithmOf(onlyElement(signedInfo, 'SignatureMethod', DS))]
  const references = elementsOf(signedInfo, 'Reference', DS)
  if (!form || !method || references.length === 0 || references.length > MOST_REFERENCES)
    return broken('unreadable', 'The signature is of an unknown kind.')
  const { publicKey } = certificate
  if (publicKey.asymmetricKeyType !== method.type)
    return broken('forged', 'The method does not belong to the key of the certificate.')
  const value = Buffer.from(textIn(onlyElement(signature, 'SignatureValue', DS)), 'base64')
  const bytes = Buffer.from(canonicalize(signedInfo, form), 'utf8')
  if (!verify(method.digest, bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, value))
    return broken('forged', 'The signature is not of the key of the certificate.')
  const document = { root, ids: identifiersOf(root) }
  return references.map((reference) => checkReference(reference, signature, document))
}

/** Opens a certificate written in base 64. Throws `BrokenXmlSignature`. */
export function certificateIn(element: TreeElement | null | undefined): X509Certificate {
  const written = textIn(element).replace(/\s+/g, '')
  if (written === '') return broken('unsigned', 'There is no certificate.')
  try {
    const certificate = new X509Certificate(Buffer.from(written, 'base64'))
    // Decoded on the first access, which throws for a damaged key.
    void certificate.publicKey
    return certificate
  } catch {
    return broken('unreadable', 'The certificate cannot be read.')
  }
}
