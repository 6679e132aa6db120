/** The text of the bundles: one byte per character, and the same program. */
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { inOneByte } from '../../build/bundling/one-byte.ts'

const SAID = 'año, 5 €, «…» y 😀'

test.each([
  ['a string', `'${SAID}'`],
  ['a template', `\`${SAID}\${1}\``],
  ['a string with a backslash before', String.raw`'\\…\…'`],
  ['what an expression finds', `/[…–]+$/.exec('x…–')[0]`],
  ['what an expression finds of a character in two parts', `/^[😀é]$/u.exec('😀')[0]`],
  ['the name of a member', `({ '…': 1, ﬁ: 2 })`],
])('%s is unchanged at run time', (_, code) => {
  const escaped = inOneByte(code)
  expect(escaped).toMatch(/^[\0-\xff]*$/)
  expect(escaped).not.toBe(code)
  expect(runInNewContext(escaped)).toEqual(runInNewContext(code))
})

test('Latin-1 text is left unchanged', () => {
  const code = "'año'.length"
  expect(inOneByte(code)).toBe(code)
})
