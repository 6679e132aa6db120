/** What counts of a mail: attachments by their bytes, and its words if it speaks of an invoice. */
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { fileNameOf } from '../../../../../server/purchases/intake/mail/file-name.ts'
import { readMail } from '../../../../../server/purchases/intake/mail/mail-parts.ts'
import { readCode, writeCode } from '../../../../../server/domain/replies/code.ts'
import { greyPng } from '../../../../support/files/page-pictures.ts'
import { mailOf, pdfOf } from '../../incoming/sources/dovecot.ts'

const read = (mail: Parameters<typeof mailOf>[0]) => readMail(Buffer.from(mailOf(mail)))
const FACTURAE = Buffer.from('<?xml version="1.0"?><fe:Facturae xmlns:fe="x"></fe:Facturae>')

/** A PNG that states a size; its data are noise of a length. */
function png(width: number, height: number, length: number): Buffer {
  const picture = Buffer.concat([
    greyPng({ width: 8, height: 8, data: new Uint8Array(64) }),
    Buffer.alloc(length),
  ])
  picture.writeUInt32BE(width, 16)
  picture.writeUInt32BE(height, 20)
  return picture
}

test('attachments count by their bytes, not by names and declared types', async () => {
  const mail = await read({
    parts: [
      { name: 'factura.exe', type: 'application/x-msdownload', bytes: pdfOf(1) },
      { name: 'factura.pdf', type: 'application/pdf', bytes: Buffer.from('MZ\u0090\0 a program') },
      { name: 'factura.xsig', bytes: FACTURAE },
      {
        name: 'pagina.html',
        type: 'text/html',
        bytes: Buffer.from('<html><script>alert(1)</script></html>'),
      },
      { name: 'precios.csv', type: 'text/csv', bytes: Buffer.from('a;b\n1;2\n') },
      { name: 'bomba.zip', type: 'application/zip', bytes: Buffer.from('PK\u0003\u0004\0\0\0\0') },
    ],
  })
  expect(mail.items.map(({ name, mediaType }) => [name, mediaType])).toEqual([
    ['factura.exe', 'application/pdf'],
    ['factura.xsig', 'application/xml'],
  ])
  expect(Buffer.from(mail.items[0]!.bytes).equals(pdfOf(1))).toBe(true)
  expect(mail).toMatchObject({
    subject: 'Factura',
    sender: 'Ana <ana@proveedor.example>',
    left: [{ name: 'bomba.zip', why: 'unreadable' }],
    codes: [],
  })
})

test('the invoices in a packed attachment count, and nothing else of it', async () => {
  const packed = zipSync({
    'mes/una.xsig': FACTURAE,
    'mes/dos.pdf': pdfOf(2),
    'programa.exe': Buffer.from('MZ'),
    'otra.zip': zipSync({ 'tres.pdf': pdfOf(3) }),
  })
  const mail = await read({
    parts: [{ name: 'facturas.zip', type: 'application/zip', bytes: Buffer.from(packed) }],
  })
  expect(mail.items.map(({ name, mediaType }) => [name, mediaType])).toEqual([
    ['una.xsig', 'application/xml'],
    ['dos.pdf', 'application/pdf'],
  ])
})

test('answers of customers are found in words and text files, and are no documents', async () => {
  const answer = (saidAt: number): string =>
    writeCode(Buffer.alloc(32), {
      pageId: 'rpp_6tqy0v5cbn2k8w4e',
      kind: 'accepted',
      payOn: null,
      reason: null,
      words: null,
      saidBy: null,
      saidAt,
    })
  const mail = await read({
    text: `Respuesta a la factura F-1\n\n${answer(1_000)}\n`,
    parts: [
      { name: 'respuesta.txt', type: 'text/plain', bytes: Buffer.from(`aceptada\r\n${answer(2_000)}\r\n`) },
      { name: 'respuesta-copia.txt', type: 'text/plain', bytes: Buffer.from(answer(2_000)) },
    ],
  })
  expect(mail.items).toEqual([])
  expect(mail.codes.map((code) => readCode(code)?.saidAt)).toEqual([1_000, 2_000])
})

