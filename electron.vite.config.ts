/** How the app is built: main process and command line (ESM), preload (one CommonJS file) and the page. */
import { resolve } from 'node:path'
import ui from '@nuxt/ui/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { rendererDefine, uiOptions } from './renderer/ui.config.ts'
import { workerEntries } from './build/entries.ts'
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

const workers = workerEntries(root)
/** Programs that start on their own. */
const mainEntries = { index: at('main/index.ts'), cli: at('server/cli/main.ts'), ...workers }

/** Views have addresses of their own (/facturas/…), so files are named from the root; electron-vite would make them relative. */
const fromRoot: Plugin = { name: 'sello:base', config: () => ({ base: '/' }) }

const licences = notices(root)

/** The thread of an office: the packages of the desktop leave it out. */
const OF_OFFICE = 'office-copy-worker'
/** They know most of the program and run seldom: what they share with the start is not cut apart for them. */
const LOAD_THE_START: readonly string[] = ['check-worker', OF_OFFICE]

const cut = startChunk({
  start: at('server/api/application.ts'),
  workers: Object.entries(workers).flatMap(([name, file]) => (LOAD_THE_START.includes(name) ? [] : [file])),
  door: at('server/cli/main.ts'),
  entries: Object.entries(mainEntries).flatMap(([name, file]) => (name === OF_OFFICE ? [] : [file])),
  office: at('server/cli/office'),
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
