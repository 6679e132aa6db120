/** The query of filed returns, and their documents by code. */
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { presented, SIGNED, named, WORKED_347 } from './informative-samples.ts'
import { codesOf, NAME, NIF, NOW, opened, pageFile, PATHS, QUERY, read } from './samples.ts'

const OTHER = '12345678Z'
const NOTHING = '<servicioConsultasDirectas></servicioConsultasDirectas>'

async function filed() {
  const world = opened()
  await world.file(await pageFile('303'))
  const [declared] = world.state.allDeclared()
  return { world, declared: declared! }
}

describe('a query', () => {
  test('returns what is filed, in the form of the service', async () => {
    const { world, declared } = await filed()
    const answer = await world.query()
    expect(answer.headers['content-type']).toBe('application/xml;charset=UTF-8')
    expect(answer.text).toBe(
      `<servicioConsultasDirectas><respuestaCorrecta><ejercicio>2026</ejercicio><modelo>303</modelo><periodo>1T</periodo><nif>${NIF}</nif><csv>${declared.csv}</csv><expediente>${declared.file}</expediente><justificante>${declared.receipt}</justificante><fechaYHoraPresentacion>2026-11-14T10:32:00</fechaYHoraPresentacion></respuestaCorrecta></servicioConsultasDirectas>`,
    )
  })

  test.each([
    ['another model', { MOD: '111' }],
    ['another period', { PER: '2T' }],
    ['another year', { EJF: '2025' }],
    ['days before', { FEH: '20261113' }],
    ['days after', { FED: '20261115' }],
  ])('returns the empty element for %s', async (_what, params) => {
    const { world } = await filed()
    expect((await world.query(params)).text).toBe(NOTHING)
  })

  test('includes both days of a range, in Spanish time', async () => {
    const { world } = await filed()
    world.clock.now = new Date('2026-11-20T23:30:00Z')
    await world.file(await pageFile('115'))
    const of115 = { MOD: '115', FED: '20261121', FEH: '20261121' }
    expect((await world.query(of115)).text).toContain('2026-11-21T00:30:00')
    expect((await world.query({ FED: '20261114', FEH: '20261114' })).text).toContain('303')
  })

  test.each([
    ['no tax number', { NIF: '' }],
    ['no name', { ANR: ' ' }],
    ['no period', { PER: '' }],
    ['a year in letters', { EJF: 'X' }],
    ['a day that does not exist', { FED: '20260230' }],
    ['a range that ends before it begins', { FED: '20261115', FEH: '20261114' }],
    ['an unknown parameter', { XXX: '1' }],
  ])('is refused for %s', async (_what, params) => {
    const { world } = await filed()
    const { text } = await world.query(params as Record<string, string>)
    expect(text).toMatch(
      /^<servicioConsultasDirectas><error><descripcionError>S0701 - [^<]+<\/descripcionError><\/error><\/servicioConsultasDirectas>$/,
    )
  })

  test('takes a repeated hour, as clients send it', async () => {
    const { world } = await filed()
    const params = `${new URLSearchParams(QUERY).toString()}&HOH=`
    expect((await world.query(params)).text).toContain('<csv>')
  })

  test('is answered to the filer and its attorneys only, with a certificate', async () => {
    const { world } = await filed()
    expect(codesOf(await world.query({}, { callers: [OTHER] }))).toEqual(['S0010'])
    expect(await world.query({}, { callers: null })).toMatchObject({ status: 403 })
    const other = opened({ state: world.state, powers: [{ nif: OTHER, for: NIF, as: 'attorney' }] })
    expect((await other.query({}, { callers: [OTHER] })).text).toContain('<csv>')
  })

  test('comes as a form by POST', async () => {
    const { world } = await filed()
    const json = { headers: { 'content-type': 'application/json' } }
    expect(await world.query({}, json)).toMatchObject({ status: 415 })
    expect(await world.query({}, { method: 'GET' })).toMatchObject({ status: 405 })
  })

  test('returns informative returns, and no cancelled one', async () => {
    const world = opened()
    const { done } = await presented(world, WORKED_347.head, WORKED_347.records)
    const of347 = { MOD: '347', EJF: '2025', PER: '0A' }
    expect((await world.query(of347)).text).toContain(`<csv>${done.headers['csv']}</csv>`)
    const file = done.headers['expediente'] ?? ''
    await world.step('BajaDeclaracion', { ...named(), ...SIGNED, EXPEDIENTE: file })
    expect((await world.query(of347)).text).toBe(NOTHING)
  })
})

describe('the document of a code', () => {
  const get = (world: ReturnType<typeof opened>, query: string, method = 'GET') =>
    world.send(`${PATHS.document}?${query}`, '', { method, callers: null })

  test('is a PDF with the facts of the receipt, and needs no certificate', async () => {
    const { world, declared } = await filed()
    const answer = await get(world, `COMPLETA=SI&ORIGEN=E&NIF=&CSV=${declared.csv}`)
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } })
    const body = answer.kind === 'answered' ? answer.body : new Uint8Array()
    const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: body, encoding: 'utf8' })
    for (const part of [declared.csv, declared.receipt, declared.file, NIF, NAME, '100,00', '2026-11-14'])
      expect(text).toContain(part)
    expect(text).toContain('SIMULACIÓN')
    expect(declared.presentedAt).toBe(NOW.getTime())
  })

  test.each([
    ['an unknown code', 'COMPLETA=SI&ORIGEN=E&NIF=&CSV=AAAAAAAAAAAAAAAA'],
    ['a code of another form', 'COMPLETA=SI&ORIGEN=E&NIF=&CSV=x'],
    ['no code', ''],
  ])('is not found for %s', async (_what, query) => {
    const { world } = await filed()
    expect(read(await get(world, query))).toMatchObject({ status: 404 })
  })

  test('is found only with every parameter, by GET', async () => {
    const { world, declared } = await filed()
    expect(read(await get(world, `ORIGEN=E&NIF=&CSV=${declared.csv}`))).toMatchObject({ status: 404 })
    const whole = `COMPLETA=SI&ORIGEN=E&NIF=&CSV=${declared.csv}`
    expect(read(await get(world, whole, 'POST'))).toMatchObject({ status: 405 })
  })

  test('is on the host that was asked, and on this computer for a message without one', async () => {
    for (const [host, named] of [
      ['prewww1.example.test:8443', 'prewww1.example.test:8443'],
      ['a b/"', '127.0.0.1'],
      ['', '127.0.0.1'],
    ] as const) {
      const world = opened()
      const { json } = await world.file(await pageFile('303'), {}, { headers: { host } })
      expect(new URL(json.respuesta.correcta.urlPdf).host).toBe(named)
    }
  })
})
