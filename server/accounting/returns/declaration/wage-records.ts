/**
 * Makes records of model 190 of the wages that a person typed, and lists what the form asks and nobody has typed. Source:
 * the tax agency's design of records 190 of 2025 (Orden HAC/1431/2025), record 2.
 */
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Cents } from '../../../domain/money.ts'
import { takesFact, UNWRITTEN_KEYS, WAGE_SUBKEYS } from '../../../domain/tax/wage-keys.ts'
import type { WageFactName, WageKey } from '../../../domain/tax/wage-keys.ts'
import type { RecordValues } from '../files/record.ts'
import { PENSION_TYPES } from '../models/recipients-contract.ts'
import { factsOf } from '../models/wage-facts.ts'
import type { StoredFacts } from '../models/wage-facts.ts'
import type { WageRecipientRow } from '../rows.ts'
import { agencyText } from './agency-text.ts'
import { signed } from './parties.ts'
import { lacking, withheldBelowZero } from './recipient-fault.ts'

const NAME = 40
/** People from this age have a tax number without a representative. Source: the design, positions 27-35. */
const OWN_NUMBER_AGE = 14
/** Descendants whose share the form asks for one by one. Source: the design, positions 251-253. */
const SHARES = 3

/** Facts that the form asks for with every record of their keys, by the fault if nobody has typed them. */
const ASKED: Partial<Record<WageFactName, readonly [code: string, message: string]>> = {
  birthYear: ['wage_birth_year_missing', 'The form asks for the year of birth.'],
  familySituation: ['wage_situation_missing', 'The form asks for the family situation.'],
  disability: ['wage_disability_missing', 'The form asks for the disability, 0 for none.'],
  homeLoan: ['wage_home_loan_missing', 'The form asks whether the rate was reduced for a home loan.'],
  contract: ['wage_contract_missing', 'The form asks for the kind of contract.'],
  movedForJob: ['wage_mobility_missing', 'The form asks whether the person moved for the job.'],
  pensionTypes: ['wage_pension_types_missing', 'The form asks for the kinds of pensions paid.'],
}
/** Costs are asked where payroll always knows them; a pension or an exempt amount may have none. */
const COSTS_ASKED: readonly string[] = ['A', 'E01', 'E02']

const TYPE_IT = 'Type it among the recipients of wages, on the page of the 190.'

const peopleIn = (counts: StoredFacts['descendants']): number =>
  (counts?.under3.total ?? 0) + (counts?.others.total ?? 0)

function hasFact(facts: StoredFacts, name: WageFactName): boolean {
  const value = facts[name]
  return value !== undefined && !(Array.isArray(value) && value.length === 0)
}

function faultsOfFamily(facts: StoredFacts, year: number, name: string): Fault[] {
  const faults: Fault[] = []
  const descendants = peopleIn(facts.descendants)
  if (facts.familySituation === 2 && facts.spouseNif === undefined)
    faults.push(
      lacking(
        'wage_spouse_missing',
        'Situation 2 asks for the tax number of the spouse.',
        `${TYPE_IT} Without it the situation is 3.`,
        name,
      ),
    )
  if (facts.familySituation === 1 && descendants === 0)
    faults.push(
      lacking(
        'wage_situation_without_children',
        'Situation 1 is for people with a descendant in their charge.',
        'Type the descendants, or another situation.',
        name,
      ),
    )
  if ((facts.childShares ?? []).length < Math.min(descendants, SHARES))
    faults.push(
      lacking(
        'wage_child_shares_missing',
        'The form asks how each of the three eldest descendants counted.',
        TYPE_IT,
        name,
      ),
    )
  if (
    facts.birthYear !== undefined &&
    year - facts.birthYear < OWN_NUMBER_AGE &&
    facts.representativeNif === undefined
  )
    faults.push(
      lacking(
        'wage_representative_missing',
        'The form asks for the legal representative of a minor under 14.',
        TYPE_IT,
        name,
      ),
    )
  return faults
}

