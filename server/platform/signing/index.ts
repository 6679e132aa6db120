/**
 * Exports of what signatures consist of: keys, DER, canonical XML, and XML signatures made and verified. Pure: the caller
 * provides the key, and nothing is stored. The signatures of documents build on it, and so do records that are signed.
 */
export { NotCanonicalXml } from './canonical-xml.ts'
export {
  contextTag,
  der,
  itemsOf,
  NotDer,
  oid,
  onlyDer,
  readDer,
  sequence,
  setOf,
  smallInteger,
  TAG,
} from './der.ts'
export type { DerValue } from './der.ts'
export { openSigningKey, readSigningCertificate, signWith, UnusableKey } from './key.ts'
export type { DigestName, SigningCertificate, SigningKey } from './key.ts'
export {
  BrokenXmlSignature,
  certificateIn,
  DS,
  EXCLUSIVE,
  identifiersOf,
  verifyXmlSignature,
  WSU,
} from './verify-xml.ts'
export { attributeOf, elementsOf, onlyElement, readTree, textIn, UnreadableTree, within } from './xml-tree.ts'
export type { TreeElement } from './xml-tree.ts'
export { signXades } from './xades.ts'
export type { SignaturePolicy, SignedXml } from './xades.ts'
