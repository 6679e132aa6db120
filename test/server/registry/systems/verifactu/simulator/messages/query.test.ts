import { describe, expect, test } from 'vitest'
import {
  buildCancellation,
  buildRegistration,
} from '../../../../../../../server/registry/systems/verifactu/record/xml.ts'
import {
  buildQuery,
  buildSubmission,
} from '../../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import { readQueryReply } from '../../../../../../../server/registry/systems/verifactu/wire/query-reply.ts'
import {
  cancellation,
  GENERATED_AT,
  invoice,
  ISSUER,
  NOW,
  openSimulator,
  PREVIOUS,
  SYSTEM,
  taxed,
} from '../../../../samples.ts'
import { after, element, swap, without } from '../spoil.ts'
import type { Spoil } from '../spoil.ts'
import type { RegistryInvoice } from '../../../../../../../server/registry/systems/verifactu/record/fields.ts'
import type { Query } from '../../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import type { SimulatorOptions } from '../../../../../../../server/registry/systems/verifactu/simulator/index.ts'

const ASK = { issuer: ISSUER, month: '2026-11' }

async function opened(records: string[], changes: Partial<SimulatorOptions> = {}) {
  const { simulator, state } = openSimulator(changes)
  if (records.length > 0)
    await simulator.submit(buildSubmission({ issuer: ISSUER }, records, { incident: true }))
  const raw = (query: Partial<Query> = {}, spoil: Spoil = (xml) => xml) =>
    simulator.query(spoil(buildQuery({ ...ASK, ...query })))
  const ask = async (query: Partial<Query> = {}, spoil?: Spoil) => readQueryReply(await raw(query, spoil))
  const numbers = async (query: Partial<Query> = {}, spoil?: Spoil) => {
    const reply = await ask(query, spoil)
    if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply))
    return reply.items.map(({ key }) => key.number)
  }
  return { simulator, state, raw, ask, numbers }
}

const record = (changes: Partial<RegistryInvoice>) =>
  buildRegistration(invoice(changes), PREVIOUS, SYSTEM, GENERATED_AT).xml
const filter = (xml: string): Spoil => swap('</sfLRC:FiltroConsulta>', `${xml}</sfLRC:FiltroConsulta>`)
const counterpart = (party: string): Spoil => filter(`<sfLRC:Contraparte>${party}</sfLRC:Contraparte>`)