/** Checks to which treasuries the amount withheld of a director was paid: the parts add up to it. */
function faultsOfTreasuries(row: WageRecipientRow, facts: StoredFacts): Fault[] {
  const withheld = row.withheld_cents + row.in_kind_withheld_cents
  if (facts.treasuries === undefined)
    return withheld === 0
      ? []
      : [
          lacking(
            'wage_treasuries_missing',
            'The form asks to which treasury the amount withheld of a director was paid.',
            TYPE_IT,
            row.name,
          ),
        ]
  const typed = Object.values(facts.treasuries).reduce((sum, cents) => sum + cents, 0)
  return typed === withheld
    ? []
    : [
        lacking(
          'wage_treasuries_differ',
          'What was paid to each treasury does not add up to what was withheld of a director.',
          'Check the amounts among the recipients of wages.',
          row.name,
          { typed, withheld },
        ),
      ]
}

/** Checks what a person paid back: it is stated with the year in which it was due, and nothing withheld. */
function faultsOfRefund(row: WageRecipientRow, facts: StoredFacts | null): Fault[] {
  const pairs: readonly (readonly [paid: Cents, withheld: Cents])[] = [
    [row.paid_cents, row.withheld_cents],
    [row.in_kind_cents, row.in_kind_withheld_cents],
    [facts?.incapacityPaid ?? 0, facts?.incapacityWithheld ?? 0],
    [facts?.incapacityInKind ?? 0, facts?.incapacityInKindWithheld ?? 0],
  ]
  if (pairs.some(([, withheld]) => withheld < 0)) return [withheldBelowZero(row.name)]
  const negative = pairs.filter(([paid]) => paid < 0)
  if (negative.length === 0) return []
  const isAlone = pairs.every(([paid, withheld]) => paid <= 0 && withheld === 0)
  return isAlone && facts?.dueYear !== undefined
    ? []
    : [
        lacking(
          'wage_refund_mixed',
          'What a person paid back is stated apart, with the year in which it was due, and without withholding.',
          'Type it as a recipient of its own.',
          row.name,
        ),
      ]
}

/** Returns what keeps the wages of one person out of the file. */
function faultsOfWages(row: WageRecipientRow, year: number): Fault[] {
  const { name, subkey } = row
  const key = row.key as WageKey
  const code = key + (subkey ?? '')
  if (UNWRITTEN_KEYS.includes(code))
    return [
      lacking(
        'wage_key_not_written',
        'Sello does not write the minimum living income (L.29).',
        'File this return in the agency’s form.',
        name,
      ),
    ]
  const facts = factsOf(row.facts)
  const faults = faultsOfRefund(row, facts)
  if (row.province === null || Number(row.province) < 1)
    faults.push(
      lacking('wage_province_missing', 'The form asks for the province of a recipient.', TYPE_IT, name),
    )
  if (subkey === null && WAGE_SUBKEYS[key].length > 0)
    // What the form asks depends on it.
    return [
      ...faults,
      lacking('wage_subkey_missing', 'The form asks for the subkey of this key.', TYPE_IT, name),
    ]
  const asked = Object.entries(ASKED).filter(([fact]) => takesFact(fact as WageFactName, key, subkey))
  if (facts === null && asked.length > 0)
    return [
      ...faults,
      lacking(
        'wage_facts_missing',
        'The form asks of wages for what only a payroll says: year of birth, family, contract.',
        TYPE_IT,
        name,
      ),
    ]
  const typed = facts ?? {}
  for (const [fact, [missing, message]] of asked)
    if (!hasFact(typed, fact as WageFactName)) faults.push(lacking(missing, message, TYPE_IT, name))
  if (COSTS_ASKED.includes(code) && typed.deductibleCosts === undefined)
    faults.push(
      lacking(
        'wage_costs_missing',
        'The form asks for the costs deducted of a person, 0 for none.',
        TYPE_IT,
        name,
      ),
    )
  if (takesFact('familySituation', key, subkey)) faults.push(...faultsOfFamily(typed, year, name))
  if (takesFact('treasuries', key, subkey)) faults.push(...faultsOfTreasuries(row, typed))
  return faults
}

const PEOPLE = {
  descendants: {
    under3: 'childrenUnder3',
    others: 'otherChildren',
    disabled33: 'childrenDisabled33',
    reducedMobility: 'childrenReducedMobility',
    disabled65: 'childrenDisabled65',
  },
  ascendants: {
    under75: 'parentsUnder75',
    from75: 'parentsFrom75',
    disabled33: 'parentsDisabled33',
    reducedMobility: 'parentsReducedMobility',
    disabled65: 'parentsDisabled65',
  },
} as const

