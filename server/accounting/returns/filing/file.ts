/** Files a return that a person has confirmed, and asks what became of a sending. */
import { gzipSync } from 'node:zlib'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { returnPeriod } from '../schemes/units.ts'
import type { PeriodRequest } from '../schemes/units.ts'
import type { FilingChoices } from '../declaration/choices.ts'
import { declarationOf } from '../declaration/declaration.ts'
import type { ModelNumber } from '../contract.ts'
import { confirmationOf, spendFilingToken } from './confirm.ts'
import type { checkFilingContract, fileReturnContract, Sending, validateReturnContract } from './contract.ts'
import { choicesOf, fileOrFaults } from './prepare.ts'
import { fetchDocument, resolveSending } from './resolve.ts'
import { findSending, insertSending, sendingByConfirmation, sendingsOf } from './rows.ts'
import type { Place, SendingRow } from './rows.ts'
import { sendReturn } from './send.ts'
import type { FilingService, Signer } from './service.ts'
import { sendingView } from './views.ts'
import { openService } from './way.ts'

const OPEN: readonly SendingRow['state'][] = ['preparing', 'sent', 'unknown']

async function fresh(ctx: Ctx, row: SendingRow): Promise<Sending> {
  return sendingView(ctx, orNotFound(await findSending(ctx, row.public_id)))
}

/** Returns the person or key, as the history names it. */
const approverOf = (ctx: Ctx): string => ctx.actor.name

/** Spends the token and writes the sending, if the declaration still is what was shown. */
async function allowed(
  ctx: Ctx,
  token: string,
  place: Place & { asked: PeriodRequest; model: Parameters<typeof declarationOf>[1] },
  signer: Signer,
): Promise<{ row: SendingRow; isNew: boolean }> {
  const { model, year, period: code, asked } = place
  return ctx.transaction(async (tx) => {
    const confirmation = await confirmationOf(tx, token, { model, year, period: code })
    const earlier = await sendingByConfirmation(tx, confirmation.token_hash)
    // The same yes twice: the answer is that of the first.
    if (earlier) return { row: earlier, isNew: false }
    const choices = JSON.parse(confirmation.choices) as FilingChoices
    const period = await returnPeriod(tx, model, asked)
    const declared = await declarationOf(tx, model, period, choices)
    await spendFilingToken(tx, confirmation, { declared, signer })
    const file = fileOrFaults(declared)
    const sendings = await sendingsOf(tx, { model, year, period: code })
    if (sendings.some(({ state }) => OPEN.includes(state))) throw new AppError('filing_under_way')
    const publicId = tx.newId('fsn')
    await insertSending(tx, {
      book_id: tx.book.id,
      public_id: publicId,
      model,
      year,
      period: code,
      nature: choices.nature,
      kind: declared.kind ?? '',
      result_cents: declared.resultCents,
      boxes: JSON.stringify(declared.boxes),
      choices: JSON.stringify(declared.choices),
      file: gzipSync(file.bytes),
      content_hash: confirmation.content_hash,
      confirmation_hash: confirmation.token_hash,
      filer_nif: declared.filer.nif,
      filer_name: declared.filer.name,
      signer_nif: signer.nif,
      signer_name: signer.name,
      representation: signer.representation,
      approved_by: approverOf(tx),
      state: 'preparing',
      created_at: tx.now().getTime(),
    })
    await recordAudit(tx, {
      action: 'filing.approved',
      target: { type: 'filing', id: publicId, label: `${model} ${code} ${year}` },
    })
    await emitEvent(tx, 'filing.changed', { model, year, period: code })
    return { row: orNotFound(await findSending(tx, publicId)), isNew: true }
  })
}

async function serviceOf(ctx: Ctx): Promise<{ service: FilingService; signer: Signer }> {
  const opened = await openService(ctx)
  if (opened.service === null) throw new AppError('filing_not_possible', { details: { why: opened.why } })
  return opened
}

/**
 * Files a return once, as it was shown. The answer says what became of it; `unknown` is asked for in the background. The same
 * token again returns the same sending.
 */
export const fileReturn: UseCase<typeof fileReturnContract> = async (ctx, input) =>
  fileWith(ctx, input, await serviceOf(ctx))

/** Files a return with these services. */
export async function fileWith(
  ctx: Ctx,
  input: Pick<
    ContractInput<typeof fileReturnContract>,
    'model' | 'year' | 'quarter' | 'month' | 'confirmationToken' | 'withoutValidation'
  >,
  { service, signer }: { service: FilingService; signer: Signer },
): Promise<Sending> {
  const { model } = input
  const { year, code } = await returnPeriod(ctx, model, input)
  const place = { model, year, period: code, asked: input }
  const { row, isNew } = await allowed(ctx, input.confirmationToken, place, signer)
  if (!isNew) return fresh(ctx, row)
  failpoint('filing.approved')
  await sendReturn(ctx, row, service, input)
  const sent = orNotFound(await findSending(ctx, row.public_id))
  if (sent.state === 'accepted') await fetchDocument(ctx, sent, service)
  return fresh(ctx, row)
}

/** Models whose files a service checks before they are filed: self-assessments, not those that only inform. */
const VALIDATED: readonly ModelNumber[] = ['303', '130', '131', '111', '115', '123', '390']

/** Has the agency check the file. Only on a person's wish: it sends the figures of the company. */
export const validateReturn: UseCase<typeof validateReturnContract> = async (ctx, input) => {
  const period = await returnPeriod(ctx, input.model, input)
  if (!VALIDATED.includes(input.model))
    throw new AppError('filing_not_possible', { details: { why: 'informative' } })
  const { bytes } = fileOrFaults(await declarationOf(ctx, input.model, period, choicesOf(input)))
  const { service } = await serviceOf(ctx)
  const answer = await service.validate({
    model: input.model,
    year: period.year,
    period: period.code,
    text: Buffer.from(bytes).toString('latin1'),
  })
  return {
    state: answer.kind,
    errors: answer.kind === 'invalid' ? answer.errors : [],
    notices: answer.kind === 'valid' ? answer.notices : [],
    detail: answer.kind === 'unavailable' ? answer.detail : null,
    draft: answer.kind === 'valid' && answer.draft ? Buffer.from(answer.draft).toString('base64') : null,
  }
}

/** Asks the agency now about a sending whose answer was lost, or for a receipt that is missing. */
export const checkFiling: UseCase<typeof checkFilingContract> = async (ctx, { id }) => {
  const row = orNotFound(await findSending(ctx, id))
  const { service } = await serviceOf(ctx)
  if (row.state === 'unknown' || row.state === 'not_found') await resolveSending(ctx, row, service)
  const now = orNotFound(await findSending(ctx, id))
  if (now.state === 'accepted' && !(await sendingView(ctx, now)).hasDocument)
    await fetchDocument(ctx, now, service)
  return fresh(ctx, row)
}
