import { describe, expect, test } from 'vitest'
import {
  createFaultControl,
  readFault,
} from '../../../../../../server/registry/systems/verifactu/simulator/index.ts'
import { buildRegistration } from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import {
  buildQuery,
  buildSubmission,
} from '../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import { readQueryReply } from '../../../../../../server/registry/systems/verifactu/wire/query-reply.ts'
import { readReply } from '../../../../../../server/registry/systems/verifactu/wire/reply.ts'
import { GENERATED_AT, invoice, ISSUER, openSimulator, PREVIOUS, SYSTEM, verdict } from '../../../samples.ts'
import type { Fault } from '../../../../../../server/registry/systems/verifactu/simulator/index.ts'

function opened() {
  const faults = createFaultControl()
  const { simulator, state } = openSimulator({ faults })
  const send = async (...numbers: string[]) => {
    const records = numbers.map(
      (number) => buildRegistration(invoice({ number }), PREVIOUS, SYSTEM, GENERATED_AT).xml,
    )
    return readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, records)))
  }
  const ask = async () =>
    readQueryReply(await simulator.query(buildQuery({ issuer: ISSUER, month: '2026-11' })))
  return { faults, simulator, state, send, ask }
}

describe('a fault switch in process', () => {
  test('makes the authority fail, before or after the message is processed', async () => {
    const { faults, send, state } = opened()
    faults.next({ kind: 'fault_server' })
    const reply = await send('F-1')
    expect(reply).toMatchObject({ kind: 'fault', faultCode: 'Server' })
    expect(reply).not.toHaveProperty('code')
    expect(state.records()).toEqual([])
    faults.next({ kind: 'fault_server', processed: true })
    expect(await send('F-1')).toMatchObject({ kind: 'fault', faultCode: 'Server' })
    expect(state.records()).toHaveLength(1)
    expect(verdict(await send('F-1'))).toBe('Incorrecto 3000')
  })

  test.each(['4108', '4134', '3501'])('answers a fault with code %s', async (code) => {
    const { faults, send, state } = opened()
    faults.next({ kind: 'fault_client', code })
    expect(await send('F-1')).toMatchObject({ kind: 'fault', faultCode: 'Client', code })
    expect(state.records()).toEqual([])
    expect(verdict(await send('F-1'))).toBe('Correcto')
  })

  test('suspends until it is cleared', async () => {
    const { faults, send } = opened()
    faults.set({ kind: 'suspended' })
    expect(verdict(await send('F-1'))).toBe('fault 4141')
    expect(verdict(await send('F-1'))).toBe('fault 4141')
    faults.set(null)
    expect(verdict(await send('F-1'))).toBe('Correcto')
  })

  test('sets a wrong clock, which shows in the answers and in what counts as late', async () => {
    const { faults, send } = opened()
    faults.next({ kind: 'wrong_clock', seconds: 600 })
    expect(await send('F-1')).toMatchObject({
      presentedAt: '2026-11-16T10:10:02+01:00',
      lines: [{ code: '2004' }],
    })
    faults.next({ kind: 'wrong_clock', seconds: -100 })
    expect(await send('F-2')).toMatchObject({
      presentedAt: '2026-11-16T09:58:22+01:00',
      lines: [{ state: 'Correcto' }],
    })
  })

  test('simulates a key that was annulled before', async () => {
    const { faults, send, ask, state } = opened()
    faults.next({ kind: 'annulled_key' })
    expect(await send('F-1', 'F-2')).toMatchObject({
      state: 'ParcialmenteCorrecto',
      lines: [{ code: '3000', duplicate: { state: 'Anulada' } }, { state: 'Correcto' }],
    })
    expect(await ask()).toMatchObject({ items: [{ state: 'Anulado' }, { state: 'Correcto' }] })
    // Nobody sent it, so the log of sent records does not contain it.
    expect(state.records().map(({ key }) => key.number)).toEqual(['F-2'])
  })

  test('simulates a key that another system holds, with another hash', async () => {
    const { faults, send, ask, state } = opened()
    faults.next({ kind: 'foreign_duplicate' })
    expect(await send('F-1')).toMatchObject({ lines: [{ code: '3000', duplicate: { state: 'Correcta' } }] })
    const { hash } = buildRegistration(invoice({ number: 'F-1' }), PREVIOUS, SYSTEM, GENERATED_AT)
    const held = await ask()
    expect(held).toMatchObject({
      items: [
        {
          state: 'Correcto',
          hash: expect.stringMatching(/^[0-9A-F]{64}$/),
          recordRef: null,
          total: '121.00',
          system: { id: 'S1', installation: 'OTRA-INSTALACION' },
        },
      ],
    })
    expect(JSON.stringify(held)).not.toContain(hash)
    expect(state.records()).toEqual([])
  })

  test('stores a foreign key only under a free one, never over a held one', async () => {
    const { faults, send } = opened()
    expect(verdict(await send('F-1'))).toBe('Correcto')
    faults.next({ kind: 'foreign_duplicate' })
    expect(await send('F-1', 'F-2', 'F-3')).toMatchObject({
      lines: [{ code: '3000' }, { code: '3000' }, { state: 'Correcto' }],
    })
  })

  test('changes the wait', async () => {
    const { faults, send } = opened()
    faults.set({ kind: 'throttle', seconds: 600 })
    expect(await send('F-1')).toMatchObject({ waitSeconds: 600 })
    expect(await send('F-2')).toMatchObject({ waitSeconds: 600 })
    faults.clear()
    expect(await send('F-3')).toMatchObject({ waitSeconds: 60 })
  })

  test('sets a code for one record, rejecting or not', async () => {
    const { faults, send, state } = opened()
    faults.next({ kind: 'record_code', code: '1241' })
    expect(await send('F-1', 'F-2')).toMatchObject({ lines: [{ code: '1241' }, { state: 'Correcto' }] })
    faults.next({ kind: 'record_code', code: '2004', record: 1 })
    expect(await send('F-1', 'F-3')).toMatchObject({
      lines: [{ state: 'Correcto' }, { state: 'AceptadoConErrores', code: '2004' }],
    })
    expect(state.entries().find(({ number }) => number === 'F-3')).toMatchObject({ code: '2004' })
    expect(state.records()).toHaveLength(3)
  })
})

