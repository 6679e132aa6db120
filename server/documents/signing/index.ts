/**
 * Exports of the signatures: of PDF files (PAdES), of Facturae invoices (XAdES) and of SOAP messages (WS-Security). Pure:
 * the caller provides the key, and nothing is stored.
 */
export { NotCanonicalXml } from '../../platform/signing/index.ts'
export { signDetached } from './detached.ts'
export { signFacturae } from './facturae.ts'
export { openSigningKey, UnusableKey } from '../../platform/signing/index.ts'
export type { SigningKey } from '../../platform/signing/index.ts'
export { UnsignablePdf } from './pdf-syntax.ts'
export { signPdf } from './pdf.ts'
export type { SignedPdf } from './pdf.ts'
export { BrokenSignature, verifyPdf } from './verify.ts'
export { verifyFacturae } from './verify-facturae.ts'
export type { SignedFacturae } from './verify-facturae.ts'
export { BrokenXmlSignature } from '../../platform/signing/index.ts'
export { readSoap, signSoap, verifySoap } from './ws-security.ts'
export type { SoapMessage } from './ws-security.ts'
export { elementsOf, onlyElement, textIn } from '../../platform/signing/index.ts'
export type { TreeElement } from '../../platform/signing/index.ts'
