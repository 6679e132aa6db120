/** Looks whether a source can be read now, and says what keeps it from being read. Takes nothing. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type { checkSourceContract, SourceFault } from './contract.ts'
import { countFiles, FolderFault } from './folder/scan.ts'
import { MailboxFault } from './mailbox/connect.ts'
import { openMailboxOf } from './mailbox/login.ts'
import { assertHere, sourceView } from './manage.ts'
import { findSource, folderOf, sourceByRow, writeSource } from './rows.ts'
import type { SourceRow } from './rows.ts'

interface Found {
  why: SourceFault | null
  detail: string | null
  found: number | null
  mailboxes: string[]
}

/** Nobody at a page waits longer for a server. */
const CHECK_LIMITS = { connectMs: 15_000, idleMs: 20_000 }

async function lookIntoMailbox(ctx: Ctx, row: SourceRow): Promise<Found> {
  try {
    const { client, mails } = await openMailboxOf(ctx, row, { limits: CHECK_LIMITS })
    client.logout().catch(() => client.close())
    return { why: null, detail: null, found: mails, mailboxes: [] }
  } catch (error) {
    if (error instanceof MailboxFault)
      return { why: error.why, detail: error.detail || null, found: null, mailboxes: error.mailboxes }
    if (error instanceof AppError) throw error
    ctx.env.report('mailboxes', error)
    return { why: 'broken', detail: null, found: null, mailboxes: [] }
  }
}

async function lookIntoFolder(row: SourceRow): Promise<Found> {
  try {
    return { why: null, detail: null, found: await countFiles(folderOf(row).path), mailboxes: [] }
  } catch (error) {
    if (!(error instanceof FolderFault)) throw error
    return { why: error.why, detail: null, found: null, mailboxes: [] }
  }
}

export const checkSource: UseCase<typeof checkSourceContract> = async (ctx, { id }) => {
  const row = orNotFound(await findSource(ctx, id))
  if (row.kind === 'folder') assertHere(ctx)
  const outcome = await (row.kind === 'folder' ? lookIntoFolder(row) : lookIntoMailbox(ctx, row))
  const after = await ctx.transaction(async (tx) => {
    const now = orNotFound(await sourceByRow(tx, row.id))
    if (now.version !== row.version || now.state === 'paused') return now
    tx.wake('mailboxes')
    const at = tx.now().getTime()
    return writeSource(tx, row.id, {
      state: outcome.why === null ? 'active' : 'failing',
      why: outcome.why,
      // What can be read again is read at once.
      next_at: outcome.why === null ? at : now.next_at,
      checked_at: outcome.why === null ? now.checked_at : at,
    })
  })
  return { ...outcome, source: await sourceView(ctx, after) }
}