const TREASURIES = {
  state: 'paidToState',
  navarre: 'paidToNavarre',
  alava: 'paidToAlava',
  gipuzkoa: 'paidToGipuzkoa',
  bizkaia: 'paidToBizkaia',
} as const

/** Returns numbers without the zeros, which a record has where nothing is written. */
const filled = (values: Readonly<Record<string, number | undefined>>): RecordValues =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number] => (entry[1] ?? 0) !== 0),
  )

function peopleValues(facts: StoredFacts): RecordValues {
  const counts = (['descendants', 'ascendants'] as const).flatMap((side) => {
    const groups: Readonly<Record<string, { total: number; whole: number }>> = facts[side] ?? {}
    const fields: Readonly<Record<string, string>> = PEOPLE[side]
    return Object.entries(groups).flatMap(([name, { total, whole }]) => [
      [fields[name] ?? name, total] as const,
      [`${fields[name] ?? name}Whole`, whole] as const,
    ])
  })
  const shares = (facts.childShares ?? []).map(
    (share, at) => [`child${at + 1}Share`, share === 'whole' ? 1 : 2] as const,
  )
  return filled(Object.fromEntries([...counts, ...shares]))
}

/** Returns facts as the fields of a record. */
function factValues(facts: StoredFacts): RecordValues {
  const flag = (is: boolean | undefined): number => (is === true ? 1 : 0)
  const treasuries = Object.entries(TREASURIES).map(
    ([name, field]) => [field, facts.treasuries?.[name as keyof typeof TREASURIES]] as const,
  )
  const pensions = PENSION_TYPES.map(
    (type) => [type, flag(facts.pensionTypes?.includes(type) === true)] as const,
  )
  return {
    ...(facts.representativeNif === undefined ? {} : { partyRepresentative: facts.representativeNif }),
    ...(facts.spouseNif === undefined ? {} : { spouseNif: facts.spouseNif }),
    ...signed('incapacityPaid', facts.incapacityPaid ?? 0),
    ...signed('incapacityInKind', facts.incapacityInKind ?? 0),
    ...peopleValues(facts),
    ...filled({
      inKindCharged: facts.inKindCharged,
      dueYear: facts.dueYear,
      ceutaMelilla: facts.residence === undefined ? 0 : facts.residence === 'ceuta_melilla' ? 1 : 2,
      birthYear: facts.birthYear,
      familySituation: facts.familySituation,
      disability: facts.disability,
      contract: facts.contract,
      movedForJob: flag(facts.movedForJob),
      reductions: facts.reductions,
      deductibleCosts: facts.deductibleCosts,
      compensatoryPensions: facts.compensatoryPensions,
      childMaintenance: facts.childMaintenance,
      homeLoanNotice: flag(facts.homeLoan),
      incapacityWithheld: facts.incapacityWithheld,
      incapacityInKindWithheld: facts.incapacityInKindWithheld,
      incapacityInKindCharged: facts.incapacityInKindCharged,
      startUpShares: flag(facts.startUpShares),
      carriedInterest: flag(facts.carriedInterest),
      ...Object.fromEntries([...treasuries, ...pensions]),
    }),
  }
}

/** Returns the record of a person's wages without its head, or what keeps it out of the file. */
export function wageRecord(
  row: WageRecipientRow,
  year: number,
): { values: RecordValues; faults: null } | { values: null; faults: Fault[] } {
  const faults = faultsOfWages(row, year)
  if (faults.length > 0) return { values: null, faults }
  return {
    faults: null,
    values: {
      partyNif: row.nif,
      partyName: agencyText(row.name, NAME),
      province: Number(row.province),
      incomeKey: row.key,
      ...signed('paid', row.paid_cents),
      ...signed('inKind', row.in_kind_cents),
      ...filled({
        subkey: Number(row.subkey ?? 0),
        withheld: row.withheld_cents,
        inKindWithheld: row.in_kind_withheld_cents,
      }),
      ...factValues(factsOf(row.facts) ?? {}),
    },
  }
}
