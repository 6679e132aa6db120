/** Compares what was read with the truth of a corpus: right, missing and wrong by field and kind, and wrong but sure. */
import type { Reading } from '../../server/purchases/intake/reading/field-value.ts'
import type { TruthDocument, TruthFields, TruthLine } from './truth.ts'

type Field = keyof TruthFields
type Verdict = 'right' | 'missing' | 'wrong'

/** What was read of a document, in the form of its truth, with the fields that are called sure. */
export interface Found {
  fields: Partial<TruthFields>
  sure: ReadonlySet<Field>
  /** Why the money is not proven. */
  vetoes?: readonly string[]
}

const SURE_LEVELS: readonly string[] = ['proven', 'known']
const euros = (cents: number | null): number | null => (cents === null ? null : cents / 100)

/** Converts a reading into the form of a truth. */
export function foundOf({ kind, fields, vetoes }: Reading): Found {
  const { taxLines, withholding, number, ...rest } = fields
  const sure = new Set<Field>()
  for (const [name, { level }] of Object.entries(fields))
    if (SURE_LEVELS.includes(level)) sure.add(name as Field)
  return {
    sure,
    vetoes,
    fields: {
      docType: kind,
      supplierName: rest.supplierName.value,
      supplierNif: rest.supplierNif.value,
      customerNif: rest.customerNif.value,
      number: number.value,
      issueDate: rest.issueDate.value,
      dueDate: rest.dueDate.value,
      currency: rest.currency.value ?? 'EUR',
      taxLines: (taxLines.value ?? []).map((line) => ({
        base: line.baseCents / 100,
        vatRate: line.rateBp / 100,
        tax: line.taxCents / 100,
        ...(line.surchargeBp === null
          ? {}
          : { surchargeRate: line.surchargeBp / 100, surcharge: line.surchargeCents / 100 }),
      })),
      withholding:
        withholding.value === null
          ? null
          : { rate: withholding.value.rateBp / 100, amount: withholding.value.amountCents / 100 },
      supplied: euros(rest.supplied.value),
      total: euros(rest.total.value),
      payable: euros(rest.payable.value),
      paymentMethod: rest.paymentMethod.value,
      iban: rest.iban.value,
      category: rest.category.value,
    },
  }
}

const isNone = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0)
const cents = (value: number | null | undefined): number | null =>
  value == null ? null : Math.round(value * 100)
const bare = (text: unknown): string =>
  typeof text === 'string' ? text.toUpperCase().replace(/[^A-Z0-9]/g, '') : ''
const nif = (text: unknown): string => bare(text).replace(/^ES(?=[A-Z0-9]{9}$)/, '')

