/** Copies companies into an office: all of a call in one transaction, so that a process that ends leaves all or none. */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { BulkReader } from '../../../db/bulk.ts'
import type { DatabaseBulk } from '../../../db/postgres/bulk.ts'
import { SANDBOX } from '../../../db/sandbox.ts'
import type { Sealer } from '../../../db/seal.ts'
import { reached } from './arrival.ts'
import { copyCompany, unshifted } from './copy.ts'
import type { CompanyDigest } from './digest.ts'
import { continueIds, reserveIds, united, withGiven } from './ids.ts'
import type { Shift } from './renumber.ts'
import { placeholder } from './side.ts'
import type { Side, Survey } from './side.ts'

/** A company whose rows are to be copied. */
interface Departing {
  side: Side
  known: Survey
  publicId: string
}

interface Receiver {
  office: DatabaseBulk
  sealer: Sealer
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

/** Returns true if no company is there; then none can be added until the transaction ends. */
async function isEmptyOffice(office: DatabaseBulk): Promise<boolean> {
  const isThere = async (): Promise<boolean> => {
    const [row] = await office.select<{ there: number }>('select exists (select 1 from companies) as there')
    return row?.there === 1
  }
  if (await isThere()) return false
  await office.execute('select 1 from installation for no key update')
  return !(await isThere())
}

async function copyOne(
  { side, known, publicId }: Departing,
  shift: Shift,
  { office, sealer, now, report }: Receiver,
): Promise<CompanyDigest> {
  const { digest, companyId } = await copyCompany(
    { source: side, known, shift, target: { writer: office, sealer, enter: (id) => office.enter(id) } },
    async (target) => {
      await office.execute('update books set event_base = $1, entry_base = $2 where company_id = $3', [
        known.bases.events + shift('events'),
        known.bases.journal_entries + shift('journal_entries'),
        target.companyId,
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

/**
 * Copies companies of one store in one transaction. An office that begins with them takes their ids; among others they
 * get a block of each sequence. They are `arriving` afterwards: nobody writes them until the move ends. Returns the
 * digests by public identifier.
 */
export async function copyIntoOffice(
  companies: readonly Departing[],
  receiver: Receiver,
): Promise<Map<string, CompanyDigest>> {
  const digests = new Map<string, CompanyDigest>()
  const [first] = companies
  if (!first) return digests
  const { office } = receiver
  const { shape, reader } = first.side
  const spans = await withGiven(reader, shape, united(companies.map(({ known }) => known.spans)))
  await office.begin('write')
  try {
    const isFirst = await isEmptyOffice(office)
    await agreeOnSandbox(reader, office, isFirst)
    const shift = isFirst ? unshifted : await reserveIds(office, spans)
    for (const company of companies) digests.set(company.publicId, await copyOne(company, shift, receiver))
    if (isFirst) await continueIds(office, spans)
    await office.commit()
  } catch (error) {
    await office.rollback()
    throw error
  }
  reached.committed()
  return digests
}
