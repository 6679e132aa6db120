/** Vite plugin: puts the facts of the operations in the place of the module that reads them from the contracts. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const IMPORT = '#operation-facts'
const MODULE = '\0sello:operation-facts'

/** With it a program begins without loading the contracts and their schemas (docs/adr/0034). */
export function operationFacts(root: string): Plugin {
  return {
    name: 'sello:operation-facts',
    enforce: 'pre',
    resolveId: (id) => (id === IMPORT ? MODULE : null),
    async load(id) {
      if (id !== MODULE) return null
      const source = pathToFileURL(join(root, 'server/api/operation-facts.ts')).href
      const { default: facts } = (await import(source)) as { default: unknown }
      return `export default ${JSON.stringify(facts)}`
    },
  }
}
