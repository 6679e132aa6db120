/** The number of an invoice: its labels, its shapes, and numbers of other things. */
import { describe, expect, test } from 'vitest'
import { pictureOf, readingOf, readText } from './read-text.ts'

describe('the number of an invoice', () => {
  test.each([
    ['Factura núm.: 26/00123', '26/00123'],
    ['N.º factura: 2026-A-15', '2026-A-15'],
    ['FACTURA N.º  A26000123', 'A26000123'],
    ['Factura Nro. 0001-00001234', '0001-00001234'],
    ['Invoice # INV-2026-77', 'INV-2026-77'],
    ['Invoice No.: 774411', '774411'],
    ['INVOICE  #1024', '1024'],
    ['Nº Fra.: 0326/2026', '0326/2026'],
    ['Fra. nº 15', '15'],
    ['Nº doc.: 9000123456', '9000123456'],
    ['Número de documento   VTA-0012', 'VTA-0012'],
    ['Serie y nº: F26-17', 'F26-17'],
    ['Factura electrónica nº FE-2026-9', 'FE-2026-9'],
    ['Factura  Nº  Fecha\nA/2026/15  A  01/02/2026', 'A/2026/15'],
    ['Nº factura   Fecha factura   Vencimiento\n26F000112    03/05/2026      02/06/2026', '26F000112'],
    ['Fecha   Nº Factura   Cliente\n03/05/2026   1.234   4300012', '1.234'],
    ['FACTURA\nNúmero: 26-0147\nFecha: 03/05/2026', '26-0147'],
    ['FACTURA\nNº: 2026/88', '2026/88'],
    ['Factura nº FV 2026 00123', 'FV 2026 00123'],
    ['Núm. fra.: 2026 00123', '2026 00123'],
    ['Factura / Nº 4471', '4471'],
    ['Número factura: R-2026-3', 'R-2026-3'],
    ['RECHNUNG\nNummer: 26-0147', '26-0147'],
    ['Rechnungs-Nr.: 26-0147', '26-0147'],
    ['Facture n° 26-0147', '26-0147'],
    ['Fatura n.º FT 2026/15', 'FT 2026/15'],
    ['FACTURA RECTIFICATIVA Nº: R26/3\nRectifica a la factura nº: F26/100', 'R26/3'],
    ['Factura Nº: 2026-00001-\n000045', '2026-00001-000045'],
    ['Nº factura: FAC/2026\n/000331', 'FAC/2026/000331'],
    ['Num. factura   F-2026/0012   Num. client   4300', 'F-2026/0012'],
    ['Núm. rebut: 2026-5', '2026-5'],
    ['Faktura zk.: 2026/14', '2026/14'],
    ['Faktura-zenbakia: A-14', 'A-14'],
    ['Nº de factura 2026/000012 Fecha 12/03/2026', '2026/000012'],
    ['Factura 2026/17 de 03/05/2026', '2026/17'],
    ['FACTURA NÚMERO\n2600771', '2600771'],
    ['Documento: FACTURA 26/114', '26/114'],
    ['Fact. 20260115', '20260115'],
    ['Ticket: 0001234  Caja: 2', '0001234'],
    ['Nº op: 33412\nFactura simplificada: A1-00321', 'A1-00321'],
    ['Fra.Simplif.: 01-2231', '01-2231'],
    ['F. SIMPLIFICADA N.: 00123/26', '00123/26'],
    ['Bill number: 55123', '55123'],
    ['Invoice ID: 99812', '99812'],
    ['Minuta nº S2600052', 'S2600052'],
    ['Your invoice ES26-1', 'ES26-1'],
    ['Albarán 1234 Pedido 99\nFactura nº 12', '12'],
    ['Su pedido nº: 4711\nNuestro albarán nº: 12\nFactura: 99', '99'],
    ['Factura nº: 12/2026   Contrato nº: 555', '12/2026'],
    ['Nº de registro: 1234', null],
    ['Factura a nombre de 3 personas', null],
    ['Teléfono facturación: 900 123 456', null],
    ['Datos de la factura\nNº de referencia 123', null],
    ['Factura emitida el 12/06/2026', null],
    ['Total factura 590,04', null],
    ['Factura en 3 plazos', null],
    ['Referencia de la factura: FE26321-9', 'FE26321-9'],
    ['Nº DE FACTURA 26/03-0155', '26/03-0155'],
    ['Factura de venta V-26-19', 'V-26-19'],
    ['Factura: Nº 000-2026-31', '000-2026-31'],
    ['FACTURA   F-26.0031', 'F-26.0031'],
    ['Código de factura: 26A31', '26A31'],
    ['Identificador de factura: 77-A', '77-A'],
    ['Serie: A  Número: 152', '152'],
    ['F.SIMPL.   T26/043569', 'T26/043569'],
    ['FACTURA   FS 1-700837', 'FS 1-700837'],
    ['FACTURA   FV 12/06/2026', null],
    ['Nº factura   B58-8-18501', 'B58-8-18501'],
    ['Factura   B58818501', null],
  ])('%j: %j', (text, number) => {
    expect(readText(text).fields.number.value).toBe(number)
  })

  test('OCR sees the numero sign in many ways', () => {
    for (const label of [
      'N* factura:',
      'Ne factura:',
      'N% factura',
      'N” factura:',
      'Factura n2:',
      'Factura nf:',
      'FACTURA N?2',
    ])
      expect(readText(`${label}  FV26-118`).fields.number.value, label).toBe('FV26-118')
  })

  test('two readings that differ in I and 1 leave a guess; the other characters rank them', () => {
    const read = (first: string, second: string) =>
      readingOf(pictureOf(`Factura nº: ${first}`, `Factura nº: ${second}`)).fields.number
    const long = read('P126474201500', 'PI26474201500')
    expect(long).toMatchObject({ value: 'PI26474201500', level: 'guess', rivals: ['P126474201500'] })
    expect(read('PI26474201500', 'P126474201500').value).toBe('PI26474201500')
    expect(read('A-2O26', 'A-2026')).toMatchObject({ value: 'A-2026', level: 'guess', rivals: ['A-2O26'] })
  })

  test('two readings alike are read, unless a letter in them may be a digit', () => {
    const read = (number: string) =>
      readingOf(pictureOf(`Factura nº: ${number}`, `Factura nº: ${number}`)).fields.number.level
    expect(read('26-0118')).toBe('read')
    expect(read('PI26474201500')).toBe('guess')
    expect(read('A1-18')).toBe('guess')
  })

  test('OCR misreads the label "ID" and the last capital of a prefix', () => {
    const read = (text: string) => readingOf(pictureOf(text, text)).fields.number
    expect(read('Invoice 1D   IN-26-04981').value).toBe('IN-26-04981')
    expect(read('Factura nº: Cl0073213504')).toMatchObject({ value: 'CI0073213504', level: 'guess' })
    expect(read('FRA. SIMPL. 2026- T1- 006467').value).toBe('2026-T1-006467')
    expect(read('Factura nº: FV26-  Cliente 7').value).toBe('FV26')
    // Exact text is what it is.
    expect(readText('Factura nº: Cl0073213504').fields.number.value).toBe('Cl0073213504')
  })

  test('the wide blanks of a ticket part neither a label nor its number', () => {
    for (const number of ['2026-T1-006467', 'FS  1-054178']) {
      const ticket = `Bar Sol\nNIF B58818501\nFRA.  SIMPL.  ${number}\nTOTAL  3,00`
      expect(readingOf(pictureOf(ticket, ticket)).fields.number.value).toBe(number.replace('  ', ' '))
    }
  })

  test('a postal code under a heading is no number', () => {
    expect(readText('Factura\n50012 Zaragoza').fields.number.value).toBeNull()
  })

  test('a value has bounded length and no characters that change direction', () => {
    const { number } = readText('Factura nº: A\u202e-118\u2066').fields
    expect(number.value).toBe('A-118')
    expect(readText(`Factura nº: ${'7'.repeat(300)}`).fields.number.value).toBeNull()
  })
})
