/** Corrects an issued invoice, checked by the preview that makes no draft; accepting makes the draft. */
import type { Ctx } from '../../context.ts'
import type { ActionRequestOf, Assessment, Outcome, ProposedChange } from '../approvals/index.ts'
import {
  getInvoice,
  previewRectification,
  rectifyInvoice,
  rectifyOptions,
} from '../../sales/invoices/index.ts'
import { startInvoiceAssessment, alternativeAction } from './invoice.ts'
import type { CheckAction } from './invoice.ts'
import { point, splitFaults, runCheck } from './points.ts'

type Params = ActionRequestOf<'correct_invoice'>['params']
type Options = Awaited<ReturnType<typeof rectifyOptions>>
type Preview = Awaited<ReturnType<typeof previewRectification>>

/** Returns the input of the operation. */
function inputOf(id: string, { text, ...params }: Params, cause: NonNullable<Params['cause']>) {
  return { ...params, id, cause, ...(text == null ? {} : { reason: text }) }
}

const LINE_FIELDS = ['description', 'quantity', 'net'] as const

/**
 * Returns the changes between the invoice's lines and the draft's: line by line for a substitution, the draft's lines
 * for a difference.
 */
function lineChanges({ lines: before }: Options, { method, lines }: Preview): ProposedChange[] {
  const changes: ProposedChange[] = []
  for (let index = 0; index < Math.max(method === 'S' ? before.length : 0, lines.length); index++)
    for (const field of LINE_FIELDS) {
      const from = method === 'S' ? (before[index]?.[field] ?? null) : null
      const to = lines[index]?.[field] ?? null
      if (from !== to) changes.push({ field: `lines[${index}].${field}`, from, to })
    }
  return changes
}

async function customerChanges(ctx: Ctx, id: string, params: Params): Promise<ProposedChange[]> {
  if (params.clientName === undefined && params.clientNif === undefined) return []
  const invoice = await getInvoice(ctx, { id })
  return (['clientName', 'clientNif'] as const).flatMap((field) => {
    const to = params[field]
    return to === undefined || to === invoice[field] ? [] : [{ field, from: invoice[field], to }]
  })
}

export async function checkCorrection(
  ctx: Ctx,
  asked: ActionRequestOf<'correct_invoice'>,
  judge: CheckAction | null,
): Promise<Assessment> {
  const { row, base } = await startInvoiceAssessment(ctx, asked, (name) => `Correct ${name}`)
  if (!row) return base
  if (row.state !== 'issued')
    return {
      ...base,
      blockers: [point('correct_draft', 'It is not issued: a draft is simply edited.')],
      alternatives: judge
        ? await alternativeAction(ctx, judge, 'issue_invoice', row, 'The draft can be edited and issued.')
        : [],
    }
  const { params } = asked
  const options = await rectifyOptions(ctx, { id: row.public_id })
  // Without a cause the person chooses one; it does not affect whether anything is left to correct.
  const cause = params.cause ?? options.causes.find(({ kind }) => kind !== null)?.cause
  if (!cause)
    return { ...base, blockers: [point('nothing_left_to_rectify', 'Nothing of it can be rectified.')] }
  const outcome = await runCheck(() => previewRectification(ctx, inputOf(row.public_id, params, cause)))
  if ('blockers' in outcome) return { ...base, ...outcome }
  const stays = point('correct_stays', 'The invoice itself stays as it is.')
  if (params.cause === undefined)
    return { ...base, effects: [point('correct_wizard', 'A person chooses why and what.'), stays] }
  const { answer: preview } = outcome
  const changes = [
    ...(await customerChanges(ctx, row.public_id, params)),
    ...lineChanges(options, preview),
    { field: 'total', from: options.left.total, to: preview.leftAfter },
  ].filter(({ from, to }) => from !== to)
  const { kind, total, leftAfter } = preview
  return {
    ...base,
    ...splitFaults(preview.issues),
    impact: { base: preview.base, tax: preview.tax },
    changes,
    effects: [
      point('correct_draft_made', `A rectifying draft (${kind}) over ${total} euros is made.`, {
        kind,
        amount: total,
      }),
      point('correct_left', `With it ${leftAfter} euros of the invoice stand.`, { amount: leftAfter }),
      stays,
    ],
  }
}

/** Makes the draft; without a cause, the person must choose one first. */
export async function acceptCorrection(
  tx: Ctx,
  { targetId, params }: ActionRequestOf<'correct_invoice'>,
): Promise<Outcome> {
  const id = targetId ?? ''
  if (params.cause === undefined) return { step: 'rectify', invoiceId: id }
  return { step: 'draft', invoiceId: (await rectifyInvoice(tx, inputOf(id, params, params.cause))).id }
}
