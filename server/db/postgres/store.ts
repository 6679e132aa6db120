/** The store of an office: N servers without state before one PostgreSQL. */
import type { Pool } from 'pg'
import type { MarkStorage } from '../outside/marks.ts'
import { inRows } from '../outside/objects.ts'
import type { Objects } from '../outside/objects.ts'
import type { Db } from '../query.ts'
import { sealerOf } from '../seal.ts'
import type { Sealer } from '../seal.ts'
import type { Store, TransactionStart, WriteFault } from '../store.ts'
import { DueWork } from './tables/due-work.ts'
import { DATABASE_CLOCK } from './clock.ts'
import type { DatabaseClock } from './clock.ts'
import { durabilityFaults, schemaFaults } from './faults.ts'
import { assertSchema } from './migrate.ts'
import { createPool, refusalOf } from './pool.ts'
import type { Bucket } from './objects/bucket.ts'
import { BucketMarks } from './objects/bucket-marks.ts'
import { BucketObjects } from './objects/bucket-objects.ts'
import type { StoreObserver } from './observer.ts'
import { Reading } from './reading.ts'
import { Writing } from './writing.ts'

const CONNECTIONS = 8
/** A server that writes nothing reads the database's clock this often. */
const CLOCK_MS = 10_000

interface OfficeStoreOptions {
  url: string
  /** Key of the sealed columns: 32 bytes. */
  masterKey: Buffer
  now: () => Date
  /** Gets readings of the database's clock; null: the time is handed in. */
  clock?: DatabaseClock | null
  /** Most connections of this process that write, and most that read. */
  connections?: number
  /** Also writes for companies that are being moved: for the move itself. */
  writesAway?: boolean
  /** Pools that several stores of one process share, and that outlive them. */
  pools?: OfficePools | undefined
  /** Where documents of more than 64 kB are; undefined: in their rows. The store closes it. */
  bucket?: Bucket | undefined
  /** Longest document in a row, in bytes, for tests. */
  inRowAtMost?: number | undefined
  observer?: StoreObserver | undefined
}

/** The pools of a store: writes and reads never wait for each other's connections. */
export interface OfficePools {
  writers: Pool
  readers: Pool
}

/** Creates the pools of a store. They connect with the first query. */
export function createPools({
  url,
  connections = CONNECTIONS,
}: Pick<OfficeStoreOptions, 'url' | 'connections'>): OfficePools {
  const onLost = (): void => {}
  return {
    writers: createPool({ url, connections, onLost }, 'sello-write'),
    readers: createPool({ url, connections, onLost }, 'sello-read'),
  }
}

/** The store of an office, with what its servers share. */
interface OfficeStore extends Store {
  readonly dueWork: DueWork
}

class PostgresStore implements OfficeStore {
  readonly engine = 'pg'
  readonly forReading = false
  readonly reader: Db
  readonly rowIdentity = {}
  readonly objects: Objects
  readonly marks: MarkStorage | null
  readonly sealer: Sealer
  readonly storeId: string
  readonly dueWork: DueWork
  onWriteFault: Store['onWriteFault'] = () => {}
  writeFault: WriteFault | null = null
  /** The pools that end with this store. */
  private readonly ownPools: readonly Pool[]
  private readonly readers: Pool
  private readonly reading: Reading
  private readonly writing: Writing
  private readonly bucket: Bucket | null
  private readonly now: () => Date
  private readonly clockTimer: NodeJS.Timeout | null

  constructor(storeId: string, { writers, readers }: OfficePools, options: OfficeStoreOptions) {
    this.storeId = storeId
    this.now = options.now
    this.ownPools = options.pools ? [] : [writers, readers]
    this.readers = readers
    this.dueWork = new DueWork(writers)
    this.reading = new Reading(readers)
    this.reader = this.reading.readerOf(null)
    const { clock = null, masterKey, bucket, inRowAtMost, writesAway = false, observer } = options
    this.writing = new Writing(writers, (error) => this.note(error), { clock, writesAway, observer })
    this.clockTimer = clock && setInterval(() => void readClock(readers, clock).catch(() => {}), CLOCK_MS)
    this.clockTimer?.unref()
    this.sealer = sealerOf(masterKey)
    this.bucket = bucket ?? null
    this.objects = bucket ? new BucketObjects({ bucket, storeId, masterKey, inRowAtMost }) : inRows
    this.marks = bucket ? new BucketMarks({ bucket, storeId, masterKey }) : null
  }

  readerOf(companyId: number): Db {
    return this.reading.readerOf(companyId)
  }

  readTogether<T>(companyId: number | null, work: () => Promise<T>): Promise<T> {
    return this.reading.together(companyId, work)
  }

  transaction<T>(
    companyId: number | null,
    work: (db: Db) => Promise<T>,
    start?: TransactionStart,
  ): Promise<T> {
    return this.writing.transaction(companyId, work, start)
  }

  assertLocked(): void {
    this.writing.assertLocked()
  }

  private note(error: unknown): void {
    const reason = error === null ? null : 'database_unreachable'
    if (reason === (this.writeFault?.reason ?? null)) return
    this.writeFault = reason === null ? null : { reason, since: this.now() }
    this.onWriteFault(this.writeFault)
  }

  async tryWriting(): Promise<WriteFault | null> {
    await this.transaction(null, async () => {}).catch(() => {})
    return this.writeFault
  }

  /** The database's disk is its administrator's. */
  freeBytes(): null {
    return null
  }

  /** Earlier versions of rows stay in the database's files until it removes them. */
  async purgeRemains(): Promise<void> {}

  durabilityFaults(): Promise<string[]> {
    return durabilityFaults(this.readers)
  }

  schemaFaults(): Promise<string[]> {
    return schemaFaults(this.readers)
  }

  releaseMemory(): void {}

  close(): void {
    this.writing.close()
    if (this.clockTimer) clearInterval(this.clockTimer)
    this.bucket?.close()
    for (const pool of this.ownPools) void pool.end()
  }
}

async function readClock(pool: Pool, clock: DatabaseClock): Promise<void> {
  const sentAt = clock.tick
  const { rows } = await pool.query<{ clock: number }>(`select ${DATABASE_CLOCK} as clock`)
  if (rows[0]) clock.observe(rows[0].clock, sentAt)
}

/** Connects to the database of an office. Throws `office_not_migrated`, `store_newer` or `store_readonly`. */
export async function openOfficeStore(options: OfficeStoreOptions): Promise<OfficeStore> {
  const pools = options.pools ?? createPools(options)
  try {
    const storeId = await assertSchema(pools.readers)
    if (options.clock) await readClock(pools.readers, options.clock)
    return new PostgresStore(storeId, pools, options)
  } catch (error) {
    if (!options.pools) await Promise.all([pools.writers.end(), pools.readers.end()])
    throw refusalOf(error)
  }
}
