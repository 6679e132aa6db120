/**
 * Slows down guesses. Failures are counted for each account and each address in the database, so that neither a restart
 * nor another server forgets them. An attempt is counted before it is checked, so that attempts at the same time gain
 * nothing.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Directory } from '../directory/store.ts'

/** Failures without a wait. */
const FREE = { account: 5, address: 20 } as const
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 15 * 60_000
/** Failures count until nothing has failed for this long. */
const FORGOTTEN_MS = 24 * 3_600_000

type Counted = { kind: keyof typeof FREE; name: string }

const nameOf = ({ kind, name }: Counted): string => `${kind}:${name}`

/** Returns the wait after a number of failures. */
export function waitAfter(kind: keyof typeof FREE, failures: number): number {
  const beyond = failures - FREE[kind]
  return beyond < 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(beyond, 20))
}

/**
 * Counts an attempt under several names. Throws `rate_limited` with the longest wait, and counts nothing, while one of
 * them has to wait.
 */
export async function beginAttempt({ change, now }: Directory, counted: readonly Counted[]): Promise<void> {
  await change(async (db) => {
    const at = now()
    await db
      .deleteFrom('sign_in_attempts')
      .where('last_at', '<', at - FORGOTTEN_MS)
      .execute()
    const names = counted.map(nameOf)
    const rows = await db.selectFrom('sign_in_attempts').selectAll().where('name', 'in', names).execute()
    const until = Math.max(0, ...rows.map((row) => row.until_at))
    if (until > at) throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil((until - at) / 1000) })
    for (const one of counted) {
      const name = nameOf(one)
      const failures = (rows.find((row) => row.name === name)?.failures ?? 0) + 1
      const until_at = at + waitAfter(one.kind, failures)
      await db
        .insertInto('sign_in_attempts')
        .values({ name, failures, last_at: at, until_at })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ failures, last_at: at, until_at }))
        .execute()
    }
  })
}

/** Forgets the failures of an account, and the last one of an address: the attempt has succeeded. */
export async function attemptSucceeded({ change }: Directory, counted: readonly Counted[]): Promise<void> {
  await change(async (db) => {
    for (const one of counted) {
      const name = nameOf(one)
      if (one.kind === 'account') {
        await db.deleteFrom('sign_in_attempts').where('name', '=', name).execute()
        continue
      }
      // Others at the same address may still be guessing.
      await db
        .updateTable('sign_in_attempts')
        .set((eb) => ({ failures: eb('failures', '-', 1), until_at: 0 }))
        .where('name', '=', name)
        .where('failures', '>', 0)
        .execute()
    }
  })
}
