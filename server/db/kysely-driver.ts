/** The part of a Kysely dialect that both engines share: one connection, and no transactions of Kysely's own. */
import type { DatabaseConnection, Driver } from 'kysely'

/** Runs everything on one connection; the store begins transactions, so that Kysely's own calls are rejected. */
export class ConnectionDriver implements Driver {
  private readonly connection: DatabaseConnection
  constructor(connection: DatabaseConnection) {
    this.connection = connection
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.connection
  }
  async releaseConnection(): Promise<void> {}
  async beginTransaction(): Promise<void> {
    throw new Error('Begin a transaction with ctx.transaction.')
  }
  async commitTransaction(): Promise<void> {
    throw new Error('Begin a transaction with ctx.transaction.')
  }
  async rollbackTransaction(): Promise<void> {
    throw new Error('Begin a transaction with ctx.transaction.')
  }
  async destroy(): Promise<void> {}
}
