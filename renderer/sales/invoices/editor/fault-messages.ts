/** Messages of the faults of a draft, in the language of the page: what to do, with an example. */
import { faultText } from '../../../errors.ts'
import { formatDate, formatEuros, formatMonthLong } from '../../../format.ts'
import { hasText, translate } from '../../../i18n.ts'
import type { DraftFault, ServerFault } from './faults.ts'

/** Formats the dates, months and amounts among the params of a fault. */
export function wordParams(params: ServerFault['params'] = {}): Record<string, string | number> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, paramMessage(name, value)]))
}

const MONEY: ReadonlySet<string> = new Set(['amount', 'sum', 'due'])

function paramMessage(name: string, value: string | number): string | number {
  if (typeof value === 'number') return MONEY.has(name) ? formatEuros(value) : value
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDate(value)
  return /^\d{4}-\d{2}$/.test(value) ? formatMonthLong(value) : value
}

/** Returns the text of a fault of the server. */
export function faultMessage(fault: ServerFault): string {
  const key = `invoice.fault.${fault.code}`
  const params = wordParams(fault.params)
  // A fault may state the expected value or not.
  if (fault.code === 'nif_invalid' && params.expected !== undefined)
    return translate('invoice.fault.nif_control', params)
  return hasText(key)
    ? translate(key, params)
    : faultText({ code: fault.code, message: fault.message, params })
}

/** Returns the text under the field. */
export function fieldMessage(fault: DraftFault): string {
  if (fault.server) return faultMessage(fault.server)
  return translate(`invoice.fault.${fault.code}`, { text: fault.words ?? '' })
}

/** Returns the text in the box at the top, which names the line too. */
export function boxMessage(fault: DraftFault): string {
  const key = `invoice.box.${fault.code}`
  const words = hasText(key) ? translate(key, { text: fault.words ?? '' }) : fieldMessage(fault)
  return fault.line === null
    ? words
    : translate('invoice.box.ofLine', {
        line: fault.line,
        words: words.charAt(0).toLowerCase() + words.slice(1),
      })
}
