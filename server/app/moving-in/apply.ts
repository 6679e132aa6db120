/** Takes a move in, stretch by stretch: each is one transaction, so that whatever interrupts it, the next call goes on. */
import { recordAudit } from '../../platform/audit/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { HistoryAsset, HistoryDocument } from '../../domain/history.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { withSavepoint } from '../../db/savepoint.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { takeAccounts } from './balances/accounts.ts'
import { takeAsset } from './balances/assets.ts'
import { takeOpen } from './balances/take-open.ts'
import { failureOf, takeBank, takeListed } from './balances/take-staged.ts'
import type { applyMoveContract, MovingSettings, startMoveContract } from './contract.ts'
import { writeFilings } from './proof/filings.ts'
import { changeRun, filesOfRun, findRun, settleRow, STRETCH, waitingRows } from './rows.ts'
import type { RowKind, RunRow } from './rows.ts'
import type { Staged, StagedAccount } from './stored.ts'
import { takeDocument } from './take.ts'
import type { Outcome, Taking } from './take.ts'
import { moveView } from './view.ts'

/** Returns the refusal of a step that the state of a move does not allow. */
export const stateError = ({ state }: RunRow): AppError =>
  new AppError('moving_state', { details: { state } })

/** As many as the ledger books as one entry. */
const MOST_ACCOUNTS = 20_000

const FIRST_SETTINGS: MovingSettings = { makesContacts: true, leavesOpen: false }

export const startMove: UseCase<typeof startMoveContract> = (ctx, { firstDay }) =>
  ctx.transaction(async (tx) => {
    const publicId = tx.newId('mov')
    await tx.db
      .insertInto('moving_runs')
      .values({
        book_id: tx.book.id,
        public_id: publicId,
        state: 'draft',
        first_day: firstDay,
        settings: JSON.stringify(FIRST_SETTINGS),
        proof: '[]',
        created_at: tx.now().getTime(),
      })
      .execute()
    await emitEvent(tx, 'moving.changed', { moveId: publicId })
    return { move: await moveView(tx, await findRun(tx, publicId)) }
  })

/** What is taken in first may be needed by what comes later: contacts by documents, and those by what is open of them. */
const ORDER: readonly RowKind[] = ['contact', 'item', 'document', 'open', 'bank', 'account', 'asset']

interface Counts {
  created: number
  skipped: number
  failed: number
  seen: number
}

async function takeRow(tx: Ctx, kind: RowKind, text: string, taking: Taking): Promise<Outcome> {
  if (kind === 'document') return takeDocument(tx, JSON.parse(text) as HistoryDocument, taking)
  if (kind === 'asset') return takeAsset(tx, JSON.parse(text) as HistoryAsset, taking)
  const staged = JSON.parse(text) as Staged
  switch (staged.kind) {
    case 'open':
      return takeOpen(tx, staged, taking)
    case 'bank':
      return takeBank(tx, staged, taking)
    case 'contact':
    case 'item':
      return takeListed(tx, staged, taking.runId)
    case 'account':
      throw new Error('Accounts are taken in together.')
  }
}

/** A row that the rules refuse leaves nothing behind, and the others go on. */
async function guarded(tx: Ctx, taking: Taking, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await withSavepoint(tx.db, work)
  } catch (error) {
    // A contact that was made for it is gone, and another row may get its number.
    taking.known.clear()
    return failureOf(error)
  }
}

async function addCounts(tx: Ctx, fileId: number, counts: Counts): Promise<void> {
  await tx.db
    .updateTable('moving_files')
    .set((eb) => ({
      created: eb('created', '+', counts.created),
      skipped: eb('skipped', '+', counts.skipped),
      failed: eb('failed', '+', counts.failed),
      waiting: eb('waiting', '-', counts.seen),
    }))
    .where('id', '=', fileId)
    .execute()
}

