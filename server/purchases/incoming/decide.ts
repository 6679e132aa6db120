/** What a person or a program decides about incoming documents: enter, reject, bring back, read again. */
import { recordAudit } from '../../platform/audit/index.ts'
import { filesOf, unlinkFile } from '../../platform/attachments/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { Received, ReceivedInput } from '../invoices/contract.ts'
import { createReceived, findReceived, usualOf } from '../invoices/index.ts'
import { learnFrom } from '../memory/index.ts'
import { recordIncoming } from './add.ts'
import type {
  enterIncomingContract,
  enterManyIncomingContract,
  IncomingRule,
  incomingRuleContract,
  readAgainIncomingContract,
  rejectIncomingContract,
  restoreIncomingContract,
  setIncomingRuleContract,
} from './contract.ts'
import { inputOfProposal } from './entry-input.ts'
import { assessOthers } from './read.ts'
import {
  decision,
  deleteIncoming,
  entryOf,
  findIncoming,
  findRule,
  INCOMING_TARGET,
  incomingByRow,
  OPEN_STATES,
  readingOf,
  updateIncoming,
  waiting,
} from './rows.ts'
import type { IncomingRow } from './rows.ts'
import { incomingView } from './view.ts'

/** Returns a document to change. Throws `not_found` or `version_conflict`. */
async function changeable(
  ctx: Ctx,
  { id, expectedVersion }: { id: string; expectedVersion?: number | undefined },
): Promise<IncomingRow> {
  const row = orNotFound(await findIncoming(ctx, id))
  if (expectedVersion !== undefined && expectedVersion !== row.version)
    throw new AppError('version_conflict', { details: { version: row.version } })
  return row
}

/** Returns a document about which nothing has been decided. Throws also `incoming_decided`. */
export async function undecided(
  ctx: Ctx,
  wanted: { id: string; expectedVersion?: number | undefined },
): Promise<IncomingRow> {
  const row = await changeable(ctx, wanted)
  if (!OPEN_STATES.includes(row.state))
    throw new AppError('incoming_decided', { details: { state: row.state } })
  return row
}

/** Returns what a document says by itself. Throws `incoming_not_ready` unless all of it is proven. */
function provenInput(ctx: Ctx, row: IncomingRow): ReceivedInput {
  const reading = readingOf(row)
  const input = reading && row.state === 'ready' ? inputOfProposal(reading.proposal, ctx.today()) : null
  if (input) return input
  throw new AppError('incoming_not_ready', {
    details: { state: row.state, doubts: JSON.parse(row.doubts) as string[] },
  })
}

async function enter(
  ctx: Ctx,
  row: IncomingRow,
  given: ReceivedInput | undefined,
): Promise<{
  after: IncomingRow
  received: Received
  warnings: Awaited<ReturnType<typeof createReceived>>['warnings']
}> {
  const files = await filesOf(ctx, { type: INCOMING_TARGET, id: row.id })
  const input = given ?? provenInput(ctx, row)
  const own = files.map(({ public_id }) => public_id)
  const attachments = [...new Set([...own, ...(input.attachments ?? [])])]
  const { warnings, ...received } = await createReceived(ctx, { ...input, attachments })
  await learnFrom(ctx, { nif: received.supplierNif, reading: readingOf(row), input })
  const entry = orNotFound(await findReceived(ctx, received.id), 'internal')
  const after = await updateIncoming(ctx, row, {
    ...decision(ctx),
    state: 'entered',
    received_id: entry.id,
    why: null,
  })
  await recordIncoming(ctx, 'incoming.entered', after)
  await assessOthers(ctx, after)
  return { after, received, warnings }
}

/** Enters a document as a received invoice, with its files. */
export const enterIncoming: UseCase<typeof enterIncomingContract> = (ctx, { input, ...wanted }) =>
  ctx.transaction(async (tx) => {
    const { after, received, warnings } = await enter(tx, await undecided(tx, wanted), input)
    return { document: await incomingView(tx, after), received, warnings }
  })

function ruleView(row: Awaited<ReturnType<typeof findRule>>): IncomingRule | null {
  return row === null
    ? null
    : {
        knownSuppliersOnly: row.known_suppliers_only === 1,
        highestTotal: eurosFromCents(row.highest_total_cents),
        version: row.version,
      }
}

/** Returns the rule by which several documents may be entered at once. */
export const incomingRule: UseCase<typeof incomingRuleContract> = async (ctx) => ({
  rule: ruleView(await findRule(ctx)),
})

/** Sets or removes the rule. */
export const setIncomingRule: UseCase<typeof setIncomingRuleContract> = (ctx, { rule, expectedVersion }) =>
  ctx.transaction(async (tx) => {
    const before = await findRule(tx)
    if (expectedVersion !== undefined && expectedVersion !== (before?.version ?? 0))
      throw new AppError('version_conflict', { details: { version: before?.version ?? 0 } })
    await tx.db.deleteFrom('incoming_rules').where('book_id', '=', tx.book.id).execute()
    if (rule)
      await tx.db
        .insertInto('incoming_rules')
        .values({
          book_id: tx.book.id,
          known_suppliers_only: rule.knownSuppliersOnly ? 1 : 0,
          highest_total_cents: Math.round(rule.highestTotal * 100),
          set_at: tx.now().getTime(),
          set_by: tx.actor.name,
          version: (before?.version ?? 0) + 1,
        })
        .execute()
    await recordAudit(tx, {
      action: rule ? 'incoming.rule_set' : 'incoming.rule_removed',
      target: { type: 'incoming_rule', id: tx.book.publicId, label: '' },
    })
    return { rule: ruleView(await findRule(tx)) }
  })

