/** Documents of an earlier program: apart in the lists, their pages, and their mark wherever they are collected. */
import { pdfOf } from '../../../server/accounting/returns/simulator/pdf.ts'
import { callAsWindow } from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import type { GalleryState } from '../states.ts'

const SALES = [
  'Número;Fecha;Vencimiento;Cliente;NIF;Concepto;Base;IVA %;Cuota;Total;Pendiente',
  'FAC/2026-0001;10/02/2026;12/03/2026;Talleres Beltrán, S.L.;B12345674;Revisión de la flota;1200;21;252;1452;1452',
  'FAC/2026-0002;18/02/2026;20/03/2026;Conservas del Cantábrico, S.A.;A39000013;Etiquetas;640;21;134,40;774,40;0',
  'FAC/2026-0003;03/03/2026;02/04/2026;Rehabilitaciones Integrales y Mantenimientos Urbanísticos del Noroeste, S.L.U.;B50000140;Obra de la fase segunda, con materiales;18400;10;1840;20240;8240',
  'FAC/2026-0004;25/05/2026;24/06/2026;Talleres Beltrán, S.L.;B12345674;Mantenimiento de mayo;300;21;63;363;0',
].join('\n')
const PURCHASES = [
  'Número;Fecha;Vencimiento;Proveedor;NIF;Base;IVA %;Cuota;Total;Pendiente',
  'AB-77;12/02/2026;14/03/2026;Luz del Sur, S.A.;A58818501;184,20;21;38,68;222,88;222,88',
  '2026/0450;02/04/2026;02/05/2026;Papeles Roca, S.L.;B87654323;95;21;19,95;114,95;0',
].join('\n')

/** Moves such documents into a book. Returns those that have pages. */
export async function moveIn(app: ServedApp, book: string): Promise<Record<string, string>> {
  const call = <Answer>(name: string, input: object): Promise<Answer> =>
    callAsWindow(app, name, input, book) as Promise<Answer>
  interface Answer {
    move: { id: string; state: string }
  }
  const { move } = await call<Answer>('moving.start', { firstDay: '2026-07-01' })
  const add = (name: string, text: string | Uint8Array) =>
    call('moving.addFile', { id: move.id, name, content: Buffer.from(text).toString('base64') })
  await add('ventas 2026.csv', SALES)
  await add('compras 2026.csv', PURCHASES)
  for (let { state } = move; state !== 'applied';)
    ({ state } = (await call<Answer>('moving.apply', { id: move.id })).move)
  const paper = Buffer.from(pdfOf(['Talleres Beltrán', 'Factura FAC/2026-0001', 'Total 1.452,00'])).toString(
    'base64',
  )
  await call('moving.attach', { id: move.id, name: 'FAC-2026-0001.pdf', content: paper })
  interface Listed {
    items: { id: string; number?: string | null; supplierNumber?: string | null; clientId?: string | null }[]
  }
  const issued = await call<Listed>('invoices.window', { view: 'history', limit: 10 })
  const received = await call<Listed>('received.window', { view: 'history', limit: 10 })
  const ofNumber = (number: string) => issued.items.find((one) => one.number === number)?.id ?? ''
  const owed = ofNumber('FAC/2026-0001')
  return {
    ...(await issueByOthers(call)),
    owed,
    bare: ofNumber('FAC/2026-0003'),
    paid: ofNumber('FAC/2026-0002'),
    received: received.items.find(({ supplierNumber }) => supplierNumber === 'AB-77')?.id ?? '',
    contact: (await call<{ clientId: string | null }>('invoices.get', { id: owed })).clientId ?? '',
  }
}

type Call = <Answer>(name: string, input: object) => Promise<Answer>

/** A draft and an invoice that somebody else issues in the company's name, with the longest names there are. */
async function issueByOthers(call: Call): Promise<Record<string, string>> {
  await call('series.create', { code: 'GEST', kind: 'ordinary', purpose: 'third_party' })
  const draftOf = (issuedBy: object, more: object = {}) =>
    call<{ id: string }>('invoices.create', {
      clientName: 'Talleres Beltrán, S.L.',
      clientNif: 'B12345674',
      client: { address: { street: 'Calle Sol 3', postalCode: '29001', city: 'Málaga', country: 'ES' } },
      lines: [{ description: 'Reforma', quantity: 1, unitPrice: 1000 }],
      series: 'GEST',
      issuedBy,
      ...more,
    })
  const issuedBy = {
    kind: 'third_party',
    name: 'Asesoría y Gestión Administrativa de Empresas del Valle Medio del Ebro, S.L.P.',
    nif: 'B87654323',
    country: 'ES',
    street: 'Avenida de la Constitución 120',
    postalCode: '50001',
    city: 'Zaragoza',
    province: 'Zaragoza',
  }
  const { id: byOther } = await draftOf(issuedBy)
  const { id: issued } = await draftOf(issuedBy)
  const { confirmation } = await call<{ confirmation: { confirmationToken: string } }>('invoices.validate', {
    id: issued,
  })
  await call('invoices.issue', { id: issued, confirmationToken: confirmation.confirmationToken })
  return { byOther, issuedByOther: issued }
}

const moved = (name: string, path: GalleryState['path'], act?: GalleryState['act']): GalleryState => ({
  name: `before-${name}`,
  world: 'moved',
  path,
  ...(act ? { act } : {}),
})
const at = (path: string) => () => path

export const beforeStates: readonly GalleryState[] = [
  moved('invoices', at('/invoices?view=history')),
  moved('received', at('/received?view=history')),
  moved('invoice', ({ owed }) => `/invoices/${owed}`),
  moved('invoice-bare', ({ bare }) => `/invoices/${bare}`),
  moved('invoice-paid', ({ paid }) => `/invoices/${paid}`),
  moved('received-one', ({ received }) => `/received/${received}`),
  moved('home', at('/')),
  moved('owed', at('/invoices?view=owed')),
  moved('contact', ({ contact }) => `/contacts/${contact}`),
  moved('overdue', at('/payments/overdue')),
  moved('palette', at('/invoices'), async ({ page }) => {
    await page.keyboard.press('Control+k')
    await page
      .getByRole('dialog')
      .getByRole('textbox')
      .or(page.getByRole('dialog').getByRole('combobox'))
      .first()
      .fill('FAC/2026')
    await page.getByText('FAC/2026-0002').waitFor()
  }),
  moved(
    'by-other-edit',
    ({ byOther }) => `/invoices/${byOther}/edit`,
    async ({ page, say }) => {
      const more = page.getByRole('region', { name: say('invoice.more') })
      await more.getByRole('button', { name: say('invoice.more') }).click()
      await page.locator('[data-anchor="issuedBy.kind"]').scrollIntoViewIfNeeded()
    },
  ),
  moved('by-other-issued', ({ issuedByOther }) => `/invoices/${issuedByOther}`),
  { name: 'before-none', world: 'everyday', path: at('/invoices?view=history') },
]
