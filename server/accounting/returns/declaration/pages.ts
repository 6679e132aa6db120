/**
 * Builds the pages of the returns 303, 130, 131, 111, 115, 123 and 390 from their boxes. Source: the agency's designs of records
 * named in the layouts; Orden HAC/819/2024 for the rectification of a VAT return.
 */
import type { Fault } from '../../../domain/errors/app-error.ts'
import { layoutFor } from '../files/layout.ts'
import type { FileModel, Layout, LayoutField } from '../files/layout.ts'
import type { FileRecord } from '../files/file.ts'
import type { RecordValues } from '../files/record.ts'
import { periodUnit } from '../calendar/periods.ts'
import { isInSii } from '../schemes/schemes.ts'
import type { Schemes } from '../schemes/schemes.ts'
import { agencyText } from './agency-text.ts'
import type { FilingChoices, Filer, ForeignBank } from './choices.ts'
import type { Boxes } from './closing.ts'
import { WITH_ACCOUNT } from './kinds.ts'
import { activityPages } from './modules-131.ts'
import type { ReturnKind } from './kinds.ts'

/** Models whose files consist of pages with boxes. */
export type PageModel = Extract<FileModel, '303' | '130' | '131' | '111' | '115' | '123' | '390'>

interface PageReturn {
  model: PageModel
  year: number
  /** `1T` to `4T`, `01` to `12`, or `0A`. */
  period: string
  /** The last period of the year, in which a VAT return answers more questions. */
  isLastOfYear: boolean
  boxes: Boxes
  /** Null for the yearly summary, which has none. */
  kind: ReturnKind | null
  choices: FilingChoices
  filer: Filer
  /** The schemes of the year; null while nobody has stated them: then a VAT return has no marks, and is not written. */
  schemes: Schemes | null
}

const YES = 1
const NO = 2
const MARK = 'X'

/** Widths of names in these forms. */
const WHOLE_NAME = 80
const SURNAMES = 60
const FIRST_NAME = 20

/** Forms with one field for the whole name; the others ask for surnames and first name apart. */
export const hasWholeName = (model: PageModel): boolean => model === '303' || model === '123'

function nameValues({ model, filer }: PageReturn): RecordValues {
  if (hasWholeName(model)) return { name: agencyText(filer.name, WHOLE_NAME) }
  const firstName = agencyText(filer.firstName, FIRST_NAME)
  return {
    surnames: agencyText(filer.surnames ?? filer.name, SURNAMES),
    ...(firstName === '' ? {} : { firstName }),
  }
}

const isEmptyReturn = ({ boxes }: PageReturn): boolean =>
  Object.entries(boxes).every(([box, value]) => value === 0 || box === '65' || box === '110' || box === '87')

/** A return by months states payments on account of fuels, from February on (design of record 303, note of the field). */
const statesFuel = (period: string): boolean => periodUnit(period) === 'month' && period !== '01'

/** Marks of the first page of a VAT return: the schemes as a person has stated them, and what the period asks. */
function marksOf303({ period, isLastOfYear, filer, boxes, schemes }: PageReturn): Record<string, number> {
  if (schemes === null) return {}
  const mark = (isSo: boolean): number => (isSo ? YES : NO)
  const boughtFromCash = (boxes['74'] ?? 0) !== 0 || (boxes['75'] ?? 0) !== 0
  return {
    foralOnly: NO,
    monthlyRefunds: mark(schemes.refundRegister),
    // Neither alone nor beside the general scheme.
    simplified: 3,
    jointReturn: mark(schemes.jointReturn),
    cashAccounting: mark(filer.cashAccounting),
    cashAccountingReceived: mark(boughtFromCash),
    // Outside the last period the form takes neither.
    optsForProrata: mark(isLastOfYear && schemes.prorata === 'opts'),
    revokesProrata: mark(isLastOfYear && schemes.prorata === 'revokes'),
    insolvency: mark(schemes.insolvency),
    voluntarySii: mark(schemes.voluntarySii),
    // Asked in the last period only.
    excusedFrom390: isLastOfYear ? mark(schemes.excused390 || isInSii(schemes)) : 0,
    turnoverNotZero: 0,
    fuelPayments: statesFuel(period) ? mark(schemes.fuelDepositary) : 0,
  }
}

/** What a VAT return states of the business, in the order of its form. */
export interface Statement {
  mark: (typeof STATED)[number]
  yes: boolean
}

export const STATED = [
  'foralOnly',
  'monthlyRefunds',
  'simplified',
  'jointReturn',
  'cashAccounting',
  'cashAccountingReceived',
  'optsForProrata',
  'revokesProrata',
  'insolvency',
  'voluntarySii',
  'excusedFrom390',
  'fuelPayments',
] as const

