/** Contracts of the schemes of a year, which only a person knows. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { Instant } from '../../../domain/contract/fields.ts'
import { PRORATA } from './schemes.ts'

const Year = z.int().min(2000).max(2100)
const answer = (description: string) => z.boolean().meta({ description })

const ANSWERS = {
  refundRegister: answer('Inscribed in the register of monthly refunds (REDEME): files form 303 by months.'),
  largeCompany: answer('Turnover of the year before above 6,010,121.04 euros: files by months.'),
  voluntarySii: answer('Keeps the VAT books at the agency (SII) by its own choice.'),
  jointReturn: answer('Group of entities, joint return, or also a foral treasury. Not written.'),
  insolvency: answer('Declared insolvent in the year. Not written.'),
  prorata: z
    .enum(PRORATA)
    .meta({ description: 'Opts for, uses or revokes a pro rata of input VAT. Not written.' }),
  excused390: answer('Excused from form 390 for another reason than the SII.'),
  monthly349: answer('Files form 349 by months: above 50,000 euros in a quarter.'),
  fuelDepositary: answer('Keeper of a depot of fuels. Not written.'),
}

const YearSchemes = z.strictObject(ANSWERS)

const Unit = z.enum(['month', 'quarter'])

export const FilingSchemes = z
  .strictObject({
    year: z.int(),
    schemes: YearSchemes.nullable().meta({ description: 'Null while nobody has stated them.' }),
    statedAt: Instant.nullable(),
    statedBy: z.string().nullable(),
    yearBefore: YearSchemes.nullable().meta({ description: 'As stated for the year before.' }),
    periods: z
      .strictObject({ '303': Unit, '111': Unit, '115': Unit, '349': Unit })
      .meta({ description: 'By what the business files in the year.' }),
    inSii: z.boolean().meta({ description: 'The VAT books are at the agency, by law or by choice.' }),
  })
  .meta({ id: 'FilingSchemes' })

export const filingSchemesContract = defineContract({
  name: 'fiscal.filingSchemes',
  summary: 'The tax schemes of a year as a person has stated them.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ year: Year }),
  output: FilingSchemes,
  errors: ['validation_failed'],
})

export const setFilingSchemesContract = defineContract({
  name: 'fiscal.setFilingSchemes',
  summary:
    'States the tax schemes of a year: form 303 names them, and by what returns are filed follows from them.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ year: Year, ...ANSWERS }),
  output: FilingSchemes,
  errors: ['validation_failed'],
})
