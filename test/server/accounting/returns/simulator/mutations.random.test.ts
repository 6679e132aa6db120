/** Whatever bytes come, the simulator answers, and what it stores is a return that its own checks accept. */
import { describe, expect, test } from 'vitest'
import { checkPageFile } from '../../../../../server/accounting/returns/simulator/checks/page-file.ts'
import { dice } from '../../../../support/seeded-random.ts'
import type { Dice } from '../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../support/sweep.ts'
import { initialised, named, SIGNED, WORKED_347 } from './informative-samples.ts'
import { filing, NIF, opened, pageFile, PATHS, QUERY } from './samples.ts'

const RUNS = sweptCount(20_000, 500)

/** Changes, removes, repeats or adds some bytes. */
function mutated(body: Uint8Array, chance: Dice): Uint8Array {
  let bytes = Buffer.from(body)
  for (let changes = 1 + chance.below(3); changes > 0; changes--) {
    const at = chance.below(bytes.length + 1)
    const part = Buffer.from(Array.from({ length: 1 + chance.below(3) }, () => chance.below(256)))
    const digit = Buffer.from(String(chance.below(10)))
    bytes = chance.pick([
      () => Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at + part.length)]),
      () => Buffer.concat([bytes.subarray(0, at), digit, bytes.subarray(at + 1)]),
      () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + chance.below(40))]),
      () => Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]),
      () => Buffer.concat([bytes, bytes.subarray(at)]),
      () => bytes.subarray(0, at),
    ])()
  }
  return bytes
}

describe('a message with random changes', () => {
  test('to a filing is answered, and stores no return that the checks refuse', async () => {
    const chance = dice(303)
    const texts = await Promise.all(['303', '130', '111', '115', '123'].map((model) => pageFile(model)))
    const statuses = new Set<number>()
    let stored = 0
    for (let run = 0; run < RUNS; run++) {
      const world = opened()
      const right = Buffer.from(JSON.stringify(filing(chance.pick(texts))), 'utf8')
      const body = mutated(right, chance)
      const answer = await world.send(PATHS.file, body, {
        headers: { 'content-type': 'application/json' },
      })
      if (answer.kind !== 'answered') throw new Error('no answer')
      statuses.add(answer.status)
      const { respuesta } = JSON.parse(Buffer.from(answer.body).toString('utf8'))
      const declared = world.state.allDeclared()
      expect(declared).toHaveLength(respuesta.correcta ? 1 : 0)
      for (const { text, model, year, period, nif, resultCents, kind } of declared) {
        stored += 1
        const claim = { model, year: String(year), period }
        const { checked } = await checkPageFile(text, claim, '2026-11-14')
        expect(checked).toMatchObject({ nif, resultCents, kind })
        expect(nif).toBe(NIF)
      }
    }
    expect(statuses).toEqual(new Set([200]))
    // A change may spare what the checks look at, such as the version of the program, a name or the language.
    expect(stored).toBeLessThan(RUNS / 4)
  })

  test('to a step of an informative return is answered', async () => {
    const chance = dice(347)
    for (let run = 0; run < RUNS; run++) {
      const world = opened()
      const { next } = await initialised(world, WORKED_347.head)
      const body = Buffer.from(mutated(Buffer.from(WORKED_347.records.join(''), 'latin1'), chance))
      const encoded = { ...next, NUMBLOQUE: '1', CODIFICACION: chance.pick(['ISO-8859-1', 'UTF-8']) }
      const sent = await world.step('EnviarDatos', encoded, body.toString('latin1'))
      expect(sent.headers['codigo']).toMatch(/^[0-9A-Z]+$/)
      const done = await world.step('PresentarEnvio', { ...next, ...SIGNED })
      const accepted = Number(sent.headers['totalt2ok'] ?? 0)
      expect(done.headers['codigo'] === '0').toBe(accepted > 0)
      expect(world.state.allDeclared()).toHaveLength(accepted > 0 ? 1 : 0)
      for (const { text } of world.state.allDeclared()) expect(text).toHaveLength((accepted + 1) * 502)
    }
  })

  test('to paths, headers and parameters is answered', async () => {
    const chance = dice(190)
    const right = Buffer.from(new URLSearchParams(QUERY).toString())
    for (let run = 0; run < RUNS; run++) {
      const world = opened()
      const noise = (text: string): string =>
        Buffer.from(mutated(Buffer.from(text), chance)).toString('latin1')
      const headers = Object.fromEntries(
        Object.entries(named()).map(([name, value]) => [name.toLowerCase(), noise(value)]),
      )
      const answers = await Promise.all([
        world.send(noise(PATHS.document), '', { method: 'GET', callers: null }),
        world.send(PATHS.query, mutated(right, chance), {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
        world.send('/wlpl/OVPT-NTGV/InicializarEnvio', mutated(Buffer.from(WORKED_347.head), chance), {
          headers: { ...headers, idioma: 'ES', numbloques: '1', codificacion: 'ISO-8859-1' },
        }),
        world.send(PATHS.file, mutated(right, chance), {
          headers: { 'content-type': noise('application/json') },
        }),
      ])
      expect(answers.map(({ kind }) => kind)).toEqual(answers.map(() => 'answered'))
      expect(world.state.allDeclared()).toEqual([])
    }
  })
})