type Left = { id: string; why: string }

/** Returns why the rule does not let a document be entered; null if it does. */
async function heldBy(ctx: Ctx, row: IncomingRow, rule: IncomingRule): Promise<string | null> {
  if (row.state !== 'ready') return 'not_ready'
  if (row.total_cents === null || Math.abs(row.total_cents) > Math.round(rule.highestTotal * 100))
    return 'above_highest_total'
  if (rule.knownSuppliersOnly && (await usualOf(ctx, row.supplier_nif)) === null) return 'unknown_supplier'
  return null
}

/** Ready documents of one call, at most. */
const MANY = 1_000

async function chosenRows(ctx: Ctx, ids: readonly string[] | undefined): Promise<IncomingRow[]> {
  if (ids) {
    const rows: IncomingRow[] = []
    for (const id of new Set(ids)) rows.push(orNotFound(await findIncoming(ctx, id)))
    return rows
  }
  return ctx.db
    .selectFrom('incoming_documents')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'ready')
    .orderBy('received_at')
    .orderBy('id')
    .limit(MANY)
    .execute()
}

/** Enters the documents that the rule allows, each in a transaction of its own. */
export const enterManyIncoming: UseCase<typeof enterManyIncomingContract> = async (ctx, { ids }) => {
  const rule = ruleView(await findRule(ctx))
  if (rule === null) throw new AppError('incoming_rule_missing')
  const entered: { id: string; receivedId: string; receptionNumber: string }[] = []
  const left: Left[] = []
  for (const { public_id: id } of await chosenRows(ctx, ids)) {
    try {
      const result = await ctx.transaction(async (tx) => {
        const row = await undecided(tx, { id })
        const why = await heldBy(tx, row, rule)
        return why === null ? (await enter(tx, row, undefined)).received : why
      })
      if (typeof result === 'string') left.push({ id, why: result })
      else entered.push({ id, receivedId: result.id, receptionNumber: result.receptionNumber })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      left.push({ id, why: error.code })
    }
  }
  return { entered, left }
}

/** Puts a document aside. */
export const rejectIncoming: UseCase<typeof rejectIncomingContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await undecided(tx, input)
    const after = await updateIncoming(tx, row, { ...decision(tx), state: 'rejected' })
    await recordIncoming(tx, 'incoming.rejected', after)
    await assessOthers(tx, after)
    return incomingView(tx, after)
  })

/** Brings back a rejected document, or one whose entry has been voided, and has it assessed again. */
export const restoreIncoming: UseCase<typeof restoreIncomingContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await changeable(tx, input)
    const isVoid = (await entryOf(tx.db, row))?.state === 'void'
    const files = await filesOf(tx, { type: INCOMING_TARGET, id: row.id })
    if ((row.state !== 'rejected' && !isVoid) || files.length === 0)
      throw new AppError('incoming_not_rejected', { details: { state: row.state } })
    const after = await updateIncoming(tx, row, { ...waiting(tx), received_id: null })
    tx.wake('incoming')
    await recordIncoming(tx, 'incoming.restored', after)
    return incomingView(tx, after)
  })

/** Has a document read again. */
export const readAgainIncoming: UseCase<typeof readAgainIncomingContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await undecided(tx, input)
    const after = await updateIncoming(tx, row, waiting(tx))
    tx.wake('incoming')
    await recordIncoming(tx, 'incoming.read_again', after)
    return incomingView(tx, after)
  })

const REJECTED_DAYS = 30
const DAY_MS = 86_400_000

/** Deletes a document, with the files that nothing else refers to. */
async function discard(tx: Ctx, row: IncomingRow): Promise<void> {
  const target = { type: INCOMING_TARGET, id: row.id }
  for (const file of await filesOf(tx, target)) await unlinkFile(tx, file.id, target)
  await deleteIncoming(tx, row)
}

/** Deletes documents by their rows, for the erasure of a person's data. An entry keeps its file. Call it in a transaction. */
export async function eraseIncoming(tx: Ctx, rowIds: readonly number[]): Promise<void> {
  for (const id of rowIds) {
    const row = await incomingByRow(tx, id)
    if (row) await discard(tx, row)
  }
}

/** Deletes documents that were rejected a month ago, with the files that nothing else refers to. Returns their number. */
export function pruneRejected(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    const rows = await tx.db
      .selectFrom('incoming_documents')
      .selectAll()
      .where('book_id', '=', tx.book.id)
      .where('state', '=', 'rejected')
      .where('decided_at', '<', tx.now().getTime() - REJECTED_DAYS * DAY_MS)
      .limit(MANY)
      .execute()
    for (const row of rows) await discard(tx, row)
    return rows.length
  })
}
