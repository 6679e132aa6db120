/**
 * Takes the files of watched folders in, on the computer that has the books. Folders are watched and also looked through
 * every minute, as nothing tells of changes on many network and cloud drives.
 */
import { createHash } from 'node:crypto'
import { watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { createSystemCtx } from '../../../../context.ts'
import type { AppEnvironment, Ctx } from '../../../../context.ts'
import type { Background } from '../../../../domain/concurrency/background-loop.ts'
import { AppError } from '../../../../domain/errors/app-error.ts'
import { sanitizeLine } from '../../../../domain/text.ts'
import { MAX_FILE_BYTES, mediaTypeOf } from '../../../../domain/media-types.ts'
import { listBooks } from '../../../../platform/books/index.ts'
import { createWorkerLoop, earliestDue, messageOf } from '../../../../platform/jobs/index.ts'
import type { DueTime } from '../../../../platform/jobs/index.ts'
import { isZip } from '../../../../domain/formats/zip-magic.ts'
import { takeCodes } from '../../../../sales/replies/index.ts'
import { addDocument } from '../../index.ts'
import type { MailItem } from '../../../intake/mail/mail-parts.ts'
import { parseMail } from '../../../intake/mail/parse-mail.ts'
import type { Left, SourceFault } from '../contract.ts'
import { DOCUMENT_TYPES } from '../../../intake/document-types.ts'
import { notifySource } from '../manage.ts'
import { allSeen, folderOf, markSeen, openSources, positionOf, sourceByRow, writeSource } from '../rows.ts'
import type { SourceRow } from '../rows.ts'
import { filesIn, FolderFault, readFound } from './scan.ts'
import type { FoundFile } from './scan.ts'

interface FolderJobOptions {
  env: AppEnvironment
  log: (line: string) => void
  /** How long size and time of a file must stand still before it is taken. */
  stillMs?: number
  platform?: NodeJS.Platform
}

const STILL_MS = 3_000
const LOOK_MS = 60_000
const MOST_LEFT = 20

/** What this process knows of one folder. */
interface Watched {
  version: number
  watcher: FSWatcher | null
  /** In hexadecimal: contents, and names with size and time, that were taken or left before. */
  seen: Set<string>
  /** Files that were found and have to stand still, by name. */
  waiting: Map<string, { stamp: string; since: number }>
}

class SourceChanged extends Error {}

const digestOf = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Remembers a file by what tells it apart without reading it, so that a start reads no file twice. */
const markOf = ({ name, stamp }: FoundFile): Buffer => digestOf('file\0', name, '\0', stamp)

export class Folders {
  private readonly options: FolderJobOptions
  private readonly watched = new Map<number, Watched>()
  private readonly onNews: () => void

  constructor(options: FolderJobOptions, onNews: () => void) {
    this.options = options
    this.onNews = onNews
  }

  /** Looks through all folders. Returns when to look again. */
  async look(signal: AbortSignal): Promise<DueTime> {
    const { env } = this.options
    // An archived company gets no new documents: its folders are as closed ones.
    const open = (await listBooks(env.store.reader)).filter(({ archived }) => !archived)
    const books = new Map(open.map((book) => [book.id, book]))
    const rows = books.size === 0 ? [] : await openSources(env.store.reader, 'folder', [...books.keys()])
    for (const [id, { watcher }] of this.watched)
      if (!rows.some((row) => row.id === id)) {
        watcher?.close()
        this.watched.delete(id)
      }
    const times: DueTime[] = []
    for (const row of rows) {
      if (signal.aborted) break
      const book = books.get(row.book_id)
      if (book) times.push(await this.lookInto(createSystemCtx(env, book), row, signal))
    }
    return earliestDue(times)
  }

  close(): void {
    for (const { watcher } of this.watched.values()) watcher?.close()
    this.watched.clear()
  }

  private async lookInto(ctx: Ctx, row: SourceRow, signal: AbortSignal): Promise<DueTime> {
    const { log } = this.options
    let why: SourceFault | null = null
    let isWaiting = false
    const left: Left[] = []
    try {
      const watched = await this.stateOf(ctx, row)
      isWaiting = await this.takeFiles(ctx, row, watched, { left, signal })
    } catch (error) {
      if (signal.aborted || error instanceof SourceChanged) return ctx.env.now().getTime()
      this.forget(row.id)
      if (error instanceof FolderFault) ({ why } = error)
      else {
        why = error instanceof AppError && error.code !== 'internal' ? 'try_later' : 'broken'
        log(`folders: ${row.public_id}: ${messageOf(error)}`)
      }
    }
    const dueAt = ctx.env.now().getTime() + (isWaiting ? (this.options.stillMs ?? STILL_MS) : LOOK_MS)
    await this.settle(ctx, row, { why, left, dueAt })
    return dueAt
  }

  private forget(id: number): void {
    this.watched.get(id)?.watcher?.close()
    this.watched.delete(id)
  }

  /** Returns what is known of a folder; begins to watch it at the first time. */
  private async stateOf(ctx: Ctx, row: SourceRow): Promise<Watched> {
    const known = this.watched.get(row.id)
    if (known?.version === row.version) return known
    this.forget(row.id)
    const watched: Watched = {
      version: row.version,
      watcher: this.watcherOf(folderOf(row).path),
      seen: await allSeen(ctx, row.id),
      waiting: new Map(),
    }
    this.watched.set(row.id, watched)
    return watched
  }

  /** Where nothing can be watched, looking through the folder has to do. */
  private watcherOf(path: string): FSWatcher | null {
    try {
      const watcher = watch(path, { persistent: false }, () => this.onNews())
      watcher.on('error', () => watcher.close())
      return watcher
    } catch {
      return null
    }
  }

  /** Takes the files that stand still. Returns true if others have to be looked at again soon. */
  private async takeFiles(
    ctx: Ctx,
    row: SourceRow,
    { seen, waiting }: Watched,
    { left, signal }: { left: Left[]; signal: AbortSignal },
  ): Promise<boolean> {
    const { stillMs = STILL_MS, platform } = this.options
    const { path } = folderOf(row)
    const files = await filesIn(path, { signal, ...(platform ? { platform } : {}) })
    const names = new Set(files.map(({ name }) => name))
    for (const name of waiting.keys()) if (!names.has(name)) waiting.delete(name)
    const now = ctx.env.now().getTime()
    for (const file of files) {
      signal.throwIfAborted()
      const { name, stamp, size, isPlaceholder } = file
      // An empty file still has to be written.
      if (size === 0 || isPlaceholder || seen.has(markOf(file).toString('hex'))) continue
      const before = waiting.get(name)
      if (before?.stamp !== stamp) {
        waiting.set(name, { stamp, since: now })
        continue
      }
      if (now - before.since < stillMs) continue
      const why = await take(ctx, row, file, seen)
      if (why === 'changed') {
        waiting.set(name, { stamp: '', since: now })
        continue
      }
      waiting.delete(name)
      if (why !== null) left.push({ name: sanitizeLine(name).slice(0, 200), why })
    }
    return waiting.size > 0
  }

  /** Writes how a look ended, if there is something to say: a folder is looked through every minute. */
  private async settle(
    ctx: Ctx,
    row: SourceRow,
    { why, left, dueAt }: { why: SourceFault | null; left: readonly Left[]; dueAt: number },
  ): Promise<void> {
    const isQuiet = row.why === why && left.length === 0
    if (isQuiet && row.checked_at !== null && dueAt - row.checked_at < 10 * LOOK_MS) return
    await ctx.transaction(async (tx) => {
      const now = await sourceByRow(tx, row.id)
      if (now?.version !== row.version || now.state === 'paused') return
      const { left: earlier = [], ...rest } = positionOf(now)
      const position = { ...rest, left: [...left, ...earlier].slice(0, MOST_LEFT) }
      const after = await writeSource(tx, row.id, {
        state: why === null ? 'active' : 'failing',
        why,
        position: JSON.stringify(position),
        checked_at: tx.now().getTime(),
        next_at: dueAt,
      })
      if (!isQuiet) await notifySource(tx, after)
    })
  }
}

type Taken = Left['why'] | 'changed' | null

/** Takes one file in, or remembers why not. */
async function take(ctx: Ctx, row: SourceRow, file: FoundFile, seen: Set<string>): Promise<Taken> {
  const mark = markOf(file)
  const within = async (tx: Ctx, digests: readonly Buffer[]): Promise<void> => {
    const now = await sourceByRow(tx, row.id)
    if (now?.version !== row.version || now.state === 'paused') throw new SourceChanged()
    await markSeen(tx, row.id, digests)
  }
  const remember = async (digests: readonly Buffer[]): Promise<void> => {
    await ctx.transaction((tx) => within(tx, digests))
    for (const digest of digests) seen.add(digest.toString('hex'))
  }
  if (file.size > MAX_FILE_BYTES) {
    await remember([mark])
    return 'too_large'
  }
  const bytes = await readFound(folderOf(row).path, file)
  if (bytes === null) return 'changed'
  const content = digestOf(bytes)
  if (seen.has(content.toString('hex'))) {
    await remember([mark])
    return null
  }
  const mediaType = mediaTypeOf(bytes, file.name)
  if (mediaType === 'message/rfc822' || (mediaType === null && isZip(bytes))) {
    const items = await itemsIn(ctx, bytes)
    const marks = [content, mark]
    for (const [index, item] of items.entries()) {
      const isLast = index === items.length - 1
      const part = { ...item, source: 'folder', sourceRowId: row.id } as const
      await addDocument(ctx, part, (tx) => within(tx, isLast ? marks : []))
    }
    if (items.length === 0) await remember(marks)
    for (const digest of marks) seen.add(digest.toString('hex'))
    return items.length === 0 ? 'type' : null
  }
  if (mediaType === null || !DOCUMENT_TYPES.includes(mediaType)) {
    await remember([mark])
    return 'type'
  }
  const name = sanitizeLine(file.name).slice(0, 160) || 'documento'
  const document = { name, bytes, mediaType, source: 'folder', sourceRowId: row.id } as const
  await addDocument(ctx, document, (tx) => within(tx, [content, mark]))
  for (const digest of [content, mark]) seen.add(digest.toString('hex'))
  return null
}

/** Returns the documents in a mail or ZIP file; what a mail has of answers to reply pages is taken in. */
async function itemsIn(ctx: Ctx, bytes: Uint8Array<ArrayBuffer>): Promise<MailItem[]> {
  const found = await parseMail(bytes)
  if (found && found.codes.length > 0)
    await takeCodes(ctx, found.codes, { channel: 'file', sender: found.sender || null })
  return (found?.items ?? []).filter(({ mediaType }) => mediaType !== 'message/rfc822')
}

const GATHER_MS = 500
const SHORTEST_MS = 500

/** Creates the jobs that look through the folders of a desk. */
export function createFolderJobs(options: FolderJobOptions): Background {
  const { env, log } = options
  const folders = new Folders(options, () => loop.wake())
  const loop = createWorkerLoop({
    name: 'folders',
    log,
    now: env.now,
    gatherMs: GATHER_MS,
    pollMs: LOOK_MS,
    shortestWaitMs: SHORTEST_MS,
    work: ({ signal }) => folders.look(signal),
  })
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop()
      folders.close()
    },
  }
}
