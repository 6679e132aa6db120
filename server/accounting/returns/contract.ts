/** Contracts of the fiscal summary and the returns: an estimate for preparation, never a filing. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import {
  businessDate,
  BytesAnswer,
  decimal,
  euros,
  Instant,
  line,
  Untrusted,
} from '../../domain/contract/fields.ts'
import { Mode } from '../../domain/contract/fields.ts'

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

const MODELS = [
  '303',
  '309',
  '130',
  '131',
  '111',
  '115',
  '123',
  '349',
  '369',
  '390',
  '347',
  '190',
  '180',
  '420',
  '425',
  '415',
] as const
export const ModelNumber = z
  .enum(MODELS)
  .meta({ id: 'ModelNumber', description: 'Form; 420, 425 and 415 are of the Canaries.' })
export type ModelNumber = z.infer<typeof ModelNumber>

/** True for the number of a form that Sello knows. */
export const isModel = (model: string): boolean => (MODELS as readonly string[]).includes(model)

export const Certainty = z.enum(['official', 'computed']).meta({
  description:
    'official: the days were compared with the published calendar; computed: they follow from the rules.',
})

const FiscalSummary = z
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
      source: z
        .enum(['books', 'erp', 'both', 'none'])
        .meta({ description: 'Entered here, read elsewhere, or both.' }),
      invoices: z.int(),
      selfAssessed: euros(
        'VAT the buyer assesses: reverse charge and purchases in the EU; part of what is charged.',
      ),
      lastSyncAt: Instant.optional().meta({
        description: 'Last complete reading of that system.',
      }),
      erp: z
        .strictObject({
          invoices: z.int().meta({ description: 'Counted, by the day of the document.' }),
          base: euros('Their bases.'),
          deductible: euros('Their VAT, all taken as deductible.'),
          alreadyHere: z.int().meta({ description: 'Entered here too: counted once.' }),
          withoutRate: z.int().meta({ description: 'Left out: no rate for their currency.' }),
          uncertain: z.int().meta({ description: 'Left out: their sums do not agree.' }),
          issuedElsewhere: z.int().meta({ description: 'Issued there and not here: left out.' }),
          readFrom: businessDate().nullable(),
          readUntil: businessDate('Day of the last one.').nullable(),
          coversPeriod: z.boolean(),
        })
        .optional()
        .meta({ description: 'What of it the accounting system tells.' }),
    }),
    withholdings: z.strictObject({
      suffered: euros('Kept back by customers.'),
      practised: euros('Kept back from suppliers.'),
    }),
    result: z.strictObject({
      vatEstimate: euros(
        'Output VAT less deductible VAT; null under a scheme that is not computed.',
      ).nullable(),
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
        untrusted: Untrusted,
      }),
    ),
    compare: z.strictObject({ previousPeriod: Compare, sameLastYear: Compare }),
    thirdPartyThreshold: z
      .array(
        z.strictObject({
          clientName: z.string(),
          clientNif: z.string(),
          total: euros('In the year, VAT included.'),
          untrusted: Untrusted,
        }),
      )
      .meta({ description: 'Customers above 3,005.06 euros in the year (model 347).' }),
    obligations: z.array(
      z.strictObject({
        form: ModelNumber,
        period: z.string(),
        dueFrom: businessDate(),
        dueTo: businessDate(),
        directDebitTo: businessDate().optional().meta({ description: 'Last day to pay it by direct debit.' }),
        sure: Certainty,
        status: z.enum(['upcoming', 'open', 'past']),
        applies: z.literal(true).nullable().meta({
          description: 'As in the list of returns: null where Sello cannot know whether it is due.',
        }),
        computed: z.boolean().meta({ description: 'False where Sello does not compute its figures.' }),
        filed: z.boolean().meta({ description: 'Marked as filed in the app.' }),
      }),
    ),
    dataQuality: z.strictObject({
      draftsInPeriod: z.int(),
      rejected: z.int(),
      pending: z.int(),
      numberingGaps: z.array(z.string()),
      missingNif: z.int(),
      receivedWithoutFile: z.int(),
      inputCoverage: z.enum(['complete', 'partial', 'none']),
    }),
    caveats: z.array(z.string()),
  })
  .meta({ id: 'FiscalSummary' })
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

