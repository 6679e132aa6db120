/**
 * The limit of T10 and T11: a server that opens the same file, listens and answers. Bundled for a run like the
 * product's.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

const [folder = '', keyFile = ''] = process.argv.slice(2)
enableCompileCache(join(folder, 'cache'))
// Loaded after the cache is enabled, as in the product.
const [{ openDatabase }, { LimitBooks }, { createLimitServer }] = await Promise.all([
  import('./database.ts'),
  import('./books.ts'),
  import('./http.ts'),
])
const app = createLimitServer(new LimitBooks(openDatabase({ folder, keyFile }), '0'))
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ url })}\n`)
process.on('SIGTERM', () => process.exit(0))
