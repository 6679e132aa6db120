/** Built-in mail templates, and the placeholders allowed in them. Pure: facts come in, text goes out. */
import { LOCALES, programLanguage } from '../../domain/languages.ts'
import type { DocumentLanguage, ProgramLanguage } from '../../domain/languages.ts'
import type { TemplateKind } from './contract.ts'

export const TEMPLATE_KINDS = [
  'invoice',
  'quote',
  'reminder_1',
  'reminder_2',
  'reminder_3',
  'statement',
] as const satisfies readonly TemplateKind[]

/** Facts that a template can use. */
type Fact =
  | 'client'
  | 'company'
  | 'document'
  | 'number'
  | 'date'
  | 'dueDate'
  | 'validUntil'
  | 'total'
  | 'amountDue'
  | 'iban'
  | 'subject'
  | 'letter'
  | 'from'
  | 'until'
  | 'balance'
export type Facts = Partial<Record<Fact, string>>

/** Name of each fact in the program's languages; a template may use either, whatever its own language. */
const NAMES: Record<Fact, Record<ProgramLanguage, string>> = {
  client: { es: 'cliente', en: 'client' },
  company: { es: 'empresa', en: 'company' },
  document: { es: 'documento', en: 'document' },
  number: { es: 'número', en: 'number' },
  date: { es: 'fecha', en: 'date' },
  dueDate: { es: 'vencimiento', en: 'dueDate' },
  validUntil: { es: 'validez', en: 'validUntil' },
  total: { es: 'total', en: 'total' },
  amountDue: { es: 'pendiente', en: 'amountDue' },
  iban: { es: 'cuenta', en: 'iban' },
  subject: { es: 'asunto', en: 'subject' },
  letter: { es: 'carta', en: 'letter' },
  from: { es: 'desde', en: 'from' },
  until: { es: 'hasta', en: 'until' },
  balance: { es: 'saldo', en: 'balance' },
}

const COMMON: readonly Fact[] = ['client', 'company']
const OF_INVOICE: readonly Fact[] = [...COMMON, 'number', 'date', 'dueDate', 'total', 'amountDue', 'iban']
const OF_REMINDER: readonly Fact[] = [...COMMON, 'subject', 'letter']
const KNOWN: Record<TemplateKind, readonly Fact[]> = {
  invoice: OF_INVOICE,
  quote: [...COMMON, 'document', 'number', 'date', 'validUntil', 'total'],
  reminder_1: OF_REMINDER,
  reminder_2: OF_REMINDER,
  reminder_3: OF_REMINDER,
  statement: [...COMMON, 'from', 'until', 'balance', 'iban'],
}

/** Returns the placeholders of a kind of mail in a language. */
export function placeholdersOf(kind: TemplateKind, language: DocumentLanguage): string[] {
  return KNOWN[kind].map((fact) => NAMES[fact][programLanguage(language)])
}

const BRACES = /\{([^{}\n]{1,40})\}/g

function factNamed(kind: TemplateKind, name: string): Fact | undefined {
  const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const wanted = plain(name.trim())
  return KNOWN[kind].find((fact) => plain(NAMES[fact].es) === wanted || plain(NAMES[fact].en) === wanted)
}

/** Returns the placeholders in a text that this kind of mail does not have. */
export function unknownPlaceholders(kind: TemplateKind, text: string): string[] {
  return [...text.matchAll(BRACES)].flatMap(([, name = '']) => (factNamed(kind, name) ? [] : [name]))
}

/**
 * Returns the text with its facts filled in. Removes a line that contains only unknown facts (an invoice without a
 * due date); any other text in braces stays as entered.
 */
export function fillTemplate(kind: TemplateKind, text: string, facts: Facts): string {
  const lines = text.split('\n').flatMap((line) => {
    const named = [...line.matchAll(BRACES)].flatMap(([, name = '']) => factNamed(kind, name) ?? [])
    if (named.some((fact) => facts[fact] === undefined)) return []
    const filled = line.replace(BRACES, (whole, name: string) => {
      const fact = factNamed(kind, name)
      return fact === undefined ? whole : (facts[fact] ?? '')
    })
    // A missing number leaves no gap in the text.
    return [named.some((fact) => facts[fact] === '') ? filled.replace(/ {2,}/g, ' ') : filled]
  })
  return lines.join('\n').replace(/\n{3,}/g, '\n\n')
}

