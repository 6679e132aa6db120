/** The fiscal summary of a period as outsiders see it: an estimate to prepare by, never a filing. */
import { z } from 'zod'
import { businessDate, defineContract, euros, Instant } from '../core/contract.ts'
import { Mode } from '../company/contract.ts'

const ByRate = z.strictObject({
  rate: z.number(),
  base: euros('Taxable base.'),
  quota: euros('VAT.'),
  surchargeRate: z.number().optional(),
  surcharge: euros('Equivalence surcharge.'),
})

const Compare = z.strictObject({
  from: businessDate(),
  to: businessDate(),
  base: euros('Base.'),
  quota: euros('VAT and surcharge.'),
  total: euros('Total.'),
})

export const FiscalSummary = z
  .strictObject({
    period: z.strictObject({ from: businessDate(), to: businessDate(), label: z.string() }),
    mode: Mode,
    estimate: z.literal(true),
    output: z.strictObject({
      byRate: z.array(ByRate),
      exemptBase: euros('Exempt operations.'),
      notSubjectBase: euros('Operations not subject.'),
      reverseChargeBase: euros('Operations with reverse charge.'),
      base: euros('All bases.'),
      quota: euros('VAT and surcharge.'),
      total: euros('base + quota.'),
      invoices: z.int(),
    }),
    input: z.strictObject({
      byRate: z.array(ByRate),
      deductible: euros('Deductible VAT.'),
      source: z.enum(['erp', 'none']),
      lastSyncAt: Instant.optional(),
    }),
    withholdings: z.strictObject({
      suffered: euros('Kept back by customers.'),
      practised: euros('Kept back from suppliers.'),
    }),
    result: z.strictObject({
      vatEstimate: euros('Output VAT less deductible VAT.'),
      direction: z
        .enum(['pay', 'offset'])
        .optional()
        .meta({ description: 'Absent while the purchases are not known.' }),
    }),
    topClients: z.array(
      z.strictObject({
        name: z.string(),
        nif: z.string().nullable(),
        base: euros('Base.'),
        untrusted: z.literal(true),
      }),
    ),
    compare: z.strictObject({ previousPeriod: Compare, sameLastYear: Compare }),
    thirdPartyThreshold: z
      .array(
        z.strictObject({
          clientName: z.string(),
          clientNif: z.string(),
          total: euros('In the year, VAT included.'),
        }),
      )
      .meta({ description: 'Customers above 3,005.06 euros in the year (model 347).' }),
    obligations: z.array(
      z.strictObject({
        form: z.enum(['303', '130', '111', '115', '347', '349', '390']),
        period: z.string(),
        dueFrom: businessDate(),
        dueTo: businessDate(),
        status: z.enum(['upcoming', 'open', 'past']),
      }),
    ),
    dataQuality: z.strictObject({
      draftsInPeriod: z.int(),
      rejected: z.int(),
      pending: z.int(),
      numberingGaps: z.array(z.string()),
      missingNif: z.int(),
      inputCoverage: z.enum(['complete', 'partial', 'none']),
    }),
    caveats: z.array(z.string()),
  })
  .meta({ id: 'FiscalSummary' })
export type FiscalSummary = z.infer<typeof FiscalSummary>

export const fiscalSummaryContract = defineContract({
  name: 'fiscal.summary',
  summary:
    'Fiscal summary of a month, quarter or year: output VAT by rate, obligations, data quality. An estimate, never a filing.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/summary' },
  tool: 'svc_get_fiscal_summary',
  input: z.strictObject({
    year: z.int().min(2000).max(2100),
    quarter: z.int().min(1).max(4).optional(),
    month: z.int().min(1).max(12).optional(),
  }),
  output: FiscalSummary,
  errors: ['validation_failed'],
})

export const fiscalContracts = [fiscalSummaryContract] as const