describe('a query returns', () => {
  test('nothing when nothing is held', async () => {
    const { ask, raw } = await opened([])
    expect(await ask()).toEqual({
      kind: 'answer',
      issuerNif: ISSUER.nif,
      month: '2026-11',
      hasMore: false,
      next: null,
      items: [],
    })
    expect(await raw()).toContain('<q:ResultadoConsulta>SinDatos</q:ResultadoConsulta>')
  })

  test('the facts of a registration, and how it was accepted', async () => {
    const made = invoice({ recordId: 'rec_77', description: 'Obra & reforma', totalCents: 99_999 })
    const { xml, hash } = buildRegistration(made, PREVIOUS, SYSTEM, GENERATED_AT)
    const { ask } = await opened([xml])
    expect(await ask({ number: 'T-F2026-0002' })).toMatchObject({
      kind: 'answer',
      items: [
        {
          key: { issuerNif: ISSUER.nif, number: 'T-F2026-0002', issueDate: '2026-11-16' },
          recordRef: 'rec_77',
          hash,
          kind: 'F1',
          taxTotal: '21.00',
          total: '999.99',
          description: 'Obra & reforma',
          generatedAt: GENERATED_AT,
          state: 'AceptadoConErrores',
          code: '2005',
          message: expect.any(String),
          modifiedAt: '2026-11-16T10:00:02+01:00',
          presentedAt: '2026-11-16T10:00:02+01:00',
          requestId: '20261116090002000001',
          system: { producerId: '89890001K', id: 'S1', installation: SYSTEM.installationNumber },
          recipients: [{ name: 'CLIENTE DE EJEMPLO', id: '89890002E' }],
        },
      ],
    })
  })

  test('a correction in place of the corrected record', async () => {
    const { simulator, ask } = await opened([record({})])
    const corrected = buildRegistration(
      invoice({ turn: 'correction', description: 'Corregida' }),
      PREVIOUS,
      SYSTEM,
      '2026-11-16T10:00:01+01:00',
    )
    await simulator.submit(buildSubmission({ issuer: ISSUER }, [corrected.xml]))
    expect(await ask()).toMatchObject({
      items: [{ hash: corrected.hash, description: 'Corregida', requestId: '20261116090002000002' }],
    })
  })

  test('a cancelled invoice with the facts of its registration', async () => {
    let now = NOW
    const { simulator, ask } = await opened([record({})], { now: () => now })
    const [before] = ((await ask()) as { items: { hash: string }[] }).items
    now = new Date(NOW.getTime() + 60_000)
    const { xml } = buildCancellation(cancellation(), PREVIOUS, SYSTEM, GENERATED_AT)
    await simulator.submit(buildSubmission({ issuer: ISSUER }, [xml]))
    expect(await ask()).toMatchObject({
      items: [
        {
          state: 'Anulado',
          code: null,
          hash: before?.hash,
          total: '121.00',
          requestId: '20261116090002000001',
          presentedAt: '2026-11-16T10:00:02+01:00',
          modifiedAt: '2026-11-16T10:01:02+01:00',
        },
      ],
    })
  })

  test('the cancellation itself of an invoice that was never registered', async () => {
    const made = cancellation({
      turn: 'unregistered_after_rejection',
      madeBy: { by: 'third_party', party: { name: 'GESTOR', nif: 'B12345674' } },
    })
    const { xml, hash } = buildCancellation(made, PREVIOUS, SYSTEM, GENERATED_AT)
    const { ask, raw } = await opened([xml])
    expect(await ask()).toMatchObject({
      items: [{ state: 'Anulado', hash, total: null, kind: null, recordRef: 'rec_0000000000000002' }],
    })
    // An answer has the two flags in the reverse order of the record.
    expect(await raw()).toContain(
      '<q:RechazoPrevio>S</q:RechazoPrevio><q:SinRegistroPrevio>S</q:SinRegistroPrevio><q:GeneradoPor>T</q:GeneradoPor><q:Generador>',
    )
  })

  test('the fields of the header, and the requested names and systems', async () => {
    const { simulator, raw } = await opened([])
    const header = { issuer: ISSUER, representative: { name: 'R', nif: 'B12345674' } }
    await simulator.submit(
      buildSubmission(
        header,
        [record({ madeBy: { by: 'third_party', party: { name: 'T', nif: 'B12345674' } } })],
        {
          incident: true,
          leavingOn: '2026-12-31',
        },
      ),
    )
    const full = await raw(
      {},
      swap(
        '<sfLRC:MostrarSistema',
        '<sfLRC:MostrarNombreRazonEmisor>S</sfLRC:MostrarNombreRazonEmisor><sfLRC:MostrarSistema',
      ),
    )
    expect(full).toContain(
      '<q:NifRepresentante>B12345674</q:NifRepresentante><q:FechaFinVeriFactu>31-12-2026</q:FechaFinVeriFactu><q:Incidencia>S</q:Incidencia></q:DatosRegistroFacturacion>',
    )
    expect(full).toContain(
      '<q:DatosRegistroFacturacion><q:NombreRazonEmisor>EMISOR DE EJEMPLO</q:NombreRazonEmisor><q:RefExterna>',
    )
    expect(full).toContain('<q:SistemaInformatico>')
    const bare = await raw(
      {},
      swap(/<sfLRC:DatosAdicionalesRespuesta>.*<\/sfLRC:DatosAdicionalesRespuesta>/s, ''),
    )
    expect(bare).not.toContain('NombreRazonEmisor>')
    expect(bare).not.toContain('SistemaInformatico>')
  })
})

