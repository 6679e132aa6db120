/** Lists that are open while others work: their rows wait behind a button, and an adviser leaves an entry. */
import { expect } from 'vitest'
import { merge as mergeTexts } from '../../../renderer/locales/es/merge.ts'
import { axeFaults, overflows, sharedBrowser } from '../../support/browser/browser.ts'
import { openOfficeWindow } from '../../support/postgres/office-window.ts'
import { needs } from '../../support/tools.ts'
import { registerByPasskey } from './steps.ts'

const test = needs('chromium')
const ANA = { email: 'ana@example.com', name: 'Ana Beltrán' }
const { presence } = mergeTexts
const [, , announced = ''] = presence.fresh.split(' | ')
const [, , shows = ''] = presence.showFresh.split(' | ')

test('rows of others wait in an open list, changed ones do not', async () => {
  const office = await openOfficeWindow()
  const { server, books } = office
  const browser = await sharedBrowser()
  const draftOf = async (clientName: string) =>
    server.run(
      'invoices.create',
      { clientName, lines: [{ description: 'Taller', quantity: 1, unitPrice: 50 }] },
      books.test,
    )
  const first = await draftOf('Primera SL')
  await draftOf('Segunda SL')
  const reader = await office.visit(browser)
  await registerByPasskey(reader.page, await office.invite(ANA.email, ['bookkeeper']), ANA)
  for (const width of [1280, 420]) {
    await reader.page.setViewportSize({ width, height: 800 })
    await reader.page.goto(`${office.url}/invoices`)
    const grid = reader.page.getByRole('grid')
    const rows = grid.getByRole('row')
    await rows.nth(2).waitFor()
    const before = await rows.count()
    const top = await rows.nth(1).innerText()
    // Somebody else: the operator of the office, in another process of the same database.
    for (const client of ['Tercera SL', 'Cuarta SL']) await draftOf(client)
    const pill = reader.page.getByRole('button', { name: shows.replace('{count}', '2'), exact: true })
    await pill.waitFor()
    await reader.page
      .getByRole('status')
      .getByText(announced.replace('{count}', '2'))
      .waitFor({ state: 'attached' })
    expect(await rows.count()).toBe(before)
    expect(await rows.nth(1).innerText()).toBe(top)
    // A change of a shown row is seen in its place.
    const { version } = await server.run('invoices.get', { id: first.id }, books.test)
    await server.run(
      'invoices.update',
      { id: first.id, expectedVersion: version, clientName: `Primera ${width} SL` },
      books.test,
    )
    await grid.getByText(`Primera ${width} SL`).first().waitFor()
    expect(await pill.count()).toBe(1)
    expect(await axeFaults(reader.page)).toEqual([])
    expect(await overflows(reader.page)).toBe(false)
    if (process.env.SHOTS) await reader.page.screenshot({ path: `${process.env.SHOTS}/fresh-${width}.png` })
    await pill.focus()
    await reader.page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBe(before + 2)
    await pill.waitFor({ state: 'detached' })
    // The count is known before the rows have come.
    await expect.poll(() => rows.nth(1).innerText()).toContain('Cuarta SL')
  }
  expect(reader.complaints).toEqual([])
})

test('an adviser who opens the books of a client leaves one entry a day, without the console', async () => {
  const office = await openOfficeWindow()
  const { server, books } = office
  const adviser = await office.visit(await sharedBrowser())
  const EVA = { email: 'eva@example.com', name: 'Eva Prieto' }
  await registerByPasskey(adviser.page, await office.invite(EVA.email, ['adviser']), EVA)
  const entries = async () =>
    (await server.run('audit.window', { action: 'books.entered' }, books.live)).items.map(
      ({ actor }) => actor.name,
    )
  await expect.poll(entries).toEqual([EVA.name])
  await adviser.page.reload()
  await adviser.page.locator('main h1').first().waitFor()
  expect(await entries()).toEqual([EVA.name])
  expect(adviser.complaints).toEqual([])
})

test('lists of purchases and contacts mark what somebody else edits, until they leave it', async () => {
  const office = await openOfficeWindow()
  const { server, books } = office
  const browser = await sharedBrowser()
  const LUIS = { email: 'luis@example.com', name: 'Luis Soto' }
  const contact = await server.run('contacts.create', { name: 'Cerrajería Paz SL' }, books.test)
  await server.run('contacts.create', { name: 'Otra SL' }, books.test)
  const received = await server.run(
    'received.create',
    {
      supplierName: 'Papelería Sol SL',
      supplierNif: 'B58818501',
      supplierNumber: 'A-7',
      issueDate: '2026-01-10',
      taxLines: [{ base: 100, vatRate: 21 }],
    },
    books.test,
  )
  const reader = await office.visit(browser)
  await registerByPasskey(reader.page, await office.invite(ANA.email, ['bookkeeper']), ANA)
  const editor = await office.visit(browser)
  await registerByPasskey(editor.page, await office.invite(LUIS.email, ['bookkeeper']), LUIS)
  for (const [list, id, text] of [
    ['/received', received.id, 'Papelería Sol SL'],
    ['/contacts', contact.id, 'Cerrajería Paz SL'],
  ] as const) {
    await reader.page.goto(`${office.url}${list}`)
    const row = reader.page.getByRole('row').filter({ hasText: text })
    await row.first().waitFor()
    const marks = reader.page.getByTitle(presence.mark.replace('{names}', LUIS.name))
    expect(await marks.count(), list).toBe(0)
    await editor.page.goto(`${office.url}${list}/${id}`)
    const mark = row.first().getByTitle(presence.mark.replace('{names}', LUIS.name))
    await mark.waitFor()
    // Nothing else is marked, and nobody sees a mark of their own.
    expect(await marks.count(), list).toBe(1)
    expect(await axeFaults(reader.page), list).toEqual([])
    if (process.env.SHOTS)
      await reader.page.screenshot({ path: `${process.env.SHOTS}/mark${list.replace('/', '-')}.png` })
    await editor.page.locator('nav a[href="/invoices"]').first().click()
    await mark.waitFor({ state: 'detached' })
  }
  expect([...reader.complaints, ...editor.complaints]).toEqual([])
})
