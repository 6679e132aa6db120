/** What a step would do, in one line that an assistant shows as it is. Pure; no text of others may look like ours in it. */
import type { Fault } from '../core/errors.ts'
import type { ConfirmedAction } from './confirmations.ts'
import type { ValidationResult } from './contract.ts'

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
 * Text of others between guillemets, which it cannot close: one line, no longer than a name, without what Markdown or HTML
 * would make a link, an image or code of.
 */
function quoted(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ').trim()
  const plain = oneLine.replace(/[\u00ab\u00bb"`<>[\]|\\]/g, (mark) => LIKENESSES[mark] ?? '')
  return `\u00ab${plain.length > MAX_NAME ? `${plain.slice(0, MAX_NAME - 1)}\u2026` : plain}\u00bb`
}

const money = (amount: number): string => amount.toFixed(2)

const STEPS: Readonly<Record<ConfirmedAction, string>> = {
  issue: 'Issue',
  cancel: 'Annul at the registry',
  amend: 'Amend at the registry',
}

/** Where it would go, for whoever has to say yes. */
const PLACES: Readonly<Record<Preview['environment'], string>> = {
  production: 'sent to the tax authority; cannot be undone',
  preproduction: "sent to the tax authority's test service",
  simulated: 'simulated; nothing reaches the tax authority',
  sandbox: 'sandbox; nothing reaches the tax authority',
}

function counted(faults: readonly Fault[], severity: Fault['severity']): string[] {
  const count = faults.filter((fault) => fault.severity === severity).length
  return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`]
}

/** The line that stands for a preview and its faults. */
export function summaryForUser(action: ConfirmedAction, preview: Preview, faults: readonly Fault[]): string {
  const { number, kind, issueDate, client, taxBreakdown, total, amountDue, withholding, environment } =
    preview
  const base = taxBreakdown.reduce((sum, row) => sum + Math.round(row.base * 100), 0) / 100
  const tax =
    taxBreakdown.reduce((sum, row) => sum + Math.round((row.tax + (row.surcharge ?? 0)) * 100), 0) / 100
  return [
    `${STEPS[action]} ${number} (${kind}) of ${issueDate} to ${quoted(client.name)}${client.nif ? `, ${client.nif}` : ''}`,
    `base ${money(base)}, tax ${money(tax)}, total ${money(total)} EUR`,
    ...(withholding ? [`withholding ${money(withholding.amount)}`] : []),
    ...(amountDue === total ? [] : [`to pay ${money(amountDue)} EUR`]),
    PLACES[environment],
    ...counted(faults, 'error'),
    ...counted(faults, 'warning'),
  ].join('; ')
}