const BilingualText = z.strictObject({ es: z.string(), en: z.string() })
const Quarter = z.int().min(1).max(4)
const Year = z.int().min(2000).max(2100)
const PERIOD = {
  year: Year,
  quarter: Quarter.optional().meta({ description: 'Left out for the models of a whole year.' }),
  month: z.int().min(1).max(12).optional().meta({
    description: 'Instead of the quarter, for a return that the business files by months.',
  }),
}

const OUTCOMES = ['pay', 'offset', 'refund', 'none'] as const
export const Outcome = z.enum(OUTCOMES)
export type Outcome = z.infer<typeof Outcome>

export const Filing = z
  .strictObject({
    id: z.string(),
    filedOn: businessDate(),
    outcome: Outcome,
    result: euros('Result it was filed with.'),
    reference: z.string().nullable(),
    source: z.enum(['marked', 'service', 'file']).meta({
      description: 'A person said so, the tax agency answered so, or the file of another program was read.',
    }),
    differences: z
      .array(z.strictObject({ box: z.string(), filed: z.number(), now: z.number() }))
      .meta({ description: 'Boxes that changed since.' }),
  })
  .meta({ id: 'Filing' })
export type Filing = z.infer<typeof Filing>

export const FiscalWarning = z
  .strictObject({
    code: z.enum([
      'period_open',
      'drafts_left',
      'unregistered',
      'rejected',
      'missing_nif',
      'without_file',
      'foreign_vat_deducted',
      'numbering_gaps',
      'no_purchases',
      'monthly_349',
      'eu_period_unclear',
      'eu_declared_unknown',
      'eu_negative',
      'modules',
      'withheld_share',
      'vat_regime',
      'territory',
      'inputs_missing',
      'simplified_scheme',
      'not_computed',
      'wages_unknown',
      'wage_rows_unknown',
      'wage_rows_differ',
      'operator_without_number',
      'withheld_other',
      'replaced_elsewhere',
      'withheld_unpaid',
      'typed_return',
      'goods_without_asset',
      'depreciation_twice',
      'prorata_missing',
      'scheme_conditions',
      'scheme_limit_near',
      'scheme_limit_passed',
      'rates_share_line',
      'quarters_differ',
      'keys_not_known',
    ]),
    severity: z.enum(['error', 'warning', 'info']),
    message: z.string(),
    count: z.int().optional(),
    amounts: z
      .record(z.string(), z.number())
      .optional()
      .meta({ description: 'Euros that the message speaks of, by name.' }),
  })
  .meta({ id: 'FiscalWarning' })
export type FiscalWarning = z.infer<typeof FiscalWarning>

export const ModelSummary = z
  .strictObject({
    model: ModelNumber,
    name: BilingualText,
    period: z.string().meta({ description: '1T to 4T, 01 to 12, or 0A for a year.' }),
    year: z.int(),
    applies: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether it is filed; null where Sello cannot know, so it may be.' }),
    computed: z.boolean().meta({
      description:
        'False where Sello does not compute its figures: it has no boxes, or only those that a person typed (131, 123), which are not from the books.',
    }),
    why: z.string().nullable().meta({ description: 'Why it is not filed, may not be, or is not computed.' }),
    result: z.number().nullable().meta({
      description: 'Euros to pay; negative in favour of the business; null for informative models.',
    }),
    outcome: Outcome,
    dueFrom: businessDate(),
    dueTo: businessDate(),
    directDebitTo: businessDate().nullable(),
    sure: Certainty,
    status: z.enum(['upcoming', 'open', 'past']),
    filing: Filing.nullable(),
  })
  .meta({ id: 'ModelSummary' })
export type ModelSummary = z.infer<typeof ModelSummary>

