/** Which pages the menu shows to whom: by role, by choice, and by what waits; none is out of reach. */
import { describe, expect, test, vi } from 'vitest'

// The router, which knows the pages, needs the history of a window. Vue itself is loaded before, as other files of the
// worker have it.
await vi.hoisted(async () => {
  await import('vue')
  const location = { pathname: '/', search: '', hash: '', host: 'sello', protocol: 'http:' }
  const history = { state: null, replaceState: () => {}, pushState: () => {} }
  const window = Object.assign(new EventTarget(), {
    location,
    history,
    matchMedia: () => ({ matches: false, addEventListener: () => {} }),
  })
  const document = {
    querySelector: () => null,
    addEventListener: () => {},
    createElement: () => ({}),
  }
  const localStorage = { getItem: () => null, setItem: () => {} }
  const all = { window, location, history, document, localStorage }
  for (const [name, value] of Object.entries(all)) vi.stubGlobal(name, value)
})

const { menuOf, navigationGroups, footNavigationItems } =
  await import('../../../../../renderer/app/shell/navigation.ts')
const { defaultMenu } = await import('../../../../../renderer/app/shell/menu/menu-view.ts')

type View = Parameters<typeof menuOf>[0]
const VIEWS: readonly View[] = ['owner', 'sales', 'accountant', 'all']
const nothing = (): boolean => false
const namesOf = (
  view: View,
  hidden: readonly string[] = [],
  isNeeded: (name: string) => boolean = nothing,
) => {
  const menu = menuOf(view, hidden, ({ name }) => isNeeded(name))
  return {
    shown: [...menu.groups.flatMap(({ places }) => places), ...menu.foot].map(({ name }) => name),
    rest: menu.rest.map(({ name }) => name),
  }
}
const every = [...navigationGroups().flatMap(({ places }) => places), ...footNavigationItems()].map(
  ({ name }) => name,
)

describe('the menu', () => {
  test('of an owner has eight pages, and settings and help at its foot', () => {
    // The console is for several companies.
    expect(namesOf('owner', ['console']).shown).toEqual([
      'home',
      'inbox',
      'invoices',
      'quotes',
      'contacts',
      'received',
      'bank',
      'taxes',
      'settings',
      'help',
    ])
  })

  test('of those who sell has no purchases, bank, taxes or accounts', () => {
    const { shown } = namesOf('sales')
    expect(shown).toEqual(expect.arrayContaining(['quotes', 'recurring', 'items', 'payments']))
    for (const name of ['received', 'bank', 'taxes', 'ledger', 'registry']) expect(shown).not.toContain(name)
  })

  test('of those who keep the books has the accounts and the registry', () => {
    expect(namesOf('accountant').shown).toEqual(
      expect.arrayContaining(['received', 'incoming', 'payments', 'bank', 'taxes', 'ledger', 'registry']),
    )
  })

  test.each(VIEWS)('of %s has every page once, at once or behind one button', (view) => {
    const { shown, rest } = namesOf(view)
    expect([...shown, ...rest].toSorted()).toEqual(every.toSorted())
    if (view === 'all') expect(rest).toEqual([])
    else expect(rest.length).toBeGreaterThan(0)
  })

  test('shows a page that is open or where something waits, whosever menu it is', () => {
    const { shown, rest } = namesOf('owner', [], (name) => name === 'incoming')
    expect(shown).toContain('incoming')
    expect(rest).not.toContain('incoming')
  })

  test.each(VIEWS)('of %s leaves out the pages that the person has hidden, at the end too', (view) => {
    const { shown, rest } = namesOf(view, ['quotes', 'bank'])
    for (const name of ['quotes', 'bank']) expect([...shown, ...rest]).not.toContain(name)
  })
})

describe('the menu of a person who chose none', () => {
  test.each([
    [undefined, 'owner'],
    [[], 'owner'],
    [['owner'], 'owner'],
    [['owner', 'accountant'], 'owner'],
    [['administrator'], 'all'],
    [['bookkeeper'], 'accountant'],
    [['accountant'], 'accountant'],
    [['adviser'], 'accountant'],
    [['sales'], 'sales'],
    [['sales', 'bookkeeper'], 'all'],
  ] as const)('with the roles %j is that of %s', (roles, view) => {
    expect(defaultMenu(roles)).toBe(view)
  })
})
