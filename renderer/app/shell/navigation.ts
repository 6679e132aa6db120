/** Navigation menu: the entries of the sidebar with group and shortcut; also the palette's list of pages. */
import { icons } from '../../icons.ts'
import type { IconName } from '../../icons.ts'
import { hasPage } from '../../router.ts'

export interface NavigationItem {
  /** Route name. */
  name: string
  /** Message key. */
  label: string
  icon: IconName
  to: string
  keys?: string
  /** Names of other routes that highlight this entry. */
  also?: readonly string[]
}

interface NavigationGroup {
  label: string | null
  places: readonly NavigationItem[]
}

const groups: readonly NavigationGroup[] = [
  {
    label: null,
    places: [
      { name: 'home', label: 'nav.home', icon: icons.home, to: '/', keys: 'g-i' },
      { name: 'inbox', label: 'nav.inbox', icon: icons.inbox, to: '/inbox', keys: 'g-b' },
    ],
  },
  {
    label: 'nav.sales',
    places: [
      {
        name: 'invoices',
        label: 'nav.invoices',
        icon: icons.invoices,
        to: '/invoices',
        keys: 'g-f',
        also: ['invoice', 'invoice-new', 'invoice-edit', 'mails'],
      },
      {
        name: 'quotes',
        label: 'nav.quotes',
        icon: icons.quotes,
        to: '/quotes',
        keys: 'g-q',
        also: ['quote', 'quote-new', 'quote-edit'],
      },
      {
        name: 'recurring',
        label: 'nav.recurring',
        icon: icons.recurring,
        to: '/recurring',
        keys: 'g-r',
        also: ['recurring-new', 'recurring-edit', 'templates'],
      },
      {
        name: 'contacts',
        label: 'nav.contacts',
        icon: icons.contacts,
        to: '/contacts',
        keys: 'g-c',
        also: ['statement'],
      },
      { name: 'items', label: 'items.title', icon: icons.items, to: '/items', keys: 'g-a' },
      { name: 'payments', label: 'payments.title', icon: icons.payments, to: '/payments', keys: 'g-p' },
    ],
  },
  {
    label: 'nav.purchases',
    places: [
      {
        name: 'received',
        label: 'nav.received',
        icon: icons.received,
        to: '/received',
        keys: 'g-e',
        also: ['received-one'],
      },
      {
        name: 'incoming',
        label: 'nav.incoming',
        icon: icons.review,
        to: '/received/incoming',
        keys: 'g-v',
        also: ['incoming-sources'],
      },
      { name: 'bank', label: 'bank.title', icon: icons.bank, to: '/bank', keys: 'g-d' },
    ],
  },
  {
    label: 'nav.treasury',
    places: [
      {
        name: 'taxes',
        label: 'taxes.title',
        icon: icons.returns,
        to: '/taxes',
        keys: 'g-t',
        also: ['tax-close', 'tax-file', 'tax-model'],
      },
      { name: 'ledger', label: 'nav.ledger', icon: icons.ledger, to: '/ledger', keys: 'g-l' },
      { name: 'registry', label: 'nav.registry', icon: icons.registry, to: '/registry', keys: 'g-s' },
    ],
  },
]

const foot: readonly NavigationItem[] = [
  {
    name: 'assistants',
    label: 'nav.connections',
    icon: icons.connections,
    to: '/connect/assistants',
    keys: 'g-x',
    also: [
      'assistant',
      'keys',
      'webhooks',
      'webhook',
      'activity',
      'erp',
      'erp-issued',
      'erp-received',
      'erp-contacts',
      'erp-items',
      'erp-runs',
    ],
  },
  { name: 'settings', label: 'nav.settings', icon: icons.settings, to: '/settings', keys: 'g-,' },
  { name: 'help', label: 'help.title', icon: icons.help, to: '/help', keys: 'g-h' },
]

/** Returns the groups of the sidebar, without pages that the product lacks or the user has hidden. */
export function navigationGroups(hidden: readonly string[] = []): NavigationGroup[] {
  const isShown = ({ name }: NavigationItem) => hasPage(name) && !hidden.includes(name)
  return groups
    .map((group) => ({ ...group, places: group.places.filter(isShown) }))
    .filter((group) => group.places.length > 0)
}

/** Pages that are reached in context, and by name from the palette. */
const byName: readonly NavigationItem[] = [
  { name: 'import', label: 'imports.title', icon: icons.upload, to: '/import' },
  {
    name: 'certificate',
    label: 'settings.certificate.title',
    icon: icons.certificate,
    to: '/settings/certificate',
  },
  { name: 'erp', label: 'erp.place', icon: icons.ledger, to: '/connect/erp' },
  { name: 'declaration', label: 'declaration.title', icon: icons.declaration, to: '/declaration' },
]

/** Returns every page of the palette. */
export function allNavigationItems(): readonly NavigationItem[] {
  return [...navigationGroups().flatMap((group) => group.places), ...foot, ...byName]
}

/** Returns the entries at the foot of the sidebar. */
export function footNavigationItems(): readonly NavigationItem[] {
  return foot
}
