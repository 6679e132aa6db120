/**
 * A complete server over the books of a folder. Argument: folder. Prints its address. `SELLO_TEST_SYNCHRONOUS=NORMAL`
 * plants the fault of a driver that reports FULL without doing it.
 */
import { flushCompileCache } from 'node:module'
import Database from 'better-sqlite3'
import { startSello } from '../../../server/api/application.ts'

if (process.env.SELLO_TEST_SYNCHRONOUS === 'NORMAL') {
  const { pragma } = Database.prototype
  Database.prototype.pragma = function (this: Database.Database, source, options) {
    if (source === 'synchronous') return 2
    return pragma.call(this, source === 'synchronous=2' ? 'synchronous=1' : source, options)
  }
}

const [folder = ''] = process.argv.slice(2)
const { url, windowToken } = await startSello({
  dataDir: folder,
  create: true,
  keychain: null,
  port: 0,
  uiDir: null,
})
// A killed process writes no cache when it ends.
flushCompileCache()
console.log(JSON.stringify({ url, windowToken }))