describe('the filters of a query', () => {
  const held = [
    record({ number: 'A-1', issueDate: '2026-11-01' }),
    record({ number: 'A-1', issueDate: '2026-11-16' }),
    record({ number: 'A-2', issueDate: '2026-11-10', operationDate: '2026-10-31' }),
    record({ number: 'A-3', issueDate: '2026-10-31', recordId: 'rec_october' }),
    record({
      number: 'B-1',
      issueDate: '2026-11-12',
      recordId: 'rec_b',
      recipients: [{ name: 'C', country: 'FR', idType: '02', id: 'FR12345678901' }],
    }),
    buildRegistration(
      invoice({ number: 'C-1', issueDate: '2026-11-15' }),
      PREVIOUS,
      { ...SYSTEM, installationNumber: 'OTHER' },
      GENERATED_AT,
    ).xml,
  ]

  test.each<[string, Partial<Query>, string[]]>([
    ['the month of the operation, else of the issue', {}, ['A-1', 'A-1', 'B-1', 'C-1']],
    ['the month before', { month: '2026-10' }, ['A-2', 'A-3']],
    ['another year', { month: '2025-11' }, []],
    ['a number', { number: 'A-1' }, ['A-1', 'A-1']],
    ['a number nobody has', { number: 'A-15' }, []],
    ['a number of another month', { number: 'A-2' }, []],
    ['a day', { issued: { on: '2026-11-16' } }, ['A-1']],
    ['a number and a day', { number: 'A-1', issued: { on: '2026-11-01' } }, ['A-1']],
    [
      'a span of days, both ends included',
      { issued: { from: '2026-11-01', to: '2026-11-12' } },
      ['A-1', 'B-1'],
    ],
  ])('%s', async (_what, query, expected) => {
    const { numbers } = await opened(held)
    expect(await numbers(query)).toEqual(expected)
  })

  test.each<[string, Spoil, string[]]>([
    ['our reference', filter('<sfLRC:RefExterna>rec_b</sfLRC:RefExterna>'), ['B-1']],
    [
      'a customer abroad',
      counterpart(
        '<sf:NombreRazon>C</sf:NombreRazon><sf:IDOtro><sf:IDType>02</sf:IDType><sf:ID>FR12345678901</sf:ID></sf:IDOtro>',
      ),
      ['B-1'],
    ],
    [
      'a customer at home',
      counterpart('<sf:NombreRazon>C</sf:NombreRazon><sf:NIF>89890002E</sf:NIF>'),
      ['A-1', 'A-1', 'C-1'],
    ],
    [
      'a system',
      filter(
        '<sfLRC:SistemaInformatico><sf:NombreRazon>P</sf:NombreRazon><sf:NIF>89890001K</sf:NIF><sf:IdSistemaInformatico>S1</sf:IdSistemaInformatico><sf:NumeroInstalacion>OTHER</sf:NumeroInstalacion></sfLRC:SistemaInformatico>',
      ),
      ['C-1'],
    ],
    [
      'a system of another version',
      filter(
        '<sfLRC:SistemaInformatico><sf:NombreRazon>P</sf:NombreRazon><sf:NIF>89890001K</sf:NIF><sf:IdSistemaInformatico>S1</sf:IdSistemaInformatico><sf:Version>9</sf:Version><sf:NumeroInstalacion>OTHER</sf:NumeroInstalacion></sfLRC:SistemaInformatico>',
      ),
      [],
    ],
    [
      'days up to one',
      filter(
        '<sfLRC:FechaExpedicionFactura><sf:RangoFechaExpedicion><sf:Hasta>12-11-2026</sf:Hasta></sf:RangoFechaExpedicion></sfLRC:FechaExpedicionFactura>',
      ),
      ['A-1', 'B-1'],
    ],
    [
      'days from one on',
      filter(
        '<sfLRC:FechaExpedicionFactura><sf:RangoFechaExpedicion><sf:Desde>15-11-2026</sf:Desde></sf:RangoFechaExpedicion></sfLRC:FechaExpedicionFactura>',
      ),
      ['A-1', 'C-1'],
    ],
    ['no days at all', filter('<sfLRC:FechaExpedicionFactura/>'), ['A-1', 'A-1', 'B-1', 'C-1']],
  ])('%s', async (_what, spoil, expected) => {
    const { numbers } = await opened(held)
    expect(await numbers({}, spoil)).toEqual(expected)
  })

  test('exclude the invoices of another issuer', async () => {
    const { numbers } = await opened(held)
    expect(await numbers({ issuer: { name: 'OTRA', nif: 'B12345674' } })).toEqual([])
  })

  test('let a customer query what an issuer has registered for it', async () => {
    const { numbers, ask } = await opened(held)
    const asCustomer: Spoil = (xml) =>
      xml
        .replaceAll('ObligadoEmision>', 'Destinatario>')
        .replace('EMISOR DE EJEMPLO', 'CLIENTE')
        .replace('89890001K', '89890002E')
        .replace(/<sfLRC:DatosAdicionalesRespuesta>.*<\/sfLRC:DatosAdicionalesRespuesta>/s, '')
    const ofIssuer = counterpart('<sf:NombreRazon>E</sf:NombreRazon><sf:NIF>89890001K</sf:NIF>')
    expect(await numbers({}, (xml) => ofIssuer(asCustomer(xml)))).toEqual(['A-1', 'A-1', 'C-1'])
    expect(await ask({}, asCustomer)).toMatchObject({ kind: 'fault', code: '1100' })
  })
})

describe('the pages of a query', () => {
  const many = Array.from({ length: 23 }, (_, index) =>
    record({ number: `F-${String(index).padStart(3, '0')}`, breakdown: [taxed(100 * (index + 1))] }),
  )

  test.each([1, 7, 10, 22, 23, 24])('of size %i contain everything once and in order', async (pageSize) => {
    const { ask } = await opened(many, { pageSize })
    const seen: string[] = []
    let after: Query['after']
    let pages = 0
    for (;;) {
      const reply = await ask(after ? { after } : {})
      if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply))
      pages += 1
      seen.push(...reply.items.map(({ key }) => key.number))
      expect(reply.items.length).toBeLessThanOrEqual(pageSize)
      expect(reply.hasMore).toBe(reply.next !== null)
      if (!reply.next) break
      after = reply.next
    }
    expect(pages).toBe(Math.ceil(23 / pageSize))
    expect(seen).toEqual(Array.from({ length: 23 }, (_, index) => `F-${String(index).padStart(3, '0')}`))
  })

  test('continue after a key that is not held any more, or never was', async () => {
    const { numbers } = await opened(many)
    expect(
      await numbers({ after: { issuerNif: ISSUER.nif, number: 'F-020x', issueDate: '2026-11-16' } }),
    ).toEqual(['F-021', 'F-022'])
  })

  test('cover more entries than are scanned at once', async () => {
    const { simulator, numbers } = await opened([])
    const records = Array.from({ length: 450 }, (_, index) => record({ number: `N-${1000 + index}` }))
    await simulator.submit(buildSubmission({ issuer: ISSUER }, records))
    expect(await numbers()).toHaveLength(450)
    expect(await numbers({ number: 'N-1449' })).toEqual(['N-1449'])
  })
})

