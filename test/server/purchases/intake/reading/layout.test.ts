/** What the memory of a supplier goes by: the words of the head, and numbers and dates at their labels. */
import { describe, expect, test } from 'vitest'
import { pageOfText } from '../../../../../server/purchases/intake/pages/text-page.ts'
import type { Page } from '../../../../../server/purchases/intake/pages/page.ts'
import { mergeReadings } from '../../../../../server/purchases/intake/reading/agreement.ts'
import { digestOf, layoutOf } from '../../../../../server/purchases/intake/reading/layout.ts'
import { rowsOf } from '../../../../../server/purchases/intake/reading/rows.ts'

const layout = (page: Page) => layoutOf(rowsOf([page], mergeReadings))
const ofText = (text: string) => layout(pageOfText(text))

describe('numbers and dates', () => {
  test('stand with the words before them, of a date only those after the date before', () => {
    const { labelled } = ofText('Ref. documental: RX-1041\nFecha: 05/01/2026 Vto.: 04/02/2026')
    expect(labelled.map(({ kind, label, value }) => [kind, label, value])).toEqual([
      ['number', 'ref documental', 'RX-1041'],
      ['date', 'fecha', '2026-01-05'],
      ['date', 'vto', '2026-02-04'],
    ])
  })

  test('stand with the words above them, past other values', () => {
    const { labelled } = ofText('Documento\n88231\nFV-77')
    expect(labelled.map(({ label, value }) => [label, value])).toEqual([
      ['documento', '88231'],
      ['documento', 'FV-77'],
    ])
  })

  test('do not hold amounts, percentages, tax numbers, and values without a label', () => {
    expect(ofText('Total: 121,00\nIVA: 21%\nNIF: B58818501').labelled).toEqual([])
    expect(ofText('4711').labelled).toEqual([])
  })

  test('of a picture say what the less certain reading says, and how certain the other is', () => {
    const page = pageOfText('Factura: P100190')
    const [first = []] = page.readings
    const second = first.map((word) => (word.t === 'P100190' ? { ...word, t: 'PI00190', conf: 75 } : word))
    const readings = [first.map((word) => ({ ...word, conf: word.t === 'P100190' ? 70 : 96 })), second]
    expect(layout({ ...page, source: 'ocr', readings }).labelled).toMatchObject([
      { value: 'PI00190', other: 'P100190', isWeak: true },
    ])
  })

  test('of an invoice are no tax number, whatever their control digit', () => {
    expect(ofText('Factura: B26-1-18224').labelled).toMatchObject([{ value: 'B26-1-18224' }])
    expect(ofText('NIF: B58818501').labelled).toEqual([])
  })

  test('are at most 80', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `Pedido: X-${index + 100}`)
    expect(ofText(lines.join('\n')).labelled).toHaveLength(80)
  })
})

describe('the print of a layout', () => {
  test('is made of the words of the head, without numbers and months', () => {
    const one = ofText('Ferretería Luna\nFactura FL-31 de 5 de enero de 2026')
    const other = ofText('FERRETERIA LUNA\nFactura FL-77 de 9 de febrero de 2026')
    expect(one.print).toEqual(other.print)
    expect(one.print).toContain(digestOf('ferreteria'))
  })

  test('does not change with what stands below the head', () => {
    const head = Array.from({ length: 10 }, (_, index) => `Cabecera ${'abcdefghij'[index]}palabra`).join('\n')
    expect(ofText(`${head}\nBisagra recta`).print).toEqual(
      ofText(`${head}\nBarniz incoloro\nMano de obra`).print,
    )
  })
})