/** A name without accents, case, punctuation and legal form. */
function plainName(text: unknown): string {
  return (typeof text === 'string' ? text : '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[,.·']/g, ' ')
    .replace(/\b(?:s ?l ?u?|s ?a ?u?|s ?a ?l|c ?b|coop v|inc|llc|corp|gmbh|sarl|s a r l)\b\.?/g, ' ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

/** Returns the Levenshtein distance of two texts. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        (next[j - 1] ?? 0) + 1,
        (previous[j] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
    previous = next
  }
  return previous[b.length] ?? 0
}

function isSameName(a: unknown, b: unknown): boolean {
  const [x, y] = [plainName(a), plainName(b)]
  return x !== '' && 1 - distance(x, y) / Math.max(x.length, y.length) >= 0.9
}

function linesKey(lines: readonly TruthLine[] | undefined): string {
  return (lines ?? [])
    .filter(({ base }) => cents(base) !== 0)
    .map(({ vatRate, base, tax, surcharge }) =>
      [vatRate.toFixed(2), cents(base), cents(tax), cents(surcharge ?? 0)].join('|'),
    )
    .toSorted()
    .join(' ')
}

type Compare = (truth: TruthFields, found: Partial<TruthFields>) => boolean

const alike =
  (field: Field, form: (value: unknown) => unknown = (value) => value): Compare =>
  (truth, found) =>
    form(truth[field]) === form(found[field])
const amount = (value: unknown): unknown => cents(value as number | null)

const COMPARE: Record<Field, Compare> = {
  supplierName: (truth, found) => isSameName(truth.supplierName, found.supplierName),
  supplierNif: alike('supplierNif', nif),
  number: alike('number', bare),
  issueDate: alike('issueDate'),
  dueDate: alike('dueDate'),
  taxLines: (truth, found) => linesKey(truth.taxLines) === linesKey(found.taxLines),
  withholding: (truth, found) =>
    cents(truth.withholding?.amount) === cents(found.withholding?.amount) &&
    truth.withholding?.rate === found.withholding?.rate,
  supplied: alike('supplied', amount),
  total: alike('total', amount),
  payable: alike('payable', amount),
  currency: alike('currency'),
  docType: (truth, found) => (truth.docType === 'credit') === (found.docType === 'credit'),
  customerNif: alike('customerNif', nif),
  paymentMethod: alike('paymentMethod'),
  iban: alike('iban', bare),
  category: alike('category'),
}
export const FIELDS = Object.keys(COMPARE) as Field[]
const MONEY: readonly Field[] = ['taxLines', 'withholding', 'supplied', 'total', 'payable']
const KEY: readonly Field[] = [...MONEY, 'supplierNif', 'number', 'issueDate']

/** Returns whether a field was read rightly; what the document does not state must not be read. */
function verdictOf(field: Field, truth: TruthFields, found: Partial<TruthFields>): Verdict {
  // A document that is due on its own day need not say so.
  const isDueAtOnce = field === 'dueDate' && truth.dueDate === truth.issueDate
  if (isNone(truth[field])) return isNone(found[field]) ? 'right' : 'wrong'
  if (isNone(found[field]) && field !== 'docType') return isDueAtOnce ? 'right' : 'missing'
  return COMPARE[field](truth, found) ? 'right' : 'wrong'
}

interface Tally {
  right: number
  missing: number
  wrong: number
  sure: number
  /** Documents in which the field is wrong or missing but called sure. */
  wrongButSure: string[]
}

interface Whole {
  documents: number
  money: number
  key: number
  moneySure: number
  moneyWrongButSure: string[]
}

/** What is not right in one document. */
interface DocumentFaults {
  id: string
  weight: number
  faults: string[]
  vetoes: readonly string[]
}

export interface Score {
  fields: Record<Field, Tally>
  whole: Whole
  kinds: Record<string, Whole>
  layouts: Record<string, Whole>
  /** One line for each field that is not right. */
  faults: string[]
  documents: DocumentFaults[]
}

/** Wrong but sure is the worst; money and key fields weigh more than the others, wrong more than missing. */
const weightOf = (field: Field, verdict: Verdict, isSure: boolean): number =>
  (KEY.includes(field) ? 3 : 1) * (verdict === 'wrong' ? 2 : 1) + (isSure ? 20 : 0)

const noWhole = (): Whole => ({ documents: 0, money: 0, key: 0, moneySure: 0, moneyWrongButSure: [] })

/** Scores what was read of each document; one that is absent counts as not found. */
export function scoreOf(documents: readonly TruthDocument[], found: ReadonlyMap<string, Found>): Score {
  const score: Score = {
    fields: Object.fromEntries(
      FIELDS.map((field) => [field, { right: 0, missing: 0, wrong: 0, sure: 0, wrongButSure: [] }]),
    ) as unknown as Score['fields'],
    whole: noWhole(),
    kinds: {},
    layouts: {},
    faults: [],
    documents: [],
  }
  for (const { id, kind, layout, fields: truth } of documents) {
    const { fields, sure, vetoes = [] } = found.get(id) ?? { fields: {}, sure: new Set<Field>() }
    const document: DocumentFaults = { id, weight: 0, faults: [], vetoes }
    score.documents.push(document)
    const verdicts = new Map<Field, Verdict>()
    for (const field of FIELDS) {
      const verdict = verdictOf(field, truth, fields)
      verdicts.set(field, verdict)
      const tally = score.fields[field]
      tally[verdict] += 1
      if (sure.has(field)) tally.sure += 1
      if (verdict === 'right') continue
      if (sure.has(field)) tally.wrongButSure.push(id)
      const fault = `${field} ${verdict}${sure.has(field) ? ' SURE' : ''}: ${JSON.stringify(truth[field])} read as ${JSON.stringify(fields[field])}`
      score.faults.push(`${id} ${fault}`)
      document.faults.push(fault)
      document.weight += weightOf(field, verdict, sure.has(field))
    }
    const isRight = (field: Field): boolean => verdicts.get(field) === 'right'
    for (const whole of [
      score.whole,
      (score.kinds[kind] ??= noWhole()),
      (score.layouts[layout] ??= noWhole()),
    ]) {
      whole.documents += 1
      if (MONEY.every(isRight)) whole.money += 1
      if (KEY.every(isRight)) whole.key += 1
      if (!sure.has('total') || !sure.has('taxLines')) continue
      whole.moneySure += 1
      if (!MONEY.every(isRight)) whole.moneyWrongButSure.push(id)
    }
  }
  return score
}

/** Returns the documents with most faults, the worst first, with what is not right and why the money is not proven. */
export function worstOf({ documents }: Score, count: number): string {
  const worst = documents
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, count)
  return worst
    .flatMap(({ id, faults, vetoes }) => [
      id + (vetoes.length > 0 ? ` (not sure: ${vetoes.join(', ')})` : ''),
      ...faults.map((fault) => `    ${fault}`),
    ])
    .join('\n')
}

