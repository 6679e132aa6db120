/** Reads a file of the other side, after everything that speaks against it. */
import { recordAudit } from '../../platform/audit/index.ts'
import { advisedCompanies, booksOfCompany } from '../../platform/books/index.ts'
import type { Connection } from '../../db/embedded/connection.ts'
import { embedded } from '../../db/embedded/port.ts'
import { SCHEMA_VERSION } from '../../db/migrations/version.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { inBook } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { replaceBooks } from './books/replace-books.ts'
import { makeWaitingAgain } from './changes/make.ts'
import { tryWaiting } from './changes/take.ts'
import type { readBundleContract } from './contract.ts'
import { fileHash, openFile, readHeader } from './file/envelope.ts'
import type { Header } from './file/envelope.ts'
import { unpackContent } from './file/content.ts'
import type { BooksContent, ChangesContent } from './file/content.ts'
import { keysOf } from './pairing/manage.ts'
import { openKeys } from './pairing/keys.ts'
import { changesOf, findCopy, findFile, findPairing, insertChange, updatePairing } from './rows.ts'
import type { PairingRow } from './rows.ts'

interface Opened {
  row: PairingRow
  header: Header
  hash: string
  content: BooksContent | ChangesContent
  /** Rows of the books. */
  rows: Buffer
}

/** Returns the pairing of a file. Throws `bundle_foreign` for a file of others, `pairing_ended` and others. */
async function pairingOf(ctx: Ctx, header: Header): Promise<PairingRow> {
  const row = await findPairing(ctx.env.store.reader, header.pairing)
  if (!row) throw new AppError('bundle_foreign', { details: { reason: 'pairing' } })
  if (row.side === 'client' && row.company_id !== ctx.book.companyId)
    throw new AppError('bundle_foreign', { details: { reason: 'company' } })
  if (header.from === row.side) throw new AppError('bundle_foreign', { details: { reason: 'own' } })
  if (row.state === 'ended') throw new AppError('pairing_ended')
  if (row.state !== 'active') throw new AppError('pairing_not_confirmed')
  return row
}

async function open(ctx: Ctx, file: Buffer): Promise<Opened> {
  const { header } = readHeader(file)
  const row = await pairingOf(ctx, header)
  const peer = row.peer_keys === null ? null : openKeys(row.peer_keys)
  if (!peer) throw new AppError('pairing_not_confirmed')
  const packed = openFile(file, { own: keysOf(ctx, row), peer })
  const isBooks = header.from === 'client'
  if (header.schema > SCHEMA_VERSION)
    throw new AppError('bundle_newer', { details: { schema: header.schema, known: SCHEMA_VERSION } })
  // Rows have the columns of one schema; the operations of changes are checked like any other request.
  if (isBooks && header.schema < SCHEMA_VERSION)
    throw new AppError('bundle_outdated', { details: { schema: header.schema, known: SCHEMA_VERSION } })
  if (header.number <= row.received)
    throw new AppError('bundle_old', {
      details: { number: header.number, last: row.received, same: row.received_hash === fileHash(file) },
    })
  return { row, header, hash: fileHash(file), ...unpackContent(packed, isBooks ? 'books' : 'changes') }
}

/** Writes the decisions of the client into the log of the adviser. */
function settle(connection: Connection, row: PairingRow, content: BooksContent): void {
  const known = new Map(content.outcomes.map((outcome) => [outcome.id, outcome]))
  const changes = connection.all(
    'select id, public_id from bundle_changes where pairing_id = ? order by number, id',
    [row.id],
  ) as { id: number; public_id: string }[]
  let last = content.known
  for (const { id, public_id: publicId } of changes) {
    const outcome = known.get(publicId)
    if (outcome) {
      const { state, created, decidedAt, decidedBy, note } = outcome
      connection.run(
        `update bundle_changes set state = ?, created_there = ?, decided_at = ?, decided_by = ?, note = ?
         where id = ?`,
        [state, created, decidedAt, decidedBy, note, id],
      )
      continue
    }
    // Unknown to the client: not sent yet, lost on the way, or lost there with a restored backup. After a restored
    // backup of this installation, its number may be that of another change there.
    last += 1
    connection.run(
      `update bundle_changes set state = 'waiting', created_there = null, decided_at = null, decided_by = null,
         number = ? where id = ?`,
      [last, id],
    )
  }
  connection.run('update bundle_pairings set changes = ? where id = ?', [last, row.id])
}

