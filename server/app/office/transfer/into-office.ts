/** Copies companies into an office: all of a call in one transaction, so that a process that ends leaves all or none. */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { BulkReader } from '../../../db/bulk.ts'
import type { DatabaseBulk } from '../../../db/postgres/bulk.ts'
import { SANDBOX } from '../../../db/sandbox.ts'
import type { Objects } from '../../../db/outside/objects.ts'
import type { Sealer } from '../../../db/seal.ts'
import { reached } from './arrival.ts'
import {
  continueIds,
  copyCompany,
  placeholder,
  reserveIds,
  StoredContents,
  united,
  unshifted,
  withGiven,
} from '../../company-copy/index.ts'
import type { CompanyDigest, Side, Span, Survey } from '../../company-copy/index.ts'
import type { Shift } from '../../company-rows/index.ts'

/** A company whose rows are to be copied. */
interface Departing {
  side: Side
  known: Survey
  publicId: string
}

interface Receiver {
  office: DatabaseBulk
  sealer: Sealer
  objects: Objects
  now: () => Date
  report: (line: string) => void
}

async function isSandboxed(reader: BulkReader): Promise<boolean> {
  const [row] = await reader.select<{ value: string }>(
    `select value from settings where name = ${placeholder(reader)}`,
    [SANDBOX],
  )
  return row?.value === 'true'
}

/** Throws `transfer_refused` if test books would get among real ones, or the reverse. */
async function agreeOnSandbox(source: BulkReader, office: DatabaseBulk, isFirst: boolean): Promise<void> {
  const [isSource, isTarget] = [await isSandboxed(source), await isSandboxed(office)]
  if (isSource === isTarget) return
  if (!isFirst || isTarget) throw new AppError('transfer_refused', { details: { reason: 'sandbox' } })
  await office.execute('insert into settings (name, value) values ($1, $2)', [SANDBOX, 'true'])
}

/**
 * Returns true if no company is there, and none was deleted: an id is never given again, since what a deleted company
 * has outside the database is removed by its id.
 */
async function isEmptyOffice(office: DatabaseBulk): Promise<boolean> {
  const [row] = await office.select<{ there: number }>(
    `select exists (select 1 from companies) or exists (select 1 from settings where name like 'ended/%') as there`,
  )
  return row?.there === 0
}

/** The rows of a company there. */
interface Arriving extends Departing {
  companyId: number
  stored: StoredContents
}

async function copyOne(
  { side, known, publicId, companyId, stored }: Arriving,
  shift: Shift,
  { office, sealer, objects, now, report }: Receiver,
): Promise<CompanyDigest> {
  await office.enter(companyId)
  const { digest } = await copyCompany(
    { source: side, known, shift, stored, target: { writer: office, sealer, objects } },
    async () => {
      await office.execute('update books set event_base = $1, entry_base = $2 where company_id = $3', [
        known.bases.events + shift('events'),
        known.bases.journal_entries + shift('journal_entries'),
        companyId,
      ])
      await office.checkDeferred()
    },
  )
  await office.execute('update companies set away = $1, away_at = $2, arrived_digest = $3 where id = $4', [
    'arriving',
    now().getTime(),
    digest.sha256,
    companyId,
  ])
  report(`${publicId}: ${digest.rows} rows copied, digest ${digest.sha256}.`)
  return digest
}

/** Copies within one transaction. Returns null if the office was to be empty and is not any more. */
async function copyAll(
  companies: readonly Arriving[],
  { shift, spans }: { shift: Shift | null; spans: ReadonlyMap<string, Span> },
  receiver: Receiver,
  onCommit: () => void,
): Promise<Map<string, CompanyDigest> | null> {
  const { office } = receiver
  const digests = new Map<string, CompanyDigest>()
  await office.begin('write')
  try {
    if (shift === null) {
      // None can be added until the transaction ends.
      await office.execute('select 1 from installation for no key update')
      if (!(await isEmptyOffice(office))) {
        await office.rollback()
        return null
      }
    }
    for (const { side } of companies.slice(0, 1)) await agreeOnSandbox(side.reader, office, shift === null)
    for (const company of companies)
      digests.set(company.publicId, await copyOne(company, shift ?? unshifted, receiver))
    if (shift === null) await continueIds(office, spans)
    onCommit()
    await office.commit()
  } catch (error) {
    await office.rollback()
    throw error
  }
  return digests
}

/**
 * Copies companies of one store in one transaction. An office that begins with them takes their ids; among others they
 * get a block of each sequence. They are `arriving` afterwards: nobody writes them until the move ends. Returns the
 * digests by public identifier.
 */
export async function copyIntoOffice(
  companies: readonly Departing[],
  receiver: Receiver,
): Promise<Map<string, CompanyDigest>> {
  const [first] = companies
  if (!first) return new Map()
  const { office, objects } = receiver
  const { shape, reader } = first.side
  const spans = await withGiven(reader, shape, united(companies.map(({ known }) => known.spans)))
  const shift = (await isEmptyOffice(office)) ? null : await reserveIds(office, spans)
  const arriving = companies.map((company): Arriving => ({
    ...company,
    companyId: company.side.companyId + (shift ?? unshifted)('companies'),
    stored: new StoredContents(),
  }))
  let digests: Map<string, CompanyDigest> | null
  // The answer to a commit can get lost: then the rows may be there, and name their objects.
  let mayBeCommitted = false
  try {
    for (const { side, stored, companyId } of arriving) await stored.keep(side, objects, companyId)
    digests = await copyAll(arriving, { shift, spans }, receiver, () => {
      mayBeCommitted = true
    })
  } finally {
    if (!mayBeCommitted) for (const { stored, companyId } of arriving) await stored.remove(objects, companyId)
  }
  // Somebody else was the first one.
  if (!digests) return copyIntoOffice(companies, receiver)
  reached.committed()
  return digests
}
