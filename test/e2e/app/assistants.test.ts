/**
 * An assistant from the first step of the page to its calls: the bundle that the page provides is extracted, started
 * and detected.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { startBridge } from '../../server/app/assistants/bridge-process.ts'
import { axeFaults, openPage, serveApp, sharedBrowser, visit } from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { needs } from '../../support/tools.ts'
import { wordsIn } from '../../support/browser/page-messages.ts'

const test = needs('chromium')
const say = wordsIn('es')
let app: ServedApp
let browser: Browser

beforeAll(async () => {
  app = await serveApp({ invoices: 0 })
  browser = await sharedBrowser()
}, 60_000)
afterAll(async () => {
  await app?.stop()
})

test('the bundle from the page runs, is detected, and its calls are listed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-e2e-bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { page, context, complaints } = await openPage(browser, app)
  await visit(page, '/connect/assistants')
  await page.getByText(say('connect.assistants.program.claudeDesktop'), { exact: true }).click()
  await page.getByRole('button', { name: say('connect.assistants.make') }).click()
  const secret = (await page.locator('pre').first().textContent()) ?? ''
  expect(secret).toMatch(/^svc_(test|live)_/)
  const byHand = JSON.parse((await page.locator('pre').nth(1).textContent()) ?? '')
  expect(byHand.mcpServers.sello.env).toEqual({ SVC_API_KEY: secret })
  expect(await axeFaults(page)).toEqual([])

  // Our own test call is not taken for the assistant.
  await page.getByRole('button', { name: say('connect.assistants.check.do') }).click()
  await page.getByText(/^Funciona: 9 herramientas/).waitFor()
  expect(await page.getByText(say('connect.assistants.waiting')).count()).toBe(1)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: say('connect.assistants.bundle') }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('sello.mcpb')
  for (const [path, bytes] of Object.entries(unzipSync(readFileSync(await download.path())))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  const { server } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  for (const [env, file] of [
    [{ ...server.mcp_config.env, SVC_API_KEY: secret }, join(folder, server.entry_point)],
    [byHand.mcpServers.sello.env, byHand.mcpServers.sello.args[0]],
  ] as const) {
    const bridge = startBridge(env, file)
    const clientInfo = { name: 'Ayudante\u202e', version: '1.2' }
    const { result } = await bridge.ask({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    })
    expect(result.serverInfo.name).toBe('sello')
    await bridge.ask({
      id: 2,
      method: 'tools/call',
      params: { name: 'svc_list_invoices', arguments: { text: 'Ebro' } },
    })
    await bridge.ask({
      id: 3,
      method: 'tools/call',
      params: { name: 'svc_get_invoice', arguments: { id: 'inv_none' } },
    })
    expect(await bridge.end()).toBe(0)
  }
  await page.getByText('Conectado: Ayudante', { exact: true }).waitFor()

  await page.getByRole('link', { name: say('connect.calls.see') }).click()
  const entries = page.locator('details')
  await expect.poll(() => entries.count()).toBe(5)
  await entries.first().locator('summary').focus()
  await page.keyboard.press('Enter')
  await entries.first().getByText('inv_none').waitFor()
  // It has no link: there is no such invoice.
  expect(await entries.first().getByRole('link').count()).toBe(0)
  await entries
    .first()
    .getByText(/Ayudante 1\.2 · svc_get_invoice · not_found/)
    .waitFor()
  expect(await page.getByText(secret).count()).toBe(0)
  expect(await axeFaults(page)).toEqual([])
  await page.getByText(say('outcome.refused'), { exact: true }).click()
  await expect.poll(() => entries.count()).toBe(2)
  expect(new URL(page.url()).searchParams.get('outcome')).toBe('refused')
  expect(complaints).toEqual([])
  await context.close()
}, 60_000)
