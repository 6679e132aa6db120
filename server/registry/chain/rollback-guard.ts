/**
 * Keeps a mark of each book's progress outside the books: in a file beside the store, and in an item of the system's
 * keychain where the keychain holds the key. Books that are behind their own mark are an older copy of themselves and
 * would assign numbers twice.
 */
import { embedded } from '../../db/embedded/port.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventHash } from '../../platform/audit/index.ts'
import { listBooks } from '../../platform/books/index.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { createLoop } from '../../domain/concurrency/background-loop.ts'
import { proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { AppEnvironment, Book, Ctx } from '../../context.ts'
import { writeFileDurablyAside } from '../../db/embedded/files/atomic-files.ts'
import { readKeyring, SERVICE } from '../../db/embedded/keys/keyring.ts'
import type { Keychain } from '../../db/embedded/keys/keyring.ts'
import type { Db } from '../../db/query.ts'
import type { Sealer } from '../../db/seal.ts'
import type { EmbeddedStore } from '../../db/embedded/port.ts'
import type { Store } from '../../db/store.ts'
import { further, holdBook, isBehind, positionsOf, recordAt } from './marks.ts'
import type { BookMark, Marks, Position } from './marks.ts'
import { hexOf } from './rows.ts'

export const HIGH_WATER_FILE = 'high-water.json'
/** Combines the commits of a burst into one write. */
const GATHER_MS = 100
/** Every change adds events to the history: one write a minute is enough for them. */
const HISTORY_GATHER_MS = 60_000
/** A keychain may prompt its user or be slow: one item every few seconds is enough. */
const KEYCHAIN_GATHER_MS = 3_000
/** A keychain item on Windows holds 2,560 bytes, at two bytes for each character. */
const KEYCHAIN_CHARACTERS = 1_200

/** Returns the current marks of the books in a store or in a copy of one. */
export async function marksIn(db: Db): Promise<Marks> {
  return Object.fromEntries((await positionsOf(db)).map(({ publicId, mark }) => [publicId, mark]))
}

/** Returns true if the history of the book lacks the last event of the mark, or has another event in its place. */
async function lacksHistory(db: Db, bookId: number, { audit }: BookMark): Promise<boolean> {
  if (audit === undefined) return false
  const hash = await eventHash(db, bookId, audit.sequence)
  return hash === null || hexOf(hash) !== audit.hash
}

// ---- The file ----

/**
 * Returns the place that the sealed mark is bound to. The mark is encrypted, not only signed: the number of invoices
 * that a business issues is confidential.
 */
const filePlace = (store: Pick<Store, 'storeId'>): string => `high-water|file|${store.storeId}`

type FileReading = { kind: 'marks'; marks: Marks } | { kind: 'none' } | { kind: 'foreign' }

/** Reads the marks of the file; returns `foreign` when they belong to other books or were changed. */
function readFile(store: Pick<EmbeddedStore, 'folder' | 'storeId' | 'sealer'>): FileReading {
  const file = join(store.folder, HIGH_WATER_FILE)
  if (!existsSync(file)) return { kind: 'none' }
  try {
    const { mark } = JSON.parse(readFileSync(file, 'utf8')) as { mark: string }
    return { kind: 'marks', marks: JSON.parse(store.sealer.open(mark, filePlace(store)).toString()) as Marks }
  } catch {
    return { kind: 'foreign' }
  }
}

/**
 * Returns true if the books, with their write-ahead log, contradict their own mark: another record or event stands
 * where the mark knows one, or one of the two cannot be read. The log then belongs to another copy that continued on
 * its own, and must not be merged into the file. Books that only lack what the mark knows are an older copy; `check`
 * holds them.
 */
export async function contradictsMark(
  db: Db,
  store: Pick<EmbeddedStore, 'folder' | 'storeId' | 'sealer'>,
): Promise<boolean> {
  const reading = readFile(store)
  if (reading.kind !== 'marks') return false
  for (const { bookId, publicId } of await positionsOf(db)) {
    const mark = reading.marks[publicId]
    if (!mark) continue
    const event = mark.audit && (await eventHash(db, bookId, mark.audit.sequence))
    if (event && hexOf(event) !== mark.audit?.hash) return true
    const record = mark.records > 0 && (await recordAt.first(db, { bookId, sequence: mark.records }))
    if (record && hexOf(record.hash) !== mark.last) return true
  }
  return false
}

const fileText = (sealed: string): string => `${JSON.stringify({ version: 1, mark: sealed })}\n`

/**
 * Returns the marks with this computer's identifier under another key, because the identifier depends on the key of
 * the books.
 */
function onSameComputer(marks: Marks, before: string | null, after: string | null): Marks {
  const moved = Object.entries(marks).map(([publicId, mark]) => {
    const { computer, ...rest } = mark
    if (computer === undefined || computer !== before) return [publicId, mark]
    return [publicId, after === null ? rest : { ...rest, computer: after }]
  })
  return Object.fromEntries(moved) as Marks
}

/** Returns the content of the mark file after a change of the key; null when there is no file of these books. */
export function resealedMarks(
  store: Pick<EmbeddedStore, 'folder' | 'storeId' | 'sealer'>,
  to: Sealer,
  computer: { before: string | null; after: string | null },
): string | null {
  const reading = readFile(store)
  if (reading.kind !== 'marks') return null
  const marks = onSameComputer(reading.marks, computer.before, computer.after)
  return fileText(to.seal(canonicalJson(marks), filePlace(store)))
}

/** Returns the progress of a book by the mark in the file; null when the file does not contain it. */
export function fileMarkOf(store: Store, book: Book): BookMark | null {
  if (store.engine !== 'sqlite') return null
  const reading = readFile(embedded(store))
  return reading.kind === 'marks' ? (reading.marks[book.publicId] ?? null) : null
}

/**
 * Checks the book against the mark in the file: nothing that the mark proves may be missing. The file may lag the
 * book by some milliseconds, and does not exist before the first start that has something to mark.
 */
export async function verifyMark(ctx: Ctx): Promise<Proof> {
  const { store } = ctx.env
  if (store.engine !== 'sqlite') return { checked: 0, faults: [] }
  const reading = readFile(embedded(store))
  if (reading.kind === 'none') return { checked: 0, faults: [] }
  if (reading.kind === 'foreign')
    return { checked: 1, faults: [`${HIGH_WATER_FILE} is not of these books, or was changed.`] }
  const position = (await positionsOf(store.reader)).find(({ bookId }) => bookId === ctx.book.id)
  const mark = reading.marks[ctx.book.publicId]
  if (!position || !mark) return { checked: 0, faults: [] }
  if (await isBehind(store.reader, position, mark))
    return {
      checked: 1,
      faults: [
        `The mark outside knows record ${mark.records} of ${mark.installation}; the book has another, or none.`,
      ],
    }
  // A new installation declares what an older copy lost; the mark follows within moments.
  const isSameInstallation = mark.installation === position.mark.installation
  if (mark.audit && isSameInstallation && (await lacksHistory(store.reader, ctx.book.id, mark)))
    return {
      checked: 1,
      faults: [
        `The mark outside knows event ${mark.audit.sequence} of the history; the book has another, or none.`,
      ],
    }
  const next = new Map(position.mark.series.map((one) => [one.code, one.next]))
  return proveRows(mark.series, ({ code, next: marked }) =>
    (next.get(code) ?? 1) < marked
      ? `${code}: the mark outside knows number ${marked - 1} as given; the book would give ${next.get(code) ?? 1}.`
      : null,
  )
}

// ---- The keychain ----

const itemOf = (store: Store, publicId: string): string => `${store.storeId}.${publicId}.high-water`
const itemPlace = (store: Store, publicId: string): string =>
  `high-water|keychain|${store.storeId}|${publicId}`

/** Seals as much of the mark as an item can hold: the series added last are the ones in use. */
function sealItem(store: Store, publicId: string, mark: BookMark): string {
  for (let kept = mark.series; ; kept = kept.slice(1)) {
    const { audit: _, ...rest } = mark
    const sealed = store.sealer.seal(JSON.stringify({ ...rest, series: kept }), itemPlace(store, publicId))
    if (sealed.length <= KEYCHAIN_CHARACTERS || kept.length === 0) return sealed
  }
}

interface HighWaterOptions {
  env: AppEnvironment
  /** The keychain that holds the store's key, or null. */
  keychain: Keychain | null
  /** This computer, as returned by `computerMark`; null where it is unknown, and then the mark names none. */
  computer?: string | null
  log: (line: string) => void
}

/** Keeps the marks of a store. Errors with them are logged and never stop other work. */
export interface RollbackGuard {
  /**
   * Compares the books with their marks. Holds books that are behind, before anything can be issued in them; also a
   * live book that was restored without proof that it is complete, or that came from another computer. Returns
   * whether the comparison was possible.
   */
  check(): Promise<boolean>
  /** Schedules a write of the marks after a chain has grown and its commit is done. */
  note(): void
  /** Schedules a write of the marks within a minute, after the history has grown. */
  noteHistory(): void
  /** Writes the marks again under a new key; `computer` is this computer's identifier under that key. */
  keyChanged(computer: string | null): Promise<void>
  /** Writes what is still pending. */
  close(): Promise<void>
}

export function createRollbackGuard({
  env,
  keychain,
  computer: here = null,
  log,
}: HighWaterOptions): RollbackGuard {
  let computer = here
  const { store } = env
  /** Marks that must never be lowered: of books that are held, and of books that this store does not know. */
  let kept: Marks = {}
  /** Last events of the history that the books lack; the marks continue to carry them. */
  const lostEvents = new Map<string, NonNullable<BookMark['audit']>>()
  /** The marks as they were last read or written. */
  let known: Marks = {}
  let written = ''
  const writtenItems = new Map<string, string>()

  async function readItem(publicId: string): Promise<BookMark | null> {
    if (!keychain) return null
    const sealed = await keychain.getPassword(SERVICE, itemOf(store, publicId)).catch(() => null)
    if (sealed === null) return null
    try {
      return JSON.parse(store.sealer.open(sealed, itemPlace(store, publicId)).toString()) as BookMark
    } catch {
      log(`high-water: the keychain's mark of ${publicId} is not ours, or was changed`)
      return null
    }
  }

  const hold = async (book: Book, why: string): Promise<void> => {
    await holdBook(env, book, why)
    log(`high-water: book ${book.publicId} is held: ${why}`)
  }

  /** Returns a mark with the computer that it was reached on: this computer, unless the book has not changed since. */
  function onComputer(mark: BookMark, before: BookMark | undefined): BookMark {
    const { computer: earlier, audit: _, ...rest } = before ?? {}
    // The history also grows where nothing is issued.
    const { audit: __, ...now } = mark
    const stood = before !== undefined && canonicalJson(rest) === canonicalJson(now)
    const reachedOn = (stood ? earlier : undefined) ?? computer
    return reachedOn === null ? mark : { ...mark, computer: reachedOn }
  }

  /**
   * Returns why a live book that is not behind its marks may still lack something; null when it may not. A test
   * book's own authority forgets together with the book, so nothing can go wrong there.
   */
  function doubtOf(
    book: Book,
    { mark: { records } }: Position,
    marks: readonly BookMark[],
    restored: boolean,
  ): string | null {
    if (book.mode !== 'live') return null
    // Every book gets a mark before its first record; without a mark, an older copy cannot be recognized from the
    // books themselves.
    if (records > 0 && marks.length === 0) return 'the mark outside the books is missing, or is not theirs'
    const isElsewhere = (mark: BookMark): boolean =>
      mark.records > 0 && mark.computer !== undefined && mark.computer !== computer
    if (computer !== null && marks.some(isElsewhere)) return 'last used on another computer'
    const isProved = computer !== null && marks.some((mark) => mark.computer === computer)
    return restored && !isProved ? 'restored, and nothing tells what came after' : null
  }

  async function save(): Promise<void> {
    const marks: Marks = { ...kept }
    const positions = await store.readTogether(null, () => positionsOf(store.reader))
    for (const { publicId, held, mark } of positions)
      if (!held || !marks[publicId]) {
        const lost = lostEvents.get(publicId)
        marks[publicId] = { ...onComputer(mark, known[publicId]), ...(lost ? { audit: lost } : {}) }
      }
    known = marks
    const text = canonicalJson(marks)
    // A folder without books gets no file.
    if (text === written || (text === '{}' && written === '')) return
    await writeFileDurablyAside(
      join(embedded(store).folder, HIGH_WATER_FILE),
      fileText(store.sealer.seal(text, filePlace(store))),
    )
    written = text
    items.wake()
  }

  async function saveItems(): Promise<void> {
    if (!keychain || written === '') return
    for (const [publicId, mark] of Object.entries(JSON.parse(written) as Marks)) {
      // The history goes into the file only: an item has little space, and it would be rewritten with every start.
      const { audit: _, ...item } = mark
      const text = canonicalJson(item)
      if (writtenItems.get(publicId) === text) continue
      await keychain.setPassword(SERVICE, itemOf(store, publicId), sealItem(store, publicId, mark))
      writtenItems.set(publicId, text)
    }
  }

  const file = createLoop({ name: 'high-water', gatherMs: GATHER_MS, pollMs: 0, log, run: save })
  const history = createLoop({
    name: 'high-water history',
    gatherMs: HISTORY_GATHER_MS,
    pollMs: 0,
    log,
    // The file has a single writer.
    run: async () => file.wake(),
  })
  const items = createLoop({
    name: 'high-water keychain',
    gatherMs: KEYCHAIN_GATHER_MS,
    pollMs: 0,
    log,
    run: saveItems,
  })

  async function check(): Promise<void> {
    const reading = readFile(embedded(store))
    if (reading.kind === 'foreign')
      log(`high-water: ${HIGH_WATER_FILE} is not of these books, or was changed`)
    const marks = reading.kind === 'marks' ? reading.marks : {}
    if (reading.kind === 'marks') written = canonicalJson(marks)
    const positions = await positionsOf(store.reader)
    const books = await listBooks(store.reader)
    const ours = new Set(positions.map(({ publicId }) => publicId))
    const restored = readKeyring(embedded(store).folder)?.restoredAt !== undefined
    known = { ...marks }
    kept = Object.fromEntries(Object.entries(marks).filter(([publicId]) => !ours.has(publicId)))
    for (const position of positions) {
      const { publicId, held } = position
      const before = marks[publicId]
      const item = await readItem(publicId)
      if (item) writtenItems.set(publicId, canonicalJson(item))
      const book = books.find((one) => one.publicId === publicId)
      const atHand = [marks[publicId], item].filter((mark) => mark != null)
      const ahead: BookMark[] = []
      for (const mark of atHand) if (held || (await isBehind(store.reader, position, mark))) ahead.push(mark)
      const doubt = !held && ahead.length === 0 && book ? doubtOf(book, position, atHand, restored) : null
      const [first, second] = doubt === null ? ahead : atHand
      const mark = first && second ? further(first, second) : first
      if (mark) kept[publicId] = mark
      // The hold or the restore already explains why a held or restored book lacks something.
      const isExpected = restored || held || ahead.length > 0 || doubt !== null
      if (before?.audit && !isExpected && (await lacksHistory(store.reader, position.bookId, before)))
        lostEvents.set(publicId, before.audit)
      if (!book || held) continue
      if (mark && ahead.length > 0) await hold(book, `${mark.records} records known, an older copy found`)
      else if (doubt !== null) await hold(book, doubt)
    }
    await save()
    // Also when the file was current: the last run may have ended before the keychain was written.
    if (keychain) items.wake()
  }

  const quietly = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      log(`high-water: ${error instanceof Error ? error.message : String(error)}`)
      return false
    }
  }

  return {
    check: () => quietly(check),
    note: () => file.wake(),
    noteHistory: () => history.wake(),
    keyChanged: async (after) => {
      known = onSameComputer(known, computer, after)
      kept = onSameComputer(kept, computer, after)
      computer = after
      written = ''
      writtenItems.clear()
      await quietly(save)
      await quietly(saveItems)
    },
    close: async () => {
      await file.stop()
      await history.stop()
      await items.stop()
      await quietly(save)
      await quietly(saveItems)
    },
  }
}
