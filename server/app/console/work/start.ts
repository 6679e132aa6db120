/** Starts, shows and cancels work over many companies. */
import type { Ctx, UseCase } from '../../../context.ts'
import { orNotFound } from '../../../context.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { consoleCompanies } from '../access.ts'
import type {
  cancelWorkContract,
  listWorksContract,
  Outcome,
  startWorkContract,
  Work,
  workContract,
} from '../work-contract.ts'
import { RETENTION_MS } from '../../work-retention.ts'
import { cancelUnits, insertUnits, openWorks, unitsOf, worksOf } from './rows.ts'
import type { WorkRow } from './rows.ts'
import { secretPlace } from './sealed.ts'

/** Works of a person that go on at a time. */
const MOST_OPEN = 3
const SHOWN = 20

function view({ runId, kind, startedAt, endedAt, counts, files, fileBytes }: WorkRow): Work {
  return {
    id: runId,
    kind,
    startedAt: new Date(startedAt).toISOString(),
    ended: endedAt !== null,
    units: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    files,
    fileBytes,
    availableUntil: endedAt === null ? null : new Date(endedAt + RETENTION_MS).toISOString(),
  }
}

async function findWork(ctx: Ctx, runId: string): Promise<Work> {
  const [row] = await worksOf(ctx.db, ctx.actor.id, { runId, limit: 1 })
  return view(orNotFound(row))
}

/** Writes one unit for each company. Throws `not_found` for one that the caller may not open, and `bulk_work_full`. */
export const startWork: UseCase<typeof startWorkContract> = async (ctx, { companies, work }) => {
  const known = new Map([...(await consoleCompanies(ctx)).values()].map((each) => [each.id, each.rowId]))
  const rows = [...new Set(companies)].map((id) => orNotFound(known.get(id)))
  if (work.kind === 'assign' && !ctx.env.people) throw new AppError('not_found')
  const runId = ctx.newId('run')
  const { sealer } = ctx.env.store
  const secret = work.kind === 'certificate' ? { file: work.file, password: work.password } : null
  const input = JSON.stringify(work.kind === 'certificate' ? { kind: work.kind } : work)
  await ctx.transaction(async (tx) => {
    if ((await openWorks(tx.db, tx.actor.id)) >= MOST_OPEN)
      throw new AppError('bulk_work_full', { details: { most: MOST_OPEN } })
    const at = tx.now().getTime()
    await insertUnits(
      tx.db,
      rows.map((companyId, position) => ({
        company_id: companyId,
        run_id: runId,
        position,
        kind: work.kind,
        input,
        secret: secret && sealer.seal(JSON.stringify(secret), secretPlace(runId, companyId)),
        asked_by: tx.actor.id,
        asked_by_name: tx.actor.name,
        created_at: at,
      })),
    )
    // For whichever server takes the work of each company.
    for (const companyId of rows) await tx.env.noteDue?.(tx.db, companyId, ['bulk'])
    tx.wake('bulk')
  })
  return findWork(ctx, runId)
}

export const listWorks: UseCase<typeof listWorksContract> = async (ctx) => ({
  items: (await worksOf(ctx.db, ctx.actor.id, { limit: SHOWN })).map(view),
})

export const getWork: UseCase<typeof workContract> = async (ctx, { id }) => ({
  ...(await findWork(ctx, id)),
  items: (await unitsOf(ctx.db, ctx.actor.id, id)).map((unit) => ({
    company: unit.company,
    name: unit.trade_name ?? unit.legal_name,
    nif: unit.nif,
    state: unit.state,
    code: unit.code,
    outcome: unit.outcome === null ? null : (JSON.parse(unit.outcome) as Outcome),
    fileBytes: unit.file_bytes,
    endedAt: unit.ended_at === null ? null : new Date(unit.ended_at).toISOString(),
  })),
})

export const cancelWork: UseCase<typeof cancelWorkContract> = async (ctx, { id }) => {
  await findWork(ctx, id)
  await ctx.transaction((tx) => cancelUnits(tx.db, id, tx.now().getTime()))
  return findWork(ctx, id)
}
