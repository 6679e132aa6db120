/**
 * A whole server over the books of a folder that reads an accounting system at an address of this computer. Arguments:
 * folder, that address, milliseconds between two calls. Says where it is.
 */
import { flushCompileCache } from 'node:module'
import { startSello } from '../../../server/api/application.ts'

const [folder = '', erpUrl = '', paceMs = '0'] = process.argv.slice(2)
const { url, windowToken } = await startSello({
  dataDir: folder,
  create: true,
  keychain: null,
  erpMockEndpoint: { url: erpUrl, paceMs: Number(paceMs) },
  port: 0,
  uiDir: null,
})
// What is killed writes no cache when it ends.
flushCompileCache()
console.log(JSON.stringify({ url, windowToken }))
