/** Names of keys on buttons, in menus and in the palette. */
import { language } from '../format.ts'

const mac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')
const NAMES: Readonly<Record<string, string>> = {
  meta: mac ? '⌘' : 'Ctrl',
  ctrl: mac ? '⌃' : 'Ctrl',
  shift: mac ? '⇧' : 'Shift',
  alt: mac ? '⌥' : 'Alt',
  enter: '↵',
  escape: 'Esc',
  f1: 'F1',
  backspace: '⌫',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
}

/** As printed on the keyboards of the country. */
const DELETE = { es: 'Supr', en: 'Del' } as const

/** Returns the names of the keys of `meta_k` or `g-f`. */
export function keyNames(keys: string): string[] {
  return (keys.length > 1 ? keys.split(/[_-]/) : [keys]).map(
    (key) =>
      (key === 'delete' ? DELETE[language.value] : NAMES[key]) ??
      (key.length === 1 ? key.toUpperCase() : key),
  )
}

const ARIA: Readonly<Record<string, string>> = {
  meta: mac ? 'Meta' : 'Control',
  ctrl: 'Control',
  shift: 'Shift',
  alt: 'Alt',
  enter: 'Enter',
  escape: 'Escape',
  delete: 'Delete',
}

/** Returns a tooltip with the shortcut: `Volver (Esc)`. */
export const withKeys = (name: string, keys: string): string => `${name} (${keyNames(keys).join(' ')})`

/** Returns the keys in the format of `aria-keyshortcuts`: `Control+Enter`. */
export function ariaKeys(keys: string): string {
  return (keys.length > 1 ? keys.split('_') : [keys]).map((key) => ARIA[key] ?? key.toUpperCase()).join('+')
}
