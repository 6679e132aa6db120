/** Documents over HTTP: bytes with their hash, a safe name, and no repeated download of unchanged bytes. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { BytesAnswer } from '../../../../server/domain/contract/fields.ts'
import { OwnAddress, createServer, EventFeed } from '../../../../server/api/http/index.ts'
import { dispositionOf, safeFileName } from '../../../../server/api/http/bytes.ts'
import { loadedEntry, loadOperations } from '../../../../server/api/operations.ts'
import { openWorld, PORT } from '../../../support/world.ts'

const operations = await loadOperations()

test('the PDF of an issued invoice is a sequence of stored bytes with their hash', async () => {
  const world = await openWorld()
  const { id, number } = await world.issue((await world.createDraft()).id)
  const url = `/api/v1/invoices/${id}/pdf`
  const first = await world.get(url)
  expect(first.status).toBe(200)
  expect(first.headers['content-type']).toBe('application/pdf')
  const bytes = first.raw.rawPayload
  expect(bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-')
  expect(first.headers.etag).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
  expect(first.headers['content-disposition']).toBe(`inline; filename="${number}.pdf"`)
  expect(first.headers['x-pdf-signature']).toBe('none')

  const again = await world.get(url)
  expect(again.raw.rawPayload.equals(bytes)).toBe(true)
  const known = await world.get(url, {
    headers: { 'if-none-match': `"other", W/${String(first.headers.etag)}` },
  })
  expect([known.status, known.raw.body]).toEqual([304, ''])
  const other = await world.get(url, { headers: { 'if-none-match': '"other"' } })
  expect(other.status).toBe(200)

  const inWindow = await world.call('invoices.pdf', { id })
  expect(inWindow.raw.rawPayload.equals(bytes)).toBe(true)
  expect((await world.get('/api/v1/invoices/inv_nothere/pdf')).body.error.code).toBe('not_found')
})

test('a document that is not rendered in time is answered with 202 and the time to retry', async () => {
  const world = await openWorld()
  const slow = operations.map((operation) =>
    loadedEntry(
      operation.contract.media
        ? {
            ...operation,
            run: async (): Promise<BytesAnswer> => {
              const late = new Error('late')
              late.name = 'DocumentPending'
              throw late
            },
          }
        : operation,
    ),
  )
  const key = await world.makeKey()
  const app = await createServer({
    env: world.env,
    operations: slow,
    address: new OwnAddress(PORT),
    windowToken: 'w',
    uiDir: null,
    findKey: async () => ({
      book: world.books.test,
      actor: {
        kind: 'key',
        companyId: 1,
        rowId: 1,
        id: key.id,
        rootId: key.id,
        name: 'k',
        prefix: '',
        scopes: ['invoices.read'],
        approval: 'always',
        assistant: false,
        expiresAt: null,
        perDay: null,
        centsPerDay: null,
      },
    }),
    findBook: async () => null,
    feed: new EventFeed(),
    log: () => {},
    openApiJson: async () => '{}',
  })
  const answer = await app.inject({
    method: 'GET',
    url: '/api/v1/invoices/inv_1/pdf',
    headers: { host: `localhost:${PORT}`, authorization: 'Bearer x' },
  })
  await app.close()
  expect(answer.statusCode).toBe(202)
  expect(answer.headers['retry-after']).toBe('2')
  expect(answer.json()).toMatchObject({ ok: true, data: { status: 'pending' } })
})

test('file names cannot break a header or a file system', () => {
  expect(safeFileName('F2026-0001.pdf')).toBe('F2026-0001.pdf')
  for (const name of [
    '../../etc/passwd',
    'a"; filename="b.exe',
    'a\r\nX: y',
    'niño/ñu.pdf',
    '',
    '...',
    '\u202egnp.pdf',
  ])
    expect(safeFileName(name)).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/)
})

test('a file name in any script is offered in full beside a plain one', () => {
  expect(dispositionOf('attachment', 'Factura año.pdf')).toBe(
    `attachment; filename="Factura-ano.pdf"; filename*=UTF-8''Factura%20a%C3%B1o.pdf`,
  )
  expect(dispositionOf('attachment', '請求書.xlsx')).toMatch(
    /^attachment; filename="document\.xlsx"; filename\*=UTF-8''(%[0-9A-F]{2})+\.xlsx$/,
  )
  for (const name of ['../../etc/passwd', 'a"; x="b.exe', 'a\r\nX: y', "it's (1)*.pdf", '\u202egnp.pdf', '/'])
    expect(dispositionOf('inline', name)).toMatch(
      /^inline; filename="[A-Za-z0-9_][A-Za-z0-9._-]*"(; filename\*=UTF-8''[A-Za-z0-9%._!~-]+)?$/,
    )
})
