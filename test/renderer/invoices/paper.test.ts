/** The paper on screen says what the printed one says: the same sums, words and references, for every kind of invoice. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formOf, totalsOf } from '../../../renderer/invoices/draft.ts'
import { paperFigures, paperOfForm, paperOfInvoice, paperWords } from '../../../renderer/invoices/paper.ts'
import type { Paper } from '../../../renderer/invoices/paper.ts'
import type { InputOf, OutputOf } from '../../../server/contracts.ts'
import { readInvoice } from '../../../server/invoices/index.ts'
import { layOut } from '../../../server/pdf/layout.ts'
import { paperOf } from '../../../server/pdf/paper-of.ts'
import { openWorld } from '../../support/world.ts'
import type { World } from '../../support/world.ts'

type Draft = InputOf<'invoices.create'>
type Invoice = OutputOf<'invoices.get'>

const ADDRESS = { street: 'Calle Real 2', postalCode: '41001', city: 'Sevilla', country: 'ES' }
const BASE = {
  clientName: 'Ana Ruiz Gil',
  clientNif: '12345678Z',
  client: { country: 'ES', address: ADDRESS },
}
const BERLIN = { street: 'Hauptstr. 1', postalCode: '10115', city: 'Berlin', country: 'DE' }

let world: World
beforeAll(async () => {
  world = await openWorld({ shared: true })
})
afterAll(() => world.close())

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ')

/** All that is printed, in reading order. */
async function printed(id: string): Promise<string> {
  const ctx = world.ctx()
  const pages = layOut(await readInvoice(ctx, id, (row) => paperOf(ctx, row)))
  return tidy(
    pages.flatMap((marks) => marks.map((mark) => (mark.kind === 'text' ? mark.text : ''))).join(' '),
  )
}

function expectOnPaper(paper: Paper, text: string): void {
  const words = paperWords(paper.language)
  const figures = paperFigures(paper.language)
  const parts = [paper.title, paper.issuer.name, paper.taxName, ...paper.mentions]
  // With what follows it, because one heading begins like another.
  const [first] = paper.lines
  if (first) parts.push(paper.headings.price, `${paper.headings.amount} ${first.description}`)
  if (paper.client) parts.push(paper.client.name, ...paper.client.lines.slice(0, 1))
  for (const line of paper.lines)
    parts.push(line.description, line.discount, line.vat, figures.money(line.net, paper.currency))
  for (const { label, amount, currency } of paper.sums) {
    // A base has the heading of its column in print.
    if (!label.startsWith(`${words.base} `)) parts.push(label)
    if (amount !== null) parts.push(figures.money(amount, currency ?? paper.currency))
  }
  for (const part of parts) expect(text).toContain(tidy(part).trim())
}

const CASES: Record<string, Draft> = {
  'two rates, a surcharge, discounts on lines and on the whole': {
    ...BASE,
    discountPct: 10,
    discountAmount: 3,
    lines: [
      {
        description: 'Mesa',
        quantity: 3,
        unitPrice: 99.99,
        discountPct: 5,
        discountAmount: 2.5,
        surcharge: 5.2,
      },
      { description: 'Libro', quantity: 1, unitPrice: 20, vatRate: 4 },
    ],
  },
  'withholding and money advanced': {
    ...BASE,
    withholdingPct: 15,
    lines: [
      { description: 'Dictamen', quantity: 1, unitPrice: 1000 },
      { description: 'Tasa judicial', quantity: 1, unitPrice: 60.5, isDisbursement: true },
    ],
  },
  'a margin beside a plain line': {
    ...BASE,
    lines: [
      {
        description: 'Bicicleta usada',
        quantity: 1,
        unitPrice: 400,
        vatRate: 21,
        regimeKey: '03',
        cost: 300,
      },
      { description: 'Casco', quantity: 2, unitPrice: 30 },
    ],
  },
  'a margin in prices with the tax inside': {
    ...BASE,
    priceMode: 'gross',
    lines: [{ description: 'Reloj usado', quantity: 1, unitPrice: 350, regimeKey: '03', cost: 220 }],
  },
  'prices with the tax inside': {
    ...BASE,
    priceMode: 'gross',
    lines: [{ description: 'Camisa', quantity: 3, unitPrice: 19.99 }],
  },
  'the VAT of another country, in English': {
    clientName: 'Hans Müller',
    clientNif: 'L01X00T47',
    client: { country: 'DE', idType: '04', address: BERLIN },
    language: 'en',
    lines: [
      { description: 'Bowl', quantity: 3, unitPrice: 50, taxTreatment: 'N2', regimeKey: '17', vatRate: 19 },
    ],
  },
  'another currency': {
    ...BASE,
    currency: 'USD',
    fxRate: 1.0853,
    fxDate: '2026-06-30',
    withholdingPct: 7,
    lines: [{ description: 'Informe', quantity: 3, unitPrice: 333.33, discountAmount: 10 }],
  },
  'without VAT for three reasons': {
    ...BASE,
    clientNif: 'B41998873',
    clientName: 'Obras del Sur S.L.',
    lines: [
      { description: 'Obra', quantity: 1, unitPrice: 1000, taxTreatment: 'S2' },
      { description: 'Clase', quantity: 1, unitPrice: 100, taxTreatment: 'E1' },
      { description: 'Indemnización', quantity: 1, unitPrice: 50, taxTreatment: 'N1' },
    ],
  },
}

