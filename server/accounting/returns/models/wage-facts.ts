/**
 * What model 190 asks of a recipient of wages beside the amounts: its stored form, and what cannot be true of it. Source:
 * the tax agency's design of records 190 of 2025 (Orden HAC/1431/2025), record 2, positions 153 to 394.
 */
import type { Fault } from '../../../domain/errors/app-error.ts'
import { centsFromEuros, eurosFromCents } from '../../../domain/money.ts'
import { checkNif } from '../../../domain/tax/nif.ts'
import { takesFact, WAGE_FACTS } from '../../../domain/tax/wage-keys.ts'
import type { WageKey } from '../../../domain/tax/wage-keys.ts'
import type { WageFacts } from './recipients-contract.ts'

const AMOUNTS = [
  'inKindCharged',
  'reductions',
  'deductibleCosts',
  'compensatoryPensions',
  'childMaintenance',
  'incapacityPaid',
  'incapacityWithheld',
  'incapacityInKind',
  'incapacityInKindWithheld',
  'incapacityInKindCharged',
] as const satisfies readonly (keyof WageFacts)[]

/** Youngest age at which nobody needs a representative in tax matters. Source: the design, positions 27-35. */
const OWN_NUMBER_AGE = 14
const OLDEST = 110

/** Facts with their amounts in cents, as they are stored. */
export type StoredFacts = WageFacts

function converted(facts: WageFacts, convert: (amount: number) => number): WageFacts {
  const { treasuries } = facts
  return {
    ...facts,
    ...Object.fromEntries(
      AMOUNTS.flatMap((name) => (facts[name] === undefined ? [] : [[name, convert(facts[name])]])),
    ),
    ...(treasuries === undefined
      ? {}
      : {
          treasuries: Object.fromEntries(
            Object.entries(treasuries).map(([name, amount]) => [name, convert(amount)]),
          ) as typeof treasuries,
        }),
  }
}

/** Returns the text under which facts are stored; null if there are none. */
export function factsText(facts: WageFacts | undefined): string | null {
  if (facts === undefined || Object.keys(facts).length === 0) return null
  const { spouseNif, representativeNif } = facts
  const stored: StoredFacts = {
    ...converted(facts, (euros) => centsFromEuros(euros) ?? 0),
    ...(spouseNif === undefined ? {} : { spouseNif: checkNif(spouseNif).nif }),
    ...(representativeNif === undefined ? {} : { representativeNif: checkNif(representativeNif).nif }),
  }
  return JSON.stringify(stored)
}

/** Returns stored facts, in cents; null if nobody has typed any. */
export function factsOf(text: string | null): StoredFacts | null {
  return text === null ? null : (JSON.parse(text) as StoredFacts)
}

/** Returns stored facts in euros. */
export function factsView(text: string | null): WageFacts | undefined {
  const stored = factsOf(text)
  return stored === null ? undefined : converted(stored, eurosFromCents)
}

interface Typed {
  nif: string
  key: WageKey
  subkey: string | null
  facts?: WageFacts | undefined
}

type Groups = NonNullable<WageFacts['descendants'] | WageFacts['ascendants']>

/** Checks that of each group no more count whole than there are, and that groups within others are no larger. */
function faultsOfPeople(groups: Groups, path: string): Fault[] {
  const faults: Fault[] = Object.entries(groups).flatMap(([name, { total, whole }]) =>
    whole <= total
      ? []
      : [
          {
            code: 'wage_whole_over_total',
            field: `${path}.${name}.whole`,
            severity: 'error',
            message: 'More people count whole than there are.',
            fix: 'Check both numbers.',
          },
        ],
  )
  const isTooMany = {
    reducedMobility: groups.reducedMobility.total > groups.disabled33.total,
    disabled65:
      'under3' in groups &&
      groups.disabled33.total + groups.disabled65.total > groups.under3.total + groups.others.total,
  }
  for (const [name, isWrong] of Object.entries(isTooMany))
    if (isWrong)
      faults.push({
        code: 'wage_counts_differ',
        field: `${path}.${name}.total`,
        severity: 'error',
        message: 'These people belong to a group with fewer people.',
        fix: 'Count them in both groups.',
      })
  return faults
}

/** Checks how the three eldest descendants counted against the numbers of descendants. */
function faultsOfShares({ descendants, childShares = [] }: WageFacts, path: string): Fault[] {
  const { under3, others } = descendants ?? {}
  const total = (under3?.total ?? 0) + (others?.total ?? 0)
  const whole = (under3?.whole ?? 0) + (others?.whole ?? 0)
  const shownWhole = childShares.filter((share) => share === 'whole').length
  const isWrong =
    childShares.length > total ||
    shownWhole > whole ||
    (childShares.length === total && shownWhole !== whole) ||
    childShares.length - shownWhole > total - whole
  return childShares.length > 0 && isWrong
    ? [
        {
          code: 'wage_counts_differ',
          field: `${path}.childShares`,
          severity: 'error',
          message: 'The eldest descendants do not match the numbers of descendants.',
          fix: 'Check how many there are, and how many count whole.',
        },
      ]
    : []
}

