/** Informative returns in steps: what is taken, which records are set aside, and every reason why a step is refused. */
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import {
  block,
  head,
  initialised,
  landlord,
  named,
  nextHeaders,
  operator,
  person,
  premises,
  presented,
  recipient,
  rectification,
  SIGNED,
  WORKED_347,
} from './informative-samples.ts'
import { codesOf, NAME, NIF, NOW, opened } from './samples.ts'

const ENCODED = { CODIFICACION: 'ISO-8859-1' }
const OTHER = '12345678Z'

describe('an informative return', () => {
  test('is sent in steps, whose data are headers', async () => {
    const world = opened()
    const { answer, next } = await initialised(world, WORKED_347.head)
    expect(answer.headers).toMatchObject({
      idenvio: expect.stringMatching(/^34720250A20261114\d{10}$/),
      estado: 'CREADO',
      sigbloque: '1',
      codigo: '0',
      mensaje: expect.any(String),
      'set-cookie': expect.stringContaining('='),
    })
    expect((await block(world, next, WORKED_347.records)).headers).toMatchObject({
      idenvio: next['IDENVIO'],
      estado: 'FINALIZADO',
      codigo: '0',
      totalt2ok: '3',
      totalt2ko: '0',
      bloquet2ok: '3',
      bloquet2ko: '0',
      avisos: 'N',
    })
    expect(world.state.allDeclared()).toEqual([])
    const drawn = await world.step('VistaPrevia', next)
    expect(drawn.headers).toMatchObject({ 'content-type': 'application/pdf', codigo: '0' })
    const done = await world.step('PresentarEnvio', { ...next, ...SIGNED })
    expect(done.headers).toMatchObject({
      idenvio: next['IDENVIO'],
      estado: 'PRESENTADO',
      numeroregistros: '3',
      csv: expect.stringMatching(/^[0-9A-Z]{16}$/),
      expediente: expect.stringMatching(/^2025347\d{15}$/),
      codigo: '0',
    })
    expect(world.state.allDeclared()).toEqual([
      {
        nif: NIF,
        model: '347',
        year: 2025,
        period: '0A',
        nature: 'first',
        kind: '',
        csv: done.headers['csv'],
        receipt: '3472025000001',
        file: done.headers['expediente'],
        presentedAt: NOW.getTime(),
        resultCents: 0,
        presenterNif: NIF,
        presenterName: NAME,
        presenterAs: '',
        name: NAME,
        text: [WORKED_347.head, ...WORKED_347.records].map((each) => `${each}\r\n`).join(''),
      },
    ])
  })

  test.each<[string, string, string[]]>([
    ['349', head({ model: '349', totals: [1, 100_000, 1, 50_000] }), [operator(), rectification()]],
    ['190', head({ model: '190', totals: [2, 200_000, 30_000] }), [recipient(), recipient('A', 5)]],
    ['180', head({ model: '180', totals: [1, 100_000, 19_000] }), [landlord()]],
    ['347 without persons', head(), []],
  ])('may be a %s', async (_what, first, records) => {
    const world = opened()
    const { done } = await presented(world, first, records)
    expect(done.headers).toMatchObject({ codigo: '0', numeroregistros: String(records.length) })
  })

  test('may come in blocks, in UTF-8 as well', async () => {
    const world = opened()
    const { next } = await initialised(world, WORKED_347.head, 2)
    const [one = '', ...others] = WORKED_347.records
    expect((await block(world, next, [one])).headers).toMatchObject({ estado: 'CREADO', sigbloque: '2' })
    const body = Buffer.from(others.join('').replace('IBANEZ', 'IBAÑEZ'), 'utf8')
    const last = await world.step(
      'EnviarDatos',
      { ...next, NUMBLOQUE: '2', CODIFICACION: 'UTF-8' },
      body.toString('latin1'),
    )
    expect(last.headers).toMatchObject({ estado: 'FINALIZADO', totalt2ok: '3', bloquet2ok: '2' })
  })

  test('is found by its last sending when an answer was lost', async () => {
    const world = opened()
    expect(codesOf(await world.step('RecuperarEnvio', named()))).toEqual(['S0609'])
    const { next } = await initialised(world, WORKED_347.head)
    const found = await world.step('RecuperarEnvio', named())
    expect(found.headers).toMatchObject({
      idenvio: next['IDENVIO'],
      estado: 'CREADO',
      numbloques: '1',
      enviot2ok: '0',
      enviot2ko: '0',
      codigo: '0',
    })
    await block(world, nextHeaders(found), [person({ nif: '99999999R' }), ...WORKED_347.records.slice(1)])
    expect((await world.step('RecuperarEnvio', named())).headers).toMatchObject({
      estado: 'FINALIZADO',
      enviot2ok: '2',
      enviot2ko: '1',
    })
    // A sending that was started later is the last one.
    const later = await initialised(world, WORKED_347.head)
    expect(later.next['IDENVIO']).not.toBe(next['IDENVIO'])
    expect((await world.step('RecuperarEnvio', named())).headers['idenvio']).toBe(later.next['IDENVIO'])
  })

  test('that stands forbids a first one until it is cancelled', async () => {
    const world = opened()
    const { done } = await presented(world, WORKED_347.head, WORKED_347.records)
    const again = head({ number: '3472025000002', totals: [2, 420_000, 1, 700_000] })
    expect(codesOf((await initialised(world, again)).answer)).toEqual(['8888'])
    const cancelling = { ...named(), ...SIGNED, EXPEDIENTE: done.headers['expediente'] ?? '' }
    expect((await world.step('BajaDeclaracion', cancelling)).headers).toMatchObject({
      expediente: done.headers['expediente'],
      codigo: '0',
    })
    expect(codesOf(await world.step('BajaDeclaracion', cancelling))).toEqual(['S0615'])
    // The number of a cancelled declaration stays used.
    expect(codesOf((await initialised(world, WORKED_347.head)).answer)).toEqual(['S0617'])
    const { done: second } = await presented(world, again, WORKED_347.records)
    expect(second.headers).toMatchObject({ codigo: '0' })
    expect(second.headers['expediente']).not.toBe(done.headers['expediente'])
  })

  test('is presented once, also from two sendings', async () => {
    const world = opened()
    const one = await initialised(world, WORKED_347.head)
    const other = await initialised(
      world,
      head({ number: '3472025000002', totals: [2, 420_000, 1, 700_000] }),
    )
    for (const { next } of [one, other]) await block(world, next, WORKED_347.records)
    await world.step('PresentarEnvio', { ...one.next, ...SIGNED })
    expect(codesOf(await world.step('PresentarEnvio', { ...one.next, ...SIGNED }))).toEqual(['S0610'])
    expect(codesOf(await world.step('PresentarEnvio', { ...other.next, ...SIGNED }))).toEqual(['8888'])
    expect(world.state.allDeclared()).toHaveLength(1)
  })

  test.each([
    ['C', 'complementary'],
    ['S', 'substitutive'],
  ])('may be followed by one with mark %s, which names its number', async (later, nature) => {
    const world = opened()
    await presented(world, WORKED_347.head, WORKED_347.records)
    const next = (previous: string, number = '3472025000002'): string =>
      head({ number, later, previous, totals: [1, 500_000, 0, 0] })
    expect(codesOf((await initialised(world, next('3472025000009'))).answer)).toEqual(['S0614'])
    expect(codesOf((await initialised(world, next('3472025000001', '3472025000001'))).answer)).toEqual([
      'S0617',
    ])
    const { done } = await presented(world, next('3472025000001'), [person()])
    expect(done.headers).toMatchObject({ codigo: '0' })
    expect(world.state.allDeclared().map((each) => each.nature)).toEqual(['first', nature])
  })

  test('may be filed by an attorney', async () => {
    const world = opened({ powers: [{ nif: OTHER, for: NIF, as: 'attorney' }] })
    const asAttorney = { callers: [OTHER] }
    const start = { ...named(), IDIOMA: 'ES', NUMBLOQUES: '0', ...ENCODED }
    const next = nextHeaders(await world.step('InicializarEnvio', start, head(), asAttorney))
    const signed = { ...next, FIRNIF: OTHER, FIRNOMBRE: 'GESTOR ANA', FIR: 'FirmaBasica' }
    expect(codesOf(await world.step('PresentarEnvio', signed, '', asAttorney))).toEqual([])
    expect(world.state.allDeclared()[0]).toMatchObject({ nif: NIF, presenterNif: OTHER })
  })
})

