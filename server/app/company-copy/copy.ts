/** Copies the rows of one company, in one transaction of the target, and proves that they are the same there. */
import { failpoint } from '../../db/failpoints.ts'
import type { BulkRow, BulkValue, BulkWriter } from '../../db/bulk.ts'
import {
  assertSame,
  canonicalLine,
  companyDigest,
  digestFrom,
  factsRenumbering,
  TableHash,
} from './digest.ts'
import type { CompanyDigest, TableDigest } from './digest.ts'
import { StoredContents, rowsOf } from './contents.ts'
import { completedColumns, firstState, ownReferences, REFILLED, stepsOf } from './order.ts'
import type { Step } from './order.ts'
import { rowRenumbering } from '../company-rows/index.ts'
import type { Renumbering, Shift, Table } from '../company-rows/index.ts'
import { resealing } from './sealed.ts'
import { conditionOf, placeholder, settingsOf, survey } from './side.ts'
import type { Side, Survey } from './side.ts'

interface CopyJob {
  source: Side
  /** What the source's rows were found to be. */
  known: Survey
  target: Pick<Side, 'sealer' | 'objects'> & { writer: BulkWriter }
  /** What the target keeps of the content of documents; undefined: all of it in its rows. */
  stored?: StoredContents
  shift: Shift
  /** Called with the name of each table whose rows are copied. */
  onTable?: ((table: string, rows: number) => void) | undefined
}

/** Finds or adds the people of a company's history; returns their ids there. */
async function copyActors({ known, target }: CopyJob): Promise<Map<number, number>> {
  const { writer } = target
  const ids = new Map<number, number>()
  const [a, b, c] = [1, 2, 3].map((nth) => placeholder(writer, nth))
  for (const [id, identity] of known.actors) {
    const values = JSON.parse(identity) as string[]
    await writer.execute(
      `insert into actors (kind, public_id, name) values (${a}, ${b}, ${c}) on conflict do nothing`,
      values,
    )
    const [row] = await writer.select<{ id: number }>(
      `select id from actors where kind = ${a} and public_id = ${b} and name = ${c}`,
      values,
    )
    ids.set(id, row?.id ?? 0)
  }
  return ids
}

async function copySettings({ source, target }: CopyJob): Promise<void> {
  const { writer } = target
  for (const { name, value } of await settingsOf(source))
    await writer.execute(
      `insert into settings (name, value) values (${placeholder(writer, 1)}, ${placeholder(writer, 2)})`,
      [name, value],
    )
}

class Copying {
  private readonly job: CopyJob
  private readonly by: Renumbering
  private readonly written: Side<BulkWriter>
  readonly digests = new Map<string, TableDigest>()

  constructor(job: CopyJob, actors: ReadonlyMap<number, number>) {
    this.job = job
    const { source, known, target, shift } = job
    this.by = { shift, kinds: known.kinds, actor: (id) => actors.get(id) ?? id }
    this.written = {
      shape: source.shape,
      reader: target.writer,
      sealer: target.sealer,
      objects: target.objects,
      companyId: source.companyId + shift('companies'),
    }
  }

  get target(): Side<BulkWriter> {
    return this.written
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'insert') return this.insert(step.table)
    const { table, stage } = step
    const { writer } = this.job.target
    if (stage.all)
      await writer.execute(
        `update ${table.name} set ${stage.all.column} = null
         where ${stage.all.column} is not null and ${conditionOf(this.written, table)}`,
      )
    else await this.completeEach(table, completedColumns(table, stage))
  }

  private async insert(table: Table): Promise<void> {
    const { source, known, target, stored = new StoredContents(), onTable } = this.job
    const { writer } = target
    if (table.name in REFILLED)
      await writer.execute(`delete from ${table.name} where ${conditionOf(this.written, table)}`)
    const renumber = rowRenumbering(source.shape, table, this.by)
    const reseal = resealing(table, source.sealer, target.sealer, factsRenumbering(source.shape, this.by))
    const replace = stored.replacing(table)
    const line = canonicalLine(source, table, known)
    const first = firstState(table)
    const own = ownReferences(table)
    const hash = new TableHash(table)
    const later: BulkRow[] = []
    for await (const page of rowsOf(source, table)) {
      const copies = page.map((row) => {
        hash.add(line(row))
        return replace(row, reseal(row, renumber(row)))
      })
      await writer.insert(table, copies.map(first))
      for (const copy of copies)
        if (own.some((at) => copy[at] !== null))
          later.push([idIn(table, copy), ...own.map((at) => copy[at] ?? null)])
    }
    if (later.length > 0)
      await writer.update(
        table.name,
        'id',
        own.flatMap((at) => table.columns[at] ?? []),
        later,
      )
    const digest = hash.end()
    this.digests.set(table.name, digest)
    if (digest.rows > 0) onTable?.(table.name, digest.rows)
  }

  /** Gives the rows of a stage their own values. */
  private async completeEach(table: Table, columns: readonly number[]): Promise<void> {
    const { writer } = this.job.target
    const shift = this.job.shift(table.name)
    const named = columns.flatMap((at) => table.columns[at] ?? [])
    const { source } = this.job
    for await (const page of source.reader.pages(table, conditionOf(source, table)))
      await writer.update(
        table.name,
        'id',
        named,
        page.map((row) => [Number(idIn(table, row)) + shift, ...columns.map((at) => row[at] ?? null)]),
      )
  }
}

function idIn({ columns }: Table, row: BulkRow): BulkValue {
  return row[columns.findIndex(({ name }) => name === 'id')] ?? null
}

interface Copied {
  digest: CompanyDigest
  /** Row id of the company there. */
  companyId: number
}

/**
 * Copies a company within the transaction of the target, which has entered it, checks what is deferred, reads it back and compares. Throws
 * `transfer_differs`, `transfer_refused`, or the error of a constraint; the caller rolls back.
 */
export async function copyCompany(
  job: CopyJob,
  settle: (target: Side<BulkWriter>) => Promise<void>,
): Promise<Copied> {
  const { source, known } = job
  const copying = new Copying(job, await copyActors(job))
  for (const step of stepsOf(source.shape)) await copying.take(step)
  await copySettings(job)
  failpoint('transfer.copied')
  const { target } = copying
  await settle(target)
  const digest = await digestFrom(source, known, copying.digests)
  const there = await survey(target)
  await assertSame(
    { side: source, survey: known, digest },
    { side: target, survey: there, digest: await companyDigest(target, there) },
  )
  failpoint('transfer.proved')
  return { digest, companyId: target.companyId }
}

/** Returns the shifts that leave every id as it is. */
export const unshifted: Shift = () => 0
