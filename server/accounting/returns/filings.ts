/**
 * Marks returns as filed, withdraws the mark, and stores the boxes that only the user knows. What Sello files itself is in
 * filing/.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import { findCompany } from '../../company/index.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { centsFromEuros } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type {
  fiscalMarkFiledContract,
  fiscalProfileContract,
  fiscalSetInputContract,
  fiscalSetProfileContract,
  fiscalWithdrawFilingContract,
  ModelNumber,
} from './contract.ts'
import type { Computed } from './compute.ts'
import { computedOf, modelView } from './models/models.ts'
import { isTypedModel } from './models/typed/typed-returns.ts'
import type { ReturnPeriod } from './calendar/periods.ts'
import { correctedBoxes } from './declaration/corrected.ts'
import { laterNatures } from './declaration/kinds.ts'
import type { ReturnNature } from './declaration/kinds.ts'
import {
  findFilings,
  findProfile,
  insertFiling,
  replaceFilingRow,
  restoreReplacedRow,
  withdrawFilingRow,
  writeInput,
  writeProfile,
} from './rows.ts'
import type { FilingRow } from './rows.ts'
import { returnPeriod } from './schemes/units.ts'

/** Returns of the indirect tax, after which the books of their period can be closed. */
const SETTLING: readonly ModelNumber[] = ['303', '390', '420', '425']

/** Boxes of other returns that the user may type although they are otherwise computed or given. */
const TYPED_BESIDES: Partial<Record<ModelNumber, readonly string[]>> = {
  '303': ['110'],
  '420': ['43'],
  '130': ['lastYearNet'],
}

async function filingOf(ctx: Ctx, model: ModelNumber, period: ReturnPeriod) {
  const filings = await findFilings(ctx, model, { from: period.year, to: period.year })
  return filings.get(`${period.year} ${period.code}`)
}

const label = (model: ModelNumber, period: ReturnPeriod) => `${model} ${period.code} ${period.year}`

async function recordFilingChange(
  ctx: Ctx,
  action: string,
  model: ModelNumber,
  period: ReturnPeriod,
  id: string,
  detail?: string,
): Promise<void> {
  const said = detail === undefined ? label(model, period) : `${label(model, period)}: ${detail}`
  await recordAudit(ctx, { action, target: { type: 'filing', id, label: said } })
  await emitEvent(ctx, 'filing.changed', { model, year: period.year, period: period.code })
}

/** Returns the figures of a return; none of one whose boxes nobody has typed. */
const figuresOf = ({ model, values, resultCents }: Computed): Record<string, number> =>
  isTypedModel(model) && resultCents === null
    ? {}
    : Object.fromEntries(values.map(({ box, value }) => [box.box, value]))

/**
 * Returns the figures of a return beside an earlier one of its period. Throws `validation_failed` where the form knows no such
 * return, where there is no earlier one, and where it would not raise what is paid.
 */
export function filedFigures(
  computed: Computed,
  nature: ReturnNature,
  earlier: FilingRow | null,
): { boxes: Record<string, number>; resultCents: Cents } {
  const { model } = computed
  const resultCents = computed.resultCents ?? 0
  const boxes = figuresOf(computed)
  if (nature === 'first') return { boxes, resultCents }
  const later = laterNatures(model)
  if (!later.includes(nature))
    throw validationFailed([
      {
        code: 'nature_not_allowed',
        field: 'nature',
        severity: 'error',
        message: `Model ${model} knows no such return.`,
        fix: later.length > 0 ? `Choose ${later.join(' or ')}.` : 'File what changes in a later return.',
      },
    ])
  if (earlier === null)
    throw validationFailed([
      {
        code: 'earlier_unknown',
        field: 'nature',
        severity: 'error',
        message: 'The earlier return of this period is not known here, and the result depends on it.',
        fix: 'Mark the earlier one as filed first.',
      },
    ])
  const { fault, ...corrected } = correctedBoxes(model, boxes, {
    choices: { nature },
    earlier,
    resultCents,
  })
  if (fault?.severity === 'error') throw validationFailed([fault])
  return corrected
}

/** Only IGIC limits its refunds to the last quarter here; the 303 has its register of monthly refunds. */
const REFUNDED_AT_YEAR_END: readonly ModelNumber[] = ['420']

const mayAskRefund = (model: ModelNumber, { months }: ReturnPeriod): boolean =>
  !REFUNDED_AT_YEAR_END.includes(model) || months.to % 100 === 12

export const refundNotNow: Fault = {
  code: 'refund_not_now',
  field: 'outcome',
  severity: 'error',
  message: 'A refund can be asked for in the fourth quarter only.',
  fix: 'Offset the result in later quarters.',
}

