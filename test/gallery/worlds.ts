/** The books that pages are shown with: none, empty ones, everyday ones, papers to review, a very long list, and an office. */
import { callAsWindow, serveApp } from '../support/browser/browser.ts'
import type { ServedApp } from '../support/browser/browser.ts'
import type { LocalCompany } from '../support/browser/prepared-books.ts'
import { makeP12 } from '../support/files/certificates.ts'
import { furnishMoves } from './moving/books.ts'
import { handIn } from './papers.ts'
import { moveIn } from './history/states.ts'
import { furnishBasque, furnishCeuta, furnishLasPalmas } from './territories/books.ts'
import type { OfficeOfWorld } from './office/world.ts'

export const WORLDS = [
  'fresh',
  'empty',
  'everyday',
  'papers',
  'moving',
  'moved',
  'large',
  'las-palmas',
  'ceuta',
  'bilbao',
  'vitoria',
  'donostia',
  'locked',
  'pin',
  'shut',
  'office',
] as const
export type WorldName = (typeof WORLDS)[number]

export interface World {
  app: ServedApp
  /** Null where there is no company yet. */
  books: { test: string; live: string } | null
  /** Of one thing of each kind that has a page of its own. */
  ids: Readonly<Record<string, string>>
  /** The books cannot be opened: there are no preferences, and the browser's are followed. */
  shut?: true
  /** An office, where each state is shown to somebody. */
  office?: OfficeOfWorld
  /** What has to be done before each window is opened. */
  prepare?: () => Promise<unknown>
}

interface Session {
  companies: { books: { id: string; mode: 'live' | 'test' }[] }[]
}
type Items = { items: { id: string }[] }

const INVOICES: Partial<Record<WorldName, number>> = {
  empty: 0,
  everyday: 60,
  papers: 3,
  moving: 60,
  moved: 3,
  large: 10_000,
  'las-palmas': 60,
  ceuta: 60,
  bilbao: 30,
  vitoria: 6,
  donostia: 6,
}

const PLACES: Partial<Record<WorldName, LocalCompany>> = {
  'las-palmas': 'las-palmas',
  ceuta: 'ceuta',
  bilbao: 'bilbao',
  vitoria: 'vitoria',
  donostia: 'donostia',
}

export async function openWorld(name: WorldName): Promise<World> {
  // A desk needs no PostgreSQL.
  if (name === 'office') return (await import('./office/world.ts')).openOfficeWorld()
  if (name === 'shut') return { app: await serveApp({ missing: true }), books: null, ids: {}, shut: true }
  if (name === 'locked' || name === 'pin') return openLocked(name)
  if (name === 'fresh') return { app: await serveApp(), books: null, ids: {} }
  const place = PLACES[name]
  const app = await serveApp({ invoices: INVOICES[name] ?? 0, ...(place ? { place } : {}) })
  const session = (await callAsWindow(app, 'session.get', {})) as Session
  const bookOf = (mode: 'live' | 'test'): string =>
    session.companies[0]?.books.find((book) => book.mode === mode)?.id ?? ''
  const books = { test: bookOf('test'), live: bookOf('live') }
  const furnishing: Partial<Record<WorldName, typeof furnish>> = {
    everyday: furnish,
    papers: handIn,
    moving: furnishMoves,
    moved: moveIn,
    'las-palmas': furnishLasPalmas,
    ceuta: furnishCeuta,
    bilbao: furnishBasque('48001', 'Bilbao'),
    vitoria: furnishBasque('01001', 'Vitoria-Gasteiz'),
    donostia: furnishBasque('20004', 'Donostia'),
  }
  try {
    return { app, books, ids: (await furnishing[name]?.(app, books.test)) ?? {} }
  } catch (error) {
    await app.stop()
    throw error
  }
}

const LOCK_CODES = { locked: 'mesa lampara 9', pin: '482915' } as const