/** Takes in rows of one kind of one file; returns how many of each outcome. */
async function takeStretch(tx: Ctx, fileId: number, kind: RowKind, taking: Taking): Promise<Counts> {
  const counts: Counts = { created: 0, skipped: 0, failed: 0, seen: 0 }
  for (const row of await waitingRows(tx, fileId, kind, STRETCH)) {
    const taken = await guarded(tx, taking, () => takeRow(tx, kind, row.document ?? 'null', taking))
    counts[taken.outcome] += 1
    counts.seen += 1
    const read = JSON.parse(row.faults ?? '[]') as typeof taken.faults
    await settleRow(tx, { fileId, position: row.position }, taken.outcome, [...read, ...taken.faults])
  }
  await addCounts(tx, fileId, counts)
  return counts
}

/** Takes in the trial balances of all files as one entry, or none of their accounts. */
async function takeTrialBalance(tx: Ctx, files: readonly { id: number }[], taking: Taking): Promise<Counts> {
  const all: Counts = { created: 0, skipped: 0, failed: 0, seen: 0 }
  const rows: { fileId: number; position: number; account: StagedAccount }[] = []
  for (const { id: fileId } of files)
    for (const { position, document } of await waitingRows(tx, fileId, 'account', MOST_ACCOUNTS))
      rows.push({ fileId, position, account: JSON.parse(document ?? 'null') as StagedAccount })
  if (rows.length === 0) return all
  const taken = await guarded(tx, taking, () =>
    takeAccounts(
      tx,
      rows.map(({ account }) => account),
      taking,
    ),
  )
  for (const [index, { fileId, position }] of rows.entries()) {
    // What is wrong with the whole is said once.
    await settleRow(tx, { fileId, position }, taken.outcome, index === 0 ? taken.faults : [])
    all[taken.outcome] += 1
    all.seen += 1
    await addCounts(tx, fileId, { created: 0, skipped: 0, failed: 0, seen: 0, [taken.outcome]: 1 })
  }
  return all
}

async function takeNext(tx: Ctx, run: RunRow, taking: Taking): Promise<Counts> {
  const files = await filesOfRun(tx, run.id)
  for (const kind of ORDER) {
    if (kind === 'account') {
      const counts = await takeTrialBalance(tx, files, taking)
      if (counts.seen > 0) return counts
      continue
    }
    for (const file of files) {
      const counts = await takeStretch(tx, file.id, kind, taking)
      if (counts.seen > 0) return counts
    }
  }
  return { created: 0, skipped: 0, failed: 0, seen: 0 }
}

/** Throws `moving_file_reading` while a file is being read, or its reading was interrupted. */
async function assertRead(tx: Ctx, runId: number): Promise<void> {
  const unread = (await filesOfRun(tx, runId)).filter(({ state }) => state === 'reading')
  if (unread.length > 0)
    throw new AppError('moving_file_reading', { details: { files: unread.map(({ name }) => name) } })
}

export const applyMove: UseCase<typeof applyMoveContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    let run = await findRun(tx, id)
    if (run.state === 'applied' || run.state === 'done') return { move: await moveView(tx, run) }
    if (run.state === 'draft') {
      await assertRead(tx, run.id)
      await recordAudit(tx, {
        action: 'moving.applied',
        target: { type: 'moving', id, label: run.first_day },
      })
    } else if (run.state !== 'applying') throw stateError(run)
    const taking: Taking = {
      runId: run.id,
      firstDay: run.first_day,
      settings: JSON.parse(run.settings) as MovingSettings,
      known: new Map(),
    }
    const { created, skipped, seen } = await takeNext(tx, run, taking)
    const isDone = seen === 0
    run = await changeRun(tx, run, {
      created: run.created + created,
      skipped: run.skipped + skipped,
      state: isDone ? 'applied' : 'applying',
    })
    if (isDone) {
      await writeFilings(tx, run)
      await emitEvent(tx, 'invoice.changed', { invoiceId: '' })
      await emitEvent(tx, 'received.changed', { receivedId: '' })
      await emitEvent(tx, 'contact.changed', {})
      await emitEvent(tx, 'item.changed', {})
    }
    return { move: await moveView(tx, run) }
  })
