/**
 * Navigation menu: the entries of the sidebar with group, shortcut and the menus that show them at once; also the
 * palette's list of pages.
 */
import { icons } from '../../icons.ts'
import type { IconName } from '../../icons.ts'
import { hasPage } from '../../router.ts'
import type { MenuView } from './menu/menu-view.ts'

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
  /** Menus that show it at once; the others have it behind "more pages". Absent: all of them. */
  menus?: readonly MenuView[]
}

interface NavigationGroup {
  label: string | null
  places: readonly NavigationItem[]
}

/** Menus of a whole business, of those who keep its books, and of those who sell. */
const BUSINESS = ['owner', 'accountant', 'all'] as const
const BOOKS = ['accountant', 'all'] as const
const SELLING = ['sales', 'all'] as const

const groups: readonly NavigationGroup[] = [
  {
    label: null,
    places: [
      { name: 'home', label: 'nav.home', icon: icons.home, to: '/', keys: 'g-i' },
      { name: 'console', label: 'console.title', icon: icons.console, to: '/console', keys: 'g-m' },
      {
        name: 'inbox',
        label: 'nav.inbox',
        icon: icons.inbox,
        to: '/inbox',
        keys: 'g-b',
        also: ['inbox-mine'],
      },
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
        menus: ['owner', 'sales', 'all'],
      },
      {
        name: 'recurring',
        label: 'nav.recurring',
        icon: icons.recurring,
        to: '/recurring',
        keys: 'g-r',
        also: ['recurring-new', 'recurring-edit', 'templates'],
        menus: SELLING,
      },
      {
        name: 'contacts',
        label: 'nav.contacts',
        icon: icons.contacts,
        to: '/contacts',
        keys: 'g-c',
        also: ['statement'],
      },
      { name: 'items', label: 'items.title', icon: icons.items, to: '/items', keys: 'g-a', menus: SELLING },
      {
        name: 'payments',
        label: 'payments.title',
        icon: icons.payments,
        to: '/payments',
        keys: 'g-p',
        menus: ['sales', 'accountant', 'all'],
      },
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
        menus: BUSINESS,
      },
      {
        name: 'incoming',
        label: 'nav.incoming',
        icon: icons.review,
        to: '/received/incoming',
        keys: 'g-v',
        also: ['incoming-sources'],
        menus: BOOKS,
      },
      { name: 'bank', label: 'bank.title', icon: icons.bank, to: '/bank', keys: 'g-d', menus: BUSINESS },
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
        also: ['tax-close', 'tax-file', 'tax-model', 'hand-on'],
        menus: BUSINESS,
      },
      { name: 'ledger', label: 'nav.ledger', icon: icons.ledger, to: '/ledger', keys: 'g-l', menus: BOOKS },
      {
        name: 'assets',
        label: 'assets.title',
        icon: icons.computer,
        to: '/assets',
        also: ['asset'],
        menus: BOOKS,
      },
      {
        name: 'registry',
        label: 'nav.registry',
        icon: icons.registry,
        to: '/registry',
        keys: 'g-s',
        menus: BOOKS,
      },
      {
        name: 'exchange',
        label: 'exchange.title',
        icon: icons.exchange,
        to: '/exchange',
        keys: 'g-w',
        also: ['exchange-list', 'exchange-law'],
        menus: BOOKS,
      },
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
      'adviser',
      'erp',
      'erp-issued',
      'erp-received',
      'erp-contacts',
      'erp-items',
      'erp-runs',
    ],
    menus: ['all'],
  },
  { name: 'settings', label: 'nav.settings', icon: icons.settings, to: '/settings', keys: 'g-,' },
  { name: 'help', label: 'help.title', icon: icons.help, to: '/help', keys: 'g-h' },
]

/** Returns the groups of all pages, without those that the product lacks. */
export function navigationGroups(): NavigationGroup[] {
  return groupsOf(({ name }) => hasPage(name))
}

function groupsOf(isShown: (place: NavigationItem) => boolean): NavigationGroup[] {
  return groups
    .map((group) => ({ ...group, places: group.places.filter(isShown) }))
    .filter((group) => group.places.length > 0)
}

interface Menu {
  groups: readonly NavigationGroup[]
  foot: readonly NavigationItem[]
  /** Behind "more pages". */
  rest: readonly NavigationItem[]
}

/**
 * Returns the sidebar of a menu. An entry that `isNeeded` (the open page, something that waits there) is shown at once
 * in every menu; one that the user has hidden is only in the palette.
 */
export function menuOf(
  view: MenuView,
  hidden: readonly string[],
  isNeeded: (place: NavigationItem) => boolean,
): Menu {
  const exists = ({ name }: NavigationItem): boolean => hasPage(name) && !hidden.includes(name)
  const isShown = (place: NavigationItem): boolean =>
    exists(place) && (place.menus === undefined || place.menus.includes(view) || isNeeded(place))
  const every = [...groups.flatMap(({ places }) => places), ...foot].filter(exists)
  return {
    groups: groupsOf(isShown),
    foot: foot.filter(isShown),
    rest: every.filter((place) => !isShown(place)),
  }
}

/** Pages that are reached in context, and by name from the palette. */
const byName: readonly NavigationItem[] = [
  { name: 'import', label: 'imports.title', icon: icons.upload, to: '/import' },
  { name: 'moving', label: 'moving.title', icon: icons.archive, to: '/moving' },
  {
    name: 'certificate',
    label: 'settings.certificate.title',
    icon: icons.certificate,
    to: '/settings/certificate',
  },
  { name: 'erp', label: 'erp.place', icon: icons.ledger, to: '/connect/erp' },
  { name: 'exchange-list', label: 'exchange.list.label', icon: icons.exchange, to: '/exchange/invoices' },
  { name: 'exchange-law', label: 'exchange.law.duties', icon: icons.declaration, to: '/exchange/law' },
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
