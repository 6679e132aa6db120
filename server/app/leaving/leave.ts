/** Makes the archive of a company for the window, and takes one in that the window sent. */
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { appendFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { findCompany } from '../../company/index.ts'
import { embedded } from '../../db/embedded/port.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import type { Ctx, UseCase, UserActor } from '../../context.ts'
import type {
  leaveContract,
  leavingProgressContract,
  sendArchiveContract,
  takeInContract,
  takeInProgressContract,
} from './contract.ts'
import { archiveFolder, dropSent, dropUnfetched, handedFile, sentFile, removeIfEmpty } from './take/folder.ts'
import { takeIn } from './take/take-in.ts'
import { alone, ARRIVING, progressOf } from './in-flight.ts'
import { makeArchive } from './write/make.ts'
import type { MadeArchive } from './write/make.ts'
import type { Report } from './progress.ts'

/** An answer that nobody reads any more is removed after this time: whoever asked has gone away meanwhile. */
const UNREAD_MS = 60_000
const MOST_BYTES = 4_294_967_295
/** The first bytes of a ZIP file. */
const ZIP = 'PK'

/** Yields a file in pieces and removes it, even when the reader stops early. */
function handedOver(file: string, dataDir: string | null): AsyncIterable<Uint8Array> {
  const drop = (): void => {
    rmSync(file, { force: true })
    if (dataDir !== null) removeIfEmpty(dataDir)
  }
  // A reader that never begins ends nothing.
  const unread = setTimeout(drop, UNREAD_MS)
  unread.unref()
  async function* pieces(): AsyncGenerator<Uint8Array> {
    clearTimeout(unread)
    try {
      yield* createReadStream(file)
    } finally {
      drop()
    }
  }
  return pieces()
}

/** Writes the archive of a company to a new file, and its history an entry. Throws as `makeArchive`, or `company_advised`. */
export async function archiveTo(ctx: Ctx, file: string, report?: Report): Promise<MadeArchive> {
  const { env, book } = ctx
  // The client has all of it; here its documents are missing.
  if (env.advised?.has(book.companyId)) throw new AppError('company_advised')
  return alone(env, book.companyId, async (note) => {
    const company = await findCompany(ctx)
    // Before it is made, so that the archive has the entry and none can be made without one.
    await ctx.transaction((tx) =>
      recordAudit(tx, {
        action: 'company.left',
        target: { type: 'company', id: company.public_id, label: company.legal_name },
      }),
    )
    return makeArchive(ctx, file, (progress) => {
      note(progress)
      report?.(progress)
    })
  })
}

/** Answers with the archive of the company. The file exists only while it is made and sent. */
export const leave: UseCase<typeof leaveContract> = async (ctx) => {
  const { env } = ctx
  const dataDir = env.readRows ? null : embedded(env.store).folder
  const folder = dataDir === null ? tmpdir() : archiveFolder(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  dropUnfetched(folder, ctx.now().getTime())
  const file = handedFile(folder, env.newId('req'))
  const { fileName } = await archiveTo(ctx, file)
  return { stream: handedOver(file, dataDir), fileName }
}

/** Returns how far the archive of the company is. */
export const leavingProgress: UseCase<typeof leavingProgressContract> = async ({ env, book }) => ({
  inFlight: progressOf(env, book.companyId),
})

/** Keeps a part of an archive beside the books. */
export const sendArchive: UseCase<typeof sendArchiveContract> = async (
  { env },
  { id, position, content },
) => {
  const { folder } = embedded(env.store)
  const bytes = Buffer.from(content, 'base64')
  const isFirst = id === null
  if (isFirst) {
    if (!bytes.toString('latin1', 0, ZIP.length).startsWith(ZIP))
      throw new AppError('archive_unreadable', { details: { why: 'broken' } })
    if (progressOf(env, ARRIVING) !== null) throw new AppError('too_busy', { retryAfterSeconds: 30 })
    mkdirSync(archiveFolder(folder), { recursive: true, mode: 0o700 })
    // One at a time: an earlier one was given up.
    dropSent(folder)
  }
  const own = id ?? env.newId('req')
  const file = sentFile(folder, own)
  const there = isFirst
    ? 0
    : await stat(file).then(
        ({ size }) => size,
        () => null,
      )
  if (there === null) throw new AppError('not_found')
  if (there + bytes.length > MOST_BYTES) throw new AppError('archive_too_large')
  // A part that was sent again after a lost answer.
  if (there === position + bytes.length && !isFirst) return { id: own, bytes: there }
  if (there !== position)
    throw new AppError('archive_unreadable', { details: { why: 'position', bytes: there } })
  await appendFile(file, bytes, { mode: 0o600 })
  return { id: own, bytes: there + bytes.length }
}

/** Takes in the archive that was sent, and removes it. */
export const takeInSent: UseCase<typeof takeInContract> = async (ctx, { id }) => {
  const { env, actor } = ctx
  const { folder } = embedded(env.store)
  const file = sentFile(folder, id)
  if (
    !(await stat(file).then(
      () => true,
      () => false,
    ))
  )
    throw new AppError('not_found')
  return alone(env, ARRIVING, async (report) => {
    try {
      const taken = await takeIn({ env, file, person: actor as UserActor, report })
      const { company, books, rows, files, checks } = taken
      return { company, books, rows, files, checks }
    } finally {
      rmSync(file, { force: true })
      removeIfEmpty(folder)
    }
  })
}

/** Returns how far the archive is that is being taken in. */
export const takeInProgress: UseCase<typeof takeInProgressContract> = async ({ env }) => ({
  inFlight: progressOf(env, ARRIVING),
})