interface TemplateText {
  subject: string
  body: string
}

const reminder: Record<ProgramLanguage, TemplateText> = {
  es: { subject: '{asunto}', body: '{carta}' },
  en: { subject: '{subject}', body: '{letter}' },
}

const TEMPLATES: Record<TemplateKind, Record<ProgramLanguage, TemplateText>> = {
  invoice: {
    es: {
      subject: 'Factura {número} de {empresa}',
      body: `Hola, {cliente}:

Te enviamos la factura {número} del {fecha}, por un total de {total}. Va adjunta en PDF.

Pendiente de pago: {pendiente}.
Vence el {vencimiento}.
Puedes pagarla por transferencia a la cuenta {cuenta}, indicando el número de la factura.

Si tienes cualquier duda, responde a este correo.

Un saludo,
{empresa}`,
    },
    en: {
      subject: 'Invoice {number} from {company}',
      body: `Dear {client},

Please find attached invoice {number} of {date}, for a total of {total}, as a PDF.

To pay: {amountDue}.
Due on {dueDate}.
You can pay it by transfer to account {iban}, quoting the number of the invoice.

If you have any question, just reply to this message.

Kind regards,
{company}`,
    },
  },
  quote: {
    es: {
      subject: '{documento} {número} de {empresa}',
      body: `Hola, {cliente}:

Te enviamos el documento que nos pediste: {documento} {número} del {fecha}.
El total es de {total}.
Es válido hasta el {validez}.

Para aceptarlo, o si quieres cambiar algo, basta con responder a este correo.

Un saludo,
{empresa}`,
    },
    en: {
      subject: '{document} {number} from {company}',
      body: `Dear {client},

Please find attached what you asked for: {document} {number} of {date}.
The total is {total}.
It is valid until {validUntil}.

To accept it, or to change anything, just reply to this message.

Kind regards,
{company}`,
    },
  },
  reminder_1: reminder,
  reminder_2: reminder,
  reminder_3: reminder,
  statement: {
    es: {
      subject: 'Extracto de cuenta de {empresa}',
      body: `Hola, {cliente}:

Te enviamos el extracto de tu cuenta con nosotros, del {desde} al {hasta}. Va adjunto en una hoja de cálculo.

Saldo a nuestro favor: {saldo}.
Puedes pagar por transferencia a la cuenta {cuenta}.

Si algo no te cuadra, responde a este correo y lo vemos.

Un saludo,
{empresa}`,
    },
    en: {
      subject: 'Statement of account from {company}',
      body: `Dear {client},

Please find attached the statement of your account with us, from {from} to {until}, as a spreadsheet.

Balance in our favour: {balance}.
You can pay by transfer to account {iban}.

If anything does not match your books, just reply to this message.

Kind regards,
{company}`,
    },
  },
}

/** Returns the built-in template of a kind of mail: in Spanish where the recipient is in Spain, else in English. */
export function defaultTemplates(kind: TemplateKind, language: DocumentLanguage): TemplateText {
  return TEMPLATES[kind][programLanguage(language)]
}

/** Formats an amount for the language. `amount` is in whole units of the currency. */
export function money(amount: number, currency: string, language: DocumentLanguage): string {
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency,
    useGrouping: 'always',
  }).format(amount)
}

export function longDay(date: string, language: DocumentLanguage): string {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(`${date}T12:00:00Z`),
  )
}

/** Returns the text of a test mail. */
export function testMessage(company: string, language: ProgramLanguage): TemplateText {
  return language === 'es'
    ? {
        subject: `Prueba de correo de ${company}`,
        body: `Si lees esto, Sello puede enviar correo en nombre de ${company}.\n`,
      }
    : {
        subject: `Test mail from ${company}`,
        body: `If you read this, Sello can send mail in the name of ${company}.\n`,
      }
}
