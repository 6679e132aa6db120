/** Pages that a territory's tax, returns or registry decides, with a company of each. */
import type { GalleryState } from '../states.ts'

const PAGES = {
  home: '/',
  invoices: '/invoices',
  'invoice-new': '/invoices/new',
  invoice: '/invoices/:invoice',
  draft: '/invoices/:draft',
  edit: '/invoices/:draft/edit',
  mainland: '/invoices/:mainland',
  quote: '/quotes/:quote',
  items: '/items',
  item: '/items/:item',
  contact: '/contacts/:contact',
  'received-new': '/received/new',
  received: '/received/:received',
  charged: '/received/:charged',
  imported: '/received/:imported',
  taxes: '/taxes',
  registry: '/registry',
  declaration: '/declaration',
  'ledger-chart': '/ledger/chart',
  settings: '/settings',
  'settings-taxes': '/settings/taxes',
  'settings-certificate': '/settings/certificate',
  help: '/help',
  'help-registry': '/help/signed-registry',
  'help-returns': '/help/foral-returns',
  'help-territories': '/help/territories',
} as const

const OWN_PAGES = {
  'las-palmas': {
    'tax-420': '/taxes/2026-4T/420',
    'tax-425': '/taxes/2026-4T/425',
    'tax-415': '/taxes/2026-4T/415',
  },
  ceuta: {},
  bilbao: {},
  vitoria: {},
  donostia: {},
} as const

export const territoryStates: readonly GalleryState[] = (
  ['las-palmas', 'ceuta', 'bilbao', 'vitoria', 'donostia'] as const
).flatMap((world) =>
  Object.entries({ ...PAGES, ...OWN_PAGES[world] }).map(([name, path]): GalleryState => ({
    name: `${world}-${name}`,
    world,
    path: (ids) => path.replace(/:(\w+)/, (_whole, thing: string) => ids[thing] ?? `missing-${thing}`),
  })),
)

/** What a newcomer of each territory is told at set-up; the last one contradicts its postal code. */
export const setUpStates: readonly GalleryState[] = (
  [
    ['canary', '35002', null],
    ['ceuta', '51001', null],
    ['basque', '48001', null],
    ['navarre', '31001', null],
    ['contradicted', '35002', 'mainland'],
  ] as const
).map(([name, postalCode, chosen]) => ({
  name: `welcome-${name}`,
  world: 'fresh',
  path: () => '/welcome',
  act: async ({ page }) => {
    await page.locator('#welcome-postalCode').fill(postalCode)
    if (chosen !== null) await page.locator('#welcome-territory').selectOption(chosen)
    await page.locator('#welcome-territory').scrollIntoViewIfNeeded()
  },
}))

/** A live book without a certificate, whose registry signs each invoice. */
export const keyStates: readonly GalleryState[] = (['/invoices/new', '/registry'] as const).map((path) => ({
  name: `bilbao-live${path.replaceAll('/', '-')}`,
  world: 'bilbao',
  book: 'live',
  path: () => path,
}))
