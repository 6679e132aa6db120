/** Routes of the window; the code of every page is loaded on its first visit. */
import type { Component } from 'vue'
import { createRouter, createWebHistory } from 'vue-router'
import type { RouteRecordRaw } from 'vue-router'

type PageModule = () => Promise<unknown>

const pages = import.meta.glob<unknown>(['./**/*Page.vue']) as Record<string, PageModule>

interface PageAddress {
  path: string
  name: string
  /** File below renderer/. */
  page: string
  /** True outside the shell: set-up and whole-window states. */
  bare?: true
  /**
   * Routes with the same name here share one page, which stays when the address changes: a new draft gets its own
   * address.
   */
  stays?: string
}

const addresses: readonly PageAddress[] = [
  { path: '/', name: 'home', page: 'app/dashboard/HomePage.vue' },
  { path: '/console', name: 'console', page: 'app/console/ConsolePage.vue' },
  { path: '/inbox/:id?', name: 'inbox', page: 'app/approvals/InboxPage.vue' },
  { path: '/invoices', name: 'invoices', page: 'sales/invoices/list/InvoicesPage.vue' },
  {
    path: '/invoices/new',
    name: 'invoice-new',
    page: 'sales/invoices/editor/EditorPage.vue',
    stays: 'editor',
  },
  { path: '/invoices/:id', name: 'invoice', page: 'sales/invoices/read/InvoicePage.vue' },
  {
    path: '/invoices/:id/edit',
    name: 'invoice-edit',
    page: 'sales/invoices/editor/EditorPage.vue',
    stays: 'editor',
  },
  { path: '/quotes', name: 'quotes', page: 'sales/quotes/QuotesPage.vue' },
  { path: '/quotes/new', name: 'quote-new', page: 'sales/quotes/QuoteEditorPage.vue' },
  { path: '/quotes/:id', name: 'quote', page: 'sales/quotes/QuotePage.vue' },
  { path: '/quotes/:id/edit', name: 'quote-edit', page: 'sales/quotes/QuoteEditorPage.vue' },
  { path: '/recurring/:id?', name: 'recurring', page: 'sales/recurring/RecurringPage.vue' },
  { path: '/recurring/new', name: 'recurring-new', page: 'sales/recurring/RecurringEditorPage.vue' },
  { path: '/recurring/:id/edit', name: 'recurring-edit', page: 'sales/recurring/RecurringEditorPage.vue' },
  { path: '/templates', name: 'templates', page: 'sales/recurring/TemplatesPage.vue' },
  { path: '/templates/:id/edit', name: 'template-edit', page: 'sales/recurring/TemplateEditorPage.vue' },
  { path: '/contacts/:id?', name: 'contacts', page: 'catalog/contacts/ContactsPage.vue' },
  { path: '/items/:id?', name: 'items', page: 'catalog/items/ItemsPage.vue' },
  { path: '/import/:kind?', name: 'import', page: 'app/imports/ImportPage.vue' },
  { path: '/ledger/:tab?/:code?', name: 'ledger', page: 'accounting/ledger/LedgerPage.vue' },
  { path: '/contacts/:id/statement', name: 'statement', page: 'accounting/payments/StatementPage.vue' },
  { path: '/privacy/person', name: 'privacy-person', page: 'app/privacy/PersonPage.vue' },
  { path: '/payments/:tab?', name: 'payments', page: 'accounting/payments/PaymentsPage.vue' },
  { path: '/mails', name: 'mails', page: 'documents/mail/MailsPage.vue' },
  { path: '/taxes/:period?', name: 'taxes', page: 'accounting/returns/TaxesPage.vue' },
  { path: '/taxes/:period/close', name: 'tax-close', page: 'accounting/returns/close/ClosePage.vue' },
  { path: '/taxes/:period/:model/file', name: 'tax-file', page: 'accounting/returns/file/FilePage.vue' },
  { path: '/taxes/:period/:model', name: 'tax-model', page: 'accounting/returns/ModelPage.vue' },
  { path: '/bank/:id?', name: 'bank', page: 'accounting/bank/BankPage.vue' },
  { path: '/received', name: 'received', page: 'purchases/ReceivedPage.vue' },
  {
    path: '/received/incoming/sources',
    name: 'incoming-sources',
    page: 'purchases/incoming/SourcesPage.vue',
  },
  { path: '/received/incoming/:id?', name: 'incoming', page: 'purchases/incoming/IncomingPage.vue' },
  {
    path: '/received/:id',
    name: 'received-one',
    page: 'purchases/ReceivedEntryPage.vue',
    stays: 'received-one',
  },
  { path: '/registry', name: 'registry', page: 'registry/RegistryPage.vue' },
  { path: '/declaration', name: 'declaration', page: 'registry/declaration/DeclarationPage.vue' },
  { path: '/connect/assistants', name: 'assistants', page: 'integrations/assistants/AssistantsPage.vue' },
  { path: '/connect/assistants/:id', name: 'assistant', page: 'integrations/assistants/AssistantPage.vue' },
  { path: '/connect/keys', name: 'keys', page: 'platform/api-keys/KeysPage.vue' },
  { path: '/connect/webhooks', name: 'webhooks', page: 'platform/webhooks/WebhooksPage.vue' },
  { path: '/connect/webhooks/:id', name: 'webhook', page: 'platform/webhooks/WebhookPage.vue' },
  { path: '/connect/erp', name: 'erp', page: 'integrations/erp/ErpPage.vue' },
  { path: '/connect/erp/issued', name: 'erp-issued', page: 'integrations/erp/records/ErpDocumentsPage.vue' },
  {
    path: '/connect/erp/received',
    name: 'erp-received',
    page: 'integrations/erp/records/ErpDocumentsPage.vue',
  },
  {
    path: '/connect/erp/contacts',
    name: 'erp-contacts',
    page: 'integrations/erp/records/ErpContactsPage.vue',
  },
  { path: '/connect/erp/items', name: 'erp-items', page: 'integrations/erp/records/ErpItemsPage.vue' },
  { path: '/connect/erp/runs/:id?', name: 'erp-runs', page: 'integrations/erp/ErpRunsPage.vue' },
  { path: '/connect/adviser', name: 'adviser', page: 'app/adviser/AdviserPage.vue' },
  { path: '/connect/activity', name: 'activity', page: 'platform/audit/ActivityPage.vue' },
  { path: '/help/:topic?', name: 'help', page: 'app/help/HelpPage.vue' },
  { path: '/settings/:section?', name: 'settings', page: 'app/settings/SettingsPage.vue' },
  { path: '/welcome', name: 'welcome', page: 'app/welcome/WelcomePage.vue', bare: true },
]

/** A page that is not built yet has no route: it is absent from menus too, never "coming soon". */
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
      component: pages['./app/shell/LostPage.vue'] as () => Promise<Component>,
      meta: { bare: false },
    },
  ],
})

/** Returns true if the product has that page. */
export function hasPage(name: string): boolean {
  return router.hasRoute(name)
}
