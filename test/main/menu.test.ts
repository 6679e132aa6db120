/** The native menus: every entry is labelled in both languages and has a handler, in the main process or the page. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test, vi } from 'vitest'
import { MENUS, OWN_COMMANDS } from '../../main/menu/catalogue.ts'
import type { MenuNode } from '../../main/menu/catalogue.ts'
import { acceleratorOf, formatChord } from '../../main/menu/keys.ts'
import { EMPTY_MENU, menuTemplate } from '../../main/menu/template.ts'
import type { MenuOptions } from '../../main/menu/template.ts'
import { MENU_LABELS } from '../../main/menu/labels.ts'
import { COMMANDS } from '../../preload/contract.ts'
import type { MenuState } from '../../preload/contract.ts'

const state: MenuState = {
  commands: COMMANDS,
  checked: ['theme-dark', 'density-normal'],
  places: [
    [{ id: 'home', label: 'Inicio', keys: 'g-i' }],
    [{ id: 'invoices', label: 'Facturas', keys: 'g-f' }],
  ],
  actions: [
    { id: 'e', label: 'Ver & editar', keys: 'e' },
    { id: 'meta_s', label: 'Guardar', keys: 'meta_s' },
  ],
  books: [
    { id: 'b1', label: 'Norte · Libro real', active: true },
    { id: 'b2', label: 'Norte · Libro de pruebas', active: false },
  ],
}

function build(options: Partial<MenuOptions> = {}) {
  const choose = vi.fn()
  const own = Object.fromEntries(OWN_COMMANDS.map((command) => [command, vi.fn()]))
  const template = menuTemplate({
    language: 'es',
    platform: 'linux',
    packaged: true,
    state,
    choose,
    own,
    ...options,
  })
  return { template, choose, own }
}
const flat = (entries: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  entries.flatMap((entry) => [
    entry,
    ...(Array.isArray(entry.submenu) ? flat(entry.submenu as MenuItemConstructorOptions[]) : []),
  ])
const nodes = (entries: readonly MenuNode[]): Exclude<MenuNode, '-'>[] =>
  entries.flatMap((node) => (node === '-' ? [] : 'submenu' in node ? [node, ...nodes(node.submenu)] : [node]))
const catalogue = MENUS.flatMap((menu) => nodes(menu.entries))

describe('the catalogue', () => {
  test('contains every command', () => {
    const placed = new Set(catalogue.flatMap((node) => ('command' in node ? [node.command] : [])))
    expect([...COMMANDS].filter((command) => !placed.has(command))).toEqual([])
    const own = new Set(catalogue.flatMap((node) => ('own' in node ? [node.own] : [])))
    expect([...OWN_COMMANDS].filter((command) => !own.has(command))).toEqual([])
  })

  test('is labelled in both languages, without unused labels', () => {
    const used = new Set<string>([
      ...MENUS.map(({ word }) => word),
      ...catalogue.flatMap((node) => ('word' in node ? [node.word] : [])),
    ])
    // Used elsewhere: the context menu, the file chooser, an empty menu.
    for (const word of ['app', 'copyLink', 'documents', 'noActions']) used.add(word)
    expect(Object.keys(MENU_LABELS.es).filter((word) => !used.has(word))).toEqual([])
    expect(Object.keys(MENU_LABELS.en).sort()).toEqual(Object.keys(MENU_LABELS.es).sort())
  })

  test('is handled by the page: each command has a handler, or is declared as pending', () => {
    const renderer = resolve(import.meta.dirname, '../../renderer')
    const sources = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:vue|ts)$/.test(file))
      .map((file) => readFileSync(join(renderer, file), 'utf8'))
      .join('\n')
    const heard = (command: string): boolean => {
      const [family = '', word = ''] = command.split('-')
      return (
        sources.includes(`onCommand('${command}'`) ||
        new RegExp(`\\['${command}', '[a-z-]+', '/`).test(sources) ||
        // A family is registered in one loop over its values.
        (sources.includes(`onCommand(\`${family}-\${${family}}\``) &&
          new RegExp(`for \\(const ${family} of \\[[^\\]]*'${word}'`).test(sources))
      )
    }
    // The only one that is hidden until the window can be locked.
    const optional = catalogue.flatMap((node) => ('command' in node && node.optional ? [node.command] : []))
    expect([...new Set(optional)]).toEqual(['lock'])
    expect(COMMANDS.filter((command) => command !== 'lock' && !heard(command))).toEqual([])
  })
})

describe('an entry', () => {
  test.each(['linux', 'win32', 'darwin'] as const)('does something on %s, in both languages', (platform) => {
    for (const language of ['es', 'en'] as const) {
      const { template, choose, own } = build({ platform, language })
      for (const entry of flat(template)) {
        if (entry.type === 'separator') continue
        expect(entry.label, JSON.stringify(entry)).toBeTruthy()
        if (entry.role || entry.submenu) continue
        const before = choose.mock.calls.length + calls(own)
        ;(entry.click as unknown as () => void)()
        expect(choose.mock.calls.length + calls(own), entry.label).toBe(before + 1)
      }
    }
  })
  const calls = (own: Record<string, unknown>): number =>
    Object.values(own).reduce<number>((sum, each) => sum + vi.mocked(each as () => void).mock.calls.length, 0)

  test('notifies the page of the choice', () => {
    const { template, choose } = build()
    const entries = flat(template)
    const click = (label: string) =>
      (entries.find((each) => each.label === label) as unknown as { click(): void }).click()
    click('Factura')
    click('Facturas (G F)')
    click('Guardar')
    click('Norte · Libro de pruebas')
    expect(choose.mock.calls.map(([choice]) => choice)).toEqual([
      { kind: 'command', id: 'new-invoice' },
      { kind: 'place', id: 'invoices' },
      { kind: 'action', id: 'meta_s' },
      { kind: 'book', id: 'b2' },
    ])
  })

  test('shows its keys, and takes none from a field', () => {
    const entries = flat(build().template)
    expect(entries.find(({ label }) => label === 'Guardar')).toMatchObject({
      accelerator: 'CmdOrCtrl+S',
      registerAccelerator: false,
    })
    expect(entries.some(({ label }) => label === 'Ver && editar (E)')).toBe(true)
    for (const { accelerator } of entries)
      if (accelerator) expect(accelerator).toMatch(/^(?:(?:CmdOrCtrl|Alt|Ctrl)\+|F\d)/)
  })

  test('without a handler is disabled; the lock is hidden, and so are books without books', () => {
    const { template } = build({ state: EMPTY_MENU, own: {} })
    const entries = flat(template)
    expect(entries.find(({ id }) => id === 'new-invoice')).toMatchObject({ enabled: false })
    expect(entries.some(({ id }) => id === 'lock' || id === 'check-updates')).toBe(false)
    expect(template.map(({ label }) => label)).not.toContain('Libro')
    expect(entries.some(({ label }) => label === 'Nada en esta página')).toBe(true)
  })

  test('of a group is checked if it is on', () => {
    const entries = flat(build().template)
    const on = entries.filter((entry) => entry.type === 'radio' && entry.checked).map(({ label }) => label)
    expect(on).toEqual(['Oscuro', 'Normal', 'Norte · Libro real'])
  })
})

test('no menu begins or ends with a separator, or has two together', () => {
  for (const platform of ['linux', 'darwin'] as const)
    for (const given of [state, EMPTY_MENU])
      for (const menu of build({ platform, state: given, own: {} }).template) {
        const lines = (menu.submenu as MenuItemConstructorOptions[]).map(({ type }) => type === 'separator')
        expect(lines.at(0)).toBe(false)
        expect(lines.at(-1)).toBe(false)
        expect(lines.some((line, index) => line && lines[index + 1])).toBe(false)
      }
})

test.each([
  ['meta_s', 'CmdOrCtrl+S'],
  ['meta_shift_z', 'CmdOrCtrl+Shift+Z'],
  ['meta_enter', 'CmdOrCtrl+Enter'],
  ['alt_arrowup', 'Alt+Up'],
  ['meta_,', 'CmdOrCtrl+,'],
  ['f1', 'F1'],
  ['e', null],
  ['g-f', null],
  ['/', null],
  ['shift_a', null],
  ['escape', null],
])('%s is the accelerator %s', (keys, accelerator) => {
  expect(acceleratorOf(keys)).toBe(accelerator)
})

test('chords and letters are printed as they are pressed', () => {
  expect([formatChord('g-f'), formatChord('e'), formatChord('/'), formatChord('-')]).toEqual([
    'G F',
    'E',
    '/',
    '-',
  ])
})
