/** A PostgreSQL server on the disk for measurements, with companies and with drafts that are ready to be issued. */
import { tmpdir } from 'node:os'
import pg from 'pg'
import { openOfficeSello } from '../../server/api/office.ts'
import type { OpenedSello } from '../../server/app/environment.ts'
import { fillBook } from '../../server/app/demo/index.ts'
import { NO_BOOK } from '../../server/context.ts'
import type { Book } from '../../server/context.ts'
import { migrateOffice, SERVER_ROLE } from '../../server/db/postgres/migrate.ts'
import { loadBook } from '../../server/platform/books/index.ts'
import { proveChain } from '../../server/registry/index.ts'
import { createDraft, validateInvoice } from '../../server/sales/invoices/index.ts'
import { OWNER_ROLE, startCluster } from '../../test/support/postgres/cluster.ts'
import type { Cluster } from '../../test/support/postgres/cluster.ts'
import { call } from '../books.ts'
import { draftBodies, someCustomers } from '../drafts.ts'

/** A draft with the token of its validation, which is good for ten minutes. */
export interface ReadyDraft {
  id: string
  token: string
}

export interface OfficeDatabase {
  name: string
  /** Its address for the servers' role, whom the policies limit to a company. */
  url: string
  /** Its address for the administrator, whom no policy limits. */
  adminUrl: string
}

const MASTER_KEY = Buffer.alloc(32, 5)

/** Settings of a server that forgets nothing; all but the first are its defaults, and are read back. */
const SETTINGS = ['shared_buffers=256MB', 'fsync=on', 'synchronous_commit=on', 'full_page_writes=on']

/** A server of PostgreSQL for one run. */
export class OfficePlace {
  private readonly cluster: Cluster
  private readonly admin: pg.Client
  private databases = 0

  private constructor(cluster: Cluster, admin: pg.Client) {
    this.cluster = cluster
    this.admin = admin
  }

  /** Starts a server with its data in the folder of temporary files; null if this computer has no PostgreSQL. */
  static async start(): Promise<OfficePlace | null> {
    // Not in the folder of the run: the server's user cannot enter that one.
    const cluster = await startCluster({ inside: tmpdir(), settings: SETTINGS })
    if (!cluster) return null
    const admin = new pg.Client({ connectionString: cluster.url('postgres') })
    await admin.connect()
    return new OfficePlace(cluster, admin)
  }

  /** Returns the version of the server, and its settings that decide about durability. */
  async describe(): Promise<Record<string, string>> {
    const { rows } = await this.admin.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings
        where name in ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers')`,
    )
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  }

  /** Creates a database with the schema, or a copy of one to which nobody is connected. */
  async create(copied?: OfficeDatabase): Promise<OfficeDatabase> {
    const name = `office${(this.databases += 1)}`
    await this.admin.query(
      `create database ${name} owner ${OWNER_ROLE}${copied ? ` template ${copied.name}` : ''}`,
    )
    const url = this.cluster.url(name, SERVER_ROLE)
    const adminUrl = this.cluster.url(name)
    if (copied) return { name, url, adminUrl }
    const pool = new pg.Pool({ connectionString: this.cluster.url(name, OWNER_ROLE), max: 1 })
    await migrateOffice(pool, name)
    await pool.end()
    return { name, url, adminUrl }
  }

  /** Runs statements on a database as its administrator. */
  async within<T>({ adminUrl }: OfficeDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: adminUrl })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  async stop(): Promise<void> {
    await this.admin.end()
    await this.cluster.stop()
  }
}

/** Opens the application of an office as one server does. */
export function openOn({ url }: OfficeDatabase, connections?: number): Promise<OpenedSello> {
  return openOfficeSello({
    url,
    masterKey: MASTER_KEY,
    ...(connections === undefined ? {} : { connections }),
  })
}

/** Creates a company and returns its test book, with invoices and customers in it. */
export async function addCompany(
  sello: OpenedSello,
  number: number,
  content: { invoices: number; contacts: number },
): Promise<Book> {
  const { books } = await call<{ books: { id: string; mode: string }[] }>(sello, NO_BOOK, 'company.create', {
    legalName: `Talleres ${number} SL`,
    nif: companyNif(number),
    address: {
      street: 'Calle Mayor 1',
      postalCode: '28013',
      city: 'Madrid',
      province: 'Madrid',
      country: 'ES',
    },
  })
  const id = books.find(({ mode }) => mode === 'test')?.id ?? ''
  const book = await loadBook(sello.env.store.reader, id)
  if (!book) throw new Error('The company has no test book.')
  await fillBook(sello.ctx(book), { ...content, lines: 3, drafts: 0 })
  return book
}

/** Returns the tax number of an invented company, with its control character. */
function companyNif(number: number): string {
  const digits = String(1_000_000 + number)
  let sum = 0
  for (const [index, digit] of [...digits].entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    sum += Math.floor(value / 10) + (value % 10)
  }
  return `B${digits}${(10 - (sum % 10)) % 10}`
}

/** Creates drafts of a company with their tokens. */
export async function readyDrafts(sello: OpenedSello, book: Book, count: number): Promise<ReadyDraft[]> {
  const bodies = draftBodies(count, await someCustomers(sello, book, 1_000), 7 + book.id)
  const ready: ReadyDraft[] = []
  for (let from = 0; from < bodies.length; from += 20)
    await sello.ctx(book).transaction(async (tx) => {
      for (const body of bodies.slice(from, from + 20)) {
        const { id } = await createDraft(tx, body)
        const { confirmation, issues } = await validateInvoice(tx, { id })
        if (!confirmation) throw new Error(`A draft of the benchmark is not valid: ${JSON.stringify(issues)}`)
        ready.push({ id, token: confirmation.confirmationToken })
      }
    })
  return ready
}

/** Verifies the chains of books in a database with the product's own check. */
export async function proveOffice(
  database: OfficeDatabase,
  books: readonly Book[],
  say: (text: string) => void,
): Promise<void> {
  const sello = await openOn(database)
  try {
    let records = 0
    for (const book of books) {
      const proof = await proveChain(sello.ctx(book))
      if (!proof.ok) throw new Error(`The chain is wrong after the run: ${JSON.stringify(proof.broken)}`)
      records += proof.records
    }
    say(`chain ok ${records}`)
  } finally {
    await sello.close()
  }
}
