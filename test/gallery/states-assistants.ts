/** Assistants: each kind of set-up, the look at the own address, and what one of them asked and saw. */
import { refused, statesOf } from './answering.ts'
import type { Answers } from './answering.ts'
import type { GalleryState, Stage } from './states.ts'

const AT = '2026-11-20T09:14:05.000Z'
const ID = 'key_6tqy0v5cbn2k8w4e'
const SECRET = 'svc_test_8hT2kQ0pVb7XcD4sLm9RzA1eYw3UnG5J'
const KEY = {
  id: ID,
  name: 'Claude Desktop',
  prefix: 'svc_test_8hT2',
  mode: 'test',
  scopes: [
    'company.read',
    'invoices.read',
    'registry.read',
    'fiscal.read',
    'invoices.write',
    'invoices.issue',
  ],
  approval: 'always',
  assistant: true,
  createdAt: AT,
  lastUsedAt: AT as string | null,
  expiresAt: null,
  limits: {},
}
const CLIENT = { keyId: ID, name: 'Claude Desktop', version: '1.4.27', at: AT, calls: 128 }
const KEYS: Answers = {
  'keys.list': { items: [KEY] },
  'assistants.clients': { items: [CLIENT] },
  'assistants.setup': {
    platform: 'linux',
    mcpUrl: 'http://127.0.0.1:4545/api/mcp/svc',
    bridge: '/home/ana/.config/sello/sello-bridge.mjs',
  },
  'keys.createByPerson': {
    ...KEY,
    id: 'key_new0v5cbn2k8w4e',
    name: 'Claude Code 2',
    lastUsedAt: null,
    key: SECRET,
  },
}

const fact = (name: string, value: string) => ({ name, value })
const INVOICE = { id: 'inv_6tqy0v5cbn2k8w4e', number: 'F2026-0119' }
const CALLS = [
  {
    tool: 'svc_issue_registry_invoice',
    arguments: [fact('id', INVOICE.id), fact('confirmationToken', '…')],
    answer: [fact('number', INVOICE.number), fact('state', 'issued'), fact('total', '1452')],
    invoice: INVOICE,
    seen: [INVOICE],
  },
  {
    tool: 'svc_issue_registry_invoice',
    outcome: 'refused',
    code: 'approval_pending',
    arguments: [fact('id', INVOICE.id), fact('confirmationToken', '…')],
    invoice: { ...INVOICE, number: null },
  },
  {
    tool: 'svc_list_invoices',
    arguments: [fact('text', 'Panadería del Ebro, reforma del obrador'), fact('from', '2026-01-01')],
    answer: [fact('totals.count', '34'), fact('totals.total', '48213.77')],
    seen: Array.from({ length: 25 }, (_, at) => ({ id: `inv_${at}`, number: `F2026-00${at + 10}` })),
  },
  { tool: 'svc_get_company_context', answer: [fact('legalName', 'Obrador del Ebro, S.L.')] },
  { tool: 'unknown', outcome: 'refused', code: 'not_found' },
  { tool: 'svc_get_fiscal_summary', outcome: 'failed', code: 'internal' },
]
const call = (at: number, changes: object) => ({
  id: `call_${at}`,
  at: new Date(Date.parse(AT) - at * 60_000).toISOString(),
  client: 'Claude Desktop 1.4.27',
  arguments: [],
  outcome: 'ok',
  code: null,
  answer: [],
  invoice: null,
  seen: [],
  ms: 12 + at,
  requestId: `req_${String(at).padStart(16, '0')}`,
  ...changes,
})
const allCalls = Array.from({ length: 2_000 }, (_, at) => call(at, CALLS[at % CALLS.length]!))
const callsOf = (items: readonly object[]): Answers => ({
  ...KEYS,
  'assistants.calls': ({ offset = 0, limit = 50 }) => ({
    items: items.slice(Number(offset), Number(offset) + Number(limit)),
    count: items.length,
  }),
})

const PATH = '/connect/assistants'
const ONE = `${PATH}/${ID}`
const state = statesOf('assistants', '/connect/webhooks')

async function make({ page }: Stage, program: string): Promise<void> {
  await page.locator('label.choice', { hasText: program }).click()
  await page.locator('ol > li').nth(1).locator('button').first().click()
  await page.locator('pre').first().waitFor()
}
const check = async ({ page }: Stage): Promise<void> => {
  await page.locator('ol > li').last().locator('button').first().click()
  await page.locator('[role=status] svg, [role=status] span').first().waitFor()
}
const checked = (answer: object): Answers => ({ ...KEYS, 'assistants.check': answer })

export const assistantStates: readonly GalleryState[] = [
  state('connected', KEYS, PATH),
  ...['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code', 'LM Studio', 'MCP Inspector'].map((program) =>
    state(`setup-${program.toLowerCase().replace(' ', '-')}`, KEYS, PATH, (stage) => make(stage, program)),
  ),
  state(
    'check-works',
    checked({ ok: true, ms: 84, steps: [], trouble: null, tools: 9, company: 'Obrador del Ebro, S.L.' }),
    PATH,
    async (stage) => {
      await make(stage, 'Claude Code')
      await check(stage)
    },
  ),
  state(
    'check-other-program',
    checked({
      ok: false,
      ms: 12,
      steps: [],
      trouble: { step: 'connect', kind: 'not_sello', code: null },
      tools: null,
      company: null,
    }),
    PATH,
    async (stage) => {
      await make(stage, 'Claude Code')
      await check(stage)
    },
  ),
  state('calls', callsOf(allCalls), ONE),
  state('calls-opened', callsOf(allCalls), ONE, async ({ page }) => {
    await page.locator('summary').nth(2).click()
    await page.locator('summary').nth(0).click()
  }),
  state('calls-none', callsOf([]), ONE),
  state('calls-error', { ...KEYS, 'assistants.calls': refused(404, 'not_found', {}) }, ONE, undefined, {
    expected: /404/,
  }),
]
