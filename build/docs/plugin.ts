/**
 * Vite plugin: writes the pages of `/docs` next to the app's page, with the addresses of the scripts and styles of
 * the current build.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { searchIndex, siteFiles } from './site.ts'

/** Names of the documentation's entries in the build of the page. */
export const DOCS_ENTRIES = { docs: 'renderer/docs/site.ts', 'docs-reference': 'renderer/docs/reference.ts' }

/** Runs before the first paint, so that no page flashes in the wrong colours. */
const THEME = `try{var t=localStorage.getItem('sello-docs-theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}\n`

interface Chunk {
  type: string
  fileName: string
  name?: string
  isEntry?: boolean
  viteMetadata?: { importedCss?: Set<string> }
}

const hashed = (name: string, extension: string, content: string): string =>
  `assets/${name}-${createHash('sha256').update(content).digest('base64url').slice(0, 8)}.${extension}`

export function docsSite(root: string): Plugin {
  return {
    name: 'sello:docs-site',
    apply: 'build',
    generateBundle(_options, bundle) {
      const entry = (name: string): Chunk => {
        const found = (Object.values(bundle) as Chunk[]).find((one) => one.isEntry && one.name === name)
        if (!found) this.error(`The build has no entry called ${name}.`)
        return found
      }
      const emit = (fileName: string, source: string | Uint8Array): string => {
        this.emitFile({ type: 'asset', fileName, source })
        return `/${fileName}`
      }
      const script = entry('docs')
      const scalar = join(root, 'node_modules/@scalar/api-reference')
      const { version } = JSON.parse(readFileSync(join(scalar, 'package.json'), 'utf8')) as {
        version: string
      }
      const renderer = readFileSync(join(scalar, 'dist/browser/standalone.js'))
      const index = searchIndex(root)
      const assets = {
        script: `/${script.fileName}`,
        styles: [...(script.viteMetadata?.importedCss ?? [])].map((name) => `/${name}`),
        theme: emit(hashed('docs-theme', 'js', THEME), THEME),
        search: emit(hashed('docs-search', 'json', index), index),
        renderer: emit(`assets/scalar-${version}.js`, renderer),
        reference: `/${entry('docs-reference').fileName}`,
      }
      for (const [name, content] of siteFiles(root, assets)) emit(`docs/${name}`, content)
    },
  }
}
