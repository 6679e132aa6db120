/**
 * Topics of the help, with group, pages, links and legal sources. The texts are in es/ and en/, one for each topic
 * named here. Pure.
 */

export const TOPIC_GROUPS = ['start', 'invoicing', 'registry', 'taxes', 'money', 'safety'] as const
type TopicGroup = (typeof TOPIC_GROUPS)[number]

interface TopicPlace {
  to: string
  /** Message key of the target's name. */
  label: string
}

interface TopicFacts {
  group: TopicGroup
  /** Pages that the topic belongs to: a route's name, or name and first parameter (`settings/series`). */
  pages?: readonly string[]
  places?: readonly TopicPlace[]
  related: readonly string[]
  /** As cited in Spain, the same in both languages. */
  law?: readonly string[]
}

const at = (to: string, label: string): TopicPlace => ({ to, label })
const INVOICES = at('/invoices', 'nav.invoices')
const NEW_INVOICE = at('/invoices/new', 'shortcuts.newInvoice')
const REGISTRY = at('/registry', 'nav.registry')
const TAXES = at('/taxes', 'taxes.title')
const CONTACTS = at('/contacts', 'nav.contacts')
const COMPANY = at('/settings', 'settings.company.title')
const SECURITY = at('/settings/security', 'settings.security.title')
const BACKUPS = at('/settings/backups', 'backups.title')
const CERTIFICATE = at('/settings/certificate', 'settings.certificate.title')
const OVERDUE = at('/payments/overdue', 'payments.tabs.overdue')

