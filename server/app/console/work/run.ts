/**
 * Works through the units of one company or of all. A unit is begun in a transaction, done outside of it, and ended in another
 * one together with its file: an attempt that is not the current one any more leaves nothing.
 */
import { createHash } from 'node:crypto'
import { createCtx, purgeSecret } from '../../../context.ts'
import type { AppEnvironment, Book, Ctx } from '../../../context.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Capability, PersonRights } from '../../../domain/people.ts'
import { keepContent, removeContent } from '../../../platform/contents/index.ts'
import { OWNER } from '../access.ts'
import { performUnit } from './kinds.ts'
import type { Result, UnitInput, UnitSecret } from './kinds.ts'
import { beginUnit, endUnit, insertUnitFile, queuedUnits, reclaimUnits, storedBytes } from './rows.ts'
import type { Ending, UnitRow } from './rows.ts'
import { secretPlace } from './sealed.ts'

/** A unit that was begun so often ends its process: it is not begun again. */
const MOST_ATTEMPTS = 3
/** A ZIP that every program reads holds no more. */
export const MOST_WORK_BYTES = 3_900_000_000

function secretOf(env: AppEnvironment, unit: UnitRow): UnitSecret | null {
  if (unit.secret === null) return null
  const place = secretPlace(unit.run_id, unit.company_id)
  return JSON.parse(env.store.sealer.open(unit.secret, place).toString('utf8')) as UnitSecret
}

/** What a person needs in a company for each kind of work. */
const NEEDS: Readonly<Record<UnitInput['kind'], Capability>> = {
  pack: 'export',
  export: 'export',
  close: 'ledger.write',
  remind: 'payments.write',
  certificate: 'certificates.manage',
  assign: 'company.read',
}

/** Returns the rights with which a unit is done, none for the owner of a desk; null if the person may not. */
async function rightsFor(
  { people }: AppEnvironment,
  { asked_by: person, company_id: companyId, kind }: UnitRow,
): Promise<{ rights?: PersonRights } | null> {
  if (!people || person === OWNER) return {}
  const owner = await people.rightsOfOwner(person, companyId)
  return owner?.rights.capabilities.has(NEEDS[kind]) ? { rights: owner.rights } : null
}

/** Does a unit. Returns its ending and its file; throws only what concerns the worker and not the company. */
async function attempt(
  env: AppEnvironment,
  book: Book,
  unit: UnitRow,
  number: number,
): Promise<Pick<Ending, 'state' | 'code'> & { result: Exclude<Result, { skipped: string }> | null }> {
  // Rights may have been taken away since the work was started.
  const rights = await rightsFor(env, unit)
  if (rights === null) return { state: 'failed', code: 'not_found', result: null }
  const actor = { kind: 'user', id: unit.asked_by, name: unit.asked_by_name, ...rights } as const
  const ctx = createCtx({ env, book, actor, channel: 'ui', requestId: env.newId('req') })
  try {
    const result = await performUnit(ctx, JSON.parse(unit.input) as UnitInput, secretOf(env, unit), {
      attempt: number,
      createdAt: unit.created_at,
    })
    if ('skipped' in result) return { state: 'skipped', code: result.skipped, result: null }
    const { file } = result
    if (file && (await storedBytes(ctx.db, unit.run_id)) + file.bytes.byteLength > MOST_WORK_BYTES)
      throw new AppError('books_too_large', { details: { bytes: MOST_WORK_BYTES } })
    return { state: 'done', code: null, result }
  } catch (error) {
    if (error instanceof AppError)
      return {
        state: error.code === 'nothing_to_export' ? 'skipped' : 'failed',
        code: error.code,
        result: null,
      }
    // Another server has taken over: it ends the unit.
    if ((error as { name?: unknown }).name === 'LeaseLost') throw error
    env.report('work over companies', error)
    return { state: 'failed', code: 'internal', result: null }
  }
}

/** Does one unit from its beginning to its end. */
async function runUnit(env: AppEnvironment, book: Book, unit: UnitRow): Promise<void> {
  const { companyId } = book
  const number = await env.store.transaction(companyId, (db) => beginUnit(db, unit.id, env.now().getTime()))
  if (number === null) return
  const { state, code, result } = await attempt(env, book, unit, number)
  const ctx = createCtx({
    env,
    book,
    actor: { kind: 'system', id: 'system', name: 'Sello' },
    channel: 'system',
    requestId: env.newId('req'),
  })
  const file = result?.file
  const sha256 = file && createHash('sha256').update(file.bytes).digest()
  const cell = file && sha256 ? await keepContent(ctx, file.bytes, sha256) : null
  const ending: Ending = {
    state,
    code,
    outcome: result ? JSON.stringify(result.outcome) : null,
    fileBytes: file?.bytes.byteLength ?? null,
  }
  const end = async (tx: Ctx): Promise<boolean> => {
    const at = tx.now().getTime()
    if (!(await endUnit(tx.db, { id: unit.id, attempt: number, at, ending }))) return false
    if (file && sha256 && cell)
      await insertUnitFile(tx.db, { unit_id: unit.id, name: file.name, sha256, bytes: cell })
    return true
  }
  const isEnded = unit.secret === null ? await ctx.transaction(end) : await purgeSecret(ctx, end)
  if (!isEnded && cell && sha256) await removeContent(ctx, [{ cell, sha256 }])
}

interface RunOptions {
  /** Only the units of this company; null: of all. */
  companyId: number | null
  books: (companyId: number) => Promise<Book | undefined>
  signal: AbortSignal
}

/** Works through the queued units, one after another, in the order in which they were requested. */
export async function runUnits(env: AppEnvironment, { companyId, books, signal }: RunOptions): Promise<void> {
  const db = companyId === null ? env.store.reader : env.store.readerOf(companyId)
  while (!signal.aborted) {
    const [unit] = await queuedUnits(db, companyId, 1)
    if (!unit) return
    const book = await books(unit.company_id)
    if (!book) throw new Error(`The company ${unit.company_id} has no live book.`)
    await runUnit(env, book, unit)
  }
}

/** Gives back what a process that has ended had begun. */
export async function reclaim(env: AppEnvironment, companyId: number | null): Promise<void> {
  await env.store.transaction(companyId, (db) =>
    reclaimUnits(db, { companyId, mostAttempts: MOST_ATTEMPTS, at: env.now().getTime() }),
  )
}