/** Books with a lock, which every window finds open. */
async function openLocked(name: keyof typeof LOCK_CODES): Promise<World> {
  const app = await serveApp({ invoices: 3 })
  const code = LOCK_CODES[name]
  const { groups } = (await callAsWindow(app, 'recovery.reveal', {})) as { groups: string[] }
  await callAsWindow(app, 'recovery.confirm', {
    groups: [0, 1].map((index) => ({ index, text: groups[index] })),
  })
  await callAsWindow(app, 'lock.set', { code })
  return { app, books: null, ids: {}, prepare: () => callAsWindow(app, 'session.unlock', { code }) }
}

const ADDRESS = {
  street: 'Avenida de la Palmera, 12',
  postalCode: '41012',
  city: 'Sevilla',
  province: 'Sevilla',
  country: 'ES',
}

const STATEMENT = `Fecha;Concepto;Importe;Saldo
02/11/2026;TRANSFERENCIA DE TALLERES UNIDOS SL;1.210,00;8.410,00
03/11/2026;RECIBO LUZ COMERCIALIZADORA;-142,37;8.267,63
05/11/2026;COMISION MANTENIMIENTO;-12,00;8.255,63
09/11/2026;COMPRA TARJETA PAPELERIA CENTRO;-38,90;8.216,73
12/11/2026;BIZUM RECIBIDO ANA RUIZ;60,50;8.277,23
`

/** What demonstration books lack: a draft for every dialog, a proposal, a key, a certificate, a bank statement. */
async function furnish(app: ServedApp, book: string): Promise<Record<string, string>> {
  const call = (name: string, input: object): Promise<unknown> => callAsWindow(app, name, input, book)
  const make = async (name: string, input: object): Promise<string> =>
    ((await call(name, input)) as { id: string }).id
  const firstOf = async (name: string, input: object = {}): Promise<string> =>
    ((await call(name, input)) as Items).items[0]?.id ?? ''

  const { items } = (await call('invoices.window', { limit: 100 })) as {
    items: { id: string; state: string; kind: string; payment: { status: string } }[]
  }
  const invoice = items.find((each) => each.state === 'issued' && each.kind === 'F1')?.id ?? ''
  const overdue = items.find((each) => each.payment.status === 'overdue')?.id ?? ''
  await call('company.update', { iban: 'ES9121000418450200051332' })
  const draft = await make('invoices.create', {
    clientName: 'Conservas del Cantábrico, S.A.',
    clientNif: 'A39000013',
    client: { address: ADDRESS, email: 'pagos@cantabrico.example' },
    lines: [
      { description: 'Diseño de etiquetas\nTres propuestas y arte final', quantity: 3, unitPrice: 120 },
      { description: 'Catálogo impreso', quantity: 250, unitPrice: 1.35, vatRate: 4 },
    ],
    notes: 'Entrega en la nave 4.',
  })
  // Of lines that exempt and charged work share, and a customer who is nowhere known: the longest review there is.
  const faulty = await make('invoices.create', {
    clientName: 'Cliente sin datos',
    lines: [{ description: 'Trabajo', quantity: 1, unitPrice: 4000 }],
  })
  // Foreign text, a word without a place to break, and amounts of many digits.
  const hostile = await make('invoices.create', {
    clientName: '<b>Ñandú</b> & Hijos Rehabilitaciones Integrales y Mantenimientos Urbanísticos, S.L.U.',
    clientNif: 'B50000140',
    client: {
      address: { ...ADDRESS, street: 'Urbanización Nuestra Señora de las Maravillas, 1234, esc. 5' },
    },
    lines: [
      {
        description: `https://example.invalid/${'obra-'.repeat(20)}`,
        quantity: 1234.567,
        unitPrice: 98765.432,
      },
      { description: '<script>alert(1)</script>', quantity: 1, unitPrice: -0.01 },
    ],
    notes: '"><img src=x onerror=alert(1)>',
  })
  const hundred = await make('invoices.create', {
    clientName: 'Suministros de Obra, S.L.',
    clientNif: 'B50000140',
    lines: Array.from({ length: 100 }, (_, index) => ({
      description: `Partida ${index + 1} del presupuesto`,
      quantity: 1 + (index % 7),
      unitPrice: 12.5 + index,
      vatRate: [21, 10, 4][index % 3],
    })),
  })
  const rectifying = await make('invoices.rectify', { id: invoice, cause: 'discount', percent: 10 })
  const recurrence = await make('recurring.create', {
    name: 'Mantenimiento mensual',
    rule: { freq: 'monthly', start: '2027-01-01' },
    fromInvoice: invoice,
  })
  const account = await make('bank.createAccount', {
    name: 'Cuenta corriente',
    iban: 'ES9121000418450200051332',
    openingBalance: 7200,
    openingDate: '2026-11-01',
  })
  await call('bank.import', {
    accountId: account,
    fileName: 'movimientos.csv',
    content: Buffer.from(STATEMENT).toString('base64'),
  })
  const { key } = (await call('keys.createByPerson', {
    name: 'Asistente de la oficina',
    scopes: ['invoices.read', 'invoices.write', 'company.read'],
  })) as { key: string }
  await propose(app, key, draft)
  const asset = await furnishAssets(make, call)
  const { p12 } = makeP12({ password: 'gallery' })
  await call('certificates.import', { file: p12.toString('base64'), password: 'gallery' })
  return {
    invoice,
    overdue,
    draft,
    faulty,
    hostile,
    hundred,
    rectifying,
    recurrence,
    account,
    asset,
    contact: await firstOf('contacts.list', { limit: 1 }),
    item: await firstOf('items.list', { limit: 1 }),
    quote: await firstOf('quotes.list'),
    received: await firstOf('received.list'),
  }
}

