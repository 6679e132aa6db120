/**
 * The directory of a divided office: in which cell, which is a database with servers of its own, each company lives. It
 * is a schema of its own, in a database of its own or in that of a cell.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import { DatabaseBulk } from '../../../db/postgres/bulk.ts'

const SCHEMA = `
create schema if not exists directory;
create table if not exists directory.cells (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  url text not null,
  address text not null
);
create table if not exists directory.places (
  company text primary key,
  cell text not null references directory.cells,
  state text not null check (state in ('here', 'moving')),
  since bigint not null
);
create index if not exists places_by_cell on directory.places (cell);`

interface Cell {
  name: string
  /** Address of its database, without a password. */
  url: string
  /** Address of its servers, for people and programs. */
  address: string
}

interface Place {
  cell: string
  state: 'here' | 'moving'
  since: number
}

export class Directory {
  private readonly database: DatabaseBulk

  private constructor(database: DatabaseBulk) {
    this.database = database
  }

  /** Connects, and creates what is missing. */
  static async open(url: string): Promise<Directory> {
    const database = await DatabaseBulk.open(url)
    await database.execute(SCHEMA)
    return new Directory(database)
  }

  async setCell({ name, url, address }: Cell): Promise<void> {
    await this.database.execute(
      `insert into directory.cells (name, url, address) values ($1, $2, $3)
       on conflict (name) do update set url = excluded.url, address = excluded.address`,
      [name, url, address],
    )
  }

  async cells(): Promise<Cell[]> {
    return this.database.select<Cell>('select name, url, address from directory.cells order by name')
  }

  /** Returns a cell. Throws `transfer_refused` for one that is not registered. */
  async cell(name: string): Promise<Cell> {
    const [cell] = await this.database.select<Cell>(
      'select name, url, address from directory.cells where name = $1',
      [name],
    )
    if (!cell) throw new AppError('transfer_refused', { details: { reason: 'cell_unknown', cell: name } })
    return cell
  }

  /** Returns where a company lives; null if the directory does not know it. */
  async placeOf(company: string): Promise<Place | null> {
    const [place] = await this.database.select<Place>(
      'select cell, state, since from directory.places where company = $1',
      [company],
    )
    return place ?? null
  }

  async place(company: string, { cell, state, since }: Place): Promise<void> {
    await this.database.execute(
      `insert into directory.places (company, cell, state, since) values ($1, $2, $3, $4)
       on conflict (company) do update set cell = excluded.cell, state = excluded.state, since = excluded.since`,
      [company, cell, state, since],
    )
  }

  async close(): Promise<void> {
    await this.database.close()
  }
}
