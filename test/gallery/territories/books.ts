/** Everyday books of companies outside the common territory of VAT, with one thing of each kind that its tax decides. */
import { callAsWindow } from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'

type Items = { items: { id: string; kind?: string }[] }

const place = (postalCode: string, city: string) => ({
  street: 'Calle del Puerto, 12',
  postalCode,
  city,
  country: 'ES',
})

interface Furnished {
  /** Rates of the lines of a draft, in percent. */
  rates: readonly [number, number]
  home: ReturnType<typeof place>
}

async function furnish(
  app: ServedApp,
  book: string,
  { rates, home }: Furnished,
): Promise<Record<string, string>> {
  const call = (name: string, input: object): Promise<unknown> => callAsWindow(app, name, input, book)
  const make = async (name: string, input: object): Promise<string> =>
    ((await call(name, input)) as { id: string }).id
  const firstOf = async (name: string): Promise<string> =>
    ((await call(name, { limit: 1 })) as Items).items[0]?.id ?? ''
  const { items } = (await call('invoices.window', { limit: 100 })) as {
    items: { id: string; state: string; kind: string }[]
  }
  const bill = {
    supplierName: 'Suministros del Puerto, S.L.',
    supplierNif: 'B58818501',
    taxLines: [{ base: 100 }],
  }
  return {
    invoice: items.find((each) => each.state === 'issued' && each.kind === 'F1')?.id ?? '',
    draft: await make('invoices.create', {
      clientName: 'Muebles de la Costa, S.L.',
      clientNif: 'B50000140',
      client: { address: home, email: 'pagos@costa.example' },
      lines: [
        { description: 'Montaje de estanterías', quantity: 3, unitPrice: 120, vatRate: rates[0] },
        { description: 'Catálogo impreso', quantity: 250, unitPrice: 1.35, vatRate: rates[1] },
      ],
    }),
    mainland: await make('invoices.create', {
      clientName: 'Conservas del Cantábrico, S.A.',
      clientNif: 'A39000013',
      client: { address: place('39001', 'Santander') },
      lines: [{ description: 'Consultoría', quantity: 1, unitPrice: 900 }],
    }),
    received: await firstOf('received.list'),
    charged: await make('received.create', {
      ...bill,
      supplierNumber: 'M-1',
      issueDate: '2026-11-10',
      supplier: { address: place('28013', 'Madrid') },
      taxLines: [{ base: 100, vatRate: 21, tax: 21 }],
    }),
    imported: await make('received.create', {
      ...bill,
      kind: 'customs',
      supplierNumber: '26ES00350130000012',
      issueDate: '2026-11-12',
      supplier: { address: place('28013', 'Madrid') },
      taxLines: [{ base: 1000, vatRate: rates[0] }],
    }),
    quote: await firstOf('quotes.list'),
    item: await firstOf('items.list'),
    contact: await firstOf('contacts.list'),
  }
}

export const furnishLasPalmas = (app: ServedApp, book: string): Promise<Record<string, string>> =>
  furnish(app, book, { rates: [7, 3], home: place('35002', 'Las Palmas de Gran Canaria') })

export const furnishCeuta = (app: ServedApp, book: string): Promise<Record<string, string>> =>
  furnish(app, book, { rates: [4, 10], home: place('51001', 'Ceuta') })

/** Of a province, whose treasury keeps the registry. */
export const furnishBasque =
  (postalCode: string, city: string) =>
  (app: ServedApp, book: string): Promise<Record<string, string>> =>
    furnish(app, book, { rates: [21, 10], home: place(postalCode, city) })
