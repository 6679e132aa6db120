/** Rows copied from a spreadsheet become lines. */
import { describe, expect, test } from 'vitest'
import { pastedLines, spreadsheetRows } from '../../../../../../renderer/sales/invoices/editor/lines/paste.ts'

const spanish = { decimalSign: ',', vatRatesBp: [2100, 1000, 400, 0] } as const
const english = { ...spanish, decimalSign: '.' } as const

describe('the text of a spreadsheet', () => {
  test('is split into rows and cells, with any line ends', () => {
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

  test('treats a quote that is not closed at the end of its cell as text', () => {
    expect(spreadsheetRows('Tubo 2" de cobre\t3\n"suelto\t4')).toEqual([
      ['Tubo 2" de cobre', '3'],
      ['"suelto', '4'],
    ])
  })

  test('has no empty rows', () => {
    expect(spreadsheetRows('\n\t\na\t1\n\n')).toEqual([['a', '1']])
  })
})

describe('text pasted in the description', () => {
  test('has description, quantity and price in three columns, exactly', () => {
    expect(pastedLines('Mano de obra\t2,5\t1.234,56\nTornillos\t100\t0,035', 'description', spanish)).toEqual(
      [
        { description: 'Mano de obra', quantityMicro: 2_500_000, unitPriceMicro: 1_234_560_000, unread: {} },
        { description: 'Tornillos', quantityMicro: 100_000_000, unitPriceMicro: 35_000, unread: {} },
      ],
    )
  })

  test('uses the decimal sign of the language', () => {
    expect(pastedLines('Work\t1\t1,234', 'description', english)?.[0]?.unitPriceMicro).toBe(1_234_000_000)
    expect(pastedLines('Work\t1\t1,234', 'description', spanish)?.[0]?.unitPriceMicro).toBe(1_234_000)
  })

  test('has description and price in two columns', () => {
    expect(pastedLines('Cuota\t30\nAlta\t12,50', 'description', spanish)).toEqual([
      { description: 'Cuota', unitPriceMicro: 30_000_000, unread: {} },
      { description: 'Alta', unitPriceMicro: 12_500_000, unread: {} },
    ])
  })

  test('has the VAT in a fourth column of rates in force, but not of other figures', () => {
    expect(
      pastedLines('Libro\t1\t20\t4 %\nTaza\t1\t9\t21%', 'description', spanish)?.map(
        (line) => line.vatRateBp,
      ),
    ).toEqual([400, 2100])
    expect(
      pastedLines('Libro\t2\t20\t40\nTaza\t1\t9\t9', 'description', spanish)?.map((line) => line.vatRateBp),
    ).toEqual([undefined, undefined])
  })

  test('has a discount between the price and the VAT', () => {
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

  test('loses the header of the table', () => {
    expect(
      pastedLines('Concepto\tCantidad\tPrecio\nTaza\t3\t9', 'description', spanish)?.map(
        (line) => line.description,
      ),
    ).toEqual(['Taza'])
  })

  test('keeps an unreadable figure as it was', () => {
    expect(pastedLines('Taza\t3\t9\nPlato\tdos\t3,2o', 'description', spanish)?.[1]).toEqual({
      description: 'Plato',
      unread: { quantity: 'dos', unitPrice: '3,2o' },
    })
  })

  test('stays plain text, also with several lines, if it is not a table', () => {
    expect(pastedLines('Mano de obra', 'description', spanish)).toBeNull()
    expect(pastedLines('Mano de obra\nen domingo', 'description', spanish)).toBeNull()
  })
})

describe('text pasted in a cell of figures', () => {
  test('fills a column downwards', () => {
    expect(pastedLines('1\n2\n3', 'quantity', spanish)?.map((line) => line.quantityMicro)).toEqual([
      1_000_000, 2_000_000, 3_000_000,
    ])
    expect(pastedLines('1,5\t20', 'quantity', spanish)).toEqual([
      { quantityMicro: 1_500_000, unitPriceMicro: 20_000_000, unread: {} },
    ])
  })

  test('stays in the field if it is one figure', () => {
    expect(pastedLines('12,50', 'unitPrice', spanish)).toBeNull()
    expect(pastedLines('12,50\n', 'unitPrice', spanish)).toBeNull()
  })
})
