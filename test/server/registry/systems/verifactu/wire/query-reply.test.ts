/** Answers to queries: what is read from them, and that anything that is not exactly an answer is rejected. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  NS_QUERY_REPLY,
  NS_RECORD,
  NS_REPLY,
  NS_SOAP,
} from '../../../../../../server/registry/systems/verifactu/wire/namespaces.ts'
import {
  readQueryReply,
  foreignElementIn,
} from '../../../../../../server/registry/systems/verifactu/wire/query-reply.ts'
import type { QueryAnswer } from '../../../../../../server/registry/systems/verifactu/wire/query-reply.ts'
import {
  LARGE_XML_LIMITS,
  XML_LIMITS,
} from '../../../../../../server/registry/systems/verifactu/wire/reader.ts'

const HASH = '0793F0C7DF0ACD0A74A3341E75C2A56FDE29E19DDC0A61F9C6B3909A0862B7F8'
const CHANGED = '2026-11-16T10:00:05+01:00'

const keyXml = (number: string) =>
  `<k:IDEmisorFactura>89890001K</k:IDEmisorFactura><k:NumSerieFactura>${number}</k:NumSerieFactura><k:FechaExpedicionFactura>16-11-2026</k:FechaExpedicionFactura>`

const PRESENTED =
  '<q:DatosPresentacion><k:NIFPresentador>89890001K</k:NIFPresentador><k:TimestampPresentacion>2026-11-16T10:00:02+01:00</k:TimestampPresentacion><k:IdPeticion>20261116100002000001</k:IdPeticion></q:DatosPresentacion>'

/** Everything that the published shape allows about one record, in its order. */
const DATA = `<q:NombreRazonEmisor>EMISOR</q:NombreRazonEmisor><q:RefExterna>rec-7</q:RefExterna><q:Subsanacion>S</q:Subsanacion><q:RechazoPrevio>X</q:RechazoPrevio><q:SinRegistroPrevio>N</q:SinRegistroPrevio><q:GeneradoPor>T</q:GeneradoPor><q:Generador><k:NombreRazon>G</k:NombreRazon><k:NIF>B12345674</k:NIF></q:Generador><q:TipoFactura>R1</q:TipoFactura><q:TipoRectificativa>S</q:TipoRectificativa><q:FacturasRectificadas><q:IDFacturaRectificada>${keyXml('F-1')}</q:IDFacturaRectificada><q:IDFacturaRectificada>${keyXml('F-2')}</q:IDFacturaRectificada></q:FacturasRectificadas><q:FacturasSustituidas><q:IDFacturaSustituida>${keyXml('S-1')}</q:IDFacturaSustituida></q:FacturasSustituidas><q:ImporteRectificacion><k:BaseRectificada>100.00</k:BaseRectificada><k:CuotaRectificada>21.00</k:CuotaRectificada><k:CuotaRecargoRectificado>5.20</k:CuotaRecargoRectificado></q:ImporteRectificacion><q:FechaOperacion>01-11-2026</q:FechaOperacion><q:DescripcionOperacion>Venta &amp; montaje</q:DescripcionOperacion><q:FacturaSimplificadaArt7273>N</q:FacturaSimplificadaArt7273><q:FacturaSinIdentifDestinatarioArt61d>N</q:FacturaSinIdentifDestinatarioArt61d><q:Macrodato>N</q:Macrodato><q:EmitidaPorTerceroODestinatario>T</q:EmitidaPorTerceroODestinatario><q:Tercero><k:NombreRazon>T</k:NombreRazon><k:IDOtro><k:CodigoPais>FR</k:CodigoPais><k:IDType>04</k:IDType><k:ID>9</k:ID></k:IDOtro></q:Tercero><q:Destinatarios><q:IDDestinatario><k:NombreRazon>CLIENTE</k:NombreRazon><k:NIF>89890002E</k:NIF></q:IDDestinatario><q:IDDestinatario><k:NombreRazon>KUNDE</k:NombreRazon><k:IDOtro><k:IDType>02</k:IDType><k:ID>DE123456789</k:ID></k:IDOtro></q:IDDestinatario></q:Destinatarios><q:Cupon>N</q:Cupon><q:Desglose><k:DetalleDesglose><k:Impuesto>01</k:Impuesto><k:ClaveRegimen>06</k:ClaveRegimen><k:CalificacionOperacion>S1</k:CalificacionOperacion><k:TipoImpositivo>21</k:TipoImpositivo><k:BaseImponibleOimporteNoSujeto>90</k:BaseImponibleOimporteNoSujeto><k:BaseImponibleACoste>90</k:BaseImponibleACoste><k:CuotaRepercutida>18.9</k:CuotaRepercutida><k:TipoRecargoEquivalencia>5.2</k:TipoRecargoEquivalencia><k:CuotaRecargoEquivalencia>4.68</k:CuotaRecargoEquivalencia></k:DetalleDesglose><k:DetalleDesglose><k:OperacionExenta>E1</k:OperacionExenta><k:BaseImponibleOimporteNoSujeto>1</k:BaseImponibleOimporteNoSujeto></k:DetalleDesglose></q:Desglose><q:CuotaTotal>23.58</q:CuotaTotal><q:ImporteTotal>114.58</q:ImporteTotal><q:Encadenamiento><q:RegistroAnterior>${keyXml('F-0')}<k:Huella>${'A'.repeat(64)}</k:Huella></q:RegistroAnterior></q:Encadenamiento><q:SistemaInformatico><k:NombreRazon>PRODUCTOR</k:NombreRazon><k:NIF>B12345674</k:NIF><k:NombreSistemaInformatico>Otro</k:NombreSistemaInformatico><k:IdSistemaInformatico>O1</k:IdSistemaInformatico><k:Version>1</k:Version><k:NumeroInstalacion>7</k:NumeroInstalacion><k:TipoUsoPosibleSoloVerifactu>S</k:TipoUsoPosibleSoloVerifactu><k:TipoUsoPosibleMultiOT>N</k:TipoUsoPosibleMultiOT><k:IndicadorMultiplesOT>N</k:IndicadorMultiplesOT></q:SistemaInformatico><q:FechaHoraHusoGenRegistro>2026-11-16T10:00:00+01:00</q:FechaHoraHusoGenRegistro><q:NumRegistroAcuerdoFacturacion>1</q:NumRegistroAcuerdoFacturacion><q:IdAcuerdoSistemaInformatico>2</q:IdAcuerdoSistemaInformatico><q:TipoHuella>01</q:TipoHuella><q:Huella>${HASH}</q:Huella><q:NifRepresentante>89890002E</q:NifRepresentante><q:FechaFinVeriFactu>31-12-2026</q:FechaFinVeriFactu><q:Incidencia>S</q:Incidencia>`

