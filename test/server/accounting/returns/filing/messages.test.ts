/** Messages of the agency's services, and their answers: only a whole answer is certain. */
import { describe, expect, test } from 'vitest'
import { createFilingService } from '../../../../../server/accounting/returns/filing/aeat/index.ts'
import type {
  HttpMessage,
  HttpOutcome,
  Transport,
} from '../../../../../server/accounting/returns/filing/service.ts'

const FILE = { model: '303', year: 2026, period: '1T', text: '<T303020261T0000>Ñ Ç "\\</T303020261T0000>' }
const SIGNER = { nif: 'B12345674', name: 'Ferretería Núñez, S.L.' }
/** Another than the signer: the file and the questions name the filer, the certificate the signer. */
const FILER = { nif: 'A28000982', name: 'Empresa, S.A.' }
const ASKED = { ...SIGNER, model: '303', year: 2026, period: '1T' }

const answered = (body: string | Uint8Array, status = 200): HttpOutcome => ({
  kind: 'answered',
  status,
  headers: {},
  body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
})

/** Returns the services over a transport that answers the same to everything. */
function serviceWith(outcome: HttpOutcome) {
  const sent: HttpMessage[] = []
  const transport: Transport = async (message) => {
    sent.push(message)
    return outcome
  }
  return { service: createFilingService(transport), sent }
}

const filed = (outcome: HttpOutcome) =>
  serviceWith(outcome).service.file(FILE, { filer: FILER, signer: SIGNER }, null)
const validated = (outcome: HttpOutcome) => serviceWith(outcome).service.validate(FILE)
const queried = (outcome: HttpOutcome) => serviceWith(outcome).service.query(ASKED)
const documented = (outcome: HttpOutcome) => serviceWith(outcome).service.document('ABCD1234EFGH5678')

const PAGE =
  '<!DOCTYPE html><html><head><title>Mantenimiento</title></head><body>Vuelva más tarde.</body></html>'

