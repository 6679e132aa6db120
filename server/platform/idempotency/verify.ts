/** Proof of the kept replies: each can be given again, and none shows a secret. */
import { proofOver } from '../../domain/proof.ts'
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

/** The members of a kept reply, or null when it cannot be given again. */
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

/** A row is named by its operation and whose it is; the Idempotency-Key itself is the caller's own affair. */
export async function verifyReplies(env: AppEnvironment): Promise<Proof> {
  const rows = await env.store.reader
    .selectFrom('idempotency_keys')
    .select(['scope', 'idempotency_key', 'operation', 'status', 'reply', 'sealed'])
    .execute()
  return proofOver(rows, (row) => {
    const place = `The reply to ${row.operation} kept for ${row.scope}`
    const members = membersOf(env, row)
    if (members === null) return `${place} cannot be read.`
    if (row.status < 200 || row.status > 599) return `${place} has status ${row.status}.`
    const secret = row.sealed === 0 && SECRET_MEMBERS[row.operation]?.find((name) => members.includes(name))
    return secret ? `${place} shows ${secret}.` : null
  })
}