export const TOPICS = {
  'first-invoice': {
    group: 'start',
    pages: ['home', 'invoice-new', 'invoice-edit'],
    places: [NEW_INVOICE, INVOICES],
    related: ['draft-and-issue', 'test-and-live', 'customers'],
    law: ['RD 1619/2012, arts. 6 y 11'],
  },
  'test-and-live': {
    group: 'start',
    places: [at('/', 'nav.home')],
    related: ['first-invoice', 'certificate', 'verifactu'],
  },
  'draft-and-issue': {
    group: 'start',
    pages: ['invoices'],
    places: [INVOICES, NEW_INVOICE],
    related: ['correct', 'series', 'offline'],
    law: ['RD 1619/2012, arts. 6, 11 y 18', 'RD 1007/2023, art. 8'],
  },
  together: {
    group: 'start',
    pages: ['inbox-mine'],
    places: [at('/inbox/mine', 'forMe.title')],
    related: ['draft-and-issue', 'customers'],
  },
  console: {
    group: 'start',
    pages: ['console'],
    places: [at('/console', 'console.title')],
    related: ['company', 'certificate', 'payments'],
  },
  company: {
    group: 'start',
    pages: ['settings'],
    places: [COMPANY],
    related: ['test-and-live', 'series', 'certificate'],
    law: ['RD 1619/2012, art. 6.1', 'Código de Comercio, art. 24'],
  },
  companies: {
    group: 'start',
    pages: ['settings/company', 'settings/archive'],
    places: [COMPANY, at('/settings/archive', 'companies.archive.title')],
    related: ['company', 'test-and-live', 'certificate'],
    law: ['Código de Comercio, art. 30', 'Ley 58/2003, arts. 66 y 70'],
  },
  moving: {
    group: 'start',
    pages: ['moving'],
    places: [at('/moving', 'moving.title')],
    related: ['import', 'returns', 'payments', 'test-and-live'],
  },
  import: {
    group: 'start',
    pages: ['import'],
    places: [at('/import', 'imports.title')],
    related: ['moving', 'customers', 'items', 'received'],
  },
  keyboard: {
    group: 'start',
    places: [at('/settings/appearance', 'settings.appearance.title')],
    related: ['preferences', 'first-invoice', 'troubles'],
  },
  preferences: {
    group: 'start',
    pages: ['settings/appearance'],
    places: [at('/settings/appearance', 'settings.appearance.title')],
    related: ['keyboard', 'first-invoice'],
  },
  correct: {
    group: 'invoicing',
    pages: ['invoice'],
    places: [INVOICES, REGISTRY],
    related: ['draft-and-issue', 'registry-trouble', 'series'],
    law: ['RD 1619/2012, art. 15', 'Ley 37/1992, arts. 80 y 89', 'RD 1007/2023, art. 9'],
  },
  series: {
    group: 'invoicing',
    pages: ['settings/series'],
    places: [at('/settings/series', 'seriesPage.title')],
    related: ['draft-and-issue', 'correct', 'simplified'],
    law: ['RD 1619/2012, art. 6.1.a'],
  },
  simplified: {
    group: 'invoicing',
    places: [NEW_INVOICE],
    related: ['first-invoice', 'series', 'correct'],
    law: ['RD 1619/2012, arts. 4 y 7'],
  },
  quotes: {
    group: 'invoicing',
    pages: ['quotes', 'quote-new', 'quote', 'quote-edit'],
    places: [at('/quotes', 'nav.quotes')],
    related: ['draft-and-issue', 'recurring', 'customers'],
  },
  recurring: {
    group: 'invoicing',
    pages: ['recurring', 'recurring-new', 'recurring-edit', 'templates', 'template-edit'],
    places: [at('/recurring', 'nav.recurring')],
    related: ['draft-and-issue', 'quotes', 'direct-debits'],
  },
  customers: {
    group: 'invoicing',
    pages: ['contacts'],
    places: [CONTACTS],
    related: ['import', 'eu', 'withholding'],
    law: ['RD 1619/2012, art. 6.1.c, d y e'],
  },
  items: {
    group: 'invoicing',
    pages: ['items'],
    places: [at('/items', 'items.title')],
    related: ['vat', 'import', 'first-invoice'],
  },
  documents: {
    group: 'invoicing',
    pages: ['settings/design', 'settings/mail', 'settings/portal', 'mails'],
    places: [
      at('/settings/design', 'settings.design.title'),
      at('/settings/mail', 'mail.account.title'),
      at('/settings/portal', 'portal.settings.title'),
      at('/mails', 'mail.list.title'),
    ],
    related: ['qr', 'certificate', 'customers'],
    law: ['RD 1619/2012, arts. 8 y 9'],
  },
  verifactu: {
    group: 'registry',
    pages: ['registry', 'declaration'],
    places: [REGISTRY, at('/declaration', 'declaration.title')],
    related: ['offline', 'qr', 'registry-trouble', 'signed-registry'],
    law: ['RD 1007/2023', 'Orden HAC/1177/2024', 'RDL 15/2025, disp. final 1.ª'],
  },
  'signed-registry': {
    group: 'registry',
    places: [REGISTRY, CERTIFICATE],
    related: ['certificate', 'qr', 'registry-trouble', 'foral-returns'],
  },
  offline: {
    group: 'registry',
    places: [REGISTRY],
    related: ['verifactu', 'registry-trouble', 'certificate'],
    law: ['Orden HAC/1177/2024, art. 16'],
  },
  qr: {
    group: 'registry',
    places: [INVOICES],
    related: ['verifactu', 'documents'],
    law: ['RD 1619/2012, art. 6.5', 'Orden HAC/1177/2024, arts. 20 y 21'],
  },
  certificate: {
    group: 'registry',
    pages: ['settings/certificate'],
    places: [CERTIFICATE],
    related: ['verifactu', 'test-and-live', 'documents'],
    law: ['Orden HAC/1177/2024'],
  },
  'registry-trouble': {
    group: 'registry',
    places: [REGISTRY],
    related: ['correct', 'offline', 'backup', 'customers'],
  },
  vat: {
    group: 'taxes',
    pages: ['settings/taxes'],
    places: [at('/settings/taxes', 'tax.rates.title')],
    related: ['exempt', 'reverse-charge', 'eu', 'returns'],
    law: ['Ley 37/1992, arts. 78, 90 y 91'],
  },
  territories: {
    group: 'taxes',
    places: [COMPANY],
    related: ['vat', 'exempt', 'company'],
    law: ['Ley 20/1991', 'Ley 4/2012 de Canarias', 'Ley 8/1991', 'RD 1007/2023, art. 3'],
  },
  exempt: {
    group: 'taxes',
    places: [NEW_INVOICE],
    related: ['vat', 'reverse-charge', 'eu'],
    law: ['Ley 37/1992, arts. 7, 20 a 25, 69 y 70', 'RD 1619/2012, art. 6.1.j'],
  },
  'reverse-charge': {
    group: 'taxes',
    places: [NEW_INVOICE],
    related: ['exempt', 'eu', 'received'],
    law: ['Ley 37/1992, art. 84.Uno.2.º', 'RD 1619/2012, art. 6.1.m'],
  },
  eu: {
    group: 'taxes',
    places: [CONTACTS, TAXES],
    related: ['oss', 'reverse-charge', 'customers'],
    law: ['Ley 37/1992, arts. 25 y 69', 'RD 1624/1992, arts. 79 a 81'],
  },
  oss: {
    group: 'taxes',
    places: [TAXES],
    related: ['eu', 'vat'],
    law: ['Ley 37/1992, arts. 68, 70, 73 y 163 septiesdecies y siguientes'],
  },
  withholding: {
    group: 'taxes',
    places: [COMPANY, NEW_INVOICE],
    related: ['returns', 'customers', 'received'],
    law: ['Ley 35/2006, art. 101.5', 'RD 439/2007, art. 95'],
  },
  surcharge: {
    group: 'taxes',
    places: [CONTACTS],
    related: ['vat', 'customers'],
    law: ['Ley 37/1992, arts. 148 a 163'],
  },
  returns: {
    group: 'taxes',
    pages: ['taxes', 'tax-close', 'tax-file', 'tax-model'],
    places: [TAXES],
    related: ['quarter-close', 'deadlines', 'year-schemes', 'received'],
    law: ['RD 1624/1992, art. 71', 'RD 439/2007, arts. 108 a 111', 'RD 1065/2007, art. 33'],
  },
  'foral-returns': {
    group: 'taxes',
    places: [TAXES],
    related: ['signed-registry', 'returns', 'territories'],
  },
  islands: {
    group: 'taxes',
    places: [TAXES],
    related: ['territories', 'returns', 'deadlines'],
    law: ['Ley 20/1991', 'Ley 4/2012 (Canarias)', 'Decreto 268/2011 (Canarias)'],
  },
  'year-schemes': {
    group: 'taxes',
    places: [TAXES],
    related: ['returns', 'deadlines', 'vat'],
    law: ['RD 1624/1992, arts. 30, 62.6, 71.3 y 81', 'RD 439/2007, art. 108.1', 'RD 1007/2023, art. 3.3'],
  },
  'handing-on': {
    group: 'taxes',
    pages: ['hand-on'],
    places: [at('/taxes/hand-on', 'handOn.title')],
    related: ['quarter-close', 'returns', 'customers'],
  },
  'quarter-close': {
    group: 'taxes',
    places: [TAXES, at('/ledger/periods', 'nav.ledger')],
    related: ['returns', 'deadlines', 'received', 'bank'],
    law: ['RD 1624/1992, arts. 62 a 64'],
  },
  deadlines: {
    group: 'taxes',
    places: [TAXES],
    related: ['returns', 'quarter-close', 'draft-and-issue'],
    law: ['RD 1624/1992, art. 71.4', 'RD 439/2007, arts. 108 y 111', 'RD 1065/2007, art. 33'],
  },
  payments: {
    group: 'money',
    pages: ['payments'],
    places: [at('/payments', 'payments.title')],
    related: ['reminders', 'bank', 'direct-debits'],
    law: ['Ley 7/2012, art. 7'],
  },
  reminders: {
    group: 'money',
    pages: ['payments/overdue', 'payments/aging', 'statement'],
    places: [OVERDUE],
    related: ['payments', 'correct', 'direct-debits'],
    law: ['Ley 3/2004, arts. 4, 7 y 8', 'Ley 37/1992, art. 80.Cuatro'],
  },
  'direct-debits': {
    group: 'money',
    pages: ['payments/remittances', 'payments/mandates'],
    places: [
      at('/payments/remittances', 'payments.tabs.remittances'),
      at('/payments/mandates', 'payments.tabs.mandates'),
    ],
    related: ['payments', 'recurring'],
    law: ['Reglamento (UE) 260/2012'],
  },
  received: {
    group: 'money',
    pages: ['received', 'received-one'],
    places: [at('/received', 'nav.received')],
    related: ['incoming', 'returns', 'payments', 'import'],
    law: ['Ley 37/1992, arts. 92 a 97', 'RD 1624/1992, art. 64'],
  },
  incoming: {
    group: 'money',
    pages: ['incoming', 'incoming-sources'],
    places: [at('/received/incoming', 'nav.incoming'), at('/received', 'nav.received')],
    related: ['received', 'bank', 'privacy'],
  },
  bank: {
    group: 'money',
    pages: ['bank'],
    places: [at('/bank', 'bank.title')],
    related: ['payments', 'received', 'quarter-close'],
  },
  ledger: {
    group: 'money',
    pages: ['ledger'],
    places: [at('/ledger', 'nav.ledger')],
    related: ['quarter-close', 'returns', 'received'],
    law: ['Código de Comercio, arts. 25 a 30', 'RD 1515/2007'],
  },
  assets: {
    group: 'money',
    pages: ['assets', 'asset'],
    places: [at('/assets', 'assets.title'), at('/received', 'nav.received')],
    related: ['received', 'returns', 'ledger'],
    law: [
      'Ley 27/2014, arts. 12 y 103',
      'RD 634/2015, art. 4',
      'Orden de 27 de marzo de 1998',
      'Ley 37/1992, arts. 107 a 110',
    ],
  },
  exchange: {
    group: 'invoicing',
    pages: ['exchange', 'exchange-list', 'exchange-law'],
    places: [at('/exchange', 'exchange.tab.due'), at('/exchange/law', 'exchange.law.duties'), CONTACTS],
    related: ['received', 'documents', 'verifactu', 'certificate'],
    law: ['Ley 56/2007, art. 2 bis', 'RD 238/2026', 'Orden HAC/1028/2026'],
  },
  leaving: {
    group: 'safety',
    places: [COMPANY],
    related: ['backup', 'moving', 'verifactu'],
    law: ['Código de Comercio, art. 30', 'RD 1619/2012, arts. 19 a 21'],
  },
  inspection: {
    group: 'safety',
    places: [REGISTRY, SECURITY],
    related: ['backup', 'verifactu', 'privacy'],
    law: ['RD 1007/2023, art. 8', 'RD 1619/2012, arts. 19 a 21'],
  },
  backup: {
    group: 'safety',
    pages: ['settings/backups'],
    places: [BACKUPS, SECURITY, REGISTRY],
    related: ['privacy', 'registry-trouble', 'troubles'],
    law: ['Código de Comercio, art. 30', 'Ley 58/2003, arts. 66 y 70'],
  },
  privacy: {
    group: 'safety',
    places: [SECURITY, at('/connect/activity', 'connect.activity.title')],
    related: ['lock', 'person-data', 'backup'],
  },
  lock: {
    group: 'safety',
    pages: ['settings/security'],
    places: [SECURITY],
    related: ['privacy', 'backup', 'api-keys'],
  },
  team: {
    group: 'safety',
    pages: ['settings/team', 'settings/account'],
    related: ['privacy', 'api-keys', 'activity'],
  },
  'person-data': {
    group: 'safety',
    pages: ['privacy-person', 'settings/privacy'],
    places: [at('/settings/privacy', 'privacy.title')],
    related: ['privacy', 'customers', 'activity'],
    law: [
      'Reglamento (UE) 2016/679, arts. 12, 15, 17 y 20',
      'Ley Orgánica 3/2018, art. 32',
      'Código de Comercio, art. 30',
    ],
  },
  assistants: {
    group: 'safety',
    pages: ['inbox', 'assistants', 'assistant'],
    places: [at('/connect/assistants', 'connect.assistants.title'), at('/inbox', 'nav.inbox')],
    related: ['api-keys', 'activity', 'draft-and-issue'],
  },
  'api-keys': {
    group: 'safety',
    pages: ['keys'],
    places: [at('/connect/keys', 'connect.keys.title')],
    related: ['assistants', 'webhooks', 'activity'],
  },
  webhooks: {
    group: 'safety',
    pages: ['webhooks', 'webhook'],
    places: [at('/connect/webhooks', 'webhooks.title')],
    related: ['api-keys', 'activity'],
  },
  accounting: {
    group: 'safety',
    pages: ['erp', 'erp-issued', 'erp-received', 'erp-contacts', 'erp-items', 'erp-runs'],
    places: [at('/connect/erp', 'erp.place')],
    related: ['received', 'customers', 'returns', 'import'],
  },
  adviser: {
    group: 'safety',
    pages: ['adviser'],
    places: [at('/connect/adviser', 'adviser.title')],
    related: ['activity', 'received', 'returns', 'backup'],
  },
  activity: {
    group: 'safety',
    pages: ['activity'],
    places: [at('/connect/activity', 'connect.activity.title')],
    related: ['assistants', 'backup', 'verifactu'],
  },
  troubles: {
    group: 'safety',
    pages: ['lost'],
    places: [REGISTRY, SECURITY],
    related: ['registry-trouble', 'backup', 'certificate'],
  },
  glossary: {
    group: 'safety',
    related: ['vat', 'verifactu', 'correct'],
  },
} as const satisfies Record<string, TopicFacts>

