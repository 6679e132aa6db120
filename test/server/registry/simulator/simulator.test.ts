import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readReply } from '../../../../server/registry/wire/reply.ts'
import { buildRegistration, buildSubmission } from '../../../../server/registry/record/xml.ts'
import { RECORD_TEXTS } from '../../../../server/registry/simulator/texts.ts'
import {
  GENERATED_AT,
  invoice,
  ISSUER,
  NOW,
  openSimulator,
  PREVIOUS,
  submitted,
  SYSTEM,
  taxed,
  untaxed,
  validInvoice,
  verdict,
} from '../samples.ts'
import type { ChainLink, RegistryInvoice } from '../../../../server/registry/record/fields.ts'

/** Replaces the first hit and insists that there is one: a spoiled message must really be spoiled. */
function swap(from: string | RegExp, to: string): (xml: string) => string {
  return (xml) => {
    const spoiled = xml.replace(from, () => to)
    if (spoiled === xml) throw new Error(`${String(from)} is not in the message.`)
    return spoiled
  }
}

const element = (name: string, value: string) =>
  swap(new RegExp(`<sf:${name}>[^<]*</sf:${name}>`), `<sf:${name}>${value}</sf:${name}>`)
const without = (name: string) => swap(new RegExp(`<sf:${name}>.*?</sf:${name}>`, 's'), '')
const after = (name: string, xml: string) => swap(`</sf:${name}>`, `</sf:${name}>${xml}`)

describe('what we write is accepted', () => {
  test('every valid invoice, chained, each with its own verdict', async () => {
    await fc.assert(
      fc.asyncProperty(validInvoice, fc.boolean(), async (made, first) => {
        expect(verdict(await submitted(made, undefined, first ? { previous: null } : {}))).toBe('Correcto')
      }),
      { numRuns: 300 },
    )
  })

  test('a chain in several submissions; the answer names each record', async () => {
    const { simulator, state } = openSimulator({ waitSeconds: 75 })
    let previous: ChainLink | null = null
    const records = ['F-1', 'F-2', 'F-3 & CO'].map((number) => {
      const { xml, hash } = buildRegistration(
        invoice({ number, recordId: `rec_${number}` }),
        previous,
        SYSTEM,
        GENERATED_AT,
      )
      previous = { issuerNif: ISSUER.nif, number, issueDate: '2026-11-16', hash }
      return xml
    })
    const first = readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, records.slice(0, 2))))
    expect(first).toMatchObject({
      kind: 'answer',
      csv: 'A-00000000000001',
      presentedAt: '2026-11-16T10:00:02+01:00',
      issuerNif: ISSUER.nif,
      waitSeconds: 75,
      state: 'Correcto',
      lines: [
        {
          number: 'F-1',
          state: 'Correcto',
          operation: 'registration',
          recordRef: 'rec_F-1',
          issueDate: '2026-11-16',
        },
        { number: 'F-2', state: 'Correcto' },
      ],
    })
    const second = readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, records.slice(2))))
    expect(second).toMatchObject({
      csv: 'A-00000000000002',
      lines: [{ number: 'F-3 & CO', state: 'Correcto' }],
    })
    expect(state.entries().map((entry) => [entry.number, entry.status, entry.requestId.length])).toEqual([
      ['F-1', 'active', 20],
      ['F-2', 'active', 20],
      ['F-3 & CO', 'active', 20],
    ])
  })

  test('submissions sent at once are taken one after another', async () => {
    const { simulator } = openSimulator()
    const message = buildSubmission({ issuer: ISSUER }, [
      buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT).xml,
    ])
    const replies = await Promise.all([simulator.submit(message), simulator.submit(message)])
    expect(replies.map((reply) => verdict(readReply(reply)))).toEqual(['Correcto', 'Incorrecto 3000'])
  })
})

