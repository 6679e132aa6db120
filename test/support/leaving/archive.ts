/** Archives of companies, and the empty desks that take them in. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { onTestFinished } from 'vitest'
import { openSello } from '../../../server/api/application.ts'
import type { OpenedSello } from '../../../server/api/application.ts'
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import { loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import { checkBooks } from '../../../server/app/integrity/index.ts'
import { archiveTo, takeIn } from '../../../server/app/leaving/index.ts'
import type { Book, Ctx, UserActor } from '../../../server/context.ts'
import { listBooks } from '../../../server/platform/books/index.ts'

export const PERSON: UserActor = { kind: 'user', id: 'user', name: 'Persona' }

/** Returns a folder that is removed at the end of the test. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-leaving-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes the archive of a company; returns its file. */
export async function archiveOf(
  ctx: Ctx,
): Promise<{ file: string; made: Awaited<ReturnType<typeof archiveTo>> }> {
  const file = join(ownFolder(), 'archive.zip')
  const made = await archiveTo(ctx, file)
  return { file, made }
}

/** A desk without a company. */
export class EmptyDesk {
  readonly folder: string
  private opened: OpenedSello | null = null
  private readonly at: Date
  private readonly sandbox: boolean

  private constructor(folder: string, at: Date, sandbox: boolean) {
    this.folder = folder
    this.at = at
    this.sandbox = sandbox
  }

  static async open(
    at: Date,
    { folder = ownFolder(), sandbox = false }: { folder?: string; sandbox?: boolean } = {},
  ): Promise<EmptyDesk> {
    const desk = new EmptyDesk(folder, at, sandbox)
    await desk.start()
    onTestFinished(() => desk.close())
    return desk
  }

  async start(): Promise<void> {
    this.opened = await openSello({
      dataDir: this.folder,
      create: true,
      sandbox: this.sandbox,
      keychain: null,
      cacheKib: 2048,
      now: () => this.at,
    })
  }

  async close(): Promise<void> {
    await this.opened?.close()
    this.opened = null
  }

  get sello(): OpenedSello {
    if (!this.opened) throw new Error('The desk is closed.')
    return this.opened
  }

  takeIn(file: string): ReturnType<typeof takeIn> {
    return takeIn({ env: this.sello.env, file, person: PERSON, report: () => {} })
  }

  async book(mode: Book['mode']): Promise<Book> {
    const book = (await listBooks(this.sello.env.store.reader)).find((each) => each.mode === mode)
    if (!book) throw new Error(`There is no ${mode} book.`)
    return book
  }

  async run<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    mode: Book['mode'] = 'test',
  ): Promise<OutputOf<Name>> {
    const ctx = this.sello.ctx(await this.book(mode), PERSON)
    return (await runOperation(await loadOperation(name), ctx, input)) as OutputOf<Name>
  }

  /** Returns the checks that fail. */
  async failedChecks(): Promise<unknown[]> {
    const { checks } = await checkBooks(this.sello.env, (book) => this.sello.ctx(book))
    return checks.filter(({ ok }) => !ok)
  }
}

/** Returns the files of an archive by their paths. */
export const unpacked = (file: string): Record<string, Uint8Array> => unzipSync(readFileSync(file))