/** A computer, a van and premises, with what is booked of them; one asset is gone. */
async function furnishAssets(
  make: (name: string, input: object) => Promise<string>,
  call: (name: string, input: object) => Promise<unknown>,
): Promise<string> {
  const asset = await make('assets.create', {
    description: 'Furgoneta de reparto Citroën Berlingo',
    kind: '22',
    identifier: '4821KLM',
    acquiredOn: '2025-03-10',
    inUseOn: '2025-03-15',
    base: 18_400,
    vat: 3864,
    vatPercent: 21,
    vatDeducted: 1932,
    residual: 2000,
    method: 'percent',
    percent: 16,
    table: 'simplified.vehicles',
    supplierName: 'Automóviles del Sur, S.A.',
    supplierNif: 'A58818501',
    invoiceNumber: 'V-2025/118',
    invoiceDate: '2025-03-10',
    accumulatedBefore: 2349.02,
    accumulatedUntil: '2025-12-31',
  })
  await make('assets.create', {
    description: 'Local de la calle Sierpes, con todo lo que hay dentro y su sótano de almacén',
    kind: '12',
    acquiredOn: '2019-01-01',
    inUseOn: '2019-01-01',
    base: 180_000,
    residual: 60_000,
    method: 'percent',
    percent: 4,
    table: 'simplified.buildings',
    accumulatedBefore: 25_200,
    accumulatedUntil: '2025-12-31',
  })
  const old = await make('assets.create', {
    description: 'Ordenador de sobremesa',
    kind: '23',
    acquiredOn: '2023-02-01',
    inUseOn: '2023-02-01',
    base: 900,
    vat: 189,
    vatPercent: 21,
    method: 'years',
    years: 4,
    accumulatedBefore: 655.89,
    accumulatedUntil: '2025-12-31',
  })
  await call('assets.depreciate', { year: 2026, quarter: 2 })
  await call('assets.dispose', { id: old, on: '2026-10-01', cause: 'sale', price: 120, saleVatAmount: 25.2 })
  await call('assets.setProrata', { year: 2025, percent: 80 })
  await call('assets.setProrata', { year: 2026, percent: 95 })
  return asset
}

/** As an assistant does it, through its own door. */
export async function propose(app: ServedApp, key: string, targetId: string): Promise<void> {
  const response = await fetch(`${app.url}/api/mcp/svc`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'svc_propose_action',
        arguments: {
          action: 'issue_invoice',
          targetId,
          reason: 'El pedido se entregó ayer y el cliente espera la factura.',
        },
      },
    }),
  })
  const text = await response.text()
  if (!response.ok || text.includes('"isError":true')) throw new Error(`svc_propose_action: ${text}`)
}
