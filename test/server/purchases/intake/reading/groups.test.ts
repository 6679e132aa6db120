/** Several invoices in one file, one invoice over several pages, and one invoice in several files. */
import { describe, expect, test } from 'vitest'
import type { Page } from '../../../../../server/purchases/intake/pages/page.ts'
import { pageOfText } from '../../../../../server/purchases/intake/pages/text-page.ts'
import { readJoined, readPages } from '../../../../../server/purchases/intake/reading/read-pages.ts'
import { CONTEXT } from './read-text.ts'

const pagesOf = (...texts: string[]): Page[] => texts.map((text, index) => ({ ...pageOfText(text), index }))
const splitOf = (...texts: string[]) =>
  readPages(pagesOf(...texts), CONTEXT).map(({ pages, cut, fields }) => [...pages, cut, fields.number.value])

const SUPPLIER = 'CIF B58818501'
const invoice = (number: string, rest = '', supplier = SUPPLIER): string =>
  `${supplier}\nFactura nº: ${number}\nFecha: 09/06/2026\nCliente NIF B12345674\nBase imponible 100,00\nIVA 21 % 21,00\nTotal factura 121,00\n${rest}`

describe('several invoices in one file', () => {
  test('another number cuts', () => {
    expect(splitOf(invoice('A-1'), invoice('A-2'), invoice('A-3'))).toEqual([
      [0, 0, null, 'A-1'],
      [1, 1, 'number', 'A-2'],
      [2, 2, 'number', 'A-3'],
    ])
  })

  test('another supplier cuts where a number is not read', () => {
    const other = invoice('A-1', '', 'CIF A39000013').replace('Factura nº: A-1', 'Factura')
    expect(splitOf(invoice('A-1'), other)).toEqual([
      [0, 0, null, 'A-1'],
      [1, 1, 'supplier', null],
    ])
  })

  test('page 1 of n begins another', () => {
    const [first, second] = [invoice('', 'Página 1 de 1'), invoice('', 'Página 1 de 1')]
    expect(splitOf(first, second).map(([from, to, cut]) => [from, to, cut])).toEqual([
      [0, 0, null],
      [1, 1, 'first_page'],
    ])
  })

  test('page 1 of 2 without a total, after a complete invoice', () => {
    const head = `${SUPPLIER}\nFactura nº: A-2\nFecha: 09/06/2026\nArtículo 1,00\nPágina 1 de 2`
    const foot = `Artículo 2,00\nBase imponible 100,00\nIVA 21 % 21,00\nTotal factura 121,00\nPágina 2 de 2`
    expect(splitOf(invoice('A-1', 'Página 1 de 1'), head, foot)).toEqual([
      [0, 0, null, 'A-1'],
      [1, 2, 'first_page', 'A-2'],
    ])
  })

  test.each([
    ['Suma y sigue 50,00', 'Suma anterior 50,00'],
    ['Suma y sigue 50,00', ''],
    ['', 'Suma anterior 50,00'],
    ['Carried forward 50.00', ''],
    ['Suma i segueix 50,00', ''],
  ])('carried sums keep pages together: %j, %j', (foot, head) => {
    const first = `${SUPPLIER}\nFactura nº: A-1\nFecha: 09/06/2026\nTotal 50,00\n${foot}`
    const second = `${head}\nFactura nº: B-7\nBase imponible 100,00\nIVA 21 % 21,00\nTotal factura 121,00`
    expect(splitOf(first, second)).toHaveLength(1)
  })

  test.each([
    'Página 2 de 3',
    'Pág. 2/3',
    'Page 2 of 3',
    'Full 2 de 3',
    'Páxina 2 de 3',
    '2/3 orria',
    '2 / 3',
  ])('%j goes on with the invoice', (mark) => {
    const second = `${SUPPLIER}\nFactura nº: A-1\nBase imponible 100,00\nIVA 21 % 21,00\nTotal factura 121,00\n${mark}`
    expect(splitOf(invoice('A-1'), second)).toHaveLength(1)
  })

  test('the same number again, a page of terms and an empty page go on', () => {
    expect(splitOf(invoice('A-1'), invoice('A-1'))).toHaveLength(1)
    expect(splitOf(invoice('A-1'), 'Condiciones generales de venta\nPrimera. El pago', '')).toEqual([
      [0, 1, null, 'A-1'],
    ])
  })

  test('numbers that differ only in letters that OCR confuses are one', () => {
    expect(splitOf(invoice('AI-10'), invoice('A1-1O'))).toHaveLength(1)
  })
})

describe('an invoice in several files', () => {
  const head = `${SUPPLIER}\nFactura nº: A-1\nFecha: 09/06/2026\nArtículo 100,00\nPágina 1 de 2`
  const foot = 'Base imponible 100,00\nIVA 21 % 21,00\nTotal factura 121,00\nPágina 2 de 2'

  test('its pages are read in their printed order', () => {
    const { reading, sources, doubts } = readJoined([pagesOf(foot), pagesOf(head)], CONTEXT)
    expect(sources).toEqual([
      { file: 1, page: 0 },
      { file: 0, page: 0 },
    ])
    expect(doubts).toEqual([])
    expect(reading?.fields.number.value).toBe('A-1')
    expect(reading?.fields.total.value).toBe(12_100)
    expect(reading?.pages).toEqual([0, 1])
  })

  test('without printed pages, in the order given', () => {
    const { sources } = readJoined([pagesOf('Total 1,00'), pagesOf('Factura nº: A-1')], CONTEXT)
    expect(sources.map(({ file }) => file)).toEqual([0, 1])
  })

  test('what speaks against one invoice is said', () => {
    const doubts = (...texts: string[]) =>
      readJoined(
        texts.map((text) => pagesOf(text)),
        CONTEXT,
      ).doubts
    expect(doubts(invoice('A-1'), invoice('A-2'))).toEqual(['number_differs'])
    expect(doubts(invoice('A-1'), invoice('A-1', '', 'CIF A39000013'))).toEqual(['supplier_differs'])
    expect(doubts(head, head)).toEqual(['page_twice', 'page_missing'])
    expect(doubts(head)).toEqual(['page_missing'])
  })

  test('files without words have no reading', () => {
    expect(readJoined([[], pagesOf('')], CONTEXT)).toEqual({
      reading: null,
      sources: [{ file: 1, page: 0 }],
      doubts: [],
    })
  })
})
