/** The type of a file, detected from its bytes, and the limits of stored files. */
import { describe, expect, test } from 'vitest'
import { mediaTypeOf } from '../../../../server/domain/media-types.ts'
import { fileOf, pruneUnlinkedFiles } from '../../../../server/platform/attachments/index.ts'
import { openWorld } from '../../../support/world.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

describe('the type of a file', () => {
  test.each([
    ['a PDF', '%PDF-1.7 ...', 'x.bin', 'application/pdf'],
    ['a PDF with something before its mark', `${' '.repeat(500)}%PDF-1.4`, 'x.txt', 'application/pdf'],
    ['a PNG', '\x89PNG\r\n\x1a\n', 'x.pdf', 'image/png'],
    ['a JPEG', '\xff\xd8\xff\xe0', 'x.xml', 'image/jpeg'],
    ['a WebP', 'RIFF\x10\0\0\0WEBPVP8 ', 'x', 'image/webp'],
    ['a HEIC', '\0\0\0\x18ftypheic', 'x', 'image/heic'],
    ['XML with a declaration', '<?xml version="1.0"?><a/>', 'x.pdf', 'application/xml'],
    ['XML without one, after a mark', '\xef\xbb\xbf\n<fe:Facturae xmlns:fe="x">', 'x', 'application/xml'],
    [
      'a workbook',
      'PK\x03\x04....xl/workbook.xml....',
      'x.zip',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ],
    ['a mail', 'Received: from a\r\nFrom: a@b.es\r\nSubject: hola\r\n\r\nhola', 'x.txt', 'message/rfc822'],
    ['a CSV', 'fecha;importe\n1;2', 'x.csv', 'text/csv'],
    ['a text', 'hola', 'x.pdf', 'text/plain'],
    ['a program', 'MZ\x90\0\x03', 'factura.pdf', null],
    ['an archive', 'PK\x03\x04....hola.exe', 'factura.xlsx', null],
    ['a workbook with macros', 'PK\x03\x04..xl/workbook.xml..xl/vbaProject.bin', 'x.xlsx', null],
    ['a page', '<!DOCTYPE html><p>', 'x.xml', null],
    ['control characters', 'a\x01b', 'x.txt', null],
    ['nothing', '', 'x.pdf', null],
  ])('%s', (_name, content, name, type) => {
    expect(mediaTypeOf(bytes(content), name)).toBe(type)
  })

  test('20 MiB are accepted, one byte more is not', () => {
    const most = Buffer.alloc(20 * 1024 * 1024, 'a')
    expect(fileOf({ name: 'a.txt', content: most.toString('base64') }).bytes.length).toBe(most.length)
    const more = Buffer.concat([most, Buffer.from('a')])
    expect(() => fileOf({ name: 'a.txt', content: more.toString('base64') })).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    )
  })
})

test('a file that was uploaded and never attached is deleted after a month', async () => {
  const world = await openWorld({ at: '2026-07-01T10:00:00+02:00' })
  const content = Buffer.from('hola').toString('base64')
  const { body } = await world.post('/api/v1/attachments', { name: 'a.txt', content })
  world.setTime('2026-07-30T10:00:00+02:00')
  expect(await pruneUnlinkedFiles(world.ctx())).toBe(0)
  world.setTime('2026-08-02T10:00:00+02:00')
  expect(await pruneUnlinkedFiles(world.ctx())).toBe(1)
  expect((await world.get(`/api/v1/attachments/${body.data.id}`)).status).toBe(404)
})

test('the store itself rejects changes of a file, and the deletion of bytes in use', async () => {
  const world = await openWorld()
  const ctx = world.ctx()
  const content = Buffer.from('hola').toString('base64')
  const { body } = await world.post('/api/v1/attachments', { name: 'a.txt', content })
  await world.post('/api/v1/received-invoices', {
    supplierName: 'X',
    supplierNumber: '1',
    issueDate: '2026-06-01',
    taxLines: [{ base: 1 }],
    attachments: [body.data.id],
  })
  const touch = (work: (tx: typeof ctx) => Promise<unknown>) =>
    ctx.transaction(async (tx) => void (await work(tx)))
  await expect(touch((tx) => tx.db.updateTable('files').set({ name: 'b' }).execute())).rejects.toThrow(
    /frozen/,
  )
  await expect(
    touch((tx) =>
      tx.db
        .updateTable('file_bytes')
        .set({ bytes: Buffer.from('x') })
        .execute(),
    ),
  ).rejects.toThrow(/frozen/)
  await expect(touch((tx) => tx.db.deleteFrom('file_bytes').execute())).rejects.toThrow(/frozen/)
  await expect(touch((tx) => tx.db.deleteFrom('received_invoices').execute())).rejects.toThrow(/frozen/)
})
