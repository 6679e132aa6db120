/** Answers of the dialog about the schemes of a year, before they are stated. Pure. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'

export type Schemes = NonNullable<OutputOf<'fiscal.filingSchemes'>['schemes']>

/** What is answered so far. */
export type Answers = Partial<Omit<InputOf<'fiscal.setFilingSchemes'>, 'year'>>

/** The questions with yes and no, in the order of the dialog. */
export const QUESTIONS = [
  'refundRegister',
  'largeCompany',
  'voluntarySii',
  'monthly349',
  'excused390',
  'jointReturn',
  'insolvency',
  'fuelDepositary',
] as const satisfies readonly (keyof Answers)[]

export const PRORATA = ['none', 'opts', 'uses', 'revokes'] as const satisfies readonly Schemes['prorata'][]

/** Returns true for answers that put the VAT books at the agency, by law or by choice. */
export function isInSii({ refundRegister, largeCompany, voluntarySii }: Answers): boolean {
  return refundRegister === true || largeCompany === true || voluntarySii === true
}

/** Returns the returns that are filed by months with these answers. */
export function monthlyModels({ refundRegister, largeCompany, monthly349 }: Answers): string[] {
  return [
    ...(refundRegister || largeCompany ? ['303'] : []),
    ...(largeCompany ? ['111', '115', '123'] : []),
    ...(monthly349 ? ['349'] : []),
  ]
}
