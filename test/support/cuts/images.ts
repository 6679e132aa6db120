/**
 * What a power cut could have left of a recorded folder. Synced contents stay; of what was written to a file since, nothing,
 * everything, or some writes are there, some of these torn at a sector. Making, renaming and deleting files counts as done.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Dice } from '../seeded-random.ts'

const SECTOR_BYTES = 512
const HEADER_BYTES = 16

/** What reached the disk of the writes that nobody had synced. */
export type Unsynced = 'dropped' | 'kept' | 'torn'
const UNSYNCED: readonly Unsynced[] = ['dropped', 'kept', 'torn']

interface Entry {
  kind: 'create' | 'write' | 'truncate' | 'sync' | 'delete' | 'rename' | 'answer'
  name: string
  /** Where it was written, or the length that was left. */
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

/** The entries of a record; one that was cut off at its end is left out. */
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

/** What reached the disk of a write that nobody had synced: nothing, some sectors, or all of it. */
function arrived(content: Buffer, die: Dice): Buffer | null {
  const sectors = Math.ceil(content.length / SECTOR_BYTES)
  const fate = die.below(3)
  if (fate === 0) return null
  return fate === 1 && sectors > 1
    ? content.subarray(0, SECTOR_BYTES * (1 + die.below(sectors - 1)))
    : content
}

/** A file: what is certain of it, and what was done to it since. */
class RecordedFile {
  pending: Entry[] = []
  private bytes = Buffer.alloc(0)
  private length = 0

  /** Does what is pending, for good. */
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
    // What is grown into later has to be empty.
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

export interface Image {
  /** Entries of the record before the cut. */
  cut: number
  unsynced: Unsynced
  /** The bodies of the successful answers that had left by then, in order. */
  answers: readonly unknown[]
  /** Puts the folder as it would be found. */
  write(folder: string): void
}

function bodyOf(reply: Buffer): unknown {
  const text = reply.toString('utf8')
  const head = text.indexOf('\r\n\r\n')
  if (!/^content-type: application\/json/im.test(text.slice(0, head))) return null
  return JSON.parse(text.slice(head + 4)) as unknown
}

/** One image in so many is of the first start, before anything was answered: it is short and has steps of its own. */
const FIRST_START = 6

/** `count` images in the order of their cuts; what became of unsynced writes takes turns. */
export function* imagesOf(
  entries: readonly Entry[],
  { count, die }: { count: number; die: Dice },
): Generator<Image> {
  const answered = entries.findIndex(({ kind }) => kind === 'answer')
  const cuts = Array.from(
    { length: count },
    (_, index) => 1 + die.below(index % FIRST_START === 0 ? answered : entries.length),
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
