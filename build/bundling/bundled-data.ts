/** Vite plugin: copies the data files that bundled code reads at run time next to the bundle. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Copies files that cannot be bundled:
 * - `fonts/*.ttf`: `server/documents/pdf` opens them by a URL relative to its own module.
 * - `data/*.icc`: pdfkit reads its colour profile from a `data` folder next to its own module. Its metrics of the
 * fourteen standard fonts are omitted, because an archivable PDF may not use them.
 * - `bridge/*`: runs outside Sello and is copied unchanged into the bundle for assistants; `server/app/assistants`
 * opens it in the same way.
 * - `verifier/index.html`: copied unchanged into an inspection pack; `server/app/inspection` opens it in the same
 * way.
 * - `data/*.wasm`: the readers of PDF pages and of codes, which `server/purchases/intake` opens by a URL relative to
 * its module.
 */
export function bundledData(root: string): Plugin {
  const require = createRequire(join(root, 'package.json'))

  return {
    name: 'sello:bundled-data',
    apply: 'build',
    generateBundle() {
      const copy = (folder: string, pattern: RegExp, to: string): void => {
        const names = readdirSync(folder).filter((file) => pattern.test(file))
        if (names.length === 0) this.error(`${folder} holds nothing that is read at run time`)
        for (const name of names) {
          this.emitFile({
            type: 'asset',
            fileName: `${to}/${name}`,
            source: readFileSync(join(folder, name)),
          })
        }
      }
      copy(resolve(root, 'server/app/assistants/bridge'), /\.(?:mjs|png)$/, 'bridge')
      copy(resolve(root, 'server/app/inspection/verifier'), /\.html$/, 'verifier')
      const bundles = (name: string): boolean =>
        [...this.getModuleIds()].some((id) => id.replaceAll('\\', '/').includes(`/node_modules/${name}/`))
      if (bundles('zxing-wasm'))
        copy(dirname(require.resolve('zxing-wasm/reader/zxing_reader.wasm')), /\.wasm$/, 'data')
      if (bundles('@hyzyla/pdfium'))
        copy(dirname(require.resolve('@hyzyla/pdfium/pdfium.wasm')), /^pdfium\.wasm$/, 'data')
      if (!bundles('pdfkit')) return
      copy(join(dirname(require.resolve('pdfkit')), 'data'), /\.icc$/, 'data')
      copy(resolve(root, 'server/documents/pdf/fonts'), /\.ttf$/, 'fonts')
    },
  }
}
