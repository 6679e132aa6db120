/** Sums of the wages typed for model 190. */
import type { Ctx } from '../../../context.ts'
import { findWageRecipients } from '../rows.ts'
import type { WageRecipientRow } from '../rows.ts'
import { factsOf } from './wage-facts.ts'

/** Wages in money and in kind, for incapacity too, each with the amount withheld, in cents. */
export interface WageSums {
  paidCents: number
  withheldCents: number
  inKindCents: number
  inKindWithheldCents: number
}

/** Returns what a person was paid, with what the form states apart for incapacity. */
export function wagesOfRow(row: WageRecipientRow): WageSums {
  const facts = factsOf(row.facts)
  return {
    paidCents: row.paid_cents + (facts?.incapacityPaid ?? 0),
    withheldCents: row.withheld_cents + (facts?.incapacityWithheld ?? 0),
    inKindCents: row.in_kind_cents + (facts?.incapacityInKind ?? 0),
    inKindWithheldCents: row.in_kind_withheld_cents + (facts?.incapacityInKindWithheld ?? 0),
  }
}

/** Returns the recipients of a year and their sums. */
export async function wagesOfRecipients(
  ctx: Ctx,
  year: number,
): Promise<WageSums & { rows: readonly WageRecipientRow[] }> {
  const rows = await findWageRecipients(ctx, year)
  const paid = rows.map(wagesOfRow)
  const sum = (name: keyof WageSums) => paid.reduce((all, each) => all + each[name], 0)
  return {
    rows,
    paidCents: sum('paidCents'),
    withheldCents: sum('withheldCents'),
    inKindCents: sum('inKindCents'),
    inKindWithheldCents: sum('inKindWithheldCents'),
  }
}
