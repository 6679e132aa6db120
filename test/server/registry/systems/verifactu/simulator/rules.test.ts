import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  isRejection,
  isWarning,
  RECORD_MESSAGES,
} from '../../../../../../server/registry/systems/verifactu/simulator/messages/record-messages.ts'
import {
  FAULT_MESSAGES,
  isFaultCode,
} from '../../../../../../server/registry/systems/verifactu/simulator/messages/fault-messages.ts'
import {
  buildCancellation,
  buildRegistration,
} from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import { buildSubmission } from '../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import { readReply } from '../../../../../../server/registry/systems/verifactu/wire/reply.ts'
import {
  GENERATED_AT,
  invoice,
  ISSUER,
  NOW,
  openSimulator,
  PREVIOUS,
  SYSTEM,
  verdict,
} from '../../../samples.ts'
import { ADMITTED, BREAKS, WARNINGS } from './rule-breaks.ts'
import type { Break } from './rule-breaks.ts'
import type { ChainLink } from '../../../../../../server/registry/systems/verifactu/record/fields.ts'

async function answered({ record, spoil, now }: Break) {
  const { simulator, state } = openSimulator({ now: () => now ?? NOW })
  const made =
    'invoice' in record
      ? buildRegistration(record.invoice, PREVIOUS, SYSTEM, GENERATED_AT)
      : buildCancellation(record.cancellation, PREVIOUS, SYSTEM, GENERATED_AT)
  const incident = now !== undefined
  const answer = await simulator.submit(spoil(buildSubmission({ issuer: ISSUER }, [made.xml], { incident })))
  return { answer, state }
}

/** Returns state and code from the answer's text, which may repeat a key that our own reader rejects. */
function outcomeIn(answer: string): string {
  const state = /<sfR:EstadoRegistro>(\w+)</.exec(answer)?.[1] ?? answer
  const code = /<sfR:CodigoErrorRegistro>(\d+)</.exec(answer)?.[1]
  return code === undefined ? state : `${state} ${code}`
}

const named = (breaks: Break[]) => breaks.map((each) => [each.code, each.what, each] as const)

describe('each rule broken separately', () => {
  test.each(named(BREAKS))('is given for %s: %s', async (code, _what, each) => {
    const { answer, state } = await answered(each)
    expect(outcomeIn(answer)).toBe(`Incorrecto ${code}`)
    expect(answer).not.toContain('<sfR:CSV>')
    expect(state.entries()).toEqual([])
  })
})

