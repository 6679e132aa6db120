/** Form state of what model 190 asks of a recipient of wages beside the amounts. Pure. */
import { takesFact } from '../../../../server/domain/tax/wage-keys.ts'
import type { WageFactName, WageKey } from '../../../../server/domain/tax/wage-keys.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'

type Facts = NonNullable<OutputOf<'fiscal.wageRecipients'>['recipients'][number]['facts']>

export const AMOUNT_FACTS = [
  'deductibleCosts',
  'reductions',
  'compensatoryPensions',
  'childMaintenance',
  'inKindCharged',
] as const
export const INCAPACITY_FACTS = [
  'incapacityPaid',
  'incapacityWithheld',
  'incapacityInKind',
  'incapacityInKindWithheld',
  'incapacityInKindCharged',
] as const
export const TREASURIES = ['state', 'navarre', 'alava', 'gipuzkoa', 'bizkaia'] as const
export const PENSIONS = [
  'retirement',
  'widowhood',
  'permanentIncapacity',
  'nonContributory',
  'otherPension',
] as const
export const GROUPS = {
  descendants: ['under3', 'others', 'disabled33', 'reducedMobility', 'disabled65'],
  ascendants: ['under75', 'from75', 'disabled33', 'reducedMobility', 'disabled65'],
} as const
const SHARES = 3

type AmountFact = (typeof AMOUNT_FACTS)[number] | (typeof INCAPACITY_FACTS)[number]
type YesNo = '' | 'yes' | 'no'

/** Texts as typed, cents or null for amounts; empty is not typed. */
export interface FactsForm {
  representativeNif: string
  dueYear: string
  residence: '' | NonNullable<Facts['residence']>
  birthYear: string
  familySituation: string
  spouseNif: string
  disability: string
  contract: string
  movedForJob: YesNo
  homeLoan: YesNo
  amounts: Record<AmountFact, number | null>
  descendants: Record<string, { total: string; whole: string }>
  ascendants: Record<string, { total: string; whole: string }>
  shares: ('' | 'whole' | 'half')[]
  treasuries: Record<(typeof TREASURIES)[number], number | null>
  startUpShares: boolean
  carriedInterest: boolean
  pensionTypes: (typeof PENSIONS)[number][]
}

const NAMES = [...AMOUNT_FACTS, ...INCAPACITY_FACTS]
const record = <Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> => Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>
const cents = (euros: number | undefined): number | null =>
  euros === undefined ? null : Math.round(euros * 100)
const text = (value: number | undefined): string => (value === undefined ? '' : String(value))
const count = (value: number | undefined): string => (value ? String(value) : '')
const yesNo = (value: boolean | undefined): YesNo => (value === undefined ? '' : value ? 'yes' : 'no')

/** Returns stored facts as they are edited. */
export function formOfFacts(facts: Facts = {}): FactsForm {
  const people = (side: keyof typeof GROUPS) => {
    const groups: Record<string, { total: number; whole: number }> = facts[side] ?? {}
    return record(GROUPS[side], (name) => ({
      total: count(groups[name]?.total),
      whole: count(groups[name]?.whole),
    }))
  }
  return {
    representativeNif: facts.representativeNif ?? '',
    dueYear: text(facts.dueYear),
    residence: facts.residence ?? '',
    birthYear: text(facts.birthYear),
    familySituation: text(facts.familySituation),
    spouseNif: facts.spouseNif ?? '',
    disability: text(facts.disability),
    contract: text(facts.contract),
    movedForJob: yesNo(facts.movedForJob),
    homeLoan: yesNo(facts.homeLoan),
    amounts: record(NAMES, (name) => cents(facts[name])),
    descendants: people('descendants'),
    ascendants: people('ascendants'),
    shares: Array.from({ length: SHARES }, (_, at) => facts.childShares?.[at] ?? ''),
    treasuries: record(TREASURIES, (name) => cents(facts.treasuries?.[name])),
    startUpShares: facts.startUpShares ?? false,
    carriedInterest: facts.carriedInterest ?? false,
    pensionTypes: [...(facts.pensionTypes ?? [])],
  }
}

/** Digits of a typed number; what is no number is sent as it is, so that the server refuses it. */
const whole = (typed: string): number | undefined => (typed.trim() === '' ? undefined : Number(typed))

function peopleSent(groups: FactsForm['descendants']): Record<string, object> | undefined {
  const isEmpty = Object.values(groups).every(({ total, whole: full }) => total === '' && full === '')
  return isEmpty
    ? undefined
    : Object.fromEntries(
        Object.entries(groups).map(([name, { total, whole: full }]) => [
          name,
          { total: whole(total) ?? 0, whole: whole(full) ?? 0 },
        ]),
      )
}

function sharesSent(shares: FactsForm['shares']): ('whole' | 'half')[] | undefined {
  const typed = shares.filter((share) => share !== '')
  return typed.length === 0 ? undefined : typed
}

function treasuriesSent(treasuries: FactsForm['treasuries']): Facts['treasuries'] {
  const isEmpty = Object.values(treasuries).every((amount) => amount === null)
  return isEmpty ? undefined : record(TREASURIES, (name) => (treasuries[name] ?? 0) / 100)
}

/** Returns what was typed, without the facts that the form does not take with this key; undefined if that is nothing. */
export function factsOfForm(form: FactsForm, key: WageKey, subkey: string | null): Facts | undefined {
  const nif = (typed: string) => (typed.trim() === '' ? undefined : typed.trim())
  const answer = (typed: YesNo) => (typed === '' ? undefined : typed === 'yes')
  const facts: Partial<Record<WageFactName, unknown>> = {
    representativeNif: nif(form.representativeNif),
    dueYear: whole(form.dueYear),
    residence: form.residence === '' ? undefined : form.residence,
    birthYear: whole(form.birthYear),
    familySituation: whole(form.familySituation),
    spouseNif: nif(form.spouseNif),
    disability: whole(form.disability),
    contract: whole(form.contract),
    movedForJob: answer(form.movedForJob),
    homeLoan: answer(form.homeLoan),
    descendants: peopleSent(form.descendants),
    ascendants: peopleSent(form.ascendants),
    childShares: sharesSent(form.shares),
    treasuries: treasuriesSent(form.treasuries),
    startUpShares: form.startUpShares || undefined,
    carriedInterest: form.carriedInterest || undefined,
    pensionTypes: form.pensionTypes.length === 0 ? undefined : form.pensionTypes,
    ...record(NAMES, (name) => (form.amounts[name] === null ? undefined : form.amounts[name] / 100)),
  }
  const taken = Object.entries(facts).filter(
    ([name, value]) => value !== undefined && takesFact(name as WageFactName, key, subkey),
  )
  return taken.length === 0 ? undefined : (Object.fromEntries(taken) as Facts)
}

/** Facts that may stay the same from one year to the next; amounts of a year do not. */
const LASTING = [
  'representativeNif',
  'residence',
  'birthYear',
  'familySituation',
  'spouseNif',
  'disability',
  'contract',
  'homeLoan',
  'descendants',
  'ascendants',
  'childShares',
  'pensionTypes',
] as const

/** Returns the facts of an earlier year that may still be true, for the user to check. */
export function lastingFacts(facts: Facts): Facts {
  return Object.fromEntries(
    Object.entries(facts).filter(([name]) => (LASTING as readonly string[]).includes(name)),
  ) as Facts
}
