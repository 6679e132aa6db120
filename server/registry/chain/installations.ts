/**
 * Begins a new installation: a new chain under a new installation number, after a restored copy or a move to another
 * computer.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import type { ContractInput, ContractOutput } from '../../domain/contract/define-contract.ts'
import type { newInstallationContract } from '../contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { skipNumbers } from '../../company/series/index.ts'
import type { UsedElsewhere } from '../../company/series/index.ts'
import type { Store } from '../../db/store.ts'
import { queryUnknown, saveFindings } from './findings.ts'
import type { Findings } from './findings.ts'
import { outsideMarkOf } from './outside-marks.ts'
import { fileMarkOf } from './rollback-guard.ts'
import type { BookMark } from './marks.ts'
import type { Authority } from '../queue/authority.ts'
import { authorityOf } from '../queue/jobs.ts'
import { inStatus } from '../queue/rows.ts'
import { findChain } from './rows.ts'
import type { HeldRecord } from '../system.ts'

type Input = ContractInput<typeof newInstallationContract>
type Output = ContractOutput<typeof newInstallationContract>

/**
 * Rejects the request while an outcome is unknown. Records that only wait are not an obstacle: they belong to the old
 * installation, keep its number and links, and go out unchanged before those of the new one. A record in flight has
 * to be settled first, because its answer decides what the authority holds.
 */
async function refuseWhileUnsettled(ctx: Ctx): Promise<void> {
  for (const status of ['sending', 'unknown'] as const) {
    const row = await ctx.db
      .selectFrom('registry_submissions')
      .select('record_id')
      .where('book_id', '=', ctx.book.id)
      .where(inStatus(status))
      .limit(1)
      .executeTakeFirst()
    if (row) throw new AppError('registry_pending', { details: { status } })
  }
}

/**
 * Returns an installation number that this store never used: the current second, the book, and a counter. Books of
 * other companies, which may begin one in the same second, are not looked at.
 */
async function newNumber(tx: Ctx): Promise<string> {
  const second = tx.now().toISOString().slice(0, 19).replace(/\D/g, '')
  const rows = await tx.db
    .selectFrom('registry_installations')
    .select('installation')
    .where('book_id', '=', tx.book.id)
    .execute()
  return `${second}-${String(tx.book.id).padStart(4, '0')}-${rows.length + 1}`
}

/** Returns the highest use of each series from both sources: the authority's answer and the mark outside the books. */
function usedByBoth(findings: Findings, mark: BookMark | null): UsedElsewhere[] {
  const used = new Map(findings.used.map((one) => [one.code, one]))
  for (const { code, kind, next } of mark?.series ?? []) {
    const found = used.get(code)
    if (!found) used.set(code, { code, kind, last: next - 1, lastIssueDate: null })
    else if (found.last < next - 1) used.set(code, { ...found, last: next - 1 })
  }
  return [...used.values()]
}

const STATES: Record<HeldRecord['state'], string> = {
  Correcto: 'accepted',
  AceptadoConErrores: 'accepted_with_errors',
  Anulado: 'cancelled',
}

/** What was found out before the transaction. */
interface Prepared {
  /** The installation number then. */
  current: string
  findings: Findings
  mark: BookMark | null
}

async function begin(tx: Ctx, input: Input, { current, findings, mark }: Prepared): Promise<Output> {
  await refuseWhileUnsettled(tx)
  const { records, installation: now } = await findChain(tx)
  // Another server has begun one while this one asked.
  if (now !== current) throw new AppError('registry_pending', { details: { status: 'asking' } })
  const installation = await newNumber(tx)
  await saveFindings(tx, findings.unknown)
  const series: Output['series'] = []
  for (const used of usedByBoth(findings, mark)) {
    const nextNumber = await skipNumbers(tx, used)
    if (nextNumber !== null) series.push({ code: used.code, nextNumber })
  }
  await tx.db
    .insertInto('registry_installations')
    .values({
      installation,
      book_id: tx.book.id,
      first_sequence: records + 1,
      reason: input.reason,
      started_at: tx.now().getTime(),
    })
    .execute()
  await tx.db
    .updateTable('registry_chains')
    .set({
      installation,
      first_sequence: records + 1,
      head_hash: null,
      head_link: null,
      head_issuer_nif: null,
      head_number: null,
      head_issue_date: null,
      head_generated_at: null,
      held_for: null,
    })
    .where('book_id', '=', tx.book.id)
    .execute()
  await recordAudit(tx, {
    action: 'registry.installation_begun',
    target: {
      type: 'installation',
      id: installation,
      label: `${input.reason}${input.withoutAsking ? ', the authority was not asked' : ''}`,
    },
  })
  await emitEvent(tx, 'registry.changed', { installation, findings: findings.unknown.length })
  // The chain has a new head, so the keeper of the mark must be notified.
  tx.wake('sender')
  return {
    installation,
    findings: findings.unknown.map((held) => ({
      number: held.key.number,
      issueDate: held.key.issueDate,
      total: held.total,
      client: held.recipients[0]?.name ?? null,
      state: STATES[held.state],
    })),
    series,
  }
}

const underWay = new WeakMap<Store, Set<number>>()

/**
 * Begins a new chain under a new installation number. In a live book that may be an older copy the authority is asked
 * first, unless the person says to go on without: what it holds and these books lack is kept and listed, and series move
 * beyond it. A test book's authority remembers no more than the book itself, so it is not asked.
 */
export const newInstallation: UseCase<typeof newInstallationContract> = (ctx, input) =>
  beginInstallation(ctx, input, () => authorityOf(ctx))

/** The same, with the authority as the caller knows it. */
export async function beginInstallation(
  ctx: Ctx,
  input: Input,
  authority: () => Promise<Authority>,
): Promise<Output> {
  const busy = underWay.get(ctx.env.store) ?? new Set<number>()
  underWay.set(ctx.env.store, busy)
  if (busy.has(ctx.book.id)) throw new AppError('registry_pending', { details: { status: 'asking' } })
  busy.add(ctx.book.id)
  try {
    await refuseWhileUnsettled(ctx)
    const { installation: current, held_for: heldFor } = await findChain(ctx)
    const inDoubt = input.reason === 'restored_copy' || heldFor !== null
    const asks = inDoubt && ctx.book.mode === 'live' && !input.withoutAsking
    const findings: Findings = asks ? await queryUnknown(ctx, await authority()) : { unknown: [], used: [] }
    const mark = fileMarkOf(ctx.env.store, ctx.book) ?? (await outsideMarkOf(ctx))
    return await ctx.transaction((tx) => begin(tx, input, { current, findings, mark }))
  } finally {
    busy.delete(ctx.book.id)
  }
}
