/** Files of a pack, from its ZIP or from the folder it was extracted to: listed at once, read one at a time. */

export interface Archive {
  paths: ReadonlySet<string>
  /** Throws `ArchiveFault` for a missing file or one that cannot be extracted. */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>
}

export class ArchiveFault extends Error {
  readonly code: 'not_a_zip' | 'damaged' | 'missing' | 'twice'
  readonly place: string
  constructor(code: ArchiveFault['code'], place: string) {
    super(code)
    this.code = code
    this.place = place
  }
}

/** A file with its path inside the chosen folder. */
export interface FolderFile {
  path: string
  file: Blob
}

export function openFolder(files: readonly FolderFile[]): Archive {
  // The folder's own name comes first; a chosen parent folder adds one more.
  const manifest = files
    .map(({ path }) => path)
    .filter((path) => path === 'manifest.json' || path.endsWith('/manifest.json'))
    .toSorted((one, other) => one.length - other.length)[0]
  if (manifest === undefined) throw new ArchiveFault('missing', 'manifest.json')
  const root = manifest.slice(0, -'manifest.json'.length)
  const byPath = new Map(
    files
      .filter(({ path }) => path.startsWith(root))
      // Some systems store file names in decomposed form.
      .map(({ path, file }) => [path.slice(root.length).normalize('NFC'), file]),
  )
  return {
    paths: new Set(byPath.keys()),
    async read(path) {
      const file = byPath.get(path)
      if (!file) throw new ArchiveFault('missing', path)
      return new Uint8Array(await file.arrayBuffer())
    },
  }
}

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
/** The end record with the longest possible comment. */
const TAIL_BYTES = 22 + 65_535
const STORED = 0
const DEFLATED = 8

interface Entry {
  method: number
  packedBytes: number
  bytes: number
  offset: number
}

async function viewOf(file: Blob, from: number, to: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await file.slice(from, to).arrayBuffer())
}

async function centralDirectory(file: Blob): Promise<Map<string, Entry>> {
  const tailAt = Math.max(0, file.size - TAIL_BYTES)
  const tail = await viewOf(file, tailAt, file.size)
  let end = tail.byteLength - 22
  while (end >= 0 && tail.getUint32(end, true) !== END) end--
  if (end < 0) throw new ArchiveFault('not_a_zip', '')
  const size = tail.getUint32(end + 12, true)
  const offset = tail.getUint32(end + 16, true)
  if (offset + size > file.size) throw new ArchiveFault('damaged', '')
  const directory = await viewOf(file, offset, offset + size)
  const entries = new Map<string, Entry>()
  const utf8 = new TextDecoder('utf-8')
  for (let at = 0; at + 46 <= directory.byteLength;) {
    if (directory.getUint32(at, true) !== CENTRAL) throw new ArchiveFault('damaged', '')
    const nameBytes = directory.getUint16(at + 28, true)
    const name = utf8.decode(new Uint8Array(directory.buffer, at + 46, nameBytes))
    // Two files of the same name: programs disagree on which one is meant.
    if (entries.has(name)) throw new ArchiveFault('twice', name)
    if (!name.endsWith('/'))
      entries.set(name, {
        method: directory.getUint16(at + 10, true),
        packedBytes: directory.getUint32(at + 20, true),
        bytes: directory.getUint32(at + 24, true),
        offset: directory.getUint32(at + 42, true),
      })
    at += 46 + nameBytes + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true)
  }
  return entries
}

/** Extracts up to the size in the directory, never further: a few bytes can expand beyond any memory. */
async function inflated(packed: Blob, bytes: number, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(bytes)
  let filled = 0
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (filled + value.byteLength > bytes) throw new ArchiveFault('damaged', path)
      content.set(value, filled)
      filled += value.byteLength
    }
  } catch {
    throw new ArchiveFault('damaged', path)
  }
  if (filled !== bytes) throw new ArchiveFault('damaged', path)
  return content
}

export async function openZip(file: Blob): Promise<Archive> {
  const entries = await centralDirectory(file)
  return {
    paths: new Set(entries.keys()),
    async read(path) {
      const entry = entries.get(path)
      if (!entry) throw new ArchiveFault('missing', path)
      const header = await viewOf(file, entry.offset, entry.offset + 30)
      if (header.byteLength < 30 || header.getUint32(0, true) !== LOCAL)
        throw new ArchiveFault('damaged', path)
      const from = entry.offset + 30 + header.getUint16(26, true) + header.getUint16(28, true)
      const packed = file.slice(from, from + entry.packedBytes)
      if (entry.method === STORED) return new Uint8Array(await packed.arrayBuffer())
      if (entry.method !== DEFLATED) throw new ArchiveFault('damaged', path)
      return inflated(packed, entry.bytes, path)
    },
  }
}
