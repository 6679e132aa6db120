/** Issue and due date: forms, languages, labels, and terms of payment. */
import { describe, expect, test } from 'vitest'
import { pictureOf, readingOf, readText } from './read-text.ts'

describe('dates', () => {
  test.each<[string, string | null, string | null]>([
    ['Fecha: 3 de mayo de 2026', '2026-05-03', null],
    ['Barcelona, 3 de mayo de 2026', '2026-05-03', null],
    ['Madrid, a 3 de mayo de 2026', '2026-05-03', null],
    ['Barcelona, 3 de maig de 2026', '2026-05-03', null],
    ["Girona, 1 d'octubre del 2026", '2026-10-01', null],
    ['Data: 12 de xaneiro de 2026', '2026-01-12', null],
    ['Data: 2026ko urtarrilaren 9a', '2026-01-09', null],
    ['Donostian, 2026ko ekainaren 15ean', '2026-06-15', null],
    ['Data: 2026/06/15', '2026-06-15', null],
    ['Date: 15 June 2026', '2026-06-15', null],
    ['Date: Jun 15, 2026', '2026-06-15', null],
    ['Invoice date: 15-Jun-26', '2026-06-15', null],
    ['Fecha factura: 05.06.26', '2026-06-05', null],
    ['Fecha: 5/6/2026', '2026-06-05', null],
    ['Fecha: 05 / 06 / 2026', '2026-06-05', null],
    ['F. Factura: 05/06/2026', '2026-06-05', null],
    ['Fecha fra.: 05/06/2026', '2026-06-05', null],
    ['Fecha expedición 05/06/2026\nFecha operación 31/05/2026', '2026-06-05', null],
    ['Fecha operación 31/05/2026\nFecha expedición 05/06/2026', '2026-06-05', null],
    ['Rechnungsdatum: 05.06.2026\nFällig am: 05.07.2026', '2026-06-05', '2026-07-05'],
    ['Leistungsdatum: 31.05.2026\nAusstellungsdatum: 05.06.2026', '2026-06-05', null],
    ["Date d'émission : 05/06/2026\nÉchéance : 05/07/2026", '2026-06-05', '2026-07-05'],
    ['Data da operação: 31/05/2026\nData de emissão: 05/06/2026', '2026-06-05', null],
    ['Fecha albarán: 01/06/2026\nFecha: 05/06/2026', '2026-06-05', null],
    ['Fecha factura: 05/06/2026\nForma de pago: transferencia a 30 días', '2026-06-05', '2026-07-05'],
    ['Fecha: 05/06/2026\nPago: 60 días fecha factura', '2026-06-05', '2026-08-04'],
    ['Fecha: 05/06/2026\nVencimiento: 30 días', '2026-06-05', '2026-07-05'],
    ['Fecha: 05/06/2026\nVencimiento a 30 días f.f.', '2026-06-05', '2026-07-05'],
    ['Date: 2026-06-05\nPayment terms: Net 30', '2026-06-05', '2026-07-05'],
    ['Date: 2026-06-05\nTerms: 15 days', '2026-06-05', '2026-06-20'],
    ['Data: 05/06/2026\nForma de pagament: transferència a 30 dies', '2026-06-05', '2026-07-05'],
    ['Data: 05/06/2026\nOrdainketa: 30 egunera', '2026-06-05', '2026-07-05'],
    ['Fecha: 05/06/2026\nDevoluciones en 30 días', '2026-06-05', null],
    ['Fecha: 05/06/2026\nGarantía 60 días', '2026-06-05', null],
    ['Fecha: 05/06/2026\nForma de pago: contado', '2026-06-05', null],
    ['Fecha: 05/06/2026\nFecha vto. 05/07/2026', '2026-06-05', '2026-07-05'],
    ['Fecha: 05/06/2026\nVencimientos: 05/07/2026 1.000,00', '2026-06-05', '2026-07-05'],
    ['Fecha: 05/06/2026\nSe cobrará en su cuenta el 10/06/2026', '2026-06-05', '2026-06-10'],
    ['Fecha: 05/06/2026\nPagar antes del 20 de junio de 2026', '2026-06-05', '2026-06-20'],
    ['Fecha: 05/06/2026\nPayment due by June 20, 2026', '2026-06-05', '2026-06-20'],
    ['Data: 05/06/2026\nVenciment: 20/06/2026', '2026-06-05', '2026-06-20'],
    ['Data: 05/06/2026\nVencemento: 20/06/2026', '2026-06-05', '2026-06-20'],
    ['Data: 05/06/2026\nEpemuga: 2026/06/20', '2026-06-05', '2026-06-20'],
    ['Fecha factura   Fecha vencimiento\n05/06/2026      20/06/2026', '2026-06-05', '2026-06-20'],
    ['Fecha de\nfactura:\n05/06/2026', '2026-06-05', null],
    [
      'Fecha de emisión   Fecha de vencimiento   Nº\n05/06/2026   20/06/2026   77',
      '2026-06-05',
      '2026-06-20',
    ],
    ['Periodo de facturación: 01/05/2026 - 31/05/2026\nFecha de factura: 05/06/2026', '2026-06-05', null],
    ['Factura de 05/06/2026', '2026-06-05', null],
    ['Factura emitida el 05/06/2026 con vencimiento el 20/06/2026', '2026-06-05', '2026-06-20'],
    ['05/06/2026 16:34', '2026-06-05', null],
    ['Día: 05/06/2026', '2026-06-05', null],
    ['Emisión: 05/06/26 Vto: 20/06/26', '2026-06-05', '2026-06-20'],
    ['Fecha límite de pago: 20/06/2026\nFecha: 05/06/2026', '2026-06-05', '2026-06-20'],
    ['Fecha: 05/06/2026\nPróxima lectura: 07/08/2026', '2026-06-05', null],
    ['Fecha: 05-VI-2026', null, null],
    [
      'Fecha: 05/06/2026\nVencimiento 1: 05/07/2026 500,00\nVencimiento 2: 05/08/2026 500,00',
      '2026-06-05',
      '2026-07-05',
    ],
    ['Fecha: 05/06/2026\nFecha de pago: 06/06/2026', '2026-06-05', '2026-06-06'],
    ['Fecha de la factura 11 de\nseptiembre de 2026', '2026-09-11', null],
    ['Expedida en Zaragoza a 5 de junio de dos mil veintiséis', null, null],
    ['Fecha: 05/06/2026\n30 días', '2026-06-05', '2026-07-05'],
    ['Fecha: 05/06/2026\nCondiciones: 30 días fecha de factura, día de pago 25', '2026-06-05', '2026-07-05'],
    ['Fecha: 05/06/2026\nAlquiler 30 días', '2026-06-05', null],
    ['Fecha: 05/06/2026\nSuscripción 30 días  10,00', '2026-06-05', null],
    ['En Zaragoza, a 12 de septiembre de 2026', '2026-09-12', null],
    ['Billed on March 24,2026\nDue on April 8, 2026', '2026-03-24', '2026-04-08'],
    ['Emitido el 16-01-2026\nSe cargará el 17-03-2026', '2026-01-16', '2026-03-17'],
    [
      'Fecha / Date   27-07-2026\n\nFecha         Concepto\n24-07-2026    Habitación\n25-07-2026    Desayuno',
      '2026-07-27',
      null,
    ],
  ])('%j: issued %j, due %j', (text, issued, due) => {
    const { issueDate, dueDate } = readText(text).fields
    expect([issueDate.value, dueDate.value]).toEqual([issued, due])
  })

  test('a due date that a term makes is read, never proven, and says the days', () => {
    const { dueDate } = readText('Fecha: 05/06/2026\nForma de pago: transferencia a 30 días').fields
    expect(dueDate).toMatchObject({ value: '2026-07-05', level: 'read' })
    expect(dueDate.evidence[0]?.args['days']).toBe('30')
  })

  test('terms in parts leave it open, and a printed date wins', () => {
    const parts = readText('Fecha: 05/06/2026\nForma de pago: recibo 30/60 días').fields.dueDate
    expect(parts).toMatchObject({ value: '2026-07-05', level: 'guess', rivals: ['2026-08-04'] })
    const printed = readText('Fecha: 05/06/2026\nPago a 30 días\nVencimiento: 10/07/2026').fields.dueDate
    expect(printed.value).toBe('2026-07-10')
  })

  test('days in a clause are no term', () => {
    const clause =
      'En caso de demora en el pago de esta factura por más de 30 días se aplicarán los intereses que establece la ley'
    expect(readText(`Fecha: 05/06/2026\n${clause}`).fields.dueDate.value).toBeNull()
  })

  test('a date of a column with several is no rival of a labelled one', () => {
    const text = 'Fecha / Date   27-07-2026\n\nFecha         Concepto\n24-07-2026    Cena\n25-07-2026    Cena'
    expect(readText(text).fields.issueDate).toMatchObject({ value: '2026-07-27', level: 'read', rivals: [] })
  })

  test('a misread date is a guess', () => {
    const read = (first: string, second: string) =>
      readingOf(pictureOf(`Fecha: ${first}`, `Fecha: ${second}`)).fields.issueDate
    expect(read('O5/06/2026', 'O5/06/2026')).toMatchObject({ value: '2026-06-05', level: 'guess' })
    expect(read('2211-2026', '2211-2026')).toMatchObject({ value: '2026-11-22', level: 'guess' })
    expect(read('2026ko maiatzaren la', '2026ko maiatzaren la')).toMatchObject({
      value: '2026-05-01',
      level: 'guess',
    })
    expect(read('l de mayo de 2026', 'l de mayo de 2026').value).toBe('2026-05-01')
    const due = 'Fecha: 24/08/2026\nVio. 23/09/2026   Importe 4.854,28'
    expect(readingOf(pictureOf(due, due)).fields.dueDate.value).toBe('2026-09-23')
    expect(read('05/06/2026', '05/05/2026')).toMatchObject({ level: 'guess' })
    expect(read('05/06/2026', '05/06/2026')).toMatchObject({ value: '2026-06-05', level: 'read' })
  })

  test('a stain before a date does not hide its label', () => {
    expect(readText('Fecha:   + 03/03/2026\nLlegada:  01/03/2026').fields.issueDate.value).toBe('2026-03-03')
  })

  test('a heading that spans two columns is parted by its words', () => {
    const rows = 'Cód. cliente Vencimiento\n43002909     12/10/2026\n\nFecha: 12/09/2026'
    expect(readText(rows).fields.dueDate.value).toBe('2026-10-12')
  })
})
