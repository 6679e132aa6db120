/** Proposals from a real MCP client to the user's answer: what is shown, what is executed, and what never is. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  overflows,
  serveApp,
  settled,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { inLongRun } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const longTest = inLongRun(test)
const TEST_MS = 120_000

let app: ServedApp
let browser: Browser
let client: Client
let book = ''

const ask = <Answer>(name: string, input: object = {}) =>
  callAsWindow(app, name, input, book) as Promise<Answer>

beforeAll(async () => {
  if (!tool('chromium')) return
  app = await serveApp({ invoices: 3 })
  browser = await sharedBrowser()
  const { companies } = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book, language: 'es' })
  const scopes = ['invoices.read', 'invoices.write', 'fiscal.read']
  const { key } = await ask<{ key: string }>('keys.createByPerson', { name: 'Claude', scopes })
  client = new Client({ name: 'inbox-test', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/api/mcp/svc`), { requestInit }))
}, 120_000)
afterAll(async () => {
  await client?.close()
  await app?.stop()
})

interface Proposed {
  proposalId: string
  status: string
}

async function tryProposing(args: Record<string, unknown>) {
  return client.callTool({
    name: 'svc_propose_action',
    arguments: { reason: 'Lo pide el cliente.', ...args },
  })
}
async function propose(args: Record<string, unknown>): Promise<Proposed> {
  const answer = await tryProposing(args)
  if (answer.isError) throw new Error(JSON.stringify(answer.content))
  return answer.structuredContent as unknown as Proposed
}

const draftFor = (clientName: string) =>
  ask<{ id: string; version: number }>('invoices.create', {
    clientName,
    clientNif: 'B87654323',
    lines: [{ description: 'Trabajo', quantity: 2, unitPrice: 100 }],
  })
async function issuedFor(clientName: string): Promise<{ id: string; number: string }> {
  const { id } = await draftFor(clientName)
  const { confirmation } = await ask<{ confirmation: { confirmationToken: string } }>('invoices.validate', {
    id,
  })
  return ask('invoices.issue', { id, confirmationToken: confirmation.confirmationToken })
}
async function registered(id: string): Promise<void> {
  await ask('registry.send')
  await expect
    .poll(async () => (await ask<{ registry: { status: string } }>('invoices.get', { id })).registry.status)
    .toBe('accepted')
}
const stateOf = async (id: string) => (await ask<{ state: string }>('invoices.get', { id })).state
const card = (page: Page) => page.getByRole('region', { name: 'Lo que hay que decidir' })
const accept = (page: Page) => card(page).getByRole('button', { name: /^Aceptar/ })

test(
  'a customer’s data are shown before and after, changed with one approval, and restored with Ctrl+Z',
  async () => {
    const contact = await ask<{ id: string }>('contacts.create', {
      name: 'Ana Beltrán Ruiz',
      email: 'vieja@example.com',
    })
    const hostile = {
      action: 'fix_client_data',
      targetId: contact.id,
      params: { email: 'nueva@example.com', phone: '<img src=x onerror=alert(1)>' },
      reason: `<b onclick="alert(1)">Pulsa Aceptar</b> https://malo.example/ ${'larguísimo'.repeat(30)}\n[Aceptar](javascript:alert(1))`,
    }
    // Text with reordering or hidden characters is rejected.
    const bidi = await tryProposing({ ...hostile, reason: 'Pagar a \u202Eanitram' })
    expect([bidi.isError, JSON.stringify(bidi.content)]).toEqual([
      true,
      expect.stringContaining('hidden_character'),
    ])
    const { proposalId } = await propose(hostile)
    expect((await propose(hostile)).proposalId).toBe(proposalId)

    const { page, context, complaints } = await openPage(browser, app)
    await visit(page, '/inbox')
    await card(page)
      .getByRole('heading', { name: 'Claude propone corregir los datos de Ana Beltrán Ruiz' })
      .waitFor()
    const said = card(page).locator('blockquote')
    expect(await said.innerText()).toContain('<b onclick="alert(1)">Pulsa Aceptar</b> https://malo.example/')
    expect(await said.locator('a, b, img, script').count()).toBe(0)
    // A word without a break opportunity is broken, not truncated.
    const rightOf = (place: typeof said) => place.evaluate((element) => element.getBoundingClientRect().right)
    expect(await rightOf(said)).toBeLessThanOrEqual(await rightOf(card(page).locator('article')))
    expect(await card(page).locator('del').allTextContents()).toEqual([
      'Antes: vieja@example.com',
      'Antes: (vacío)',
    ])
    expect(await card(page).locator('img').count()).toBe(0)
    expect(await overflows(page)).toBe(false)

    await page.keyboard.press('Control+Enter')
    await page.getByText('Datos cambiados: Ana Beltrán Ruiz').first().waitFor()
    const email = async () => (await ask<{ email: string }>('contacts.get', { id: contact.id })).email
    expect(await email()).toBe('nueva@example.com')
    await page.locator('h1').first().click()
    await page.keyboard.press('Control+z')
    await expect.poll(email).toBe('vieja@example.com')
    expect(complaints).toEqual([])
    await context.close()
  },
  TEST_MS,
)

test(
  'a draft that changes before its issue is approved says so, and the approval opens a dialog that issues nothing by itself',
  async () => {
    const draft = await draftFor('Cliente del Borrador')
    const { proposalId } = await propose({ action: 'issue_invoice', targetId: draft.id })
    const { page, context, complaints } = await openPage(browser, app)
    await visit(page, `/inbox/${proposalId}`)
    await card(page).getByText('Sello te lo volverá a preguntar antes').waitFor()
    await ask('invoices.update', {
      id: draft.id,
      lines: [{ description: 'Otro', quantity: 1, unitPrice: 50 }],
    })
    await card(page).getByText('Ha cambiado desde que se propuso').waitFor()
    await accept(page).click()
    await page.getByRole('dialog', { name: /¿Emitir en pruebas\?/ }).waitFor()
    await page.waitForURL((url) => url.pathname === `/invoices/${draft.id}/edit`)
    expect(await stateOf(draft.id)).toBe('draft')
    await page.keyboard.press('Escape')
    await visit(page, `/inbox/${proposalId}`)
    await card(page).getByRole('link', { name: 'Revisar la emisión' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  },
  TEST_MS,
)

longTest(
  'approving a correction, a cancellation or a mail opens the prefilled form and waits there',
  async () => {
    const { id, number } = await issuedFor('Cliente Tres')
    await registered(id)
    await ask('company.update', { email: 'casa@example.com' })
    const { page, context, complaints } = await openPage(browser, app)
    const go = async (args: Record<string, unknown>) => {
      const { proposalId } = await propose({ targetId: number, ...args })
      await visit(page, `/inbox/${proposalId}`)
      await accept(page).click()
    }
    await go({ action: 'cancel_registration' })
    await page.getByRole('dialog', { name: new RegExp(`¿Anular`) }).waitFor()
    await page.keyboard.press('Escape')
    await go({ action: 'send_invoice_copy', params: { to: 'casa@example.com' } })
    const mail = page.getByRole('dialog', { name: 'Enviar por correo' })
    await expect.poll(() => mail.getByRole('textbox').first().inputValue()).toBe('casa@example.com')
    await page.keyboard.press('Escape')
    await go({ action: 'correct_invoice', params: { cause: 'returned_goods', percent: 50 } })
    await page.waitForURL((url) => /^\/invoices\/inv_\w+\/edit$/.test(url.pathname))
    await page.getByText(number).first().waitFor()
    await go({ action: 'correct_invoice' })
    await page.getByRole('dialog').getByText('Rectificar').first().waitFor()
    expect(await stateOf(id)).toBe('issued')
    expect((await ask<{ items: unknown[] }>('mail.list', {})).items).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  },
  TEST_MS,
)

test(
  'a proposal decided in another window, or overtaken by events, is reported and not executed',
  async () => {
    const [first, second] = [await draftFor('Cliente Dos Ventanas'), await draftFor('Cliente Ya Emitido')]
    const both = await propose({ action: 'issue_invoice', targetId: first.id })
    const late = await propose({ action: 'issue_invoice', targetId: second.id })
    const { page, context } = await openPage(browser, app)
    // This window receives no events of the others.
    await page.route('**/app/events', (route) => route.abort())
    await page.reload()
    await page.locator('h1').first().waitFor()
    await visit(page, `/inbox/${both.proposalId}`)
    await accept(page).waitFor()
    await ask('inbox.decide', { id: both.proposalId, decision: 'reject', note: 'Todavía no' })
    await accept(page).click()
    await page.getByText('Esa propuesta ya está decidida').first().waitFor()
    await card(page).getByText('«Todavía no»').waitFor()
    await visit(page, `/inbox/${late.proposalId}`)
    await accept(page).waitFor()
    const { confirmation } = await ask<{ confirmation: { confirmationToken: string } }>('invoices.validate', {
      id: second.id,
    })
    await ask('invoices.issue', { id: second.id, confirmationToken: confirmation.confirmationToken })
    await accept(page).click()
    await page.getByText('Ya no se puede: la propuesta se ha cerrado').first().waitFor()
    await card(page).getByText('Ya está emitida.').waitFor()
    await card(page)
      .getByRole('link', { name: /Hacer una rectificativa/ })
      .waitFor()
    await context.close()
  },
  TEST_MS,
)

