/** Contracts of tax rules: rates with their sources, causes of not charging VAT, and the treatment helper. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, decimal, line } from '../../domain/contract/fields.ts'
import { DOCUMENT_LANGUAGES } from '../../domain/languages.ts'
import { SUPPLY_CODES } from '../../domain/tax/supplies.ts'
import { TAX_TREATMENTS } from '../../domain/tax/totals.ts'
import { TaxFamily, Territory, VatRegime } from '../systems/contract.ts'

const PlaceCode = z
  .string()
  .regex(/^(ES-(CN|CE|ML)|[A-Z]{2})$/)
  .meta({
    description:
      'Country (ISO 3166-1 alpha-2), ES-CN Canary Islands, ES-CE Ceuta, ES-ML Melilla, XI Northern Ireland.',
  })

/** Activity of the seller, which decides the withholding of income tax. */
const Activity = z
  .enum(['professional', 'new_professional', 'modules', 'farming', 'pigs_poultry', 'forestry', 'other'])
  .meta({ description: 'Of a natural person, for the income tax withheld; other: nothing is withheld.' })
const seller = z
  .strictObject({
    territory: Territory.optional(),
    vatRegime: VatRegime.optional(),
    kind: z.enum(['natural', 'legal']).optional(),
    activity: Activity.optional(),
    oss: z.boolean().optional().meta({ description: 'Registered in the one-stop shop (OSS).' }),
    overOssThreshold: z.boolean().optional().meta({
      description: 'Sales to consumers of other member states passed 10,000 euros this year or last.',
    }),
    farmerScheme: z.boolean().optional().meta({
      description: 'Under the special scheme of agriculture, livestock and fisheries (REAGYP).',
    }),
  })
  .meta({ description: 'Default: what the company is.' })

const customer = z.strictObject({
  kind: z.enum(['consumer', 'business', 'public_body']),
  place: PlaceCode.optional().meta({
    description: 'Where the customer is established or lives. Default: ES.',
  }),
  vatNumber: z.enum(['valid', 'unchecked', 'none']).optional().meta({
    description:
      'EU VAT number of a customer in another member state: valid in VIES, given but unchecked, none.',
  }),
  surcharge: z.boolean().optional().meta({ description: 'A retailer under the equivalence surcharge.' }),
  reseller: z.boolean().optional().meta({ description: 'Buys these goods to sell them again.' }),
  developer: z.boolean().optional().meta({
    description: 'Of works: develops land or buildings, or is the contractor of somebody who does.',
  }),
  ownHome: z
    .boolean()
    .optional()
    .meta({ description: 'Of works and sales: for the home of its own or of a community.' }),
})

const facts = z.strictObject({
  goodsFrom: PlaceCode.optional().meta({ description: 'Where the goods leave from. Default: the seller.' }),
  goodsTo: PlaceCode.optional().meta({ description: 'Where the goods arrive. Default: the customer.' }),
  carriedBy: z.enum(['seller', 'customer', 'traveller']).optional().meta({
    description: 'Who carries or sends the goods; traveller: a visitor takes them home in the luggage.',
  }),
  installed: z
    .boolean()
    .optional()
    .meta({ description: 'Goods that the seller installs where they arrive.' }),
  doneIn: PlaceCode.optional().meta({
    description:
      'Where the building stands, the event is held, the meal is served, the vehicle is handed over, or the work is done.',
  }),
  waiver: z
    .boolean()
    .optional()
    .meta({ description: 'The seller waives the exemption (art. 20.Dos, 140 ter).' }),
  marginScheme: z.enum(['used_goods', 'art', 'antiques']).nullable().optional().meta({
    description: 'Taxed on the margin (REBU), and as what; null: by the ordinary rules.',
  }),
  amount: decimal(2, {
    min: 0,
    max: 999_999_999,
    description: 'Total before tax of these goods on the invoice, in euros.',
  }).optional(),
  certifiedWorks: z.boolean().optional().meta({
    description: 'Works certificate of a public body whose VAT falls due when it is paid or handed over.',
  }),
  forFarming: z.boolean().optional().meta({ description: 'The land is rented for farming.' }),
  enforced: z
    .boolean()
    .optional()
    .meta({ description: 'Sold in insolvency proceedings or to settle a mortgage.' }),
})

export const TreatmentQuestion = z
  .strictObject({
    date: businessDate('Day of the operation. Default: today.').optional(),
    seller: seller.optional(),
    customer,
    supply: z.enum(SUPPLY_CODES).meta({ description: 'What is sold.' }),
    facts: facts.optional(),
  })
  .meta({ id: 'TreatmentQuestion' })
export type TreatmentQuestion = z.infer<typeof TreatmentQuestion>

const Params = z.record(z.string(), z.union([z.string(), z.number()]))

/** A sentence in two forms: a code with parameters for translation, and English text. */
export const Statement = z.strictObject({ code: z.string(), params: Params, text: z.string() })
export type Statement = z.infer<typeof Statement>

