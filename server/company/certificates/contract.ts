/** Contract of the company's certificate. Only a person imports or removes one; its key is never shown. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { FaultShape, Instant } from '../../domain/contract/fields.ts'

/** A .p12 or .pfx file of up to 100 kB, in base64. */
const MAX_FILE_BASE64 = Math.ceil(100_000 / 3) * 4

export const Certificate = z.strictObject({
  id: z.string(),
  kind: z
    .enum(['person', 'representative', 'seal'])
    .meta({ description: "A person's own, a representative's, or a seal of the entity." }),
  subject: z.string(),
  holderName: z.string(),
  holderNif: z.string().nullable(),
  organizationNif: z.string().nullable(),
  issuer: z.string(),
  serial: z.string(),
  fingerprint: z.string().meta({ description: 'SHA-256, hexadecimal.' }),
  keyType: z.enum(['rsa', 'ec']),
  validFrom: Instant,
  validTo: Instant,
  status: z.enum(['ok', 'expiring', 'expired', 'not_yet_valid']),
  daysLeft: z.int(),
  importedAt: Instant,
})
export type Certificate = z.infer<typeof Certificate>

export const getCertificateContract = defineContract({
  name: 'certificates.get',
  summary: "The company's certificate, or null.",
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ certificate: Certificate.nullable() }),
  errors: [],
})

export const importCertificateContract = defineContract({
  name: 'certificates.import',
  summary: "Import the company's certificate from a .p12 or .pfx file; it takes the place of an earlier one.",
  description: 'Only the key and the chain are kept, sealed; the file and its password are dropped.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    file: z.base64().max(MAX_FILE_BASE64).meta({ description: 'The file in base64, at most 100 kB.' }),
    password: z.string().max(500),
  }),
  output: z.strictObject({ certificate: Certificate, warnings: z.array(FaultShape) }),
  errors: ['certificate_password', 'certificate_invalid', 'certificate_expired'],
})

export const removeCertificateContract = defineContract({
  name: 'certificates.remove',
  summary: "Remove the company's certificate and destroy its key. Live records wait from then on.",
  access: 'person',
  effect: 'write',
  input: z.strictObject({}),
  output: z.strictObject({ removed: z.literal(true) }),
  errors: ['not_found'],
})