function stateXml(state: string, more = ''): string {
  return `<q:EstadoRegistro><q:TimestampUltimaModificacion>${CHANGED}</q:TimestampUltimaModificacion><q:EstadoRegistro>${state}</q:EstadoRegistro>${more}</q:EstadoRegistro>`
}

function item({
  number = 'F-7',
  data = DATA,
  presented = PRESENTED,
  state = stateXml('Correcto'),
} = {}): string {
  return `<q:RegistroRespuestaConsultaFactuSistemaFacturacion><q:IDFactura>${keyXml(number)}</q:IDFactura><q:DatosRegistroFacturacion>${data}</q:DatosRegistroFacturacion>${presented}${state}</q:RegistroRespuestaConsultaFactuSistemaFacturacion>`
}

const HEAD =
  '<q:Cabecera><k:IDVersion>1.0</k:IDVersion><k:ObligadoEmision><k:NombreRazon>E</k:NombreRazon><k:NIF>89890001K</k:NIF></k:ObligadoEmision><k:IndicadorRepresentante>S</k:IndicadorRepresentante></q:Cabecera>'

function answer({
  head = HEAD,
  period = '<q:Ejercicio>2026</q:Ejercicio><q:Periodo>11</q:Periodo>',
  more = 'N',
  result = 'ConDatos',
  items = item(),
  next = '',
  extra = '',
} = {}): string {
  return envelope(
    `<q:RespuestaConsultaFactuSistemaFacturacion xmlns:q="${NS_QUERY_REPLY}" xmlns:k="${NS_RECORD}">${head}<q:PeriodoImputacion>${period}</q:PeriodoImputacion><q:IndicadorPaginacion>${more}</q:IndicadorPaginacion><q:ResultadoConsulta>${result}</q:ResultadoConsulta>${items}${next}${extra}</q:RespuestaConsultaFactuSistemaFacturacion>`,
  )
}

