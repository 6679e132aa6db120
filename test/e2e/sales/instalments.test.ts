/** Due date opened into instalments in the editor by keyboard, the check of their sum, and the page of the issued invoice. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  axeFaults,
  callAsWindow,
  openPage,
  overflows,
  serveApp,
  sharedBrowser,
  visit,
} from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')

let app: ServedApp
let browser: Browser
let book = ''

interface Answer {
  id: string
  dueDate: string | null
  instalments?: { dueDate: string; amount: number; percent?: number; fixed?: number; status: string }[]
}
const call = (operation: string, input: object): Promise<Answer> =>
  callAsWindow(app, operation, input, book) as Promise<Answer>

const draftOf = (more: object = {}): Promise<Answer> =>
  call('invoices.create', {
    clientName: 'Cliente Primero, S.L.',
    clientNif: 'B87654323',
    lines: [{ description: 'Reforma', quantity: 1, unitPrice: 1000 }],
    dueDate: null,
    ...more,
  })

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 12 })
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book })
}, 120_000)

afterAll(async () => {
  await app?.stop()
})

test('a due date becomes instalments by keyboard, and their sum is checked while they are typed', async () => {
  const { id } = await draftOf()
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `/invoices/${id}/edit`)
  const split = page.getByRole('button', { name: 'Dividir en plazos' })
  await split.focus()
  await page.keyboard.press('Enter')
  const rows = page.getByRole('group', { name: 'Vencimientos' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(2)
  const sum = page.locator('[data-test="instalments-sum"]')
  await expect.poll(() => sum.textContent()).toMatch(/Los vencimientos suman 1\.210,00/)
  // The last one gets an amount that is too small.
  const units = page.getByRole('combobox', { name: /Cómo se calcula/ })
  await units.nth(1).selectOption('amount')
  const amount = page.getByRole('textbox', { name: 'Importe del vencimiento 2' })
  await amount.fill('600')
  await amount.press('Tab')
  await expect.poll(() => sum.textContent()).toMatch(/Faltan 5,00/)
  await units.nth(1).selectOption('rest')
  await expect.poll(() => sum.textContent()).toMatch(/suman/)
  await page.getByRole('button', { name: 'Añadir vencimiento' }).press('Enter')
  await expect.poll(() => rows.count()).toBe(3)
  // The new row has the focus, and stands a month later.
  await expect
    .poll(async () =>
      ((await call('invoices.get', { id })).instalments ?? []).map(({ amount: each }) => each),
    )
    .toEqual([605, 302.5, 302.5])
  expect(await axeFaults(page)).toEqual([])
  expect(await overflows(page)).toBe(false)
  await page.getByRole('button', { name: 'Un solo vencimiento' }).click()
  await expect
    .poll(async () => (await call('invoices.get', { id })).instalments, { timeout: 15_000 })
    .toBeUndefined()
  expect(complaints).toEqual([])
  await context.close()
})

test('a fault of an instalment stands at its field, and the confirmation shows all of them', async () => {
  const { id } = await draftOf({
    instalments: [
      { dueDate: '2099-02-01', percent: 50 },
      { dueDate: '2099-01-01', percent: 50 },
    ],
  })
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `/invoices/${id}/edit`)
  await page.keyboard.press('Control+Enter')
  await page.getByText('Cada vencimiento va después del anterior').first().waitFor()
  const { id: right } = await draftOf({
    instalments: [{ dueDate: '2099-01-01', percent: 50 }, { dueDate: '2099-02-01' }],
  })
  await visit(page, `/invoices/${right}/edit`)
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(() => page.getByRole('dialog').textContent(), { timeout: 15_000 })
    .toMatch(/01\/01\/2099 · 605,00\s€\s*01\/02\/2099 · 605,00/)
  expect(complaints).toEqual([])
  await context.close()
})

test('the page of an invoice shows what became of each instalment', async () => {
  const today = (await call('invoices.create', {
    clientName: 'X',
    lines: [{ description: 'X', quantity: 1, unitPrice: 1 }],
  })) as unknown as { createdAt: string }
  const day = today.createdAt.slice(0, 10)
  const { id } = await draftOf({
    instalments: [{ dueDate: day, amount: 210 }, { dueDate: '2099-02-01' }],
  })
  const { confirmation } = (await call('invoices.validate', { id })) as unknown as {
    confirmation: { confirmationToken: string }
  }
  await call('invoices.issue', { id, confirmationToken: confirmation.confirmationToken })
  await call('payments.payInvoice', { id, date: day, amount: 310, method: 'transfer' })
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `/invoices/${id}`)
  const list = page.getByRole('list', { name: 'Vencimientos' }).getByRole('listitem')
  await expect.poll(() => list.count()).toBe(2)
  expect(await list.nth(0).textContent()).toMatch(/Cobrado el/)
  expect(await list.nth(1).textContent()).toMatch(/Pendiente · Quedan 900,00/)
  expect(await axeFaults(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test('a recurring invoice takes the terms of the one it is made from, and others that are typed', async () => {
  const { id } = await draftOf({
    issueDate: '2026-11-02',
    instalments: [
      { dueDate: '2026-12-02', percent: 40 },
      { dueDate: '2027-01-01', percent: 60 },
    ],
  })
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, `/recurring/new?from=${id}`)
  const field = page.getByLabel('Días para pagar')
  await expect.poll(() => field.inputValue()).toMatch(/^40\s%\s30 \/ 60\s%\s60$/)
  await page.getByText(/40\s% a 30 días/).waitFor()
  await field.fill('40 % 30 / 40 % 60')
  await page.getByText('Escribe días de 0 a 365').waitFor()
  await page.keyboard.press('Control+s')
  expect(new URL(page.url()).pathname).toBe('/recurring/new')
  await field.fill('30/60/90')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/recurring\/rec/)
  const saved = (await call('recurring.get', { id: page.url().split('/').at(-1) })) as unknown as {
    dueDays: number | null
    invoice: { paymentTerms: object[] }
  }
  expect([saved.dueDays, saved.invoice.paymentTerms]).toEqual([
    null,
    [{ days: 30 }, { days: 60 }, { days: 90 }],
  ])
  await visit(page, `${new URL(page.url()).pathname}/edit`)
  await expect.poll(() => page.getByLabel('Días para pagar').inputValue()).toBe('30/60/90')
  expect(await axeFaults(page)).toEqual([])
  expect(await overflows(page)).toBe(false)
  expect(complaints).toEqual([])
  await context.close()
})
