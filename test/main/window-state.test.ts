/** The window reopens at its last position, if that is still reachable. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { launchOptions } from '../../main/options.ts'
import { FIRST_WINDOW, saveWindowState, readWindowState } from '../../main/window/window-state.ts'

const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }]
let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-window-'))
  file = join(folder, 'window.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the stored state is read back, and no other file is left', () => {
  const state = { x: 100, y: 50, width: 1000, height: 800, maximized: true }
  saveWindowState(file, state)
  expect(readWindowState(file, screens)).toEqual(state)
  expect(readdirSync(folder)).toEqual(['window.json'])
})

test.each([
  ['right of every screen', { x: 1900, y: 50 }],
  ['above every screen', { x: 100, y: -30 }],
  ['on a screen that is gone', { x: -1500, y: 50 }],
])('a window %s keeps its size and gets a new position', (_name, place) => {
  saveWindowState(file, { ...place, width: 1000, height: 800, maximized: false })
  expect(readWindowState(file, screens)).toEqual({ width: 1000, height: 800, maximized: false })
})

test.each(['', 'null', '[]', '{"width":"wide","height":1}', '{"width":1e99,"height":900}', '{'])(
  'a damaged state (%s) is ignored',
  (content) => {
    writeFileSync(file, content)
    expect(readWindowState(file, screens)).toEqual(FIRST_WINDOW)
  },
)

test('a window is never too small to use', () => {
  saveWindowState(file, { x: 0, y: 0, width: 1, height: 1, maximized: false })
  expect(readWindowState(file, screens)).toMatchObject({ width: 420, height: 560 })
})

test('a read-only folder does not prevent the window from closing', () => {
  expect(() => saveWindowState(join(folder, 'missing', 'window.json'), FIRST_WINDOW)).not.toThrow()
})

test('flags take precedence over the environment, the environment over the defaults', () => {
  expect(launchOptions([], {}, '/home/ana/.config')).toEqual({
    dataDir: join('/home/ana/.config', 'sello'),
    folderIsNamed: false,
    port: 4545,
    headless: false,
  })
  const env = { SELLO_DATA: '/books', SELLO_PORT: '7000', SELLO_KEY_FILE: '/key' }
  expect(launchOptions([], env, '/x')).toEqual({
    dataDir: '/books',
    folderIsNamed: true,
    port: 7000,
    namedPort: 7000,
    keyFile: '/key',
    headless: false,
  })
  expect(launchOptions(['--data=/other', '--port=0', '--key-file', '/k2', '--headless'], env, '/x')).toEqual({
    dataDir: '/other',
    folderIsNamed: true,
    port: 0,
    namedPort: 0,
    keyFile: '/k2',
    headless: true,
  })
})

test.each(['http', '-1', '70000', '1e3', '80 '])('%s is not a port', (port) => {
  expect(() => launchOptions([`--port=${port}`], {}, '/x')).toThrow(RangeError)
})
