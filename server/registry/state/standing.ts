/** The state of an invoice at the registry, as its records' outcomes and the system of the book tell it. */
import type { Ctx } from '../../context.ts'
import { recordsOfInvoice } from '../chain/rows.ts'
import type { Standing } from '../system.ts'
import { systemOf } from '../systems/index.ts'

export type { Standing } from '../system.ts'

/** Returns the state of an issued invoice. */
export async function standingOf(ctx: Ctx, invoiceId: number): Promise<Standing> {
  const records = await recordsOfInvoice(ctx, invoiceId)
  return systemOf(ctx.book).standing(
    records.map((record) => ({
      kind: record.kind,
      turn: record.turn,
      status: record.status,
      authorityCode: record.authority_code,
      heldState: record.held_state,
      conflict: record.conflict === 1,
    })),
  )
}