/** Returns one row for each variant: money and key fields right, called sure, wrong but sure in money and in any field. */
export function summaryOf(scores: ReadonlyMap<string, Score>): string {
  const rows = [...scores].map(([title, { whole, fields }]) => {
    const anyWrong = new Set(FIELDS.flatMap((field) => fields[field].wrongButSure)).size
    const share = (part: number): string =>
      `${part} (${((100 * part) / Math.max(whole.documents, 1)).toFixed(0)} %)`.padStart(13)
    return [
      title.padEnd(10),
      String(whole.documents).padStart(9),
      ...[whole.money, whole.key, whole.moneySure].map(share),
      String(whole.moneyWrongButSure.length).padStart(17),
      String(anyWrong).padStart(15),
    ].join('')
  })
  return [
    'variant   documents        money          key   money sure  money wrong sure  any wrong sure',
    ...rows,
  ].join('\n')
}

/** Returns a score as a table for people. */
export function tableOf(title: string, score: Score): string {
  const { whole } = score
  const rows = FIELDS.map((field) => {
    const { right, missing, wrong, sure, wrongButSure } = score.fields[field]
    const share = `${((100 * right) / Math.max(whole.documents, 1)).toFixed(0)} %`
    return [
      field.padEnd(15),
      share.padStart(6),
      ...[missing, wrong, sure, wrongButSure.length].map((each) => String(each).padStart(9)),
      ` ${wrongButSure.slice(0, 6).join(' ')}`,
    ].join('')
  })
  const groups = (of: Record<string, Whole>): string[] =>
    Object.entries(of).map(
      ([name, each]) =>
        `${name.padEnd(15)}${String(each.documents).padStart(6)}${String(each.money).padStart(9)}${String(each.key).padStart(9)}${String(each.moneySure).padStart(9)}${String(each.moneyWrongButSure.length).padStart(9)}`,
    )
  return [
    `== ${title} (${whole.documents} documents)`,
    'field            right  missing    wrong     sure  wrong but sure',
    ...rows,
    'kind         documents    money      key money sure  wrong but sure',
    ...groups(score.kinds),
    'layout',
    ...groups(score.layouts),
    `money all right ${whole.money}, key fields all right ${whole.key}, money called sure ${whole.moneySure}, of these wrong ${whole.moneyWrongButSure.length}`,
  ].join('\n')
}
