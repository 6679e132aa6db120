/**
 * `sello://` links, which anybody can create: parsed strictly to an address of the page, or rejected. A link only
 * displays something; it never performs an action or leads to another book.
 */
export const LINK_SCHEME = 'sello'

const LONGEST = 200
const ID = '[A-Za-z0-9][A-Za-z0-9_-]{0,63}'

/** Pages by name, each with its allowed parameters. */
const PLACES = [
  'inbox',
  'invoices',
  'quotes',
  'recurring',
  'contacts',
  'items',
  'payments',
  'received',
  'bank',
  'taxes',
  'ledger',
  'registry',
  'mails',
  'settings',
] as const
/** Pages whose records have an address of their own. */
const WITH_ONE = new Set<string>([
  'inbox',
  'invoices',
  'quotes',
  'contacts',
  'items',
  'received',
  'bank',
  'recurring',
])
/** Targets of `sello://new/…`: an empty form; nothing is saved. */
const NEW: Record<string, string> = {
  invoice: '/invoices/new',
  quote: '/quotes/new',
  recurring: '/recurring/new',
  received: '/received/new',
  contact: '/contacts/new',
  item: '/items/new',
}

const ONE = new RegExp(`^${ID}$`)
const PERIOD = /^\d{4}-[1-4]T$/
const MODEL = /^\d{3}$/
const SECTION = /^[a-z]{2,20}$/

/** Returns the page's address for a link, or null if it does not match a known form exactly. */
export function pathOfLink(link: unknown): string | null {
  if (typeof link !== 'string' || link.length > LONGEST) return null
  const rest = /^sello:\/\/([A-Za-z0-9_/-]*)$/i.exec(link)?.[1]
  if (rest === undefined) return null
  // Windows appends a slash, and browsers convert the first part to lower case.
  const [place = '', ...more] = rest.replace(/\/$/, '').split('/')
  return pathOf(place.toLowerCase(), more)
}

function pathOf(place: string, more: readonly string[]): string | null {
  if (place === '' || place === 'home') return more.length === 0 ? '/' : null
  if (place === 'new') return more.length === 1 && Object.hasOwn(NEW, more[0]!) ? NEW[more[0]!]! : null
  if (!PLACES.some((each) => each === place)) return null
  const [first, second, ...beyond] = more
  if (beyond.length > 0) return null
  if (first === undefined) return `/${place}`
  if (place === 'taxes') {
    if (!PERIOD.test(first)) return null
    if (second === undefined) return `/taxes/${first}`
    return MODEL.test(second) ? `/taxes/${first}/${second}` : null
  }
  if (second !== undefined) return null
  if (['settings', 'ledger', 'payments'].includes(place))
    return SECTION.test(first) ? `/${place}/${first}` : null
  return WITH_ONE.has(place) && ONE.test(first) && first !== 'new' ? `/${place}/${first}` : null
}

/** Returns the link to an address of the page, for copying; null if there is none. */
export function linkOfPath(path: string): string | null {
  const link = `${LINK_SCHEME}:/${path === '/' ? '/home' : path}`
  return pathOfLink(link) === path ? link : null
}

/** Returns true for an address that a notification may open: the same ones as links. */
export function isPagePath(path: string): boolean {
  return path === '/' || linkOfPath(path) !== null
}
