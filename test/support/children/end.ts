/**
 * Deletes a company and dies as in a power failure at a failpoint. Arguments: a failpoint, how often it is reached
 * from the beginning of the deletion on, and as JSON the book, the time, the NIF of the company, and where it is:
 * a folder, or the address of a database with the settings of its bucket.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { openSello } from '../../../server/api/application.ts'
import { openOfficeSello } from '../../../server/api/office.ts'
import { endCompany } from '../../../server/app/companies/end/end.ts'
import { openBucket } from '../../../server/app/office/index.ts'
import type { BucketSettings } from '../../../server/app/office/index.ts'
import { STEP_CHANNEL } from '../../../server/db/failpoints.ts'
import { loadBook } from '../../../server/platform/books/index.ts'
import { testKey } from '../postgres/databases.ts'

interface Job {
  folder?: string
  url?: string
  settings?: BucketSettings | null
  book: string
  nif: string
  at: string
}

const [step = '', times = '1', text = '{}'] = process.argv.slice(2)
const { folder, url = '', settings, book: id, nif, at } = JSON.parse(text) as Job
const now = (): Date => new Date(at)
const inBucket = settings ? { bucket: await openBucket(settings, () => new Date()), inRowAtMost: 0 } : {}
const sello =
  folder === undefined
    ? await openOfficeSello({ url, masterKey: testKey(), now, connections: 2, ...inBucket })
    : await openSello({ dataDir: folder, keychain: null, now, cacheKib: 2048 })
const book = await loadBook(sello.env.store.reader, id)
if (!book) throw new Error('There is no such book.')

let left = Number(times)
subscribe(STEP_CHANNEL, (reached) => {
  if (reached !== step || --left > 0) return
  flushCompileCache()
  writeSync(1, `${JSON.stringify({ reached })}\n`)
  process.kill(process.pid, 'SIGKILL')
})
await endCompany(sello.ctx(book, { kind: 'user', id: 'user', name: 'Persona' }), { nif })
writeSync(1, '{"ended":true}\n')
await sello.close()