describe('a faulty query', () => {
  const toRecipient: Spoil = (xml) => xml.replaceAll('ObligadoEmision>', 'Destinatario>')
  const additional = /<sfLRC:DatosAdicionalesRespuesta>.*<\/sfLRC:DatosAdicionalesRespuesta>/s
  const ofIssuer = counterpart('<sf:NombreRazon>E</sf:NombreRazon><sf:NIF>89890001K</sf:NIF>')
  const range = (from: string, to: string) =>
    filter(
      `<sfLRC:FechaExpedicionFactura><sf:RangoFechaExpedicion><sf:Desde>${from}</sf:Desde><sf:Hasta>${to}</sf:Hasta></sf:RangoFechaExpedicion></sfLRC:FechaExpedicionFactura>`,
    )

  test.each<[string, Spoil, string]>([
    ['no period', swap(/<sfLRC:PeriodoImputacion>.*<\/sfLRC:PeriodoImputacion>/s, ''), '4102'],
    ['month 13', element('Periodo', '13'), '4102'],
    ['a year of two digits', element('Ejercicio', '26'), '4102'],
    ['another version', element('IDVersion', '2.0'), '4102'],
    [
      'filters out of order',
      (xml) =>
        filter('<sfLRC:NumSerieFactura>F</sfLRC:NumSerieFactura>')(
          filter('<sfLRC:RefExterna>x</sfLRC:RefExterna>')(xml),
        ),
      '4102',
    ],
    ['an unknown filter', filter('<sfLRC:Importe>1</sfLRC:Importe>'), '4102'],
    ['nobody in the header', without('ObligadoEmision'), '1172'],
    [
      'issuer and recipient',
      after(
        'ObligadoEmision',
        '<sf:Destinatario><sf:NombreRazon>C</sf:NombreRazon><sf:NIF>89890002E</sf:NIF></sf:Destinatario>',
      ),
      '4102',
    ],
    ['a bad issuer', element('NIF', '89890001A'), '4116'],
    ['an issuer the census does not know', element('NIF', '99999999R'), '4104'],
    ['a person without a name', element('NombreRazon', ''), '1282'],
    ['a bad recipient', (xml) => element('NIF', '89890001A')(toRecipient(xml)), '4109'],
    ['a recipient the census does not know', (xml) => element('NIF', '99999999R')(toRecipient(xml)), '4107'],
    [
      'a representative of a recipient',
      (xml) =>
        after('Destinatario', '<sf:IndicadorRepresentante>S</sf:IndicadorRepresentante>')(toRecipient(xml)),
      '1261',
    ],
    ['systems for a recipient', (xml) => ofIssuer(toRecipient(xml)), '1272'],
    ['a day that is none', range('31-11-2026', '12-12-2026'), '4106'],
    ['a span that ends before it begins', range('12-11-2026', '11-11-2026'), '1250'],
    ['a span of one day, which has another form', range('12-11-2026', '12-11-2026'), '1250'],
    [
      'a page after the invoice of another',
      filter(
        '<sfLRC:ClavePaginacion><sf:IDEmisorFactura>89890002E</sf:IDEmisorFactura><sf:NumSerieFactura>F</sf:NumSerieFactura><sf:FechaExpedicionFactura>16-11-2026</sf:FechaExpedicionFactura></sfLRC:ClavePaginacion>',
      ),
      '1219',
    ],
  ])('%s', async (_what, spoil, code) => {
    const { ask } = await opened([])
    expect(await ask({}, spoil)).toMatchObject({ kind: 'fault', faultCode: 'Client', code })
  })

  test('is not one of a representative for its issuer', async () => {
    const { ask } = await opened([record({})])
    const spoil = after('ObligadoEmision', '<sf:IndicadorRepresentante>S</sf:IndicadorRepresentante>')
    expect(await ask({}, spoil)).toMatchObject({ kind: 'answer', items: [{}] })
    expect(await ask({}, swap(additional, ''))).toMatchObject({ items: [{ system: null }] })
  })
})
