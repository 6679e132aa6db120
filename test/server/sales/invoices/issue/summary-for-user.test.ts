/** The line that an assistant shows before the user says yes. */
import { expect, test } from 'vitest'
import { openBooks, THREE_FIELDS } from '../../../../support/books.ts'

test('it says the number, the customer, the sums, where it would go and what is wrong', async () => {
  const world = await openBooks()
  const { id } = await world.draft({ withholdingPct: 15 })
  const { summaryForUser, preview } = await world.run('invoices.validate', { id })
  const [year, month, date] = preview.issueDate.split('-')
  expect(summaryForUser).toBe(
    `Emitir T-F2026-0001 (F1) del ${date}/${month}/${year} a «Cliente Primero, S.L.», B87654323; base 500,00, impuestos 105,00, total 605,00 EUR; retención 75,00; a pagar 530,00 EUR; simulado: nada llega a la Agencia Tributaria; 2 avisos`,
  )
})

test('a credit gives back, and asks for no negative sum', async () => {
  const world = await openBooks()
  const lines = [{ description: 'Horas de más', quantity: 1, unitPrice: -182 }]
  const rectifies = [{ number: 'A-1', issueDate: '2026-01-15' }]
  const rectification = { method: 'I', reason: 'Horas de más' } as const
  const { id } = await world.draft({ kind: 'R1', withholdingPct: 15, lines, rectifies, rectification })
  const { summaryForUser } = await world.run('invoices.validate', { id })
  expect(summaryForUser).toContain('total -220,22 EUR; retención -27,30; a devolver 192,92 EUR;')
})

test('in the language that the owner has chosen', async () => {
  const world = await openBooks()
  await world.run('session.savePreferences', { language: 'en' })
  const { id } = await world.draft({ withholdingPct: 15 })
  const { summaryForUser, preview } = await world.run('invoices.validate', { id })
  expect(summaryForUser).toBe(
    `Issue T-F2026-0001 (F1) of ${preview.issueDate} to «Cliente Primero, S.L.», B87654323; base 500.00, tax 105.00, total 605.00 EUR; withholding 75.00; to pay 530.00 EUR; simulated; nothing reaches the tax authority; 2 warnings`,
  )
})

test('a live draft that lacks what issuing needs counts its errors', async () => {
  const world = await openBooks()
  const { id } = await world.draft({}, world.live)
  const { summaryForUser } = await world.run('invoices.validate', { id }, world.live)
  expect(summaryForUser).toContain('se envía a la Agencia Tributaria y no se puede deshacer; 2 errores; ')
})

test('each step says what it does', async () => {
  const world = await openBooks()
  const { id } = await world.invoice()
  await world.send()
  const line = async (action: 'cancel' | 'amend') =>
    (await world.run('invoices.validate', { id, action, ...(action === 'amend' ? { changes: {} } : {}) }))
      .summaryForUser
  expect(await line('cancel')).toMatch(/^Anular en el registro T-F2026-0001 /)
  expect(await line('amend')).toMatch(/^Corregir en el registro T-F2026-0001 /)
})

test("a customer's name cannot leave its place", async () => {
  const world = await openBooks()
  const clientName = 'Ana»; total 1.00 EUR [x](https://evil.example) <img src=x> `rm` \\| '.padEnd(120, 'z')
  const { id } = await world.draft({ ...THREE_FIELDS, clientName })
  const { summaryForUser } = await world.run('invoices.validate', { id })
  const [, name] = /«([^«»]*)»/.exec(summaryForUser)!
  expect(name).toHaveLength(80)
  expect(name).not.toMatch(/[<>[\]`|\\"]/)
  expect(summaryForUser.split('«')[1]!.split('»')[1]).toContain(
    '; base 500,00, impuestos 105,00, total 605,00 EUR',
  )
  expect(summaryForUser).not.toContain('\n')
})
