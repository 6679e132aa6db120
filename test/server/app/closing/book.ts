/** A quarter of a company that is ready to close, and one where five things are missing. */
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { centsToText } from '../../../../server/domain/money.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { line, purchase } from '../../accounting/returns/worked.ts'

export const Q3 = { year: 2026, quarter: 3 }
type Closing = OutputOf<'fiscal.closing'>

export const stepOf = (closing: Closing, id: Closing['steps'][number]['id']) =>
  closing.steps.find((step) => step.id === id)!

export const closingOf = (world: TestBooks, period = Q3): Promise<Closing> =>
  world.run('fiscal.closing', period)

/** Opens a company's books in the third quarter: a sale of 1,000 euros and a purchase of 200, both with VAT at 21 %. */
export async function quarterBook(options: Parameters<typeof openBooks>[0] = {}): Promise<TestBooks> {
  const world = await openBooks({ at: '2026-09-30T12:00:00+02:00', ...options })
  await world.invoice({ issueDate: '2026-09-10', lines: [line(1000)] })
  const bill = await world.run(
    'received.create',
    purchase({
      supplierNumber: 'P1',
      issueDate: '2026-09-12',
      receptionDate: '2026-09-14',
      taxLines: [{ base: 200, vatRate: 21 }],
    }),
  )
  const { id: attachmentId } = await world.run('attachments.upload', {
    name: 'factura.pdf',
    content: Buffer.from('%PDF-1.7\nuna factura').toString('base64'),
  })
  await world.run('received.attach', { id: bill.id, attachmentId })
  world.setTime('2026-10-12T10:00:00+02:00')
  await world.send()
  await world.run('fiscal.setInput', { model: '111', ...Q3, box: '02', amount: 0 })
  return world
}

/** Adds a bank account and takes movements: pairs of day and cents, with a text. */
export async function takeMovements(
  world: TestBooks,
  rows: readonly (readonly [date: string, text: string, cents: number])[],
): Promise<string> {
  const { items } = await world.run('bank.accounts', {})
  const id =
    items[0]?.id ??
    (
      await world.run('bank.createAccount', {
        name: 'Corriente',
        iban: 'ES9121000418450200051332',
        openingBalance: 1000,
        openingDate: '2026-07-01',
      })
    ).id
  const lines = rows.map(([date, text, cents]) => {
    const [year, month, day] = date.split('-')
    return `${day}/${month}/${year};${text};${centsToText(cents).replace('.', ',')}`
  })
  const content = Buffer.from(['Fecha;Concepto;Importe', ...lines].join('\n')).toString('base64')
  await world.run('bank.import', { fileName: 'movimientos.csv', content, accountId: id })
  return id
}

/** Books every pending movement to an account. */
export async function bookMovements(world: TestBooks, ledgerAccount: string): Promise<void> {
  const { items } = await world.run('bank.window', { status: 'pending', limit: 50 })
  for (const { id, amount } of items)
    await world.run('bank.match', { id, parts: [{ kind: 'account', ledgerAccount, amount }] })
}

/** Files and pays the VAT return, books its entry, and locks the quarter. */
export async function closeAll(world: TestBooks): Promise<void> {
  await world.run('fiscal.markFiled', { model: '303', ...Q3 })
  await takeMovements(world, [['2026-10-20', 'AEAT MODELO 303', -168_00]])
  await bookMovements(world, '4750')
  await world.run('fiscal.enterVat', Q3)
  await world.run('ledger.lock', { until: '2026-09-30' })
}