describe('a wrong record', () => {
  const cases: [code: string, what: string, model: string, record: string][] = [
    ['EMALREG', 'has letters for a province', '347', person().replace('D28', 'DXX')],
    ['EMALREG', 'is a record 1', '347', head()],
    ['E010330', 'has blanks for a number of a call', '347', person({ call: '      ' })],
    ['IDT10516', 'names somebody whom the census does not know', '180', landlord('99999999R')],
    ['S0603', 'has another filer', '347', person({ filer: 'A28000982' })],
    ['S0604', 'has a wrong tax number', '347', person({ nif: '12345678A' })],
    ['S0605', 'has a Spanish and another number', '347', person({ eu: 'DE123456789' })],
    ['S0605', 'has no number in Spain', '347', person({ nif: '' })],
    ['S0606', 'has quarters of another sum', '347', person({ quarters: [1, 0, 0, 0] })],
    ['S0616', 'has a wrong number of another state', '347', person({ nif: '', eu: 'DE12' })],
    ['S0616', 'has a Spanish number as one of another state', '349', operator('ESB12345674')],
    ['S0616', 'has a number of the United Kingdom', '349', operator('GB123456789')],
    ['S0103', 'has no name', '347', person({ name: '' })],
  ]

  test.each(cases)('is set aside with %s if it %s (%s)', async (code, _what, model, wrong) => {
    const world = opened()
    const right = { '347': person(), '349': operator(), '180': landlord() }[model] ?? ''
    const totals: Record<string, number[]> = {
      '347': [2, 1_000_000, 0, 0],
      '349': [2, 200_000, 0, 0],
      '180': [2, 200_000, 38_000],
    }
    const first = head({ model, totals: totals[model] ?? [] })
    const { next, answer } = await initialised(world, first)
    expect(codesOf(answer)).toEqual([])
    const sent = await block(world, next, [right, wrong])
    expect(sent.headers).toMatchObject({ totalt2ok: '1', totalt2ko: '1' })
    const { text } = await world.step('RecuperarErrores', { ...next, ...ENCODED })
    expect(text).toMatch(/^[^\r\n]+\r\n$/)
    expect(text.slice(0, 505 + code.length)).toBe(`${wrong};(3) ${code}`)
    const done = await world.step('PresentarEnvio', { ...next, ...SIGNED })
    expect(done.headers).toMatchObject({ codigo: '0', numeroregistros: '1' })
    expect(world.state.allDeclared()[0]?.text).not.toContain(wrong)
  })

  test('may name somebody abroad, or a child by its guardian', async () => {
    const world = opened()
    const abroad = person({ nif: '', province: '99US' })
    const child = person({ nif: '' }).slice(0, 26) + OTHER + person({ nif: '' }).slice(35)
    const first = head({ totals: [2, 1_000_000, 0, 0] })
    const { sent } = await presented(world, first, [abroad, child])
    expect(sent?.headers).toMatchObject({ totalt2ok: '2' })
  })

  test('among many is found; if all are wrong, there is nothing to present', async () => {
    const world = opened()
    const records = Array.from({ length: 300 }, () => person())
    const wrong = person().replace('D28', 'DXX')
    for (const at of [0, 137, 299]) records[at] = wrong
    const { next } = await initialised(world, head({ totals: [300, 150_000_000, 0, 0] }))
    expect((await block(world, next, records)).headers).toMatchObject({ totalt2ok: '297', totalt2ko: '3' })
    const { text } = await world.step('RecuperarErrores', { ...next, ...ENCODED })
    expect([...text.matchAll(/;\((\d+)\)/g)].map(([, line]) => line)).toEqual(['2', '139', '301'])
    const none = await initialised(world, head({ number: '3472025000002', totals: [1, 500_000, 0, 0] }))
    await block(world, none.next, [wrong])
    expect(codesOf(await world.step('PresentarEnvio', { ...none.next, ...SIGNED }))).toEqual(['S0619'])
  })

  test('is no record with a warning', async () => {
    const world = opened()
    const first = head({ model: '190', totals: [2, 200_000, 30_000] })
    const { next } = await initialised(world, first)
    const sent = await block(world, next, [recipient('A'), recipient('A', 5)])
    expect(sent.headers).toMatchObject({ totalt2ok: '2', totalt2ko: '0', avisos: 'S' })
    const { text } = await world.step('RecuperarAvisos', { ...next, CODIFICACION: 'UTF-8' })
    expect(text).toBe(`${recipient('A')};(2) 22602C - W Compruebe los gastos deducibles\r\n`)
    expect((await world.step('RecuperarErrores', { ...next, ...ENCODED })).text).toBe('')
  })
})

