/** Names of keys in tooltips, in the palette and in the list of shortcuts, and the attributes of a control with a shortcut. */
import { language } from '../format.ts'
import { isSingleKey, singleKeys } from '../shortcuts.ts'

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

const works = (keys: string): boolean => singleKeys.enabled || !isSingleKey(keys)

/** Returns the names of the keys; none if the user has turned them off. */
export const workingKeyNames = (keys: string): string[] => (works(keys) ? keyNames(keys) : [])

const ARIA: Readonly<Record<string, string>> = {
  meta: mac ? 'Meta' : 'Control',
  ctrl: 'Control',
  shift: 'Shift',
  alt: 'Alt',
  enter: 'Enter',
  escape: 'Escape',
  delete: 'Delete',
}

/** Returns the keys in the format of `aria-keyshortcuts`: `Control+Enter`. A chord such as `g-f` has none. */
function ariaKeys(keys: string): string | undefined {
  if (keys === '' || /^.-.$/.test(keys)) return undefined
  return (keys.length > 1 ? keys.split('_') : [keys]).map((key) => ARIA[key] ?? key.toUpperCase()).join('+')
}

interface KeyHint {
  /** Keys that the tooltip shows; empty if they do nothing now. */
  'data-keys': string
  'aria-keyshortcuts': string | undefined
}

/**
 * Returns the attributes of a control with a shortcut: `KeyTip.vue` shows its name and its keys as a tooltip. Keys that
 * the user has turned off are not named.
 */
export function keyHint(keys: string): KeyHint {
  return works(keys)
    ? { 'data-keys': keys, 'aria-keyshortcuts': ariaKeys(keys) }
    : { 'data-keys': '', 'aria-keyshortcuts': undefined }
}
