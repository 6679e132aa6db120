/**
 * Cheaper hashes of lock codes: in production deriving one takes a quarter of a second on purpose, which tests of locks and
 * approvals would spend dozens of times. Only this process is affected; programs that a test starts pay the whole price.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** Divides the cost of each hash, so that hashes of different costs still differ. */
const DIVISOR = 32

const { scrypt } = crypto

/** Divides the cost of scrypt, as `node:crypto` exports it, until `useRealCodes`. */
export function useQuickCodes(): void {
  crypto.scrypt = ((password, salt, length, { N = 16_384, ...cost }, done) =>
    scrypt(password, salt, length, { ...cost, N: Math.max(2, N / DIVISOR) }, done)) as typeof scrypt
  syncBuiltinESMExports()
}

export function useRealCodes(): void {
  crypto.scrypt = scrypt
  syncBuiltinESMExports()
}
