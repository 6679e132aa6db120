/** Rectifies an issued invoice: the draft that credits or corrects it, and the choices for it. */
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import type {
  previewRectificationContract,
  rectifyInvoiceContract,
  rectifyOptionsContract,
} from './rectify-contract.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import { taxSystemOfCode } from '../../../tax/systems/index.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { composeDraft, inputOf } from '../draft/compose.ts'
import { inputFault } from '../draft/faults.ts'
import type { Assumption } from '../draft/faults.ts'
import { documentTotals } from '../content.ts'
import type { DraftContent } from '../content.ts'
import type { DraftInput } from '../contract.ts'
import { clearedFor } from '../fields.ts'
import { createDraft } from '../draft/drafts.ts'
import { issuedRow } from '../read/get.ts'
import {
  CAUSES,
  lastDayToRectify,
  RECTIFY_CAUSES,
  rectificationKind,
  termWarnings,
} from './rectify-causes.ts'
import type { KindChoice, RectifyCause, RectifyMethod } from './rectify-causes.ts'
import { rectifyMessages } from './rectify-messages.ts'
import { differenceLines, creditSelections } from './rectify-lines.ts'
import type { Original } from './rectify-lines.ts'
import { referenceFaults } from '../references/check.ts'
import { familyOf, referringTo } from '../references/references.ts'
import {
  addStanding,
  grossCents,
  isFullyRectified,
  ownStanding,
  rectifiedState,
  replacement,
  standingOfFamily,
  standingTotal,
} from '../references/standing.ts'
import type { Family, Standing } from '../references/standing.ts'
import { contentOf } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'
import { breakdownView } from '../read/view.ts'

type RectifyInput = ContractInput<typeof rectifyInvoiceContract>

/** Issued invoice in force with its rectifications, before another one. */
interface Subject {
  row: InvoiceRow
  content: DraftContent
  family: Family
  left: Standing
}

async function subjectOf(ctx: Ctx, id: string): Promise<Subject> {
  const row = await issuedRow(ctx, id)
  const family = await familyOf(ctx, row.id)
  return { row, family, content: await contentOf(ctx.db, row), left: standingOfFamily(family) }
}

/** Throws when nothing is left to rectify: for an annulled, a replaced and a fully credited invoice. */
async function assertOpen(ctx: Ctx, { row, family, left }: Subject): Promise<void> {
  if (row.cancelled_at !== null)
    throw new AppError('invoice_not_in_force', { details: { id: row.public_id, number: row.number } })
  const replaced = replacement(family) ?? (await substituteOf(ctx, row.id))
  if (replaced)
    throw new AppError('invoice_replaced', {
      details: { id: row.public_id, replacedBy: { id: replaced.publicId, number: replaced.number } },
    })
  if (family.children.length > 0 && isFullyRectified(left))
    throw new AppError('nothing_left_to_rectify', {
      details: { id: row.public_id, rectifiedBy: family.children.map((child) => child.publicId) },
    })
}

/** Complete invoice in place of a ticket. */
async function substituteOf(ctx: Ctx, rowId: number): Promise<{ publicId: string; number: string } | null> {
  const [found] = (await referringTo(ctx, rowId, 'substitutes')).filter(
    (each) => each.state === 'issued' && each.cancelled_at === null,
  )
  return found ? { publicId: found.public_id, number: found.number ?? '' } : null
}

interface Choice {
  kind: KindChoice
  method: RectifyMethod
  assumptions: Assumption[]
}

function chooseKind({ row }: Subject, input: RectifyInput): Choice {
  const facts = CAUSES[input.cause]
  const kind = rectificationKind(input.cause, row.kind)
  if (kind === null)
    throw validationFailed([
      {
        ...inputFault(
          'cause_needs_client',
          'cause',
          `${row.number ?? ''} is a ticket: it names no debtor.`,
          "Make the complete invoice (F3) with the customer's data first, and rectify that.",
        ),
        params: { number: row.number ?? '' },
      },
    ])
  const asked = input.method
  if (asked !== undefined && !facts.methods.includes(asked))
    throw validationFailed([
      inputFault(
        'method_not_for_cause',
        'method',
        asked === 'S'
          ? 'What the customer owes does not change, so there is no new whole to state: the difference is.'
          : 'Nothing changes in the amounts, so there is no difference to state.',
        `Use method ${facts.methods[0]}.`,
      ),
    ])
  const method = asked ?? (isCredit(input) ? 'I' : facts.methods[0])
  const assumptions: Assumption[] = [
    { field: 'kind', value: kind.kind, why: `${kind.why} (${kind.article})` },
  ]
  if (asked === undefined)
    assumptions.push({
      field: 'rectification.method',
      value: method,
      why:
        method === 'I'
          ? 'The lines say the difference, with its sign.'
          : 'The lines say the right figures; the invoice takes the place of the one before.',
    })
  return { kind, method, assumptions }
}