const ModelBox = z
  .strictObject({
    box: z.string(),
    section: z.string(),
    label: BilingualText,
    kind: z
      .enum(['amount', 'percent', 'count', 'code'])
      .meta({ description: 'code: a whole number that counts nothing, such as an IAE heading.' }),
    amount: z.number().meta({ description: 'Euros, percent or a whole number.' }),
    formula: BilingualText.nullable(),
    documents: z
      .int()
      .nullable()
      .meta({ description: 'Documents behind it, counted at each rate; null for a computed box.' }),
    input: z.boolean().meta({ description: 'A person types it.' }),
    typed: z.boolean().meta({ description: 'A person has typed it.' }),
  })
  .meta({ id: 'ModelBox' })
export const ModelList = z
  .strictObject({
    id: z.string(),
    title: BilingualText,
    columns: z.array(
      z.strictObject({
        id: z.string(),
        label: BilingualText,
        kind: z.enum(['text', 'amount', 'percent', 'count']),
        values: z
          .record(z.string(), BilingualText)
          .optional()
          .meta({ description: 'Words of the codes in its cells; any other text stands as it is.' }),
      }),
    ),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    total: z.int().meta({ description: 'Rows in all; the first 1,000 are given.' }),
  })
  .meta({ id: 'ModelList' })
export type ModelList = z.infer<typeof ModelList>

const Neighbour = z.strictObject({ year: z.int(), period: z.string() })

export const FiscalModel = z
  .strictObject({
    ...ModelSummary.shape,
    estimate: z.literal(true),
    mode: Mode,
    sections: z.array(z.strictObject({ id: z.string(), title: BilingualText })),
    boxes: z.array(ModelBox),
    lists: z.array(ModelList),
    warnings: z.array(FiscalWarning),
    source: BilingualText.meta({ description: 'Where the boxes and rules come from.' }),
    earlier: Neighbour.meta({ description: 'The period before, by what the business files in its year.' }),
    later: Neighbour.meta({ description: 'The period after.' }),
  })
  .meta({ id: 'FiscalModel' })
export type FiscalModel = z.infer<typeof FiscalModel>

export const ElsewhereReturn = z
  .strictObject({
    model: z.string().nullable().meta({ description: 'Its form; null where the number is not known.' }),
    name: BilingualText,
    who: BilingualText.meta({ description: 'Who files it, and when.' }),
    advice: BilingualText.meta({ description: 'What to do instead.' }),
  })
  .meta({ id: 'ElsewhereReturn' })
export type ElsewhereReturn = z.infer<typeof ElsewhereReturn>

export const fiscalModelsContract = defineContract({
  name: 'fiscal.models',
  summary:
    'The returns of a quarter (with those of the year after the fourth) with their results and deadlines. Estimates.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/models' },
  input: z.strictObject({ year: Year, quarter: Quarter }),
  output: z.strictObject({
    year: z.int(),
    quarter: z.int(),
    mode: Mode,
    estimate: z.literal(true),
    models: z.array(ModelSummary),
    elsewhere: z.array(ElsewhereReturn).meta({
      description: 'Returns of the territory of the business that Sello does not compute, and what to do.',
    }),
    warnings: z.array(FiscalWarning),
  }),
  errors: ['validation_failed'],
})

export const fiscalModelContract = defineContract({
  name: 'fiscal.model',
  summary:
    'One return with every box, its formula and how many documents are behind it. An estimate, never a filing.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/models/:model' },
  input: z.strictObject({ model: ModelNumber, ...PERIOD }),
  output: FiscalModel,
  errors: ['validation_failed'],
})

export const BoxDocument = z
  .strictObject({
    type: z.enum(['invoice', 'received']),
    id: z.string(),
    number: z.string().nullable(),
    date: businessDate('Of the document.'),
    name: z.string(),
    nif: z.string().nullable(),
    base: euros('Its base in these figures.'),
    amount: euros('What it adds to the box.'),
    untrusted: z.literal(true),
  })
  .meta({ id: 'BoxDocument' })
export type BoxDocument = z.infer<typeof BoxDocument>

