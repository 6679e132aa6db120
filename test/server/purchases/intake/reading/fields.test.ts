/** Supplier, number, dates, payment and kind of a document, by their labels. */
import { describe, expect, test } from 'vitest'
import { readText } from './read-text.ts'

describe('tax numbers', () => {
  test('the control digit proves the number beside our own', () => {
    const { supplierNif, customerNif } = readText(
      'Papelería Sol, S.L.\nC.I.F.: B-58.818.501\nCliente\nNIF B12345674',
    ).fields
    expect(supplierNif).toMatchObject({ value: 'B58818501', level: 'proven' })
    expect(supplierNif.evidence[0]?.reason).toBe('control_digit')
    expect(customerNif).toMatchObject({ value: 'B12345674', level: 'proven' })
  })

  test('of two numbers of which neither is ours, none is proven', () => {
    const { supplierNif, customerNif } = readText('CIF B58818501\nCliente: Otra\nNIF A39000013').fields
    expect(supplierNif).toMatchObject({ value: 'B58818501', level: 'guess', rivals: ['A39000013'] })
    expect(customerNif.value).toBe('A39000013')
  })

  test('a number with a wrong control digit is nobody’s, but makes the customer another', () => {
    const { supplierNif, customerNif } = readText('CIF B58818501\nCliente: Otra\nNIF A39000014').fields
    expect(supplierNif.level).not.toBe('proven')
    expect(customerNif).toMatchObject({ value: 'A39000014', level: 'guess' })
    expect(readText('CIF B58818502').fields.supplierNif.value).toBeNull()
  })

  test('the check digits prove a VAT number of another state, without them it is a guess', () => {
    const read = (text: string) => readText(`${text}\nCliente NIF B12345674`).fields
    expect(read('VAT LU20260743').supplierNif).toMatchObject({ value: 'LU20260743', level: 'proven' })
    expect(read('VAT LU20260743').supplierCountry.value).toBe('LU')
    expect(read('VAT LU20260744').supplierNif).toMatchObject({ value: 'LU20260744', level: 'guess' })
    // Right check digits are no accident, other letters and digits may be.
    expect(read('Example AG  ATU13585627').supplierNif.value).toBe('ATU13585627')
    expect(read('Example AG  ATU13585628').supplierNif.value).toBeNull()
  })

  test('a tax number without label, or with ES before it, is found', () => {
    const read = (text: string) => readText(`${text}\nCliente NIF B12345674`).fields.supplierNif
    expect(read('Papelería Sol, S.L. - B58818501 - Calle Mayor 1')).toMatchObject({ value: 'B58818501' })
    expect(read('VAT: ESB58818501')).toMatchObject({ value: 'B58818501', level: 'proven' })
    expect(read('NIF ES-B58818501')).toMatchObject({ value: 'B58818501', level: 'proven' })
  })
})

describe('numbers', () => {
  test.each([
    ['Factura nº: 2026/114', '2026/114'],
    ['Nº de factura: FV26-0001', 'FV26-0001'],
    ['Número de la factura F-12', 'F-12'],
    ['FRA. SIMPLIFICADA: T3-003004', 'T3-003004'],
    ['Invoice number INV-28255', 'INV-28255'],
    ['Factura / Invoice:    FV26004464', 'FV26004464'],
    ['Núm. factura    964/26', '964/26'],
    ['Número    Fecha\n1604/26   23-10-2026', '1604/26'],
    ['Faktura zenbakia: 2026-7', '2026-7'],
    ['Recibo nº 39/5854429-6', '39/5854429-6'],
  ])('%j', (text, number) => {
    expect(readText(text).fields.number).toMatchObject({ value: number, level: 'read' })
  })

  test.each([
    'Nº de pedido: 4711',
    'Factura total 590,04',
    'Factura 12/06/2026',
    'Nº cliente 43003529',
    'Rectifica la factura F26/0765',
    'Póliza 109.325728',
  ])('%j names no invoice', (text) => {
    expect(readText(text).fields.number.value).toBeNull()
  })

  test('two numbers at equal labels leave it open', () => {
    const { number } = readText('Factura nº: A-1\nFactura nº: A-2').fields
    expect(number).toMatchObject({ value: 'A-1', level: 'guess', rivals: ['A-2'] })
  })
})

