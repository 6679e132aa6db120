/** Recovery code as typed: seven groups of four, read as tolerantly as the server reads the whole. Pure. */

export const GROUPS = 7
const GROUP_LENGTH = 4
/** Without I, L, O and U: the first three are read as the digits they resemble. */
const ALPHABET = /^[0-9A-HJKMNP-TV-Z]*$/

interface Group {
  /** Displayed form: capitals, without separators, look-alikes replaced by the intended characters. */
  text: string
  state: 'empty' | 'short' | 'wrong' | 'good'
}

function plain(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
}

/** Reads one typed group. */
export function readGroup(typed: string): Group {
  const text = plain(typed).slice(0, GROUP_LENGTH)
  if (text === '') return { text, state: 'empty' }
  if (!ALPHABET.test(text)) return { text, state: 'wrong' }
  return { text, state: text.length < GROUP_LENGTH ? 'short' : 'good' }
}

/** Distributes a typed or pasted text over a group and those after it. */
export function spreadFrom(groups: readonly string[], index: number, typed: string): string[] {
  let rest = plain(typed)
  // A complete code starts at the first group, wherever it is pasted.
  let at = rest.length >= GROUPS * GROUP_LENGTH ? 0 : index
  const next = [...groups]
  next[at] = rest.slice(0, GROUP_LENGTH)
  for (rest = rest.slice(GROUP_LENGTH); rest !== '' && at + 1 < GROUPS; rest = rest.slice(GROUP_LENGTH))
    next[++at] = rest.slice(0, GROUP_LENGTH)
  return next
}