test('small pictures in the text are logos, attached ones are papers', async () => {
  const mail = await read({
    parts: [
      { name: 'logo.png', disposition: 'inline', id: 'l1', bytes: png(900, 900, 1_000) },
      { name: 'banner.png', disposition: 'inline', id: 'l2', bytes: png(599, 90, 40_000) },
      { name: 'foto.png', disposition: 'inline', id: 'l3', bytes: png(1600, 1200, 40_000) },
      { name: 'ticket.png', bytes: png(300, 200, 1_000) },
    ],
  })
  expect(mail.items.map(({ name }) => name)).toEqual(['foto.png', 'ticket.png'])
})

test('a mail in a mail counts, and one within that does not', async () => {
  const deepest = mailOf({ parts: [{ name: 'tres.pdf', bytes: pdfOf(3) }] }).replaceAll('limite-', 'tercero-')
  const inner = mailOf({
    parts: [
      { name: 'dos.pdf', bytes: pdfOf(2) },
      { name: 'tres.eml', type: 'message/rfc822', bytes: Buffer.from(deepest) },
    ],
  }).replaceAll('limite-', 'segundo-')
  const mail = await read({ parts: [{ name: 'dos.eml', type: 'message/rfc822', bytes: Buffer.from(inner) }] })
  expect(mail.items.map(({ name }) => name)).toEqual(['dos.pdf'])
})

test('a mail without an attachment is a document if it speaks of an invoice, with its links as words', async () => {
  const mail = await read({
    subject: 'Su factura de junio',
    html: '<head><style>p{}</style></head><p>Total: 121,00&nbsp;&euro; &#x26; <a href="https://proveedor.example/f?id=1">descargar</a></p><script>x()</script>',
  })
  expect(mail.items).toHaveLength(1)
  expect(mail.items[0]).toMatchObject({ name: 'Su factura de junio.txt', mediaType: 'text/plain' })
  const words = Buffer.from(mail.items[0]!.bytes).toString('utf8')
  expect(words).toContain('Total: 121,00 € & [https://proveedor.example/f?id=1] descargar')
  expect(words).not.toMatch(/x\(\)|p\{\}|<p|<\/|href/)
  expect((await read({ subject: 'Comida el viernes', text: '¿Te viene bien a las dos?' })).items).toEqual([])
  const zipped = await read({
    subject: 'Documento',
    text: 'Va adjunto.',
    parts: [{ name: 'factura-31.zip', bytes: Buffer.from('PK\u0003\u0004\0\0\0\0') }],
  })
  expect(Buffer.from(zipped.items[0]!.bytes).toString()).toContain('[factura-31.zip]')
})

test('no more than twenty attachments of a mail are taken, and the others are named', async () => {
  const parts = Array.from({ length: 22 }, (_, index) => ({ name: `f${index}.pdf`, bytes: pdfOf(index) }))
  const mail = await read({ parts })
  expect(mail.items).toHaveLength(20)
  expect(mail.left).toEqual([
    { name: 'f20.pdf', why: 'too_many' },
    { name: 'f21.pdf', why: 'too_many' },
  ])
})

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ana\\factura.pdf', 'factura.pdf'],
  ['.oculto.pdf', 'oculto.pdf'],
  ['fac\u202Etura\u0000\n.pdf', 'factura .pdf'],
  ['', 'otro.pdf'],
  [null, 'otro.pdf'],
  [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(156)}.pdf`],
])('the name %j becomes %j', (given, name) => {
  expect(fileNameOf(given, 'otro.pdf')).toBe(name)
})

test('what is no mail that can be read is refused', async () => {
  const nested = (depth: number): string =>
    Array.from(
      { length: depth },
      (_, index) => `Content-Type: multipart/mixed; boundary="b${index}"\r\n\r\n--b${index}\r\n`,
    ).join('')
  await expect(
    readMail(Buffer.from(`From: a@b.example\r\nSubject: x\r\n${nested(10_000)}`)),
  ).rejects.toThrow()
  await expect(
    readMail(Buffer.from(`From: a@b.example\r\nSubject: ${'x'.repeat(10 * 1024 * 1024)}\r\n\r\n`)),
  ).rejects.toThrow()
})
