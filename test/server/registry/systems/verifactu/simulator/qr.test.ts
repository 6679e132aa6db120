import { describe, expect, test } from 'vitest'
import { createFaultControl } from '../../../../../../server/registry/systems/verifactu/simulator/index.ts'
import {
  buildCancellation,
  buildRegistration,
} from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import { buildSubmission } from '../../../../../../server/registry/systems/verifactu/wire/messages.ts'
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
} from '../../../samples.ts'
import type {
  QrParams,
  SimulatorOptions,
} from '../../../../../../server/registry/systems/verifactu/simulator/index.ts'

const ASK = { nif: ISSUER.nif, numserie: 'T-F2026-0002', fecha: '16-11-2026', importe: '121.00' }

async function opened(changes: Partial<SimulatorOptions> = {}) {
  const { simulator } = openSimulator(changes)
  const send = (xml: string) => simulator.submit(buildSubmission({ issuer: ISSUER }, [xml]))
  await send(buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT).xml)
  return { simulator, send, ask: (changed: QrParams = {}) => simulator.checkQr({ ...ASK, ...changed }) }
}

describe('an invoice queried by its QR code', () => {
  test('is found, and the amount is returned with two decimals', async () => {
    const { ask } = await opened()
    expect(await ask({ importe: '121' })).toEqual({
      status: 'OK',
      mensaje: expect.any(String),
      visible: true,
      crashlytics: false,
      respuesta: { resultado: '00', ...ASK },
    })
  })

  test.each<[string, QrParams]>([
    ['another amount', { importe: '121.01' }],
    ['another number', { numserie: 'T-F2026-0003' }],
    ['another day', { fecha: '15-11-2026' }],
    ['another issuer', { nif: '89890002E' }],
  ])('is not found with %s', async (_what, changed) => {
    const { ask } = await opened()
    expect(await ask(changed)).toMatchObject({ status: 'OK', respuesta: { resultado: '01' } })
  })

  test('is not found once it is cancelled', async () => {
    const { ask, send } = await opened()
    await send(buildCancellation(cancellation(), PREVIOUS, SYSTEM, GENERATED_AT).xml)
    expect(await ask()).toMatchObject({ respuesta: { resultado: '01' } })
  })

  test('may have a negative amount', async () => {
    const { ask, send } = await opened()
    await send(
      buildRegistration(invoice({ number: 'N-1', breakdown: [taxed(-5)] }), PREVIOUS, SYSTEM, GENERATED_AT)
        .xml,
    )
    expect(await ask({ numserie: 'N-1', importe: '-0.06' })).toMatchObject({
      respuesta: { resultado: '00', importe: '-0.06' },
    })
  })
})

describe('a QR query with a fault', () => {
  test.each<[string, QrParams, string]>([
    ['no tax number', { nif: null }, '1001'],
    ['no number', { numserie: '' }, '1002'],
    ['no date', { fecha: null }, '1003'],
    ['no amount', { importe: null }, '1004'],
    ['a bad tax number', { nif: '89890001A' }, '2001'],
    ['a long number', { numserie: 'F'.repeat(61) }, '2002'],
    ['a number with ñ', { numserie: 'AÑO' }, '2003'],
    ['a number with an apostrophe', { numserie: "A'1" }, '2003'],
    ['30 February', { fecha: '30-02-2026' }, '2004'],
    ['a date the other way round', { fecha: '2026-11-16' }, '2004'],
    ['an amount with a comma', { importe: '121,00' }, '2005'],
    ['no digits', { importe: '.5' }, '2005'],
    ['13 digits', { importe: '1234567890123' }, '2006'],
    ['three decimals', { importe: '1.000' }, '2006'],
    ['nothing', { nif: null, numserie: null, fecha: null, importe: null }, '1001.1002.1003.1004'],
    ['everything', { nif: 'X', numserie: 'ñ', fecha: 'x', importe: 'x' }, '2001.2003.2004.2005'],
  ])('%s', async (_what, changed, codes) => {
    const { ask } = await opened()
    expect(await ask(changed)).toMatchObject({ status: 'KO', respuesta: { codigo_error: codes } })
  })

  test('is switched on for technical failures', async () => {
    const faults = createFaultControl()
    const { ask } = await opened({ faults })
    faults.next({ kind: 'qr_code', code: '3001' })
    expect(await ask()).toMatchObject({ status: 'KO', respuesta: { codigo_error: '3001' } })
    expect(await ask()).toMatchObject({ status: 'OK' })
  })

  test('is refused beyond the daily limit, until the next day', async () => {
    let now = NOW
    const { ask } = await opened({ qrAnswersPerDay: 2, now: () => now })
    expect([(await ask()).status, (await ask()).status]).toEqual(['OK', 'OK'])
    expect(await ask()).toMatchObject({ status: 'KO', respuesta: { codigo_error: '3002' } })
    now = new Date('2026-11-17T00:00:00+01:00')
    expect((await ask()).status).toBe('OK')
  })
})