function faultsOfNumber(nif: string | undefined, field: string, others: readonly string[]): Fault[] {
  if (nif === undefined) return []
  const check = checkNif(nif)
  const isPerson = check.ok && check.kind !== 'entity'
  const isMistyped = !check.ok && check.reason === 'control'
  if (!isPerson)
    return [
      {
        code: isMistyped ? 'nif_invalid' : 'nif_not_of_person',
        field,
        severity: 'error',
        message: 'That is not the tax number of a person.',
        fix: 'Copy the NIF or NIE from the document of that person.',
        params: { nif },
      },
    ]
  return others.includes(check.nif)
    ? [
        {
          code: 'wage_same_person',
          field,
          severity: 'error',
          message: 'This number is that of the recipient or of the business.',
          fix: 'Type the number of the other person.',
          params: { nif },
        },
      ]
    : []
}

function faultsOfAmounts(facts: WageFacts, inKindWithheld: number, path: string): Fault[] {
  const parts = [
    ['inKindCharged', inKindWithheld],
    ['incapacityWithheld', facts.incapacityPaid ?? 0],
    ['incapacityInKindWithheld', facts.incapacityInKind ?? 0],
    ['incapacityInKindCharged', facts.incapacityInKindWithheld ?? 0],
  ] as const
  return parts.flatMap(([name, whole]) =>
    (facts[name] ?? 0) <= Math.abs(whole)
      ? []
      : [
          {
            code: 'withheld_over_paid',
            field: `${path}.${name}`,
            severity: 'error' as const,
            message: 'This is more than the amount of which it is a part.',
            fix: 'Check both amounts.',
          },
        ],
  )
}

function faultsOfYears({ birthYear, dueYear, representativeNif }: WageFacts, year: number, path: string) {
  const faults: Fault[] = []
  if (birthYear !== undefined && (birthYear > year || birthYear < year - OLDEST))
    faults.push({
      code: 'birth_year_unlikely',
      field: `${path}.birthYear`,
      severity: 'error',
      message: 'Nobody who was born in that year is paid in the year of the return.',
      fix: 'Type the four digits of the year of birth.',
    })
  else if (birthYear !== undefined && representativeNif !== undefined && year - birthYear > OWN_NUMBER_AGE)
    faults.push({
      code: 'wage_representative_of_adult',
      field: `${path}.representativeNif`,
      severity: 'error',
      message: 'Only minors under 14 have a legal representative in the return.',
      fix: 'Take the number out, or check the year of birth.',
    })
  if (dueYear !== undefined && dueYear >= year)
    faults.push({
      code: 'due_year_not_before',
      field: `${path}.dueYear`,
      severity: 'error',
      message: 'Only an earlier year is typed here.',
      fix: 'Leave it empty for what was due in the year of the return.',
    })
  return faults
}

/** Returns what cannot be true of typed facts; what is only missing is not a fault yet. */
export function faultsOfFacts(
  recipient: Typed & { inKindWithheld: number },
  path: string,
  { year, filerNif }: { year: number; filerNif: string },
): Fault[] {
  const { key, subkey, facts = {} } = recipient
  const faults: Fault[] = WAGE_FACTS.flatMap((name) =>
    facts[name] === undefined || takesFact(name, key, subkey)
      ? []
      : [
          {
            code: 'wage_fact_not_of_key',
            field: `${path}.${name}`,
            severity: 'error',
            message: 'The form does not take this with that key.',
            fix: 'Take it out, or check key and subkey.',
            params: { key: key + (subkey ?? '') },
          },
        ],
  )
  if (facts.spouseNif !== undefined && facts.familySituation !== 2)
    faults.push({
      code: 'spouse_without_situation',
      field: `${path}.spouseNif`,
      severity: 'error',
      message: 'The form takes the number of the spouse only in family situation 2.',
      fix: 'Take it out, or check the situation.',
    })
  const own = [checkNif(recipient.nif).nif, filerNif]
  return [
    ...faults,
    ...faultsOfNumber(facts.spouseNif, `${path}.spouseNif`, own),
    ...faultsOfNumber(facts.representativeNif, `${path}.representativeNif`, own.slice(0, 1)),
    ...faultsOfYears(facts, year, path),
    ...(facts.descendants ? faultsOfPeople(facts.descendants, `${path}.descendants`) : []),
    ...(facts.ascendants ? faultsOfPeople(facts.ascendants, `${path}.ascendants`) : []),
    ...faultsOfShares(facts, path),
    ...faultsOfAmounts(facts, recipient.inKindWithheld, path),
  ]
}
