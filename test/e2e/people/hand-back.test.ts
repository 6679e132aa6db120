/** A company is handed back from the settings of an office: the code, the confirmation, the file, and what stays. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { restoreBooks } from '../../../server/app/maintenance/restore-books.ts'
import { axeFaults, overflows, settled, sharedBrowser } from '../../support/browser/browser.ts'
import { faultsOf } from '../../support/office/moves.ts'
import { folderForTest, openFolder } from '../../support/office/folders.ts'
import { openOfficeWindow } from '../../support/postgres/office-window.ts'
import { needs } from '../../support/tools.ts'
import { button, registerByPasskey, say } from './steps.ts'

const test = needs('chromium')
const ANA = { email: 'ana@example.com', name: 'Ana Beltrán' }
/** Where pictures of the pages go, if somebody wants to look at them. */
const PICTURES = process.env.SELLO_PICTURES

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`) })
}

/** Looks at the page in every size and theme. */
async function look(page: Page, name: string): Promise<void> {
  for (const width of [1280, 768, 420])
    for (const theme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await settled(page)
      expect(await overflows(page), `${name} ${width} ${theme}`).toBe(false)
      expect(await axeFaults(page), `${name} ${width} ${theme}`).toEqual([])
      await picture(page, `${name}-${width}-${theme}`)
    }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

test('an owner hands the company back, opens the file on a desk, and takes it back', async () => {
  const office = await openOfficeWindow()
  const { page, complaints } = await office.visit(await sharedBrowser())
  await registerByPasskey(page, await office.invite(ANA.email, ['owner']), ANA)
  await office.server.run('contacts.create', { name: 'Zoe Sanz' }, office.books.test)
  await page.goto(`${office.url}/settings/company`)
  const open = button(page, 'people.handBack.open')
  await open.scrollIntoViewIfNeeded()
  await look(page, 'es-card')
  await open.click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: say('people.handBack.confirm') })
  expect(await confirm.isDisabled()).toBe(true)
  const groups = await dialog.locator('ol li').allTextContents()
  const code = groups.map((text) => text.trim().slice(1)).join('')
  await dialog.getByText(say('people.handBack.hasCode')).click()
  await page.locator('#hand-back-nif').fill('B87654321')
  expect(await confirm.isDisabled()).toBe(true)
  await page.locator('#hand-back-nif').fill('b12345674')
  await look(page, 'es-dialog')
  const download = page.waitForEvent('download')
  await confirm.click()
  const file = join(folderForTest(), (await download).suggestedFilename())
  await (await download).saveAs(file)
  await button(page, 'people.handBack.take').waitFor()
  await look(page, 'es-handed-back')

  const folder = join(folderForTest(), 'books')
  await restoreBooks({ folder, file, code, keychain: null, now: () => new Date() })
  const desk = await openFolder(folder, { now: () => new Date() })
  expect(await faultsOf(desk)).toEqual([])
  await desk.close()

  // What is read goes on.
  await page.goto(`${office.url}/contacts`)
  await page.getByText('Zoe Sanz').first().waitFor()

  await page.goto(`${office.url}/settings/company`)
  await button(page, 'people.handBack.take').click()
  await page.locator('#take-back-nif').fill('B12345674')
  await look(page, 'es-take')
  await dialog.getByRole('button', { name: say('people.handBack.takeConfirm') }).click()
  await open.waitFor()

  await page.evaluate(
    (book) =>
      fetch('/app/call/session.savePreferences', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sello-book': book },
        body: JSON.stringify({ language: 'en' }),
      }),
    office.books.test.publicId,
  )
  await page.reload()
  await page.getByRole('button', { name: 'Hand back…' }).click()
  await look(page, 'en-dialog')
  await page.keyboard.press('Escape')
  await look(page, 'en-card')
  expect(complaints).toEqual([])
}, 180_000)
