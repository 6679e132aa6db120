/** Types of the tables of migrations/0001/certificates.ts. */
import type { Generated } from 'kysely'
import type { Nullable } from '../columns.ts'

export interface CertificatesTable {
  id: Generated<number>
  company_id: number
  public_id: string
  kind: 'person' | 'representative' | 'seal'
  subject: string
  holder_name: string
  holder_nif: Nullable<string>
  organization_nif: Nullable<string>
  issuer: string
  serial: string
  fingerprint: Uint8Array
  key_type: 'rsa' | 'ec'
  valid_from: number
  valid_to: number
  chain: string
  sealed_key: Nullable<string>
  imported_at: number
  removed_at: Nullable<number>
}

export interface CertificateWarningsTable {
  certificate_id: number
  book_id: number
  days_left: number
  warned_at: number
}

export interface CertificatesTables {
  certificates: CertificatesTable
  certificate_warnings: CertificateWarningsTable
}
