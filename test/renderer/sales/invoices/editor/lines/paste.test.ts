/** Rows copied from a spreadsheet become lines. */
import { describe, expect, test } from 'vitest'
import { pastedLines, spreadsheetRows } from '../../../../../../renderer/sales/invoices/editor/lines/paste.ts'

const spanish = { decimalSign: ',', vatRatesBp: [2100, 1000, 400, 0] } as const
const english = { ...spanish, decimalSign: '.' } as const

describe('what a spreadsheet puts on the clipboard', () => {
  test('is cut into rows and cells, whatever ends the lines', () => {
    expect(spreadsheetRows('a\tb\r\nc\td\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(spreadsheetRows('a\tb\rc\td')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  test('keeps line ends and quotes inside a quoted cell', () => {
    expect(spreadsheetRows('"dos\nlíneas"\t3\n"con ""comillas"""\t4')).toEqual([
      ['dos\nlíneas', '3'],
      ['con "comillas"', '4'],
    ])
  })

  test('a quote that is not closed at the end of its cell is only a quote', () => {
    expect(spreadsheetRows('Tubo 2" de cobre\t3\n"suelto\t4')).toEqual([
      ['Tubo 2" de cobre', '3'],
      ['"suelto', '4'],
    ])
  })

  test('has no empty rows', () => {
    expect(spreadsheetRows('\n\t\na\t1\n\n')).toEqual([['a', '1']])
  })
})

describe('pasted in the description', () => {
  test('three columns are description, quantity and price, exactly', () => {
    expect(pastedLines('Mano de obra\t2,5\t1.234,56\nTornillos\t100\t0,035', 'description', spanish)).toEqual(
      [
        { description: 'Mano de obra', quantityMicro: 2_500_000, unitPriceMicro: 1_234_560_000, unread: {} },
        { description: 'Tornillos', quantityMicro: 100_000_000, unitPriceMicro: 35_000, unread: {} },
      ],
    )
  })

  test('the decimal sign is that of the language', () => {
    expect(pastedLines('Work\t1\t1,234', 'description', english)?.[0]?.unitPriceMicro).toBe(1_234_000_000)
    expect(pastedLines('Work\t1\t1,234', 'description', spanish)?.[0]?.unitPriceMicro).toBe(1_234_000)
  })

  test('two columns are description and price', () => {
    expect(pastedLines('Cuota\t30\nAlta\t12,50', 'description', spanish)).toEqual([
      { description: 'Cuota', unitPriceMicro: 30_000_000, unread: {} },
      { description: 'Alta', unitPriceMicro: 12_500_000, unread: {} },
    ])
  })

  test('a fourth column of rates in force is the VAT; of other figures it is not', () => {
    expect(
      pastedLines('Libro\t1\t20\t4 %\nTaza\t1\t9\t21%', 'description', spanish)?.map(
        (line) => line.vatRateBp,
      ),
    ).toEqual([400, 2100])
    expect(
      pastedLines('Libro\t2\t20\t40\nTaza\t1\t9\t9', 'description', spanish)?.map((line) => line.vatRateBp),
    ).toEqual([undefined, undefined])
  })

  test('a discount stands between the price and the VAT', () => {
    expect(
      pastedLines('Libro\t1\t20\t15\t4\nTaza\t1\t9\t7,5\t21', 'description', spanish)?.map((line) => [
        line.discountBp,
        line.vatRateBp,
      ]),
    ).toEqual([
      [1500, 400],
      [750, 2100],
    ])
  })

  test('the head of the table is left out', () => {
    expect(
      pastedLines('Concepto\tCantidad\tPrecio\nTaza\t3\t9', 'description', spanish)?.map(
        (line) => line.description,
      ),
    ).toEqual(['Taza'])
  })

  test('a figure that cannot be read is kept as it was', () => {
    expect(pastedLines('Taza\t3\t9\nPlato\tdos\t3,2o', 'description', spanish)?.[1]).toEqual({
      description: 'Plato',
      unread: { quantity: 'dos', unitPrice: '3,2o' },
    })
  })

  test('plain text, also of several lines, is for the field', () => {
    expect(pastedLines('Mano de obra', 'description', spanish)).toBeNull()
    expect(pastedLines('Mano de obra\nen domingo', 'description', spanish)).toBeNull()
  })
})

describe('pasted in a cell of figures', () => {
  test('a column goes down from there', () => {
    expect(pastedLines('1\n2\n3', 'quantity', spanish)?.map((line) => line.quantityMicro)).toEqual([
      1_000_000, 2_000_000, 3_000_000,
    ])
    expect(pastedLines('1,5\t20', 'quantity', spanish)).toEqual([
      { quantityMicro: 1_500_000, unitPriceMicro: 20_000_000, unread: {} },
    ])
  })

  test('one figure is for the field', () => {
    expect(pastedLines('12,50', 'unitPrice', spanish)).toBeNull()
    expect(pastedLines('12,50\n', 'unitPrice', spanish)).toBeNull()
  })
})