async function takeBooks(ctx: Ctx, opened: Opened, content: BooksContent) {
  const { row, header, hash, rows } = opened
  if (content.company !== row.client_company)
    throw new AppError('bundle_foreign', { details: { reason: 'company' } })
  const store = embedded(ctx.env.store)
  await replaceBooks(store, {
    company: row.client_company,
    pairing: row.public_id,
    rows,
    at: content.at,
    also: (connection) => {
      settle(connection, row, content)
      connection.run('update bundle_pairings set received = ?, received_hash = ? where id = ?', [
        header.number,
        hash,
        row.id,
      ])
    },
  })
  store.advised = await advisedCompanies(store.reader)
  const copy = await findCopy(store.reader, { pairing: row.public_id })
  const [book] = copy ? await booksOfCompany(store.reader, copy.companyId) : []
  if (book) await ctx.env.advised?.writing(() => makeWaitingAgain(inBook(ctx, book)))
  return {
    kind: 'books' as const,
    note: content.note,
    added: 0,
    company: row.client_company,
    book: book?.publicId ?? null,
    basedOn: null,
  }
}

async function takeInChanges(ctx: Ctx, opened: Opened, content: ChangesContent) {
  const { row, header, hash } = opened
  const { changes } = content
  const basis = await findFile(ctx.db, row.id, content.basedOn)
  const added = await ctx.transaction(async (tx) => {
    const known = new Map((await changesOf(tx.db, row.id)).map((change) => [change.public_id, change]))
    const fresh = changes.filter(({ id }) => !known.has(id))
    // Numbers follow one another: what is missing was in a file that this installation never had, or has lost.
    let next = row.changes + 1
    for (const { number } of fresh.toSorted((a, b) => a.number - b.number)) {
      if (number !== next)
        throw new AppError('bundle_gap', {
          details: number > next ? { from: next, to: number - 1 } : { from: number, to: number },
        })
      next += 1
    }
    for (const change of fresh)
      await insertChange(tx.db, {
        pairing_id: row.id,
        public_id: change.id,
        number: change.number,
        book: change.book,
        operation: change.operation,
        input: JSON.stringify(change.input),
        created: change.created,
        person_id: change.personId,
        person_name: change.personName,
        made_at: change.at,
        sent_in: header.number,
      })
    await updatePairing(tx.db, row.id, {
      received: header.number,
      received_hash: hash,
      changes: next - 1,
      // Row ids are given again after a restored backup: what the adviser does not have is sent with all others.
      files_there: basis && !content.lacksFiles ? basis.filesUpto : 0,
    })
    await recordAudit(tx, {
      action: 'bundles.received',
      target: { type: 'pairing', id: row.public_id, label: row.adviser_name ?? '' },
    })
    return fresh.length
  })
  await tryWaiting(ctx)
  return {
    kind: 'changes' as const,
    note: content.note,
    added,
    company: row.client_company,
    book: ctx.book.publicId,
    basedOn: basis ? new Date(basis.at).toISOString() : null,
  }
}

/** Reads a file. Whatever speaks against it is found before anything is written. */
export const readBundle: UseCase<typeof readBundleContract> = async (ctx, input) => {
  const opened = await open(ctx, Buffer.from(input.content, 'base64'))
  const { content } = opened
  return content.kind === 'books' ? takeBooks(ctx, opened, content) : takeInChanges(ctx, opened, content)
}
