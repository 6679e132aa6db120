/**
 * Three people in three browsers over one real office: one draft, one payment, one closing. Nothing is lost, nothing is
 * doubled, and each entry of the history names who did it.
 */
import { expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { merge as mergeTexts } from '../../../renderer/locales/es/merge.ts'
import { axeFaults, overflows, sharedBrowser } from '../../support/browser/browser.ts'
import { openOfficeWindow } from '../../support/postgres/office-window.ts'
import { needs } from '../../support/tools.ts'
import { setRules } from '../../../server/app/people/second-person/use-cases.ts'
import type { Role } from '../../../server/domain/people.ts'
import { registerByPasskey } from './steps.ts'

const test = needs('chromium')

const ANA = { email: 'ana@example.com', name: 'Ana Beltrán' }
const LUIS = { email: 'luis@example.com', name: 'Luis Soto' }
const EVA = { email: 'eva@example.com', name: 'Eva Prieto' }
const { merge, presence } = mergeTexts

type OfficeWindow = Awaited<ReturnType<typeof openOfficeWindow>>
type Visit = Awaited<ReturnType<OfficeWindow['visit']>>

async function join(
  office: OfficeWindow,
  who: { email: string; name: string },
  role: Role,
  look: Parameters<OfficeWindow['visit']>[1] = {},
): Promise<Visit> {
  const visit = await office.visit(await sharedBrowser(), look)
  await registerByPasskey(visit.page, await office.invite(who.email, [role]), who)
  return visit
}

async function draftOf(office: OfficeWindow): Promise<string> {
  const { id } = await office.server.run(
    'invoices.create',
    {
      clientName: 'Ceramica del Sur SL',
      clientNif: 'B12345674',
      lines: [
        { description: 'Taller', quantity: 2, unitPrice: 50 },
        { description: 'Desplazamiento', quantity: 1, unitPrice: 30 },
        { description: 'Material', quantity: 1, unitPrice: 20 },
      ],
    },
    office.books.test,
  )
  return id
}

const cell = (page: Page, row: number, name: string): Locator =>
  page.locator(`[data-anchor^="line:"][data-anchor$=":${name}"]`).nth(row)

async function type(field: Locator, text: string): Promise<void> {
  const input = (await field.evaluate((node) => node.matches('input, textarea')))
    ? field
    : field.locator('input, textarea').first()
  await input.click()
  await input.fill(text)
  await input.press('Tab')
}

const savedOn = (page: Page) =>
  expect
    .poll(async () => page.locator('[data-save-state]').first().textContent(), { timeout: 20_000 })
    .toContain('guardado')

/** Who did what to a record, the oldest first, as the history says. */
async function deeds(office: OfficeWindow, action: string): Promise<string[]> {
  const { items } = await office.server.run('audit.list', { action, limit: 100 }, office.books.test)
  return items.map(({ actor }) => actor.name).toReversed()
}

/** Folder for pictures of the pages, for whoever wants to look at them. */
const PICTURES = process.env.SELLO_PICTURES

/** Calls an operation as the person of a page; returns the error code, or `ok`. */
const inPage = (page: Page, book: string, operation: string, input: unknown): Promise<string> =>
  page.evaluate(
    async ([name, body, of]) => {
      const answer = await fetch(`/app/call/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sello-book': of },
        body,
      })
      const read = (await answer.json()) as { ok: boolean; error?: { code: string } }
      return read.ok ? 'ok' : (read.error?.code ?? 'unknown')
    },
    [operation, JSON.stringify(input), book] as const,
  )

test('three people edit one draft at the same time: all of it is there, and each change has its name', async () => {
  const office = await openOfficeWindow()
  const id = await draftOf(office)
  const visits = [
    await join(office, ANA, 'owner'),
    await join(office, LUIS, 'bookkeeper'),
    await join(office, EVA, 'sales'),
  ] as const
  const [ana, luis, eva] = visits.map(({ page }) => page) as [Page, Page, Page]
  for (const { page } of visits) {
    await page.goto(`${office.url}/invoices/${id}/edit`)
    await cell(page, 2, 'unitPrice').waitFor()
  }
  // Everybody sees who else is here.
  await ana.getByText(LUIS.name).and(ana.locator('p')).first().waitFor()
  await eva.getByRole('button', { name: presence.takeOver }).waitFor()

  // Each changes a line of their own at the same moment.
  await Promise.all([
    type(cell(ana, 0, 'unitPrice'), '51'),
    type(cell(luis, 1, 'unitPrice'), '31'),
    type(cell(eva, 2, 'unitPrice'), '21'),
  ])
  const lines = async (): Promise<number[]> =>
    (await office.server.run('invoices.get', { id }, office.books.test)).lines.map(
      ({ unitPrice }) => unitPrice,
    )
  await expect.poll(lines, { timeout: 30_000 }).toEqual([51, 31, 21])
  for (const page of [ana, luis, eva])
    await expect
      .poll(
        async () =>
          Promise.all(
            [0, 1, 2].map((row) =>
              cell(page, row, 'unitPrice').evaluate(
                (node) => (node.querySelector('input') ?? (node as HTMLInputElement)).value,
              ),
            ),
          ),
        { timeout: 20_000 },
      )
      .toEqual(['51', '31', '21'].map((price) => expect.stringMatching(new RegExp(`^${price}(,00)?$`))))

  // Two change the same cell: nobody overwrites, one is asked.
  await Promise.all([type(cell(ana, 0, 'unitPrice'), '55'), type(cell(luis, 0, 'unitPrice'), '77')])
  const askedOn = await Promise.race(
    [ana, luis].map(async (page) => {
      await page.getByRole('button', { name: merge.takeTheirs }).waitFor({ timeout: 30_000 })
      return page
    }),
  )
  const bar = askedOn.getByRole('alert').filter({ hasText: merge.before })
  const shown = (await bar.textContent()) ?? ''
  expect(shown).toContain('55')
  expect(shown).toContain('77')
  expect(shown).toContain(askedOn === ana ? LUIS.name : ANA.name)
  expect(await axeFaults(askedOn)).toEqual([])
  await askedOn.getByRole('button', { name: merge.keepMine }).click()
  const wanted = askedOn === ana ? 55 : 77
  await expect.poll(lines, { timeout: 20_000 }).toEqual([wanted, 31, 21])
  await savedOn(askedOn)

  const names = await deeds(office, 'invoice.changed')
  expect(new Set(names)).toEqual(new Set([ANA.name, LUIS.name, EVA.name]))
  console.log(
    `three people on one draft: lines ${(await lines()).join(', ')}; the conflict was shown to ${askedOn === ana ? ANA.name : LUIS.name}; saved by ${names.join(', ')}`,
  )
  for (const { complaints } of visits) expect(complaints).toEqual([])
})

test('taking over asks the other page to save and to wait; what is typed there is merged later', async () => {
  const office = await openOfficeWindow()
  const id = await draftOf(office)
  const ana = await join(office, ANA, 'owner')
  const luis = await join(office, LUIS, 'bookkeeper')
  await ana.page.goto(`${office.url}/invoices/${id}/edit`)
  await cell(ana.page, 0, 'unitPrice').waitFor()
  await type(cell(ana.page, 0, 'unitPrice'), '60')
  await luis.page.goto(`${office.url}/invoices/${id}/edit`)
  await luis.page.getByRole('button', { name: presence.takeOver }).click()
  const goOn = ana.page.getByRole('button', { name: presence.goOn })
  await goOn.waitFor({ timeout: 20_000 })
  const get = () => office.server.run('invoices.get', { id }, office.books.test)
  // What Ana had was saved, and what she types now waits.
  await expect.poll(async () => (await get()).lines[0]?.unitPrice).toBe(60)
  await type(cell(ana.page, 2, 'unitPrice'), '99')
  await type(cell(luis.page, 1, 'unitPrice'), '88')
  await expect
    .poll(async () => (await get()).lines.map(({ unitPrice }) => unitPrice), { timeout: 20_000 })
    .toEqual([60, 88, 20])
  await goOn.click()
  await expect
    .poll(async () => (await get()).lines.map(({ unitPrice }) => unitPrice), { timeout: 20_000 })
    .toEqual([60, 88, 99])
  console.log('taking over: 60 saved for the other, 88 written by who took over, 99 merged afterwards')
})

test('two record a payment of one invoice at the same time: it is paid once, by one of them', async () => {
  const office = await openOfficeWindow()
  const { server, books, url } = office
  const draft = await draftOf(office)
  const { confirmation } = await server.run('invoices.validate', { id: draft }, books.test)
  const issued = await server.run(
    'invoices.issue',
    { id: draft, confirmationToken: confirmation?.confirmationToken ?? '' },
    books.test,
  )
  const ana = await join(office, ANA, 'owner')
  const luis = await join(office, LUIS, 'bookkeeper')
  const pages = [ana.page, luis.page]
  for (const page of pages) {
    await page.goto(`${url}/invoices/${issued.id}`)
    await page
      .getByRole('button', { name: /Registrar cobro|Cobrar/ })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
  }
  await Promise.all(pages.map((page) => page.keyboard.press('Control+Enter')))
  await expect
    .poll(async () => (await server.run('invoices.get', { id: issued.id }, books.test)).amountDue, {
      timeout: 20_000,
    })
    .toBe(0)
  // The other one is told, and no money is booked twice.
  const { items } = await server.run('payments.list', {}, books.test)
  const names = await deeds(office, 'payment.recorded')
  console.log(
    `two on one payment: ${items.length} payment(s) of ${items.map(({ amount }) => amount).join(' + ')}; by ${names.join(', ')}`,
  )
  expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(issued.total)
})

test('one closes a period while another books into it: one of both, and the books add up', async () => {
  const office = await openOfficeWindow()
  const { server, books, url } = office
  const ana = await join(office, ANA, 'owner')
  const luis = await join(office, LUIS, 'bookkeeper')
  await Promise.all([ana.page.goto(`${url}/ledger/periods`), luis.page.goto(`${url}/ledger/journal`)])
  const today = (await server.run('company.current', {}, books.test)).today
  const entry = {
    date: today,
    text: 'Apunte a mano',
    lines: [
      { account: '572', debit: 10 },
      { account: '570', credit: 10 },
    ],
  }
  const [locked, ...booked] = await Promise.all([
    inPage(ana.page, books.test.publicId, 'ledger.lock', { until: today }),
    ...Array.from({ length: 6 }, () => inPage(luis.page, books.test.publicId, 'ledger.writeEntry', entry)),
  ])
  const written = booked.filter((code) => code === 'ok').length
  expect(locked).toBe('ok')
  expect(booked.filter((code) => code !== 'ok' && code !== 'period_locked')).toEqual([])
  const journal = await server.run('ledger.journal', {}, books.test)
  expect(journal.items.filter(({ text }) => text === 'Apunte a mano')).toHaveLength(written)
  expect(await deeds(office, 'ledger.locked')).toEqual([ANA.name])
  expect((await deeds(office, 'ledger.entry_written')).filter((name) => name !== LUIS.name)).toEqual([])
  console.log(
    `one closes while another books: locked by ${ANA.name}; of ${booked.length} entries of ${LUIS.name} ${written} before it, ${booked.length - written} refused`,
  )
})

test('notes, tasks, mentions, conflicts and steps for a second person hold in every look', async () => {
  const office = await openOfficeWindow()
  const { server, books, url } = office
  const id = await draftOf(office)
  const target = { type: 'invoice', id } as const
  const book = books.test.publicId
  const luis = await join(office, LUIS, 'bookkeeper')
  const { page, complaints } = await join(office, ANA, 'owner')
  const { colleagues } = await server.run('notes.list', { target }, books.test)
  const ana = colleagues.find(({ name }) => name === ANA.name)!.id
  await setRules(server.ctx(books.test), { issueAbove: null, closing: true, bankAccounts: false })
  const text = `@${ANA.name} ¿puedes mirar el precio del taller? El cliente pide su número de pedido en la factura.`
  expect(await inPage(luis.page, book, 'notes.add', { target, text, mentions: [ana] })).toBe('ok')
  const task = {
    title: 'Llamar al cliente por el número de pedido',
    target,
    dueOn: '2026-11-20',
    assigneeId: ana,
  }
  expect(await inPage(luis.page, book, 'tasks.create', task)).toBe('ok')
  expect(await inPage(luis.page, book, 'ledger.lock', { until: '2026-06-30' })).toBe('second_person_asked')
  // The menu counts what waits: the task, the mention and the step.
  await page.locator('nav').getByText('3', { exact: true }).first().waitFor()

  const look = async (name: string, shown: Locator): Promise<void> => {
    for (const theme of ['light', 'dark'] as const)
      for (const width of [1280, 768, 420]) {
        await page.emulateMedia({ colorScheme: theme })
        await page.setViewportSize({ width, height: 900 })
        await shown.scrollIntoViewIfNeeded()
        if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-${theme}-${width}.png` })
        expect(await overflows(page), `${name} ${theme} ${width}`).toBe(false)
        expect(await axeFaults(page), `${name} ${theme} ${width}`).toEqual([])
      }
    await page.setViewportSize({ width: 1280, height: 900 })
  }
  for (const language of ['es', 'en'] as const) {
    expect(await inPage(page, book, 'session.savePreferences', { language })).toBe('ok')
    await page.goto(`${url}/inbox/mine`)
    await page.getByText(/Bloquear un periodo|Lock a period/).waitFor()
    await look(`inbox-${language}`, page.getByText(task.title).first())
    await page.goto(`${url}/invoices/${id}/edit`)
    await page.getByRole('button', { name: /Notas y tareas|Notes and tasks/ }).click()
    await look(`notes-${language}`, page.getByText('¿puedes mirar').first())
    // Luis opens the draft too, and saves the same price first.
    const price = language === 'es' ? 70 : 80
    await luis.page.goto(`${url}/invoices/${id}/edit`)
    await page.getByRole('button', { name: /Tomar el relevo|Take over/ }).waitFor()
    await look(`presence-${language}`, page.getByRole('button', { name: /Tomar el relevo|Take over/ }))
    await page.route(
      '**/app/call/invoices.update',
      async (route) => {
        await type(cell(luis.page, 0, 'unitPrice'), String(price))
        await type(cell(luis.page, 1, 'unitPrice'), String(price + 1))
        await savedOn(luis.page)
        await route.continue()
      },
      { times: 1 },
    )
    await type(cell(page, 0, 'unitPrice'), String(price + 5))
    const theirs = page.getByRole('button', { name: /Con lo suyo|Take theirs/ })
    await theirs.waitFor({ timeout: 20_000 })
    await look(`conflict-${language}`, theirs)
    await theirs.click()
    await theirs.waitFor({ state: 'detached' })
    expect(
      (await server.run('invoices.get', { id }, books.test)).lines.map(({ unitPrice }) => unitPrice),
    ).toEqual([price, price + 1, 20])
    await luis.page.goto(`${url}/invoices`)
  }
  expect(complaints).toEqual([])
})
