import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  NS_RECORD,
  NS_REPLY,
  NS_SOAP,
} from '../../../../../../server/registry/systems/verifactu/wire/namespaces.ts'
import { readReply } from '../../../../../../server/registry/systems/verifactu/wire/reply.ts'

const KEY =
  '<t:IDFactura><k:IDEmisorFactura>89890001K</k:IDEmisorFactura><k:NumSerieFactura>FV-2 &amp; CO</k:NumSerieFactura><k:FechaExpedicionFactura>16-11-2026</k:FechaExpedicionFactura></t:IDFactura>'

function line(rest: string, operation = 'Alta'): string {
  return `<t:RespuestaLinea>${KEY}<t:Operacion><k:TipoOperacion>${operation}</k:TipoOperacion></t:Operacion>${rest}</t:RespuestaLinea>`
}

const CORRECT = line('<t:RefExterna>rec_1</t:RefExterna><t:EstadoRegistro>Correcto</t:EstadoRegistro>')
const HEAD =
  '<t:CSV>A-SAMPLE00000001</t:CSV><t:DatosPresentacion><k:NIFPresentador>89890001K</k:NIFPresentador><k:TimestampPresentacion>2026-11-16T10:00:02+01:00</k:TimestampPresentacion></t:DatosPresentacion>'

function answer({ head = HEAD, wait = '60', state = 'Correcto', lines = CORRECT, extra = '' } = {}): string {
  return envelope(
    `<t:RespuestaRegFactuSistemaFacturacion xmlns:t="${NS_REPLY}" xmlns:k="${NS_RECORD}">${head}<t:Cabecera><k:ObligadoEmision><k:NombreRazon>E</k:NombreRazon><k:NIF>89890001K</k:NIF></k:ObligadoEmision></t:Cabecera><t:TiempoEsperaEnvio>${wait}</t:TiempoEsperaEnvio><t:EstadoEnvio>${state}</t:EstadoEnvio>${lines}${extra}</t:RespuestaRegFactuSistemaFacturacion>`,
  )
}

