/**
 * A statement on its way to the database. The driver reads the description of the columns with each answer; that of a
 * prepared statement is the same each time, and what follows from it is remembered: it took a sixth of the processor
 * time of an issue.
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

/** The parts of the driver's class that its types do not show. */
interface DriverQuery {
  name: string | undefined
  _result: Shape
  _accumulateRows: boolean
}

interface DescriptionReader {
  handleRowDescription(message: { fields: readonly Field[] }): void
}

const readDescription = (pg.Query.prototype as unknown as DescriptionReader).handleRowDescription

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

  /** Without `prepared` the text is sent as one that does not come again. */
  constructor(text: string, values: readonly Bindable[], prepared: PreparedText | null, answered: Answered) {
    super(text, values as Bindable[], answered)
    this.prepared = prepared
    if (prepared) (this as unknown as DriverQuery).name = prepared.name
  }

  handleRowDescription(message: { fields: readonly Field[] }): void {
    const query = this as unknown as DriverQuery
    const shape = this.prepared?.shape
    if (shape && isSame(shape.fields, message.fields)) {
      query._accumulateRows = true
      Object.assign(query._result, shape)
      return
    }
    readDescription.call(this, message)
    if (!this.prepared) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = query._result
    this.prepared.shape = { fields, _parsers, _prebuiltEmptyResultObject }
  }
}
