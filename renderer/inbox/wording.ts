/** A proposal in the page's own words: the server tells programs in English what it would do. Pure. */
import type { OutputOf } from '../../server/contracts.ts'

export type InboxItem = OutputOf<'inbox.list'>['waiting'][number]

/** How many effects the page has words for, by action; with another number the server's own text is shown. */
const EFFECTS: Record<InboxItem['action'], number> = {
  issue_invoice: 2,
  correct_invoice: 1,
  cancel_registration: 2,
  retry_rejected: 1,
  send_invoice_copy: 1,
  sync_erp: 1,
  renew_certificate: 1,
  prepare_return: 1,
  fix_client_data: 1,
}

const ABOUT_INVOICE: readonly InboxItem['action'][] = [
  'issue_invoice',
  'correct_invoice',
  'cancel_registration',
  'retry_rejected',
  'send_invoice_copy',
]

/** Message keys of what would happen, or the server's own sentences when it says other things than we know. */
export function effectWords(item: Pick<InboxItem, 'action' | 'effects'>): { key?: string; text: string }[] {
  const known = EFFECTS[item.action]
  return item.effects.map((text, index) =>
    item.effects.length === known ? { key: `inbox.effect.${item.action}.e${index + 1}`, text } : { text },
  )
}

/** Message keys of what stands in the way. Each action has one reason of its own, besides not naming its invoice. */
export function blockerWords(
  item: Pick<InboxItem, 'action' | 'blockers' | 'invoice'>,
): { key?: string; text: string }[] {
  if (item.blockers.length !== 1) return item.blockers.map((text) => ({ text }))
  const nameless = item.invoice === null && ABOUT_INVOICE.includes(item.action)
  return [
    {
      key: nameless ? 'inbox.blocker.noInvoice' : `inbox.blocker.${item.action}`,
      text: item.blockers[0] ?? '',
    },
  ]
}

/** Where a person goes on with an accepted proposal; null when there is nowhere to go. */
export function nextPlace(
  item: Pick<InboxItem, 'action' | 'invoice' | 'targetId'>,
): { to: string; verb: string } | null {
  if (item.action === 'fix_client_data') return { to: '/contacts', verb: 'contacts' }
  if (item.action === 'prepare_return') return { to: '/invoices', verb: 'invoices' }
  if (!item.invoice) return null
  if (item.action === 'send_invoice_copy' && item.invoice.number !== null)
    return { to: `/invoices/${item.invoice.id}?mail`, verb: 'mail' }
  if (item.invoice.number === null) return { to: `/invoices/${item.invoice.id}/edit`, verb: 'draft' }
  return { to: `/invoices/${item.invoice.id}`, verb: 'invoice' }
}
