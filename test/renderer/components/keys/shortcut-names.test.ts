/** What a control with a shortcut says of it, and that no page prints keys beside it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { keyHint } from '../../../../renderer/components/shortcut-names.ts'
import { singleKeys } from '../../../../renderer/shortcuts.ts'

afterEach(() => {
  singleKeys.enabled = true
})

test.each([
  ['n', 'N'],
  ['meta_enter', 'Control+Enter'],
  ['escape', 'Escape'],
  ['f1', 'F1'],
  ['alt_2', 'Alt+2'],
  ['[', '['],
])('a control with %s has its keys for the tooltip and for screen readers', (keys, aria) => {
  expect(keyHint(keys)).toEqual({ 'data-keys': keys, 'aria-keyshortcuts': aria })
})

test('a chord has keys in the tooltip only: aria-keyshortcuts knows no chords', () => {
  expect(keyHint('g-f')).toEqual({ 'data-keys': 'g-f', 'aria-keyshortcuts': undefined })
})

test('single keys that are turned off are named nowhere; the others stay', () => {
  singleKeys.enabled = false
  for (const keys of ['n', '/', '3', 'g-f'])
    expect(keyHint(keys)).toEqual({ 'data-keys': '', 'aria-keyshortcuts': undefined })
  for (const keys of ['meta_enter', 'escape', 'f1', 'delete', 'alt_1'])
    expect(keyHint(keys)['data-keys']).toBe(keys)
})

test('keys are drawn by one component, and listed with their names by the palette alone', () => {
  const renderer = resolve(import.meta.dirname, '../../../../renderer')
  const drawing = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.vue'))
    .filter((file) => /<kbd|<UKbd|kbds:/.test(readFileSync(join(renderer, file), 'utf8')))
  expect(drawing.toSorted()).toEqual(['app/shell/palette/CommandPalette.vue', 'components/keys/KeyCaps.vue'])
})
