/** Routes of the window; the code of every page is loaded on its first visit. */
import type { Component } from 'vue'
import { createRouter, createWebHistory } from 'vue-router'
import type { RouteLocationRaw, RouteRecordRaw } from 'vue-router'
import { hasDestination } from './app/settings/sections.ts'
import { inOffice, may } from './stores/person.ts'
import type { Capability } from '../server/domain/people.ts'

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
  /** What somebody needs in an office to open it. */
  needs?: Capability
  /** True for a page that an office lacks. */
  desk?: true
}

const addresses: readonly PageAddress[] = [
  { path: '/', name: 'home', page: 'app/dashboard/HomePage.vue', needs: 'ledger.read' },
  { path: '/console', name: 'console', page: 'app/console/ConsolePage.vue' },
  { path: '/inbox/mine', name: 'inbox-mine', page: 'app/collaboration/ForMePage.vue', needs: 'own' },
  { path: '/inbox/:id?', name: 'inbox', page: 'app/approvals/InboxPage.vue', needs: 'own' },
  { path: '/invoices', name: 'invoices', page: 'sales/invoices/list/InvoicesPage.vue', needs: 'sales.read' },
  {
    path: '/invoices/new',
    name: 'invoice-new',
    page: 'sales/invoices/editor/EditorPage.vue',
    stays: 'editor',
    needs: 'sales.write',
  },
  {
    path: '/invoices/:id',
    name: 'invoice',
    page: 'sales/invoices/read/InvoicePage.vue',
    needs: 'sales.read',
  },
  {
    path: '/invoices/:id/edit',
    name: 'invoice-edit',
    page: 'sales/invoices/editor/EditorPage.vue',
    stays: 'editor',
    needs: 'sales.write',
  },
  { path: '/quotes', name: 'quotes', page: 'sales/quotes/QuotesPage.vue', needs: 'sales.read' },
  { path: '/quotes/new', name: 'quote-new', page: 'sales/quotes/QuoteEditorPage.vue', needs: 'sales.write' },
  { path: '/quotes/:id', name: 'quote', page: 'sales/quotes/QuotePage.vue', needs: 'sales.read' },
  {
    path: '/quotes/:id/edit',
    name: 'quote-edit',
    page: 'sales/quotes/QuoteEditorPage.vue',
    needs: 'sales.write',
  },
  {
    path: '/recurring/:id?',
    name: 'recurring',
    page: 'sales/recurring/RecurringPage.vue',
    needs: 'sales.read',
  },
  {
    path: '/recurring/new',
    name: 'recurring-new',
    page: 'sales/recurring/RecurringEditorPage.vue',
    needs: 'sales.issue',
  },
  {
    path: '/recurring/:id/edit',
    name: 'recurring-edit',
    page: 'sales/recurring/RecurringEditorPage.vue',
    needs: 'sales.issue',
  },
  { path: '/templates', name: 'templates', page: 'sales/recurring/TemplatesPage.vue', needs: 'sales.read' },
  {
    path: '/templates/:id/edit',
    name: 'template-edit',
    page: 'sales/recurring/TemplateEditorPage.vue',
    needs: 'sales.write',
  },
  {
    path: '/contacts/:id?',
    name: 'contacts',
    page: 'catalog/contacts/ContactsPage.vue',
    needs: 'sales.read',
  },
  { path: '/items/:id?', name: 'items', page: 'catalog/items/ItemsPage.vue', needs: 'sales.read' },
  { path: '/import/:kind?', name: 'import', page: 'app/imports/ImportPage.vue', needs: 'import' },
  { path: '/moving/:id?', name: 'moving', page: 'app/moving-in/MovingPage.vue', needs: 'import' },
  {
    path: '/ledger/:tab?/:code?',
    name: 'ledger',
    page: 'accounting/ledger/LedgerPage.vue',
    needs: 'ledger.read',
  },
  { path: '/assets', name: 'assets', page: 'accounting/assets/AssetsPage.vue', needs: 'ledger.read' },
  { path: '/assets/:id', name: 'asset', page: 'accounting/assets/AssetPage.vue', needs: 'ledger.read' },
  {
    path: '/contacts/:id/statement',
    name: 'statement',
    page: 'accounting/payments/StatementPage.vue',
    needs: 'payments.read',
  },
  {
    path: '/privacy/person',
    name: 'privacy-person',
    page: 'app/privacy/PersonPage.vue',
    needs: 'privacy.manage',
  },
  {
    path: '/payments/:tab?',
    name: 'payments',
    page: 'accounting/payments/PaymentsPage.vue',
    needs: 'payments.read',
  },
  { path: '/mails', name: 'mails', page: 'documents/mail/MailsPage.vue', needs: 'sales.read' },
  { path: '/taxes/:period?', name: 'taxes', page: 'accounting/returns/TaxesPage.vue', needs: 'returns.read' },
  {
    path: '/taxes/hand-on',
    name: 'hand-on',
    page: 'accounting/hand-on/HandOnPage.vue',
    needs: 'returns.read',
  },
  {
    path: '/taxes/:period/close',
    name: 'tax-close',
    page: 'accounting/returns/close/ClosePage.vue',
    needs: 'returns.prepare',
  },
  {
    path: '/taxes/:period/:model/file',
    name: 'tax-file',
    page: 'accounting/returns/file/FilePage.vue',
    needs: 'returns.prepare',
  },
  {
    path: '/taxes/:period/:model',
    name: 'tax-model',
    page: 'accounting/returns/ModelPage.vue',
    needs: 'returns.read',
  },
  { path: '/bank/:id?', name: 'bank', page: 'accounting/bank/BankPage.vue', needs: 'bank.read' },
  { path: '/received', name: 'received', page: 'purchases/ReceivedPage.vue', needs: 'purchases.read' },
  {
    path: '/received/incoming/sources',
    name: 'incoming-sources',
    page: 'purchases/incoming/SourcesPage.vue',
    needs: 'purchases.read',
  },
  {
    path: '/received/incoming/:id?',
    name: 'incoming',
    page: 'purchases/incoming/IncomingPage.vue',
    needs: 'purchases.read',
  },
  {
    path: '/received/:id',
    name: 'received-one',
    page: 'purchases/ReceivedEntryPage.vue',
    stays: 'received-one',
    needs: 'purchases.read',
  },
  { path: '/registry', name: 'registry', page: 'registry/RegistryPage.vue', needs: 'registry.read' },
  { path: '/exchange', name: 'exchange', page: 'integrations/exchange/DuePage.vue', needs: 'sales.read' },
  {
    path: '/exchange/invoices',
    name: 'exchange-list',
    page: 'integrations/exchange/ExchangeListPage.vue',
    needs: 'sales.read',
  },
  {
    path: '/exchange/law',
    name: 'exchange-law',
    page: 'integrations/exchange/LawPage.vue',
    needs: 'sales.read',
  },
  { path: '/declaration', name: 'declaration', page: 'registry/declaration/DeclarationPage.vue' },
  {
    path: '/connect/assistants',
    name: 'assistants',
    page: 'integrations/assistants/AssistantsPage.vue',
    desk: true,
  },
  {
    path: '/connect/assistants/:id',
    name: 'assistant',
    page: 'integrations/assistants/AssistantPage.vue',
    needs: 'connections.read',
  },
  { path: '/connect/keys', name: 'keys', page: 'platform/api-keys/KeysPage.vue' },
  {
    path: '/connect/webhooks',
    name: 'webhooks',
    page: 'platform/webhooks/WebhooksPage.vue',
    needs: 'connections.read',
  },
  {
    path: '/connect/webhooks/:id',
    name: 'webhook',
    page: 'platform/webhooks/WebhookPage.vue',
    needs: 'connections.read',
  },
  { path: '/connect/erp', name: 'erp', page: 'integrations/erp/ErpPage.vue', needs: 'connections.read' },
  {
    path: '/connect/erp/issued',
    name: 'erp-issued',
    page: 'integrations/erp/records/ErpDocumentsPage.vue',
    needs: 'ledger.read',
  },
  {
    path: '/connect/erp/received',
    name: 'erp-received',
    page: 'integrations/erp/records/ErpDocumentsPage.vue',
    needs: 'ledger.read',
  },
  {
    path: '/connect/erp/contacts',
    name: 'erp-contacts',
    page: 'integrations/erp/records/ErpContactsPage.vue',
    needs: 'ledger.read',
  },
  {
    path: '/connect/erp/items',
    name: 'erp-items',
    page: 'integrations/erp/records/ErpItemsPage.vue',
    needs: 'ledger.read',
  },
  {
    path: '/connect/erp/runs/:id?',
    name: 'erp-runs',
    page: 'integrations/erp/ErpRunsPage.vue',
    needs: 'connections.read',
  },
  { path: '/connect/adviser', name: 'adviser', page: 'app/adviser/AdviserPage.vue', desk: true },
  {
    path: '/connect/activity',
    name: 'activity',
    page: 'platform/audit/ActivityPage.vue',
    needs: 'history.read',
  },
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

const needsOf = new Map(addresses.map(({ name, needs, desk }) => [name, { needs, desk }]))

/** Returns whether the person may open that page; on a desk every page. */
export function mayOpenPage(name: string): boolean {
  const { needs, desk } = needsOf.get(name) ?? {}
  return !(desk && inOffice()) && (needs === undefined || may(needs))
}

/** Returns true if the product has that page, and the person may open it. */
export function hasPage(name: string): boolean {
  return router.hasRoute(name) && mayOpenPage(name)
}

/** Returns whether the person may open the page of an address; an address of elsewhere is no page. */
export function mayOpen(to: RouteLocationRaw): boolean {
  if (typeof to === 'string' && !to.startsWith('/')) return true
  const { name, path } = router.resolve(to)
  return hasPage(String(name)) && hasDestination(path)
}