/** True when a part of it is named, so that it is a difference. */
function isCredit(input: RectifyInput): boolean {
  return input.lines !== undefined || input.percent !== undefined || input.amount !== undefined
}

/** Returns the operation date. A rate that is no longer in force needs the day of the operation, which is then stated. */
function operationDateOf(subject: Subject, input: RectifyInput, today: string): string | null {
  const { row, content } = subject
  const day = input.issueDate ?? today
  const system = taxSystemOfCode(content.tax)
  const isOld = content.lines.some(
    ({ taxTreatment, vatRateBp, isDisbursement }) =>
      taxTreatment === 'S1' && !isDisbursement && vatRateBp !== null && !system.rateAt(vatRateBp, day),
  )
  return isOld ? (row.operation_date ?? row.issue_date ?? day) : null
}

/** Returns the input of the rectifying draft. Throws `validation_failed` for a request that cannot be met. */
function draftInput(ctx: Ctx, subject: Subject, input: RectifyInput, choice: Choice): DraftInput {
  const { row, content, family, left } = subject
  const { method, kind } = choice
  if (creditSelections(input) > 1)
    throw validationFailed([
      inputFault(
        'credit_ambiguous',
        'lines',
        'Say in one way what is credited.',
        'Give one of lines, percent, amount or newLines.',
      ),
    ])
  if (method === 'S' && isCredit(input))
    throw validationFailed([
      inputFault(
        'credit_with_substitution',
        'method',
        'A part is credited by difference; a substitution states the whole anew.',
        'Use method I, or give newLines.',
      ),
    ])
  const before = inputOf(content)
  const faults: Fault[] = []
  const original: Original = {
    content,
    lines: before.lines,
    number: row.number ?? '',
    own: family.own,
    left,
    isRectified: family.children.length > 0,
  }
  const made =
    method === 'I'
      ? differenceLines(original, input, faults)
      : {
          lines: [...(input.newLines ?? before.lines)],
          priceMode: content.priceMode,
          discountPct: input.newLines ? 0 : content.discountBp / 100,
        }
  if (faults.length > 0) throw validationFailed(faults)
  // A substitution replaces the invoice and its earlier corrections.
  const rectified = [row.public_id, ...(method === 'S' ? family.children.map((child) => child.publicId) : [])]
  const { clientName, clientNif, clientId, client, ...rest } = before
  const others = input.clientId !== undefined && input.clientId !== clientId
  const customer = others
    ? { clientName: input.clientName ?? clientName, clientId: input.clientId }
    : {
        clientName: input.clientName ?? clientName,
        clientNif: input.clientNif === undefined ? clientNif : input.clientNif,
        clientId,
        client: { ...client, ...input.client },
      }
  return {
    ...rest,
    ...customer,
    ...(others && input.clientNif !== undefined ? { clientNif: input.clientNif } : {}),
    ...(others && input.client ? { client: input.client } : {}),
    kind: kind.kind,
    lines: made.lines,
    priceMode: made.priceMode,
    discountPct: made.discountPct,
    discountAmount: method === 'S' && !input.newLines ? content.discountCents / 100 : 0,
    series: null,
    issueDate: input.issueDate ?? null,
    ...clearedFor('rectification'),
    operationDate: operationDateOf(subject, input, ctx.today()),
    rectifies: rectified.map((id) => ({ id })),
    substitutes: [],
    rectification: {
      method,
      cause: input.cause,
      reason: input.reason ?? rectifyMessages(content.language, content.tax).causes[input.cause],
    },
  }
}

async function prepareDraft(
  ctx: Ctx,
  input: RectifyInput,
): Promise<{ subject: Subject; choice: Choice; draft: DraftInput }> {
  const subject = await subjectOf(ctx, input.id)
  await assertOpen(ctx, subject)
  const choice = chooseKind(subject, input)
  return { subject, choice, draft: draftInput(ctx, subject, input, choice) }
}

