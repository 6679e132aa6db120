/**
 * Uploads a file to an office with object storage and stops where the object is stored and no row names it. Argument:
 * JSON with the address of the database, the settings of the bucket, and the identifier of a book.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { openBucket } from '../../../server/app/office/index.ts'
import type { BucketSettings } from '../../../server/app/office/index.ts'
import { openOfficeSello } from '../../../server/api/office.ts'
import { STEP_CHANNEL } from '../../../server/db/failpoints.ts'
import { loadBook } from '../../../server/platform/books/index.ts'
import { uploadAttachment } from '../../../server/platform/attachments/manage.ts'
import { testKey } from '../postgres/databases.ts'

const { url, settings, book } = JSON.parse(process.argv[2] ?? '') as {
  url: string
  settings: BucketSettings
  book: string
}
const now = (): Date => new Date()
const bucket = await openBucket(settings, now)
const sello = await openOfficeSello({ url, masterKey: testKey(), bucket, inRowAtMost: 0, now })
const loaded = await loadBook(sello.env.store.reader, book)
if (!loaded) throw new Error('There is no such book.')

subscribe(STEP_CHANNEL, (step) => {
  if (step !== 'objects.stored') return
  writeSync(1, '{"stored":true}\n')
  // Until it is killed.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
await uploadAttachment(sello.ctx(loaded), {
  name: 'a.txt',
  content: Buffer.from('factura').toString('base64'),
})
writeSync(1, '{"committed":true}\n')
