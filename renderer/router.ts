/** The addresses of the window's pages; every page is fetched when it is first visited. */
import { createRouter, createWebHistory } from 'vue-router'
import type { RouteRecordRaw } from 'vue-router'

type PageModule = () => Promise<unknown>

const pages = import.meta.glob<unknown>(['./*/*Page.vue']) as Record<string, PageModule>

interface PageAddress {
  path: string
  name: string
  /** File below renderer/. */
  page: string
  /** Outside the shell: set-up and whole-window states. */
  bare?: true
  /** Addresses with the same name here are one page that stays when the address changes: a new draft gets its own. */
  stays?: string
}

const addresses: readonly PageAddress[] = [
  { path: '/', name: 'home', page: 'home/HomePage.vue' },
  { path: '/inbox/:id?', name: 'inbox', page: 'inbox/InboxPage.vue' },
  { path: '/invoices', name: 'invoices', page: 'invoices/InvoicesPage.vue' },
  { path: '/invoices/new', name: 'invoice-new', page: 'invoices/EditorPage.vue', stays: 'editor' },
  { path: '/invoices/:id', name: 'invoice', page: 'invoices/InvoicePage.vue' },
  { path: '/invoices/:id/edit', name: 'invoice-edit', page: 'invoices/EditorPage.vue', stays: 'editor' },
  { path: '/contacts/:id?', name: 'contacts', page: 'contacts/ContactsPage.vue' },
  { path: '/registry', name: 'registry', page: 'registry/RegistryPage.vue' },
  { path: '/declaration', name: 'declaration', page: 'declaration/DeclarationPage.vue' },
  { path: '/connect/assistants', name: 'assistants', page: 'connect/AssistantsPage.vue' },
  { path: '/connect/keys', name: 'keys', page: 'connect/KeysPage.vue' },
  { path: '/connect/activity', name: 'activity', page: 'connect/ActivityPage.vue' },
  { path: '/settings/:section?', name: 'settings', page: 'settings/SettingsPage.vue' },
  { path: '/welcome', name: 'welcome', page: 'welcome/WelcomePage.vue', bare: true },
]

/** A page that is not built yet has no address: it is absent from menus too, never "coming soon". */
const built: RouteRecordRaw[] = addresses.flatMap(({ path, name, page, bare, stays }) => {
  const component = pages[`./${page}`]
  return component
    ? [
        {
          path,
          name,
          component,
          meta: { bare: bare ?? false, ...(stays ? { stays } : {}) },
        } as RouteRecordRaw,
      ]
    : []
})

export const router = createRouter({
  history: createWebHistory(),
  routes: [
    ...built,
    {
      path: '/:path(.*)*',
      name: 'lost',
      component: () => import('./components/LostPage.vue'),
      meta: { bare: false },
    },
  ],
})

/** True when the product has that page. */
export function hasPage(name: string): boolean {
  return router.hasRoute(name)
}
