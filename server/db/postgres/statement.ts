/**
 * A statement on its way to the database. The driver asks for the description of the columns with each execution; that
 * of a prepared statement never changes on its connection (the database refuses to execute it once it would), so that it
 * is asked for once, and what follows from it is remembered. Both took a fifth of the processor time of an issue.
 */
import pg from 'pg'
import type { QueryResult } from 'pg'
import type { Bindable } from '../engines.ts'

interface Field {
  name: string
  dataTypeID: number
}

/** What the driver derives from a description. */
interface Shape {
  fields: readonly Field[]
  _parsers: readonly unknown[]
  _prebuiltEmptyResultObject: object
}

/** A text that comes again. */
export interface PreparedText {
  /** The name under which connections prepare it. */
  readonly name: string
  shape?: Shape
}

/** The driver's connection, as far as a statement is prepared on it. */
interface DriverConnection {
  describe(message: unknown): void
}

/** The parts of the driver's class that its types do not show. */
interface DriverQuery {
  name: string | undefined
  _result: Shape
  _accumulateRows: boolean
  prepare(connection: DriverConnection): void
  handleRowDescription(message: { fields: readonly Field[] }): void
  handleCommandComplete(message: unknown, connection: DriverConnection): void
}

const driver = pg.Query.prototype as unknown as DriverQuery

/** A connection with what it has described. */
interface Described {
  /** By name of the statement; null for one that answers no rows. */
  shapes: Map<string, Shape | null>
  /** The same connection, which asks for no description. */
  silent: DriverConnection
}

const connections = new WeakMap<DriverConnection, Described>()

function describedOn(connection: DriverConnection): Described {
  let described = connections.get(connection)
  if (!described) {
    const silent = Object.create(connection, { describe: { value: () => {} } }) as DriverConnection
    connections.set(connection, (described = { shapes: new Map(), silent }))
  }
  return described
}

function isSame(known: readonly Field[], given: readonly Field[]): boolean {
  if (known.length !== given.length) return false
  for (let at = 0; at < known.length; at += 1) {
    const [left, right] = [known[at]!, given[at]!]
    if (left.name !== right.name || left.dataTypeID !== right.dataTypeID) return false
  }
  return true
}

type Answered = (error: Error | undefined, answer: QueryResult<Record<string, unknown>>) => void

export class Statement extends pg.Query<Record<string, unknown>> {
  private readonly prepared: PreparedText | null
  /** What the connection has described, once the statement was sent. */
  private shapes: Described['shapes'] | null = null

  /** Without `prepared` the text is sent as one that does not come again. */
  constructor(text: string, values: readonly Bindable[], prepared: PreparedText | null, answered: Answered) {
    super(text, values as Bindable[], answered)
    this.prepared = prepared
    if (prepared) (this as unknown as DriverQuery).name = prepared.name
  }

  /** Sends the statement: the driver calls this. */
  prepare(connection: DriverConnection): void {
    const query = this as unknown as DriverQuery
    if (!this.prepared) return driver.prepare.call(query, connection)
    const { shapes, silent } = describedOn(connection)
    const shape = shapes.get(this.prepared.name)
    if (shape === undefined) {
      this.shapes = shapes
      return driver.prepare.call(query, connection)
    }
    if (shape) this.take(shape)
    driver.prepare.call(query, silent)
  }

  private take(shape: Shape): void {
    const query = this as unknown as DriverQuery
    query._accumulateRows = true
    Object.assign(query._result, shape)
  }

  handleRowDescription(message: { fields: readonly Field[] }): void {
    const { prepared } = this
    if (!prepared) return driver.handleRowDescription.call(this as unknown as DriverQuery, message)
    if (prepared.shape && isSame(prepared.shape.fields, message.fields)) this.take(prepared.shape)
    else {
      const query = this as unknown as DriverQuery
      driver.handleRowDescription.call(query, message)
      const { fields, _parsers, _prebuiltEmptyResultObject } = query._result
      prepared.shape = { fields, _parsers, _prebuiltEmptyResultObject }
    }
    this.shapes?.set(prepared.name, prepared.shape)
    this.shapes = null
  }

  handleCommandComplete(message: unknown, connection: DriverConnection): void {
    if (this.prepared) this.shapes?.set(this.prepared.name, null)
    this.shapes = null
    driver.handleCommandComplete.call(this as unknown as DriverQuery, message, connection)
  }
}
