/** Fault switches of the simulated filing services. */
import { describe, expect, test } from 'vitest'
import {
  createReturnsFaultControl,
  createReturnsSimulator,
} from '../../../../../server/accounting/returns/simulator/index.ts'
import type {
  ReturnsFault,
  SimulatedRequest,
} from '../../../../../server/accounting/returns/simulator/index.ts'
import { readReturnsFault } from '../../../../../server/accounting/returns/simulator/faults.ts'
import { initialised, WORKED_347, named } from './informative-samples.ts'
import { codesOf, filing, NIF, opened, pageFile, PATHS, read } from './samples.ts'

async function filingWorld() {
  const world = opened()
  const text = await pageFile('303')
  const send = () =>
    world.send(PATHS.file, JSON.stringify(filing(text)), { headers: { 'content-type': 'application/json' } })
  return { world, text, send, count: () => world.state.allDeclared().length }
}

describe('a filing', () => {
  test.each<[ReturnsFault, number]>([
    [{ kind: 'drop_request' }, 0],
    [{ kind: 'drop_reply' }, 1],
  ])('with %j is answered by nobody', async (fault, stored) => {
    const { world, send, count } = await filingWorld()
    world.faults.next(fault)
    expect(await send()).toEqual({ kind: 'dropped' })
    expect(count()).toBe(stored)
    // What was stored stands: the same message again is a second filing.
    expect(codesOf(read(await send()))).toEqual(stored === 1 ? ['S0302'] : [])
  })

  test.each<[ReturnsFault, number, number]>([
    [{ kind: 'error_500' }, 500, 0],
    [{ kind: 'error_500', processed: true }, 500, 1],
    [{ kind: 'html_200' }, 200, 0],
    [{ kind: 'html_200', processed: true }, 200, 1],
    [{ kind: 'redirect_302' }, 302, 0],
  ])('with %j gets a page', async (fault, status, stored) => {
    const { world, send, count } = await filingWorld()
    world.faults.next(fault)
    const answer = read(await send())
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.text).toContain('<html')
    expect(answer.headers['location']).toBe(status === 302 ? '/acceso.html' : undefined)
    expect(count()).toBe(stored)
  })

  test('is answered by half', async () => {
    const { world, send, count } = await filingWorld()
    world.faults.next({ kind: 'half_body' })
    const half = await send()
    expect(half).toMatchObject({ kind: 'answered', status: 200 })
    expect(() => read(half)).toThrow(SyntaxError)
    expect(count()).toBe(1)
  })

  test('is answered late', async () => {
    const { world, send, count } = await filingWorld()
    world.faults.next({ kind: 'slow', ms: 60 })
    let answered = false
    const waiting = send().then((answer) => {
      answered = true
      return answer
    })
    await expect.poll(count).toBe(1)
    expect(answered).toBe(false)
    expect(codesOf(read(await waiting))).toEqual([])
  })

  test('gets given errors, at most a hundred', async () => {
    const { world, send, count } = await filingWorld()
    world.faults.next({ kind: 'errors', codes: ['E0100803', 'EDID065'] })
    world.faults.next({ kind: 'errors', codes: Array.from({ length: 120 }, (_, at) => `E${at}`) })
    const answer = read(await send())
    expect(answer.json).toEqual({
      respuesta: { errores: ['E0100803 - Error simulado', 'EDID065 - Error simulado'] },
    })
    expect(codesOf(read(await send()))).toHaveLength(100)
    expect(count()).toBe(0)
  })

  test('may be hidden from queries for a while', async () => {
    const { world, send } = await filingWorld()
    world.faults.next({ kind: 'hidden', seconds: 60 })
    expect(codesOf(read(await send()))).toEqual([])
    const isShown = async () => (await world.query()).text.includes('<csv>')
    expect(await isShown()).toBe(false)
    world.clock.now = new Date(world.clock.now.getTime() + 59_999)
    expect(await isShown()).toBe(false)
    world.clock.now = new Date(world.clock.now.getTime() + 1)
    expect(await isShown()).toBe(true)
    // Set for queries, it hides what was filed within that time.
    world.faults.set({ kind: 'hidden', seconds: 61 }, { on: 'query' })
    expect(await isShown()).toBe(false)
    world.clock.now = new Date(world.clock.now.getTime() + 1000)
    expect(await isShown()).toBe(true)
  })
})

