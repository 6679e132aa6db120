/** Keys as they are printed on buttons, in menus and in the palette. */
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

/** `meta_k` and `g-f` as the names of their keys. */
export function keyNames(keys: string): string[] {
  return (keys.length > 1 ? keys.split(/[_-]/) : [keys]).map(
    (key) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key),
  )
}
