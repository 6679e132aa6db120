/** Vite plugin: copies the files that pdf.js fetches while it reads a PDF next to the page's other assets. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Character maps of Asian fonts, the standard fonts that a PDF may omit, and the decoders of scanned pages as plain
 * scripts: the page's policy forbids WebAssembly. Each folder includes its licences. The version in the name allows
 * clients to cache them for ever, like every other asset.
 */
const FOLDERS = [
  { from: 'cmaps', pattern: /\.bcmap$|^LICENSE/ },
  { from: 'standard_fonts', pattern: /\.(?:pfb|ttf)$|^LICENSE/ },
  { from: 'wasm', pattern: /_nowasm_fallback\.js$|^LICENSE_(?:PDFJS_)?(?:JBIG2|OPENJPEG)$/ },
]

export function pdfFiles(root: string): Plugin {
  const manifest = createRequire(join(root, 'package.json')).resolve('pdfjs-dist/package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }

  return {
    name: 'sello:pdf-files',
    apply: 'build',
    generateBundle() {
      for (const { from, pattern } of FOLDERS) {
        const folder = join(dirname(manifest), from)
        const names = readdirSync(folder).filter((name) => pattern.test(name))
        if (names.length < 2) this.error(`${folder} does not hold what PDF pages need`)
        for (const name of names)
          this.emitFile({
            type: 'asset',
            fileName: `assets/pdfjs-${version}/${from}/${name}`,
            source: readFileSync(join(folder, name)),
          })
      }
    },
  }
}
