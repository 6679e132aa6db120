/** What the store of an office tells about its work, for whoever measures it. Nothing of it names a company. */

/** The lock of one company, or of the installation, is given back. */
interface LockHeld {
  /** Time from the lock to the answer of its COMMIT, in milliseconds. */
  ms: number
  statements: number
  /** Transactions that this COMMIT made durable. */
  transactions: number
}

export interface StoreObserver {
  /** A transaction has its turn in this process; `ms`: how long it waited. */
  turnTaken(ms: number): void
  /** The number of transactions of this process that wait for their turn or have it has changed by 1 or -1. */
  open(change: 1 | -1): void
  committed(held: LockHeld): void
  /** The same work runs again, after a conflict or a lost connection. */
  ranAgain(): void
}
