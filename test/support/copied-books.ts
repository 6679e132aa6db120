/** Books that are made once for a file and copied for each of its tests: a copy takes less time than making them. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { listBooks } from '../../server/platform/books/index.ts'
import { openBooks } from './books.ts'
import type { TestBooks } from './books.ts'

interface Kept {
  folder: string
  at: string
}

interface CopyOptions extends NonNullable<Parameters<typeof openBooks>[0]> {
  /** SQL that changes the copy before it is opened. */
  tamper?: readonly string[]
}

/** Returns a function that opens a copy of the same books for each test. The first call makes them. */
export function copiesOf(make: () => Promise<TestBooks>): (options?: CopyOptions) => Promise<TestBooks> {
  let kept: Promise<Kept> | undefined
  afterAll(async () => {
    if (kept) rmSync((await kept).folder, { recursive: true, force: true })
  })
  const keep = async (): Promise<Kept> => {
    const { env, folder } = await make()
    env.store.close()
    const copy = mkdtempSync(join(tmpdir(), 'sello-kept-'))
    cpSync(folder, copy, { recursive: true })
    return { folder: copy, at: env.now().toISOString() }
  }
  return async ({ tamper = [], ...options } = {}) => {
    const { folder, at } = await (kept ??= keep())
    const world = await openBooks({ at, ...options })
    world.env.store.close()
    for (const name of readdirSync(world.folder)) rmSync(join(world.folder, name), { recursive: true })
    cpSync(folder, world.folder, { recursive: true })
    if (tamper.length > 0) await world.tamper(...tamper)
    await world.restart()
    for (const book of await listBooks(world.env.store.reader)) world.books[book.mode] = book
    return world
  }
}
