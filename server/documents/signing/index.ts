/**
 * Exports of the signatures: of PDF files (PAdES) and of Facturae invoices (XAdES). Pure: the caller provides the
 * key, and nothing is stored.
 */
export { NotCanonicalXml } from './canonical-xml.ts'
export { signFacturae } from './facturae.ts'
export { openSigningKey, UnusableKey } from './key.ts'
export type { SigningKey } from './key.ts'
export { UnsignablePdf } from './pdf-syntax.ts'
export { signPdf } from './pdf.ts'
export type { SignedPdf } from './pdf.ts'
export { BrokenSignature, verifyPdf } from './verify.ts'
