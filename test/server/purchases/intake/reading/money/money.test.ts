/** The money of an invoice: proven by sums at labels, or visibly not. */
import { describe, expect, test } from 'vitest'
import { linesOf, readText } from '../read-text.ts'

const levelsOf = (text: string) => {
  const { fields, closes, vetoes } = readText(text)
  return { total: fields.total.level, lines: fields.taxLines.level, closes, vetoes }
}

test('a total charged in another currency is one', () => {
  const text =
    'Example Labs, LLC\nUSA\n\nSubtotal    $982.74\nSales tax    $0.00\nTotal charged in USD    $982.74'
  expect(readText(text).fields.total.value).toBe(98_274)
})

describe('what closes is proven', () => {
  test('one rate, with the reason in figures', () => {
    const reading = readText('Base imponible 84,00\nIVA 21 % 17,64\nTOTAL FACTURA 101,64 €')
    expect(linesOf(reading)).toEqual([[8_400, 2_100, 1_764]])
    expect(reading.closes).toBe(true)
    expect(reading.fields.total).toMatchObject({ value: 10_164, level: 'proven', rivals: [] })
    expect(reading.fields.taxLines.evidence[0]).toMatchObject({
      page: 0,
      reason: 'base_rate_tax',
      args: { base: '84.00', rate: '21', tax: '17.64' },
    })
  })

  test.each([
    [
      'a table with headings',
      'Base imponible    % IVA    Cuota    Total\n1.250,00    21,00 %    262,50    1.512,50\nTOTAL FACTURA    1.512,50',
      [[125_000, 2_100, 26_250]],
    ],
    [
      'a base in the label of its quota',
      'Suma    300,00\nIVA 21% s/ 100,00    21,00\nIVA 10% s/ 200,00    20,00\nTotal a pagar    341,00',
      [
        [10_000, 2_100, 2_100],
        [20_000, 1_000, 2_000],
      ],
    ],
    [
      'three rates of a ticket',
      'TOTAL 72,57\n%IVA    BASE    CUOTA\n4%    21,61    0,86\n10%    24,68    2,47\n21%    18,97    3,98',
      [
        [2_161, 400, 86],
        [2_468, 1_000, 247],
        [1_897, 2_100, 398],
      ],
    ],
    [
      'surcharge on each rate',
      'Base 100,00\nIVA 21%    21,00\nRec. equivalencia 5,2%    5,20\nTotal 126,20',
      [[10_000, 2_100, 2_100, 520]],
    ],
    [
      'Catalan',
      'Base imposable    500,00\nIVA 21 %    105,00\nTotal factura    605,00',
      [[50_000, 2_100, 10_500]],
    ],
    ['Basque', 'Zerga-oinarria    500,00\nBEZ 21 %    105,00\nGuztira    605,00', [[50_000, 2_100, 10_500]]],
    [
      'a base that is the total without taxes',
      'Total sin impuestos    500,00\nImpuesto de aplicación: IVA 21%    105,00\nTOTAL A PAGAR    605,00',
      [[50_000, 2_100, 10_500]],
    ],
    [
      'Galician',
      'Base impoñible    500,00\nIVE 21 %    105,00\nTotal da factura    605,00',
      [[50_000, 2_100, 10_500]],
    ],
    [
      'English, with points',
      'Subtotal    1,500.00\nVAT 21%    315.00\nTotal due    1,815.00',
      [[150_000, 2_100, 31_500]],
    ],
    [
      'the amounts of a totals row',
      'IVA 21 %  Base 10,00  Cuota 2,10\nIVA 10 %  Base 25,27  Cuota 2,53\nTOTALES 35,27 4,63 39,90',
      [
        [1_000, 2_100, 210],
        [2_527, 1_000, 253],
      ],
    ],
    [
      'blanks between thousands',
      'Base imponible    12 500,00\nIVA 21 %    2 625,00\nTotal    15 125,00',
      [[1_250_000, 2_100, 262_500]],
    ],
  ])('%s', (_name, text, lines) => {
    const reading = readText(text)
    expect(linesOf(reading)?.toSorted()).toEqual(lines.toSorted())
    expect(reading.vetoes).toEqual([])
    expect(reading.closes).toBe(true)
  })

  test.each(['-120,00 €', '\u2212120,00 €', '- 120,00 €', '(120,00)', '120,00-', '120,00'])(
    'withholding printed as %s',
    (amount) => {
      const reading = readText(
        `Base imponible 800,00 €\nIVA 21 % 168,00 €\nRetención IRPF 15 % ${amount}\nTotal a pagar 848,00 €`,
      )
      expect(reading.fields.withholding).toMatchObject({
        value: { rateBp: 1_500, baseCents: 80_000, amountCents: 12_000 },
        level: 'proven',
      })
      expect(reading.fields.total.value).toBe(96_800)
      expect(reading.fields.payable.value).toBe(84_800)
    },
  )

  test('disbursements come on top of the total', () => {
    const { fields, closes } = readText(
      'Base 672,93\nIVA 21% 141,32\nSuplidos: tasa 84,26\nTOTAL A PAGAR 898,51',
    )
    expect([fields.total.value, fields.supplied.value, fields.payable.value, closes]).toEqual([
      81_425,
      8_426,
      89_851,
      true,
    ])
  })

  test('a document in negative figures is a credit', () => {
    const reading = readText('Factura rectificativa R-1\nBase -100,00\nIVA 21% -21,00\nTotal -121,00')
    expect(linesOf(reading)).toEqual([[-10_000, 2_100, -2_100]])
    expect(reading.kind).toBe('credit')
    expect(reading.closes).toBe(true)
  })
})