describe('one thing broken in the message', () => {
  const plain = invoice()
  const simplified = invoice({ kind: 'F2', recipient: null })
  const surcharged = invoice({ breakdown: [{ ...taxed(10_000, 2100, 520), regimeKey: '18' }] })
  const abroad = invoice({ recipient: { name: 'C', country: 'US', idType: '04', id: 'X1' } })
  const european = invoice({ recipient: { name: 'C', country: 'FR', idType: '02', id: 'FR12345678901' } })
  const exempt = invoice({ breakdown: [untaxed('E1', 100)] })
  const reverse = invoice({ breakdown: [untaxed('S2', 100)] })
  const dated = invoice({ operationDate: '2026-11-01' })

  test.each<[string, RegistryInvoice, (xml: string) => string, string]>([
    ['nothing', plain, () => '', 'fault 4138'],
    ['cut off', plain, (xml) => xml.slice(0, -20), 'fault 4103'],
    ['a DOCTYPE', plain, swap('<soapenv:Envelope', '<!DOCTYPE x><soapenv:Envelope'), 'fault 4103'],
    ['a comment', plain, swap('<sf:TipoFactura>', '<!-- x --><sf:TipoFactura>'), 'fault 4103'],
    ['another declared encoding', plain, swap('UTF-8', 'ISO-8859-1'), 'fault 4119'],
    ['no body', plain, swap(/<soapenv:Body>.*<\/soapenv:Body>/s, ''), 'fault 4102'],
    ['another envelope', plain, (xml) => xml.replaceAll('soap/envelope/', 'soap12/envelope/'), 'fault 4102'],
    [
      'the namespace of the download folder',
      plain,
      (xml) => xml.replaceAll('/tike/', '/tikeV1.0/'),
      'fault 4102',
    ],
    [
      "record children in the submission's namespace",
      plain,
      (xml) => xml.replaceAll('sf:TipoFactura', 'sfLR:TipoFactura'),
      'fault 4102',
    ],
    ['no header', plain, swap(/<sfLR:Cabecera>.*<\/sfLR:Cabecera>/s, ''), 'fault 4102'],
    ['no record', plain, swap(/<sfLR:RegistroFactura>.*<\/sfLR:RegistroFactura>/s, ''), 'fault 4102'],
    [
      'a second record in one place',
      plain,
      swap(/<sf:RegistroAlta .*<\/sf:RegistroAlta>/s, '<sf:RegistroAlta/><sf:RegistroAlta/>'),
      'fault 4102',
    ],
    ['no version', plain, without('IDVersion'), 'fault 4102'],
    ['another version', plain, element('IDVersion', '1.1'), 'fault 4102'],
    ['no number', plain, without('NumSerieFactura'), 'fault 4102'],
    ['an empty number', plain, element('NumSerieFactura', ''), 'fault 4102'],
    ['61 characters of number', plain, element('NumSerieFactura', 'F'.repeat(61)), 'fault 4102'],
    ['a day the other way round', plain, element('FechaExpedicionFactura', '2026-11-16'), 'fault 4102'],
    [
      'elements out of order',
      plain,
      (xml) =>
        after('DescripcionOperacion', '<sf:TipoFactura>F1</sf:TipoFactura>')(without('TipoFactura')(xml)),
      'fault 4102',
    ],
    ['an element twice', plain, after('TipoFactura', '<sf:TipoFactura>F1</sf:TipoFactura>'), 'fault 4102'],
    ['an unknown element', plain, after('TipoFactura', '<sf:Nuevo>1</sf:Nuevo>'), 'fault 4102'],
    ['an unknown kind', plain, element('TipoFactura', 'F9'), 'fault 4102'],
    ['an empty flag', plain, after('DescripcionOperacion', '<sf:Macrodato></sf:Macrodato>'), 'fault 4102'],
    ['121 characters of name', plain, element('NombreRazonEmisor', 'N'.repeat(121)), 'fault 4102'],
    ['a comma in an amount', plain, element('ImporteTotal', '121,00'), 'fault 4102'],
    ['three decimals', plain, element('CuotaTotal', '21.000'), 'fault 4102'],
    ['13 digits', plain, element('ImporteTotal', '1000000000000.00'), 'fault 4102'],
    [
      '13 breakdown lines',
      plain,
      swap(
        /<sf:DetalleDesglose>.*?<\/sf:DetalleDesglose>/s,
        '<sf:DetalleDesglose><sf:ClaveRegimen>01</sf:ClaveRegimen><sf:OperacionExenta>E1</sf:OperacionExenta><sf:BaseImponibleOimporteNoSujeto>1</sf:BaseImponibleOimporteNoSujeto></sf:DetalleDesglose>'.repeat(
          13,
        ),
      ),
      'fault 4102',
    ],
    [
      'treatment and exemption together',
      plain,
      after('CalificacionOperacion', '<sf:OperacionExenta>E1</sf:OperacionExenta>'),
      'fault 4102',
    ],
    ['neither treatment nor exemption', plain, without('CalificacionOperacion'), 'fault 4102'],
    ['no chain', plain, without('Encadenamiento'), 'fault 4102'],
    [
      'both first and chained',
      plain,
      swap('<sf:RegistroAnterior>', '<sf:PrimerRegistro>S</sf:PrimerRegistro><sf:RegistroAnterior>'),
      'fault 4102',
    ],
    [
      'an incomplete previous record',
      plain,
      swap(/<sf:Huella>[0-9A-F]{64}<\/sf:Huella><\/sf:RegistroAnterior>/, '</sf:RegistroAnterior>'),
      'fault 4102',
    ],
    ['no system', plain, without('SistemaInformatico'), 'fault 4102'],
    [
      '31 characters of system name',
      plain,
      element('NombreSistemaInformatico', 'S'.repeat(31)),
      'fault 4102',
    ],
    ['another kind of hash', plain, element('TipoHuella', '02'), 'fault 4102'],
    [
      'no hash',
      plain,
      swap(/<sf:Huella>[0-9A-F]{64}<\/sf:Huella><\/sf:RegistroAlta>/, '</sf:RegistroAlta>'),
      'fault 4102',
    ],
    ['an unknown country', abroad, element('CodigoPais', 'ZZ'), 'fault 4102'],
    ['a time without form', plain, element('FechaHoraHusoGenRegistro', '16-11-2026 10:00'), 'fault 4102'],
    ['a bad issuer in the header', plain, element('NIF', '89890001A'), 'fault 4116'],
    ['an issuer the census does not know', plain, element('NIF', '99999999R'), 'fault 4104'],
    [
      'a bad representative',
      plain,
      after(
        'ObligadoEmision',
        '<sf:Representante><sf:NombreRazon>R</sf:NombreRazon><sf:NIF>89890001A</sf:NIF></sf:Representante>',
      ),
      'fault 4117',
    ],
    [
      'a representative the census does not know',
      plain,
      after(
        'ObligadoEmision',
        '<sf:Representante><sf:NombreRazon>R</sf:NombreRazon><sf:NIF>99999999R</sf:NIF></sf:Representante>',
      ),
      'fault 4123',
    ],
    [
      'the answer to a request',
      plain,
      after(
        'ObligadoEmision',
        '<sf:RemisionRequerimiento><sf:RefRequerimiento>X</sf:RefRequerimiento></sf:RemisionRequerimiento>',
      ),
      'fault 4126',
    ],
    [
      'leaving in the middle of a year',
      plain,
      after(
        'ObligadoEmision',
        '<sf:RemisionVoluntaria><sf:FechaFinVeriFactu>30-06-2026</sf:FechaFinVeriFactu></sf:RemisionVoluntaria>',
      ),
      'fault 4120',
    ],
    ["another issuer than the header's", plain, element('IDEmisorFactura', '89890002E'), 'Incorrecto 1108'],
    ['ñ in the number', plain, element('NumSerieFactura', 'AÑO-1'), 'Incorrecto 1130'],
    ['apostrophe in the number', plain, element('NumSerieFactura', "A'1"), 'Incorrecto 1287'],
    ['issued tomorrow', plain, element('FechaExpedicionFactura', '17-11-2026'), 'Incorrecto 1112'],
    ['issued before the registry', plain, element('FechaExpedicionFactura', '27-10-2024'), 'Incorrecto 1152'],
    ['no name', plain, element('NombreRazonEmisor', ' '), 'Incorrecto 1100'],
    [
      'a time without offset',
      plain,
      element('FechaHoraHusoGenRegistro', '2026-11-16T10:00:00'),
      'Incorrecto 1244',
    ],
    [
      'a time with fractions',
      plain,
      element('FechaHoraHusoGenRegistro', '2026-11-16T10:00:00.5+01:00'),
      'Incorrecto 1244',
    ],
    [
      'a short hash',
      plain,
      swap(
        /<sf:Huella>[0-9A-F]{64}<\/sf:Huella><\/sf:RegistroAlta>/,
        '<sf:Huella>AB</sf:Huella></sf:RegistroAlta>',
      ),
      'Incorrecto 1262',
    ],
    [
      'a hash with signs',
      plain,
      swap(
        /<sf:Huella>[0-9A-F]{4}([0-9A-F]{60})<\/sf:Huella><\/sf:RegistroAlta>/,
        `<sf:Huella>----${'A'.repeat(60)}</sf:Huella></sf:RegistroAlta>`,
      ),
      'Incorrecto 1292',
    ],
    ['a previous day that is none', plain, swap('15-11-2026', '31-11-2026'), 'Incorrecto 1174'],
    ['a previous number that is none', plain, swap('T-F2026-0001', 'ñ'), 'Incorrecto 1175'],
    ['a previous hash with signs', plain, swap(PREVIOUS.hash, '-'.repeat(64)), 'Incorrecto 1291'],
    [
      'a producer with a bad number',
      plain,
      swap('PRODUCTOR DE PRUEBA</sf:NombreRazon><sf:NIF>89890001K', 'P</sf:NombreRazon><sf:NIF>89890001A'),
      'Incorrecto 1176',
    ],
    ['a system code in lower case', plain, element('IdSistemaInformatico', 's1'), 'Incorrecto 1177'],
    ['operation on 30 February', dated, element('FechaOperacion', '30-02-2026'), 'Incorrecto 1145'],
    ['operation tomorrow', dated, element('FechaOperacion', '17-11-2026'), 'Incorrecto 1173'],
    ['no recipient', plain, without('Destinatarios'), 'Incorrecto 1189'],
    [
      'recipient on F2',
      simplified,
      after(
        'DescripcionOperacion',
        '<sf:Destinatarios><sf:IDDestinatario><sf:NombreRazon>C</sf:NombreRazon><sf:NIF>89890002E</sf:NIF></sf:IDDestinatario></sf:Destinatarios>',
      ),
      'Incorrecto 1190',
    ],
    ['recipient with a bad letter', plain, swap('89890002E', '89890002A'), 'Incorrecto 1123'],
    ['recipient the census does not know', plain, swap('89890002E', '99999999R'), 'Incorrecto 1110'],
    ['no country', abroad, without('CodigoPais'), 'Incorrecto 1111'],
    ['Spain with type 04', abroad, element('CodigoPais', 'ES'), 'Incorrecto 1126'],
    [
      'an EU number of another country',
      european,
      swap('<sf:IDType>02', '<sf:CodigoPais>DE</sf:CodigoPais><sf:IDType>02'),
      'Incorrecto 1122',
    ],
    ['an EU number of no form', european, element('ID', 'FR1'), 'Incorrecto 1103'],
    [
      'the mark of a large amount',
      plain,
      after('DescripcionOperacion', '<sf:Macrodato>S</sf:Macrodato>'),
      'Incorrecto 1138',
    ],
    ['a large amount without its mark', plain, element('ImporteTotal', '100000000.00'), 'Incorrecto 1139'],
    [
      'art. 6.1.d on F1',
      plain,
      after(
        'DescripcionOperacion',
        '<sf:FacturaSinIdentifDestinatarioArt61d>S</sf:FacturaSinIdentifDestinatarioArt61d>',
      ),
      'Incorrecto 1185',
    ],
    [
      'art. 7.2-7.3 on F2',
      simplified,
      after('DescripcionOperacion', '<sf:FacturaSimplificadaArt7273>S</sf:FacturaSimplificadaArt7273>'),
      'Incorrecto 1183',
    ],
    [
      'a third party',
      plain,
      after(
        'DescripcionOperacion',
        '<sf:EmitidaPorTerceroODestinatario>T</sf:EmitidaPorTerceroODestinatario>',
      ),
      'Incorrecto 1158',
    ],
    [
      'a rectifying method',
      plain,
      after('TipoFactura', '<sf:TipoRectificativa>I</sf:TipoRectificativa>'),
      'Incorrecto 1115',
    ],
    ['IGIC', plain, element('Impuesto', '03'), 'Incorrecto 1218'],
    ['no regime', plain, without('ClaveRegimen'), 'Incorrecto 1245'],
    [
      'base at cost',
      plain,
      after('BaseImponibleOimporteNoSujeto', '<sf:BaseImponibleACoste>1</sf:BaseImponibleACoste>'),
      'Incorrecto 1257',
    ],
    ['no rate', plain, without('TipoImpositivo'), 'Incorrecto 1208'],
    ['no VAT amount', plain, without('CuotaRepercutida'), 'Incorrecto 1208'],
    ['20 %', plain, element('TipoImpositivo', '20'), 'Incorrecto 1124'],
    ['5 %', plain, element('TipoImpositivo', '5'), 'Incorrecto 1194'],
    ['2 %', plain, element('TipoImpositivo', '2.00'), 'Incorrecto 1235'],
    ['VAT of the other sign', plain, element('CuotaRepercutida', '-0.01'), 'Incorrecto 1143'],
    ['VAT 10.01 off', plain, element('CuotaRepercutida', '31.01'), 'Incorrecto 1142'],
    ['surcharge of another rate', surcharged, element('TipoRecargoEquivalencia', '1.4'), 'Incorrecto 1162'],
    ['surcharge without amount', surcharged, without('CuotaRecargoEquivalencia'), 'Incorrecto 1284'],
    [
      'exempt with VAT',
      exempt,
      after('BaseImponibleOimporteNoSujeto', '<sf:CuotaRepercutida>0.00</sf:CuotaRepercutida>'),
      'Incorrecto 1238',
    ],
    [
      'not subject with a surcharge',
      invoice({ breakdown: [untaxed('N1', 1)] }),
      after('BaseImponibleOimporteNoSujeto', '<sf:CuotaRecargoEquivalencia>0</sf:CuotaRecargoEquivalencia>'),
      'Incorrecto 1237',
    ],
    ['reverse charge without zero', reverse, without('TipoImpositivo'), 'Incorrecto 1198'],
    ['E8', exempt, element('OperacionExenta', 'E8'), 'Incorrecto 1182'],
    ['an export under 01', exempt, element('OperacionExenta', 'E2'), 'Incorrecto 1199'],
    ['an intra-Community supply at home', exempt, element('OperacionExenta', 'E5'), 'Incorrecto 1289'],
    [
      '11 at 10 %',
      invoice({ breakdown: [taxed(100, 1000)] }),
      element('ClaveRegimen', '11'),
      'Incorrecto 1206',
    ],
    ['06 without base at cost', plain, element('ClaveRegimen', '06'), 'Incorrecto 1202'],
    [
      'F2 over 3,000',
      simplified,
      (xml) =>
        element('CuotaRepercutida', '525.42')(element('BaseImponibleOimporteNoSujeto', '2502.00')(xml)),
      'Incorrecto 1150',
    ],
    [
      'another hash',
      plain,
      swap(
        /<sf:Huella>[0-9A-F]{64}<\/sf:Huella><\/sf:RegistroAlta>/,
        `<sf:Huella>${'A'.repeat(64)}</sf:Huella></sf:RegistroAlta>`,
      ),
      'AceptadoConErrores 2000',
    ],
    [
      'a total that no longer fits its hash',
      plain,
      element('ImporteTotal', '121.0'),
      'AceptadoConErrores 2000',
    ],
  ])('%s', async (_what, made, spoil, expected) => {
    expect(verdict(await submitted(made, spoil))).toBe(expected)
  })

  test("a fault names the element and the census' person", async () => {
    expect(await submitted(plain, without('NombreRazonEmisor'))).toMatchObject({
      faultCode: 'Client',
      message: expect.stringContaining('NombreRazonEmisor'),
    })
    expect(await submitted(plain, element('NIF', '99999999R'))).toMatchObject({
      message: expect.stringContaining('NIF:99999999R. NOMBRE_RAZON:EMISOR DE EJEMPLO'),
    })
  })

  test('an issue day that is none, echoed as it came', async () => {
    const { xml } = buildRegistration(plain, PREVIOUS, SYSTEM, GENERATED_AT)
    const spoiled = element(
      'FechaExpedicionFactura',
      '30-02-2026',
    )(buildSubmission({ issuer: ISSUER }, [xml]))
    const answer = await openSimulator().simulator.submit(spoiled)
    expect(answer).toContain('<sf:FechaExpedicionFactura>30-02-2026</sf:FechaExpedicionFactura>')
    expect(answer).toContain('<sfR:CodigoErrorRegistro>1105</sfR:CodigoErrorRegistro>')
  })

  test('a fault registers nothing, a rejection neither', async () => {
    const { simulator, state } = openSimulator()
    const message = buildSubmission({ issuer: ISSUER }, [
      buildRegistration(plain, PREVIOUS, SYSTEM, GENERATED_AT).xml,
    ])
    await simulator.submit(without('IDVersion')(message))
    await simulator.submit(without('Destinatarios')(message))
    expect(state.entries()).toEqual([])
  })
})

