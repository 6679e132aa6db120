/** Vite plugin: leaves only Latin-1 characters in the text of the bundles. */
import type { Plugin } from 'vite'

/**
 * Escapes every other character. A single ellipsis makes V8 store a whole file with two bytes per character, and the
 * source of running code stays in memory: several megabytes more, in each thread again.
 */
export function inOneByte(code: string): string {
  return code.replace(/(\\*)([^\0-\xff])/g, (_, before: string, character: string) => {
    const escape = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    // Replaces a backslash that already escapes the character.
    return (before.length % 2 === 0 ? before : before.slice(1)) + escape
  })
}

export function oneByte(): Plugin {
  return {
    name: 'sello:one-byte',
    apply: 'build',
    // Runs last: the minifier would unescape such characters again.
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        // Raw templates cannot be escaped.
        if (/\bString\.raw`[^`]*[^\0-\xff]/.test(file.code))
          this.error(`${file.fileName}: String.raw with a character beyond Latin-1`)
        file.code = inOneByte(file.code)
      }
    },
  }
}
