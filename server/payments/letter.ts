/** The words of reminders, in three levels and two languages; figures come in, none is computed here. Pure. */
import type { ProgramLanguage } from '../core/languages.ts'
import { eurosFromCents } from '../core/money.ts'
import type { Cents } from '../core/money.ts'
import type { ReminderLetter } from './contract-reminders.ts'

export interface LetterInvoice {
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

export interface LetterFacts {
  level: 1 | 2 | 3
  language: ProgramLanguage
  date: string
  from: { name: string; lines: readonly string[]; iban: string | null; place: string | null }
  to: { name: string; lines: readonly string[]; email: string | null }
  invoices: readonly LetterInvoice[]
  claimsInterest: boolean
  /** The rates that took part, whole stretches over all invoices. */
  stretches: readonly InterestStretch[]
  isEstimated: boolean
}

const LOCALES: Readonly<Record<ProgramLanguage, string>> = { es: 'es-ES', en: 'en-IE' }

function euro(cents: Cents, language: ProgramLanguage): string {
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency: 'EUR',
    useGrouping: 'always',
  }).format(eurosFromCents(cents))
}

function day(date: string, language: ProgramLanguage): string {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(`${date}T12:00:00Z`),
  )
}

function shortDay(date: string): string {
  return `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
}

function rate(bp: number, language: ProgramLanguage): string {
  return new Intl.NumberFormat(LOCALES[language], { minimumFractionDigits: 2 }).format(bp / 100)
}

interface Words {
  subject: (numbers: string) => string
  greeting: (name: string) => string
  body: string[]
  after: string[]
  closing: string
}

/** More than these are counted in a subject instead of named. */
const NAMED = 3

function numbersOf(invoices: readonly LetterInvoice[], language: ProgramLanguage): string {
  const numbers = invoices.map(({ number }) => number)
  const more = numbers.length - NAMED
  const named =
    more > 0 ? [...numbers.slice(0, NAMED), `${more} ${language === 'es' ? 'más' : 'more'}`] : numbers
  const last = named.pop() ?? ''
  return named.length === 0 ? last : `${named.join(', ')} ${language === 'es' ? 'y' : 'and'} ${last}`
}

function spanish(facts: LetterFacts, total: string): Words {
  const many = facts.invoices.length > 1
  const what = many ? 'las facturas indicadas' : 'la factura indicada'
  const pay = facts.from.iban
    ? `Puede pagar por transferencia a la cuenta ${facts.from.iban}, indicando el número de factura.`
    : 'Por favor, indique el número de factura al pagar.'
  const law =
    'Los intereses de demora y la compensación por costes de cobro se reclaman conforme a los artículos 5 a 8 de la Ley 3/2004, de 29 de diciembre, y se devengan sin necesidad de aviso previo.'
  const interest = facts.claimsInterest ? [law] : []
  const greeting = (name: string): string => `Estimado cliente, ${name}:`
  const closing = 'Atentamente,'
  if (facts.level === 1)
    return {
      subject: (numbers) => `Recordatorio de pago: ${many ? 'facturas' : 'factura'} ${numbers}`,
      greeting,
      body: [
        `Le recordamos que, a fecha de hoy, no nos consta el pago de ${what} a continuación. Es posible que se trate de un descuido.`,
      ],
      after: [
        ...interest,
        pay,
        'Si ya ha hecho el pago, no tenga en cuenta este mensaje. Para cualquier duda, estamos a su disposición.',
      ],
      closing: 'Un cordial saludo,',
    }
  if (facts.level === 2)
    return {
      subject: (numbers) => `Segundo aviso: ${many ? 'facturas vencidas' : 'factura vencida'} ${numbers}`,
      greeting,
      body: [
        `Seguimos sin recibir el pago de ${what} a continuación, cuyo plazo ha vencido. Le pedimos que abone ${total} en un plazo de siete días.`,
      ],
      after: [
        ...interest,
        pay,
        'Si existe algún motivo para no pagar, comuníquenoslo dentro de ese mismo plazo.',
      ],
      closing,
    }
  return {
    subject: (numbers) => `Último aviso antes de reclamar: ${many ? 'facturas' : 'factura'} ${numbers}`,
    greeting,
    body: [
      `A pesar de nuestros avisos, ${many ? 'siguen impagadas' : 'sigue impagada'} ${what} a continuación. Le requerimos formalmente el pago de ${total} en un plazo de diez días desde la recepción de esta carta.`,
      'Esta carta interrumpe la prescripción de la deuda (artículo 1973 del Código Civil).',
    ],
    after: [
      ...interest,
      pay,
      'De no recibir el pago en ese plazo, reclamaremos la deuda por la vía judicial, con los intereses y las costas que correspondan, sin más aviso.',
    ],
    closing,
  }
}

function english(facts: LetterFacts, total: string): Words {
  const many = facts.invoices.length > 1
  const what = many ? 'the invoices below' : 'the invoice below'
  const pay = facts.from.iban
    ? `Please pay by transfer to ${facts.from.iban}, quoting the invoice number.`
    : 'Please quote the invoice number when you pay.'
  const law =
    'Late payment interest and the compensation for recovery costs are claimed under articles 5 to 8 of the Spanish Act 3/2004 (Directive 2011/7/EU); they fall due without further notice.'
  const interest = facts.claimsInterest ? [law] : []
  const greeting = (name: string): string => `Dear ${name},`
  if (facts.level === 1)
    return {
      subject: (numbers) => `Payment reminder: ${many ? 'invoices' : 'invoice'} ${numbers}`,
      greeting,
      body: [
        `Our records show that ${what} ${many ? 'have' : 'has'} not been paid yet. It may just be an oversight.`,
      ],
      after: [
        ...interest,
        pay,
        'If you have paid in the meantime, please disregard this message. If anything is unclear, let us know.',
      ],
      closing: 'Kind regards,',
    }
  if (facts.level === 2)
    return {
      subject: (numbers) => `Second notice: overdue ${many ? 'invoices' : 'invoice'} ${numbers}`,
      greeting,
      body: [`We have still not received the payment of ${what}. Please pay ${total} within seven days.`],
      after: [...interest, pay, 'If there is a reason not to pay, please tell us within the same time.'],
      closing: 'Yours faithfully,',
    }
  return {
    subject: (numbers) => `Final notice before legal action: ${many ? 'invoices' : 'invoice'} ${numbers}`,
    greeting,
    body: [
      `In spite of our notices, ${what} ${many ? 'remain' : 'remains'} unpaid. We formally demand payment of ${total} within ten days of receiving this letter.`,
      'This letter interrupts the limitation period of the debt (article 1973 of the Spanish Civil Code).',
    ],
    after: [
      ...interest,
      pay,
      'If the payment does not arrive within that time, we will claim the debt in court, with interest and costs, without further notice.',
    ],
    closing: 'Yours faithfully,',
  }
}

const HEADS = {
  es: ['Factura', 'Fecha', 'Vencimiento', 'Días', 'Pendiente', 'Intereses', 'Costes de cobro', 'Total'],
  en: ['Invoice', 'Date', 'Due', 'Days late', 'Unpaid', 'Interest', 'Recovery costs', 'Total'],
} as const

/** Positions of the columns that only a letter claiming interest has. */
const INTEREST_COLUMNS = new Set([5, 6])

function columns<T>(cells: readonly T[], claimsInterest: boolean): T[] {
  return cells.filter((_, index) => claimsInterest || !INTEREST_COLUMNS.has(index))
}

function sum(invoices: readonly LetterInvoice[], of: (invoice: LetterInvoice) => Cents): Cents {
  return invoices.reduce((total, invoice) => total + of(invoice), 0)
}

function stretchText(stretch: InterestStretch, language: ProgramLanguage): string {
  const { from, to, days, rateBp } = stretch
  return language === 'es'
    ? `Del ${shortDay(from)} al ${shortDay(to)}: ${days} ${days === 1 ? 'día' : 'días'} al ${rate(rateBp, language)} %`
    : `From ${shortDay(from)} to ${shortDay(to)}: ${days} ${days === 1 ? 'day' : 'days'} at ${rate(rateBp, language)} %`
}

/** The letter: its parts for a page, and the whole as plain text for a message. */
export function writeLetter(facts: LetterFacts): ReminderLetter {
  const { language, claimsInterest, invoices } = facts
  const dueCents = sum(invoices, (invoice) => invoice.dueCents)
  const interestCents = claimsInterest ? sum(invoices, (invoice) => invoice.interestCents) : 0
  const recoveryCents = claimsInterest ? sum(invoices, (invoice) => invoice.recoveryCents) : 0
  const totalCents = dueCents + interestCents + recoveryCents
  const money = (cents: Cents): string => euro(cents, language)
  const words = (language === 'es' ? spanish : english)(facts, money(totalCents))
  const rows = invoices.map((invoice) =>
    columns(
      [
        invoice.number,
        shortDay(invoice.issueDate),
        shortDay(invoice.dueDate),
        String(invoice.daysLate),
        money(invoice.dueCents),
        money(invoice.interestCents),
        money(invoice.recoveryCents),
        money(invoice.dueCents + (claimsInterest ? invoice.interestCents + invoice.recoveryCents : 0)),
      ],
      claimsInterest,
    ),
  )
  const head = columns(HEADS[language], claimsInterest)
  const total = columns(
    ['Total', '', '', '', money(dueCents), money(interestCents), money(recoveryCents), money(totalCents)],
    claimsInterest,
  )
  const estimated =
    language === 'es'
      ? 'El último tipo es provisional hasta que se publique el del semestre.'
      : 'The last rate is provisional until that of the half-year is published.'
  const interest = claimsInterest
    ? [
        ...facts.stretches.map((stretch) => stretchText(stretch, language)),
        ...(facts.isEstimated ? [estimated] : []),
      ]
    : []
  const subject = words.subject(numbersOf(invoices, language))
  const greeting = words.greeting(facts.to.name)
  const dateLine = [facts.from.place, day(facts.date, language)].filter(Boolean).join(', ')
  const lines = rows.map((row) => head.map((label, index) => `${label}: ${row[index] ?? ''}`).join(' · '))
  const text = [
    dateLine,
    greeting,
    ...words.body,
    [...lines, `Total: ${money(totalCents)}`].join('\n'),
    ...(interest.length > 0
      ? [
          [
            language === 'es' ? 'Cálculo de los intereses:' : 'How the interest was computed:',
            ...interest,
          ].join('\n'),
        ]
      : []),
    ...words.after,
    `${words.closing}\n${facts.from.name}`,
  ].join('\n\n')
  return {
    level: facts.level,
    language,
    date: facts.date,
    from: [facts.from.name, ...facts.from.lines],
    to: [facts.to.name, ...facts.to.lines],
    email: facts.to.email,
    subject,
    greeting,
    paragraphs: words.body,
    table: { head, rows, total },
    interestLines: interest,
    after: words.after,
    closing: words.closing,
    signature: facts.from.name,
    text,
    amountDue: eurosFromCents(dueCents),
    interest: eurosFromCents(interestCents),
    recovery: eurosFromCents(recoveryCents),
    total: eurosFromCents(totalCents),
  }
}
