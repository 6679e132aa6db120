/** Sums of the wages typed for model 190. */
import type { Ctx } from '../../../context.ts'
import { findWageRecipients } from '../rows.ts'
import type { WageRecipientRow } from '../rows.ts'

/** Wages in money and in kind, each with the amount withheld, in cents. */
export interface WageSums {
  paidCents: number
  withheldCents: number
  inKindCents: number
  inKindWithheldCents: number
}

/** Returns the number of recipients and their sums in a year. */
export async function wagesOfRecipients(
  ctx: Ctx,
  year: number,
): Promise<WageSums & { rows: readonly WageRecipientRow[] }> {
  const rows = await findWageRecipients(ctx, year)
  const sum = (pick: (row: WageRecipientRow) => number) => rows.reduce((all, row) => all + pick(row), 0)
  return {
    rows,
    paidCents: sum((row) => row.paid_cents),
    withheldCents: sum((row) => row.withheld_cents),
    inKindCents: sum((row) => row.in_kind_cents),
    inKindWithheldCents: sum((row) => row.in_kind_withheld_cents),
  }
}
