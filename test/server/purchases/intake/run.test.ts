/** Reading a file in a process that has read others before. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { endIdleParsers, idleParsers } from '../../../../server/platform/processes/parsers.ts'
import { readFile } from '../../../../server/purchases/intake/run.ts'
import { twoPages } from '../../../support/examples/incoming.ts'

const folder = mkdtempSync(join(tmpdir(), 'sello-read-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PARSERS = new URL('../../../../server/platform/processes/parsers.ts', import.meta.url)
const CONTEXT = { ownNif: 'B12345674', ownName: 'Taller', today: '2026-10-01' }

/** Returns a reader whose process ends when it is given its `last` file; its proposal tells how many it has read. */
function readerUntil(last: number): URL {
  const file = join(folder, `until-${last}.mjs`)
  writeFileSync(
    file,
    `import { answerJobs } from ${JSON.stringify(PARSERS.href)}
     let count = 0
     answerJobs('read', () => {
       count += 1
       if (count === ${last}) process.kill(process.pid, 'SIGKILL')
       return { found: { proposal: { total: count }, warnings: [] }, unread: [] }
     })`,
  )
  return pathToFileURL(file)
}
const readBy = async (workerUrl: URL) =>
  (await readFile({ bytes: Buffer.from('x'), mediaType: 'text/plain' }, CONTEXT, { workerUrl })).proposal
    .total

test('a file that ends a used process is read by a new one', async () => {
  const reader = readerUntil(2)
  expect(await readBy(reader)).toBe(1)
  // The second file of the first process, and then the first one of another.
  expect(await readBy(reader)).toBe(1)
})

test('a file that ends a new process is unreadable', async () => {
  await expect(readBy(readerUntil(1))).rejects.toMatchObject({
    code: 'file_unreadable',
    details: { why: 'too_large' },
  })
})

test('the process that reads a PDF with pages is used again', async () => {
  endIdleParsers()
  const bytes = Buffer.from(twoPages(1).content, 'base64')
  const { pageCount } = await readFile({ bytes, mediaType: 'application/pdf' }, CONTEXT)
  expect(pageCount).toBe(2)
  expect(idleParsers()).toBe(1)
})