export type TopicId = keyof typeof TOPICS
export const TOPIC_IDS = Object.keys(TOPICS) as TopicId[]

/**
 * Text of a topic. In `body`: paragraphs, `## ` headings, `- ` and `1. ` lists, `**strong**`, and figures as
 * `{name}`.
 */
export interface TopicText {
  title: string
  /** One sentence that answers the question on its own. */
  lead: string
  body: string
  /** Further search terms. */
  words?: string
}
export type TopicContent = Record<TopicId, TopicText>

/** Returns the facts of a topic. */
export function topicFacts(id: TopicId): TopicFacts & { related: readonly TopicId[] } {
  return TOPICS[id]
}

/** Returns true for the name of a topic in an address. */
export function isTopic(id: string): id is TopicId {
  return Object.hasOwn(TOPICS, id)
}

const BY_PAGE = new Map<string, TopicId>(
  TOPIC_IDS.flatMap((id) => (topicFacts(id).pages ?? []).map((page): [string, TopicId] => [page, id])),
)

/** Returns the topic of a page: of its tab if it has one, else of the page; null if there is none. */
export function topicOfPage(name: string, tab = ''): TopicId | null {
  return BY_PAGE.get(tab ? `${name}/${tab}` : name) ?? BY_PAGE.get(name) ?? null
}