/** Stores the amounts with which a return was filed. Returns the day up to which the books can now be closed. */
export const markFiled: UseCase<typeof fiscalMarkFiledContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const period = await returnPeriod(tx, input.model, input)
    const nature = input.nature ?? 'first'
    const earlier = (await filingOf(tx, input.model, period)) ?? null
    if (nature === 'first' && earlier) throw new AppError('already_filed')
    const computed = await computedOf(tx, input.model, period)
    const { boxes, resultCents } = filedFigures(computed, nature, earlier)
    const today = tx.today()
    const filedOn = input.filedOn ?? today
    if (filedOn > today || filedOn <= period.from)
      throw validationFailed([
        {
          code: 'date_out_of_range',
          field: 'filedOn',
          severity: 'error',
          message: 'A return is filed after its period began, and not in the future.',
        },
      ])
    if (input.outcome === 'refund' && !mayAskRefund(input.model, period))
      throw validationFailed([refundNotNow])
    const outcome = input.outcome ?? (resultCents > 0 ? 'pay' : resultCents < 0 ? 'offset' : 'none')
    const publicId = tx.newId('fil')
    if (earlier) await replaceFilingRow.run(tx.db, { id: earlier.id, at: tx.now().getTime(), by: publicId })
    await insertFiling.run(tx.db, {
      bookId: tx.book.id,
      publicId,
      model: input.model,
      year: period.year,
      period: period.code,
      filedOn,
      outcome,
      resultCents,
      reference: input.reference?.trim() ?? null,
      boxes: JSON.stringify(boxes),
      createdAt: tx.now().getTime(),
      nature,
      source: 'marked',
      receipt: receiptIn(input.model, input.reference),
      withdrawnAt: null,
      replacedBy: null,
    })
    await recordFilingChange(tx, 'filing.marked', input.model, period, publicId)
    const settlesBooks = SETTLING.includes(input.model)
    return {
      model: await modelView(tx, input.model, period),
      lockUntil: settlesBooks && today > period.to ? period.to : null,
    }
  })

/** Returns a reference that is the number of a receipt; null for any other text. */
function receiptIn(model: ModelNumber, reference: string | undefined): string | null {
  const number = reference?.trim() ?? ''
  return /^\d{13}$/.test(number) && number.startsWith(model) ? number : null
}

/** Withdraws the mark; the row stays, as withdrawn, and the return that it completed or replaced stands again. Throws `filed_by_service` for what the agency has accepted. */
export const withdrawFiling: UseCase<typeof fiscalWithdrawFilingContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const period = await returnPeriod(tx, input.model, input)
    const filing = orNotFound(await filingOf(tx, input.model, period))
    if (filing.source === 'service') throw new AppError('filed_by_service')
    await withdrawFilingRow.run(tx.db, { id: filing.id, at: tx.now().getTime() })
    await restoreReplacedRow.run(tx.db, { bookId: tx.book.id, by: filing.publicId })
    await recordFilingChange(tx, 'filing.withdrawn', input.model, period, filing.publicId)
    return modelView(tx, input.model, period)
  })

/** Sets or clears a typed box. */
export const setInput: UseCase<typeof fiscalSetInputContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const period = await returnPeriod(tx, input.model, input)
    // What is filed changes only for a later return, which says why.
    if (input.reason === undefined && (await filingOf(tx, input.model, period)))
      throw new AppError('already_filed')
    const computed = await computedOf(tx, input.model, period)
    const isTyped =
      computed.values.some(({ box }) => box.box === input.box && box.input === true) ||
      TYPED_BESIDES[input.model]?.includes(input.box) === true
    if (!isTyped)
      throw validationFailed([
        {
          code: 'not_allowed',
          field: 'box',
          severity: 'error',
          message: 'That box follows from the books.',
          fix: 'Change the documents behind it.',
        },
      ])
    const isCount = computed.values.some(
      ({ box }) => box.box === input.box && (box.kind === 'count' || box.kind === 'code'),
    )
    if (isCount && input.amount !== null && (!Number.isInteger(input.amount) || input.amount < 0))
      throw validationFailed([
        {
          code: 'not_a_count',
          field: 'amount',
          severity: 'error',
          message: 'That box takes a whole number.',
          fix: 'Send how many there are.',
        },
      ])
    const cents = input.amount === null ? null : isCount ? input.amount : centsFromEuros(input.amount)
    // The previous year's net income is one value for the whole year.
    const code = input.box === 'lastYearNet' ? '0A' : period.code
    await writeInput(
      tx,
      { model: input.model, year: period.year, period: code, box: input.box },
      cents,
      input.reason?.trim() ?? null,
    )
    await recordFilingChange(
      tx,
      'filing.box_typed',
      input.model,
      period,
      `${input.model}.${input.box}`,
      `[${input.box}] ${input.amount ?? '—'}`,
    )
    return modelView(tx, input.model, period)
  })

/** Returns the fiscal profile. */
export const getProfile: UseCase<typeof fiscalProfileContract> = async (ctx) =>
  findProfile(ctx, await findCompany(ctx))

/** Replaces the fiscal profile. */
export const setProfile: UseCase<typeof fiscalSetProfileContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    await writeProfile(tx, input)
    await recordAudit(tx, {
      action: 'fiscal.profile_changed',
      target: { type: 'company', id: tx.book.publicId },
    })
    await emitEvent(tx, 'filing.changed', { model: null })
    return findProfile(tx, await findCompany(tx))
  })
