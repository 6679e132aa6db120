/**
 * The producer's declaration: every point of the order in its order, and nothing invented where only the producer can
 * answer.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Producer } from '../../../server/context.ts'
import { declarationOf, declarationText } from '../../../server/registry/declaration.ts'
import { openWorld } from '../../support/world.ts'

const BUILD = '0123456789abcdef'.repeat(4)
const BLANK: Producer = { name: '', nif: '', address: '', systemId: 'S1', place: '', date: '', contact: '' }
const FULL: Producer = {
  name: 'Programas Ejemplo, S.L.',
  nif: 'B87654323',
  address: 'Calle Mayor, 2, 28013 Madrid, España',
  systemId: 'S1',
  place: 'Madrid, España',
  date: '2026-11-02',
  contact: 'ayuda@example.invalid',
}

/** Returns the letters of the blank points. */
const blanks = (producer: Producer) =>
  declarationOf('1.2.3', producer, BUILD).items.flatMap((item) => (item.value === null ? [item.letter] : []))

test('the declaration has the points of the order under its title, in its order', () => {
  const { title, items, version } = declarationOf('1.2.3', FULL, BUILD)
  expect(title).toBe('DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN')
  expect(items.map((item) => item.letter)).toEqual([...'abcdefghijkll', 'anexo', 'anexo'])
  expect(items.every((item) => item.label !== '')).toBe(true)
  expect(version).toBe('1.2.3')
  const value = (letter: string) => items.find((item) => item.letter === letter)?.value
  expect([value('a'), value('b'), value('c')]).toEqual(['Sello', 'S1', '1.2.3'])
  expect(value('e')).toMatch(/^Sí\..*VERI\*FACTU/)
  expect(value('f')).toMatch(/^Sí\./)
  expect(value('g')).toMatch(/^Ninguno\..*VERI\*FACTU/)
  for (const law of [/29\.2\.j\).*58\/2003/, /1007\/2023/, /HAC\/1177\/2024/, /sede electrónica/])
    expect(value('k')).toMatch(law)
  expect(items.filter((item) => item.letter === 'l').map((item) => item.value)).toEqual([
    '2 de noviembre de 2026',
    'Madrid, España',
  ])
})

test('the declaration is complete only when the producer has stated everything that only the producer can state', () => {
  expect(blanks(BLANK)).toEqual(['h', 'i', 'j', 'l', 'l'])
  expect(blanks(FULL)).toEqual([])
  for (const part of ['name', 'nif', 'address', 'systemId', 'place', 'date'] as const) {
    const declaration = declarationOf('1.2.3', { ...FULL, [part]: '  ' }, BUILD)
    expect([part, declaration.complete]).toEqual([part, false])
    expect(declaration.items.filter((item) => item.value === null)).toHaveLength(1)
  }
  expect(declarationOf('1.2.3', FULL, BUILD).complete).toBe(true)
  const { contact: _contact, ...withoutAnnex } = FULL
  expect(declarationOf('1.2.3', withoutAnnex, BUILD)).toMatchObject({ complete: true })
  const labels = declarationOf('1.2.3', withoutAnnex, BUILD).items.map((item) => item.label)
  expect(labels.filter((label) => label.includes('contacto de la'))).toEqual([
    expect.stringContaining('postal'),
  ])
})

test('the declaration does not accept an invalid date', () => {
  for (const date of ['2026-02-30', '02/11/2026', 'ayer'])
    expect(blanks({ ...FULL, date }), date).toEqual(['l'])
})

test('the declaration marks its blanks, and states that it is unsigned while there are any', () => {
  const blank = declarationText(declarationOf('1.2.3', BLANK, BUILD))
  expect(blank.match(/\[POR COMPLETAR POR LA ENTIDAD PRODUCTORA\]/g)).toHaveLength(5)
  expect(blank).toContain('Modelo sin suscribir')
  const full = declarationText(declarationOf('1.2.3', FULL, BUILD))
  expect(full).not.toMatch(/POR COMPLETAR|Modelo sin suscribir|null|undefined/)
  for (const text of [
    'Programas Ejemplo, S.L.',
    'B87654323',
    '2 de noviembre de 2026',
    'ayuda@example.invalid',
  ])
    expect(full).toContain(text)
})

test('the declaration names the hash of the build, and says so where there is none', () => {
  const annex = (build: string | null) => {
    const declaration = declarationOf('1.2.3', FULL, build)
    expect(declaration.build).toBe(build)
    return { said: declaration.items.at(-1)!, text: declarationText(declaration) }
  }
  const built = annex(BUILD)
  expect(built.said).toMatchObject({ letter: 'anexo', value: BUILD })
  expect(built.said.label).toContain('SHA-256')
  expect(built.text).toContain(BUILD)
  expect(annex(null).said.value).toMatch(/^Ninguna:/)
})

test('the running program shows the declaration of its own version, without a book', async () => {
  const world = await openWorld()
  const answer = await world.call('registry.declaration', {}, { book: null })
  expect(answer.status).toBe(200)
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(answer.body.data.version).toBe(manifest.version)
  // Tests run from the sources.
  expect(answer.body.data).toEqual(declarationOf(manifest.version, world.env.producer, null))
  world.env.build = BUILD
  const built = await world.call('registry.declaration', {}, { book: null })
  expect(built.body.data).toEqual(declarationOf(manifest.version, world.env.producer, BUILD))
})
