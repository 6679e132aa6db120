/**
 * Who edits what. Pages say it every 15 seconds; who has said nothing for 45, or whose session has ended, is gone.
 * Nobody is locked out by it: saving compares versions, and two changes are merged in the page.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type { Capability } from '../../../domain/people.ts'
import { presenceOf } from '../directory/store.ts'
import { peopleOf } from '../people-of-office.ts'
import type {
  Editor,
  editPresenceContract,
  EditedType,
  leavePresenceContract,
  listPresenceContract,
  takeOverContract,
} from './contract.ts'

const GONE_MS = 45_000
/** Of one company; whoever comes later is not shown. */
const MOST_SHOWN = 500

const NEEDS: Readonly<Record<EditedType, Capability>> = {
  invoice: 'sales.read',
  quote: 'sales.read',
  received: 'purchases.read',
  contact: 'sales.read',
}

type Edited = { type: EditedType; id: string }

const keyOf = ({ type, id }: Edited): string => `${type} ${id}`
const editedOf = (key: string): Edited => {
  const [type, id = ''] = key.split(' ')
  return { type: type as EditedType, id }
}

function sessionOf(ctx: Ctx): string {
  const { actor } = ctx
  const session = actor.kind === 'user' ? actor.rights?.sessionId : undefined
  if (!session) throw new AppError('not_found')
  return session
}

const table = ({ db }: Ctx) => presenceOf(db)

/** Returns who edits, without those who are gone. The caller's other sessions are `mine` too. */
async function editorsOf(ctx: Ctx): Promise<Editor[]> {
  const session = sessionOf(ctx)
  const rows = await table(ctx)
    .selectFrom('presence')
    .selectAll()
    .where('company_id', '=', ctx.book.companyId)
    .where('book_id', '=', ctx.book.id)
    .where('seen_at', '>', ctx.env.now().getTime() - GONE_MS)
    .orderBy('since')
    .orderBy('session_id')
    .limit(MOST_SHOWN)
    .execute()
  return rows
    .map((row) => ({ row, ...editedOf(row.record) }))
    .filter(({ type }) => ctx.may(NEEDS[type]))
    .map(({ row, type, id }) => ({
      type,
      id,
      personId: row.person_id,
      name: row.person_name,
      mine: row.person_id === ctx.actor.id,
      since: new Date(row.since).toISOString(),
      askedBy: row.session_id === session ? row.asked_by_name : null,
    }))
}

function assertReadable(ctx: Ctx, { type }: Edited): void {
  if (!ctx.may(NEEDS[type])) throw new AppError('not_found')
}

export const listPresence: UseCase<typeof listPresenceContract> = async (ctx) => ({
  editors: await editorsOf(ctx),
})

export const editPresence: UseCase<typeof editPresenceContract> = (ctx, { record }) => {
  assertReadable(ctx, record)
  const session = sessionOf(ctx)
  const own = {
    company_id: ctx.book.companyId,
    book_id: ctx.book.id,
    record: keyOf(record),
    session_id: session,
  }
  return ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    const gone = await table(tx)
      .deleteFrom('presence')
      .where('company_id', '=', own.company_id)
      .where('seen_at', '<=', now - GONE_MS)
      .executeTakeFirst()
    const known = await table(tx)
      .updateTable('presence')
      .set({ seen_at: now })
      .where('company_id', '=', own.company_id)
      .where('book_id', '=', own.book_id)
      .where('record', '=', own.record)
      .where('session_id', '=', session)
      .executeTakeFirst()
    const isNew = Number(known.numUpdatedRows) === 0
    if (isNew)
      await table(tx)
        .insertInto('presence')
        .values({ ...own, person_id: tx.actor.id, person_name: tx.actor.name, since: now, seen_at: now })
        .execute()
    if (isNew || Number(gone.numDeletedRows) > 0) announce(tx)
    return { editors: await editorsOf(tx) }
  })
}

export const leavePresence: UseCase<typeof leavePresenceContract> = (ctx, { record }) =>
  ctx.transaction(async (tx) => {
    const left = await table(tx)
      .deleteFrom('presence')
      .where('company_id', '=', tx.book.companyId)
      .where('book_id', '=', tx.book.id)
      .where('record', '=', keyOf(record))
      .where('session_id', '=', sessionOf(tx))
      .executeTakeFirst()
    if (Number(left.numDeletedRows) > 0) announce(tx)
    return { editors: await editorsOf(tx) }
  })

export const takeOver: UseCase<typeof takeOverContract> = (ctx, { record }) => {
  assertReadable(ctx, record)
  return ctx.transaction(async (tx) => {
    const others = await table(tx)
      .updateTable('presence')
      .set({ asked_by: tx.actor.id, asked_by_name: tx.actor.name, asked_at: tx.now().getTime() })
      .where('company_id', '=', tx.book.companyId)
      .where('book_id', '=', tx.book.id)
      .where('record', '=', keyOf(record))
      .where('session_id', '<>', sessionOf(tx))
      .executeTakeFirst()
    if (Number(others.numUpdatedRows) > 0) announce(tx)
    return { editors: await editorsOf(tx) }
  })
}

/** Tells open windows of the company on all servers after the commit. Nothing is stored in the outbox. */
function announce(tx: Ctx): void {
  const { companyId } = tx.book
  tx.afterCommit(() => {
    peopleOf(tx).onPresence(companyId)
    tx.env.servers?.tell('presence', companyId)
  })
}
