/**
 * Programs that tests start as threads and processes, bundled. From source each one strips and links hundreds of modules,
 * which was a fifth of the processor time of all tests.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { workerEntries } from '../entries.ts'
import { bundledData } from './bundled-data.ts'
import { operationFacts } from './operation-facts.ts'

const LIST = 'programs.json'
const DAY_MS = 24 * 3_600_000
/** Native packages, which are not bundled. */
const EXTERNAL = ['better-sqlite3', 'keytar', 'electron', '@aws-sdk/client-s3']

/** Vite plugin: modules of the tests find what lies beside their source, also from the bundle. */
function sourceAddresses(root: string): Plugin {
  const tests = join(root, 'test')
  return {
    name: 'sello:source-addresses',
    transform(code, id) {
      if (relative(tests, resolve(id)).startsWith('..') || !code.includes('import.meta.')) return null
      return {
        code: code
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
        map: null,
      }
    },
  }
}

/** Vite plugin: the CommonJS script of the OCR engine finds its folder, as electron-vite provides it in the build. */
function moduleNames(): Plugin {
  return {
    name: 'sello:module-names',
    renderChunk(code, { moduleIds }) {
      if (!moduleIds.some((id) => id.replaceAll('\\', '/').includes('/node_modules/tesseract.js-core/')))
        return null
      const names = 'const __filename = import.meta.filename, __dirname = import.meta.dirname'
      return { code: `${names}\n${code}`, map: null }
    },
  }
}

function entriesOf(root: string): Record<string, string> {
  const children = join(root, 'test/support/children')
  const programs = readdirSync(children).filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  return {
    ...workerEntries(root),
    ...Object.fromEntries(programs.map((file) => [`child-${file.slice(0, -3)}`, join(children, file)])),
    'command-line': join(root, 'server/cli/main.ts'),
    'network-guard': join(root, 'test/support/setup/network-guard.ts'),
  }
}

/** Names the content of a folder. */
function digestOf(folder: string): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = join(folder, file)
    if (statSync(path).isFile()) hash.update(`${file}\0`).update(readFileSync(path))
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * Bundles the programs below `cache`, in a folder named by their content, so that runs at the same time and the compile
 * cache share it. Removes those of earlier days. Returns the path of the list.
 */
export async function bundleTestPrograms(root: string, cache: string): Promise<string> {
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, 'new-'))
  const entries = entriesOf(root)
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [operationFacts(root), bundledData(root), sourceAddresses(root), moduleNames()],
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: true,
      target: 'node22',
      outDir: made,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: entries,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  writeFileSync(join(made, 'package.json'), '{ "type": "module" }\n')
  const folder = join(cache, digestOf(made))
  try {
    renameSync(made, folder)
  } catch (error) {
    // An earlier run, or one at the same time, has made the same.
    if (!existsSync(folder)) throw error
    rmSync(made, { recursive: true })
  }
  const list = Object.fromEntries(
    Object.entries(entries).map(([name, source]) => [
      pathToFileURL(source).href,
      pathToFileURL(join(folder, `${name}.js`)).href,
    ]),
  )
  writeFileSync(join(folder, LIST), JSON.stringify(list))
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (path !== folder && Date.now() - statSync(path).mtimeMs > DAY_MS)
      rmSync(path, { recursive: true, force: true })
  }
  return join(folder, LIST)
}

/** Vite plugin: threads and processes that run from source start from their bundle. */
export function startsTestPrograms(root: string): Plugin {
  const FROM_SOURCE = "new URL('./worker.ts', from)"
  const target = resolve(root, 'server/platform/processes/threads.ts')
  return {
    name: 'sello:test-programs',
    // Before the types are stripped.
    enforce: 'pre',
    transform(code, id) {
      if (resolve(id) !== target) return null
      if (!code.includes(FROM_SOURCE))
        this.error(`${relative(root, id)} no longer names the source of a thread`)
      const helper = resolve(root, 'test/support/setup/programs.ts')
      return {
        code: `import { programOf } from ${JSON.stringify(helper)}\n${code.replace(FROM_SOURCE, `programOf(${FROM_SOURCE})`)}`,
        map: null,
      }
    },
  }
}
