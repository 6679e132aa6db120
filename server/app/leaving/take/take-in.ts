/** Takes the company of an archive into the books of a desk: in one transaction, after it was verified beside them. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { FileBulkReader, FileBulkWriter } from '../../../db/embedded/bulk.ts'
import type { Connection } from '../../../db/embedded/connection.ts'
import { openDatabase } from '../../../db/embedded/open.ts'
import { embedded } from '../../../db/embedded/port.ts'
import type { EmbeddedStore } from '../../../db/embedded/port.ts'
import { failpoint } from '../../../db/failpoints.ts'
import type { BulkRow, BulkTable } from '../../../db/bulk.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { AppEnvironment, UserActor } from '../../../context.ts'
import { shapeOfBuild, tableNamed } from '../../company-rows/index.ts'
import type { Shift } from '../../company-rows/index.ts'
import { copyCompany, highestGiven, survey } from '../../company-copy/index.ts'
import type { Side, Survey } from '../../company-copy/index.ts'
import type { Report } from '../progress.ts'
import type { CheckedArchive } from '../read/types.ts'
import { PausingReader, pausing } from '../write/source.ts'
import { stagingFolder, removeIfEmpty } from './folder.ts'
import { stageArchive } from './stage.ts'

const CACHE_KIB = 16 * 1024

/** Lets requests be answered while what was written is read again. */
class PausingWriter extends FileBulkWriter {
  override pages(table: BulkTable, condition: string): AsyncGenerator<BulkRow[]> {
    return pausing(super.pages(table, condition))
  }
}

interface TakenIn {
  company: { id: string; name: string }
  /** Public identifiers, the real book first. */
  books: string[]
  rows: number
  files: number
  checks: number
  /** Canonical digest of what is there now. */
  sha256: string
}

interface TakeInOptions {
  env: AppEnvironment
  file: string
  person: UserActor
  report: Report
}

/** Throws for an archive whose company cannot come here: `company_here`, `archive_of_trials`. */
async function assertMayCome({ store, sandbox }: AppEnvironment, archive: CheckedArchive): Promise<void> {
  const { id, nif } = archive.company
  const there = await store.reader
    .selectFrom('companies')
    .select(['public_id', 'nif'])
    .where((eb) => eb.or([eb('public_id', '=', id), ...(nif === null ? [] : [eb('nif', '=', nif)])]))
    .executeTakeFirst()
  if (there) throw new AppError('company_here', { details: { company: there.public_id, nif: there.nif } })
  if (archive.sandbox !== sandbox)
    throw new AppError('archive_of_trials', { details: { archive: archive.sandbox } })
}

/**
 * Returns the numbers to add to the ids of tables: none where they are free, as in books without a company. Entries keep
 * theirs, which are in their identifiers. Throws `archive_entries_taken`.
 */
async function freeIds(writer: FileBulkWriter, { spans }: Survey): Promise<Shift> {
  const shape = shapeOfBuild()
  const shifts = new Map<string, number>()
  for (const [name, { first, last }] of spans) {
    if (name === 'journal_entries') {
      const taken = await writer.select(`select 1 from ${name} where id between ? and ? limit 1`, [
        first,
        last,
      ])
      if (taken.length > 0) throw new AppError('archive_entries_taken', { details: { first, last } })
      continue
    }
    const { hasIds } = tableNamed(shape, name)
    const [row] = hasIds
      ? await writer.select<{ max: number | null }>(`select max(id) as max from ${name}`)
      : []
    const highest = Math.max(row?.max ?? 0, await highestGiven(writer, shape, name))
    shifts.set(name, highest < first ? 0 : highest - first + 1)
  }
  return (table) => shifts.get(table) ?? 0
}

async function copy(
  target: EmbeddedStore,
  connection: Connection,
  source: Side,
): Promise<{ rows: number; sha256: string }> {
  const writer = new PausingWriter(connection)
  const known = await survey(source)
  const { digest } = await copyCompany(
    {
      source,
      known,
      shift: await freeIds(writer, known),
      target: { writer, sealer: target.sealer, objects: target.objects },
    },
    async () => {
      const given = await highestGiven(source.reader, source.shape, 'journal_entries')
      await writer.execute('update sqlite_sequence set seq = max(seq, ?) where name = ?', [
        given,
        'journal_entries',
      ])
    },
  )
  return { rows: digest.rows, sha256: digest.sha256 }
}

/**
 * Takes in the company of an archive, with the live chain held. Throws `archive_unreadable`, `archive_changed`,
 * `archive_newer`, `archive_too_large`, `archive_unsound`, `archive_of_trials`, `archive_entries_taken`, `company_here`,
 * `transfer_differs`, or an error of the store; nothing was taken in then.
 */
export async function takeIn({ env, file, person, report }: TakeInOptions): Promise<TakenIn> {
  const target = embedded(env.store)
  const folder = stagingFolder(target.folder)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    const { sello, archive, checks } = await stageArchive({
      file,
      folder: join(folder, 'books'),
      person,
      now: env.now,
      loadContracts: env.loadContracts,
      report,
      assertMayCome: (found) => assertMayCome(env, found),
    })
    const staged = embedded(sello.env.store)
    const { sealer, objects, folder: books } = staged
    const masterKey = staged.copyOfKey()
    // Its memory is needed for the copy.
    await sello.close()
    const reader = openDatabase({ folder: books, masterKey, role: 'reader', cacheKib: CACHE_KIB })
    masterKey.fill(0)
    try {
      report({ step: 'copying', done: 0, total: archive.rows.total })
      const [row] = await new FileBulkReader(reader).select<{ id: number }>('select id from companies')
      const source: Side = {
        shape: shapeOfBuild(),
        reader: new PausingReader(reader),
        sealer,
        objects,
        companyId: row?.id ?? 0,
      }
      const { rows, sha256 } = await target.addRows((connection) => copy(target, connection, source))
      failpoint('leaving.committed')
      const { id, name } = archive.company
      return {
        company: { id, name },
        books: archive.books
          .toSorted((one, other) => one.mode.localeCompare(other.mode))
          .map((book) => book.id),
        rows,
        files: archive.files,
        checks,
        sha256,
      }
    } finally {
      reader.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    removeIfEmpty(target.folder)
  }
}
