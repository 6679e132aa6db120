/** Vite plugin: leaves only characters of Latin-1 in the text of the bundles. */
import type { Plugin } from 'vite'

/**
 * Escapes every other character. One ellipsis is enough for V8 to keep a whole file in two bytes a character, and the text
 * of what runs stays in memory: that would be several megabytes more, in each thread again.
 */
export function inOneByte(code: string): string {
  return code.replace(/(\\*)([^\0-\xff])/g, (_, before: string, character: string) => {
    const escape = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    // A backslash that already escapes the character gives way to ours.
    return (before.length % 2 === 0 ? before : before.slice(1)) + escape
  })
}

export function oneByte(): Plugin {
  return {
    name: 'sello:one-byte',
    apply: 'build',
    // The last word: the minifier writes such characters out again.
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        // What is taken as it is written cannot be written otherwise.
        if (/\bString\.raw`[^`]*[^\0-\xff]/.test(file.code))
          this.error(`${file.fileName}: String.raw with a character beyond Latin-1`)
        file.code = inOneByte(file.code)
      }
    },
  }
}
