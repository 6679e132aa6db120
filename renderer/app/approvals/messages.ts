/** Texts of a proposal: the server answers codes and values, with sentences only for programs. */
import { faultText } from '../../errors.ts'
import { formatDate, formatEuros, formatQuantity } from '../../format.ts'
import { hasText, translate } from '../../i18n.ts'
import { formatPeriod } from '../../accounting/returns/period.ts'
import { wordParams } from '../../sales/invoices/editor/fault-messages.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'
import { LANGUAGE_NAMES } from '../../../server/domain/languages.ts'
import type { Entry } from './entry.ts'

export type InboxItem = OutputOf<'inbox.open'>
export type Point = InboxItem['effects'][number]
export type Change = InboxItem['changes'][number]
export type Outcome = NonNullable<InboxItem['outcome']>

/** Returns the proposed value of a field; null if the proposal does not change it. */
const changed = (changes: readonly Change[], field: string): string | null => {
  const to = changes.find((change) => change.field === field)?.to
  return typeof to === 'string' ? to : null
}

const monthCode = (month: number): string => String(month).padStart(2, '0')

/** Returns the subject in a form that fits into a sentence. */
export function subjectOf({
  action,
  invoice,
  contact,
  taxReturn,
  changes = [],
}: Pick<InboxItem, 'action' | 'invoice' | 'contact' | 'taxReturn'> &
  Partial<Pick<InboxItem, 'changes'>>): string {
  if (action === 'fix_client_data') return contact?.name ?? translate('inbox.theClient')
  if (action === 'prepare_return') {
    if (!taxReturn) return translate('inbox.theReturn')
    const { form, year, quarter, month } = taxReturn
    const code = month === undefined ? (quarter === null ? '0A' : `${quarter}T`) : monthCode(month)
    const period = formatPeriod({ year, period: code })
    return translate('inbox.returnName', { form, period })
  }
  if (action === 'create_quote') return changed(changes, 'clientName') ?? translate('inbox.theClient')
  if (action === 'record_received_invoice')
    return changed(changes, 'supplierName') ?? translate('inbox.theSupplier')
  if (!invoice) return translate('inbox.theInvoice')
  return invoice.number ?? translate('inbox.theDraft')
}

/** Returns the entry for the list of the inbox. */
export function entryOf(item: InboxItem): Entry {
  const waiting = item.status === 'pending_user'
  return {
    id: item.proposalId,
    kind: 'proposal',
    waiting,
    title: translate(`inbox.short.${item.action}`, { name: subjectOf(item) }),
    about: item.invoice?.clientName ?? null,
    amount: item.invoice?.total ?? null,
    note: waiting ? (item.key?.name ?? '') : translate(`inbox.status.${item.status}`),
    at: item.decidedAt ?? item.createdAt,
  }
}

/**
 * Returns an effect, a warning or an obstacle as a sentence. A code of an operation's own validation uses the same
 * text everywhere.
 */
export function pointMessage({ code, message, params }: Point): string {
  const values = wordParams(params)
  for (const key of [`inbox.point.${code}`, `invoice.fault.${code}`, `errors.${code}.title`])
    if (hasText(key)) return translate(key, values)
  return faultText({ code, message, params: values })
}

const LINE = /^lines\[(\d+)\]\.(.+)$/

/** Returns the name of a field: of a line with the line's number, of an address alone. */
export function fieldMessage(field: string): string {
  const line = LINE.exec(field)
  if (line)
    return translate('inbox.field.ofLine', {
      line: Number(line[1]) + 1,
      field: translate(`inbox.field.${line[2]}`),
    })
  const key = `inbox.field.${field.replace(/^address\./, '')}`
  return hasText(key) ? translate(key) : field
}

const EUROS = /^(?:total|due|result|amount|lines\[\d+\]\.net)$/

/** Formats a value; returns null for none. Text from outside is left as it is. */
export function valueMessage(field: string, value: Change['from']): string | null {
  if (value === null || value === '') return null
  if (typeof value === 'number') return EUROS.test(field) ? formatEuros(value) : formatQuantity(value)
  if (field === 'language') return LANGUAGE_NAMES[value as keyof typeof LANGUAGE_NAMES] ?? value
  if (field === 'registry') return translate(`registryStatus.${value}`)
  const key = `inbox.value.${field}.${value}`
  if (hasText(key)) return translate(key)
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDate(value) : value
}

/** Returns the page to open after an approval. */
export function nextAddressOf(outcome: Outcome): string {
  switch (outcome.step) {
    case 'issue':
      return `/invoices/${outcome.invoiceId}/edit?review`
    case 'draft':
      return `/invoices/${outcome.invoiceId}/edit`
    case 'rectify':
    case 'annul':
    case 'amend':
      return `/invoices/${outcome.invoiceId}?step=${outcome.step}`
    case 'mail':
      return `/invoices/${outcome.invoiceId}?mail${outcome.to === null ? '' : `=${encodeURIComponent(outcome.to)}`}`
    case 'discarded':
      return '/invoices'
    case 'sync':
      return '/connect/erp'
    case 'certificate':
      return '/settings/certificate'
    case 'return':
      return `/taxes/${outcome.year}-${outcome.month === undefined ? `${outcome.quarter ?? 4}T` : monthCode(outcome.month)}/${outcome.form}/file`
    case 'contact':
      return `/contacts/${outcome.contactId}`
    case 'payment':
      return `/invoices/${outcome.invoiceId}`
    case 'reminder':
      return '/payments/overdue'
    case 'quote':
      return `/quotes/${outcome.quoteId}/edit`
    case 'received':
      return `/received/${outcome.receivedId}`
  }
}

/** Returns the page of the alternative that the proposal's text recommends. */
export function alternativeAddress({ action, targetId = '' }: InboxItem['alternatives'][number]): string {
  return nextAddressOf({ step: action === 'issue_invoice' ? 'issue' : 'rectify', invoiceId: targetId })
}