describe('dates', () => {
  test.each([
    ['Fecha: 09/06/2026', '2026-06-09'],
    ['Fecha factura 17/02/26', '2026-02-17'],
    ['Fecha de emisión: 16.10.2026', '2026-10-16'],
    ['Date of issue September 3, 2026', '2026-09-03'],
    ['Fecha: 14-ago-2026', '2026-08-14'],
    ["Data d'emissió: 3 d'abril de 2026", '2026-04-03'],
    ['Data: 5 de xuño de 2026', '2026-06-05'],
    ['Data: 2026ko irailaren 3a', '2026-09-03'],
    ['Fecha de la factura 11 de\nseptiembre de 2026', '2026-09-11'],
  ])('%j', (text, date) => {
    expect(readText(text).fields.issueDate).toMatchObject({ value: date, level: 'read' })
  })

  test('the due date has its own labels, and is not before the issue', () => {
    const read = (text: string) => readText(text).fields.dueDate.value
    expect(read('Fecha: 01/06/2026  Vto.: 30/06/2026')).toBe('2026-06-30')
    expect(read('Fecha: 01/06/2026\nFecha de cargo: 08/06/2026')).toBe('2026-06-08')
    expect(read('Fecha: 01/06/2026\nVencimiento: 30/05/2026')).toBeNull()
    expect(read('Fecha: 01/06/2026\nPeriodo del 01/05/2026 al 31/05/2026')).toBeNull()
  })

  test('an invoice is not issued in the future, nor on the day of its order', () => {
    expect(readText('Fecha: 01/06/2027').fields.issueDate.value).toBeNull()
    const { issueDate } = readText('Fecha del pedido 01/05/2026\nFecha factura 02/05/2026').fields
    expect(issueDate.value).toBe('2026-05-02')
  })
})

describe('names', () => {
  test('the legal form near the tax number, not the customer', () => {
    const { supplierName } = readText(
      'Asesoría Norte, S.L.P.\nCIF: B58818501\n\nCliente: Talleres Ejemplo, S.L. CIF B12345674',
    ).fields
    expect(supplierName.value).toBe('Asesoría Norte, S.L.P.')
  })

  test('a name over two rows is one', () => {
    const { supplierName } = readText('Estación de Servicio Alto del\nLeón, S.L.\nN.I.F. B58818501').fields
    expect(supplierName.value).toBe('Estación de Servicio Alto del León, S.L.')
  })

  test('a person beside the tax number', () => {
    expect(readText('Marta Quintana Ríos\nNIF 12345678Z').fields.supplierName.value).toBe(
      'Marta Quintana Ríos',
    )
  })
})

describe('payment', () => {
  test('an account is proven by its control digits', () => {
    const { iban, paymentMethod } = readText('Pago por transferencia: ES91 2100 0418 4502 0005 1332').fields
    expect(iban).toMatchObject({ value: 'ES9121000418450200051332', level: 'proven' })
    expect(paymentMethod.value).toBe('transfer')
    expect(readText('Transferencia ES91 2100 0418 4502 0005 1333').fields.iban.value).toBeNull()
  })

  test('the account of a direct debit is not the supplier’s', () => {
    const { iban, paymentMethod } = readText('Domiciliación bancaria ES91 2100 0418 4502 0005 1332').fields
    expect([iban.value, paymentMethod.value]).toEqual([null, 'direct_debit'])
  })
})

describe('cards', () => {
  test.each(['T. CREDITO   12,00', 'Tarj. 4417   12,00', 'TARJETA CREDITO/DEBITO'])('%j', (line) => {
    // The change of a ticket says nothing against its card.
    expect(readText(`TOTAL 12,00\n${line}\nCAMBIO 0,00`).fields.paymentMethod.value).toBe('card')
  })
})

describe('kinds', () => {
  test.each([
    ['FACTURA PROFORMA\nBase 100,00', 'not_invoice'],
    ['PRESUPUESTO\nBase 100,00', 'not_invoice'],
    ['ALBARÁN\nBase 100,00', 'not_invoice'],
    ['FACTURA\nAlbarán: 4711\nBase 100,00', 'invoice'],
    ['FACTURA\nPedido nº 12\nBase 100,00', 'invoice'],
    ['FACTURA RECTIFICATIVA\nTotal -10,00', 'credit'],
    ['Factura simplificada T-1\nTOTAL 3,00', 'simplified'],
  ])('%j', (text, kind) => {
    expect(readText(text).kind).toBe(kind)
  })
})

describe('categories', () => {
  test.each([
    ['SUPERMERCADOS LA ESPIGA, S.A.\nCAFE MOLIDO 250  7,47', 'compras'],
    ['Menú del día  12,00\nMesa 4', 'restauracion'],
    ['Traducción jurada\nRet. I.R.P.F. 7%', 'profesionales'],
    ['Dirección de obra\nRetención IRPF 15 %', 'profesionales'],
    ['Txostena\nPFEZ atxikipena 15 %', 'profesionales'],
    ['Prima neta\nPóliza 12', 'seguros'],
    ['Cosas varias', 'compras'],
  ])('%j is %s, always a guess', (text, category) => {
    expect(readText(text).fields.category).toMatchObject({ value: category, level: 'guess' })
  })
})