describe('a fault switch applies to', () => {
  test('the next messages, one after another, then permanently to the rest', async () => {
    const { faults, send } = opened()
    faults.set({ kind: 'fault_client', code: '4134' })
    faults.next({ kind: 'fault_client', code: '4110' }, { times: 2 })
    faults.next({ kind: 'fault_client', code: '4111' })
    const codes = []
    for (let index = 0; index < 5; index++) codes.push(verdict(await send('F-1')))
    expect(codes).toEqual(['fault 4110', 'fault 4110', 'fault 4111', 'fault 4134', 'fault 4134'])
  })

  test('submissions by default; a query leaves it waiting', async () => {
    const { faults, send, ask } = opened()
    faults.next({ kind: 'fault_client', code: '4134' })
    expect((await ask()).kind).toBe('answer')
    expect(verdict(await send('F-1'))).toBe('fault 4134')
    faults.next({ kind: 'fault_client', code: '4140' }, { on: 'query' })
    expect(verdict(await send('F-1'))).toBe('Correcto')
    expect(await ask()).toMatchObject({ kind: 'fault', code: '4140' })
    faults.next({ kind: 'suspended' }, { on: 'any', times: 2 })
    expect([(await ask()).kind, (await send('F-2')).kind, (await ask()).kind]).toEqual([
      'fault',
      'fault',
      'answer',
    ])
  })

  test('no message when it is set for zero times', async () => {
    const { faults, send } = opened()
    faults.next({ kind: 'suspended' }, { times: 0 })
    expect(verdict(await send('F-1'))).toBe('Correcto')
  })
})

describe('an external fault value', () => {
  test.each<[unknown, Fault | null]>([
    ['drop_reply', { kind: 'drop_reply' }],
    [{ kind: 'drop_request' }, { kind: 'drop_request' }],
    ['half_xml', { kind: 'half_xml' }],
    ['suspended', { kind: 'suspended' }],
    ['annulled_key', { kind: 'annulled_key' }],
    ['foreign_duplicate', { kind: 'foreign_duplicate' }],
    ['error_500', { kind: 'error_500', processed: false }],
    [
      { kind: 'html_200', processed: true },
      { kind: 'html_200', processed: true },
    ],
    [{ kind: 'fault_server', processed: 'yes' }, null],
    [
      { kind: 'slow', ms: 100 },
      { kind: 'slow', ms: 100 },
    ],
    ['slow', null],
    [{ kind: 'slow', ms: -1 }, null],
    [
      { kind: 'wrong_clock', seconds: -400 },
      { kind: 'wrong_clock', seconds: -400 },
    ],
    [{ kind: 'wrong_clock', seconds: 'x' }, null],
    [
      { kind: 'throttle', seconds: 9999 },
      { kind: 'throttle', seconds: 9999 },
    ],
    [{ kind: 'throttle', seconds: 10_000 }, null],
    [
      { kind: 'fault_client', code: '4108' },
      { kind: 'fault_client', code: '4108' },
    ],
    [{ kind: 'fault_client', code: '9999' }, null],
    [
      { kind: 'record_code', code: '1241' },
      { kind: 'record_code', code: '1241' },
    ],
    [
      { kind: 'record_code', code: '2000', record: 3 },
      { kind: 'record_code', code: '2000', record: 3 },
    ],
    [{ kind: 'record_code', code: '4102' }, null],
    [{ kind: 'record_code', code: '1241', record: 0.5 }, null],
    [
      { kind: 'qr_code', code: '3002' },
      { kind: 'qr_code', code: '3002' },
    ],
    [{ kind: 'qr_code', code: '1001' }, null],
    ['explode', null],
    [null, null],
    [7, null],
  ])('%j', (written, fault) => {
    expect(readFault(written)).toEqual(fault)
  })
})
