/** The messages of Bizkaia's book: headers, content, and how files are split among them. */
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  CHAPTERS,
  ISSUED_PER_MESSAGE,
} from '../../../../../../server/registry/systems/ticketbai/lroe/chapters.ts'
import {
  dataHeader,
  inBatches,
  issuedContent,
  lroeRequest,
} from '../../../../../../server/registry/systems/ticketbai/lroe/message.ts'
import type {
  LroeFile,
  LroeTaxpayer,
} from '../../../../../../server/registry/systems/ticketbai/lroe/message.ts'
import { queryRequest } from '../../../../../../server/registry/systems/ticketbai/lroe/query.ts'
import { receivedContent } from '../../../../../../server/registry/systems/ticketbai/lroe/received.ts'
import { SERVICES } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import { receivedInvoice } from '../../../../../support/ticketbai/received.ts'

const service = SERVICES.bizkaia.production
const COMPANY: LroeTaxpayer = { model: '240', nif: 'B87654323', name: 'Ibaizabal & Ñam, S.L.', person: null }
const PERSON: LroeTaxpayer = {
  model: '140',
  nif: '12345678Z',
  name: 'LEJARDI ARRIOLA ANE',
  person: { firstName: 'ANE', surname1: 'LEJARDI', surname2: 'ARRIOLA' },
}

let ids = 0
function file(over: Partial<LroeFile> & { date?: string } = {}, taxpayer = COMPANY): LroeFile {
  ids += 1
  const { date = '30-11-2026', ...rest } = over
  return {
    id: `record-${ids}`,
    kind: 'invoice',
    key: { issuerNif: taxpayer.nif, series: 'A', number: String(ids), issueDate: date },
    identifier: null,
    signature: 'firma',
    xml: Buffer.from(`<T:TicketBai n="${ids}"/>`),
    income: [{ activity: '501100' }],
    ...rest,
  }
}

const message = (taxpayer: LroeTaxpayer, operation: 'A00' | 'AN0' = 'A00') => ({
  taxpayer,
  chapter: 'issued' as const,
  operation,
  year: '2026',
})
const xmlOf = (body: Uint8Array): string => gunzipSync(body).toString('utf8')

test('a message has the headers of the service and the compressed book of one company', () => {
  const one = file({ xml: Buffer.from('<a>ñ</a>') })
  const request = lroeRequest(service, message(COMPANY), issuedContent(CHAPTERS['240'].issued, 'A00', [one]))
  expect(request.url).toBe('https://sarrerak.bizkaia.eus/N3B4000M/aurkezpena')
  expect(request.headers).toMatchObject({
    'accept-encoding': 'gzip',
    'content-encoding': 'gzip',
    'content-type': 'application/octet-stream',
    'eus-bizkaia-n3-version': '1.0',
    'eus-bizkaia-n3-content-type': 'application/xml',
  })
  const xml = xmlOf(request.body)
  expect(xml).toContain(
    '<Modelo>240</Modelo><Capitulo>1</Capitulo><Subcapitulo>1.1</Subcapitulo><Operacion>A00</Operacion>',
  )
  expect(xml).toContain('<ApellidosNombreRazonSocial>Ibaizabal &amp; Ñam, S.L.</ApellidosNombreRazonSocial>')
  expect(xml).toContain(
    `<FacturaEmitida><TicketBai>${Buffer.from('<a>ñ</a>').toString('base64')}</TicketBai></FacturaEmitida>`,
  )
  expect(xml).not.toContain('Renta')
})

test('the header names the section, the taxpayer and the year, in ASCII', () => {
  const header = dataHeader(message(COMPANY))
  expect(header).toMatch(/^[ -~]+$/)
  expect(JSON.parse(header)).toEqual({
    con: 'LROE',
    apa: '1.1',
    inte: { nif: 'B87654323', nrs: 'Ibaizabal & Ñam, S.L.' },
    drs: { mode: '240', ejer: '2026' },
  })
  expect(JSON.parse(dataHeader({ ...message(PERSON), chapter: 'received' }))).toEqual({
    con: 'LROE',
    apa: '2.1',
    inte: { nif: '12345678Z', nrs: 'ANE', ap1: 'LEJARDI', ap2: 'ARRIOLA' },
    drs: { mode: '140', ejer: '2026' },
  })
  expect(JSON.parse(dataHeader({ ...message(COMPANY), chapter: 'received' }))).toMatchObject({ apa: '2' })
})

test('the book of a person names one to ten activities, with another income where there is one', () => {
  const content = (income: LroeFile['income']) =>
    xmlOf(
      lroeRequest(
        service,
        message(PERSON),
        issuedContent(CHAPTERS['140'].issued, 'A00', [file(income ? { income } : {}, PERSON)]),
      ).body,
    )
  expect(content([{ activity: '501100' }])).toContain(
    '<Renta><DetalleRenta><Epigrafe>501100</Epigrafe></DetalleRenta></Renta>',
  )
  expect(content([{ activity: '1', income: '50.00', onCollection: true }])).toContain(
    '<Epigrafe>1</Epigrafe><IngresoAComputarIRPFDiferenteBaseImpoIVA>S</IngresoAComputarIRPFDiferenteBaseImpoIVA><ImporteIngresoIRPF>50.00</ImporteIngresoIRPF><CriterioCobrosYPagos>S</CriterioCobrosYPagos>',
  )
  for (const wrong of [[], [{ activity: '12345678' }], [{ activity: '501.1' }], [{ activity: '' }]])
    expect(() => content(wrong)).toThrow(RangeError)
  expect(() => content(Array.from({ length: 11 }, () => ({ activity: '1' })))).toThrow(RangeError)
})

