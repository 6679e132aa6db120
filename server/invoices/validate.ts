/** Validate: every rule before an irreversible step, a preview of what would be registered, and the token for it. */
import { recordAudit } from '../audit/index.ts'
import type { BusinessDate } from '../core/dates.ts'
import { validationFailed } from '../core/errors.ts'
import type { Fault } from '../core/errors.ts'
import { eurosFromCents } from '../core/money.ts'
import type { Totals } from '../core/totals.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import { amendableFacts } from './amendments.ts'
import { mintConfirmation } from './confirmations.ts'
import type { ConfirmedAction } from './confirmations.ts'
import type { DraftContent } from './content.ts'
import type { ValidationResult } from './contract.ts'
import { draftRow } from './drafts.ts'
import { examineDraft } from './examine.ts'
import { examineRecord } from './examine-record.ts'
import type { RecordExamination, RecordRequest } from './examine-record.ts'
import { issuedRow, readInvoice } from './get.ts'
import { partyView } from './parties.ts'
import type { PartyFacts } from './parties.ts'
import type { InvoiceRow } from './rows.ts'
import { summaryForUser } from './summary-for-user.ts'
import { breakdownView, withholdingView } from './view.ts'

type Preview = ValidationResult['preview']

/** What validate has to say, whatever step it was asked about. */
interface Examined {
  row: InvoiceRow
  /** Binds the token to what is shown. */
  hash: Buffer
  faults: Fault[]
  preview: Preview
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

/**
 * Whether a person has to say yes before this key's step takes effect: in live books always, unless the key was made
 * with `approval: never`; a person at the window is that yes.
 */
export function approvalRequired(ctx: Ctx): boolean {
  if (ctx.book.mode === 'test' || ctx.actor.kind !== 'key') return false
  return ctx.actor.approval === 'always' || ctx.channel === 'mcp'
}

function mayIssue(ctx: Ctx): boolean {
  return ctx.actor.kind !== 'key' || ctx.actor.scopes.includes('invoices.issue')
}

async function confirm(
  ctx: Ctx,
  { row, hash }: Examined,
  request: StepRequest,
): Promise<NonNullable<ValidationResult['confirmation']>> {
  const { token, expiresAt } = await mintConfirmation(ctx, {
    action: request.action,
    invoiceId: row.id,
    version: row.version,
    contentHash: hash,
    details: request.action === 'amend' ? JSON.stringify(request.changes) : null,
  })
  await recordAudit(ctx, {
    action: 'invoice.confirmation_given',
    target: { type: 'invoice', id: row.public_id },
  })
  const required = approvalRequired(ctx)
  return {
    confirmationToken: token,
    expiresAt: new Date(expiresAt).toISOString(),
    contentHash: hash.toString('hex'),
    approval: { required, status: required ? 'pending' : 'not_required' },
  }
}

type StepRequest = { action: Extract<ConfirmedAction, 'issue'> } | RecordRequest

function requestOf({ action = 'issue', changes }: ParsedInputOf<'invoices.validate'>): StepRequest {
  if (action === 'amend') return { action, changes: changes ?? {} }
  if (changes !== undefined)
    throw validationFailed([
      {
        code: 'changes_without_amend',
        field: 'changes',
        severity: 'error',
        message: 'Changes go with action amend only.',
        fix: 'Set action to amend, or change the draft itself.',
      },
    ])
  return { action }
}

/** Check a step before it is taken; when it may be and the caller may take it, mint the token. */
export const validateInvoice: UseCase<
  ParsedInputOf<'invoices.validate'>,
  OutputOf<'invoices.validate'>
> = async (ctx, input) => {
  const { id, expectedVersion } = input
  const request = requestOf(input)
  const examine = async (within: Ctx): Promise<Examined> => {
    if (request.action === 'issue') {
      const row = await draftRow(within, id, expectedVersion)
      const examination = await examineDraft(within, row)
      const { hash, faults, content } = examination
      return { row, hash, faults, preview: previewOf({ ...examination, client: content.client }) }
    }
    const row = await issuedRow(within, id, expectedVersion)
    const examination = await examineRecord(within, row, request)
    return { row, hash: examination.hash, faults: examination.faults, preview: recordPreview(examination) }
  }
  const answer = ({ faults, preview }: Examined): ValidationResult => ({
    valid: !faults.some((fault) => fault.severity === 'error'),
    issues: faults,
    summaryForUser: summaryForUser(request.action, preview, faults),
    preview,
  })
  if (!mayIssue(ctx)) return readInvoice(ctx, id, async () => answer(await examine(ctx)))
  return ctx.transaction(async (tx) => {
    const examined = await examine(tx)
    const result = answer(examined)
    return result.valid ? { ...result, confirmation: await confirm(tx, examined, request) } : result
  })
}
