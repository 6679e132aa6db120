/** Moves the companies of an encrypted folder into an office. */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { AppEnvironment } from '../../../context.ts'
import type { BulkReader } from '../../../db/bulk.ts'
import { FileBulkReader } from '../../../db/embedded/bulk.ts'
import { markMoved, movedBooks, readMoved } from '../../../db/embedded/moved-books.ts'
import type { MovedMarks } from '../../../db/embedded/moved-books.ts'
import { openDatabase } from '../../../db/embedded/open.ts'
import { embedded } from '../../../db/embedded/port.ts'
import type { Objects } from '../../../db/outside/objects.ts'
import type { DatabaseBulk } from '../../../db/postgres/bulk.ts'
import { sealerOf } from '../../../db/seal.ts'
import type { OpenedSello } from '../../environment.ts'
import { reached, setAway, standingOf, verifyArrived } from './arrival.ts'
import type { OfficeAddress, Standing } from './arrival.ts'
import { companyDigest, survey } from '../../company-copy/index.ts'
import type { CompanyDigest, Side, Survey } from '../../company-copy/index.ts'
import { withOfficeRows } from './contents.ts'
import type { OpenedOfficeRows } from './contents.ts'
import { copyIntoOffice } from './into-office.ts'
import { shapeOfBuild } from '../../company-rows/index.ts'
import { findUnstorable, refuseUnstorable, ReplacingReader } from './characters.ts'
import type { UnstorableText } from './characters.ts'

interface ImportOptions {
  /** The open books of the folder. */
  source: OpenedSello
  office: OfficeAddress
  loadContracts: AppEnvironment['loadContracts']
  /** Public identifier; default: all companies of the folder. */
  company?: string | undefined
  /** Replace texts that the office cannot store where no hash covers them, instead of refusing. */
  replaceTexts?: boolean
  now: () => Date
  /** Called with a sentence about each step. */
  report?: (line: string) => void
}

interface MovedCompany {
  id: string
  legalName: string
  rows: number
  sha256: string
  checks: number
}

export interface ImportResult {
  companies: MovedCompany[]
  /** Texts that were replaced. */
  replaced: UnstorableText[]
}

interface Candidate {
  side: Side
  publicId: string
  legalName: string
  nif: string | null
  known: Survey
  digest: Pick<CompanyDigest, 'sha256' | 'rows'>
  /** How it stands in the office; null: not there. */
  standing: Standing | null
  /** It is marked as moved in the folder already. */
  isMarked: boolean
}

interface CompanyOfFile {
  id: number
  public_id: string
  legal_name: string
  nif: string | null
}

/**
 * Returns the companies of the folder that were asked for; never copies of other installations' books, which come from
 * there. Throws `company_not_here` and `transfer_refused`.
 */
async function companiesOf(
  reader: BulkReader,
  wanted: string | undefined,
  isCopy: (companyId: number) => boolean,
): Promise<CompanyOfFile[]> {
  const all = await reader.select<CompanyOfFile>(
    'select id, public_id, legal_name, nif from companies order by id',
  )
  const found =
    wanted === undefined
      ? all.filter(({ id }) => !isCopy(id))
      : all.filter(({ public_id: publicId }) => publicId === wanted)
  if (found.some(({ id }) => isCopy(id)))
    throw new AppError('transfer_refused', { details: { reason: 'advised', company: wanted } })
  if (found.length === 0) throw new AppError('company_not_here', { details: { company: wanted ?? null } })
  return found
}

/** Throws `company_here` for a company that the office has, other than by this move. */
function assertOurs({ publicId, standing, digest, isMarked }: Candidate): void {
  if (!standing) return
  const isSame = standing.arrivedDigest === digest.sha256
  if (isSame && (standing.away === 'arriving' || (standing.away === null && isMarked))) return
  throw new AppError('company_here', { details: { company: publicId, state: standing.away ?? 'open' } })
}

class Import {
  private readonly options: ImportOptions
  private readonly reader: BulkReader
  private readonly office: DatabaseBulk
  private readonly objects: Objects
  private readonly marks: MovedMarks
  private readonly report: (line: string) => void

  constructor(
    options: ImportOptions,
    reader: BulkReader,
    { office, objects }: OpenedOfficeRows,
    marks: MovedMarks,
  ) {
    this.options = options
    this.reader = reader
    this.office = office
    this.objects = objects
    this.marks = marks
    this.report = options.report ?? (() => {})
  }

