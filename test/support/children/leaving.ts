/**
 * Writes an archive or takes one in, and dies as in a power failure at a failpoint. Arguments: the failpoint, and what to do
 * as JSON: `{ folder, out }` writes, `{ folder, file }` takes in, `{ url, file }` takes in to an office.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { openSello } from '../../../server/api/application.ts'
import { loadContracts } from '../../../server/api/operations.ts'
import { archiveTo, stageArchive, takeIn } from '../../../server/app/leaving/index.ts'
import { importBooks } from '../../../server/app/office/transfer/index.ts'
import { STEP_CHANNEL } from '../../../server/db/failpoints.ts'
import { listBooks } from '../../../server/platform/books/index.ts'

interface Job {
  folder: string
  out?: string
  file?: string
  url?: string
}

const [step = '', text = '{}'] = process.argv.slice(2)
const { folder, out, file = '', url } = JSON.parse(text) as Job
subscribe(STEP_CHANNEL, (reached) => {
  if (reached !== step) return
  writeSync(1, `${JSON.stringify({ reached })}\n`)
  process.kill(process.pid, 'SIGKILL')
})
const now = (): Date => new Date('2026-11-24T09:00:00Z')
const person = { kind: 'user', id: 'user', name: 'Persona' } as const
if (url !== undefined) {
  const { sello } = await stageArchive({
    file,
    folder: join(folder, 'books'),
    person: null,
    now,
    loadContracts,
    report: () => {},
    assertMayCome: async () => {},
  })
  await importBooks({
    source: sello,
    office: { url, masterKey: Buffer.alloc(32, 7), name: 'office.example' },
    loadContracts,
    now,
  })
} else {
  const sello = await openSello({
    dataDir: folder,
    create: true,
    sandbox: true,
    keychain: null,
    now,
    cacheKib: 2048,
  })
  if (out === undefined) await takeIn({ env: sello.env, file, person, report: () => {} })
  else {
    const [book] = await listBooks(sello.env.store.reader)
    if (book) await archiveTo(sello.ctx(book, person), out)
  }
  await sello.close()
}
writeSync(1, `${JSON.stringify({ done: true })}\n`)
