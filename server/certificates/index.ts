/** The company's certificate: import from a file, state, warnings before it ends, and the key for connection and signature. */
export { getCertificate, importCertificate, removeCertificate } from './change.ts'
export type { CompanyOfBook } from './change.ts'
export { credentialOf } from './credential.ts'
export type { Credential } from './credential.ts'
export { hasHadCertificate } from './rows.ts'
export { certificateState } from './state.ts'
export type { CertificateState } from './state.ts'
export { watchCertificates } from './watch.ts'
