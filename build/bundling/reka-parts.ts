/**
 * Vite plugin: splits an object of objects through which the UI kit imports reka-ui, so that each user gets only its
 * own part.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const SOURCE = 'reka-ui/namespaced'
const PART = 'sello:reka/'
const IMPORT = /\bimport\s*\{([^}]*)\}\s*from\s*["']reka-ui\/namespaced["'];?/g

/**
 * The objects are in one module, so that a menu would also load the parts for dates, colours and lists: 200 kB with
 * the first menu. This plugin turns each object into a module of its own. Measured, packed scripts beyond the entry:
 * the home page needs 56 kB instead of 99, a list of contacts 115 instead of 141.
 */
export function rekaParts(root: string): Plugin {
  const objects = (): string =>
    readFileSync(join(root, 'node_modules/reka-ui/dist/namespaced/index.mjs'), 'utf8')
  let text: string | undefined
  return {
    name: 'sello:reka-parts',
    apply: 'build',
    enforce: 'pre',
    transform(code) {
      if (!code.includes(SOURCE)) return null
      const own = code.replace(IMPORT, (_all, names: string) =>
        names
          .split(',')
          .map((name) => `import { ${name.trim()} } from '${PART}${/\w+/.exec(name)?.[0]}';`)
          .join(' '),
      )
      return { code: own, map: null }
    },
    resolveId: (id) => (id.startsWith(PART) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PART}`)) return null
      const name = id.slice(PART.length + 1)
      const body = new RegExp(`\\bconst ${name} = \\{([^}]*)\\}`).exec((text ??= objects()))?.[1]
      if (body === undefined) return `export { ${name} } from 'reka-ui'`
      const used = [...body.matchAll(/:\s*(\w+)/g)].map(([, used]) => used)
      return `import { ${used.join(', ')} } from 'reka-ui'\nexport const ${name} = {${body}}`
    },
  }
}