  async run(): Promise<ImportResult> {
    const { source, office, company, replaceTexts = false } = this.options
    const shape = shapeOfBuild()
    const { sealer, objects } = source.env.store
    const rows = await companiesOf(this.reader, company, (id) => source.env.advised?.has(id) ?? false)
    const replaced: UnstorableText[] = []
    for (const { id } of rows)
      replaced.push(...(await findUnstorable({ shape, reader: this.reader, sealer, objects, companyId: id })))
    refuseUnstorable(replaced, replaceTexts)
    const reader = replaced.length > 0 ? new ReplacingReader(this.reader, shape.byName) : this.reader
    const candidates: Candidate[] = []
    for (const { id, public_id: publicId, legal_name: legalName, nif } of rows) {
      const side: Side = { shape, reader, sealer, objects, companyId: id }
      const known = await survey(side)
      const standing = await standingOf(this.office, publicId)
      // Of a company that is not there yet, the copying computes it.
      const digest = standing ? await companyDigest(side, known) : { sha256: '', rows: 0 }
      const isMarked = this.marks[publicId]?.to === office.name
      candidates.push({ side, publicId, legalName, nif, known, digest, standing, isMarked })
    }
    for (const candidate of candidates) {
      assertOurs(candidate)
      await this.assertMayCome(candidate)
    }
    const copied = await copyIntoOffice(
      candidates.filter(({ standing }) => standing === null),
      {
        office: this.office,
        sealer: sealerOf(office.masterKey),
        objects: this.objects,
        now: this.options.now,
        report: this.report,
      },
    )
    const companies: MovedCompany[] = []
    for (const candidate of candidates)
      companies.push(
        await this.finish({ ...candidate, digest: copied.get(candidate.publicId) ?? candidate.digest }),
      )
    return { companies, replaced }
  }

  /** Throws for a company that cannot go into this office, whether it can be told before anything is written. */
  private async assertMayCome({ publicId, nif, standing, isMarked }: Candidate): Promise<void> {
    if (standing) return
    if (this.marks[publicId] || isMarked)
      throw new AppError('books_moved', { details: { to: this.marks[publicId]?.to ?? null } })
    if (nif === null) return
    const [row] = await this.office.select<{ id: string }>(
      'select public_id as id from companies where nif = $1',
      [nif],
    )
    if (row) throw new AppError('company_here', { details: { company: row.id, nif, state: 'other' } })
  }

  /** Verifies a company there, marks it as moved here, and opens it there. Each step may be repeated. */
  private async finish({ publicId, legalName, digest, isMarked }: Candidate): Promise<MovedCompany> {
    const { rows, sha256 } = digest
    const { office, options, report } = this
    const standing = await standingOf(office, publicId)
    if (!standing) throw new Error(`${publicId} is not in the office.`)
    let checks = 0
    if (standing.away === 'arriving') {
      checks = await verifyArrived(options.office, standing.companyId, options)
      reached.verified()
      report(`${publicId}: ${checks} checks passed.`)
      if (!isMarked) await this.markSource(publicId, sha256)
      reached.sourceMoved()
      await setAway(office, standing.companyId, { away: null, to: null, at: options.now() })
      reached.finished()
      report(`${publicId}: moved to ${options.office.name}.`)
    }
    return { id: publicId, legalName, rows, sha256, checks }
  }

  private async markSource(publicId: string, sha256: string): Promise<void> {
    const { source, office, now } = this.options
    const store = embedded(source.env.store)
    await store.transaction(null, (db) =>
      markMoved(db, publicId, { to: office.name, at: now().toISOString(), sha256 }),
    )
    store.refused = (await movedBooks(store.reader)).companies
  }
}

/**
 * Moves companies of a folder into an office: copies them in one transaction, compares the canonical digests, verifies
 * them there, marks them as moved in the folder, and only then opens them for writing in the office. Nothing is
 * written at both places at any time; after an end at any step the same call continues. Throws `transfer_refused`,
 * `transfer_differs`, `company_here`, `company_not_here`, `books_moved`, or an error of the store.
 */
export async function importBooks(options: ImportOptions): Promise<ImportResult> {
  const store = embedded(options.source.env.store)
  const masterKey = store.copyOfKey()
  const connection = openDatabase({ folder: store.folder, masterKey, role: 'reader', cacheKib: 16 * 1024 })
  masterKey.fill(0)
  try {
    return await withOfficeRows(options.office, async (office) => {
      const marks = await readMoved(store.reader)
      return new Import(options, new FileBulkReader(connection), office, marks).run()
    })
  } finally {
    connection.close()
  }
}