describe('a step is refused', () => {
  const start = { ...named(), IDIOMA: 'ES', NUMBLOQUES: '1', ...ENCODED }

  test.each<[string, string, string, Record<string, string>?]>([
    ['EMALREG', 'a record 1 of another length', head().slice(1)],
    ['EMALREG', 'a record 2 as the first', person()],
    ['S0006', 'bytes that are no UTF-8', `\xff${head()}`, { CODIFICACION: 'UTF-8' }],
    ['S0008', 'a record of another filer', head({ nif: 'A28000982' })],
    ['S0008', 'another year than the record', head(), { EJERCICIO: '2026' }],
    ['S0007', 'a page model', head(), { MODELO: '303' }],
    ['S0101', 'a wrong tax number', head({ nif: 'B12345675' }), { NDC: 'B12345675' }],
    ['S0103', 'a name with a dot', head({ name: 'FERRETERIA S.L.' })],
    ['S0614', 'a previous number without mark', head({ previous: '3472025000009' })],
    ['S0614', 'a mark without previous number', head({ later: 'C' })],
    ['S0617', 'a number of another model', head({ number: '3492025000001' })],
    ['S0618', 'both marks', head({ later: 'CS', previous: '3472025000009' })],
    ['S0601', 'totals without blocks', head({ totals: [1, 0, 0, 0] }), { NUMBLOQUES: '0' }],
    ['S0607', 'a wrong number of blocks', head(), { NUMBLOQUES: 'X' }],
    ['S0607', 'another encoding', head(), { CODIFICACION: 'CP1252' }],
    ['S0607', 'another language', head(), { IDIOMA: 'FR' }],
  ])('at the start with %s for %s', async (code, _what, first, changes = {}) => {
    const world = opened()
    const callers = { callers: [NIF, 'B12345675'] }
    const answer = await world.step('InicializarEnvio', { ...start, ...changes }, first, callers)
    expect(codesOf(answer)).toEqual([code])
    expect(answer.headers['mensaje']).toMatch(new RegExp(`^${code} - .+`))
    expect(world.state.allSendings()).toEqual([])
  })

  test('for a period that the model does not have, or that has not ended', async () => {
    const world = opened()
    const quarterly = { ...start, MODELO: '349', EJERCICIO: '2026' }
    for (const [period, code] of [
      ['4T', 'S0012'],
      ['0A', 'S0013'],
    ] as const) {
      const first = head({ model: '349', period })
      expect(codesOf(await world.step('InicializarEnvio', { ...quarterly, PERIODO: period }, first))).toEqual(
        [code],
      )
    }
  })

  test('for a certificate of somebody else', async () => {
    const world = opened()
    const stranger = { callers: [OTHER] }
    expect(codesOf(await world.step('InicializarEnvio', start, head(), stranger))).toEqual(['S0010'])
    expect(codesOf(await world.step('RecuperarEnvio', named(), '', stranger))).toEqual(['S0010'])
    const { next } = await initialised(world, WORKED_347.head)
    expect(codesOf(await world.step('VistaPrevia', next, '', stranger))).toEqual(['S0609'])
    expect(await world.step('VistaPrevia', next, '', { callers: null })).toMatchObject({ status: 403 })
    await block(world, next, WORKED_347.records)
    const forged = { ...next, ...SIGNED, FIRNIF: OTHER }
    expect(codesOf(await world.step('PresentarEnvio', forged))).toEqual(['S0009'])
    expect(codesOf(await world.step('PresentarEnvio', { ...next, ...SIGNED, FIR: 'X' }))).toEqual(['S0004'])
    expect(world.state.allDeclared()).toEqual([])
  })

  test('without its cookie, or for a sending that does not exist', async () => {
    const world = opened()
    const { next } = await initialised(world, WORKED_347.head)
    const { cookie = '', ...others } = next
    expect(codesOf(await world.step('VistaPrevia', others))).toEqual(['S0613'])
    expect(codesOf(await world.step('VistaPrevia', { ...others, cookie: `${cookie}0` }))).toEqual(['S0613'])
    const unknown = { ...next, IDENVIO: '34720250A202611140000000009' }
    expect(codesOf(await world.step('VistaPrevia', unknown))).toEqual(['S0609'])
    expect(codesOf(await world.step('VistaPrevia', { IDENVIO: 'X' }))).toEqual(['S0607'])
  })

  test('out of order, and stores nothing then', async () => {
    const world = opened()
    const { next } = await initialised(world, WORKED_347.head, 2)
    const [one = '', ...others] = WORKED_347.records
    expect(codesOf(await world.step('VistaPrevia', next))).toEqual(['S0610'])
    expect(codesOf(await world.step('PresentarEnvio', { ...next, ...SIGNED }))).toEqual(['S0610'])
    expect(codesOf(await block(world, next, others, 2))).toEqual(['S0608'])
    expect(codesOf(await block(world, next, [`${one}\r\n`]))).toEqual(['EMALREG'])
    expect(codesOf(await block(world, next, []))).toEqual(['EMALREG'])
    expect(codesOf(await block(world, next, [one]))).toEqual([])
    expect(codesOf(await block(world, next, [one]))).toEqual(['S0608'])
    // The totals of record 1 are those of what was sent.
    expect(codesOf(await block(world, next, [premises()], 2))).toEqual(['S0601'])
    expect(codesOf(await block(world, next, others, 2))).toEqual([])
    expect(codesOf(await block(world, next, others, 2))).toEqual(['S0610'])
  })

  test('with more than 40,000 records in a block', async () => {
    const world = opened()
    const { next } = await initialised(world, WORKED_347.head)
    expect(codesOf(await block(world, next, [person().repeat(40_001)]))).toEqual(['S0611'])
  })

  test('by another method, or at another path', async () => {
    const world = opened()
    expect(await world.step('RecuperarEnvio', named(), '', { method: 'GET' })).toMatchObject({ status: 405 })
    expect(await world.step('Otro', named())).toMatchObject({ status: 404 })
  })

  test('if what it cancels is not filed', async () => {
    const world = opened()
    const cancelling = { ...named(), ...SIGNED, EXPEDIENTE: '2025347000000000000001' }
    expect(codesOf(await world.step('BajaDeclaracion', cancelling))).toEqual(['S0615'])
  })
})

test('the draft of a sending can be read', async () => {
  const world = opened()
  const { next } = await initialised(world, WORKED_347.head)
  await block(world, next, WORKED_347.records)
  const answer = await world.simulator.handle({
    method: 'POST',
    path: '/wlpl/OVPT-NTGV/VistaPrevia',
    headers: { idenvio: next['IDENVIO'] ?? '', cookie: next['cookie'] ?? '' },
    body: new Uint8Array(),
    callers: [NIF],
  })
  const body = answer.kind === 'answered' ? answer.body : new Uint8Array()
  const drawn = execFileSync('pdftotext', ['-', '-'], { input: body, encoding: 'utf8' })
  for (const part of ['BORRADOR', '347', NIF, 'Registros: 3']) expect(drawn).toContain(part)
})
