/** Examines any step before it is performed: its effect, its faults, and its preview. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Totals } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import { amendableFacts } from '../correct/amendments.ts'
import type { ConfirmedAction } from './confirmations.ts'
import { owedInstalments } from '../content.ts'
import type { DraftContent } from '../content.ts'
import type { InvoiceLine, ValidationResult } from '../contract.ts'
import { draftRow } from '../draft/drafts.ts'
import { examineDraft } from './examine.ts'
import { examineRecord } from '../correct/examine-record.ts'
import type { RecordExamination, RecordRequest } from '../correct/examine-record.ts'
import { issuedRow } from '../read/get.ts'
import { partyView } from '../draft/parties.ts'
import type { PartyFacts } from '../draft/parties.ts'
import type { InvoiceRow } from '../rows.ts'
import { breakdownView, lineViews, withholdingView } from '../read/view.ts'

type Preview = ValidationResult['preview']

export type StepRequest = { action: Extract<ConfirmedAction, 'issue'> } | RecordRequest

/** Result of the examination of a step. */
export interface Examined {
  row: InvoiceRow
  /** Binds the token to the content shown. */
  hash: Buffer
  faults: Fault[]
  preview: Preview
  lines: InvoiceLine[]
}

interface Shown {
  content: DraftContent
  client: PartyFacts
  totals: Totals
  issuer: PartyFacts
  number: string
  issueDate: BusinessDate
  environment: Preview['environment']
}

function previewOf({ content, client, totals, issuer, number, issueDate, environment }: Shown): Preview {
  const withholding = withholdingView(totals)
  const instalments = owedInstalments(content, totals)
  return {
    number,
    kind: content.kind,
    issueDate,
    untrusted: true,
    issuer: partyView(issuer),
    client: partyView(client),
    taxBreakdown: breakdownView(totals),
    total: eurosFromCents(totals.totalCents),
    ...(withholding ? { withholding } : {}),
    amountDue: eurosFromCents(totals.amountDueCents),
    ...(instalments.length === 0
      ? {}
      : {
          instalments: instalments.map(({ dueDate, cents }) => ({ dueDate, amount: eurosFromCents(cents) })),
        }),
    environment,
  }
}

function recordPreview(examination: RecordExamination): Preview {
  const { record, reactivates, totals } = examination
  if (record.kind === 'cancellation')
    return {
      ...previewOf(examination),
      record: { kind: record.kind, turn: record.cancellation.turn, reactivates, changes: [] },
    }
  const { registration, changes } = record
  const taxes = totals.taxes.map((tax, index) => {
    const { taxTreatment, regimeKey, vatRateBp } = registration.breakdown[index] ?? tax
    return { ...tax, taxTreatment, regimeKey: regimeKey ?? tax.regimeKey, vatRateBp }
  })
  return {
    ...previewOf({ ...examination, totals: { ...totals, taxes } }),
    record: {
      kind: record.kind,
      turn: registration.turn,
      reactivates,
      changes,
      registration: amendableFacts(registration),
    },
  }
}

/** Examines a step as if it were performed now. Throws when the invoice is in no state for it. */
export async function examineStep(
  ctx: Ctx,
  id: string,
  request: StepRequest,
  expectedVersion?: number,
): Promise<Examined> {
  if (request.action === 'issue') {
    const row = await draftRow(ctx, id, expectedVersion)
    const examination = await examineDraft(ctx, row)
    const { hash, faults, content, totals } = examination
    const preview = previewOf({ ...examination, client: content.client })
    return { row, hash, faults, preview, lines: lineViews(content, totals) }
  }
  const row = await issuedRow(ctx, id, expectedVersion)
  const examination = await examineRecord(ctx, row, request)
  const { hash, faults, content, totals } = examination
  return { row, hash, faults, preview: recordPreview(examination), lines: lineViews(content, totals) }
}
