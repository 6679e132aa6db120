/** Answers of the authority in the words of the queue. */
import { describe, expect, test } from 'vitest'
import {
  NS_RECORD,
  NS_REPLY,
  NS_SOAP,
} from '../../../../../../server/registry/systems/verifactu/wire/namespaces.ts'
import { verifactuWire } from '../../../../../../server/registry/systems/verifactu/wire/port.ts'

const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><e:Envelope xmlns:e="${NS_SOAP}"><e:Body>${body}</e:Body></e:Envelope>`

const fault = (blame: string, text: string): string =>
  envelope(`<e:Fault><faultcode>${blame}</faultcode><faultstring>${text}</faultstring></e:Fault>`)

function refusal(code: string, { operation = 'Alta', held = '' } = {}): string {
  const key =
    '<t:IDFactura><k:IDEmisorFactura>89890001K</k:IDEmisorFactura><k:NumSerieFactura>F-1</k:NumSerieFactura><k:FechaExpedicionFactura>16-11-2026</k:FechaExpedicionFactura></t:IDFactura>'
  const duplicate = held
    ? `<t:RegistroDuplicado><k:IdPeticionRegistroDuplicado>1</k:IdPeticionRegistroDuplicado><k:EstadoRegistroDuplicado>${held}</k:EstadoRegistroDuplicado></t:RegistroDuplicado>`
    : ''
  return envelope(
    `<t:RespuestaRegFactuSistemaFacturacion xmlns:t="${NS_REPLY}" xmlns:k="${NS_RECORD}"><t:Cabecera><k:ObligadoEmision><k:NombreRazon>E</k:NombreRazon><k:NIF>89890001K</k:NIF></k:ObligadoEmision></t:Cabecera><t:TiempoEsperaEnvio>60</t:TiempoEsperaEnvio><t:EstadoEnvio>Incorrecto</t:EstadoEnvio><t:RespuestaLinea>${key}<t:Operacion><k:TipoOperacion>${operation}</k:TipoOperacion></t:Operacion><t:RefExterna>rec-1</t:RefExterna><t:EstadoRegistro>Incorrecto</t:EstadoRegistro><t:CodigoErrorRegistro>${code}</t:CodigoErrorRegistro>${duplicate}</t:RespuestaLinea></t:RespuestaRegFactuSistemaFacturacion>`,
  )
}

describe('a rejected record', () => {
  test.each([
    ['is final', refusal('1110'), 'final'],
    ['is sent again after a failure on their side', refusal('3500'), 'again'],
    ['was annulled already', refusal('3001', { operation: 'Anulacion' }), 'done'],
    ['is final where a registration is told to be annulled', refusal('3001'), 'final'],
    ['is held', refusal('3000', { held: 'Correcta' }), 'taken'],
    ['is held and annulled', refusal('3000', { held: 'Anulada' }), 'cancelled'],
    ['is held by the cancellation', refusal('3000', { held: 'Anulada', operation: 'Anulacion' }), 'taken'],
    ['is final without word of what is held', refusal('3000'), 'final'],
  ])('%s', (_what, xml, rejection) => {
    expect(verifactuWire.read(xml)).toMatchObject({
      kind: 'answer',
      issuerNif: '89890001K',
      receipt: null,
      waitSeconds: 60,
      outcomes: [{ recordRef: 'rec-1', number: 'F-1', state: 'rejected', rejection }],
    })
  })
})

describe('a message refused as a whole', () => {
  test.each([
    ['e:Client', 'Codigo[4102].Schema', { kind: 'refused', code: '4102', treatment: 'find_record' }],
    ['e:Client', 'Codigo[4141].Suspended', { kind: 'refused', code: '4141', treatment: 'stop' }],
    ['e:Client', 'Without a code', { kind: 'refused', code: null, treatment: 'hold' }],
    ['e:Server', 'Codigo[103].Busy', { kind: 'unknown', outcome: 'fault', detail: '103' }],
  ])('blames %s: %s', (blame, text, reading) => {
    expect(verifactuWire.read(fault(blame, text))).toMatchObject(reading)
  })

  test('is unknown when it cannot be read', () => {
    expect(verifactuWire.read('<html/>')).toMatchObject({ kind: 'unknown', outcome: 'unreadable' })
  })
})

test('a key is asked for in each month that it may be filed under, once', () => {
  const key = { issuerNif: '89890001K', number: 'F-1', issueDate: '2026-11-02' }
  const days = ['2026-10-31', null, '2026-11-02', '2026-10-30']
  const questions = verifactuWire.questions({ name: 'E', nif: '89890001K' }, { ...key, days })
  expect(questions.map(({ message }) => /<sf:Periodo>(\d\d)</.exec(message)?.[1])).toEqual(['10', '11'])
})