describe('a fault', () => {
  test('applies to the kind of message it is set for, in the order it was queued', () => {
    const faults = createReturnsFaultControl()
    faults.next({ kind: 'drop_reply' })
    faults.next({ kind: 'drop_request' }, { on: 'any' })
    faults.next({ kind: 'half_body' }, { on: 'document', times: 2 })
    faults.set({ kind: 'redirect_302' }, { on: 'validate' })
    expect(faults.take('query')).toEqual({ kind: 'drop_request' })
    expect(faults.take('query')).toBeNull()
    expect(faults.take('file')).toEqual({ kind: 'drop_reply' })
    expect(faults.take('file')).toBeNull()
    expect([faults.take('document'), faults.take('document'), faults.take('document')]).toEqual([
      { kind: 'half_body' },
      { kind: 'half_body' },
      null,
    ])
    expect([faults.take('validate'), faults.take('validate')]).toEqual([
      { kind: 'redirect_302' },
      { kind: 'redirect_302' },
    ])
    faults.clear()
    expect(faults.take('validate')).toBeNull()
  })

  test('refuses every service in its own form', async () => {
    const { world, text } = await filingWorld()
    world.faults.set({ kind: 'errors', codes: ['10008'] }, { on: 'any' })
    expect(codesOf(await world.file(text))).toEqual(['10008'])
    expect(codesOf(await world.validate(text))).toEqual(['10008'])
    expect((await world.query()).text).toContain(
      '<error><descripcionError>10008 - Error simulado</descripcionError></error>',
    )
    expect((await world.step('RecuperarEnvio', named())).headers).toMatchObject({ codigo: '10008' })
    const document = await world.send(`${PATHS.document}?CSV=A`, '', { method: 'GET', callers: null })
    expect(read(document)).toMatchObject({ status: 404 })
  })

  test('cuts the headers of an answer that has no body', async () => {
    const { world } = await filingWorld()
    world.faults.next({ kind: 'half_body' }, { on: 'informative' })
    const { answer } = await initialised(world, WORKED_347.head)
    expect(answer.headers).toMatchObject({ idenvio: expect.any(String), estado: 'CREADO' })
    expect(answer.headers).not.toHaveProperty('codigo')
    expect((await world.step('RecuperarEnvio', named())).headers).toMatchObject({ estado: 'CREADO' })
  })

  test.each<[unknown, ReturnsFault | null]>([
    ['drop_request', { kind: 'drop_request' }],
    [{ kind: 'drop_reply' }, { kind: 'drop_reply' }],
    ['redirect_302', { kind: 'redirect_302' }],
    ['half_body', { kind: 'half_body' }],
    ['html_200', { kind: 'html_200', processed: false }],
    [
      { kind: 'error_500', processed: true },
      { kind: 'error_500', processed: true },
    ],
    [{ kind: 'error_500', processed: 1 }, null],
    [
      { kind: 'slow', ms: 5 },
      { kind: 'slow', ms: 5 },
    ],
    [{ kind: 'slow' }, null],
    [
      { kind: 'hidden', seconds: 5 },
      { kind: 'hidden', seconds: 5 },
    ],
    [{ kind: 'hidden', seconds: -5 }, null],
    [
      { kind: 'errors', codes: ['E1'] },
      { kind: 'errors', codes: ['E1'] },
    ],
    [{ kind: 'errors', codes: [] }, null],
    [{ kind: 'errors', codes: ['e 1'] }, null],
    [{ kind: 'errors', codes: [1] }, null],
    [{ kind: 'other' }, null],
    [null, null],
    [7, null],
  ])('%j is read as %j', (value, fault) => {
    expect(readReturnsFault(value)).toEqual(fault)
  })
})

test('a state that fails rejects the message, and the next one is answered', async () => {
  const { world, text } = await filingWorld()
  let failures = 1
  const failing = createReturnsSimulator({
    now: () => world.clock.now,
    state: {
      ...world.state,
      declared: (key) =>
        failures-- > 0 ? Promise.reject(new Error('disk full')) : world.state.declared(key),
    },
  })
  const message: SimulatedRequest = {
    method: 'POST',
    path: PATHS.file,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(filing(text))),
    callers: [NIF],
  }
  await expect(failing.handle(message)).rejects.toThrow('disk full')
  expect(codesOf(read(await failing.handle(message)))).toEqual([])
})
