/** How the app is built: main process and command line (ESM), preload (one CommonJS file) and the page. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import ui from '@nuxt/ui/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { rendererDefine, uiOptions } from './renderer/ui.config.ts'
import { bundledData } from './build/bundling/bundled-data.ts'
import { DOCS_ENTRIES, docsSite } from './build/docs/plugin.ts'
import { notices } from './build/bundling/notices.ts'
import { operationFacts } from './build/bundling/operation-facts.ts'
import { pdfFiles } from './build/bundling/pdf-files.ts'
import { rekaParts } from './build/bundling/reka-parts.ts'
import { routePrefixes } from './build/bundling/route-prefixes.ts'
import { startChunk } from './build/bundling/start-chunk.ts'
import { windowChunks } from './build/bundling/window-chunks.ts'

const root = import.meta.dirname
const at = (path: string): string => resolve(root, path)

/** Programs that start on their own; each becomes out/main/<name>.js. A worker that does not exist yet is left out. */
const mainEntries = Object.fromEntries(
  Object.entries({
    index: at('main/index.ts'),
    cli: at('server/cli/main.ts'),
    'document-worker': at('server/documents/rendering/worker.ts'),
    'certificate-worker': at('server/company/certificates/worker.ts'),
    'read-worker': at('server/purchases/intake/worker.ts'),
    'book-worker': at('server/accounting/returns/books/worker.ts'),
    'erp-worker': at('server/integrations/erp/connection/worker.ts'),
    'backup-worker': at('server/app/backups/make/worker.ts'),
    'check-worker': at('server/app/integrity/worker.ts'),
    'table-worker': at('server/app/imports/worker.ts'),
    'bank-worker': at('server/accounting/bank/formats/worker.ts'),
    'opening-worker': at('server/accounting/ledger/years/worker.ts'),
    'logo-worker': at('server/company/design/worker.ts'),
  }).filter(([, file]) => existsSync(file)),
)

/** Views have addresses of their own (/facturas/…), so files are named from the root; electron-vite would make them relative. */
const fromRoot: Plugin = { name: 'sello:base', config: () => ({ base: '/' }) }

const licences = notices(root)

/** It knows most of the program and runs seldom: what it shares with the start is not cut apart for it. */
const LOADS_THE_START = 'check-worker'

const cut = startChunk({
  start: at('server/api/application.ts'),
  workers: Object.entries(mainEntries).flatMap(([name, file]) =>
    name.endsWith('-worker') && name !== LOADS_THE_START ? [file] : [],
  ),
  door: at('server/cli/main.ts'),
})

const page = windowChunks({
  entry: at('renderer/main.ts'),
  front: [at('renderer/app/dashboard/HomePage.vue')],
  apart: Object.values(DOCS_ENTRIES).map(at),
})

export default defineConfig({
  main: {
    plugins: [operationFacts(root), bundledData(root), licences.watch(), routePrefixes(), cut.plugin],
    resolve: {
      alias: [
        // The package's build for Node declares a `require` of its own, which the bundle has already; the other needs none.
        { find: /^fflate$/, replacement: 'fflate/browser' },
        // Contracts check what comes and goes: Fastify's compilers of JSON Schema are half a megabyte that nobody calls.
        {
          find: /^@fastify\/(ajv-compiler|fast-json-stringify-compiler)$/,
          replacement: at('build/bundling/absent.ts'),
        },
      ],
    },
    build: {
      rolldownOptions: {
        input: mainEntries,
        // A door of a slice only passes on: whoever takes one function of it loads that one's file, not the door as well.
        treeshake: { moduleSideEffects: [{ test: /\/server\/.+\/index\.ts$/, sideEffects: false }] },
        output: {
          format: 'es',
          // Names stay, so what a person reports can be found; less text is read faster at each start.
          minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
          entryFileNames: '[name].js',
          // Beside the entries, not in a folder: `new URL('./fonts/…', import.meta.url)` must mean the same
          // place from whichever file the code ends up in.
          chunkFileNames: '[name]-[hash].js',
          codeSplitting: cut.codeSplitting,
        },
      },
    },
  },
  preload: {
    plugins: [licences.watch()],
    build: {
      // A sandboxed preload can load neither ES modules nor packages.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: at('preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('renderer'),
    plugins: [
      fromRoot,
      rekaParts(root),
      vue(),
      ui({ root, ...uiOptions }),
      pdfFiles(root),
      docsSite(root),
      licences.write(),
      page.plugin,
    ],
    define: rendererDefine,
    build: {
      rolldownOptions: {
        input: {
          index: at('renderer/index.html'),
          ...Object.fromEntries(Object.entries(DOCS_ENTRIES).map(([name, file]) => [name, at(file)])),
        },
        output: { codeSplitting: page.codeSplitting },
      },
      minify: 'oxc',
      // pdf.js is half a megabyte in one piece, loaded with the first PDF.
      chunkSizeWarningLimit: 640,
      emptyOutDir: true,
    },
  },
})
