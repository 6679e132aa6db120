/** Titles of the action items, and the page that each button opens. Pure. */
import type { RouteLocationRaw } from 'vue-router'
import type { OutputOf } from '../../../server/api/contracts.ts'
import { icons } from '../../icons.ts'
import type { IconName } from '../../icons.ts'
import { actionVerb } from '../../registry/action-verb.ts'
import { actionItemsOf } from '../../registry/action-items.ts'
import type { ActionItem } from '../../registry/action-items.ts'
import { inOffice } from '../../stores/person.ts'

type Attention = OutputOf<'dashboard.get'>['attention'][number]
type RegistryState = OutputOf<'registry.status'>

export interface AttentionEntry {
  key: string
  icon: IconName
  tone: string
  /**
   * Message key below `home.attention`, with `title`, `text` and `verb`; an action item of the registry has its own
   * texts.
   */
  words: string
  params: Record<string, string | number>
  matter?: ActionItem
  /** Target of the button; `testBook` opens the company's test book instead. */
  to: RouteLocationRaw | 'testBook'
}

/** Returns the page of a return of `3T 2026`, `11 2026` or `2026`: annual returns belong to the page of the last quarter. */
export function returnAddress(model: string, period: string): string {
  const [, code = '4T', year] = /^(?:([1-4]T|0[1-9]|1[0-2]) )?(\d{4})$/.exec(period) ?? []
  return year ? `/taxes/${year}-${code}/${model}` : '/taxes'
}

const READINESS: Record<string, Pick<AttentionEntry, 'icon' | 'to'>> = {
  issuer_address_missing: { icon: icons.company, to: '/settings' },
  certificate_missing: { icon: icons.certificate, to: '/settings/certificate' },
  producer_missing: { icon: icons.shieldBroken, to: 'testBook' },
}

/** Returns one entry of the card. */
export function attentionEntry(item: Attention): AttentionEntry {
  const key = `${item.kind}-${item.id ?? item.title}`
  const { params } = item
  switch (item.kind) {
    case 'rejected':
      return {
        key,
        icon: icons.rejected,
        tone: 'text-error',
        words: 'rejected',
        params,
        to: `/invoices/${item.id ?? ''}`,
      }
    case 'queue':
      return { key, icon: icons.queued, tone: 'text-muted', words: 'queue', params, to: '/registry' }
    case 'approval':
      return { key, icon: icons.approval, tone: 'text-warning', words: 'approval', params, to: '/inbox' }
    case 'proposal':
      return { key, icon: icons.bulb, tone: 'text-primary', words: 'proposal', params, to: '/inbox' }
    case 'recurring': {
      const isTrouble = item.title === 'recurring_troubled'
      return {
        key,
        icon: icons.recurring,
        tone: isTrouble ? 'text-warning' : 'text-primary',
        words: item.title,
        params,
        to: isTrouble ? '/recurring' : { path: '/invoices', query: { view: 'drafts' } },
      }
    }
    case 'recovery':
      return {
        key,
        icon: icons.recovery,
        tone: 'text-warning',
        words: 'recovery',
        params,
        to: '/settings/security',
      }
    case 'deadline':
      return {
        key,
        icon: icons.calendar,
        tone: 'text-muted',
        words: item.title === 'return_debit_due' ? 'debit' : 'deadline',
        params,
        to: returnAddress(String(params.form ?? ''), String(params.period ?? '')),
      }
    case 'bank':
      return { key, icon: icons.bank, tone: 'text-primary', words: 'bank', params, to: '/bank' }
    case 'received':
      return {
        key,
        icon: icons.received,
        tone: 'text-muted',
        words: 'received',
        params,
        to: { path: '/received', query: { view: 'withoutFile' } },
      }
    case 'mail':
      return { key, icon: icons.mail, tone: 'text-warning', words: 'mail', params, to: '/mails' }
    case 'reminder':
      return {
        key,
        icon: icons.mail,
        tone: 'text-primary',
        words: 'reminder',
        params,
        to: '/payments/overdue',
      }
    case 'webhook':
      return {
        key,
        icon: icons.gone,
        tone: 'text-warning',
        words: 'webhook',
        params,
        to: '/connect/webhooks',
      }
    case 'backup':
      return {
        key,
        icon: icons.disk,
        tone: item.id === 'own' ? 'text-warning' : 'text-error',
        words: item.title,
        params,
        to: '/settings/backups',
      }
    case 'unsigned':
      return {
        key,
        icon: icons.signed,
        tone: 'text-muted',
        words: 'unsigned',
        params,
        to: { path: '/invoices', query: { view: 'unsigned' } },
      }
    case 'readiness': {
      const known = READINESS[item.title]
      const words = known ? item.title : 'readiness'
      return {
        key,
        icon: known?.icon ?? icons.warning,
        tone: 'text-warning',
        words,
        params,
        to: known?.to ?? '/settings',
      }
    }
  }
}

const TONES = { error: 'text-error', warning: 'text-warning', info: 'text-muted' } as const

/**
 * Returns where an action item of the registry is resolved: at its invoice, at the certificate, else on the
 * registry's page.
 */
function placeOf(matter: ActionItem): string {
  if (matter.action === 'certificate') return '/settings/certificate'
  return matter.invoiceId ? `/invoices/${matter.invoiceId}` : '/registry'
}

function registryEntry(matter: ActionItem): AttentionEntry {
  return {
    key: `registry-${matter.key}`,
    icon: matter.icon,
    tone: TONES[matter.tone],
    words: actionVerb(matter) ?? 'registryPage.act.see',
    params: {},
    matter,
    to: placeOf(matter),
  }
}

const BROKEN: AttentionEntry = {
  key: 'registry-broken',
  icon: icons.shieldBroken,
  tone: 'text-error',
  words: 'broken',
  params: {},
  to: '/registry',
}

/** Limit of registry action items on the card; the registry's page has them all. */
const MOST_MATTERS = 5

/**
 * Returns the entries of the card: those of the registry first, then the rest in the server's order. The registry's
 * own state is more detailed than the dashboard's summary, which is omitted once the state is known. Duplicates of
 * two sources, or of the checklist beside the card, are shown once.
 */
export function attentionEntries(
  items: readonly Attention[],
  registry: Pick<RegistryState, 'attention' | 'chain'> | null = null,
  withFirstSteps = false,
): AttentionEntry[] {
  const matters = registry ? actionItemsOf(registry).slice(0, MOST_MATTERS).map(registryEntry) : []
  const broken = registry && !registry.chain.ok ? [BROKEN] : []
  const hasCertificate = matters.some((entry) => entry.to === '/settings/certificate')
  const rest = items
    .filter((item) => !registry || (item.kind !== 'rejected' && item.kind !== 'queue'))
    .filter((item) => !((hasCertificate || withFirstSteps) && item.title === 'certificate_missing'))
    // An office has no recovery code: its operator has the key.
    .filter((item) => !((withFirstSteps || inOffice()) && item.kind === 'recovery'))
    .map(attentionEntry)
  return [...broken, ...matters, ...rest]
}
