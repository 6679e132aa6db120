/** Invariants of Sello by number, as the checks and the tests refer to them. */

export const INVARIANTS = {
  I1: 'What was answered as issued survives a crash, a power cut and a restart.',
  I2: 'An issued invoice and its record never change or vanish.',
  I3: 'Numbers of a series have no gap, no double, and are never given again.',
  I4: 'The chain of records and the history verify from first to last.',
  I5: 'The authority holds each record exactly once.',
  I6: 'A confirmation token works once, in time, for what it was made for.',
  I7: 'No secret lies open.',
  I8: 'Test data never reaches the authority, live data never the simulated one.',
  I9: 'An event is delivered at least once, or kept with the reason why not.',
  I10: 'What is copied out of the books is what they hold.',
  I11: 'An older program never writes to newer books.',
  I12: 'Two copies of the program never write the same books.',
  I13: 'The same request twice does its work once and gets the same answer.',
  I14: 'A request without a valid key changes and reveals nothing.',
  I15: 'A call to an address that a user chose never reaches what is private.',
  I16: 'Every sum is exact, and debits are credits.',
  I17: 'No input crashes or hangs the program.',
  I18: 'With a full or failing disk, a wrong clock or a lost keychain Sello says so and loses nothing.',
} as const

export type Invariant = keyof typeof INVARIANTS

/** An invariant that books at rest cannot show, with the test that covers it; for one shown in part, the rest. */
export interface Unseen {
  invariant: Invariant
  why: string
  test: string
}

export const UNSEEN: readonly Unseen[] = [
  {
    invariant: 'I1',
    why: 'An answer that was lost leaves no trace.',
    test: 'test/long/crashes/kill.test.ts',
  },
  {
    invariant: 'I5',
    why: 'What the authority holds is not in the books.',
    test: 'test/long/edges/registry-storm.test.ts',
  },
  { invariant: 'I6', why: 'Refused tokens are not kept.', test: 'test/long/crashes/one-token.test.ts' },
  {
    invariant: 'I7',
    why: 'Logs and answers have left the books.',
    test: 'test/server/app/integrity/secrets.test.ts',
  },
  { invariant: 'I8', why: 'A connection leaves no trace.', test: 'test/server/registry/environment.test.ts' },
  {
    invariant: 'I9',
    why: 'What a receiver got is not in the books.',
    test: 'test/long/edges/webhooks.test.ts',
  },
  { invariant: 'I10', why: 'A copy lies elsewhere.', test: 'test/long/books/exports.test.ts' },
  {
    invariant: 'I11',
    why: 'It is the other program that refuses.',
    test: 'test/server/db/embedded/newer.test.ts',
  },
  {
    invariant: 'I12',
    why: 'It is the other program that refuses.',
    test: 'test/server/db/embedded/files/lock.test.ts',
  },
  {
    invariant: 'I13',
    why: 'Whether the work was done twice is not kept.',
    test: 'test/server/api/http/idempotency.test.ts',
  },
  { invariant: 'I14', why: 'A refused request leaves no trace.', test: 'test/e2e/window/attacker.test.ts' },
  {
    invariant: 'I15',
    why: 'A refused call leaves no trace.',
    test: 'test/server/platform/webhooks/guard.test.ts',
  },
  { invariant: 'I17', why: 'It is of the running program.', test: 'test/long/edges/contract-fuzz.test.ts' },
  {
    invariant: 'I18',
    why: 'It is of the running program.',
    test: 'test/server/app/recovery-mode/disk.test.ts',
  },
]
