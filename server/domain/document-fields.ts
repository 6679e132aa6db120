/** Header fields of a document from one table: their values from input and rows, their columns, and what a copy clears. Pure. */
import { trimmedOrNull } from './text.ts'

interface Spec<Copy extends string> {
  /** Documents made from this one that take the field over. */
  readonly copiedTo?: readonly Copy[]
  /**
   * Part of the content hash; always, unless it says otherwise. `given`: only when it has a value, so that the hash of older
   * documents stays the same. `never`: known to these books alone.
   */
  readonly hash?: 'given' | 'never'
  /** Where the editor shows it: with the dates, in the panel of rare fields, or as part of the choice of the kind. */
  readonly panel?: 'dates' | 'more' | 'kind'
}

/** A text of one line or several; the contract takes its Zod shapes from here. */
export interface TextSpec<Column extends string, Copy extends string> extends Spec<Copy> {
  readonly type: 'text' | 'paragraph'
  readonly column: Column
  readonly max: number
  /** In answers: null when it was not given, or absent. */
  readonly answer: 'nullable' | 'optional'
  readonly description?: { readonly input?: string; readonly answer?: string }
  /** Left out of the tools of assistants, whose list has a limit of bytes; REST and the window take it. */
  readonly hiddenFromTools?: true
}

/** A value that is stored as it is given: a date, or a code of a list. */
interface PlainSpec<Column extends string, Copy extends string> extends Spec<Copy> {
  readonly type: 'date' | 'choice'
  readonly column: Column
  /** Instead of null when it is not given. */
  readonly usual?: string
}

interface FlagSpec<Column extends string, Copy extends string> extends Spec<Copy> {
  readonly type: 'flag'
  readonly column: Column
}

/** Several short texts under one name; null when none is given. */
interface GroupSpec<Column extends string, Copy extends string> extends Spec<Copy> {
  readonly type: 'group'
  /** In answers: absent when none is given, instead of null. */
  readonly answer?: 'optional'
  readonly columns: Readonly<Record<string, Column>>
}

type FieldSpec<Column extends string, Copy extends string> =
  | TextSpec<Column, Copy>
  | PlainSpec<Column, Copy>
  | FlagSpec<Column, Copy>
  | GroupSpec<Column, Copy>

export type FieldTable<Column extends string, Copy extends string> = Readonly<
  Record<string, FieldSpec<Column, Copy>>
>

/** Columns of a table of fields. */
export type ColumnsOf<Table> = {
  [Name in keyof Table]: Table[Name] extends { readonly column: infer Column }
    ? Column
    : Table[Name] extends { readonly columns: infer Columns }
      ? Columns[keyof Columns]
      : never
}[keyof Table]

/** Names of the fields of some types. */
export type NamesOf<Table, Type extends string> = {
  [Name in keyof Table]: Table[Name] extends { readonly type: Type } ? Name : never
}[keyof Table] &
  string

/** Names of the fields that a copy leaves out. */
type LeftOutOf<Table, Copy extends string> = {
  [Name in keyof Table]: Table[Name] extends { readonly copiedTo: readonly (infer Kept)[] }
    ? Copy extends Kept
      ? never
      : Name
    : never
}[keyof Table] &
  string

type AnyTable = FieldTable<string, string>
type Stored = string | number | null
type Group = Record<string, string | null>

function emptyValue(spec: FieldSpec<string, string>): unknown {
  if (spec.type === 'flag') return false
  return ('usual' in spec ? spec.usual : undefined) ?? null
}

function someOf(group: Group): Group | null {
  return Object.values(group).every((text) => text === null) ? null : group
}

function givenValue(spec: FieldSpec<string, string>, given: unknown): unknown {
  switch (spec.type) {
    case 'text':
    case 'paragraph':
      return trimmedOrNull(given as string | null | undefined)
    case 'group': {
      const group = (given ?? {}) as Partial<Group>
      return someOf(
        Object.fromEntries(Object.keys(spec.columns).map((name) => [name, trimmedOrNull(group[name])])),
      )
    }
    default:
      return given ?? emptyValue(spec)
  }
}