describe('what does not close is never called proven', () => {
  test.each([
    ['another total is printed', 'Base 1.095,93\nIVA 21% 230,15\nTOTAL FACTURA 1.335,08'],
    ['a quota is a digit off', 'Base 100,00\nIVA 21% 21,90\nTotal 121,90'],
    ['the total stands without a label', 'Base 100,00\nIVA 21% 21,00\n121,00'],
    ['only articles are named total', 'Base 100,00\nIVA 21% 21,00\nTOTAL DETERGENTE 5 L 121,00'],
    [
      'withholding is named and not explained',
      'Base 1.200,00\nIVA 21 % 252,00\nRetención IRPF 15 % -150,00\nTotal factura 1.452,00',
    ],
    [
      'the amount to pay is another',
      'Base 100,00\nIVA 21% 21,00\nTotal factura 121,00\nTotal a pagar 100,00',
    ],
    ['a rate of the table has no line', 'Base 100,00\nIVA 21% 21,00\nIVA 10% 33,33\nTotal 121,00'],
    [
      'a larger total is printed',
      'Base 100,00\nIVA 21% 21,00\nTotal página 121,00\nTotal 121,00\nTotal factura 242,00',
    ],
    [
      'recargo is named without its amount',
      'Base 100,00\nIVA 21% 21,00\nRecargo de equivalencia\nTotal 121,00',
    ],
    ['the rate was not in force', 'Fecha factura 01/06/2026\nBase 100,00\nIVA 5% 5,00\nTotal 105,00'],
    ['the tax is IGIC', 'Base 100,00\nIGIC 7% 7,00\nTotal 107,00'],
    ['a credit is printed without its sign', 'Factura de abono 7\nBase 100,00\nIVA 21% 21,00\nTotal 121,00'],
  ])('%s', (_name, text) => {
    const levels = levelsOf(text)
    expect(levels.closes).toBe(false)
    expect(levels.vetoes).not.toEqual([])
    expect(['proven', 'known']).not.toContain(levels.total)
    expect(['proven', 'known']).not.toContain(levels.lines)
  })

  test('the printed total is shown as read, with the other one beside it', () => {
    const { total, taxLines } = readText('Base 1.095,93\nIVA 21% 230,15\nTOTAL FACTURA 1.335,08').fields
    expect(total).toMatchObject({ value: 133_508, level: 'read' })
    expect(taxLines.level).toBe('guess')
  })

  test('lines are not shown when one of them is missing', () => {
    const { fields } = readText(
      'IVA 10 %  Base 25,27  Cuota 2,50\nIVA 21 %  Base 10,00  Cuota 2,10\nTOTAL 39,90',
    )
    expect(fields.taxLines.value).toBeNull()
    expect(fields.total.value).toBe(3_990)
  })

  test.each([
    ['Total a pagar 39,90\nEntregado 50,00\nCambio 10,10', 3_990],
    ['TOTAL\n39,90 €', 3_990],
    ['Subtotal 33,00', null],
    ['Total IVA 6,90', null],
    ['Base total 33,00', null],
    ['Total artículos 3 27,80', null],
    ['Artículo    Total\nJamón    27,80', 2_780],
  ])('total of %j', (text, cents) => {
    const { total } = readText(text).fields
    expect(total.value).toBe(cents)
    if (cents !== null) expect(['read', 'guess']).toContain(total.level)
  })
})

describe('documents without VAT', () => {
  test('an insurance premium is the sum of its parts', () => {
    const { fields, closes } = readText(
      'Póliza 109\nPrima neta    668,50 €\nImpuesto sobre primas (IPS) 8%    53,48 €\nConsorcio    4,53 €\nTOTAL RECIBO    726,51 €\nOperación exenta de IVA (art. 20.Uno.16º Ley 37/1992)',
    )
    expect(fields.taxLines.value).toMatchObject([{ baseCents: 72_651, untaxed: 'exempt' }])
    expect(closes).toBe(true)
  })

  test('from abroad, a total that nothing makes is only read', () => {
    const { fields, closes, vetoes } = readText('Invoice number INV-1\nAmount due    $182.65')
    expect(fields.currency.value).toBe('USD')
    expect(fields.total).toMatchObject({ value: 18_265, level: 'read' })
    expect([closes, vetoes]).toEqual([false, ['unproven_parts']])
  })
})

test('a long list of articles is read in time', () => {
  const rows = Array.from(
    { length: 400 },
    (_, index) => `Artículo ${index}    ${index},21    ${index * 3},07`,
  )
  const started = performance.now()
  const { fields } = readText(
    [...rows, 'Base imponible    100,00', 'IVA 21%    21,00', 'Total factura    121,00'].join('\n'),
  )
  expect(fields.total.value).toBe(12_100)
  expect(performance.now() - started).toBeLessThan(5_000)
})