function envelope(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><e:Envelope xmlns:e="${NS_SOAP}"><e:Header/><e:Body>${body}</e:Body></e:Envelope>`
}

function fault(code: string, text: string): string {
  return envelope(
    `<e:Fault><faultcode>${code}</faultcode><faultstring>${text}</faultstring><detail><x/></detail></e:Fault>`,
  )
}

describe('the reply to a submission is read', () => {
  test('when it is correct, under any prefixes', () => {
    expect(readReply(answer())).toEqual({
      kind: 'answer',
      csv: 'A-SAMPLE00000001',
      presentedAt: '2026-11-16T10:00:02+01:00',
      issuerNif: '89890001K',
      waitSeconds: 60,
      state: 'Correcto',
      lines: [
        {
          issuerNif: '89890001K',
          number: 'FV-2 & CO',
          issueDate: '2026-11-16',
          operation: 'registration',
          recordRef: 'rec_1',
          state: 'Correcto',
        },
      ],
    })
  })

  test('with texts for people, without characters that hide or reorder them', () => {
    const hostile = 'No\u202e\u200b consta\u{e0041} \n  el NIF'
    const rejected = line(
      `<t:EstadoRegistro>Incorrecto</t:EstadoRegistro><t:CodigoErrorRegistro>1104</t:CodigoErrorRegistro><t:DescripcionErrorRegistro>${hostile}</t:DescripcionErrorRegistro>`,
    )
    expect(readReply(answer({ state: 'Incorrecto', lines: rejected }))).toMatchObject({
      lines: [{ message: 'No consta el NIF' }],
    })
    expect(readReply(fault('e:Client', `Codigo[4102].${hostile}`))).toMatchObject({
      code: '4102',
      message: 'Codigo[4102].No consta el NIF',
    })
  })

  test('with errors, duplicates and cancellations', () => {
    const accepted = line(
      '<t:EstadoRegistro>AceptadoConErrores</t:EstadoRegistro><t:CodigoErrorRegistro>2005</t:CodigoErrorRegistro><t:DescripcionErrorRegistro>texto</t:DescripcionErrorRegistro>',
    )
    const duplicate = line(
      '<t:EstadoRegistro>Incorrecto</t:EstadoRegistro><t:CodigoErrorRegistro>3000</t:CodigoErrorRegistro><t:DescripcionErrorRegistro>d</t:DescripcionErrorRegistro><t:RegistroDuplicado><k:IdPeticionRegistroDuplicado>20261116100002000001</k:IdPeticionRegistroDuplicado><k:EstadoRegistroDuplicado>AceptadaConErrores</k:EstadoRegistroDuplicado><k:CodigoErrorRegistro>2000</k:CodigoErrorRegistro></t:RegistroDuplicado>',
      'Anulacion',
    )
    const reply = readReply(answer({ state: 'ParcialmenteCorrecto', lines: CORRECT + accepted + duplicate }))
    expect(reply).toMatchObject({
      state: 'ParcialmenteCorrecto',
      lines: [
        { state: 'Correcto' },
        { state: 'AceptadoConErrores', code: '2005', message: 'texto' },
        {
          state: 'Incorrecto',
          operation: 'cancellation',
          code: '3000',
          duplicate: { requestId: '20261116100002000001', state: 'AceptadaConErrores', code: '2000' },
        },
      ],
    })
  })

  test('with an empty wait, which keeps the previous one, and without CSV', () => {
    const rejected = line('<t:EstadoRegistro>Incorrecto</t:EstadoRegistro>')
    const reply = readReply(answer({ head: '', wait: '', state: 'Incorrecto', lines: rejected }))
    expect(reply).toMatchObject({ kind: 'answer', waitSeconds: null, state: 'Incorrecto' })
    expect(reply).not.toHaveProperty('csv')
    expect(reply).not.toHaveProperty('presentedAt')
  })
})

describe('a fault', () => {
  test("of the header has the authority's code", () => {
    expect(readReply(fault('env:Client', 'Codigo[4104].texto. NIF:89890001K. NOMBRE_RAZON:E'))).toEqual({
      kind: 'fault',
      faultCode: 'Client',
      code: '4104',
      message: 'Codigo[4104].texto. NIF:89890001K. NOMBRE_RAZON:E',
    })
  })

  test('of the server has no code', () => {
    expect(readReply(fault('Server', ' Internal error '))).toEqual({
      kind: 'fault',
      faultCode: 'Server',
      message: 'Internal error',
    })
  })
})

describe('a reply that is not exactly of a known shape', () => {
  test.each([
    ['nothing', ''],
    ['a page', '<html><body><h1>503 Service Unavailable</h1></body></html>'],
    ['JSON', '{"ok":true}'],
    ['a DOCTYPE', answer().replace('<e:Envelope', '<!DOCTYPE x><e:Envelope')],
    ['a cut reply', answer().slice(0, -40)],
    ['an empty body', envelope('')],
    ['two bodies in one', envelope('<a/><b/>')],
    ['something after the answer', answer().replace('</e:Body>', '<x/></e:Body>')],
    ['something before the body', answer().replace('<e:Body>', '<e:Other/><e:Body>')],
    ['another SOAP version', answer().replaceAll(NS_SOAP, 'http://www.w3.org/2003/05/soap-envelope')],
    ['the namespace of the download folder', answer().replaceAll('/tike/', '/tikeV1.0/')],
    ['children in the wrong namespace', answer().replaceAll('k:NumSerieFactura', 't:NumSerieFactura')],
    ['an unknown state', answer({ state: 'Aceptado' })],
    ['an unknown record state', answer({ lines: line('<t:EstadoRegistro>Correcta</t:EstadoRegistro>') })],
    [
      'two states in one record',
      answer({
        lines: line(
          '<t:EstadoRegistro>Correcto</t:EstadoRegistro><t:EstadoRegistro>Incorrecto</t:EstadoRegistro>',
        ),
      }),
    ],
    ['two overall states', answer({ extra: '<t:EstadoEnvio>Correcto</t:EstadoEnvio>' })],
    [
      'a correct record with an error',
      answer({
        lines: line(
          '<t:EstadoRegistro>Correcto</t:EstadoRegistro><t:CodigoErrorRegistro>2000</t:CodigoErrorRegistro>',
        ),
      }),
    ],
    [
      'a whole that contradicts its parts',
      answer({ lines: line('<t:EstadoRegistro>Incorrecto</t:EstadoRegistro>') }),
    ],
    ['another contradiction', answer({ state: 'Incorrecto' })],
    ['an unknown element', answer({ extra: '<t:Nuevo/>' })],
    [
      'an unknown element in a record',
      answer({ lines: line('<t:EstadoRegistro>Correcto</t:EstadoRegistro><t:Nuevo/>') }),
    ],
    [
      'a code that is no number',
      answer({
        lines: line(
          '<t:EstadoRegistro>Incorrecto</t:EstadoRegistro><t:CodigoErrorRegistro>30a</t:CodigoErrorRegistro>',
        ),
        state: 'Incorrecto',
      }),
    ],
    [
      'an unknown operation',
      answer({ lines: line('<t:EstadoRegistro>Correcto</t:EstadoRegistro>', 'Baja') }),
    ],
    ['an impossible day', answer().replace('16-11-2026', '31-02-2026')],
    ['a bad time', answer().replace('T10:00:02+01:00', ' 10:00')],
    ['a bad wait', answer({ wait: '60 s' })],
    ['structure inside a value', answer().replace('A-SAMPLE00000001', '<k:x/>')],
    ['a fault without a code', envelope('<e:Fault><faultstring>x</faultstring></e:Fault>')],
    ['a request', envelope('<x xmlns="urn:other"/>')],
  ])('is unreadable, never a success: %s', (_what, xml) => {
    const reply = readReply(xml)
    expect(reply.kind).toBe('unreadable')
    expect(reply).toHaveProperty('why')
  })

  test('never makes the reader throw', () => {
    const good = answer()
    fc.assert(
      fc.property(
        fc.nat(good.length - 1),
        fc.nat(40),
        fc.constantFrom('', '<', '>', '"', 'x', '\u0000'),
        (start, length, put) => {
          const reply = readReply(good.slice(0, start) + put + good.slice(start + length))
          expect(['answer', 'fault', 'unreadable']).toContain(reply.kind)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