/** Returns the marks of a VAT return that its period asks for. */
export function statementsOf(declared: PageReturn): Statement[] {
  const marks = marksOf303(declared)
  return STATED.flatMap((mark): Statement[] => {
    const value = marks[mark] ?? 0
    return value === 0 ? [] : [{ mark, yes: value === YES }]
  })
}

function resultMarksOf303(declared: PageReturn): RecordValues {
  const { choices, kind } = declared
  if (choices.nature !== 'rectifying')
    return kind === 'N' && isEmptyReturn(declared) ? { noActivity: MARK } : {}
  return {
    rectifying: MARK,
    ...(choices.previousReceipt === undefined ? {} : { previousReceipt: choices.previousReceipt }),
    ...(choices.reason === 'criterion' ? { disagreesWithCriterion: MARK } : { ordinaryRectification: MARK }),
  }
}

/** What was paid in excess goes back to an account, however the rest of the result is settled. */
const givesBackExcess = ({ model, boxes }: PageReturn): boolean => model === '303' && (boxes['111'] ?? 0) > 0

const accountOf = (declared: PageReturn): string | undefined =>
  (declared.kind !== null && WITH_ACCOUNT.includes(declared.kind)) || givesBackExcess(declared)
    ? declared.choices.iban
    : undefined

const isSpanish = (iban: string): boolean => iban.startsWith('ES')

/** What the page says of the bank of a refund abroad. */
const bankValues = ({ bic, name, address, city, country }: ForeignBank): RecordValues => ({
  bic,
  bankName: name,
  bankAddress: address,
  bankCity: city,
  bankCountry: country,
})

/** Where an account is, as the page says it: in Spain, elsewhere in SEPA, or abroad. */
const SEPA_MARK = { spain: 1, sepa: 2, abroad: 3 } as const

/** The page of the bank account: a refund also says where the account is, a direct debit must not. */
function accountPage(declared: PageReturn): FileRecord[] {
  const iban = accountOf(declared)
  if (iban === undefined) return []
  const { bank } = declared.choices
  if (declared.kind === 'X')
    return [{ record: 'DID00', values: { iban, sepa: SEPA_MARK.abroad, ...(bank ? bankValues(bank) : {}) } }]
  const isRefund = declared.kind === 'D' || givesBackExcess(declared)
  return [
    {
      record: 'DID00',
      values: { iban, ...(isRefund ? { sepa: isSpanish(iban) ? SEPA_MARK.spain : SEPA_MARK.sepa } : {}) },
    },
  ]
}

/** Marks and codes are typed as numbers; a mark is 1. */
const textOfCode = ({ values }: LayoutField, value: number): string =>
  values?.includes(MARK) && value === 1 ? MARK : String(value)

function boxValues(fields: readonly LayoutField[], boxes: Boxes): RecordValues {
  return Object.fromEntries(
    fields.flatMap((field): [string, number | string][] => {
      const { key, is, as } = field
      const value = boxes[key]
      if (is !== undefined || value === undefined || value === 0) return []
      return [[key, as === 'N' || as === 'Num' ? value : textOfCode(field, value)]]
    }),
  )
}

/** Pages that a return of each model always has; of the 390 also those of schemes, which stay empty. */
const PAGES: Record<PageModel, readonly string[]> = {
  '303': ['01000', '03000'],
  '130': ['01000'],
  '111': ['01000'],
  '115': ['01000'],
  '123': ['01000'],
  '131': ['01000'],
  '390': ['01000', '02000', '02B00', '03000', '04000', '06000', '07000'],
}

function firstPage(declared: PageReturn): RecordValues {
  const { model, year, period, kind, choices, filer } = declared
  const common: RecordValues = {
    nif: filer.nif,
    year,
    ...nameValues(declared),
    ...(kind === null ? {} : { kind }),
    ...(model === '390' ? {} : { period }),
  }
  if (model === '303') return { ...common, ...marksOf303(declared) }
  if (model === '390')
    return {
      ...common,
      // Marks of this form are written as text.
      ...(declared.schemes === null ? {} : { monthlyRefunds: declared.schemes.refundRegister ? '1' : '0' }),
      ...(choices.nature === 'substitutive' ? { replaces: YES } : {}),
      ...(choices.previousReceipt === undefined ? {} : { previousReceipt: choices.previousReceipt }),
    }
  // The account of the 131 has a page of its own.
  const iban = model === '131' ? undefined : accountOf(declared)
  return {
    ...common,
    ...(iban === undefined ? {} : { iban }),
    ...(choices.nature === 'complementary' ? { complementary: MARK } : {}),
    ...(choices.previousReceipt === undefined ? {} : { previousReceipt: choices.previousReceipt }),
  }
}

