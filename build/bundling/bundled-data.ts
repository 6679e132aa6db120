/** Vite plugin: copies the data files that bundled code reads at run time next to the bundle. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { OCR_LANGUAGES } from '../../server/purchases/intake/ocr/languages.ts'

/**
 * Copies files that cannot be bundled:
 * - `fonts/*.ttf`: `server/documents/pdf` opens them by a URL relative to its own module.
 * - `data/*.icc`: pdfkit reads its colour profile from a `data` folder next to its own module. Its metrics of the
 * fourteen standard fonts are omitted, because an archivable PDF may not use them.
 * - `bridge/*`: runs outside Sello and is copied unchanged into the bundle for assistants; `server/app/assistants`
 * opens it in the same way.
 * - `verifier/index.html`: copied unchanged into an inspection pack; `server/app/inspection` opens it in the same
 * way.
 * - `data/*.wasm`: the readers of PDF pages, of codes, of pictures and of their words, which `server/purchases/intake`
 * opens by a URL relative to its module.
 * - `data/*.traineddata.gz`: what the reader of words knows of each language.
 * - `data/libheif.cjs`: the reader of HEIC, whole and beside the bundle with its licence, so that it can be replaced.
 */
export function bundledData(root: string): Plugin {
  const require = createRequire(join(root, 'package.json'))

  return {
    name: 'sello:bundled-data',
    apply: 'build',
    generateBundle() {
      const emit = (file: string, fileName: string): void =>
        void this.emitFile({ type: 'asset', fileName, source: readFileSync(file) })
      const copy = (folder: string, pattern: RegExp, to: string): void => {
        const names = readdirSync(folder).filter((file) => pattern.test(file))
        if (names.length === 0) this.error(`${folder} holds nothing that is read at run time`)
        for (const name of names) emit(join(folder, name), `${to}/${name}`)
      }
      const folderOf = (specifier: string): string => dirname(require.resolve(specifier))
      copy(resolve(root, 'server/app/assistants/bridge'), /\.(?:mjs|png)$/, 'bridge')
      copy(resolve(root, 'server/app/inspection/verifier'), /\.html$/, 'verifier')
      const bundles = (name: string): boolean =>
        [...this.getModuleIds()].some((id) => id.replaceAll('\\', '/').includes(`/node_modules/${name}/`))
      if (bundles('zxing-wasm')) copy(folderOf('zxing-wasm/reader/zxing_reader.wasm'), /\.wasm$/, 'data')
      if (bundles('@hyzyla/pdfium')) copy(folderOf('@hyzyla/pdfium/pdfium.wasm'), /^pdfium\.wasm$/, 'data')
      if (bundles('tesseract.js-core')) {
        copy(folderOf('tesseract.js-core'), /^tesseract-core-(?:simd-)?lstm\.wasm$/, 'data')
        for (const language of OCR_LANGUAGES)
          copy(
            folderOf(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`),
            /\.gz$/,
            'data',
          )
        copy(folderOf('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'), /\.wasm$/, 'data')
        copy(folderOf('@jsquash/webp/codec/dec/webp_dec.wasm'), /\.wasm$/, 'data')
        copy(folderOf('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'), /\.wasm$/, 'data')
        const heif = folderOf('libheif-js/libheif-wasm/libheif.js')
        emit(join(heif, 'libheif.wasm'), 'data/libheif.wasm')
        // The bundle is of ES modules, this file is not.
        emit(join(heif, 'libheif.js'), 'data/libheif.cjs')
        emit(join(heif, 'LICENSE'), 'data/libheif.LICENSE.txt')
      }
      if (!bundles('pdfkit')) return
      copy(join(dirname(require.resolve('pdfkit')), 'data'), /\.icc$/, 'data')
      copy(resolve(root, 'server/documents/pdf/fonts'), /\.ttf$/, 'fonts')
    },
  }
}
