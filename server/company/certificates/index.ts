/**
 * Exports of the company's certificate: import from a file, state, expiry warnings, and the key for connection and
 * signatures.
 */
export { getCertificate, importCertificate, removeCertificate } from './change.ts'
export type { CompanyOfBook } from './change.ts'
export { credentialOf } from './credential.ts'
export type { Credential } from './credential.ts'
export { certificateHolder, isSameHolderSince } from './holder-now.ts'
export type { CertificateHolder } from './holder-now.ts'
export { hasHadCertificate } from './rows.ts'
export { certificateState } from './state.ts'
export { watchCertificates } from './watch.ts'
export { verifyCertificates } from './verify.ts'
export { SEALED_CERTIFICATE_KEYS } from './sealed.ts'
