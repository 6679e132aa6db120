/** Contracts of what only a person knows of the recipients of models 190 and 180: wages, and rented premises. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { decimal, euros, line, Untrusted } from '../../../domain/contract/fields.ts'
import { WAGE_KEYS } from '../../../domain/tax/wage-keys.ts'
import { FiscalModel } from '../contract.ts'

const Year = z.int().min(2000).max(2100)
const MAX = 999_999_999

const amount = (description: string) => decimal(2, { min: 0, max: MAX, description })
const Count = z.int().min(0)

/** People of one kind: how many, and how many of them counted whole; the others count half. */
const counted = (max: number, description: string) =>
  z
    .strictObject({
      total: Count.max(max).meta({ description: 'How many there are.' }),
      whole: Count.max(max).meta({ description: 'How many of them count whole.' }),
    })
    .meta({ description })

const Descendants = z.strictObject({
  under3: counted(9, 'Younger than three years on 31 December.'),
  others: counted(99, 'All other descendants.'),
  disabled33: counted(99, 'Of these, disabled from 33 % and below 65 %.'),
  reducedMobility: counted(99, 'Of those disabled from 33 %, with help of others or reduced mobility.'),
  disabled65: counted(99, 'Disabled from 65 %.'),
})
const Ascendants = z.strictObject({
  under75: counted(9, 'Younger than 75 years on 31 December.'),
  from75: counted(9, 'Of 75 years or more.'),
  disabled33: counted(9, 'Disabled from 33 % and below 65 %.'),
  reducedMobility: counted(9, 'Of those disabled from 33 %, with help of others or reduced mobility.'),
  disabled65: counted(9, 'Disabled from 65 %.'),
})

const Treasuries = z.strictObject({
  state: amount('To the State.'),
  navarre: amount('To Navarre.'),
  alava: amount('To Álava.'),
  gipuzkoa: amount('To Gipuzkoa.'),
  bizkaia: amount('To Bizkaia.'),
})

export const PENSION_TYPES = [
  'retirement',
  'widowhood',
  'permanentIncapacity',
  'nonContributory',
  'otherPension',
] as const

export const WageFacts = z
  .strictObject({
    representativeNif: line(20).meta({ description: 'Of the legal representative of a minor under 14.' }),
    dueYear: Year.meta({ description: 'Earlier year in which arrears, or a repaid amount, were due.' }),
    residence: z.enum(['ceuta_melilla', 'la_palma']).meta({
      description: 'The rate took the deduction for income of Ceuta and Melilla, or La Palma, into account.',
    }),
    inKindCharged: amount('Payments on account of payments in kind that were charged to the person.'),
    birthYear: z.int().min(1850).max(2100).meta({ description: 'Year of birth.' }),
    familySituation: z.int().min(1).max(3).meta({ description: 'As the form numbers them.' }),
    spouseNif: line(20).meta({ description: 'Of the spouse; only in situation 2.' }),
    disability: z.int().min(0).max(3).meta({ description: 'As the form numbers them; 0 none.' }),
    contract: z.int().min(1).max(4).meta({ description: 'As the form numbers them.' }),
    movedForJob: z
      .boolean()
      .meta({ description: 'Geographical mobility of art. 19.2.f of the income tax law.' }),
    reductions: amount('Reductions of art. 18.2 and 18.3, or 32.1, of the income tax law.'),
    deductibleCosts: amount('Social Security and the other costs of art. 19.2 a, b and c.'),
    compensatoryPensions: amount('Paid to a spouse by a court order.'),
    childMaintenance: amount('Paid for children by a court order.'),
    descendants: Descendants.meta({ description: 'Descendants with a right to the minimum of art. 58.' }),
    ascendants: Ascendants.meta({ description: 'Ascendants with a right to the minimum of art. 59.' }),
    childShares: z
      .array(z.enum(['whole', 'half']))
      .max(3)
      .meta({ description: 'How the three eldest descendants counted, the eldest first.' }),
    homeLoan: z.boolean().meta({ description: 'The reduction of art. 86.1 RIRPF was applied in the year.' }),
    incapacityPaid: decimal(2, { max: MAX, description: 'Paid in money for incapacity.' }),
    incapacityWithheld: amount('Withheld of it.'),
    incapacityInKind: decimal(2, { max: MAX, description: 'Value of payments in kind for incapacity.' }),
    incapacityInKindWithheld: amount('Paid on account of it.'),
    incapacityInKindCharged: amount('Payments on account of it that were charged to the person.'),
    treasuries: Treasuries.meta({ description: 'What was withheld of a director, by treasury.' }),
    startUpShares: z.boolean().meta({ description: 'Shares of a start-up above the exempt amount.' }),
    carriedInterest: z.boolean().meta({ description: 'Carried interest of additional provision 53.' }),
    pensionTypes: z.array(z.enum(PENSION_TYPES)).max(5).meta({ description: 'Kinds of pensions paid.' }),
  })
  .partial()
  .meta({
    id: 'WageFacts',
    description:
      'What model 190 asks of a person beside the amounts. What is left out was not typed; of amounts and counts that means none.',
  })
export type WageFacts = z.infer<typeof WageFacts>

