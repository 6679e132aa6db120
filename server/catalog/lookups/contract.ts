/**
 * Contract of external lookups on request, never automatic: VAT numbers (VIES), the tax census and exchange rates;
 * the answers are stored as evidence.
 */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, Instant, line, PathId } from '../../domain/contract/fields.ts'

const Simulated = z
  .literal(true)
  .optional()
  .meta({ description: 'The stand-in of test books answered; nothing left this computer.' })

export const VatNumberCheck = z
  .strictObject({
    id: z.string(),
    vatNumber: z.string().meta({ description: 'With the prefix of its state.' }),
    valid: z.boolean(),
    name: z
      .string()
      .nullable()
      .meta({ description: 'As the state registers it; many states keep it to themselves.' }),
    address: z.string().nullable(),
    requester: z.string().nullable().meta({ description: 'The VAT number that asked.' }),
    consultationNumber: z
      .string()
      .nullable()
      .meta({ description: 'Proof of the consultation, given when the requester is known to VIES.' }),
    checkedAt: Instant,
    contactId: z.string().nullable(),
    simulated: Simulated,
  })
  .meta({ id: 'VatNumberCheck' })
export type VatNumberCheck = z.infer<typeof VatNumberCheck>

export const checkVatNumberContract = defineContract({
  name: 'lookups.vatNumber',
  summary: 'Ask VIES now whether an EU VAT number is valid, and keep the answer as evidence.',
  description:
    'Calls the European Commission over the internet from a live book; a test book asks a stand-in. Nothing is ever asked unless this operation is called.',
  access: 'invoices.write',
  effect: 'write',
  external: true,
  rest: { method: 'POST', path: '/contacts/vat-number-check' },
  input: z.strictObject({
    vatNumber: line(20).meta({ description: 'With the prefix of its state, such as DE123456789.' }),
    contactId: PathId.optional(),
    asRequester: z
      .boolean()
      .optional()
      .meta({ description: "Send the company's own NIF to get a consultation number. Default: true." }),
  }),
  output: VatNumberCheck,
  errors: ['not_found', 'validation_failed', 'lookup_unavailable', 'lookup_refused'],
})

export const listVatNumberChecksContract = defineContract({
  name: 'lookups.vatNumberChecks',
  summary: 'The checks made of a VAT number, newest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/contacts/vat-number-checks' },
  input: z.strictObject({
    vatNumber: line(20).optional(),
    contactId: PathId.optional(),
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(VatNumberCheck), nextCursor: z.string().nullable() }),
  errors: ['validation_failed'],
})

export const CensusResult = z.enum(['identified', 'similar', 'not_identified', 'inactive', 'revoked'])
export type CensusResult = z.infer<typeof CensusResult>

const CensusCheck = z
  .strictObject({
    id: z.string(),
    nif: z.string(),
    name: z.string().meta({ description: 'As asked.' }),
    result: CensusResult,
    censusName: z.string().nullable().meta({ description: 'As the census has it, when it says so.' }),
    checkedAt: Instant,
    contactId: z.string().nullable(),
    simulated: Simulated,
  })
  .meta({ id: 'CensusCheck' })
export const checkCensusContract = defineContract({
  name: 'lookups.census',
  summary: 'Ask the Spanish tax agency now whether a NIF and a name belong together in its census.',
  description:
    "Uses the company's certificate, from a live book only; a test book asks a stand-in. The answer is kept with its time.",
  access: 'invoices.write',
  effect: 'write',
  external: true,
  rest: { method: 'POST', path: '/contacts/census-check' },
  input: z.strictObject({ nif: line(20), name: line(120), contactId: PathId.optional() }),
  output: CensusCheck,
  errors: ['not_found', 'validation_failed', 'certificate_missing', 'lookup_unavailable', 'lookup_refused'],
})

const ExchangeRate = z
  .strictObject({
    currency: z.string(),
    date: businessDate('The day asked for.'),
    rateDate: businessDate('The day the rate was published: the last one up to the day asked for.'),
    rate: z.number().meta({ description: 'Units of the currency for 1 euro.' }),
    source: z.string(),
    fetchedAt: Instant,
    simulated: Simulated,
  })
  .meta({ id: 'ExchangeRate' })
export const exchangeRateContract = defineContract({
  name: 'lookups.exchangeRate',
  summary: "The euro's reference rate of the European Central Bank on a day.",
  description:
    'Fetched from the bank when a live book does not have it yet, for the last 90 days; kept with date and source. A test book asks a stand-in.',
  access: 'invoices.read',
  effect: 'read',
  external: true,
  rest: { method: 'GET', path: '/lookups/exchange-rate' },
  input: z.strictObject({
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .meta({ description: 'ISO 4217.' }),
    date: businessDate('Default: today.').optional(),
  }),
  output: ExchangeRate,
  errors: ['validation_failed', 'exchange_rate_unknown', 'lookup_unavailable', 'lookup_refused'],
})
