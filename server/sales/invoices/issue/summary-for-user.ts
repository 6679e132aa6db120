/**
 * Summary of a step in one line, which an assistant shows unchanged. Pure; text of others cannot imitate Sello's own
 * text in it.
 */
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { OwnerLanguage } from '../../../db/owner-language.ts'
import type { ConfirmedAction } from './confirmations.ts'
import { keepsClaim } from '../kinds.ts'
import type { ValidationResult } from '../contract.ts'

type Preview = ValidationResult['preview']

const MAX_NAME = 80

const LIKENESSES: Readonly<Record<string, string>> = {
  '\u00ab': "'",
  '\u00bb': "'",
  '"': "'",
  '`': "'",
  '<': '(',
  '>': ')',
  '[': '(',
  ']': ')',
  '|': '/',
  '\\': '/',
}

/**
 * Quotes text of others between guillemets, which it cannot close: one line, at most as long as a name, without
 * characters that Markdown or HTML would turn into a link, an image or code.
 */
function quoted(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ').trim()
  const plain = oneLine.replace(/[\u00ab\u00bb"`<>[\]|\\]/g, (mark) => LIKENESSES[mark] ?? '')
  return `\u00ab${plain.length > MAX_NAME ? `${plain.slice(0, MAX_NAME - 1)}\u2026` : plain}\u00bb`
}

const money: Record<OwnerLanguage, (amount: number) => string> = {
  es: (amount) => amount.toFixed(2).replace('.', ','),
  en: (amount) => amount.toFixed(2),
}
const day: Record<OwnerLanguage, (date: string) => string> = {
  es: (date) => date.split('-').toReversed().join('/'),
  en: (date) => date,
}

interface SummaryMessages {
  steps: Readonly<Record<ConfirmedAction, string>>
  /** Names the destination, for the person who has to approve. */
  places: Readonly<Record<Preview['environment'], string>>
  of: string
  to: string
  base: string
  tax: string
  total: string
  withholding: string
  toPay: string
  toReturn: string
  /** Of an R2 or R3: the debt decreases, nothing is paid back. */
  offDebt: string
  error: readonly [one: string, more: string]
  warning: readonly [one: string, more: string]
}

const MESSAGES: Record<OwnerLanguage, SummaryMessages> = {
  es: {
    steps: { issue: 'Emitir', cancel: 'Anular en el registro', amend: 'Corregir en el registro' },
    places: {
      production: 'se envía a la Agencia Tributaria y no se puede deshacer',
      preproduction: 'se envía al entorno de pruebas de la Agencia Tributaria',
      simulated: 'simulado: nada llega a la Agencia Tributaria',
      sandbox: 'sandbox: nada llega a la Agencia Tributaria',
    },
    of: 'del',
    to: 'a',
    base: 'base',
    tax: 'impuestos',
    total: 'total',
    withholding: 'retención',
    toPay: 'a pagar',
    toReturn: 'a devolver',
    offDebt: 'a descontar de la deuda',
    error: ['error', 'errores'],
    warning: ['aviso', 'avisos'],
  },
  en: {
    steps: { issue: 'Issue', cancel: 'Annul at the registry', amend: 'Amend at the registry' },
    places: {
      production: 'sent to the tax authority; cannot be undone',
      preproduction: "sent to the tax authority's test service",
      simulated: 'simulated; nothing reaches the tax authority',
      sandbox: 'sandbox; nothing reaches the tax authority',
    },
    of: 'of',
    to: 'to',
    base: 'base',
    tax: 'tax',
    total: 'total',
    withholding: 'withholding',
    toPay: 'to pay',
    toReturn: 'to refund',
    offDebt: 'off the debt',
    error: ['error', 'errors'],
    warning: ['warning', 'warnings'],
  },
}

function counted(
  faults: readonly Fault[],
  severity: 'error' | 'warning',
  messages: SummaryMessages,
): string[] {
  const count = faults.filter((fault) => fault.severity === severity).length
  return count === 0 ? [] : [`${count} ${messages[severity][count === 1 ? 0 : 1]}`]
}

/** Returns the line for a preview and its faults, in the language of the person who reads it. */
export function summaryForUser(
  action: ConfirmedAction,
  preview: Preview,
  faults: readonly Fault[],
  language: OwnerLanguage,
): string {
  const { number, kind, issueDate, client, taxBreakdown, total, amountDue, withholding, environment } =
    preview
  const messages = MESSAGES[language]
  const euros = money[language]
  const asked = amountDue >= 0 ? 'toPay' : keepsClaim(kind) ? 'offDebt' : 'toReturn'
  const base = taxBreakdown.reduce((sum, row) => sum + Math.round(row.base * 100), 0) / 100
  const tax =
    taxBreakdown.reduce((sum, row) => sum + Math.round((row.tax + (row.surcharge ?? 0)) * 100), 0) / 100
  return [
    `${messages.steps[action]} ${number} (${kind}) ${messages.of} ${day[language](issueDate)} ${messages.to} ${quoted(client.name)}${client.nif ? `, ${client.nif}` : ''}`,
    `${messages.base} ${euros(base)}, ${messages.tax} ${euros(tax)}, ${messages.total} ${euros(total)} EUR`,
    ...(withholding ? [`${messages.withholding} ${euros(withholding.amount)}`] : []),
    ...(amountDue === total && amountDue >= 0
      ? []
      : [`${messages[asked]} ${euros(Math.abs(amountDue))} EUR`]),
    messages.places[environment],
    ...counted(faults, 'error', messages),
    ...counted(faults, 'warning', messages),
  ].join('; ')
}
