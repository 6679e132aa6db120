/** Moves a company of an office into an encrypted folder of its own, or copies it there. */
import { existsSync, readdirSync } from 'node:fs'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { AppEnvironment } from '../../../context.ts'
import { FileBulkWriter } from '../../../db/embedded/bulk.ts'
import type { Keychain } from '../../../db/embedded/keys/keyring.ts'
import { ARRIVING, readArriving } from '../../../db/embedded/moved-books.ts'
import { openDatabase } from '../../../db/embedded/open.ts'
import type { EmbeddedStore } from '../../../db/embedded/port.ts'
import { openStore } from '../../../db/embedded/store.ts'
import type { StoreOptions } from '../../../db/embedded/store.ts'
import type { Objects } from '../../../db/outside/objects.ts'
import type { DatabaseBulk } from '../../../db/postgres/bulk.ts'
import { SANDBOX } from '../../../db/sandbox.ts'
import { sealerOf } from '../../../db/seal.ts'
import { EVENTS_OF_OFFICE } from '../../../platform/events/index.ts'
import { openApplication } from '../../application.ts'
import { reached, setAway, standingOf, verifyCompany } from './arrival.ts'
import type { OfficeAddress, Standing } from './arrival.ts'
import { withOfficeRows } from './contents.ts'
import type { OpenedOfficeRows } from './contents.ts'
import {
  companyDigest,
  continueIds,
  copyCompany,
  highestGiven,
  leftBehind,
  survey,
} from '../../company-copy/index.ts'
import { shapeOfBuild } from '../../company-rows/index.ts'
import type { Side, Survey } from '../../company-copy/index.ts'

interface ExportOptions {
  office: OfficeAddress
  /** Public identifier. */
  company: string
  /** A folder that does not exist or is empty, or that of the same call before. */
  folder: string
  keyFile?: string | undefined
  keychain: Keychain | null
  /**
   * Leave the company in the office. The copy issues nothing until a new installation is begun in it, since the office
   * goes on issuing (ADR 15).
   */
  asCopy?: boolean
  /** What the mark of the office names as the place where the company goes; undefined: the folder. */
  heldAs?: string | undefined
  loadContracts: AppEnvironment['loadContracts']
  now: () => Date
  report?: (line: string) => void
}

interface ExportResult {
  id: string
  folder: string
  rows: number
  sha256: string
  checks: number
  /** Tables of the office alone whose rows were not copied. */
  left: string[]
}

class Export {
  private readonly options: ExportOptions
  private readonly office: DatabaseBulk
  private readonly objects: Objects
  private readonly report: (line: string) => void

  constructor(options: ExportOptions, { office, objects }: OpenedOfficeRows) {
    this.options = options
    this.office = office
    this.objects = objects
    this.report = options.report ?? (() => {})
  }

  async run(): Promise<ExportResult> {
    const { company, folder, now, asCopy = false, heldAs = folder } = this.options
    const standing = await this.standing()
    if (!standing) throw new AppError('company_not_here', { details: { company } })
    const { companyId, away, awayTo } = standing
    const isOurs = (away === 'moving' || away === 'moved') && awayTo === heldAs
    if (away !== null && !isOurs)
      throw new AppError(away === 'moved' ? 'company_moved' : 'company_moving', {
        details: { to: awayTo },
        retryAfterSeconds: 60,
      })
    this.assertUsable()
    if (away === null && !asCopy)
      await setAway(this.office, companyId, { away: 'moving', to: folder, at: now() })
    reached.sourceHeld()
    const result = await this.fill(companyId)
    const checks = await this.verify(company)
    reached.verified()
    this.report(`${company}: ${checks} checks passed.`)
    if (!asCopy) await setAway(this.office, companyId, { away: 'moved', to: folder, at: now() })
    reached.sourceMoved()
    await this.open()
    reached.finished()
    return { id: company, folder, checks, ...result }
  }

  private async standing(): Promise<Standing | null> {
    await this.office.begin('read')
    try {
      return await standingOf(this.office, this.options.company)
    } finally {
      await this.office.rollback()
    }
  }

  /** Throws `transfer_refused` for a folder with something else in it. */
  private assertUsable(): void {
    const { folder } = this.options
    const files = existsSync(folder) ? readdirSync(folder) : []
    if (files.length > 0 && !files.includes('keyring.json') && files.some((name) => name !== 'lock'))
      throw new AppError('transfer_refused', { details: { reason: 'folder_not_empty', folder } })
  }

  private get books(): StoreOptions {
    const { folder, keyFile, keychain, now } = this.options
    return { folder, keyFile, keychain, now, create: true }
  }

