/** Sendings as callers see them. */
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { filesOf } from '../../../platform/attachments/index.ts'
import type { ModelNumber } from '../contract.ts'
import type { Sending } from './contract.ts'
import type { SendingRow } from './rows.ts'

/** Owner of the receipts among the attachments. */
export const SENDING_TARGET = 'filing'

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const partyOf = (nif: string | null, name: string | null): Sending['presenter'] =>
  nif === null && name === null ? null : { nif, name }

/** Numbers are compared as both sides write them: without blanks, in capitals. */
const isOther = (named: string | null, known: string): boolean =>
  named !== null && named.replace(/[\s.-]/g, '').toUpperCase() !== known.toUpperCase()

/** Returns what the agency's answer names otherwise than the sending: it is filed, but not as it was meant. */
function otherPartiesOf(row: SendingRow): Sending['otherParties'] {
  return [
    ...(isOther(row.presenter_nif, row.signer_nif) ? (['presenter'] as const) : []),
    ...(isOther(row.declarant_nif, row.filer_nif) ? (['declarant'] as const) : []),
  ]
}

/** Returns a sending as callers see it. */
export async function sendingView(ctx: Ctx, row: SendingRow): Promise<Sending> {
  const [why = null, ...detail] = row.why?.split(': ') ?? []
  const documents = await filesOf(ctx, { type: SENDING_TARGET, id: row.id })
  return {
    id: row.public_id,
    model: row.model as ModelNumber,
    year: row.year,
    period: row.period,
    nature: row.nature,
    kind: row.kind === '' ? null : (row.kind as Sending['kind']),
    result: eurosFromCents(row.result_cents),
    state: row.state,
    why,
    detail: detail.length > 0 ? detail.join(': ') : null,
    errors: JSON.parse(row.answer) as string[],
    csv: row.csv,
    receipt: row.receipt,
    registerNumber: row.register_number,
    presentedAt: row.presented_at,
    hasDocument: documents.length > 0,
    filer: { nif: row.filer_nif, name: row.filer_name },
    signer: { nif: row.signer_nif, name: row.signer_name, representation: row.representation },
    presenter: partyOf(row.presenter_nif, row.presenter_name),
    presenterAs: row.presenter_as,
    declarant: partyOf(row.declarant_nif, row.declarant_name),
    otherParties: otherPartiesOf(row),
    approvedBy: row.approved_by,
    createdAt: new Date(row.created_at).toISOString(),
    settledAt: instant(row.settled_at),
  }
}
