/**
 * A complete server over the books of a folder that reads an accounting system on this computer. Arguments: folder,
 * its address, milliseconds between two calls, and `sandbox` for new books that also call other servers here. Prints its
 * address.
 */
import { flushCompileCache } from 'node:module'
import { startSello } from '../../../server/api/application.ts'

const [folder = '', erpUrl = '', paceMs = '0', kind = ''] = process.argv.slice(2)
const { url, windowToken } = await startSello({
  dataDir: folder,
  create: true,
  sandbox: kind === 'sandbox',
  keychain: null,
  erpMockEndpoint: { url: erpUrl, paceMs: Number(paceMs) },
  port: 0,
  uiDir: null,
})
// A killed process writes no cache when it ends.
flushCompileCache()
console.log(JSON.stringify({ url, windowToken }))