describe('screen and print', () => {
  test.each(Object.entries(CASES))('%s', async (_name, input) => {
    const draft = await world.run('invoices.create', input)
    const company = await world.run('company.current', {})
    const text = await printed(draft.id)
    expectOnPaper(paperOfInvoice(draft, company), text)
    // The editor draws it from its form; nothing may be different.
    const form = formOf(draft, company.today)
    const typed = paperOfForm(form, totalsOf(form), company, draft)
    expect(typed).toEqual(paperOfInvoice(draft, company))
  })
})

async function issued(input: Draft): Promise<Invoice> {
  return world.issue((await world.run('invoices.create', input)).id)
}

test('a rectifying invoice names what it rectifies, how and why, and what was asked for before', async () => {
  const original = await issued({ ...BASE, lines: [{ description: 'Silla', quantity: 2, unitPrice: 80 }] })
  const made = await world.run('invoices.rectify', { id: original.id, cause: 'wrong_text', method: 'S' })
  const draft = await world.run('invoices.get', { id: made.id })
  const paper = paperOfInvoice(draft, await world.run('company.current', {}))
  expect(paper.title).toBe('Factura rectificativa')
  expect(paper.mentions[0]).toBe(`Rectifica por sustitución: ${original.number} (01/07/2026)`)
  expect(paper.mentions[1]).toMatch(/^Motivo: /)
  expect(paper.sums.find(({ label }) => label === 'Ya facturado en lo que sustituye')?.amount).toBe(-193.6)
  expectOnPaper(paper, await printed(draft.id))
})

test('an invoice in place of tickets names them', async () => {
  const ticket = await issued({
    clientName: 'Cliente',
    kind: 'F2',
    lines: [{ description: 'Venta', quantity: 1, unitPrice: 50 }],
  })
  const made = await world.run('invoices.substitute', { ...BASE, invoices: [{ id: ticket.id }] })
  const draft = await world.run('invoices.get', { id: made.id })
  const paper = paperOfInvoice(draft, await world.run('company.current', {}))
  expect(paper.mentions).toContain(`Sustituye a: ${ticket.number} (01/07/2026)`)
  expectOnPaper(paper, await printed(draft.id))
})

test('under a margin scheme the paper shows no VAT, and the price is the whole', async () => {
  const draft = await world.run('invoices.create', {
    ...BASE,
    lines: [{ description: 'Cuadro', quantity: 1, unitPrice: 500, regimeKey: '03', cost: 200 }],
  })
  const paper = paperOfInvoice(draft, await world.run('company.current', {}))
  expect(paper.lines[0]?.vat).toBe('—')
  expect(paper.sums.map(({ label, amount }) => [label, amount])).toEqual([
    ['Régimen especial, IVA incluido', 500],
    ['Total factura', 500],
  ])
})