export const TreatmentProposal = z
  .strictObject({
    complete: z
      .boolean()
      .meta({ description: 'False when an answer to nextQuestions may change the proposal.' }),
    document: z.enum(['invoice', 'receipt', 'none']).meta({
      description: "receipt: the customer makes out the farmer's receipt; none: no invoice line at all.",
    }),
    tax: TaxFamily,
    taxTreatment: z.enum(TAX_TREATMENTS),
    regimeKey: z.string().meta({ description: 'VAT regime key of the registry, 01 general.' }),
    vatRate: z
      .number()
      .nullable()
      .meta({ description: 'Percent; null where no rate is borne, 0 under reverse charge.' }),
    surcharge: z.number().nullable().meta({ description: 'Equivalence surcharge in percent.' }),
    withholding: z
      .number()
      .nullable()
      .meta({ description: 'Income tax the customer keeps back, in percent.' }),
    isDisbursement: z.boolean(),
    compensation: z
      .number()
      .nullable()
      .meta({ description: 'Flat-rate compensation of a farmer, in percent.' }),
    foreignTax: z
      .strictObject({ country: z.string(), rate: z.number(), source: z.string() })
      .nullable()
      .meta({ description: "Another member state's VAT, charged through the one-stop shop." }),
    cause: z
      .string()
      .nullable()
      .meta({ description: 'Code of the catalogue (GET /tax/causes); null for plain taxed lines.' }),
    mention: z.string().nullable().meta({ description: 'Words the invoice must carry.' }),
    article: z.string(),
    why: z.array(Statement),
    warnings: z.array(Statement),
    nextQuestions: z.array(
      z.strictObject({
        field: z.string().meta({ description: 'Dotted path of the question, such as facts.goodsTo.' }),
        code: z.string(),
        text: z.string(),
      }),
    ),
  })
  .meta({ id: 'TreatmentProposal' })
export type TreatmentProposal = z.infer<typeof TreatmentProposal>

export const proposeTreatmentContract = defineContract({
  name: 'tax.propose',
  summary:
    'How a sale is taxed: who, what and where in; treatment, rate, legal mention and article out, with the reasons.',
  description:
    'A guide by the rules of Ley 37/1992, not advice: it names the article, so that it can be checked. Facts left out are assumed and asked for in `nextQuestions`.',
  access: 'company.read',
  effect: 'read',
  rest: { method: 'POST', path: '/tax/propose' },
  input: TreatmentQuestion,
  output: TreatmentProposal,
  errors: ['validation_failed'],
})

const Validity = {
  from: businessDate(),
  to: businessDate().nullable(),
  source: z.string(),
  certain: z
    .boolean()
    .meta({ description: 'False where the source could not be checked at the official gazette.' }),
}

const TaxTables = z
  .strictObject({
    date: businessDate(),
    rates: z.array(
      z.strictObject({
        tax: TaxFamily,
        rate: z.number(),
        surcharges: z.array(z.number()).meta({
          description: 'Equivalence surcharges that may stand beside it; the first is the usual one.',
        }),
        general: z.boolean(),
        ...Validity,
      }),
    ),
    withholding: z.array(
      z.strictObject({ code: z.string(), rate: z.number(), note: z.string(), ...Validity }),
    ),
    lateInterest: z.array(z.strictObject({ rate: z.number(), ...Validity })),
    recoveryCost: z
      .number()
      .meta({ description: 'Fixed compensation for recovery costs of a late payment, in euros.' }),
    compensation: z.array(z.strictObject({ code: z.string(), rate: z.number(), ...Validity })),
    memberStates: z.array(
      z.strictObject({
        country: z.string(),
        standard: z.number(),
        reduced: z.array(z.number()),
        ...Validity,
      }),
    ),
    thresholds: z.array(z.strictObject({ code: z.string(), amount: z.number(), ...Validity })),
  })
  .meta({ id: 'TaxTables' })
export const taxRatesContract = defineContract({
  name: 'tax.rates',
  summary: 'The dated tables of rates and thresholds with their sources, as in force on a day.',
  access: 'company.read',
  effect: 'read',
  rest: { method: 'GET', path: '/tax/rates' },
  input: z.strictObject({
    date: businessDate('Default: today.').optional(),
    tax: TaxFamily.optional().meta({ description: 'Only the rates of this tax.' }),
    history: z.boolean().optional().meta({ description: 'Rows of every day instead of those in force.' }),
  }),
  output: TaxTables,
  errors: [],
})

const TaxCause = z
  .strictObject({
    code: z.string(),
    taxTreatment: z.enum(TAX_TREATMENTS),
    regimeKey: z.string(),
    article: z.string(),
    question: z.string().meta({ description: 'The case in plain words.' }),
    mention: z.string().meta({ description: 'Words for the invoice, in its language and in Spanish.' }),
  })
  .meta({ id: 'TaxCause' })
export const taxCausesContract = defineContract({
  name: 'tax.causes',
  summary:
    'The catalogue of exemptions, cases not subject, reverse charge and special schemes, with article and mention.',
  access: 'company.read',
  effect: 'read',
  rest: { method: 'GET', path: '/tax/causes' },
  input: z.strictObject({
    taxTreatment: z.enum(TAX_TREATMENTS).optional(),
    language: z.enum(DOCUMENT_LANGUAGES).optional().meta({ description: 'Default es.' }),
    text: line(80).optional(),
  }),
  output: z.strictObject({ items: z.array(TaxCause) }),
  errors: [],
})
