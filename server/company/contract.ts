/** Contract of the company: its tax data, its permissions now, and the missing steps before it can issue for real. */
import { z } from 'zod'
import { defineContract } from '../domain/contract/define-contract.ts'
import { businessDate, FaultShape, Instant, line, Mode } from '../domain/contract/fields.ts'
import { SCOPES } from '../domain/contract/scopes.ts'
import { DOCUMENT_LANGUAGES } from '../domain/languages.ts'
import { Territory, VatRegime } from '../tax/systems/contract.ts'

export { DesignChanges } from './design/contract.ts'

export const Address = z
  .strictObject({
    street: line(120),
    postalCode: line(12),
    city: line(80),
    province: line(80).optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .default('ES')
      .meta({ description: 'ISO 3166-1 alpha-2.' }),
  })
  .meta({ id: 'Address' })
export type Address = z.infer<typeof Address>

export const SeriesKind = z.enum(['ordinary', 'simplified', 'rectifying', 'quote'])

export const CertificateState = z
  .strictObject({
    status: z.enum(['ok', 'expiring', 'expired', 'missing']),
    subject: z.string().optional(),
    expiresOn: businessDate().optional(),
    daysLeft: z.int().optional(),
  })
  .meta({ id: 'CertificateState' })

export const Environment = z.enum(['production', 'preproduction', 'simulated', 'sandbox'])

export const Company = z
  .strictObject({
    id: z.string(),
    legalName: z.string(),
    tradeName: z.string().optional(),
    nif: z.string(),
    kind: z.enum(['natural', 'legal']),
    address: Address.optional(),
    email: z.string().optional(),
    phone: z.string().optional(),
    iban: z.string().optional(),
    registryInscription: z
      .string()
      .optional()
      .meta({ description: 'Registro Mercantil data printed on invoices of companies.' }),
    activityCode: z
      .string()
      .optional()
      .meta({ description: 'Code of the economic activity (IAE), digits only.' }),
    territory: Territory,
    vatRegime: VatRegime,
    defaults: z.strictObject({
      withholdingPct: z.number().nullable(),
      paymentDays: z.int(),
      language: z.enum(DOCUMENT_LANGUAGES),
    }),
    mode: Mode,
    series: z.array(
      z.strictObject({
        code: z.string(),
        kind: SeriesKind,
        nextNumber: z.int(),
        nextPrintedNumber: z
          .string()
          .meta({ description: 'The number the next invoice of the series would get.' }),
      }),
    ),
    certificate: CertificateState,
    registry: z.strictObject({
      system: z.string().meta({ description: 'Registry that its invoices are under.' }),
      environment: Environment,
    }),
    vatRates: z.array(
      z.strictObject({
        rate: z.number(),
        surcharge: z.number().nullable(),
        from: businessDate(),
        to: businessDate().optional(),
      }),
    ),
    erp: z.strictObject({ connected: z.boolean(), lastSyncAt: Instant.nullable() }),
    key: z.strictObject({ name: z.string(), mode: Mode, scopes: z.array(z.enum(SCOPES)) }).optional(),
    readiness: z
      .array(z.strictObject({ code: z.string(), message: z.string(), field: z.string().optional() }))
      .meta({
        description: 'What keeps this book from issuing; empty when it can.',
      }),
    today: businessDate(),
    version: z.int(),
    found: z
      .strictObject({
        contacts: z.array(z.strictObject({ id: z.string(), name: z.string(), nif: z.string().nullable() })),
        items: z.array(z.strictObject({ id: z.string(), name: z.string(), unitPrice: z.number() })),
        documents: z.array(
          z.strictObject({ id: z.string(), name: z.string(), total: z.number().nullable() }),
        ),
        untrusted: z.literal(true),
      })
      .optional()
      .meta({ description: 'With find: the first of each.' }),
  })
  .meta({ id: 'Company' })
export type Company = z.infer<typeof Company>

export const currentCompanyContract = defineContract({
  name: 'company.current',
  summary:
    "Tax data of the active company: series, rates, certificate, what the key may do, and today's date in Spain.",
  access: 'company.read',
  effect: 'read',
  rest: { method: 'GET', path: '/companies/current' },
  tool: 'svc_get_company_context',
  input: z.strictObject({
    find: line(60).optional().meta({
      description: 'Also find contacts, items, documents: how words of a name begin, or a NIF.',
    }),
  }),
  output: Company,
  errors: [],
})

const companyFields = {
  legalName: line(120),
  tradeName: line(120).nullable().optional(),
  address: Address.nullable().optional(),
  vatRegime: VatRegime.optional(),
  email: z.email().max(120).nullable().optional(),
  phone: line(40).nullable().optional(),
  iban: line(42).nullable().optional(),
  registryInscription: line(250).nullable().optional(),
  activityCode: line(9).nullable().optional(),
}

/** The data required at set-up; also the format of the command line's company file. */
export const NewCompany = z.strictObject({
  ...companyFields,
  nif: line(20),
  kind: z.enum(['natural', 'legal']).optional(),
  territory: Territory.optional(),
  sii: z
    .boolean()
    .optional()
    .meta({ description: 'True when the company files under SII, which Sello does not cover.' }),
})
export type NewCompany = z.infer<typeof NewCompany>

export const createCompanyContract = defineContract({
  name: 'company.create',
  summary: 'Set up a company with its live and its test book.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: NewCompany,
  output: z.strictObject({
    companyId: z.string(),
    books: z.array(z.strictObject({ id: z.string(), mode: Mode })),
    warnings: z.array(FaultShape),
  }),
  errors: ['company_exists', 'territory_not_supported', 'sii_not_supported', 'validation_failed'],
})

export const updateCompanyContract = defineContract({
  name: 'company.update',
  summary: "Change the company's data. Invoices already issued keep what they were issued with.",
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    ...companyFields,
    legalName: line(120).optional(),
    defaults: z
      .strictObject({
        withholdingPct: z.number().min(0).max(50).nullable().optional(),
        paymentDays: z.int().min(0).max(365).optional(),
        language: z.enum(DOCUMENT_LANGUAGES).optional(),
      })
      .optional(),
    expectedVersion: z.int().optional(),
  }),
  output: Company,
  errors: ['version_conflict'],
})
