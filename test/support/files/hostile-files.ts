/**
 * Files made to break a parser, created by code: small ones that expand, large ones, deep ones, and ones with false
 * lengths.
 */
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { BUYER, exchangeInvoice, SELLER } from '../exchange/exchange-invoices.ts'

const MIB = 1024 * 1024

const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`
const WORKBOOK = `<?xml version="1.0"?><workbook xmlns:r="r"><sheets><sheet name="Hoja" sheetId="1" r:id="rId1"/></sheets></workbook>`
const RELATIONS = `<?xml version="1.0"?><Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`

/** Returns a workbook of one sheet; `rows` are the elements within `sheetData`. */
function workbook(rows: string | Uint8Array, extra: Record<string, Uint8Array> = {}): Buffer {
  const sheet =
    typeof rows === 'string'
      ? strToU8(`<?xml version="1.0"?><worksheet><sheetData>${rows}</sheetData></worksheet>`)
      : rows
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(CONTENT_TYPES),
      'xl/workbook.xml': strToU8(WORKBOOK),
      'xl/_rels/workbook.xml.rels': strToU8(RELATIONS),
      'xl/worksheets/sheet1.xml': sheet,
      ...extra,
    }),
  )
}

const cell = (address: string, text: string): string =>
  `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`
const TITLES = `<row r="1">${cell('A1', 'nombre')}</row>`

/** Returns a workbook with false declared sizes: the directory states `size` bytes for every entry. */
function lying(file: Buffer, size: number): Buffer {
  const lie = Buffer.from(file)
  for (
    let at = lie.indexOf('PK\x01\x02', 0, 'latin1');
    at !== -1;
    at = lie.indexOf('PK\x01\x02', at + 4, 'latin1')
  )
    lie.writeUInt32LE(size, at + 24)
  return lie
}

function many(row: (index: number) => string, count: number): string {
  const parts: string[] = []
  for (let index = 0; index < count; index++) parts.push(row(index))
  return parts.join('')
}

/** Spreadsheets by their fault. */
export const spreadsheets: Record<string, () => Buffer> = {
  'one cell at the last address': () => workbook(`<row r="1048576">${cell('XFD1048576', 'x')}</row>`),
  'one cell far to the right': () =>
    workbook(`${TITLES}<row r="20000">${cell('A20000', 'x')}${cell('XFD20000', 'y')}</row>`),
  'a sheet of blanks': () => workbook(new Uint8Array(150 * MIB).fill(0x20)),
  'a sheet larger than declared': () => lying(workbook(new Uint8Array(100 * MIB).fill(0x20)), 1000),
  'an archive larger than allowed': () =>
    workbook(TITLES, {
      'xl/media/a.bin': new Uint8Array(90 * MIB),
      'xl/media/b.bin': new Uint8Array(90 * MIB),
    }),
  'shared texts without end': () =>
    workbook(TITLES, { 'xl/sharedStrings.xml': strToU8(`<sst>${'<si><t/></si>'.repeat(6_000_000)}</sst>`) }),
  'elements without end': () => workbook(`${TITLES}${'<a>'.repeat(2_000_000)}`),
  'a DOCTYPE with entities that multiply': () =>
    workbook(
      strToU8(
        `<?xml version="1.0"?><!DOCTYPE worksheet [<!ENTITY a "aaaaaaaaaa">${many((n) => `<!ENTITY a${n} "${`&a${n === 0 ? '' : n - 1};`.repeat(10)}">`, 10)}]><worksheet><sheetData><row r="1">${cell('A1', '&a9;')}</row></sheetData></worksheet>`,
      ),
    ),
  'two hundred thousand wide rows': () =>
    workbook(many((index) => `<row>${'<c><v>1</v></c>'.repeat(50)}</row>${index === 0 ? '' : ''}`, 200_000)),
}

/** Files that could be the directory of public bodies; only the first is one. */
export const directories: Record<string, () => Buffer> = {
  'ten thousand units': () =>
    Buffer.from(`codigo;denominacion\n${many((n) => `L0${String(1_000_000 + n)};Unidad ${n}\n`, 10_000)}`),
  'units with NUL bytes': () =>
    Buffer.from(
      `codigo;denominacion\n${many((n) => `L0${String(1_000_000 + n)}\0;Unidad\0 ${n}\n`, 10_000)}`,
    ),
  'fifty megabytes of units': () =>
    Buffer.concat([Buffer.from('codigo;denominacion\n'), Buffer.alloc(50 * MIB, 'L01000000;Unidad\n')]),
  'an archive instead of a list': () => Buffer.from(zipSync({ 'unidades.csv': new Uint8Array(100 * MIB) })),
  'a list of one line': () =>
    Buffer.concat([Buffer.from('codigo;denominacion\nL01000000;'), Buffer.alloc(19 * MIB, 'x')]),
}

/** Texts with separators. */
export const tables: Record<string, () => Buffer> = {
  separators: () => Buffer.alloc(20 * MIB - 1, ';'),
  'quotation marks': () => Buffer.alloc(20 * MIB - 1, '"'),
  'empty lines': () => Buffer.alloc(20 * MIB - 1, '\n'),
  'five million rows': () => Buffer.alloc(20 * MIB - 1, 'a;b\n'),
  'NUL bytes': () => Buffer.alloc(20 * MIB - 1, 'a\0;b\n'),
  'one quoted cell': () => Buffer.concat([Buffer.from('a;b\n"'), Buffer.alloc(20 * MIB - 100, 'x')]),
}

interface PdfStream {
  dictionary: string
  bytes: Buffer
}

/** Returns a PDF whose page shows the first stream; each is an object from number 4 on. */
function pdfOf(streams: PdfStream[], page = '/MediaBox [0 0 595 842]'): Buffer {
  const objects = [
    Buffer.from(
      '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a.xml) 90 0 R] >> >> >>',
    ),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R ${page} /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>`,
    ),
    ...streams.map(({ dictionary, bytes }) =>
      Buffer.concat([
        Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
        bytes,
        Buffer.from('\nendstream'),
      ]),
    ),
  ]
  const parts = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  let at = 9
  const add = (number: number, content: Buffer): void => {
    const whole = Buffer.concat([Buffer.from(`${number} 0 obj\n`), content, Buffer.from('\nendobj\n')])
    places.push(at)
    parts.push(whole)
    at += whole.length
  }
  for (const [index, object] of objects.entries()) add(index + 1, object)
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ${places.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

/** Number of bytes compressed at once: a multiple of them is the same compressed bytes, repeated. */
const PIECE_BYTES = 16 * MIB

/** Adler-32 of one byte repeated (RFC 1950, section 9), without adding them up one by one. */
function adlerOf(byte: number, count: number): number {
  const [size, value, prime] = [BigInt(count), BigInt(byte), 65_521n]
  const low = (1n + value * size) % prime
  const high = (size + (value * size * (size + 1n)) / 2n) % prime
  return Number((high << 16n) | low)
}

/** Returns one byte repeated, as a zlib stream: a thousandth of its size, without compressing all of it. */
function repeated(byte: number, count: number): Buffer {
  const pieceOf = (length: number): Buffer =>
    deflateRawSync(Buffer.alloc(length, byte), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const whole = pieceOf(Math.min(PIECE_BYTES, count))
  const pieces = Array.from({ length: Math.floor(count / PIECE_BYTES) }, () => whole)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(adlerOf(byte, count))
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...pieces,
    pieceOf(count % PIECE_BYTES),
    // An empty last block.
    Buffer.from([3, 0]),
    checksum,
  ])
}

