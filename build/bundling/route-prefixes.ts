/** Vite plugin: has the router compare its paths with a function of the language, where it would write a new function for each. */
import type { Plugin } from 'vite'

const WRITTEN = 'const LONG_PREFIX_MIN_LENGTH = 16'

/**
 * The router of Fastify turns each piece of a path into text and that into code, which for all of Sello's routes takes as long
 * as reading the rest of the framework. Long pieces it compares with `indexOf`; here all of them are.
 */
export function routePrefixes(): Plugin {
  return {
    name: 'sello:route-prefixes',
    apply: 'build',
    transform(code, id) {
      if (!/\/find-my-way\/lib\/node\.js$/.test(id.replaceAll('\\', '/'))) return null
      if (!code.includes(WRITTEN)) this.error('find-my-way no longer names the length of its prefixes')
      return { code: code.replace(WRITTEN, 'const LONG_PREFIX_MIN_LENGTH = 2'), map: null }
    },
  }
}