describe('accepted with errors', () => {
  /** Spoils facts that enter the hash before it is made. */
  test.each<[string, Partial<RegistryInvoice>, ChainLink | null, string, string]>([
    ['a total 10.01 off', { totalCents: 13_101 }, PREVIOUS, GENERATED_AT, '2005'],
    ['a VAT total 10.01 off', { taxTotalCents: 3_101 }, PREVIOUS, GENERATED_AT, '2006'],
    [
      'a customer declared as not in the census',
      { recipient: { name: 'C', country: 'ES', idType: '07', id: '89890002E' } },
      PREVIOUS,
      GENERATED_AT,
      '2001',
    ],
    ['a short previous hash', {}, { ...PREVIOUS, hash: 'AB' }, GENERATED_AT, '2002'],
    [
      'a previous hash in lower case',
      {},
      { ...PREVIOUS, hash: PREVIOUS.hash.toLowerCase() },
      GENERATED_AT,
      '2003',
    ],
    ['a record 241 s old', {}, PREVIOUS, '2026-11-16T09:56:01+01:00', '2004'],
    ['a record 241 s ahead', {}, PREVIOUS, '2026-11-16T10:04:03+01:00', '2004'],
  ])('%s', async (_what, changes, previous, generatedAt, code) => {
    const { simulator, state } = openSimulator()
    const { xml } = buildRegistration(invoice(changes), previous, SYSTEM, generatedAt)
    const reply = readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, [xml])))
    expect(verdict(reply)).toBe(`AceptadoConErrores ${code}`)
    expect(reply).toMatchObject({ state: 'ParcialmenteCorrecto', csv: expect.any(String) })
    expect(state.entries()).toMatchObject([{ state: 'AceptadoConErrores', code }])
  })

  test.each([
    ['240 s old', '2026-11-16T09:56:02+01:00', false],
    ['240 s ahead', '2026-11-16T10:04:02+01:00', false],
    ['a day old, delayed by an incident', '2026-11-15T10:00:00+01:00', true],
    ['now, written in another zone', '2026-11-16T04:00:00-05:00', false],
  ])('a record %s is correct', async (_what, generatedAt, incident) => {
    const { simulator } = openSimulator()
    const { xml } = buildRegistration(invoice(), PREVIOUS, SYSTEM, generatedAt)
    expect(
      verdict(readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, [xml], { incident })))),
    ).toBe('Correcto')
  })

  test('totals within 10.00 are correct', async () => {
    expect(verdict(await submitted(invoice({ totalCents: 13_100, taxTotalCents: 3_100 })))).toBe('Correcto')
  })

  test('a second beginning of the chain of one installation, not of another', async () => {
    const { simulator } = openSimulator()
    const send = async (number: string, installationNumber: string) => {
      const { xml } = buildRegistration(
        invoice({ number }),
        null,
        { ...SYSTEM, installationNumber },
        GENERATED_AT,
      )
      return verdict(readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, [xml]))))
    }
    expect(await send('F-1', 'A')).toBe('Correcto')
    expect(await send('F-2', 'A')).toBe('AceptadoConErrores 2007')
    expect(await send('F-3', 'B')).toBe('Correcto')
  })
})

