/** What a person, or a file, said was filed: the JSON of a move. */
import type { Ctx } from '../../../context.ts'
import { isModel } from '../../../accounting/returns/index.ts'
import { periodOfFile } from '../../../accounting/returns/index.ts'
import type { ReturnPeriod } from '../../../accounting/returns/index.ts'
import type { ModelNumber } from '../../../accounting/returns/contract.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { RunRow } from '../rows.ts'

export interface ReturnName {
  model: ModelNumber
  year: number
  /** `1T` to `4T`, `01` to `12`, or `0A`. */
  period: string
}

export interface StoredReturn extends ReturnName {
  /** Boxes as filed: cents, hundredths of a percent, or counts. */
  boxes: Record<string, number>
  /** Read from a PDF, and not proven by its sums: shown, and not compared. */
  guesses: Record<string, number>
  source: 'typed' | 'file' | 'pdf'
  fileName: string | null
  outcome: 'pay' | 'offset' | 'refund' | 'none' | null
  filedOn: string | null
  reference: string | null
  /** Why a box differs, by its number. */
  reasons: Record<string, string>
  withoutProof: boolean
}

export const proofOf = (run: RunRow): StoredReturn[] => JSON.parse(run.proof) as StoredReturn[]

export const isReturn = (one: ReturnName, other: ReturnName): boolean =>
  one.model === other.model && one.year === other.year && one.period === other.period

const emptyReturn = ({ model, year, period }: ReturnName): StoredReturn => ({
  model,
  year,
  period,
  boxes: {},
  guesses: {},
  source: 'typed',
  fileName: null,
  outcome: null,
  filedOn: null,
  reference: null,
  reasons: {},
  withoutProof: false,
})

/** Returns the entries with that of a return changed; an entry that says nothing is left out. */
export function withReturn(
  entries: readonly StoredReturn[],
  name: ReturnName,
  change: (before: StoredReturn) => StoredReturn,
): StoredReturn[] {
  const before = entries.find((each) => isReturn(each, name)) ?? emptyReturn(name)
  const after = change(before)
  const isEmpty =
    [after.boxes, after.guesses, after.reasons].every((part) => Object.keys(part).length === 0) &&
    !after.withoutProof
  const others = entries.filter((each) => !isReturn(each, name))
  return isEmpty ? others : [...others, after]
}

/** Returns the period of a return that was filed before the first day. Throws `validation_failed` for any other. */
export async function movedPeriod(ctx: Ctx, run: RunRow, name: ReturnName): Promise<ReturnPeriod> {
  const period = isModel(name.model) ? await periodOfFile(ctx, name.model, name) : null
  if (period !== null && period.from < run.first_day) return period
  throw validationFailed([
    {
      code: period === null ? 'moving_period_unknown' : 'moving_period_later',
      field: 'period',
      severity: 'error',
      message:
        period === null
          ? 'The business does not file that return by such periods.'
          : 'That return belongs to the time in these books.',
      fix: 'Choose a return of the time before the first day.',
      params: { model: name.model, period: name.period, year: name.year },
    },
  ])
}
