/** A customer opens the reply page from a disk, without a network, and the answer is taken in. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { axeFaults, overflows, sharedBrowser, watchPage } from '../../support/browser/browser.ts'
import { needs, tool } from '../../support/tools.ts'
import { openWorld } from '../../support/world.ts'
import type { World } from '../../support/world.ts'

const test = needs('chromium')
const AT = { at: '2026-07-01T10:00:00+02:00' }

let browser: Browser
beforeAll(async () => {
  if (tool('chromium')) browser = await sharedBrowser()
}, 60_000)

interface Opened {
  page: Page
  context: BrowserContext
  complaints: string[]
}

/** Opens a page from a file, in a profile without a network. */
async function openFile(
  text: string,
  name: string,
  look: { theme?: 'light' | 'dark'; width?: number } = {},
): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'sello-reply-'))
  const file = join(folder, name)
  writeFileSync(file, text)
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1280, height: 900 },
    colorScheme: look.theme ?? 'light',
    acceptDownloads: true,
    offline: true,
  })
  onTestFinished(async () => {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const page = await context.newPage()
  const url = pathToFileURL(file).href
  const complaints = watchPage(page, url)
  await page.goto(url)
  await page.locator('#answer').waitFor()
  return { page, context, complaints }
}

async function offered(world: World, language?: 'es' | 'en' | 'de') {
  const { id, number } = await world.issue(
    (await world.createDraft({ clientName: 'Ana Ruiz "Gil" <&> S.L.', dueDate: '2026-07-31' })).id,
  )
  const made = await world.run('replies.page', { id, ...(language ? { language } : {}) })
  return { id, number, ...made }
}

/** Returns the text of the mail that the page would write. */
async function mailOf(page: Page): Promise<{ to: string; subject: string; body: string }> {
  const href = (await page.locator('#mail').getAttribute('href')) ?? ''
  const url = new URL(href)
  expect(url.protocol).toBe('mailto:')
  return {
    to: url.pathname,
    subject: url.searchParams.get('subject') ?? '',
    body: decodeURIComponent(/&body=(.*)$/.exec(href)?.[1] ?? ''),
  }
}

async function fits(page: Page, what: string): Promise<void> {
  expect([what, await axeFaults(page), await overflows(page)]).toEqual([what, [], false])
}

test('rejects an invoice by mail, and accepts it by a file', { timeout: 120_000 }, async () => {
  const world = await openWorld(AT)
  await world.run('company.update', { email: 'facturas@talleres.example' }, { book: 'live' })
  const { id, number, page: text, fileName } = await offered(world)
  const { page, complaints } = await openFile(text, fileName)
  await page.getByRole('heading', { level: 1, name: `Factura ${number} de` }).waitFor()
  await page.getByText('Ana Ruiz "Gil" <&> S.L.').waitFor()
  await fits(page, 'first look')

  await page.getByRole('button', { name: 'Preparar la respuesta' }).click()
  await page.getByRole('alert').getByText('Elija qué quiere responder.').waitFor()
  await page.getByLabel('La rechazamos').check()
  await page.getByRole('button', { name: 'Preparar la respuesta' }).click()
  await page.getByRole('alert').getByText('Elija el motivo.').waitFor()
  await page.getByLabel('Motivo').selectOption('amount')
  await page.getByLabel('Su nombre (opcional)').fill('  Ana   Ruiz ')
  await page.getByLabel('Algo más que decir (opcional)').fill('Faltan 3 €: «ñandú» 😀 & más')
  await page.getByRole('button', { name: 'Preparar la respuesta' }).click()
  await page.getByRole('heading', { name: 'Su respuesta está lista' }).waitFor()
  await fits(page, 'ready')
  const mail = await mailOf(page)
  expect([mail.to, mail.subject]).toEqual(['facturas@talleres.example', `Respuesta a la factura ${number}`])
  expect(mail.body).toContain('rechazada')
  const rejected = await world.run('replies.take', { text: `> ${mail.body.replace(/\r\n/g, '\r\n> ')}` })
  expect(rejected.items.map(({ reply }) => reply)).toMatchObject([
    {
      invoiceId: id,
      kind: 'rejected',
      reason: 'amount',
      saidBy: 'Ana Ruiz',
      words: 'Faltan 3 €: «ñandú» 😀 & más',
    },
  ])

  await page.getByLabel('La aceptamos').check()
  expect(await page.locator('#result').isVisible()).toBe(false)
  await page.getByLabel('Día de pago (si lo sabe)').fill('2026-07-20')
  await page.waitForTimeout(1_100)
  await page.getByRole('button', { name: 'Preparar la respuesta' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Guardar un archivo' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe(`${number}-respuesta.txt`)
  const file = readFileSync(await saved.path(), 'utf8')
  const accepted = await world.run('replies.take', { text: file, channel: 'file' })
  expect(accepted.items[0]?.reply).toMatchObject({ kind: 'accepted', payOn: '2026-07-20', reason: null })
  expect(complaints).toEqual([])
})

test(
  'speaks the language of the customer, in both themes and on a narrow screen',
  { timeout: 120_000 },
  async () => {
    const world = await openWorld(AT)
    const { number, page: text, fileName } = await offered(world, 'de')
    expect(fileName).toBe(`${number}-antwort.html`)
    for (const look of [
      { theme: 'dark', width: 420 },
      { theme: 'light', width: 420 },
      { theme: 'dark', width: 1280 },
    ] as const) {
      const { page, context, complaints } = await openFile(text, fileName, look)
      await page.getByText('Was möchten Sie antworten?').waitFor()
      await page.getByLabel('Wir zahlen sie an einem Tag').check()
      await fits(page, JSON.stringify(look))
      await page.getByRole('button', { name: 'English' }).click()
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
      await page.getByLabel('Day of payment').fill('2026-08-01')
      await page.getByRole('button', { name: 'Prepare the answer' }).click()
      await page.getByRole('heading', { name: 'Your answer is ready' }).waitFor()
      await fits(page, `${JSON.stringify(look)}, ready`)
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('result-title')
      expect(complaints).toEqual([])
      await context.close()
    }
  },
)

test('nothing that is put into the page can load or run', { timeout: 120_000 }, async () => {
  const world = await openWorld(AT)
  const { page: text, fileName } = await offered(world)
  const hostile = text.replace(
    '</main>',
    '<img src="https://attacker.example/x.png"><script>document.title = "run"</script><form action="https://attacker.example"><button id="go">x</button></form></main>',
  )
  const { page } = await openFile(hostile, fileName)
  await page.evaluate(() => document.getElementById('go')?.click())
  await page.waitForTimeout(300)
  expect(await page.title()).not.toBe('run')
  expect(page.url()).toMatch(/^file:/)
})
