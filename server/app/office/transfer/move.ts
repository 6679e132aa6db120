/** Moves a company between two databases: the cells of a divided office, or two offices. */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { AppEnvironment } from '../../../context.ts'
import type { Objects } from '../../../db/outside/objects.ts'
import type { DatabaseBulk } from '../../../db/postgres/bulk.ts'
import { sealerOf } from '../../../db/seal.ts'
import { reached, setAway, standingOf, verifyArrived } from './arrival.ts'
import type { OfficeAddress, Standing } from './arrival.ts'
import { withOfficeRows } from './contents.ts'
import type { OpenedOfficeRows } from './contents.ts'
import { companyDigest, leftBehind, survey } from '../../company-copy/index.ts'
import type { Directory } from './directory.ts'
import { copyIntoOffice } from './into-office.ts'
import { shapeOfBuild } from '../../company-rows/index.ts'
import type { Side } from '../../company-copy/index.ts'

/** A database between which companies are moved. */
export interface CellAddress extends OfficeAddress {
  /** Address of its servers, which the other one answers to who asks for a company that has moved there. */
  address: string
}

interface MoveOptions {
  company: string
  from: CellAddress
  to: CellAddress
  /** Knows both by their names; null for two offices without one. */
  directory: Directory | null
  loadContracts: AppEnvironment['loadContracts']
  now: () => Date
  report?: (line: string) => void
}

export interface MoveResult {
  id: string
  /** Rows that were copied and compared. */
  rows: number
  sha256: string
  checks: number
  /** Tables of the office alone whose rows were not copied. */
  left: string[]
}

class Move {
  private readonly options: MoveOptions
  private readonly source: DatabaseBulk
  private readonly target: DatabaseBulk
  private readonly contents: { from: Objects; to: Objects }

  constructor(options: MoveOptions, from: OpenedOfficeRows, to: OpenedOfficeRows) {
    this.options = options
    this.source = from.office
    this.target = to.office
    this.contents = { from: from.objects, to: to.objects }
  }

  async run(): Promise<MoveResult> {
    const { company, from, to, directory, now } = this.options
    const standing = await standingOf(this.source, company)
    if (!standing) throw new AppError('company_not_here', { details: { company } })
    this.assertMayLeave(standing)
    await this.assertPlace()
    if (standing.away === null)
      await setAway(this.source, standing.companyId, { away: 'moving', to: to.address, at: now() })
    if (standing.away !== 'moved')
      await directory?.place(company, { cell: from.name, state: 'moving', since: now().getTime() })
    reached.sourceHeld()
    const copied = await this.copy(standing.companyId)
    const arrived = await standingOf(this.target, company)
    if (!arrived) throw new Error(`${company} is not there.`)
    let checks = 0
    if (arrived.away === 'arriving') {
      checks = await verifyArrived(to, arrived.companyId, this.options)
      this.say(`${checks} checks passed.`)
    }
    reached.verified()
    await directory?.place(company, { cell: to.name, state: 'here', since: now().getTime() })
    if (standing.away !== 'moved')
      await setAway(this.source, standing.companyId, { away: 'moved', to: to.address, at: now() })
    reached.sourceMoved()
    if (arrived.away !== null)
      await setAway(this.target, arrived.companyId, { away: null, to: null, at: now() })
    reached.finished()
    this.say(`moved to ${to.name}.`)
    return { id: company, checks, ...copied }
  }

  private say(line: string): void {
    this.options.report?.(`${this.options.company}: ${line}`)
  }

  private assertMayLeave({ away, awayTo }: Standing): void {
    const { company, to } = this.options
    if (away === null || ((away === 'moving' || away === 'moved') && awayTo === to.address)) return
    throw new AppError(away === 'moved' ? 'company_moved' : 'company_moving', {
      details: { company, to: awayTo },
      retryAfterSeconds: 60,
    })
  }

  /** Throws `transfer_refused` if the directory says that the company lives elsewhere. */
  private async assertPlace(): Promise<void> {
    const { company, from, to, directory } = this.options
    if (!directory) return
    await directory.cell(from.name)
    await directory.cell(to.name)
    const place = await directory.placeOf(company)
    if (place && place.cell !== from.name && place.cell !== to.name)
      throw new AppError('transfer_refused', { details: { reason: 'other_cell', company, cell: place.cell } })
  }

  /** Copies the company, unless an earlier call did. */
  private async copy(companyId: number): Promise<Pick<MoveResult, 'rows' | 'sha256' | 'left'>> {
    const { company, from, to, now } = this.options
    const { source, target, contents } = this
    await source.begin('read')
    await source.enter(companyId)
    try {
      const side: Side = {
        shape: shapeOfBuild(),
        reader: source,
        sealer: sealerOf(from.masterKey),
        objects: contents.from,
        companyId,
      }
      const known = await survey(side)
      const left = await leftBehind(side)
      const there = await standingOf(target, company)
      if (!there) {
        const report = this.options.report ?? (() => {})
        const digests = await copyIntoOffice([{ side, known, publicId: company }], {
          office: target,
          sealer: sealerOf(to.masterKey),
          objects: contents.to,
          now,
          report,
        })
        const copied = digests.get(company)
        return { sha256: copied?.sha256 ?? '', rows: copied?.rows ?? 0, left }
      }
      const { sha256, rows } = await companyDigest(side, known)
      if (there.arrivedDigest !== sha256 || there.away === 'moved' || there.away === 'moving')
        throw new AppError('company_here', { details: { company, state: there.away ?? 'open' } })
      return { sha256, rows, left }
    } finally {
      await source.rollback()
    }
  }
}

/**
 * Moves a company to another database: holds it, so that it is read and not written, copies it in one transaction,
 * compares the canonical digests, verifies it there, switches the directory, marks it as moved, and only then opens it
 * there for writing. Each step may be repeated: after an end at any moment the same call continues.
 */
export async function moveCompany(options: MoveOptions): Promise<MoveResult> {
  return withOfficeRows(options.from, (from) =>
    withOfficeRows(options.to, (to) => new Move(options, from, to).run()),
  )
}