describe('the same invoice again', () => {
  test('is a duplicate; the answer says how the first stands', async () => {
    const { simulator } = openSimulator()
    const send = async (made: RegistryInvoice) => {
      const { xml } = buildRegistration(made, PREVIOUS, SYSTEM, GENERATED_AT)
      return readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, [xml])))
    }
    expect(verdict(await send(invoice()))).toBe('Correcto')
    const again = await send(invoice())
    expect(again).toMatchObject({
      state: 'Incorrecto',
      lines: [
        {
          code: '3000',
          message: RECORD_TEXTS['3000'],
          duplicate: { state: 'Correcta', requestId: '20261116090002000001' },
        },
      ],
    })
    expect(again).not.toHaveProperty('csv')
    expect(verdict(await send(invoice({ number: 'F-9', totalCents: 99_999 })))).toBe(
      'AceptadoConErrores 2005',
    )
    expect(await send(invoice({ number: 'F-9' }))).toMatchObject({
      lines: [{ duplicate: { state: 'AceptadaConErrores', code: '2005' } }],
    })
    expect(verdict(await send(invoice({ issueDate: '2026-11-15' })))).toBe('Correcto')
  })

  test('also when it was cancelled', async () => {
    const { simulator, state } = openSimulator()
    await state.put({
      issuerNif: ISSUER.nif,
      number: 'T-F2026-0002',
      issueDate: '16-11-2026',
      status: 'cancelled',
      state: 'Correcto',
      code: null,
      message: null,
      hash: PREVIOUS.hash,
      requestId: 'R1',
      installation: 'another',
      registeredAt: NOW.toISOString(),
    })
    const { xml } = buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT)
    const reply = readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, [xml])))
    expect(reply).toMatchObject({
      lines: [{ code: '3000', duplicate: { state: 'Anulada', requestId: 'R1' } }],
    })
  })

  test('in one submission, beside good records', async () => {
    const records = ['F-1', 'F-1', 'F-2'].map(
      (number) => buildRegistration(invoice({ number }), PREVIOUS, SYSTEM, GENERATED_AT).xml,
    )
    const reply = readReply(
      await openSimulator().simulator.submit(buildSubmission({ issuer: ISSUER }, records)),
    )
    expect(reply).toMatchObject({
      state: 'ParcialmenteCorrecto',
      csv: 'A-00000000000001',
      lines: [{ state: 'Correcto' }, { state: 'Incorrecto', code: '3000' }, { state: 'Correcto' }],
    })
  })
})

describe('what is not simulated yet is refused, never guessed', () => {
  test.each<[string, (xml: string) => string, string]>([
    ['a rectifying invoice', element('TipoFactura', 'R1'), '1106'],
    ['an invoice instead of simplified ones', element('TipoFactura', 'F3'), '1106'],
    ['a correction', after('NombreRazonEmisor', '<sf:Subsanacion>S</sf:Subsanacion>'), '1171'],
  ])('%s', async (_what, spoil, code) => {
    expect(verdict(await submitted(invoice(), spoil))).toBe(`Incorrecto ${code}`)
  })

  test('a failing memory fails that submission only', async () => {
    const { state } = openSimulator()
    let broken = true
    const find = async (key: Parameters<typeof state.find>[0]) => {
      if (broken) throw new Error('disk full')
      return state.find(key)
    }
    const { simulator } = openSimulator({ state: { ...state, find } })
    const message = buildSubmission({ issuer: ISSUER }, [
      buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT).xml,
    ])
    await expect(simulator.submit(message)).rejects.toThrow('disk full')
    broken = false
    expect(verdict(readReply(await simulator.submit(message)))).toBe('Correcto')
  })
})
