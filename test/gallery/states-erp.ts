/** The accounting connection: being made, reading, in trouble, and what was read. */
import { refused, statesOf } from './answering.ts'
import {
  COMPARISON,
  documentDetail,
  documentsFrom,
  FAILED,
  REJECTS,
  RUN,
  RUNNING,
  status,
} from './erp-answers.ts'
import type { GalleryState, Stage } from './states.ts'

const state = statesOf('erp', '/connect/keys')

const CONNECTED = { 'erp.status': status() }
const CONTACTS = { ...CONNECTED, 'erp.compareContacts': COMPARISON }
const RUN_PATH = `/connect/erp/runs/${RUN.runId}`
const PERMISSIONS = {
  granted: ['contacts:contacts.read', 'sales:invoices.read', 'accounting:taxes.read'],
  missing: ['accounting:purchases.read', 'inventory:products.read'],
}
const DOCUMENTS = {
  ...CONNECTED,
  'erp.windowDocuments': (input: Record<string, unknown>) =>
    documentsFrom(Number(input.offset ?? 0), Number(input.limit ?? 200)),
  'erp.document': (input: Record<string, unknown>) => documentDetail(String(input.id)),
}
const dialog = ({ page }: Stage) => page.getByRole('dialog').first().waitFor()
const toKey = async (stage: Stage, system: string): Promise<void> => {
  await stage.page.keyboard.press('c')
  await dialog(stage)
  await stage.page.locator(`input[value="${system}"]`).check()
  await stage.page.keyboard.press('Control+Enter')
  await stage.page.locator('#erp-key').waitFor()
}
const tryKey = async (stage: Stage): Promise<void> => {
  await toKey(stage, 'holded')
  await stage.page.locator('#erp-key').fill('pat_gallery')
  await stage.page.keyboard.press('Control+Enter')
}
const row = ({ page }: Stage, index: number) => page.locator(`[role="row"][aria-rowindex="${index}"]`).click()

export const erpStates: readonly GalleryState[] = [
  state('wizard-system', {}, '/connect/erp', async (stage) => {
    await stage.page.keyboard.press('c')
    await dialog(stage)
  }),
  state('wizard-hosted', {}, '/connect/erp', (stage) => toKey(stage, 'odoo')),
  state(
    'wizard-missing',
    { 'erp.connect': refused(422, 'erp_permission_missing', { permissions: PERMISSIONS }) },
    '/connect/erp',
    async (stage) => {
      await tryKey(stage)
      await stage.page.getByRole('dialog').getByRole('alert').waitFor()
    },
    { expected: /status of 422/ },
  ),
  state(
    'wizard-other',
    { 'erp.connect': refused(409, 'erp_other_account', { reason: 'unknown_records' }) },
    '/connect/erp',
    async (stage) => {
      await tryKey(stage)
      await stage.page.getByRole('dialog').getByRole('alert').waitFor()
    },
    { expected: /status of 409/ },
  ),
  state(
    'wizard-companies',
    {
      'erp.connect': refused(409, 'erp_account_choice', {
        accounts: [
          { id: '1', name: 'Obrador del Ebro, S.L.', taxId: 'B50770015' },
          { id: '2', name: 'Viveros Órtiz', taxId: null },
        ],
      }),
    },
    '/connect/erp',
    async (stage) => {
      await tryKey(stage)
      await stage.page.getByText('Viveros Órtiz').waitFor()
    },
    { expected: /status of 409/ },
  ),
  state(
    'wizard-done',
    {
      'erp.connect': {
        connected: true,
        erpAccountName: 'Obrador del Ebro, S.L.',
        lastSyncAt: null,
        provider: 'holded',
        apiFlavour: 'v2',
        permissions: { granted: [...PERMISSIONS.granted, ...PERMISSIONS.missing], missing: [] },
        keyHint: 'pat_…9f3a',
        label: null,
        warnings: [
          {
            code: 'erp_company_differs',
            field: 'erpApiKey',
            severity: 'warning',
            message: 'The accounting system belongs to another company.',
            params: {
              accountTaxId: 'B50770015',
              companyNif: 'B12345674',
              accountName: 'Obrador del Ebro, S.L.',
            },
          },
        ],
      },
    },
    '/connect/erp',
    async (stage) => {
      await tryKey(stage)
      await stage.page.getByText(stage.say('erp.connect.may')).waitFor()
    },
  ),
  state('connected', CONNECTED, '/connect/erp'),
  state('running', { 'erp.status': status({ currentRun: RUNNING }) }, '/connect/erp'),
  state(
    'partial',
    {
      'erp.status': status({
        lastRun: FAILED,
        lastError: { code: 'erp_quota_exhausted', at: RUN.startedAt },
        fullPassDue: true,
      }),
    },
    '/connect/erp',
  ),
  state(
    'needs-key',
    { 'erp.status': status({ state: 'needs_reconnection', connected: false }) },
    '/connect/erp',
  ),
  state(
    'earlier',
    { 'erp.status': status({ state: 'disconnected', connected: false, keyHint: null }) },
    '/connect/erp',
  ),
  state(
    'forget',
    { 'erp.status': status({ state: 'disconnected', connected: false, keyHint: null }) },
    '/connect/erp',
    async (stage) => {
      await stage.page.getByRole('button', { name: stage.say('erp.forget.open') }).click()
      await dialog(stage)
    },
  ),
  state(
    'guard',
    {
      ...CONNECTED,
      'erp.sync': refused(409, 'erp_quota_guard', {
        estimate: 38,
        left: 12,
        quota: { month: '2026-11', used: 388, budget: 500, reserve: 100, limit: 500, source: 'meter' },
      }),
    },
    '/connect/erp',
    async (stage) => {
      await stage.page.keyboard.press('r')
      await dialog(stage)
    },
    { expected: /status of 409/ },
  ),
  state(
    'runs-list',
    { ...CONNECTED, 'erp.runs': { items: [RUN, FAILED], nextCursor: null } },
    '/connect/erp/runs',
  ),
  state('run-rejects', { ...CONNECTED, 'erp.run': RUN, 'erp.rejects': REJECTS }, RUN_PATH),
  state('contact-diff', CONTACTS, '/connect/erp/contacts', async (stage) => {
    await row(stage, 2)
    await stage.page.getByRole('checkbox').first().check()
  }),
  state('contact-conflict', CONTACTS, '/connect/erp/contacts', (stage) => row(stage, 5)),
  state(
    'contact-chosen',
    {
      ...CONTACTS,
      'erp.compareWith': {
        differences: [{ field: 'name', here: 'Suministros Obra (antiguo)', there: 'Suministros de Obra' }],
      },
    },
    '/connect/erp/contacts',
    async (stage) => {
      await row(stage, 5)
      await stage.page.getByRole('radio').last().check()
      await stage.page.getByRole('checkbox').last().waitFor()
    },
  ),
  state('contacts-many', CONTACTS, '/connect/erp/contacts', async (stage) => {
    await stage.page.keyboard.press('l')
    await dialog(stage)
  }),
  state('documents', DOCUMENTS, '/connect/erp/issued'),
  state('document', DOCUMENTS, '/connect/erp/issued', async (stage) => {
    await row(stage, 5)
    await stage.page.getByRole('complementary', { name: stage.say('erp.doc.panel') }).waitFor()
  }),
  state('documents-end', DOCUMENTS, '/connect/erp/issued', async ({ page }) => {
    await page.locator('[role="row"][aria-rowindex="2"]').focus()
    await page.keyboard.press('End')
    await page.waitForTimeout(400)
  }),
]
