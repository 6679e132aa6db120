/** The supplier's name: legal forms, persons, rows and columns, and never the customer. */
import { describe, expect, test } from 'vitest'
import type { Word } from '../../../../../server/purchases/intake/pages/page.ts'
import { pictureOf, readingOf, readText } from './read-text.ts'

const CUSTOMER =
  '\n\nCliente: Talleres Ejemplo, S.L.\nNIF B12345674\nBase 100,00\nIVA 21% 21,00\nTotal 121,00'

describe('names of suppliers', () => {
  test.each([
    ['Data Sur, S.L.\nC/ Mayor 1\nCIF B58818501', 'Data Sur, S.L.'],
    ['PELUQUERÍA LOLA\nMaría Dolores Pérez\nNIF 12345678Z', 'María Dolores Pérez'],
    ['CASA PACO\nBar Restaurante\nFrancisco Gómez Ruiz  NIF: 12345678Z', 'Francisco Gómez Ruiz'],
    ['Francisco Gómez Ruiz - NIF 12345678Z', 'Francisco Gómez Ruiz'],
    ['FERRETERÍA EL TORNILLO, C.B.\nE58818504', 'FERRETERÍA EL TORNILLO, C.B.'],
    [
      'Construcciones y Reformas\nHermanos López, S.L.U.\nB58818501',
      'Construcciones y Reformas Hermanos López, S.L.U.',
    ],
    ['Razón social: Gestiones Norte S.L.P.\nCIF: B58818501', 'Gestiones Norte S.L.P.'],
    ['Emisor: Gestiones Norte, S.A.\nNIF: A58818501', 'Gestiones Norte, S.A.'],
    ['COOPERATIVA AGRÍCOLA SAN ISIDRO, S. COOP.\nF58818501', 'COOPERATIVA AGRÍCOLA SAN ISIDRO, S. COOP.'],
    ['Fundación Ejemplo\nG58818501', 'Fundación Ejemplo'],
    ['Amazon EU S.à r.l., Sucursal en España\nW0184081H', 'Amazon EU S.à r.l., Sucursal en España'],
    ['Hetzner Online GmbH\nIndustriestr. 25\nUSt-IdNr. DE136695976', 'Hetzner Online GmbH'],
    ['Google Cloud EMEA Limited\nVAT: IE6433435F', 'Google Cloud EMEA Limited'],
    ['OpenAI Ireland Ltd\nVAT IE6433435F', 'OpenAI Ireland Ltd'],
    ['Transportes\nGarcía e Hijos\nS.L.\nCIF B58818501', 'Transportes García e Hijos S.L.'],
    ['Total Limpiezas, S.L.   FACTURA\nB58818501', 'Total Limpiezas, S.L.'],
    ['Gran Vía Hoteles, S.A.\nA58818501', 'Gran Vía Hoteles, S.A.'],
    ['Electricidad Pérez S.Coop.V.\nF58818501', 'Electricidad Pérez S.Coop.V.'],
    ['SUMINISTROS ELÉCTRICOS DEL NORTE SA\nA58818501', 'SUMINISTROS ELÉCTRICOS DEL NORTE SA'],
    ['Notaría Ruiz Blanco\nAna Ruiz Blanco\nNIF 12345678Z', 'Ana Ruiz Blanco'],
    ['Factura\nTelefónica de España, S.A.U. CIF A58818501', 'Telefónica de España, S.A.U.'],
    [
      'Pago a Banco Ejemplo, S.A. IBAN ES91 2100 0418 4502 0005 1332\nLaura Sanz Gil\nNIF 12345678Z',
      'Laura Sanz Gil',
    ],
    ['Euskal Lanak, S.Koop.\nF58818501', 'Euskal Lanak, S.Koop.'],
    ['Comunidad de Propietarios Calle Mayor 1\nH58818501', 'Comunidad de Propietarios Calle Mayor 1'],
    ['Ayuntamiento de Ejemplo\nP5881850C', 'Ayuntamiento de Ejemplo'],
    ['Stripe Payments Europe, Ltd.\nIE6433435F', 'Stripe Payments Europe, Ltd.'],
    ['OVH Hispano S.L.U.   Tel 900\nB58818501', 'OVH Hispano S.L.U.'],
    ['3D Print Valencia S.L.\nB58818501', '3D Print Valencia S.L.'],
    ['Distrito K, S.L. · B58818501 · Calle', 'Distrito K, S.L.'],
  ])('%j is of %j', (text, name) => {
    expect(readText(text + CUSTOMER).fields.supplierName.value).toBe(name)
  })

  test('a wide gap within a name does not part it', () => {
    const { supplierName } = readText(`SUPERMERCADOS LA ESPIGA,   S.A.\nA58818501${CUSTOMER}`).fields
    expect(supplierName.value).toBe('SUPERMERCADOS LA ESPIGA, S.A.')
  })

  test('half of the own name or of the customer’s is never the supplier', () => {
    expect(readText('Ejemplo, S.L.\nNIF B12345674').fields.supplierName.value).toBeNull()
    const broken = 'Papelería Sol\nB58818501\n\nCliente:\nOtra Empresa Robledo\nIbérica, S.L.\nNIF B12345674'
    const whole = 'Papelería Sol\nB58818501\n\nCliente:\nOtra Empresa Robledo Ibérica, S.L.\nNIF B12345674'
    expect(readingOf(pictureOf(broken, whole)).fields.supplierName.value).toBe('Papelería Sol')
  })

  test('the name in the row of our own number is the customer’s', () => {
    const ticket =
      'Cafetería Avenida\nNIF 12345678Z Tel. 935 301 513\n\nOtra Razón, S.L.     B12345674\nTotal 3,00'
    expect(readText(ticket).fields.supplierName.value).toBe('Cafetería Avenida')
  })

  test('the name a few rows over our own number is the customer’s', () => {
    const block = 'Otra Razón, S.L.\nCalle Mayor 1\n50001 Zaragoza\nNIF B12345674'
    const { supplierName } = readText(`Inmobiliaria Sol 21 SI\nB58818501\n\n\nFacturar\na\n${block}`).fields
    expect(supplierName.value).not.toBe('Otra Razón, S.L.')
    expect(readText(`Sol, S.L.\nB58818501\n${block}`).fields.supplierName.value).toBe('Sol, S.L.')
    const beside =
      'Example Software Inc.   Otra Razón, S.L.\n548 Harbor Street       Calle Mayor 1\nUSA                     NIF B12345674'
    expect(readText(beside).fields.supplierName.value).toBe('Example Software Inc.')
  })

  test('the words over a name that say whose it is are no part of it', () => {
    const rent =
      'Arrendador            Arrendatari\nNaves Otero, S.L.     Otra Razón, S.L.\nNIF B58818501         NIF B12345674'
    expect(readText(rent).fields.supplierName.value).toBe('Naves Otero, S.L.')
    const credit = 'Vela, S.L.\nB58818501\n\n\nPara\nOtra Razón, S.L.\nCalle Mayor 1\n\n\n\n\nNIF B12345674'
    expect(readText(credit).fields.supplierName.value).toBe('Vela, S.L.')
  })

  test('OCR sees an ampersand as a figure', () => {
    for (const sign of ['8', '8:', 'é:']) {
      const text = `Tern ${sign} Co. Software Inc.\n1 Main Street, Cambridge, MA, USA`
      expect(readingOf(pictureOf(text, text)).fields.supplierName.value).toBe('Tern & Co. Software Inc.')
    }
    expect(readText('Taller 8 Hermanos, S.L.\nB58818501').fields.supplierName.value).toBe(
      'Taller 8 Hermanos, S.L.',
    )
  })

  test('wide letters and a low legal form part no name', () => {
    const ticket = 'Restaurante El  Olivar de\nMiguel S.L.\nNIF B58818501'
    expect(readingOf(pictureOf(ticket, ticket)).fields.supplierName.value).toBe(
      'Restaurante El Olivar de Miguel S.L.',
    )
    const page = pictureOf('Pinturas Roig,\nS. L.\nNIF B58818501')
    const low = (words: Word[] = []): Word[] =>
      words.map((word) => {
        const [x0, y0, x1, y1] = word.box
        return /^[SL]\.$/.test(word.t) ? { ...word, box: [x0, y0, x1, y1 - (y1 - y0) * 0.3] } : word
      })
    const [first] = page.readings
    const reading = readingOf({ ...page, readings: [low(first), low(first)] })
    expect(reading.fields.supplierName.value).toBe('Pinturas Roig, S.L.')
  })

  test('OCR sees the raised letter of a first name as a mark', () => {
    const text = 'M* Dolores Quesada Ruiz\nNIF 12345678Z'
    expect(readingOf(pictureOf(text, text)).fields.supplierName.value).toBe('Mª Dolores Quesada Ruiz')
  })

  test('a row that one reading breaks is whole in the other', () => {
    const first = 'Sumin\nistros Pardo\nCIF B58818501'
    const second = 'Suministros Pardo, S.L.\nCIF B58818501'
    expect(readingOf(pictureOf(first, second)).fields.supplierName.value).toBe('Suministros Pardo, S.L.')
  })

  test('OCR confuses the letters of a legal form', () => {
    for (const form of ['S.á r.l.', 'S.ar.l.', 'S.á r.I.', 'S-.a r.|.'])
      expect(readText(`Example EU ${form}\nVAT LU20260743`).fields.supplierName.value, form).toBe(
        'Example EU S.à r.l.',
      )
  })
})