/** Makes the rectifying draft of an issued invoice. */
export const rectifyInvoice: UseCase<typeof rectifyInvoiceContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { choice, draft } = await prepareDraft(tx, input)
    const made = await createDraft(tx, draft)
    return { ...made, assumptions: [...choice.assumptions, ...(made.assumptions ?? [])] }
  })

/** Returns the content of the draft; nothing is written. */
export const previewRectification: UseCase<typeof previewRectificationContract> = async (ctx, input) => {
  const { subject, choice, draft } = await prepareDraft(ctx, input)
  const { content } = await composeDraft(ctx, draft)
  const totals = documentTotals(content)
  const after = choice.method === 'S' ? ownStanding(totals) : addStanding(subject.left, ownStanding(totals))
  return {
    kind: choice.kind.kind,
    method: choice.method,
    lines: content.lines.map((line, index) => ({
      description: line.description,
      quantity: line.quantityMicro / 1_000_000,
      net: eurosFromCents(totals.lineNetsCents[index] ?? 0),
    })),
    taxBreakdown: breakdownView(totals),
    base: eurosFromCents(totals.baseCents),
    tax: eurosFromCents(totals.taxCents),
    total: eurosFromCents(totals.totalCents),
    leftAfter: eurosFromCents(standingTotal(after)),
    issues: await referenceFaults(ctx, content, content.issueDate ?? ctx.today(), null),
  }
}

function optionOf(cause: RectifyCause, { row, content }: Subject, today: string) {
  const facts = CAUSES[cause]
  const choice = rectificationKind(cause, row.kind)
  return {
    cause,
    kind: choice?.kind ?? null,
    article: choice?.article ?? facts.article,
    why: choice?.why ?? facts.why,
    text: rectifyMessages(content.language, content.tax).causes[cause],
    methods: [...facts.methods],
    warnings: termWarnings({
      cause,
      issueDate: today,
      accrualDate: content.operationDate ?? row.issue_date ?? today,
      baseCents: row.base_cents,
    }),
  }
}

/** Returns the causes for which an issued invoice can be rectified, and how much of it is left. */
export const rectifyOptions: UseCase<typeof rectifyOptionsContract> = async (ctx, { id }) => {
  const subject = await subjectOf(ctx, id)
  const { row, content, family, left } = subject
  const totals = documentTotals(content)
  const sum = (pick: (tax: Standing['taxes'][number]) => number) =>
    eurosFromCents(left.taxes.reduce((cents, tax) => cents + pick(tax), 0))
  const replaced = replacement(family) ?? (await substituteOf(ctx, row.id))
  const drafts = (await referringTo(ctx, row.id, 'rectifies')).filter((each) => each.state === 'draft')
  const accrual = content.operationDate ?? family.issueDate
  return {
    id: row.public_id,
    number: row.number ?? '',
    kind: row.kind,
    currency: row.currency,
    priceMode: row.price_mode,
    rectified: rectifiedState(family),
    replacedBy: replaced ? { id: replaced.publicId, number: replaced.number } : null,
    left: {
      taxBreakdown: left.taxes.map((tax) => ({
        taxTreatment: tax.taxTreatment,
        regimeKey: tax.regimeKey,
        vatRate: tax.vatRateBp === null ? null : tax.vatRateBp / 100,
        base: eurosFromCents(tax.baseCents),
        tax: eurosFromCents(tax.taxCents),
        ...(tax.surchargeRateBp === null
          ? {}
          : { surchargeRate: tax.surchargeRateBp / 100, surcharge: eurosFromCents(tax.surchargeCents) }),
      })),
      base: sum((tax) => tax.baseCents),
      tax: sum((tax) => grossCents(tax) - tax.baseCents - tax.outsideCents),
      total: eurosFromCents(standingTotal(left)),
    },
    lines: content.lines.map((line, index) => ({
      index,
      description: line.description,
      quantity: line.quantityMicro / 1_000_000,
      net: eurosFromCents(totals.lineNetsCents[index] ?? 0),
    })),
    drafts: drafts.map((each) => ({ id: each.public_id })),
    lastDay: lastDayToRectify(accrual),
    causes: RECTIFY_CAUSES.filter((cause) => cause !== 'period_discount').map((cause) =>
      optionOf(cause, subject, ctx.today()),
    ),
  }
}
