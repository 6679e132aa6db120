/**
 * What each role is offered in the window of a real office: no control that the server would refuse, and no page that
 * asks for what it is refused.
 */
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { operationsOf } from '../../../server/app/people/roles/capabilities.ts'
import { capabilitiesOf } from '../../../server/app/people/roles/roles.ts'
import { ROLES } from '../../../server/domain/people.ts'
import type { Role } from '../../../server/domain/people.ts'
import { sharedBrowser } from '../../support/browser/browser.ts'
import { openOfficeWindow } from '../../support/postgres/office-window.ts'
import { needs } from '../../support/tools.ts'
import { registerByPasskey, say } from './steps.ts'

const test = needs('chromium')
const QUIET_MS = 150

type OfficeWindow = Awaited<ReturnType<typeof openOfficeWindow>>

/** Makes a record of each kind, and returns the addresses of all pages with them. */
async function fill({ server, books }: OfficeWindow): Promise<string[]> {
  const book = books.test
  const client = { clientName: 'Ceramica del Sur SL', clientNif: 'B12345674' }
  const lines = [{ description: 'Taller', quantity: 2, unitPrice: 50 }]
  const draft = await server.run('invoices.create', { ...client, lines }, book)
  const issued = await server.run('invoices.create', { ...client, lines }, book)
  const { confirmation } = await server.run('invoices.validate', { id: issued.id }, book)
  const confirmationToken = confirmation?.confirmationToken ?? ''
  await server.run('invoices.issue', { id: issued.id, confirmationToken }, book)
  const quote = await server.run('quotes.create', { ...client, lines }, book)
  const contact = await server.run('contacts.create', { name: 'Papelería Norte SL' }, book)
  const item = await server.run('items.create', { name: 'Taller', unitPrice: 50 }, book)
  const received = await server.run(
    'received.create',
    {
      supplierName: 'Suministros Norte SL',
      supplierNif: 'B87654323',
      supplierNumber: 'A-1',
      issueDate: '2026-07-02',
      receptionDate: '2026-07-02',
      taxLines: [{ base: 100, vatRate: 21 }],
    },
    book,
  )
  await server.run('bank.createAccount', { name: 'Principal' }, book)
  return [
    '/',
    '/inbox',
    '/inbox/mine',
    '/invoices',
    '/invoices/new',
    `/invoices/${issued.id}`,
    `/invoices/${draft.id}`,
    `/invoices/${draft.id}/edit`,
    '/quotes',
    `/quotes/${quote.id}`,
    '/recurring',
    '/templates',
    '/contacts',
    `/contacts/${contact.id}`,
    `/contacts/${contact.id}/statement`,
    '/items',
    `/items/${item.id}`,
    '/payments',
    '/payments/overdue',
    '/payments/mandates',
    '/payments/remittances',
    '/received',
    `/received/${received.id}`,
    '/received/incoming',
    '/received/incoming/sources',
    '/bank',
    '/taxes',
    '/taxes/2026-3T/303',
    '/taxes/2026-3T/303/file',
    '/taxes/2026-3T/close',
    '/ledger',
    '/ledger/chart',
    '/ledger/periods',
    '/registry',
    '/mails',
    '/import',
    '/connect/keys',
    '/connect/webhooks',
    '/connect/erp',
    '/connect/activity',
    '/settings',
    '/settings/team',
    '/settings/account',
    '/settings/series',
    '/settings/design',
    '/settings/certificate',
    '/settings/mail',
    '/settings/taxes',
    '/settings/privacy',
    '/settings/archive',
    '/console',
  ]
}

/** Counts the calls of a page that are under way, and notes those that were refused. */
function watchCalls(page: Page, refused: string[]): () => Promise<void> {
  let underWay = 0
  let changedAt = performance.now()
  const isCall = (url: string) => url.includes('/app/call/')
  const step = (by: number) => {
    underWay += by
    changedAt = performance.now()
  }
  page.on('request', (request) => isCall(request.url()) && step(1))
  page.on('requestfailed', (request) => isCall(request.url()) && step(-1))
  page.on('response', (response) => {
    if (!isCall(response.url())) return
    step(-1)
    if (response.status() >= 400)
      refused.push(
        `${new URL(page.url()).pathname}: ${response.url().split('/').at(-1)} ${response.status()}`,
      )
  })
  return async () => {
    await page.locator('main h1').first().waitFor()
    while (underWay > 0 || performance.now() - changedAt < QUIET_MS) await page.waitForTimeout(30)
  }
}

test('each role is offered nothing on any page that the server refuses', async () => {
  const office = await openOfficeWindow()
  const paths = await fill(office)
  const browser = await sharedBrowser()
  const counts = new Map<Role, number>()
  const faults: string[] = []
  for (const role of ROLES) {
    const { context, page, complaints } = await office.visit(browser)
    const who = { email: `${role}@example.com`, name: `Persona ${role}` }
    await registerByPasskey(page, await office.invite(who.email, [role]), who)
    const allowed = new Set(operationsOf(capabilitiesOf([role], false)))
    const refused: string[] = []
    const quiet = watchCalls(page, refused)
    const wrong: string[] = []
    let [open, shown, hidden] = [0, 0, 0]
    await page.goto(`${office.url}/help`)
    await quiet()
    for (const path of paths) {
      // As a link does: the window stays.
      await page.evaluate((to) => {
        history.pushState({}, '', to)
        dispatchEvent(new PopStateEvent('popstate', { state: {} }))
      }, path)
      await quiet()
      const controls = await page.locator('[data-runs]').evaluateAll((nodes) =>
        nodes.map((node) => ({
          runs: (node as HTMLElement).dataset.runs ?? '',
          isShown: node.checkVisibility(),
          name: node.textContent?.trim() ?? '',
        })),
      )
      const isOpen = (await page.getByRole('heading', { name: say('people.noAccess.title') }).count()) === 0
      open += Number(isOpen)
      shown += controls.filter(({ isShown }) => isShown).length
      hidden += controls.filter(({ isShown }) => !isShown).length
      for (const { runs, isShown, name } of controls)
        if (isShown && !runs.split(' ').every((one) => allowed.has(one)))
          wrong.push(`${path}: ${name} (${runs})`)
    }
    counts.set(role, shown)
    console.log(
      `window: ${role} opens ${open} of ${paths.length} pages with ${shown} actions that it may do; ` +
        `${hidden} others are not shown; ${refused.length} calls refused`,
    )
    faults.push(...[...wrong, ...refused, ...complaints].map((fault) => `${role} ${fault}`))
    await context.close()
  }
  expect(faults).toEqual([])
  expect(counts.get('owner')).toBeGreaterThan((counts.get('accountant') ?? 0) * 2)
}, 600_000)
