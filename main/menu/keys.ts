/** Converts the page's key notation (`meta_shift_z`, `g-f`) to that of native menus. */

const MODIFIERS: Record<string, string> = { meta: 'CmdOrCtrl', ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift' }
const NAMES: Record<string, string> = {
  enter: 'Enter',
  escape: 'Esc',
  backspace: 'Backspace',
  delete: 'Delete',
  arrowup: 'Up',
  arrowdown: 'Down',
  arrowleft: 'Left',
  arrowright: 'Right',
  space: 'Space',
  tab: 'Tab',
}

/**
 * Returns the Electron accelerator, or null for keys that a menu cannot show: chords, and single letters, which the
 * menu would take from every text field.
 */
export function acceleratorOf(keys: string): string | null {
  const parts = keys.toLowerCase().split('_')
  const key = parts.pop() ?? ''
  const modifiers = parts.map((part) => MODIFIERS[part])
  if (modifiers.includes(undefined)) return null
  const name =
    NAMES[key] ?? (/^f([1-9]|1\d|2[0-4])$/.test(key) || /^[a-z0-9,.]$/.test(key) ? key.toUpperCase() : null)
  if (name === null) return null
  const strong = modifiers.some((each) => each !== 'Shift') || /^F\d/.test(name)
  return strong ? [...modifiers, name].join('+') : null
}

/** Formats a chord or a single key as text: `g-f` is `G F`. */
export function formatChord(keys: string): string {
  if (keys.length === 1) return keys.toUpperCase()
  return keys
    .split(/[_-]/)
    .map((key) => {
      const name = MODIFIERS[key.toLowerCase()] ?? NAMES[key.toLowerCase()] ?? key
      return name.length === 1 ? name.toUpperCase() : name
    })
    .join(' ')
}
