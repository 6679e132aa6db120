/** Integrity check of the stored replies: each can be returned again, and none reveals a secret. */
import { proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { AppEnvironment } from '../../context.ts'
import { sealContextOf, SECRET_MEMBERS } from './replies.ts'

interface StoredRow {
  scope: string
  idempotency_key: string
  operation: string
  status: number
  reply: string
  sealed: number
}

/** Returns the members of a stored reply, or null if it cannot be returned again. */
function membersOf(env: AppEnvironment, row: StoredRow): string[] | null {
  try {
    const text =
      row.sealed === 1
        ? env.store.sealer.open(row.reply, sealContextOf(row.scope, row.idempotency_key)).toString('utf8')
        : row.reply
    const reply: unknown = JSON.parse(text)
    return typeof reply === 'object' && reply !== null ? Object.keys(reply) : []
  } catch {
    return null
  }
}

/** Checks the replies. A fault names the operation and the scope; the Idempotency-Key itself belongs to the caller. */
export async function verifyReplies(env: AppEnvironment): Promise<Proof> {
  const rows = await env.store.reader
    .selectFrom('idempotency_keys')
    .select(['scope', 'idempotency_key', 'operation', 'status', 'reply', 'sealed'])
    .execute()
  return proveRows(rows, (row) => {
    const place = `The reply to ${row.operation} kept for ${row.scope}`
    const members = membersOf(env, row)
    if (members === null) return `${place} cannot be read.`
    if (row.status < 200 || row.status > 599) return `${place} has status ${row.status}.`
    const secret = row.sealed === 0 && SECRET_MEMBERS[row.operation]?.find((name) => members.includes(name))
    return secret ? `${place} shows ${secret}.` : null
  })
}