/** Returns the pages of a return, in their order. */
export async function pagesOf(declared: PageReturn): Promise<FileRecord[]> {
  const layout = await layoutFor(declared.model, declared.year)
  const pages = PAGES[declared.model].map((record): FileRecord => {
    const fields = layout.records[record] ?? []
    const values: RecordValues = { ...boxValues(fields, declared.boxes) }
    if (record === '01000') Object.assign(values, firstPage(declared))
    if (declared.model === '303' && record === '03000') Object.assign(values, resultMarksOf303(declared))
    return { record, values }
  })
  if (declared.model === '131')
    return [...pages, ...activityPages(layout, declared.boxes, boxValues), ...accountPage(declared)]
  return declared.model === '303' ? [...pages, ...accountPage(declared)] : pages
}

/** Returns the fields of the pages that a file has, by box. */
function figureFields(model: PageModel, layout: Layout): Map<string, LayoutField> {
  return new Map(
    PAGES[model].flatMap((record) =>
      (layout.records[record] ?? [])
        .filter(({ as }) => as === 'N' || as === 'Num')
        .map((field) => [field.key, field] as const),
    ),
  )
}

/**
 * Returns what keeps boxes out of a file: a box that its pages do not have, one that the year's rates have closed, and one
 * below zero whose field has no sign.
 */
export async function faultsOfBoxes(model: PageModel, year: number, boxes: Boxes): Promise<Fault[]> {
  const layout = await layoutFor(model, year)
  const fields = figureFields(model, layout)
  const fault = (code: string, box: string, message: string, fix: string): Fault => ({
    code,
    field: `boxes.${box}`,
    severity: 'error',
    message,
    fix,
    params: { box, value: (boxes[box] ?? 0) / 100 },
  })
  return Object.entries(boxes).flatMap(([box, value]) => {
    if (value === 0 || !/^\d/.test(box)) return []
    const field = fields.get(box)
    if (!field)
      return [
        fault(
          'box_not_in_layout',
          box,
          `The form of ${year} has no box ${box}.`,
          'File it in the agency’s form.',
        ),
      ]
    if (field.is === '0')
      return [
        fault(
          'box_closed',
          box,
          `Box ${box} is closed in ${year}.`,
          'Check the rates of the documents behind it.',
        ),
      ]
    if (value < 0 && field.as === 'Num')
      return [
        fault(
          'box_below_zero',
          box,
          `Box ${box} is below zero, and its field has no sign.`,
          'Credit notes above the sales of a rate are declared as corrections (boxes 14 and 15): file it in the agency’s form.',
        ),
      ]
    return []
  })
}

/** A line of the VAT return whose rate the design fixes. */
const RATE_LINES: readonly (readonly [base: string, rate: string, tax: string])[] = [
  ['150', '151', '152'],
  ['165', '166', '167'],
  ['01', '02', '03'],
  ['153', '154', '155'],
  ['04', '05', '06'],
  ['07', '08', '09'],
  ['156', '157', '158'],
  ['168', '169', '170'],
  ['16', '17', '18'],
  ['19', '20', '21'],
  ['22', '23', '24'],
]

/**
 * Returns the lines whose tax cannot come from the rate that the design of the year fixes: it takes no other (the agency
 * refuses the box of the rate). Rounding each document makes a tax differ from the rate by half a cent a line.
 */
export async function faultsOfRates(year: number, boxes: Boxes, documents: Boxes): Promise<Fault[]> {
  const layout = await layoutFor('303', year)
  const constants = new Map((layout.records['01000'] ?? []).map(({ key, is }) => [key, is]))
  return RATE_LINES.flatMap(([base, rate, tax]) => {
    const rateBp = Number(constants.get(rate) ?? 0)
    const expected = ((boxes[base] ?? 0) * rateBp) / 10_000
    const differs = Math.abs((boxes[tax] ?? 0) - expected) > 1 + (documents[base] ?? 0)
    return differs
      ? [
          {
            code: 'rate_not_in_layout',
            field: `boxes.${tax}`,
            severity: 'error',
            message: `The form of ${year} takes only ${rateBp / 100} % in box ${rate}.`,
            fix: 'Operations at an earlier rate are declared as corrections (boxes 14 and 15): file it in the agency’s form.',
            params: { box: tax, rate: rateBp / 100 },
          } satisfies Fault,
        ]
      : []
  })
}
