/** Converts the catalogue and the page's menu state to the input of `Menu.buildFromTemplate`. */
import type { MenuItemConstructorOptions } from 'electron'
import type { DesktopLanguage, MenuChoice, MenuEntry, MenuState } from '../../preload/contract.ts'
import { MENUS } from './catalogue.ts'
import type { MenuNode, OwnCommand } from './catalogue.ts'
import { acceleratorOf, formatChord } from './keys.ts'
import { MENU_LABELS } from './labels.ts'

export const EMPTY_MENU: MenuState = { commands: [], checked: [], places: [], actions: [], books: [] }

export interface MenuOptions {
  language: DesktopLanguage
  platform: NodeJS.Platform
  /** True in a packaged app, which has no entries for reloading and developer tools. */
  packaged: boolean
  state: MenuState
  choose: (choice: MenuChoice) => void
  /** Commands of the main process; an entry without a function is hidden. */
  own: Partial<Record<OwnCommand, () => void>>
}

const separator: MenuItemConstructorOptions = { type: 'separator' }

/** Escapes a label: the sign that would underline a letter is doubled. */
const plainLabel = (label: string): string => label.replaceAll('&', '&&')

/** Returns the menus for `Menu.buildFromTemplate`. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const mac = options.platform === 'darwin'
  const words = MENU_LABELS[options.language]
  return MENUS.filter(
    (menu) => !(menu.only === 'mac' && !mac) && !(menu.needs && options.state[menu.needs].length === 0),
  ).map((menu) => ({
    label: menu.word === 'app' ? 'Sello' : words[menu.word],
    ...(menu.role ? { role: menu.role } : {}),
    submenu: entriesOf(menu.entries, options),
  }))
}

function entriesOf(nodes: readonly MenuNode[], options: MenuOptions): MenuItemConstructorOptions[] {
  return withoutIdleSeparators(nodes.flatMap((node) => entriesOfNode(node, options)))
}

function entriesOfNode(node: MenuNode, options: MenuOptions): MenuItemConstructorOptions[] {
  if (node === '-') return [separator]
  const mac = options.platform === 'darwin'
  if (node.only === 'mac' && !mac) return []
  if (node.only === 'others' && mac) return []
  if (node.only === 'development' && options.packaged) return []
  const words = MENU_LABELS[options.language]

  if ('role' in node) return [{ role: node.role, label: words[node.word] }]
  if ('submenu' in node) return [{ label: words[node.word], submenu: entriesOf(node.submenu, options) }]
  if ('own' in node) {
    const run = options.own[node.own]
    if (!run) return []
    const shown = {
      ...labelled(words[node.word], node.keys),
      ...(node.keys ? { registerAccelerator: true } : {}),
    }
    return [{ id: node.own, ...shown, click: () => run() }]
  }
  if ('from' in node) return fromPage(node.from, options)

  const { command, keys, heardHere, choice, optional } = node
  const offered = options.state.commands.includes(command)
  if (optional && !offered) return []
  return [
    {
      id: command,
      ...labelled(words[node.word], keys),
      // Keys that the page handles, with its own rules inside fields, are only displayed by the menu.
      ...(heardHere ? { registerAccelerator: true } : {}),
      enabled: offered,
      ...(choice ? { type: 'radio', checked: options.state.checked.includes(command) } : {}),
      click: () => options.choose({ kind: 'command', id: command }),
    },
  ]
}

/** Adds keys to an entry: accelerators at its right; chords and single letters in the label. */
function labelled(label: string, keys: string | undefined): MenuItemConstructorOptions {
  const accelerator = keys ? acceleratorOf(keys) : null
  if (accelerator) return { label, accelerator, registerAccelerator: false }
  return { label: keys ? `${label} (${formatChord(keys)})` : label }
}

function fromPage(
  source: 'places' | 'actions' | 'books',
  { state, choose, language }: MenuOptions,
): MenuItemConstructorOptions[] {
  const entry = (kind: 'place' | 'action' | 'book', { id, label, keys }: MenuEntry) => ({
    ...labelled(plainLabel(label), keys),
    click: () => choose({ kind, id }),
  })
  if (source === 'books')
    return state.books.map((book) => ({
      ...entry('book', book),
      type: 'radio' as const,
      checked: book.active,
    }))
  if (source === 'places')
    return state.places.flatMap((group, index) => [
      ...(index > 0 ? [separator] : []),
      ...group.map((place) => entry('place', place)),
    ])
  return state.actions.length > 0
    ? state.actions.map((action) => entry('action', action))
    : [{ label: MENU_LABELS[language].noActions, enabled: false }]
}

/** Removes separators at the start, at the end, or after another one: the entries between them may be hidden. */
function withoutIdleSeparators(entries: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return entries.filter((entry, index) => {
    if (entry.type !== 'separator') return true
    const rest = entries.slice(index + 1)
    return (
      entries.slice(0, index).some((each) => each.type !== 'separator') &&
      rest.length > 0 &&
      rest[0]!.type !== 'separator'
    )
  })
}