/** Reads and writes the fields of a table. `Values` are those of the content, `Row` the columns. */
interface DocumentFields<
  Values extends object,
  Input extends object,
  Row extends object,
  Answer extends object,
> {
  readonly names: readonly (keyof Values & string)[]
  readonly columns: readonly (keyof Row & string)[]
  /** Each field as it is when it was not given. */
  readonly empty: Readonly<Values>
  /** Values of an input: texts tidied, what is missing empty. */
  ofInput(input: Partial<Input>): Values
  ofRow(row: Row): Values
  toColumns(values: Values): Row
  /** The values alone, without the rest of the content. */
  pick(content: Values): Values
  /** The values as an answer: null or absent when a field was not given. */
  toAnswer(content: Values): Answer
  /** Names of the fields that the content hash leaves out. */
  unhashed(content: Values): (keyof Values & string)[]
}

/** Derives the functions of a document kind from its table of fields. */
export function documentFields<
  Values extends object,
  Input extends object,
  Row extends object,
  Answer extends object = Values,
>(table: AnyTable): DocumentFields<Values, Input, Row, Answer> {
  const specs = Object.entries(table)
  const names = specs.map(([name]) => name) as (keyof Values & string)[]
  const fromEach = <Made>(value: (name: string, spec: FieldSpec<string, string>) => unknown): Made => {
    const values: Record<string, unknown> = {}
    for (const [name, spec] of specs) values[name] = value(name, spec)
    return values as Made
  }
  return {
    names,
    columns: specs.flatMap(([, spec]) =>
      spec.type === 'group' ? Object.values(spec.columns) : [spec.column],
    ) as (keyof Row & string)[],
    empty: Object.freeze(fromEach<Values>((_name, spec) => emptyValue(spec))),
    ofInput(input) {
      const given = input as Record<string, unknown>
      return fromEach((name, spec) => givenValue(spec, given[name]))
    },
    ofRow(row) {
      const stored = row as Record<string, Stored>
      return fromEach((_name, spec) => {
        if (spec.type === 'flag') return stored[spec.column] === 1
        if (spec.type !== 'group') return stored[spec.column]
        const group: Group = {}
        for (const [part, column] of Object.entries(spec.columns))
          group[part] = stored[column] as string | null
        return someOf(group)
      })
    },
    toColumns(values) {
      const content = values as Record<string, unknown>
      const row: Record<string, Stored> = {}
      for (const [name, spec] of specs) {
        const value = content[name]
        if (spec.type === 'flag') row[spec.column] = value ? 1 : 0
        else if (spec.type !== 'group') row[spec.column] = value as Stored
        else
          for (const [part, column] of Object.entries(spec.columns))
            row[column] = (value as Group | null)?.[part] ?? null
      }
      return row as Row
    },
    pick(content) {
      return fromEach((name) => content[name as keyof Values])
    },
    toAnswer(content) {
      return fromEach((name, spec) => {
        const value = content[name as keyof Values]
        return value === null && 'answer' in spec && spec.answer === 'optional' ? undefined : value
      })
    },
    unhashed(content) {
      return names.filter((name) => {
        const { hash } = table[name] as FieldSpec<string, string>
        return hash === 'never' || (hash === 'given' && content[name] === null)
      })
    },
  }
}

/** Names of the fields that a copy leaves out, as a mask for a Zod shape. */
export function leftOutOf<const Table extends AnyTable, Copy extends string>(
  table: Table,
  copy: Copy,
): { [Name in LeftOutOf<Table, Copy>]: true } {
  const names = Object.entries(table).flatMap(([name, { copiedTo }]) =>
    copiedTo?.includes(copy) ? [] : [[name, true] as const],
  )
  return Object.fromEntries(names) as { [Name in LeftOutOf<Table, Copy>]: true }
}

/** An object without some of its members. */
export function without<Whole extends object, Name extends string>(
  whole: Whole,
  mask: { readonly [Key in Name]: true },
): Omit<Whole, Name> {
  const kept = Object.entries(whole).filter(([name]) => !(name in mask))
  return Object.fromEntries(kept) as Omit<Whole, Name>
}