test('a cancellation carries the file that cancels and nothing else', () => {
  const xml = xmlOf(
    lroeRequest(
      service,
      message(PERSON, 'AN0'),
      issuedContent(CHAPTERS['140'].issued, 'AN0', [file({ kind: 'cancellation' }, PERSON)]),
    ).body,
  )
  expect(xml).toContain('<Operacion>AN0</Operacion>')
  expect(xml).toContain('<Ingreso><AnulacionTicketBai>')
  expect(xml).not.toContain('Renta')
})

test('files are split by operation and year without changing their order, at most a thousand in a message', () => {
  const files = [
    file({ date: '30-12-2026' }),
    file({ date: '31-12-2026' }),
    file({ date: '01-01-2027' }),
    file({ date: '01-01-2027', kind: 'cancellation' }),
    file({ date: '30-12-2026', kind: 'cancellation' }),
    file({ date: '01-01-2027' }),
  ]
  const batches = inBatches(COMPANY, files)
  expect(
    batches.map(({ operation, year, files: within }) => `${operation} ${year} ${within.length}`),
  ).toEqual(['A00 2026 2', 'A00 2027 1', 'AN0 2027 1', 'AN0 2026 1', 'A00 2027 1'])
  expect(batches.flatMap((batch) => batch.files.map(({ id }) => id))).toEqual(files.map(({ id }) => id))
  const many = Array.from({ length: 2_001 }, () => file())
  expect(inBatches(COMPANY, many).map((batch) => batch.files.length)).toEqual([
    ISSUED_PER_MESSAGE,
    ISSUED_PER_MESSAGE,
    1,
  ])
  expect(() => issuedContent(CHAPTERS['240'].issued, 'A00', many)).toThrow(RangeError)
  expect(() => issuedContent(CHAPTERS['240'].issued, 'A00', [])).toThrow(RangeError)
})

test('the book takes no file of another issuer, and no correction', () => {
  expect(() => inBatches(COMPANY, [file({}, PERSON)])).toThrow(RangeError)
  expect(() => inBatches(COMPANY, [file({ kind: 'correction' })])).toThrow(RangeError)
})

test('the same files make the same bytes', () => {
  const one = file()
  const body = () =>
    Buffer.from(
      lroeRequest(service, message(COMPANY), issuedContent(CHAPTERS['240'].issued, 'A00', [one])).body,
    ).toString('base64')
  expect(body()).toBe(body())
})

test('a query names one invoice, or days of one year, and goes to the address of queries', () => {
  const { key } = file()
  const request = queryRequest(service, COMPANY, { key }, 3)
  expect(request.url).toBe('https://sarrerak.bizkaia.eus/N3B4001M/kontsulta')
  expect(xmlOf(request.body)).toContain(
    `<FiltroConsultaFacturasEmitidasConSG><CabeceraFactura><SerieFactura>A</SerieFactura><NumFactura>${key.number}</NumFactura><FechaExpedicionFactura><Desde>30-11-2026</Desde><Hasta>30-11-2026</Hasta></FechaExpedicionFactura></CabeceraFactura><NumPaginaConsulta>3</NumPaginaConsulta>`,
  )
  expect(xmlOf(queryRequest(service, PERSON, { from: '01-01-2026', to: '31-12-2026' }).body)).toContain(
    '<FiltroConsultaIngresosConSG><CabeceraFactura><FechaExpedicionFactura>',
  )
  expect(() => queryRequest(service, PERSON, { from: '31-12-2026', to: '01-01-2027' })).toThrow(RangeError)
  expect(() => queryRequest(SERVICES.araba.production, COMPANY, { key })).toThrow(RangeError)
})

test('a received invoice has what its book needs', () => {
  const lines = (model: '140' | '240') =>
    xmlOf(
      lroeRequest(
        service,
        { taxpayer: model === '240' ? COMPANY : PERSON, chapter: 'received', operation: 'A00', year: '2026' },
        receivedContent(model, [receivedInvoice(model)]),
      ).body,
    )
  expect(lines('240')).toContain('<DetalleIVA><CompraBienesCorrientesGastosBienesInversion>G</')
  expect(lines('240')).not.toContain('Subcapitulo')
  expect(lines('140')).toContain('<DetalleRentaIVA><Epigrafe>501100</Epigrafe><Concepto>629</Concepto>')
  // A line of the other book lacks what this one needs.
  expect(() => receivedContent('140', [receivedInvoice('240')])).toThrow(RangeError)
  expect(() => receivedContent('240', [receivedInvoice('140')])).toThrow(RangeError)
})