function envelope(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><e:Envelope xmlns:e="${NS_SOAP}"><e:Header/><e:Body>${body}</e:Body></e:Envelope>`
}

const NEXT = `<q:ClavePaginacion>${keyXml('F-9 & CO'.replace('&', '&amp;'))}</q:ClavePaginacion>`

describe('the answer to a query is read', () => {
  test('with everything that the authority may state about a record', () => {
    expect(readQueryReply(answer())).toEqual({
      kind: 'answer',
      issuerNif: '89890001K',
      month: '2026-11',
      hasMore: false,
      next: null,
      items: [
        {
          key: { issuerNif: '89890001K', number: 'F-7', issueDate: '2026-11-16' },
          recordRef: 'rec-7',
          hash: HASH,
          kind: 'R1',
          taxTotal: '23.58',
          total: '114.58',
          generatedAt: '2026-11-16T10:00:00+01:00',
          state: 'Correcto',
          code: null,
          message: null,
          modifiedAt: CHANGED,
          requestId: '20261116100002000001',
          presentedAt: '2026-11-16T10:00:02+01:00',
          system: { producerId: 'B12345674', id: 'O1', installation: '7' },
          recipients: [
            { name: 'CLIENTE', id: '89890002E' },
            { name: 'KUNDE', id: 'DE123456789' },
          ],
          description: 'Venta & montaje',
        },
      ],
    })
  })

  test('with the least that it may state', () => {
    const reply = readQueryReply(answer({ items: item({ data: '', presented: '' }) }))
    expect(reply).toMatchObject({
      kind: 'answer',
      items: [
        {
          recordRef: null,
          hash: null,
          kind: null,
          taxTotal: null,
          total: null,
          generatedAt: null,
          state: 'Correcto',
          modifiedAt: CHANGED,
          requestId: null,
          presentedAt: null,
          system: null,
          recipients: [],
          description: null,
        },
      ],
    })
  })

  test('with an accepted error, and of a cancelled invoice', () => {
    const error =
      '<q:CodigoErrorRegistro>2005</q:CodigoErrorRegistro><q:DescripcionErrorRegistro>texto</q:DescripcionErrorRegistro>'
    const items =
      item({ state: stateXml('AceptadoConErrores', error) }) +
      item({ number: 'F-8', state: stateXml('Anulado') }) +
      item({ number: 'F-9', state: stateXml('Anulado', error) })
    expect(readQueryReply(answer({ items }))).toMatchObject({
      items: [
        { state: 'AceptadoConErrores', code: '2005', message: 'texto' },
        { key: { number: 'F-8' }, state: 'Anulado', code: null, message: null },
        { key: { number: 'F-9' }, state: 'Anulado', code: '2005' },
      ],
    })
  })

  test('with a producer of another country', () => {
    const other = '<k:IDOtro><k:CodigoPais>FR</k:CodigoPais><k:IDType>04</k:IDType><k:ID>X9</k:ID></k:IDOtro>'
    const data = DATA.replace(
      '<k:NombreRazon>PRODUCTOR</k:NombreRazon><k:NIF>B12345674</k:NIF>',
      `<k:NombreRazon>P</k:NombreRazon>${other}`,
    )
    expect(readQueryReply(answer({ items: item({ data }) }))).toMatchObject({
      items: [{ system: { producerId: 'X9' } }],
    })
  })

  test('with a header that names no issuer, or a recipient', () => {
    const headOf = (party: string) => `<q:Cabecera><k:IDVersion>1.0</k:IDVersion>${party}</q:Cabecera>`
    const recipient =
      '<k:Destinatario><k:NombreRazon>C</k:NombreRazon><k:NIF>89890002E</k:NIF></k:Destinatario>'
    for (const party of ['', recipient])
      expect(readQueryReply(answer({ head: headOf(party) }))).toMatchObject({ issuerNif: null, items: [{}] })
  })

  test('with nothing held', () => {
    expect(readQueryReply(answer({ result: 'SinDatos', items: '' }))).toEqual({
      kind: 'answer',
      issuerNif: '89890001K',
      month: '2026-11',
      hasMore: false,
      next: null,
      items: [],
    })
  })

  test('page by page: the next one begins where the answer says, and the last one has no next', () => {
    expect(readQueryReply(answer({ more: 'S', next: NEXT }))).toMatchObject({
      hasMore: true,
      next: { issuerNif: '89890001K', number: 'F-9 & CO', issueDate: '2026-11-16' },
    })
    expect(readQueryReply(answer({ more: 'N', next: NEXT }))).toMatchObject({ hasMore: false, next: null })
  })

  test('under any prefixes, indented, and as bytes', () => {
    const indented = answer()
      .replaceAll('><', '>\n  <')
      .replaceAll('q:', 'tikLRRC:')
      .replaceAll(':q=', ':tikLRRC=')
    expect(readQueryReply(Buffer.from(indented))).toEqual(readQueryReply(answer()))
  })

  test('when it is larger than a submission may be, up to its own limit', () => {
    const items = Array.from({ length: 3_000 }, (_, index) => item({ number: `F-${index}` })).join('')
    const reply = answer({ items })
    expect(reply.length).toBeGreaterThan(XML_LIMITS.bytes)
    expect(readQueryReply(reply)).toMatchObject({ kind: 'answer', items: { length: 3_000 } })
    const blank = ' '.repeat(LARGE_XML_LIMITS.bytes)
    expect(readQueryReply(answer() + blank)).toMatchObject({
      kind: 'unreadable',
      why: expect.stringMatching(/^too_large/),
    })
  })
})

describe('an answer to another query is detected by', () => {
  const told = (changes: Parameters<typeof answer>[0]): QueryAnswer => {
    const reply = readQueryReply(answer(changes))
    if (reply.kind !== 'answer') throw new Error(`It is ${reply.kind}.`)
    return reply
  }
  const nobody = '<q:Cabecera><k:IDVersion>1.0</k:IDVersion></q:Cabecera>'
  const nothing = { result: 'SinDatos', items: '' }

  test.each<[string, Parameters<typeof answer>[0], string, string, string | null]>([
    ['nothing: it is the right one', {}, '89890001K', '2026-11', null],
    ['nothing: it holds none', nothing, '89890001K', '2026-11', null],
    ['nothing: it names nobody', { ...nothing, head: nobody }, 'B12345674', '2026-11', null],
    ['its issuer', nothing, 'B12345674', '2026-11', 'asked B12345674, told 89890001K'],
    ['its records', { head: nobody }, 'B12345674', '2026-11', 'asked B12345674, told 89890001K'],
    ['its month', nothing, '89890001K', '2025-11', 'asked 2025-11, told 2026-11'],
  ])('%s', (_what, changes, issuerNif, month, why) => {
    expect(foreignElementIn(told(changes), issuerNif, month)).toBe(why)
  })
})

test('a fault is returned as for submissions', () => {
  const fault = envelope(
    '<e:Fault><faultcode>e:Client</faultcode><faultstring>Codigo[4104].texto</faultstring></e:Fault>',
  )
  expect(readQueryReply(fault)).toEqual({
    kind: 'fault',
    faultCode: 'Client',
    code: '4104',
    message: 'Codigo[4104].texto',
  })
})

describe('an answer that is not exactly of the published shape', () => {
  const changed = (from: string, to: string) => {
    const whole = answer()
    expect(whole).toContain(from)
    return whole.replace(from, to)
  }

  test.each([
    ['nothing', 'syntax: the document ends too early', ''],
    ['a page', 'unexpected_element: html', '<html><body><h1>503 Service Unavailable</h1></body></html>'],
    ['a cut answer', 'syntax: a closing tag without its opening tag', answer().slice(0, -60)],
    [
      'the reply to a submission',
      'unexpected_element: RespuestaRegFactuSistemaFacturacion',
      envelope(`<r:RespuestaRegFactuSistemaFacturacion xmlns:r="${NS_REPLY}"/>`),
    ],
    [
      'the namespace of replies to submissions',
      'unexpected_element: RespuestaConsultaFactuSistemaFacturacion',
      answer().replaceAll(NS_QUERY_REPLY, NS_REPLY),
    ],
    [
      'the namespace of the download folder',
      'unexpected_element: RespuestaConsultaFactuSistemaFacturacion',
      answer().replaceAll('/tike/', '/tikeV1.0/'),
    ],
    ['no header', 'missing_element: Cabecera', answer({ head: '' })],
    ['two headers', 'duplicate_element: Cabecera', answer({ head: HEAD + HEAD })],
    ['an unknown element', 'unexpected_element: Nuevo', answer({ extra: '<q:Nuevo/>' })],
    [
      'an unknown element of a record',
      'unexpected_element: Nuevo',
      answer({ items: item({ data: `${DATA}<q:Nuevo/>` }) }),
    ],
    [
      'an unknown element deep inside',
      'unexpected_element: Nuevo',
      changed('<k:ClaveRegimen>', '<k:Nuevo/><k:ClaveRegimen>'),
    ],
    [
      'a known element in the wrong place',
      'unexpected_element: IDFactura',
      answer({ items: item({ data: `${DATA}<q:IDFactura/>` }) }),
    ],
    [
      'a name of the language',
      'unexpected_element: constructor',
      answer({ items: item({ data: '<q:constructor/>' }) }),
    ],
    [
      'a child in the wrong namespace',
      'unexpected_element: IdPeticion',
      changed('<k:IdPeticion>20261116100002000001</k:IdPeticion>', '<q:IdPeticion>2</q:IdPeticion>'),
    ],
    [
      'the data in the namespace of records',
      'unexpected_element: Huella',
      changed(`<q:Huella>${HASH}</q:Huella>`, `<k:Huella>${HASH}</k:Huella>`),
    ],
    [
      'two hashes',
      'duplicate_element: Huella',
      answer({ items: item({ data: `${DATA}<q:Huella>${HASH}</q:Huella>` }) }),
    ],
    [
      'two previous records',
      'duplicate_element: RegistroAnterior',
      changed('</q:RegistroAnterior>', '</q:RegistroAnterior><q:RegistroAnterior/>'),
    ],
    [
      'two states',
      'duplicate_element: EstadoRegistro',
      answer({ items: item({ state: stateXml('Correcto') + stateXml('Anulado') }) }),
    ],
    ['no state', 'missing_element: EstadoRegistro', answer({ items: item({ state: '' }) })],
    ['no key', 'missing_element: IDFactura', changed(`<q:IDFactura>${keyXml('F-7')}</q:IDFactura>`, '')],
    [
      'half a key',
      'missing_element: NumSerieFactura',
      changed('<k:NumSerieFactura>F-7</k:NumSerieFactura>', ''),
    ],
    [
      'no data',
      'missing_element: DatosRegistroFacturacion',
      answer({ items: item().replace(/<q:Datos.*<\/q:DatosRegistroFacturacion>/, '') }),
    ],
    ['structure inside a value', 'unexpected_element: x', changed(HASH, '<k:x/>')],
    [
      'structure inside a value nobody reads',
      'unexpected_element: x',
      changed('<q:Cupon>N</q:Cupon>', '<q:Cupon><k:x/></q:Cupon>'),
    ],
    [
      'a second content of the body',
      'unexpected_element: x',
      changed(
        '</q:RespuestaConsultaFactuSistemaFacturacion>',
        '</q:RespuestaConsultaFactuSistemaFacturacion><x/>',
      ),
    ],
    [
      'text beside structure',
      'mixed_content: text beside the children of q:Desglose',
      changed('<q:Desglose>', '<q:Desglose>x'),
    ],
    [
      'text beside structure in a value',
      'mixed_content: text beside the children of q:Macrodato',
      changed('<q:Macrodato>', '<q:Macrodato><q:x/>'),
    ],
    [
      'text where parts belong',
      'mixed_content: text in Cabecera',
      answer({ head: '<q:Cabecera>E</q:Cabecera>' }),
    ],
    [
      'the state of a submission',
      'syntax: EstadoRegistro Incorrecto',
      answer({ items: item({ state: stateXml('Incorrecto') }) }),
    ],
    [
      'the state of a duplicate',
      'syntax: EstadoRegistro Anulada',
      answer({ items: item({ state: stateXml('Anulada') }) }),
    ],
    [
      'a correct record with an error',
      'syntax: a correct record with an error code',
      answer({
        items: item({ state: stateXml('Correcto', '<q:CodigoErrorRegistro>1</q:CodigoErrorRegistro>') }),
      }),
    ],
    [
      'a code that is no number',
      'syntax: CodigoErrorRegistro x',
      answer({
        items: item({ state: stateXml('Anulado', '<q:CodigoErrorRegistro>x</q:CodigoErrorRegistro>') }),
      }),
    ],
    [
      'an unknown kind of invoice',
      'syntax: TipoFactura R6',
      changed('<q:TipoFactura>R1<', '<q:TipoFactura>R6<'),
    ],
    [
      'an amount that is none',
      'syntax: ImporteTotal 114,58',
      changed('<q:ImporteTotal>114.58<', '<q:ImporteTotal>114,58<'),
    ],
    ['an impossible day', 'syntax: 31-11-2026 is not a day', changed('16-11-2026', '31-11-2026')],
    ['a change without its time', 'syntax:  is not an instant', changed(CHANGED, '')],
    [
      'a time without an offset',
      'syntax: 2026-11-16T10:00:05 is not an instant',
      changed(CHANGED, '2026-11-16T10:00:05'),
    ],
    [
      'a month that is none',
      'syntax: PeriodoImputacion 2026 13',
      answer({ period: '<q:Ejercicio>2026</q:Ejercicio><q:Periodo>13</q:Periodo>' }),
    ],
    ['no month', 'missing_element: Periodo', answer({ period: '<q:Ejercicio>2026</q:Ejercicio>' })],
    ['an unknown result', 'syntax: ResultadoConsulta Datos', answer({ result: 'Datos' })],
    ['an unknown paging mark', 'syntax: IndicadorPaginacion X', answer({ more: 'X' })],
    ['data that is not there', 'syntax: ResultadoConsulta contradicts the records', answer({ items: '' })],
    [
      'data that should not be there',
      'syntax: ResultadoConsulta contradicts the records',
      answer({ result: 'SinDatos' }),
    ],
    [
      'more pages without their key',
      'syntax: IndicadorPaginacion without a next page',
      answer({ more: 'S' }),
    ],
    [
      'more pages of nothing',
      'syntax: IndicadorPaginacion without a next page',
      answer({ more: 'S', next: NEXT, result: 'SinDatos', items: '' }),
    ],
    ['two next pages', 'duplicate_element: ClavePaginacion', answer({ more: 'S', next: NEXT + NEXT })],
    [
      'half a next page',
      'missing_element: IDEmisorFactura',
      answer({ more: 'S', next: '<q:ClavePaginacion/>' }),
    ],
    [
      'a customer with two identifications',
      'duplicate_element: NIF and IDOtro',
      changed(
        '<k:NIF>89890002E</k:NIF>',
        '<k:NIF>89890002E</k:NIF><k:IDOtro><k:IDType>04</k:IDType><k:ID>1</k:ID></k:IDOtro>',
      ),
    ],
    ['a customer without identification', 'missing_element: NIF', changed('<k:NIF>89890002E</k:NIF>', '')],
    [
      'a system without its installation',
      'missing_element: NumeroInstalacion',
      changed('<k:NumeroInstalacion>7</k:NumeroInstalacion>', ''),
    ],
  ])('is unreadable: %s: %s', (_what, why, xml) => {
    expect(readQueryReply(xml)).toEqual({ kind: 'unreadable', why })
  })

  test('never makes the reader throw or lose a record, whatever the damage', () => {
    const good = answer()
    fc.assert(
      fc.property(
        fc.nat(good.length - 1),
        fc.nat(40),
        fc.constantFrom('', '<', '>', '"', 'x', '\u0000'),
        (start, length, put) => {
          const reply = readQueryReply(good.slice(0, start) + put + good.slice(start + length))
          expect(['answer', 'unreadable']).toContain(reply.kind)
          if (reply.kind === 'answer') expect(reply.items).toHaveLength(1)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