/** Answers that no service gives, whatever was asked. */
const USELESS: readonly (readonly [name: string, outcome: HttpOutcome])[] = [
  ['a page', answered(PAGE)],
  ['an error page', answered(PAGE, 500)],
  ['a redirect', answered('', 302)],
  ['a redirect with a page', answered(PAGE, 302)],
  ['nothing', answered('')],
  ['a blank', answered(' ')],
  ['null', answered('null')],
  ['a number', answered('42')],
  ['a list', answered('[]')],
  ['an empty object', answered('{}')],
  ['an empty answer', answered('{"respuesta":{}}')],
  ['a text for an answer', answered('{"respuesta":"correcta"}')],
  ['bytes', answered(Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
]

const CORRECT = {
  FormaPago: '',
  CodigoSeguroVerificacion: 'ABCD1234EFGH5678',
  Fecha: '2026-04-14',
  Hora: '10:32',
  Expediente: '202630300000001A',
  NIFPresentador: 'B12345674',
  Modelo: '303',
  Ejercicio: '2026',
  Periodo: '1T',
  Justificante: '3030000000001',
  urlPdf: 'https://example.invalid/doc?CSV=ABCD1234EFGH5678',
  avisos: ['Aviso uno'],
  advertencias: ['Advertencia uno'],
}
const accepted = (changes: object = {}) =>
  JSON.stringify({ respuesta: { correcta: { ...CORRECT, ...changes } } })
const refusal = (...errores: unknown[]) => JSON.stringify({ respuesta: { errores } })

const RECEIPT = {
  csv: 'ABCD1234EFGH5678',
  receipt: '3030000000001',
  registerNumber: '202630300000001A',
  presentedAt: '2026-04-14 10:32',
  documentUrl: 'https://example.invalid/doc?CSV=ABCD1234EFGH5678',
  notices: ['Aviso uno', 'Advertencia uno'],
  presented: {
    presenterNif: 'B12345674',
    presenterName: null,
    presenterAs: null,
    declarantNif: null,
    declarantName: null,
  },
  exchangeId: null,
}

/** Returns a text with the names of its members in another case. */
const inCase = (text: string, change: (name: string) => string): string =>
  text.replace(/"(\w+)":/g, (_all, name: string) => `"${change(name)}":`)

describe('a filing', () => {
  test('is one message with the file, who signs it, and the certificate', async () => {
    const { service, sent } = serviceWith(answered(accepted()))
    await service.file(FILE, { filer: FILER, signer: SIGNER }, '3031234567890123456789')
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      method: 'POST',
      path: '/wlpl/PFTW-PICW/PresBasicaDos',
      headers: { 'content-type': 'application/json;charset=UTF-8' },
      certificate: true,
    })
    expect(JSON.parse(Buffer.from(sent[0]!.body).toString('utf8'))).toEqual({
      MODELO: '303',
      EJERCICIO: '2026',
      PERIODO: '1T',
      NRC: '3031234567890123456789',
      IDI: 'ES',
      F01: FILE.text,
      FIR: 'FirmaBasica',
      FIRNIF: SIGNER.nif,
      FIRNOMBRE: SIGNER.name,
    })
    await service.file(FILE, { filer: FILER, signer: SIGNER }, null)
    expect(JSON.parse(Buffer.from(sent[1]!.body).toString('utf8'))).toMatchObject({ NRC: '' })
  })

  test('is accepted with its receipt, whatever the case of the names', async () => {
    const expected = { kind: 'accepted', receipt: RECEIPT }
    expect(await filed(answered(accepted()))).toEqual(expected)
    for (const change of [
      (name: string) => name.toUpperCase(),
      (name: string) => name.toLowerCase(),
      (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase(),
    ])
      expect(await filed(answered(inCase(accepted(), change)))).toEqual(expected)
  })

  test('is accepted with who filed it, for whom and in which capacity, as the answer names them', async () => {
    const named = {
      NIFPresentador: '12345678Z',
      ApellidosNombrePresentador: 'NUÑEZ ANA',
      TipoRepresentacion: 'Apoderado',
      NIFDeclarante: 'A28000982',
      ApellidosNombreDeclarante: 'EMPRESA SA',
    }
    expect(await filed(answered(accepted(named)))).toMatchObject({
      kind: 'accepted',
      receipt: {
        presented: {
          presenterNif: '12345678Z',
          presenterName: 'NUÑEZ ANA',
          presenterAs: 'Apoderado',
          declarantNif: 'A28000982',
          declarantName: 'EMPRESA SA',
        },
      },
    })
  })

  test('is accepted with its code alone, and beside an empty list of errors', async () => {
    const alone = { respuesta: { correcta: { CodigoSeguroVerificacion: 'ABCD1234EFGH5678' }, errores: [] } }
    expect(await filed(answered(JSON.stringify(alone)))).toEqual({
      kind: 'accepted',
      receipt: {
        csv: 'ABCD1234EFGH5678',
        receipt: null,
        registerNumber: null,
        presentedAt: '',
        documentUrl: null,
        notices: [],
        presented: null,
        exchangeId: null,
      },
    })
  })

  test.each([
    ['no code', { CodigoSeguroVerificacion: undefined }],
    ['an empty code', { CodigoSeguroVerificacion: ' ' }],
    ['a short code', { CodigoSeguroVerificacion: 'ABCD1234' }],
    ['a number for a code', { CodigoSeguroVerificacion: 1_234_567_890_123_456 }],
    ['small letters in the code', { CodigoSeguroVerificacion: 'abcd1234efgh5678' }],
  ])('with %s is unknown', async (_name, changes) => {
    expect(await filed(answered(accepted(changes)))).toMatchObject({ kind: 'unknown' })
  })

  test.each([201, 202, 302, 400, 500, 503])('that is accepted with status %i is unknown', async (status) => {
    expect(await filed(answered(accepted(), status))).toMatchObject({
      kind: 'unknown',
      detail: expect.stringContaining(String(status)),
    })
  })

  test('is refused with the errors of the agency, known or not', async () => {
    const errors = ['E0100803 - Dos blancos seguidos.', 'Z9999 - Nunca visto.']
    expect(await filed(answered(refusal(...errors)))).toEqual({ kind: 'refused', errors })
    expect(await filed(answered(inCase(refusal(...errors), (name) => name.toUpperCase())))).toEqual({
      kind: 'refused',
      errors,
    })
  })

  test('is refused with at most 100 errors of at most 500 characters', async () => {
    const many = Array.from({ length: 250 }, (_, at) => `E${at} - ${'x'.repeat(2_000)}`)
    const answer = await filed(answered(refusal(...many)))
    if (answer.kind !== 'refused') throw new Error(answer.kind)
    expect(answer.errors).toHaveLength(100)
    expect(answer.errors.every((error) => error.length === 500)).toBe(true)
  })

  test('with errors that are no texts is refused, and they can be read', async () => {
    const answer = await filed(answered(refusal({ codigo: 'E010321', descripcion: 'Tipo' }, 7)))
    expect(answer).toEqual({
      kind: 'refused',
      errors: ['{"codigo":"E010321","descripcion":"Tipo"}', '7'],
    })
  })

  test('that is both accepted and refused is unknown', async () => {
    for (const correcta of [CORRECT, {}, { Justificante: '3030000000001' }]) {
      const both = JSON.stringify({ respuesta: { correcta, errores: ['E0100803 - x'] } })
      expect(await filed(answered(both))).toMatchObject({ kind: 'unknown' })
    }
  })

  test.each(USELESS)('answered with %s is unknown', async (_name, outcome) => {
    expect(await filed(outcome)).toMatchObject({ kind: 'unknown', detail: expect.stringMatching(/./) })
  })

  test('of which half an answer is left is unknown, wherever it breaks off', async () => {
    for (const whole of [accepted(), refusal('E0100803 - Dos blancos.', 'EDID065 - Cuenta.')]) {
      const bytes = Buffer.from(whole, 'utf8')
      let halves = 0
      for (let at = 0; at < bytes.length; at += 13) {
        expect(await filed(answered(bytes.subarray(0, at))), String(at)).toMatchObject({ kind: 'unknown' })
        halves += 1
      }
      expect(halves).toBeGreaterThan(5)
      expect((await filed(answered(bytes))).kind).not.toBe('unknown')
    }
  })

  test('without an answer is unknown, and one that never left is not sent', async () => {
    expect(await filed({ kind: 'no_answer', detail: 'ECONNRESET' })).toEqual({
      kind: 'unknown',
      detail: 'ECONNRESET',
    })
    const notSent = { kind: 'not_sent', reason: 'unreachable', detail: 'ECONNREFUSED' } as const
    expect(await filed(notSent)).toEqual(notSent)
  })
})

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\nstartxref\n9\n%%EOF\n', 'latin1')

describe('a validation', () => {
  const valid = (...pdf: unknown[]) => JSON.stringify({ RESPUESTA: { AVISOS: ['Aviso'], PDF: pdf } })

  test('is a message without a certificate and without a signer', async () => {
    const { service, sent } = serviceWith(answered(valid()))
    await service.validate(FILE)
    expect(sent[0]).toMatchObject({ path: '/wlpl/PFTW-PICW/ServValiDos', certificate: false })
    const body = Buffer.from(sent[0]!.body).toString('utf8')
    expect(JSON.parse(body)).toEqual({
      MODELO: '303',
      EJERCICIO: '2026',
      PERIODO: '1T',
      IDI: 'ES',
      F01: FILE.text,
    })
  })

  test('answers the notices and the draft, whatever the case of the names', async () => {
    const expected = { kind: 'valid', notices: ['Aviso'], draft: new Uint8Array(PDF) }
    const whole = valid(PDF.toString('base64'))
    expect(await validated(answered(whole))).toEqual(expected)
    expect(await validated(answered(inCase(whole, (name) => name.toLowerCase())))).toEqual(expected)
  })

  test.each([
    ['none', []],
    ['no base64', ['%%%']],
    ['a page', [Buffer.from(PAGE).toString('base64')]],
    ['half a PDF', [PDF.subarray(0, 30).toString('base64')]],
    ['a number', [7]],
  ])('is valid without a draft if that is %s', async (_name, pdf) => {
    expect(await validated(answered(valid(...pdf)))).toEqual({
      kind: 'valid',
      notices: ['Aviso'],
      draft: null,
    })
  })

  test('lists what is wrong', async () => {
    expect(await validated(answered(refusal('E010321 - Tipo.')))).toEqual({
      kind: 'invalid',
      errors: ['E010321 - Tipo.'],
    })
  })

  test.each(USELESS)('answered with %s is unavailable', async (_name, outcome) => {
    expect(await validated(outcome)).toMatchObject({ kind: 'unavailable' })
  })

  test('of which half an answer is left, or none, is unavailable', async () => {
    const bytes = Buffer.from(valid(PDF.toString('base64')), 'utf8')
    for (let at = 0; at < bytes.length; at += 13)
      expect(await validated(answered(bytes.subarray(0, at))), String(at)).toMatchObject({
        kind: 'unavailable',
      })
    expect(await validated({ kind: 'no_answer', detail: 'x' })).toEqual({ kind: 'unavailable', detail: 'x' })
    expect(await validated({ kind: 'not_sent', reason: 'unreachable', detail: 'y' })).toEqual({
      kind: 'unavailable',
      detail: 'y',
    })
    expect(await validated(answered(valid(), 500))).toMatchObject({ kind: 'unavailable' })
  })
})

describe('a query', () => {
  const ENTRY = {
    ejercicio: '2026',
    modelo: '303',
    periodo: '1T',
    nif: 'B12345674',
    csv: 'ABCD1234EFGH5678',
    expediente: '202630300000001A',
    justificante: '3030000000001',
    fechaYHoraPresentacion: '2026-04-14T10:32:00',
  }
  const element = (name: string, text: string) => `<${name}>${text}</${name}>`
  const entry = (changes: Record<string, string | undefined> = {}) =>
    element(
      'respuestaCorrecta',
      Object.entries({ ...ENTRY, ...changes })
        .map(([name, text]) => (text === undefined ? '' : element(name, text)))
        .join(''),
    )
  const root = (content: string) => element('servicioConsultasDirectas', content)
  const DECLARED = {
    csv: 'ABCD1234EFGH5678',
    receipt: '3030000000001',
    registerNumber: '202630300000001A',
    presentedAt: '2026-04-14T10:32:00',
  }

  test('is a form with the filer and the period, and the certificate', async () => {
    const { service, sent } = serviceWith(answered(root('')))
    await service.query(ASKED)
    expect(sent[0]).toMatchObject({
      path: '/wlpl/SCEJ-MANT/ConsultaExt',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      certificate: true,
    })
    expect([...new URLSearchParams(Buffer.from(sent[0]!.body).toString('utf8'))]).toEqual([
      ['NIF', 'B12345674'],
      ['ANR', 'Ferretería Núñez, S.L.'],
      ['MOD', '303'],
      ['EJF', '2026'],
      ['PER', '1T'],
      ['FED', ''],
      ['FEH', ''],
      ['HOD', ''],
      ['HOH', ''],
    ])
  })

  test('finds one return, several, or none', async () => {
    expect(await queried(answered(root(entry())))).toEqual({ kind: 'found', declared: [DECLARED] })
    const second = { csv: 'ZZZZ1234EFGH5678', justificante: '3030000000002' }
    expect(await queried(answered(root(entry() + entry(second))))).toEqual({
      kind: 'found',
      declared: [DECLARED, { ...DECLARED, csv: 'ZZZZ1234EFGH5678', receipt: '3030000000002' }],
    })
    expect(await queried(answered(root('')))).toEqual({ kind: 'none' })
    expect(await queried(answered('<servicioConsultasDirectas/>'))).toEqual({ kind: 'none' })
  })

  test('reads the same answer with a declaration, blanks and a namespace', async () => {
    const written = `<?xml version="1.0" encoding="UTF-8"?>\n<c:servicioConsultasDirectas xmlns:c="urn:c">\n ${entry()}\n</c:servicioConsultasDirectas>\n`
    expect(await queried(answered(written))).toEqual({ kind: 'found', declared: [DECLARED] })
  })

  test('finds a return without a receipt and a register number', async () => {
    const bare = entry({ justificante: undefined, expediente: '' })
    expect(await queried(answered(root(bare)))).toEqual({
      kind: 'found',
      declared: [{ ...DECLARED, receipt: null, registerNumber: null }],
    })
  })

  test.each([
    ['a return without a code', root(entry({ csv: undefined }))],
    ['a return with an empty code', root(entry({ csv: ' ' }))],
    ['a return without a time', root(entry({ fechaYHoraPresentacion: undefined }))],
    ['a whole return and one without a code', root(entry() + entry({ csv: undefined }))],
    ['a return of another model', root(entry({ modelo: '130' }))],
    ['a return of another year', root(entry({ ejercicio: '2025' }))],
    ['a return of another period', root(entry({ periodo: '2T' }))],
    ['a return of another filer', root(entry({ nif: 'A58818501' }))],
    ['an error', root(element('error', element('descripcionError', 'Servicio cerrado')))],
    ['an error without a text', root('<error/>')],
    ['a return and an error', root(entry() + element('error', element('descripcionError', 'x')))],
    ['an element that is not known', root('<aviso>x</aviso>')],
    ['text where returns belong', root('En mantenimiento')],
    ['a foreign root', `<html>${entry()}</html>`],
    ['a foreign root that is empty', '<respuesta/>'],
    ['a DOCTYPE', `<!DOCTYPE servicioConsultasDirectas>${root('')}`],
    ['an entity of its own', `<!DOCTYPE a [<!ENTITY b "c">]>${root(entry({ csv: '&b;' }))}`],
    ['two roots', root('') + root(entry())],
    ['a member without an end', root(entry()).replace('</csv>', '')],
    ['JSON', accepted()],
  ])('answered with %s says nothing', async (_name, body) => {
    expect(await queried(answered(body))).toMatchObject({
      kind: 'unavailable',
      detail: expect.stringMatching(/./),
    })
  })

  test('gives the words of an error', async () => {
    const error = root(element('error', element('descripcionError', 'Certificado no válido')))
    expect(await queried(answered(error))).toEqual({ kind: 'unavailable', detail: 'Certificado no válido' })
  })

  test.each(USELESS)('answered with %s says nothing', async (_name, outcome) => {
    expect(await queried(outcome)).toMatchObject({ kind: 'unavailable' })
  })

  test('with another status, with half an answer or without one says nothing', async () => {
    for (const status of [201, 302, 403, 500])
      expect(await queried(answered(root(''), status))).toMatchObject({ kind: 'unavailable' })
    for (const whole of [root(entry()), root(''), root(entry() + entry({ csv: 'ZZZZ1234EFGH5678' }))]) {
      const bytes = Buffer.from(whole, 'utf8')
      for (let at = 0; at < bytes.length; at += 7)
        expect(await queried(answered(bytes.subarray(0, at))), String(at)).toMatchObject({
          kind: 'unavailable',
        })
    }
    expect(await queried({ kind: 'no_answer', detail: 'x' })).toEqual({ kind: 'unavailable', detail: 'x' })
  })
})

describe('a document', () => {
  test('is asked for by its code, without a certificate', async () => {
    const { service, sent } = serviceWith(answered(PDF))
    expect(await service.document('ABCD1234EFGH5678')).toEqual(PDF)
    expect(sent[0]).toMatchObject({
      method: 'GET',
      path: '/wlpl/inwinvoc/es.aeat.dit.adu.eeca.catalogo.vis.VisualizaSc?COMPLETA=SI&ORIGEN=E&NIF=&CSV=ABCD1234EFGH5678',
      certificate: false,
    })
    expect(sent[0]!.body).toHaveLength(0)
  })

  test.each([
    ...USELESS,
    ['a PDF with another status', answered(PDF, 404)],
    ['a PDF after something else', answered(Buffer.concat([Buffer.from(' '), PDF]))],
    ['no answer', { kind: 'no_answer', detail: 'x' }],
    ['no connection', { kind: 'not_sent', reason: 'unreachable', detail: 'x' }],
  ] as [string, HttpOutcome][])('is none if the answer is %s', async (_name, outcome) => {
    expect(await documented(outcome)).toBeNull()
  })

  test('is none if it breaks off before its end', async () => {
    for (let at = 0; at < PDF.length - 6; at += 5)
      expect(await documented(answered(PDF.subarray(0, at))), String(at)).toBeNull()
    // The end of a file may be followed by a little more.
    expect(await documented(answered(Buffer.concat([PDF, Buffer.alloc(500, ' ')])))).toHaveLength(
      PDF.length + 500,
    )
  })
})