export const fiscalBoxDocumentsContract = defineContract({
  name: 'fiscal.boxDocuments',
  summary: 'The documents behind a box of a return; their amounts add up to it.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/models/:model/boxes/:box/documents' },
  input: z.strictObject({
    model: ModelNumber,
    box: z.string().min(1).max(20),
    ...PERIOD,
    limit: z.int().min(1).max(200).default(50),
    cursor: z.string().max(300).optional(),
  }),
  output: z.strictObject({
    items: z.array(BoxDocument),
    nextCursor: z.string().nullable(),
    total: euros('The box.'),
  }),
  errors: ['validation_failed', 'not_found'],
})

export const ReturnDeadline = z
  .strictObject({
    model: ModelNumber,
    name: BilingualText,
    year: z.int(),
    period: z.string().meta({ description: '1T to 4T, 01 to 12, or 0A for a year.' }),
    opens: businessDate('First day to file it.'),
    due: businessDate('Last day to file it.'),
    directDebitUntil: businessDate('Last day to file it with payment by direct debit.').nullable(),
    sure: Certainty,
    applies: z.literal(true).nullable().meta({
      description: 'Null where it may have to be filed: Sello cannot know, or its period has not ended.',
    }),
    filed: z.boolean().meta({ description: 'Marked as filed in the app.' }),
  })
  .meta({ id: 'ReturnDeadline' })
export type ReturnDeadline = z.infer<typeof ReturnDeadline>

const DEADLINES = {
  from: businessDate('First day of the range; today when left out.').optional(),
  to: businessDate('Last day of the range, at most two years later; a year later when left out.').optional(),
  filer: z.enum(['quarterly', 'monthly']).optional().meta({
    description:
      'How the company files 303, 111, 115 and 349. As stated for each year when left out; quarterly where nothing is stated.',
  }),
}

export const fiscalDeadlinesContract = defineContract({
  name: 'fiscal.deadlines',
  summary:
    'The last days of the returns that the company files or may have to, that fall in a range of days.',
  description: 'National holidays count; regional and local ones, and extended terms, are not known.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/deadlines' },
  input: z.strictObject(DEADLINES),
  output: z.strictObject({
    from: businessDate(),
    to: businessDate(),
    mode: Mode,
    deadlines: z.array(ReturnDeadline),
  }),
  errors: ['validation_failed'],
})

export const fiscalDeadlinesCalendarContract = defineContract({
  name: 'fiscal.deadlinesCalendar',
  summary:
    'The same deadlines, without those filed, as a calendar file (iCalendar) with an alarm three days before.',
  description:
    'Also the last day of each report to the public platform that waits, with an alarm one day before, for those who may read invoices.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/deadlines.ics' },
  media: 'text/calendar',
  input: z.strictObject(DEADLINES),
  output: BytesAnswer,
  errors: ['validation_failed'],
})

const BOOK_FORMATS = ['xlsx', 'csv'] as const

export const fiscalVatBooksContract = defineContract({
  name: 'fiscal.vatBooks',
  summary: "The VAT books in the tax agency's unified layout, from January to the end of the quarter.",
  description:
    'XLSX with the sheets EXPEDIDAS_INGRESOS, RECIBIDAS_GASTOS and BIENES-INVERSIÓN, or a ZIP with the same as CSV. Check them first with `GET /fiscal/vat-books/check`.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/vat-books' },
  media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  otherMedia: ['application/zip'],
  input: z.strictObject({
    year: Year,
    quarter: Quarter.default(4),
    format: z.enum(BOOK_FORMATS).default('xlsx'),
  }),
  output: BytesAnswer,
  errors: ['validation_failed', 'books_too_large'],
})

export const BookFault = z
  .strictObject({
    sheet: z.string(),
    row: z.int().meta({ description: 'Row of the sheet, as a spreadsheet counts.' }),
    column: z.string().meta({ description: 'Letter of the column.' }),
    rule: z.string().meta({ description: 'Number of the published rule.' }),
    code: z.string(),
    severity: z.enum(['error', 'warning']),
    message: z.string(),
    document: z.string().nullable(),
    documentId: z.string().nullable(),
  })
  .meta({ id: 'BookFault' })
