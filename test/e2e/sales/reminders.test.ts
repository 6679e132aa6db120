/**
 * Payment reminders from the window without a mail account: the main button opens the mail, and results are reported
 * correctly.
 */
import type { Browser, Page } from 'playwright-core'
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
import { inLongRun } from '../../support/sweep.ts'
import { needs, tool } from '../../support/tools.ts'

const test = needs('chromium')
const longTest = inLongRun(test)

let app: ServedApp
let browser: Browser
let book = ''
const ask = <T>(name: string, input: object) => callAsWindow(app, name, input, book) as Promise<T>

beforeAll(async () => {
  if (!tool('chromium')) return
  browser = await sharedBrowser()
  app = await serveApp({ invoices: 60 })
  const session = (await callAsWindow(app, 'session.get', {})) as {
    companies: { books: { id: string; mode: string }[] }[]
  }
  book = session.companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
  await callAsWindow(app, 'session.savePreferences', { activeBook: book, language: 'es' })
  await ask('company.update', { email: 'hola@tallernorte.example' })
}, 180_000)

afterAll(async () => {
  await app?.stop()
})

async function work(about: (page: Page, complaints: string[]) => Promise<void>): Promise<void> {
  const { page, context, complaints } = await openPage(browser, app)
  page.setDefaultTimeout(10_000)
  try {
    await about(page, complaints)
  } finally {
    await context.close()
  }
}

test(
  'the main button opens the letter in the mail program and records the reminder; marking is secondary',
  () =>
    work(async (page, complaints) => {
      await visit(page, '/payments/overdue')
      await page
        .getByRole('button', { name: /^Recordar\s*:/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Se abrirá en tu programa de correo').waitFor()
      const primary = dialog.getByRole('button', { name: 'Abrir en mi correo' })
      const marking = dialog.getByRole('button', { name: 'Marcar como enviado' })
      await marking.waitFor()
      expect(await axeFaults(page)).toEqual([])
      const isSolid = (button: typeof primary) =>
        button.evaluate((it) => getComputedStyle(it).backgroundColor !== 'rgba(0, 0, 0, 0)')
      expect([await isSolid(primary), await dialog.getByText(/ · Vencimiento: /).count()]).toEqual([true, 0])
      const [file] = await Promise.all([page.waitForEvent('download'), primary.click()])
      expect(file.suggestedFilename()).toMatch(/\.eml$/)
      await dialog.waitFor({ state: 'detached' })
      await page
        .getByText(/Nivel 1|Recordado|Recordatorio 1/i)
        .first()
        .waitFor()
      const { items } = await ask<{ items: { state: string; kind: string }[] }>('mail.list', {})
      expect(items[0]).toMatchObject({ kind: 'reminder', state: 'handed' })
      expect(complaints).toEqual([])
    }),
  60_000,
)

test(
  'several are prepared for the mail program without an account, and failures are reported correctly',
  () =>
    work(async (page) => {
      await visit(page, '/payments/overdue')
      await page
        .getByRole('button', { name: /^Recordar a / })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('No hay cuenta de correo').waitFor()
      await page.route('**/app/call/mail.file', (route) => route.abort())
      await dialog.getByRole('button', { name: 'Preparar en mi correo' }).click()
      await page.getByRole('button', { name: 'Por qué' }).click()
      await page
        .getByRole('dialog')
        .getByText(/No se ha hecho ninguna/)
        .waitFor()
      expect(await page.getByText('Las demás están hechas').count()).toBe(0)
      await page.setViewportSize({ width: 420, height: 800 })
      expect(await overflows(page)).toBe(false)
    }),
  60_000,
)

longTest(
  'planned reminders are read and prepared for the mail program without an account',
  () =>
    work(async (page, complaints) => {
      const { today } = await ask<{ today: string }>('company.current', {})
      await ask('reminders.savePlan', { enabled: true })
      const { id } = await ask<{ id: string }>('invoices.create', {
        clientName: 'Al Día, S.L.',
        clientNif: 'B58818501',
        dueDate: today,
        lines: [{ description: 'Obra', quantity: 1, unitPrice: 10 }],
      })
      const { confirmation } = await ask<{ confirmation: { confirmationToken: string } }>(
        'invoices.validate',
        { id },
      )
      await ask('invoices.issue', { id, confirmationToken: confirmation.confirmationToken })
      await visit(page, '/payments/overdue')
      await page.getByRole('button', { name: 'Mirar y enviar' }).click()
      const dialog = page.getByRole('dialog')
      const row = dialog.getByRole('listitem').filter({ hasText: 'Al Día, S.L.' })
      await row.getByText('Leer la carta').click()
      await row.getByText('Vence hoy.').waitFor()
      expect(await axeFaults(page)).toEqual([])
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Preparar en mi correo' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/\.eml$/)
      await dialog.waitFor({ state: 'detached' })
      expect((await ask<{ items: unknown[] }>('reminders.ready', {})).items).toEqual([])
      expect(complaints).toEqual([])
    }),
  60_000,
)

longTest(
  'a quote is sent by the main button and marked from the menu',
  () =>
    work(async (page) => {
      const quote = await ask<{ id: string }>('quotes.create', {
        kind: 'quote',
        clientName: 'Cliente',
        lines: [{ description: 'Obra', quantity: 1, unitPrice: 10 }],
      })
      await visit(page, `/quotes/${quote.id}`)
      await page.getByRole('button', { name: 'Enviar por correo' }).first().click()
      await page.getByRole('dialog').getByText('Para Cliente').waitFor()
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: /^Acciones/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Marcar como enviado' }).waitFor()
    }),
  60_000,
)
