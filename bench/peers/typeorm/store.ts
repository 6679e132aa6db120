/**
 * The peer's store: its own file in the product's format, with the same key, cipher and durability; TypeORM creates
 * the tables. The driver is the product's own package, so that both run the same native code.
 */
import { hash } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'
import { FILE, setUp } from '../../limits/database.ts'
import type { Handle } from '../../limits/database.ts'
import type { ServerPlace } from '../../serving.ts'
import { ApiKeys, ENTITIES } from './entities.ts'

export const sha256 = (text: string): string => hash('sha256', text)

/** Settings that both sides must share, checked because a default of the driver or of TypeORM could change them. */
const EXPECTED = {
  cipher: 'sqlcipher',
  legacy: '4',
  journal_mode: 'wal',
  synchronous: '2',
  foreign_keys: '1',
}

export class Store {
  private readonly source: DataSource
  private last: Promise<unknown> = Promise.resolve()

  private constructor(source: DataSource) {
    this.source = source
  }

  /** Creates an empty file with one key in it. */
  static async create(place: ServerPlace, apiKey: string): Promise<Store> {
    const source = new DataSource({
      type: 'better-sqlite3',
      driver: Database,
      database: join(place.folder, FILE),
      prepareDatabase: (handle: Handle) => setUp(handle, place.keyFile),
      entities: ENTITIES,
      synchronize: true,
    })
    await source.initialize()
    for (const [name, value] of Object.entries(EXPECTED)) {
      const [row] = (await source.query(`pragma ${name}`)) as Record<string, unknown>[]
      const found = String(Object.values(row ?? {})[0])
      if (found !== value) throw new Error(`The peer's ${name} is ${found} and not ${value}.`)
    }
    await source.manager.insert(ApiKeys, {
      name: 'bench',
      secretHash: sha256(apiKey),
      scopes: ['invoices.write', 'invoices.issue'],
      revokedAt: null,
    })
    return new Store(source)
  }

  get manager(): EntityManager {
    return this.source.manager
  }

  /**
   * Runs transactions one after another: with SQLite TypeORM has a single connection, and a transaction that begins
   * while another awaits would become a savepoint in it.
   */
  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = this.last.then(() => this.source.transaction(work))
    this.last = result.catch(() => {})
    return result
  }

  close(): Promise<void> {
    return this.source.destroy()
  }
}
