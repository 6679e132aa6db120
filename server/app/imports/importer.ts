/** Interface of an importer for one kind: validates a row, writes it, and undoes it. */
import type { z } from 'zod'
import { storageFaults } from '../../domain/contract/storable.ts'
import { faultsOf } from '../../domain/contract/define-contract.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { Ctx } from '../../context.ts'
import type { Cell } from '../../platform/spreadsheets/cells.ts'
import type { Identity, Known } from './seen-rows.ts'
import { readDay, readFlag, readNumber, textOf } from '../../platform/spreadsheets/values.ts'
import type { DateOrder, DecimalSign } from '../../platform/spreadsheets/values.ts'

export interface ParseOptions {
  onDuplicate: 'skip' | 'update'
  dateOrder: DateOrder
  decimalSign: DecimalSign
}

interface Target {
  id: number
  version: number
}

/** Result of validating a row. Faults that are errors fail it. */
export interface RowVerdict {
  label: string
  /** Identity of the row. */
  identity: Identity
  /** Stored records that match, best first. */
  known: readonly Known[]
  faults: Fault[]
  input: unknown
}

export interface Importer {
  check(ctx: Ctx, row: RowReader, options: ParseOptions): Promise<RowVerdict>
  create(tx: Ctx, input: unknown): Promise<Target>
  /** Null when an import never changes existing records. */
  update: ((tx: Ctx, targetId: number, input: unknown) => Promise<Target & { before: unknown }>) | null
  /** Returns false when the record was changed or used since. */
  undo(tx: Ctx, target: Target): Promise<boolean>
  putBack(tx: Ctx, target: Target, before: unknown): Promise<boolean>
}

/** Reads a row by field and collects the faults. */
export class RowReader {
  readonly faults: Fault[] = []
  private readonly cells: readonly Cell[]
  private readonly mapping: Readonly<Record<string, number>>
  private readonly options: ParseOptions

  constructor(cells: readonly Cell[], mapping: Readonly<Record<string, number>>, options: ParseOptions) {
    this.cells = cells
    this.mapping = mapping
    this.options = options
  }

  private cell(name: string): Cell {
    const column = this.mapping[name]
    return column === undefined ? null : (this.cells[column] ?? null)
  }

  fault(code: string, field: string, message: string, severity: Fault['severity'] = 'error'): void {
    const text = this.text(field)
    this.faults.push({
      code,
      field,
      severity,
      message,
      ...(text === undefined ? {} : { params: { text: text.slice(0, 60) } }),
    })
  }

  /** Returns undefined when the column is not mapped or the cell is empty. */
  text(name: string): string | undefined {
    return textOf(this.cell(name)) || undefined
  }

  number(name: string): number | undefined {
    if (this.text(name) === undefined) return undefined
    const value = readNumber(this.cell(name), this.options.decimalSign)
    if (value === null) this.fault('import_not_a_number', name, 'That is no number.')
    return value ?? undefined
  }

  /** Returns an amount rounded to cents, because a spreadsheet stores binary rounding errors (12.299999999999999). */
  amount(name: string): number | undefined {
    const value = this.number(name)
    if (value === undefined || typeof this.cell(name) !== 'number') return value
    const cents = Math.round(value * 100)
    return Math.abs(value * 100 - cents) < 1e-6 ? cents / 100 : value
  }

  day(name: string): string | undefined {
    if (this.text(name) === undefined) return undefined
    const value = readDay(this.cell(name), this.options.dateOrder)
    if (value === null) this.fault('import_not_a_day', name, 'That is no day.')
    return value ?? undefined
  }

  flag(name: string): boolean | undefined {
    if (this.text(name) === undefined) return undefined
    const value = readFlag(this.cell(name))
    if (value === null) this.fault('import_not_a_flag', name, 'Write yes or no.')
    return value ?? undefined
  }

  /** Returns one of several options; the first list that contains the text wins. */
  choice<Value extends string>(
    name: string,
    words: readonly (readonly [Value, RegExp])[],
    fold: (text: string) => string,
  ): Value | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const found = words.find(([, pattern]) => pattern.test(fold(text)))
    if (!found) this.fault('import_not_a_choice', name, 'That is none of what can stand here.')
    return found?.[0]
  }
}

/** Removes undefined fields, because an empty cell sets nothing. */
export function omitUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

/** Returns faults of the API's contract under the names of the columns. */
export function contractFaults(
  schema: z.ZodType,
  input: unknown,
  fieldOf: (path: string) => string = (path) => path,
): Fault[] {
  const parsed = schema.safeParse(input, { reportInput: true })
  const found = parsed.success ? storageFaults(input) : faultsOf(parsed.error)
  return found.map((fault) => ({ ...fault, field: fieldOf(fault.field) }))
}