export type BookFault = z.infer<typeof BookFault>

export const fiscalCheckBooksContract = defineContract({
  name: 'fiscal.checkVatBooks',
  summary: 'What the published rules of the VAT books find wrong, row by row, before anything is exported.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/vat-books/check' },
  input: z.strictObject({ year: Year, quarter: Quarter.default(4) }),
  output: z.strictObject({
    ok: z.boolean(),
    rows: z.strictObject({ issued: z.int(), received: z.int(), goods: z.int() }),
    faults: z.array(BookFault).meta({ description: 'At most 500.' }),
    total: z.int(),
  }),
  errors: ['validation_failed'],
})

export const fiscalPackContract = defineContract({
  name: 'fiscal.accountantPack',
  summary:
    'One ZIP for the accountant: documents, VAT books, registry records, figures of every return, journal, and an index page.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/accountant-pack' },
  media: 'application/zip',
  input: z.strictObject({ year: Year, quarter: Quarter }),
  output: BytesAnswer,
  errors: ['validation_failed', 'books_too_large'],
})

export const fiscalMarkFiledContract = defineContract({
  name: 'fiscal.markFiled',
  summary: 'Marks a return as filed with the figures it has now; later changes are shown.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    model: ModelNumber,
    ...PERIOD,
    filedOn: businessDate().optional(),
    outcome: Outcome.optional(),
    reference: line(40).optional(),
    nature: z.enum(['first', 'complementary', 'substitutive']).optional().meta({
      description:
        'What it is beside the return of this period that is marked as filed. A complementary one takes off what that one paid; a substitutive one stands in its place.',
    }),
  }),
  output: z.strictObject({
    model: FiscalModel,
    lockUntil: businessDate()
      .nullable()
      .meta({ description: 'Day up to which the books could be closed now.' }),
  }),
  errors: ['validation_failed', 'already_filed'],
})

export const fiscalWithdrawFilingContract = defineContract({
  name: 'fiscal.withdrawFiling',
  summary: 'Takes the mark "filed" off a return; what it was filed with is kept in the history.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ model: ModelNumber, ...PERIOD }),
  output: FiscalModel,
  errors: ['validation_failed', 'not_found', 'filed_by_service'],
})

export const fiscalSetInputContract = defineContract({
  name: 'fiscal.setInput',
  summary: 'Writes a box that only a person knows; null takes it back.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    model: ModelNumber,
    ...PERIOD,
    box: z.string().min(1).max(20),
    amount: decimal(2, { max: 999_999_999 }).nullable(),
    reason: line(200).optional().meta({
      description: 'Why; required once the return is filed, for one that corrects it.',
    }),
  }),
  output: FiscalModel,
  errors: ['validation_failed', 'already_filed'],
})

export const FiscalProfile = z
  .strictObject({
    activityCode: z.enum(['A', 'B', 'C', 'D']).nullable(),
    activityType: z
      .string()
      .regex(/^0[1-6]$/)
      .nullable(),
    iae: z
      .string()
      .regex(/^[0-9A-Z]{1,4}$/)
      .nullable(),
    incomeMethod: z.enum(['direct_simplified', 'direct_normal', 'modules', 'none']),
    files123: z.boolean().default(false).meta({
      description: 'Form 123 is listed: the business pays dividends or interest and withholds from them.',
    }),
  })
  .meta({ id: 'FiscalProfile' })
export type FiscalProfile = z.infer<typeof FiscalProfile>

export const fiscalProfileContract = defineContract({
  name: 'fiscal.profile',
  summary: 'The activity and the way of computing income tax.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: FiscalProfile,
  errors: [],
})

export const fiscalSetProfileContract = defineContract({
  name: 'fiscal.setProfile',
  summary: 'Changes the activity and the way of computing income tax.',
  access: 'person',
  effect: 'write',
  input: FiscalProfile,
  output: FiscalProfile,
  errors: ['validation_failed'],
})
