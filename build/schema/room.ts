/** The form in which a room adds to its tables what SQL cannot express: TypeScript types, and comments. */

export interface ColumnNotes {
  doc?: string
  /** A type of `imports` or a union of the room, instead of the one that the schema gives. */
  type?: string
  /** Exports the values that the CHECK of the column allows as a union of this name. */
  union?: string
  /** Inserts give it, although it has a default or is a rowid. */
  required?: true
}

export interface TableNotes {
  doc?: string
  /** Name of the interface, if it does not follow from that of the table. */
  name?: string
  columns?: Readonly<Record<string, ColumnNotes>>
}

export interface Room {
  /** File of each type that `columns` names, below server/. */
  imports?: Readonly<Record<string, string>>
  /** The tables in the order in which they are written. */
  tables: Readonly<Record<string, TableNotes>>
  /** Tables that no query names, with the reason. */
  untyped?: Readonly<Record<string, string>>
}