test(
  'several proposals are answered by keyboard; the page has no faults when narrow, dark and in English',
  async () => {
    const contact = await ask<{ id: string }>('contacts.create', { name: 'Muchas Veces' })
    for (let index = 0; index < 4; index++)
      await propose({
        action: 'fix_client_data',
        targetId: contact.id,
        params: { phone: `600 000 ${100 + index}` },
      })
    const { page, context, complaints } = await openPage(browser, app)
    await visit(page, '/inbox')
    const links = page.getByRole('navigation', { name: 'Por decidir y decididas' }).getByRole('link')
    await links.nth(3).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect.poll(() => links.nth(2).evaluate((link) => link === document.activeElement)).toBe(true)
    const shown = page.url().split('/').at(-1) ?? ''
    await page.keyboard.press('r')
    await page.keyboard.type('r por error')
    await page.keyboard.press('Enter')
    await page.getByText('Propuesta rechazada').first().waitFor()
    const { decided } = await ask<{ decided: { proposalId: string; decisionNote: string }[] }>('inbox.list')
    expect(decided.find(({ proposalId }) => proposalId === shown)?.decisionNote).toBe('r por error')
    expect(complaints).toEqual([])
    await context.close()

    await ask('session.savePreferences', { language: 'en', theme: 'dark' })
    const narrow = await openPage(browser, app, { width: 420, height: 800, language: 'en', theme: 'dark' })
    await visit(narrow.page, '/inbox')
    expect(await overflows(narrow.page)).toBe(false)
    await narrow.page
      .getByRole('link', { name: /Correct data of Muchas Veces/ })
      .first()
      .click()
    await narrow.page
      .getByRole('heading', { name: 'Claude proposes to correct the data of Muchas Veces' })
      .waitFor()
    await settled(narrow.page)
    expect(await overflows(narrow.page)).toBe(false)
    expect(await axeFaults(narrow.page)).toEqual([])
    await ask('session.savePreferences', { language: 'es', theme: 'system' })
    await narrow.context.close()
  },
  TEST_MS,
)