describe("the authority's verdict on acceptance with errors", () => {
  test.each(named(WARNINGS))('%s %s', async (code, _what, each) => {
    const { answer, state } = await answered(each)
    expect(outcomeIn(answer)).toBe(`AceptadoConErrores ${code}`)
    expect(readReply(answer)).toMatchObject({ state: 'ParcialmenteCorrecto', csv: expect.any(String) })
    expect(state.entries()).toMatchObject([{ state: 'AceptadoConErrores', code }])
  })

  test.each<[string, ChainLink | null, string, string]>([
    ['a short previous hash', { ...PREVIOUS, hash: 'AB' }, GENERATED_AT, '2002'],
    [
      'a previous hash in lower case',
      { ...PREVIOUS, hash: PREVIOUS.hash.toLowerCase() },
      GENERATED_AT,
      '2003',
    ],
    ['a record 241 s old', PREVIOUS, '2026-11-16T09:56:01+01:00', '2004'],
    ['a record 241 s ahead', PREVIOUS, '2026-11-16T10:04:03+01:00', '2004'],
  ])('is given for %s', async (_what, previous, generatedAt, code) => {
    const { simulator } = openSimulator()
    const { xml } = buildRegistration(invoice(), previous, SYSTEM, generatedAt)
    const reply = readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, [xml])))
    expect(verdict(reply)).toBe(`AceptadoConErrores ${code}`)
  })

  test("is given for a previous hash that is the record's own", async () => {
    const { xml, hash } = buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT)
    const { simulator } = openSimulator()
    const spoiled = buildSubmission({ issuer: ISSUER }, [xml]).replaceAll(PREVIOUS.hash, hash)
    expect(verdict(readReply(await simulator.submit(spoiled)))).toBe('AceptadoConErrores 2008')
  })

  test('is given outside the margin of the clock, which is an option and is stated in the answer', async () => {
    const { simulator } = openSimulator({ clockWindowSeconds: 30 })
    const { xml } = buildRegistration(invoice(), PREVIOUS, SYSTEM, '2026-11-16T09:59:31+01:00')
    expect(readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, [xml])))).toMatchObject({
      lines: [{ code: '2004', message: expect.stringContaining(' 30 segundos') }],
    })
  })

  test.each([
    ['240 s old', '2026-11-16T09:56:02+01:00', false],
    ['240 s ahead', '2026-11-16T10:04:02+01:00', false],
    ['a day old, delayed by an incident', '2026-11-15T10:00:00+01:00', true],
    ['now, written in another zone', '2026-11-16T04:00:00-05:00', false],
    ['now, in universal time', '2026-11-16T09:00:00+00:00', false],
  ])('is not given for a record %s', async (_what, generatedAt, incident) => {
    const { simulator } = openSimulator()
    const { xml } = buildRegistration(invoice(), PREVIOUS, SYSTEM, generatedAt)
    const message = buildSubmission({ issuer: ISSUER }, [xml], { incident })
    expect(verdict(readReply(await simulator.submit(message)))).toBe('Correcto')
  })

  test('is given in an incident for a record ahead of time, but not for a late one', async () => {
    const { simulator } = openSimulator()
    const { xml } = buildRegistration(invoice(), PREVIOUS, SYSTEM, '2026-11-16T10:04:03+01:00')
    const message = buildSubmission({ issuer: ISSUER }, [xml], { incident: true })
    expect(verdict(readReply(await simulator.submit(message)))).toBe('AceptadoConErrores 2004')
  })

  test('is not given for totals within 10.00', async () => {
    const made = invoice({ totalCents: 13_100, taxTotalCents: 3_100 })
    const { answer } = await answered({ code: '', what: '', record: { invoice: made }, spoil: (xml) => xml })
    expect(outcomeIn(answer)).toBe('Correcto')
  })
})

describe('a valid record that looks wrong', () => {
  test.each(named(ADMITTED))('is accepted: %s%s', async (_code, _what, each) => {
    const { answer } = await answered(each)
    // Spoiled after sealing, a record has another hash and no other fault.
    expect(['Correcto', 'AceptadoConErrores 2000']).toContain(outcomeIn(answer))
  })
})

describe('the catalogue of codes', () => {
  const folder = new URL('../../../../../../server/registry/systems/verifactu/simulator/', import.meta.url)
  const codesIn = (path: string) =>
    [...readFileSync(new URL(path, folder), 'utf8').matchAll(/'(\d{4})'/g)].map(([, code]) => code ?? '')

  test('is complete: every code of the checks is caused above, or in the tests of sequences and chains', () => {
    const files = readdirSync(new URL('checks/', folder)).map((name) => `checks/${name}`)
    const known = new Set(files.flatMap(codesIn))
    expect(known.size).toBeGreaterThan(120)
    const shown = new Set([...BREAKS, ...WARNINGS].map(({ code }) => code))
    // Tested separately: they need an earlier record, or another time.
    for (const code of ['2002', '2003', '2004', '2007', '2008']) shown.add(code)
    expect([...known].filter((code) => !shown.has(code))).toEqual([])
    expect([...shown].filter((code) => !known.has(code))).toEqual([])
  })

  test('has a message for every code, and knows which ones reject', () => {
    expect(Object.values(RECORD_MESSAGES).every((words) => words.endsWith('.'))).toBe(true)
    expect(Object.values(FAULT_MESSAGES).every((words) => words.endsWith('.'))).toBe(true)
    expect([isRejection('1100'), isRejection('2000'), isRejection('4102'), isWarning('2009')]).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect([isFaultCode('4141'), isFaultCode('1282'), isFaultCode('2000')]).toEqual([true, true, false])
  })
})
