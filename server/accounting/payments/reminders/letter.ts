/**
 * Writes payment letters before and after the due date in the customer's language; amounts are given, not computed
 * here. Pure.
 */
import { LOCALES } from '../../../domain/languages.ts'
import type { DocumentLanguage } from '../../../domain/languages.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import type { ReminderLetter } from './contract.ts'
import { LETTER_MESSAGES } from './letter-messages.ts'
import type { LetterLevel } from './letter-messages.ts'

interface LetterInvoice {
  number: string
  issueDate: string
  dueDate: string
  daysLate: number
  dueCents: Cents
  interestCents: Cents
  recoveryCents: Cents
}

export interface InterestStretch {
  from: string
  to: string
  days: number
  rateBp: number
}

interface LetterFacts {
  level: LetterLevel
  language: DocumentLanguage
  date: string
  from: { name: string; lines: readonly string[]; iban: string | null; place: string | null }
  to: { name: string; lines: readonly string[]; email: string | null }
  invoices: readonly LetterInvoice[]
  claimsInterest: boolean
  /** Interest rates applied, with their periods over all invoices. */
  stretches: readonly InterestStretch[]
  isEstimated: boolean
}

function euro(cents: Cents, language: DocumentLanguage): string {
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency: 'EUR',
    useGrouping: 'always',
  }).format(eurosFromCents(cents))
}

function day(date: string, language: DocumentLanguage): string {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(`${date}T12:00:00Z`),
  )
}

function shortDay(date: string): string {
  return `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
}

function rate(bp: number, language: DocumentLanguage): string {
  return new Intl.NumberFormat(LOCALES[language], { minimumFractionDigits: 2 }).format(bp / 100)
}

/** A subject names up to this many invoices; more are only counted. */
const NAMED = 3

function numbersOf(invoices: readonly LetterInvoice[], language: DocumentLanguage): string {
  const { and, more } = LETTER_MESSAGES[language]
  const numbers = invoices.map(({ number }) => number)
  const rest = numbers.length - NAMED
  const named = rest > 0 ? [...numbers.slice(0, NAMED), more(rest)] : numbers
  const last = named.pop() ?? ''
  return named.length === 0 ? last : `${named.join(', ')} ${and} ${last}`
}

/** Positions of the columns that only a letter with interest has. */
const INTEREST_COLUMNS = new Set([5, 6])

function columns<T>(cells: readonly T[], claimsInterest: boolean): T[] {
  return cells.filter((_, index) => claimsInterest || !INTEREST_COLUMNS.has(index))
}

function sum(invoices: readonly LetterInvoice[], of: (invoice: LetterInvoice) => Cents): Cents {
  return invoices.reduce((total, invoice) => total + of(invoice), 0)
}

/** Returns the letter: its parts for a page, and the whole as plain text for a message. */
export function writeLetter(facts: LetterFacts): ReminderLetter {
  const { language, claimsInterest, invoices, level } = facts
  const words = LETTER_MESSAGES[language]
  const isMany = invoices.length > 1
  const dueCents = sum(invoices, (invoice) => invoice.dueCents)
  const interestCents = claimsInterest ? sum(invoices, (invoice) => invoice.interestCents) : 0
  const recoveryCents = claimsInterest ? sum(invoices, (invoice) => invoice.recoveryCents) : 0
  const totalCents = dueCents + interestCents + recoveryCents
  const money = (cents: Cents): string => euro(cents, language)
  const withClaim = (invoice: LetterInvoice): Cents =>
    invoice.dueCents + (claimsInterest ? invoice.interestCents + invoice.recoveryCents : 0)
  const rows = invoices.map((invoice) =>
    columns(
      [
        invoice.number,
        shortDay(invoice.issueDate),
        shortDay(invoice.dueDate),
        String(Math.max(0, invoice.daysLate)),
        money(invoice.dueCents),
        money(invoice.interestCents),
        money(invoice.recoveryCents),
        money(withClaim(invoice)),
      ],
      claimsInterest,
    ),
  )
  const total = columns(
    ['Total', '', '', '', money(dueCents), money(interestCents), money(recoveryCents), money(totalCents)],
    claimsInterest,
  )
  const items = invoices.map((invoice) => {
    const said = words.item({
      number: invoice.number,
      issued: day(invoice.issueDate, language),
      amount: money(invoice.dueCents),
      due: day(invoice.dueDate, language),
      daysLate: invoice.daysLate,
    })
    if (!claimsInterest) return said
    const claim = words.claim(
      money(invoice.interestCents),
      money(invoice.recoveryCents),
      money(withClaim(invoice)),
    )
    return `${said} ${claim}`
  })
  const interest = claimsInterest
    ? [
        ...facts.stretches.map(({ from, to, days, rateBp }) =>
          words.stretch(shortDay(from), shortDay(to), days, rate(rateBp, language)),
        ),
        ...(facts.isEstimated ? [words.estimated] : []),
      ]
    : []
  const subject = words.subject[level](isMany, numbersOf(invoices, language))
  const greeting = words.greeting(facts.to.name)
  const intro = [...words.intro[level](isMany, money(totalCents))]
  const after = [
    ...(claimsInterest ? [words.law] : []),
    facts.from.iban ? words.payTo(facts.from.iban) : words.pay,
    words.ending[level],
  ]
  const closing = words.closing[level]
  const text = [
    [facts.from.place, day(facts.date, language)].filter(Boolean).join(', '),
    greeting,
    ...intro,
    // One invoice is a sentence of the letter; several are a list with its total.
    ...(isMany ? [[...items.map((item) => `– ${item}`), words.total(money(totalCents))].join('\n')] : items),
    ...(interest.length > 0 ? [[words.computation, ...interest].join('\n')] : []),
    ...after,
    `${closing}\n${facts.from.name}`,
  ].join('\n\n')
  return {
    level,
    language,
    date: facts.date,
    from: [facts.from.name, ...facts.from.lines],
    to: [facts.to.name, ...facts.to.lines],
    email: facts.to.email,
    subject,
    greeting,
    paragraphs: intro,
    table: { head: columns(words.head, claimsInterest), rows, total },
    interestLines: interest,
    after,
    closing,
    signature: facts.from.name,
    text,
    amountDue: eurosFromCents(dueCents),
    interest: eurosFromCents(interestCents),
    recovery: eurosFromCents(recoveryCents),
    total: eurosFromCents(totalCents),
  }
}
