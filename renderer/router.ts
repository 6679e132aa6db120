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
  { path: '/quotes', name: 'quotes', page: 'quotes/QuotesPage.vue' },
  { path: '/quotes/new', name: 'quote-new', page: 'quotes/QuoteEditorPage.vue' },
  { path: '/quotes/:id', name: 'quote', page: 'quotes/QuotePage.vue' },
  { path: '/quotes/:id/edit', name: 'quote-edit', page: 'quotes/QuoteEditorPage.vue' },
  { path: '/recurring/:id?', name: 'recurring', page: 'recurring/RecurringPage.vue' },
  { path: '/recurring/new', name: 'recurring-new', page: 'recurring/RecurringEditorPage.vue' },
  { path: '/recurring/:id/edit', name: 'recurring-edit', page: 'recurring/RecurringEditorPage.vue' },
  { path: '/templates', name: 'templates', page: 'recurring/TemplatesPage.vue' },
  { path: '/templates/:id/edit', name: 'template-edit', page: 'recurring/TemplateEditorPage.vue' },
  { path: '/contacts/:id?', name: 'contacts', page: 'contacts/ContactsPage.vue' },
  { path: '/items/:id?', name: 'items', page: 'items/ItemsPage.vue' },
  { path: '/import/:kind?', name: 'import', page: 'imports/ImportPage.vue' },
  { path: '/ledger/:tab?/:code?', name: 'ledger', page: 'ledger/LedgerPage.vue' },
  { path: '/contacts/:id/statement', name: 'statement', page: 'payments/StatementPage.vue' },
  { path: '/privacy/person', name: 'privacy-person', page: 'privacy/PersonPage.vue' },
  { path: '/payments/:tab?', name: 'payments', page: 'payments/PaymentsPage.vue' },
  { path: '/mails', name: 'mails', page: 'mail/MailsPage.vue' },
  { path: '/taxes/:period?', name: 'taxes', page: 'taxes/TaxesPage.vue' },
  { path: '/taxes/:period/:model', name: 'tax-model', page: 'taxes/ModelPage.vue' },
  { path: '/bank/:id?', name: 'bank', page: 'bank/BankPage.vue' },
  { path: '/received', name: 'received', page: 'received/ReceivedPage.vue' },
  {
    path: '/received/:id',
    name: 'received-one',
    page: 'received/ReceivedEntryPage.vue',
    stays: 'received-one',
  },
  { path: '/registry', name: 'registry', page: 'registry/RegistryPage.vue' },
  { path: '/declaration', name: 'declaration', page: 'declaration/DeclarationPage.vue' },
  { path: '/connect/assistants', name: 'assistants', page: 'connect/AssistantsPage.vue' },
  { path: '/connect/assistants/:id', name: 'assistant', page: 'connect/AssistantPage.vue' },
  { path: '/connect/keys', name: 'keys', page: 'connect/KeysPage.vue' },
  { path: '/connect/webhooks', name: 'webhooks', page: 'webhooks/WebhooksPage.vue' },
  { path: '/connect/webhooks/:id', name: 'webhook', page: 'webhooks/WebhookPage.vue' },
  { path: '/connect/erp', name: 'erp', page: 'connect/ErpPage.vue' },
  { path: '/connect/erp/issued', name: 'erp-issued', page: 'connect/ErpDocumentsPage.vue' },
  { path: '/connect/erp/received', name: 'erp-received', page: 'connect/ErpDocumentsPage.vue' },
  { path: '/connect/erp/contacts', name: 'erp-contacts', page: 'connect/ErpContactsPage.vue' },
  { path: '/connect/erp/items', name: 'erp-items', page: 'connect/ErpItemsPage.vue' },
  { path: '/connect/erp/runs/:id?', name: 'erp-runs', page: 'connect/ErpRunsPage.vue' },
  { path: '/connect/activity', name: 'activity', page: 'connect/ActivityPage.vue' },
  { path: '/help/:topic?', name: 'help', page: 'help/HelpPage.vue' },
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
      component: () => import('./shell/LostPage.vue'),
      meta: { bare: false },
    },
  ],
})

/** True when the product has that page. */
export function hasPage(name: string): boolean {
  return router.hasRoute(name)
}