/** Returns blanks compressed repeatedly: each layer compresses a thousandfold. */
function nested(bytes: number, layers: number): Buffer {
  let data = repeated(0x20, bytes)
  for (let layer = 1; layer < layers; layer++) data = deflateSync(data, { level: 9 })
  return data
}

const image = (side: number, bytes: Buffer, filter: string): PdfStream => ({
  dictionary: `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter ${filter}`,
  bytes,
})
const SHOW: PdfStream = { dictionary: '', bytes: Buffer.from('q 500 0 0 500 0 0 cm /X Do Q') }

export const pdfs: Record<string, () => Buffer> = {
  'Flate within Flate': () =>
    pdfOf([{ dictionary: '/Filter [/FlateDecode /FlateDecode]', bytes: nested(900 * MIB, 2) }]),
  'Flate within Flate, its name hidden': () =>
    pdfOf([{ dictionary: '/Filter [/#46lateDecode /#46lateDecode]', bytes: nested(700 * MIB, 2) }]),
  'a page of text without end': () =>
    pdfOf([{ dictionary: '/Filter /FlateDecode', bytes: nested(400 * MIB, 1) }]),
  'a picture of a gigabyte': () => pdfOf([SHOW, image(19_000, nested(64 * MIB, 1), '/FlateDecode')]),
  'a hidden picture of a gigabyte': () =>
    pdfOf([SHOW, image(19_000, nested(600 * MIB, 1), '/Fl#61teDecode')]),
  'a page as large as a field': () => pdfOf([SHOW], '/MediaBox [0 0 14400000 14400000]'),
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

/** Returns a PNG that declares these dimensions, whatever its data. */
function png(width: number, height: number, data: Buffer, interlaced = false): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, interlaced ? 1 : 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const pictures: Record<string, () => Buffer> = {
  'of four hundred million pixels': () => png(20_000, 20_000, nested(1 * MIB, 1)),
  'of sixty million pixels in a few kilobytes': () => png(7_700, 7_700, repeated(0, (7_700 * 3 + 1) * 7_700)),
  'with more data than pixels': () => png(500, 500, nested(800 * MIB, 1), true),
}

export const xmls: Record<string, () => Buffer> = {
  'entities that multiply': () =>
    Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${many((n) => `<!ENTITY a${n} "${`&a${n === 0 ? '' : n - 1};`.repeat(10)}">`, 10)}]><a>&a9;</a>`,
    ),
  'elements within elements': () => Buffer.from('<a>'.repeat(2_000_000)),
  'attributes without end': () => Buffer.from(`<a ${many((n) => `b${n}="" `, 700_000)}/>`),
  'one text': () => Buffer.concat([Buffer.from('<a>'), Buffer.alloc(9 * MIB, 'x'), Buffer.from('</a>')]),
}

/** An invoice of the public platform with so many lines. */
function invoiceOf(lines: number, number: string): Buffer {
  const xml = exchangeInvoice({ number, date: '2026-06-15', seller: BUYER, buyer: SELLER })
  const [line = ''] = /<cac:InvoiceLine>.*<\/cac:InvoiceLine>/s.exec(xml) ?? []
  return Buffer.from(
    xml.replace(
      line,
      many((index) => line.replace('<cbc:ID>1<', `<cbc:ID>${index + 1}<`), lines),
    ),
  )
}

/** Files as somebody could present them to the public platform. All but the first are refused. */
export const exchanges: Record<string, () => Buffer> = {
  'six thousand lines': () => invoiceOf(6_000, 'A-1'),
  'ten thousand lines': () => invoiceOf(10_000, 'H-1'),
  'a DOCTYPE': () =>
    Buffer.from(
      invoiceOf(1, 'H-1').toString().replace('?>', '?><!DOCTYPE Invoice SYSTEM "file:///etc/passwd">'),
    ),
  'entities of an invoice': () =>
    Buffer.from(
      invoiceOf(1, 'H-1')
        .toString()
        .replace('?>', '?><!DOCTYPE Invoice [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>')
        .replace('Mano de obra', '&b;'),
    ),
  'NUL bytes': () => Buffer.from(invoiceOf(1, 'H-1').toString().replace('Mano', 'Ma\0no')),
  'nothing but NUL bytes': () => Buffer.alloc(4 * MIB),
  'an archive of zeros': () => Buffer.from(zipSync({ 'factura.xml': new Uint8Array(100 * MIB) })),
  'elements up to the limit': () =>
    Buffer.concat([Buffer.from('<Invoice>'), Buffer.alloc(5 * MIB - 40, '<a/>'), Buffer.from('</Invoice>')]),
  'fifty megabytes': () => Buffer.concat([Buffer.from('<Invoice>'), Buffer.alloc(50 * MIB, '<a>b</a>')]),
}

/** Files that begin like PKCS#12 and contain lists within lists. */
export const certificates: Record<string, () => Buffer> = {
  'lists within lists': () => {
    let inner = Buffer.alloc(0)
    while (inner.length < 60_000) {
      const length = inner.length
      const head =
        length < 128
          ? [0x30, length]
          : length < 65_536
            ? [0x30, 0x82, length >> 8, length & 255]
            : [0x30, 0x80]
      inner = Buffer.concat([Buffer.from(head), inner])
      if (inner.length > 59_990) break
    }
    return inner
  },
  'lists without an end': () => Buffer.alloc(90_000, Buffer.from([0x30, 0x80])),
  noise: () => deflateRawSync(Buffer.from(many(String, 30_000))).subarray(0, 90_000),
}

export const mails: Record<string, () => Buffer> = {
  'parts within parts': () =>
    Buffer.from(
      `From: a@example.com\nTo: b@example.com\nSubject: x\nMIME-Version: 1.0\n${many((n) => `Content-Type: multipart/mixed; boundary="b${n}"\n\n--b${n}\n`, 100_000)}`,
    ),
}

export const statements: Record<string, () => Buffer> = {
  'a camt.053 of elements without end': () =>
    Buffer.from(
      `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>${'<Stmt><a/></Stmt>'.repeat(1_000_000)}`,
    ),
  'a Norma 43 without end': () =>
    Buffer.from(`11${'0'.repeat(78)}\n${`22${'0'.repeat(78)}\n`.repeat(250_000)}`),
  ...tables,
}

export const balances: Record<string, () => string> = {
  'accounts within accounts': () =>
    `cuenta;saldo\n${many((n) => `${String(100_000_000 + n * 7)};1\n`, 75_000)}`.slice(0, 999_000),
}

/** An archive whose directory names one file many times, all of them the same bytes. */
function overlapping(count: number): Buffer {
  const one = Buffer.from(zipSync({ 'a.csv': new Uint8Array(8 * MIB).fill(0x3b) }))
  const start = one.indexOf('PK\x01\x02', 0, 'latin1')
  const entry = one.subarray(start, one.indexOf('PK\x05\x06', 0, 'latin1'))
  const directory = Array.from({ length: count }, (_, index) => {
    const copy = Buffer.from(entry)
    copy.write(String.fromCodePoint(97 + (index % 26)), 46, 'latin1')
    return copy
  })
  const end = Buffer.from(one.subarray(start + entry.length))
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(entry.length * count, 12)
  return Buffer.concat([one.subarray(0, start), ...directory, end])
}

const HISTORY_TITLES = 'Número;Fecha;Cliente;NIF;Base;% IVA;Cuota;Total'

/** Files of earlier programs: tables, and archives of them. */
export const histories: Record<string, () => Buffer> = {
  ...spreadsheets,
  ...tables,
  'one document of two hundred thousand rows': () =>
    Buffer.from(`${HISTORY_TITLES}\n${'1;01/01/2026;Ana;12345678Z;1;21;0,21;1,21\n'.repeat(199_000)}`),
  'a document in each row, all of them wrong': () =>
    Buffer.from(
      `${HISTORY_TITLES}\n${many((n) => `${n};99/99/9999;${'x'.repeat(60)};00000000A;uno;dos;tres;cuatro\n`, 150_000)}`,
    ),
  'a supplier in each row, each a question': () =>
    Buffer.from(
      `${HISTORY_TITLES.replace('Cliente', 'Proveedor')}\n${many((n) => `${n};01/01/2026;Nombre ${n};;10;0;0;10\n`, 190_000)}`,
    ),
  'tables that share their bytes': () => overlapping(26),
  'an archive within an archive': () =>
    Buffer.from(
      zipSync({ 'a.xlsx': zipSync({ 'b.xlsx': new Uint8Array(zipSync({ 'c.csv': strToU8('a;b') })) }) }),
    ),
  'a table of dBASE without an end': () => {
    const file = Buffer.alloc(4 * MIB, 0x20)
    file.set([0x03, 126, 1, 1])
    file.writeUInt32LE(0xffff_ffff, 4)
    file.writeUInt16LE(65, 8)
    file.writeUInt16LE(11, 10)
    file.write('NUMERO\0\0\0\0\0C', 32, 'latin1')
    file[48] = 10
    file[64] = 0x0d
    return file
  },
}