const WageRecipient = z
  .strictObject({
    nif: line(20).meta({ description: 'NIF or NIE of the person.' }),
    name: line(80),
    key: z
      .enum(WAGE_KEYS)
      .meta({ description: 'Key of the perception in model 190: A wages, B pensions, …' }),
    subkey: z
      .string()
      .regex(/^\d{2}$/)
      .nullable()
      .meta({ description: 'Where the key has any.' }),
    province: z
      .string()
      .regex(/^\d{2}$/)
      .nullable()
      .meta({ description: 'Code of the province where the person lives.' }),
    paid: decimal(2, { max: MAX, description: 'Paid in money, before deductions, in euros.' }),
    withheld: decimal(2, { max: MAX, description: 'Withheld of it, in euros.' }),
    inKind: decimal(2, { max: MAX, description: 'Value of what was paid in kind, in euros.' }),
    inKindWithheld: decimal(2, { max: MAX, description: 'Paid on account of it, in euros.' }),
    facts: WageFacts.optional().meta({ description: 'Left out where nobody typed any.' }),
  })
  .meta({ id: 'WageRecipient' })

const Recipients = z.array(WageRecipient).meta({ description: 'In the order typed.' })

export const fiscalWageRecipientsContract = defineContract({
  name: 'fiscal.wageRecipients',
  summary: 'Who was paid wages in a year, as typed for model 190.',
  // Data of health and family: no key reads them one by one.
  access: 'person',
  effect: 'read',
  input: z.strictObject({ year: Year }),
  output: z.strictObject({ year: z.int(), recipients: Recipients }),
  errors: ['validation_failed'],
})

export const fiscalSetWageRecipientsContract = defineContract({
  name: 'fiscal.setWageRecipients',
  summary: 'Replaces who was paid wages in a year.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ year: Year, recipients: Recipients.max(500) }),
  output: FiscalModel,
  errors: ['validation_failed', 'already_filed'],
})

const short = (max: number, description: string) => line(max).nullable().meta({ description })

const PREMISES = {
  landlordNif: line(20).meta({ description: 'Tax number of the landlord.' }),
  landlordName: line(120).meta({ description: 'Name of the landlord.' }),
  rentKind: z.enum(['money', 'kind']).meta({ description: 'The rent is paid in money, or in kind.' }),
  situation: z.int().min(1).max(4).meta({
    description:
      '1 Spain with a cadastral number, 2 Basque Country, 3 Navarre, 4 premises without a cadastral number.',
  }),
  cadastralNumber: short(30, '20 letters and digits, blanks between them are left out; none in situation 4.'),
  streetType: line(5).meta({ description: 'Code of the statistical institute: CALLE, AVDA, PLAZA, …' }),
  street: line(50),
  numbering: line(3).meta({ description: 'NUM, KM. or S/N.' }),
  houseNumber: z.int().min(0).max(99_999).nullable().meta({ description: 'House number or kilometre.' }),
  qualifier: short(3, 'BIS, DUP, MOD, ANT, or metres of the kilometre.'),
  block: short(3, 'Block.'),
  entrance: short(3, 'Entrance.'),
  staircase: short(3, 'Staircase.'),
  floor: short(3, 'Floor.'),
  door: short(3, 'Door.'),
  complement: short(40, 'Anything else of the address.'),
  town: short(30, 'Town, where it is not the municipality.'),
  municipality: line(30).meta({ description: 'Municipality.' }),
  municipalityCode: z
    .string()
    .regex(/^\d{5}$/)
    .meta({ description: 'Code of the statistical institute.' }),
  province: z
    .string()
    .regex(/^\d{2}$/)
    .meta({ description: 'Code of the province, 01 to 52; 53 La Palma.' }),
  postalCode: z.string().regex(/^\d{5}$/),
  fromYear: Year.meta({ description: 'First year in which it was rented.' }),
  toYear: Year.nullable().meta({ description: 'Last year; null while it goes on.' }),
}
const Base = decimal(2, { min: 0, max: MAX, description: 'Rent of the year for these premises.' }).nullable()

const RentedPremises = z
  .strictObject({ id: z.string(), ...PREMISES, base: Base })
  .meta({ id: 'RentedPremises' })

export const fiscalRentedPremisesContract = defineContract({
  name: 'fiscal.rentedPremises',
  summary: 'The rented premises typed for model 180, and what was paid to each landlord in a year.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/fiscal/rented-premises' },
  input: z.strictObject({ year: Year }),
  output: z.strictObject({
    year: z.int(),
    landlords: z
      .array(
        z
          .strictObject({
            nif: z.string().nullable(),
            name: z.string(),
            base: euros('Rents of the year, without VAT.'),
            withheld: euros('Withheld of them.'),
            untrusted: Untrusted,
          })
          .meta({ id: 'Landlord' }),
      )
      .meta({ description: 'As the books have them.' }),
    premises: z.array(RentedPremises).meta({ description: 'Of all years.' }),
  }),
  errors: ['validation_failed'],
})

export const fiscalSetRentedPremisesContract = defineContract({
  name: 'fiscal.setRentedPremises',
  summary: 'Replaces the rented premises, and how the rent of a year is divided among those of a landlord.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    year: Year,
    premises: z
      .array(
        z.strictObject({
          id: z.string().max(40).optional().meta({ description: 'Left out for new premises.' }),
          ...PREMISES,
          base: Base,
        }),
      )
      .max(200),
  }),
  output: FiscalModel,
  errors: ['validation_failed', 'already_filed'],
})
