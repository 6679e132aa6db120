/** A running Sello watches the certificate automatically: soon after its start it warns of the expiry. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSello, startSello } from '../../../../server/api/application.ts'
import { listBooks } from '../../../../server/platform/books/index.ts'
import { NO_BOOK } from '../../../../server/context.ts'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'

test('both books are warned after the start, once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-housekeeping-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const options = {
    dataDir: folder,
    keychain: null,
    cacheKib: 2048,
    now: () => new Date('2026-07-01T10:00:00+02:00'),
  }
  const setUp = await openSello({ ...options, create: true })
  const run = async (name: 'company.create' | 'certificates.import', input: unknown): Promise<void> => {
    const [book] = await listBooks(setUp.env.store.reader)
    const person = { kind: 'user', id: 'user', name: 'Persona' } as const
    await runOperation(await loadOperation(name), setUp.ctx(book ?? NO_BOOK, person), input)
  }
  await run('company.create', EXAMPLE_COMPANY)
  const { p12 } = makeP12({ password: 'clave', to: '2026-07-06T12:00:00Z' })
  await run('certificates.import', { file: p12.toString('base64'), password: 'clave' })
  await setUp.close()

  const running = await startSello({ ...options, port: 0, uiDir: null })
  onTestFinished(() => running.close())
  await vi.waitFor(
    async () => {
      const events = await running.env.store.reader
        .selectFrom('events')
        .innerJoin('books', 'books.id', 'events.book_id')
        .select(['mode', 'data'])
        .where('type', '=', 'certificate.expiring')
        .orderBy('events.id')
        .execute()
      expect(events.map(({ mode, data }) => [mode, JSON.parse(data)])).toEqual([
        ['live', { daysLeft: 5, expiresOn: '2026-07-06' }],
        ['test', { daysLeft: 5, expiresOn: '2026-07-06' }],
      ])
    },
    { timeout: 20_000, interval: 50 },
  )
})
