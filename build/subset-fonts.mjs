/**
 * Creates the invoice's fonts from the published ones: only the scripts and features needed for documents, under a
 * different name (the licence reserves the original's). Writes server/documents/pdf/fonts/; `--check` fails if those
 * files are out of date.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const source = join(root, 'node_modules/@expo-google-fonts/source-sans-3')
const target = join(root, 'server/documents/pdf/fonts')

const FAMILY = 'Sello Sans'
const FACES = [
  { style: 'Regular', from: '400Regular/SourceSans3_400Regular.ttf', to: 'SelloSans-Regular.ttf' },
  { style: 'SemiBold', from: '600SemiBold/SourceSans3_600SemiBold.ttf', to: 'SelloSans-SemiBold.ttf' },
  { style: 'Bold', from: '700Bold/SourceSans3_700Bold.ttf', to: 'SelloSans-Bold.ttf' },
]

// Characters of European names and of invoice lines. Combining marks are omitted: text is composed before rendering,
// and a separate mark without its positioning table would be misplaced.
const RANGES = [
  [0x20, 0x7e], // Basic Latin
  [0xa0, 0x24f], // Latin-1, Latin Extended-A and -B
  [0x2b9, 0x2dd], // modifier letters
  [0x370, 0x3ff], // Greek
  [0x400, 0x4ff], // Cyrillic
  [0x1e00, 0x1eff], // Latin Extended Additional
  [0x1f00, 0x1fff], // Greek Extended
  [0x2007, 0x200a], // fixed spaces
  [0x2010, 0x2044], // General Punctuation
  [0x2070, 0x209f], // superscripts and subscripts
  [0x20a0, 0x20cf], // currency
  [0x2100, 0x215f], // letter-like symbols and fractions
  [0x2190, 0x21ff], // arrows
  [0x2200, 0x22ff], // mathematics
  [0x25a0, 0x27bf], // shapes, check marks
]

const text = RANGES.flatMap(([from, to]) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
).join('')

const OPTIONS = {
  targetFormat: 'truetype',
  keepFeatures: ['kern'],
  noLayoutClosure: true,
  noHinting: true,
  dropTables: ['GDEF', 'GSUB', 'BASE', 'STAT', 'gasp', 'prep'],
  preserveNameIds: [0, 13, 14],
}

/** Returns the sum of big-endian 32-bit words, the checksum of font tables. */
function checksum(bytes) {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) {
    const word = Buffer.alloc(4)
    bytes.copy(word, 0, at, Math.min(at + 4, bytes.length))
    sum = (sum + word.readUInt32BE()) >>> 0
  }
  return sum
}

/** Returns the `name` table with copyright and licence (ids 0, 13, 14) preserved and the font renamed. */
function nameTable(old, style) {
  const records = new Map([
    [1, style === 'Regular' || style === 'Bold' ? FAMILY : `${FAMILY} ${style}`],
    [2, style === 'Bold' ? 'Bold' : 'Regular'],
    [3, `${FAMILY} ${style}`],
    [4, `${FAMILY} ${style}`],
    [6, `${FAMILY.replaceAll(' ', '')}-${style}`],
  ])
  const strings = old.readUInt16BE(4)
  for (let index = 0; index < old.readUInt16BE(2); index++) {
    const at = 6 + index * 12
    const [platform, id] = [old.readUInt16BE(at), old.readUInt16BE(at + 6)]
    if (platform !== 3 || ![0, 13, 14].includes(id)) continue
    const from = strings + old.readUInt16BE(at + 10)
    records.set(
      id,
      Buffer.from(old.subarray(from, from + old.readUInt16BE(at + 8)))
        .swap16()
        .toString('utf16le'),
    )
  }
  const entries = [...records].sort(([a], [b]) => a - b)
  const head = Buffer.alloc(6 + entries.length * 12)
  head.writeUInt16BE(entries.length, 2)
  head.writeUInt16BE(head.length, 4)
  const values = []
  let offset = 0
  entries.forEach(([id, value], index) => {
    const bytes = Buffer.from(value, 'utf16le').swap16()
    const at = 6 + index * 12
    head.writeUInt16BE(3, at) // Windows, Unicode BMP, English
    head.writeUInt16BE(1, at + 2)
    head.writeUInt16BE(0x409, at + 4)
    head.writeUInt16BE(id, at + 6)
    head.writeUInt16BE(bytes.length, at + 8)
    head.writeUInt16BE(offset, at + 10)
    values.push(bytes)
    offset += bytes.length
  })
  return Buffer.concat([head, ...values])
}

/** Returns the font file with a new `name` table and correct checksums. */
function renamed(font, style) {
  const count = font.readUInt16BE(4)
  const tables = Array.from({ length: count }, (_, index) => {
    const at = 12 + index * 16
    const from = font.readUInt32BE(at + 8)
    const tag = font.toString('latin1', at, at + 4)
    const bytes = Buffer.from(font.subarray(from, from + font.readUInt32BE(at + 12)))
    return { tag, bytes: tag === 'name' ? nameTable(bytes, style) : bytes }
  })
  const head = tables.find((table) => table.tag === 'head').bytes
  head.writeUInt32BE(0, 8)
  const directory = Buffer.alloc(12 + count * 16)
  font.copy(directory, 0, 0, 12)
  let offset = directory.length
  const bodies = tables.map(({ tag, bytes }, index) => {
    const at = 12 + index * 16
    directory.write(tag, at, 'latin1')
    directory.writeUInt32BE(checksum(bytes), at + 4)
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(bytes.length, at + 12)
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
    offset += padded.length
    return { tag, padded, start: offset - padded.length }
  })
  const file = Buffer.concat([directory, ...bodies.map((body) => body.padded)])
  const headAt = bodies.find((body) => body.tag === 'head').start
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, headAt + 8)
  return file
}

const files = new Map()
for (const face of FACES) {
  const font = await subsetFont(readFileSync(join(source, face.from)), text, OPTIONS)
  files.set(face.to, renamed(font, face.style))
}
const licence = readFileSync(join(source, 'LICENSE_FONT'), 'utf8')
files.set(
  'OFL.txt',
  Buffer.from(
    `${FAMILY} is Source Sans 3 cut to the characters of an invoice and renamed, under the same licence.\n\n${licence}`,
  ),
)

if (process.argv.includes('--check')) {
  const stale = [...files].filter(([name, bytes]) => {
    const path = join(target, name)
    return !existsSync(path) || !readFileSync(path).equals(bytes)
  })
  if (stale.length > 0) {
    console.error(
      `Not current: ${stale.map(([name]) => `server/documents/pdf/fonts/${name}`).join(', ')}. Run node build/subset-fonts.mjs.`,
    )
    process.exit(1)
  }
  console.log('The fonts of server/documents/pdf/fonts/ are current.')
} else {
  mkdirSync(target, { recursive: true })
  for (const [name, bytes] of files) {
    writeFileSync(join(target, name), bytes)
    console.log(`${name} ${bytes.length}`)
  }
}
