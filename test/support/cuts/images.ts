/**
 * Possible states of a recorded folder after a power cut. Synced contents remain; of later writes to a file none,
 * all, or some exist, some of these torn at a sector. Creating, renaming and deleting files counts as durable.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Dice } from '../seeded-random.ts'

const SECTOR_BYTES = 512
const HEADER_BYTES = 16

/** The part of the unsynced writes that reached the disk. */
export type Unsynced = 'dropped' | 'kept' | 'torn'
const UNSYNCED: readonly Unsynced[] = ['dropped', 'kept', 'torn']

interface Entry {
  kind: 'create' | 'write' | 'truncate' | 'sync' | 'delete' | 'rename' | 'answer'
  name: string
  /** Offset of the write, or the truncated length. */
  offset: number
  content: Buffer
}

const KINDS: Readonly<Record<string, Entry['kind']>> = {
  c: 'create',
  w: 'write',
  t: 'truncate',
  s: 'sync',
  d: 'delete',
  r: 'rename',
  a: 'answer',
}

/** Returns the entries of a recording, without an incomplete last one. */
export function readRecord(bytes: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const kind = KINDS[String.fromCharCode(bytes.readUInt8(at))]
    const contentAt = at + HEADER_BYTES + bytes.readUInt16LE(at + 2)
    const end = contentAt + bytes.readUInt32LE(at + 4)
    if (!kind) throw new Error(`The record is not readable at byte ${at}.`)
    if (end > bytes.length) break
    entries.push({
      kind,
      name: bytes.toString('utf8', at + HEADER_BYTES, contentAt),
      offset: Number(bytes.readBigUInt64LE(at + 8)),
      content: bytes.subarray(contentAt, end),
    })
    at = end
  }
  return entries
}

/** Returns the part of an unsynced write that reached the disk: nothing, some sectors, or all of it. */
function arrived(content: Buffer, die: Dice): Buffer | null {
  const sectors = Math.ceil(content.length / SECTOR_BYTES)
  const fate = die.below(3)
  if (fate === 0) return null
  return fate === 1 && sectors > 1
    ? content.subarray(0, SECTOR_BYTES * (1 + die.below(sectors - 1)))
    : content
}

/** A file: its durable content, and the later changes. */
class RecordedFile {
  pending: Entry[] = []
  private bytes = Buffer.alloc(0)
  private length = 0

  /** Makes pending changes durable. */
  sync(): void {
    for (const entry of this.pending) this.apply(entry, entry.content)
    this.pending = []
  }

  private apply(entry: Entry, content: Buffer): void {
    const end = entry.offset + (entry.kind === 'write' ? content.length : 0)
    if (end > this.bytes.length) {
      const larger = Buffer.alloc(end * 2)
      this.bytes.copy(larger, 0, 0, this.length)
      this.bytes = larger
    }
    if (entry.kind === 'write') content.copy(this.bytes, entry.offset)
    // A later extension must be empty.
    else this.bytes.fill(0, entry.offset)
    this.length = entry.kind === 'write' ? Math.max(this.length, end) : entry.offset
  }

  left(unsynced: Unsynced, die: Dice): Buffer {
    const after = new RecordedFile()
    after.bytes = Buffer.from(this.bytes)
    after.length = this.length
    for (const entry of unsynced === 'dropped' ? [] : this.pending) {
      const content = unsynced === 'kept' ? entry.content : arrived(entry.content, die)
      if (content) after.apply(entry, content)
    }
    return after.bytes.subarray(0, after.length)
  }
}

interface Image {
  /** Entries of the recording before the cut. */
  cut: number
  unsynced: Unsynced
  /** The bodies of the successful answers sent before it, in order. */
  answers: readonly unknown[]
  /** Writes the folder in its state after the cut. */
  write(folder: string): void
}

function bodyOf(reply: Buffer): unknown {
  const text = reply.toString('utf8')
  const head = text.indexOf('\r\n\r\n')
  if (!/^content-type: application\/json/im.test(text.slice(0, head))) return null
  return JSON.parse(text.slice(head + 4)) as unknown
}

/** Share of images from the first start, before any answer: it is short and has its own steps. */
const FIRST_START = 6

/**
 * Yields `count` images in the order of their cuts, with alternating treatment of unsynced writes. The cuts are spread: one
 * at random in each equal part of the recording, so that few images too reach its end.
 */
export function* imagesOf(
  entries: readonly Entry[],
  { count, die }: { count: number; die: Dice },
): Generator<Image> {
  const answered = entries.findIndex(({ kind }) => kind === 'answer')
  const cuts = Array.from(
    { length: count },
    (_, index) =>
      1 +
      (index % FIRST_START === 0
        ? die.below(answered)
        : Math.floor(((index + die.below(1_000) / 1_000) / count) * entries.length)),
  ).toSorted((a, b) => a - b)
  const files = new Map<string, RecordedFile>()
  const answers: unknown[] = []
  let done = 0
  for (const [index, cut] of cuts.entries()) {
    for (; done < cut; done++) replay(entries[done]!, files, answers)
    const unsynced = UNSYNCED[index % UNSYNCED.length]!
    yield {
      cut,
      unsynced,
      answers,
      write(folder) {
        for (const [name, file] of files) {
          const path = join(folder, name)
          mkdirSync(dirname(path), { recursive: true })
          writeFileSync(path, file.left(unsynced, die), { mode: 0o600 })
        }
      },
    }
  }
}

function replay(entry: Entry, files: Map<string, RecordedFile>, answers: unknown[]): void {
  const { kind, name } = entry
  const file = files.get(name) ?? new RecordedFile()
  if (kind === 'answer') answers.push(bodyOf(entry.content))
  else if (kind === 'delete') files.delete(name)
  else if (kind === 'rename') {
    files.delete(name)
    files.set(entry.content.toString('utf8'), file)
  } else {
    files.set(name, file)
    if (kind === 'sync') file.sync()
    else if (kind !== 'create') file.pending.push(entry)
  }
}
