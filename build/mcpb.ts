/**
 * Packs the bundle for Claude Desktop, for distribution apart from the app: `npm run bundle`, dist/sello.mcpb. It
 * uses the default folder of the books; the bundle offered by the app contains the folder of its own books.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BUNDLE_FILE, bundledTools, packBundle } from '../server/app/assistants/bundle.ts'
import { loadContracts } from '../server/api/operations.ts'

const root = resolve(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const folder = resolve(process.argv[2] ?? join(root, 'dist'))
const bytes = await packBundle({ version, dataDir: null, tools: bundledTools(await loadContracts()) })
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, BUNDLE_FILE), bytes)
console.error(`wrote ${join(folder, BUNDLE_FILE)}, ${bytes.length} bytes`)