  /** Copies the company into the folder, unless an earlier call did. */
  private async fill(companyId: number): Promise<Pick<ExportResult, 'rows' | 'sha256' | 'left'>> {
    const { office, options } = this
    const store = await openStore(this.books)
    await office.begin('read')
    await office.enter(companyId)
    try {
      const side: Side = {
        shape: shapeOfBuild(),
        reader: office,
        sealer: sealerOf(options.office.masterKey),
        objects: this.objects,
        companyId,
      }
      const known = await survey(side)
      const left = await leftBehind(side)
      const there = await store.reader.selectFrom('companies').select('public_id').execute()
      if (there.length === 0) {
        const copied = await this.copy(store, side, known)
        reached.committed()
        return { ...copied, left }
      }
      const arriving = await readArriving(store.reader)
      const { sha256, rows } = await companyDigest(side, known)
      if (
        there.length > 1 ||
        there[0]?.public_id !== options.company ||
        (arriving && arriving.sha256 !== sha256)
      )
        throw new AppError('company_here', {
          details: { company: there[0]?.public_id, folder: options.folder },
        })
      return { sha256, rows, left }
    } finally {
      await office.rollback()
      store.close()
    }
  }

  private async copy(
    store: EmbeddedStore,
    side: Side,
    known: Survey,
  ): Promise<Pick<ExportResult, 'rows' | 'sha256'>> {
    const { company, asCopy = false } = this.options
    const masterKey = store.copyOfKey()
    const connection = openDatabase({ folder: store.folder, masterKey, role: 'writer', cacheKib: 16 * 1024 })
    masterKey.fill(0)
    const { handle } = connection
    const writer = new FileBulkWriter(connection)
    const { bases } = known
    const shift = (table: string): number =>
      table === 'events' || table === 'journal_entries' ? -bases[table] : 0
    try {
      handle.exec('begin immediate')
      const { digest } = await copyCompany(
        { source: side, known, shift, target: { writer, sealer: store.sealer, objects: store.objects } },
        async () => {
          const entries =
            (await highestGiven(side.reader, side.shape, 'journal_entries')) - bases.journal_entries
          await continueIds(writer, new Map([['journal_entries', { first: 1, last: entries }]]))
        },
      )
      const events = (known.spans.get('events')?.last ?? 0) - bases.events
      const settings: Record<string, string> = {
        [ARRIVING]: JSON.stringify({ company, sha256: digest.sha256 }),
        [EVENTS_OF_OFFICE]: String(events),
        ...((await this.isSandbox()) ? { [SANDBOX]: 'true' } : {}),
      }
      for (const [name, value] of Object.entries(settings))
        await writer.execute('insert into settings (name, value) values (?, ?)', [name, value])
      if (asCopy)
        await writer.execute(
          "update registry_chains set held_for = 'restored_copy' where book_id in (select id from books where mode = 'live')",
        )
      if ((handle.pragma('foreign_key_check') as unknown[]).length > 0)
        throw new AppError('transfer_differs', { details: { reason: 'references' } })
      handle.exec('commit')
      this.report(`${company}: ${digest.rows} rows copied, digest ${digest.sha256}.`)
      return { rows: digest.rows, sha256: digest.sha256 }
    } finally {
      if (handle.inTransaction) handle.exec('rollback')
      connection.close()
    }
  }

  private async isSandbox(): Promise<boolean> {
    const [row] = await this.office.select<{ value: string }>('select value from settings where name = $1', [
      SANDBOX,
    ])
    return row?.value === 'true'
  }

  private async verify(company: string): Promise<number> {
    const { folder, keyFile, keychain, now, loadContracts } = this.options
    const sello = await openApplication(
      { dataDir: folder, keyFile, keychain, now, mayBeArriving: true },
      loadContracts,
    )
    try {
      const row = await sello.env.store.reader
        .selectFrom('companies')
        .select('id')
        .where('public_id', '=', company)
        .executeTakeFirstOrThrow()
      return await verifyCompany(sello.env, (book) => sello.ctx(book), row.id)
    } finally {
      await sello.close()
    }
  }

  /** Lets the folder be written from now on. */
  private async open(): Promise<void> {
    const store = await openStore(this.books)
    try {
      await store.transaction(null, (db) => db.deleteFrom('settings').where('name', '=', ARRIVING).execute())
    } finally {
      store.close()
    }
  }
}

/**
 * Moves a company of an office into a folder: holds it in the office, copies it in one transaction, compares the
 * canonical digests, verifies the folder, marks the company as moved in the office, and only then opens the folder for
 * writing. After an end at any step the same call continues. Throws `company_not_here`, `company_moved`,
 * `company_moving`, `company_here`, `transfer_refused`, `transfer_differs`, or an error of the store.
 */
export async function exportCompany(options: ExportOptions): Promise<ExportResult> {
  return withOfficeRows(options.office, (office) => new Export(options, office).run())
}
