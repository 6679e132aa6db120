/** Validating page returns: nothing is filed, and what is wrong is named. */
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { codesOf, NAME, NIF, opened, pageFile, spoiled } from './samples.ts'

describe('a validation', () => {
  const pdfText = (base64: string): string =>
    execFileSync('pdftotext', ['-', '-'], { input: Buffer.from(base64, 'base64'), encoding: 'utf8' })

  test('needs no certificate, draws a draft and files nothing', async () => {
    const world = opened()
    const { json } = await world.validate(await pageFile('303'))
    expect(json).toEqual({ RESPUESTA: { AVISOS: [], PDF: [expect.any(String)] } })
    const drawn = pdfText(json.RESPUESTA.PDF[0])
    for (const part of ['BORRADOR', '303', '2026', '1T', NIF, NAME, '100,00']) expect(drawn).toContain(part)
    expect(world.state.allDeclared()).toEqual([])
  })

  test('names what is wrong, unless an empty SINVL skips the checks', async () => {
    const world = opened()
    const wrong = spoiled(await pageFile('303'), '01000', 265, '00500')
    expect(codesOf(await world.validate(wrong))).toEqual(['30515', 'E010321'])
    expect(codesOf(await world.validate(wrong, { SINVL: 'S' }))).toEqual(['30515', 'E010321'])
    expect(pdfText((await world.validate(wrong, { SINVL: '' })).json.RESPUESTA.PDF[0])).toContain(
      'Sin validar',
    )
    expect(codesOf(await world.validate(wrong, { SINVL: 1 }))).toEqual(['S0002'])
    expect(codesOf(await world.validate(wrong, { NRC: '' }))).toEqual(['S0003'])
    expect(await world.validate(wrong, {}, { method: 'PUT' })).toMatchObject({ status: 405 })
  })

  test('does not ask whether the return was filed', async () => {
    const world = opened()
    await world.file(await pageFile('303'))
    expect((await world.validate(await pageFile('303'))).json).toHaveProperty('RESPUESTA')
  })
})
