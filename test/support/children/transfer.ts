/**
 * Moves a company and dies as in a power failure at a failpoint. Arguments: a failpoint, how often it is reached
 * before, and what to do, as JSON: `{ folder, url }` into an office, `{ company, url, out }` out of it, `{ company,
 * url, to, directory }` to another one, or `{ company, url, file, code }` back to its owner.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { openSello } from '../../../server/api/application.ts'
import { loadContracts } from '../../../server/api/operations.ts'
import {
  Directory,
  exportCompany,
  handBackCompany,
  importBooks,
  moveCompany,
} from '../../../server/app/office/transfer/index.ts'
import { STEP_CHANNEL } from '../../../server/db/failpoints.ts'

interface Job {
  folder?: string
  company?: string
  url: string
  out?: string
  to?: string
  directory?: string
  file?: string
  code?: string
}

const [step = '', times = '1', text = '{}'] = process.argv.slice(2)
const { folder, company = '', url, out, to, directory, file, code = '' } = JSON.parse(text) as Job
let left = Number(times)
subscribe(STEP_CHANNEL, (reached) => {
  if (reached !== step || --left > 0) return
  flushCompileCache()
  writeSync(1, `${JSON.stringify({ reached })}\n`)
  process.kill(process.pid, 'SIGKILL')
})
const masterKey = Buffer.alloc(32, 7)
const at = new Date('2026-11-24T09:00:00Z')
const now = (): Date => at
const office = { url, masterKey, name: 'office.example' }
if (folder !== undefined) {
  const source = await openSello({ dataDir: folder, keychain: null, now, mayOnlyRead: true })
  await importBooks({ source, office, loadContracts, now })
  await source.close()
} else if (file !== undefined)
  await handBackCompany({ office, company, code, to: file, version: '1.0.0', loadContracts, now })
else if (out !== undefined)
  await exportCompany({ office, company, folder: out, keychain: null, loadContracts, now })
else if (to !== undefined && directory !== undefined) {
  const places = await Directory.open(directory)
  await moveCompany({
    company,
    from: { url, masterKey, name: 'one', address: 'https://one.example' },
    to: { url: to, masterKey, name: 'two', address: 'https://two.example' },
    directory: places,
    loadContracts,
    now,
  })
  await places.close()
}
