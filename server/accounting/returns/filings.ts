/**
 * Marks returns as filed, withdraws the mark, and stores the boxes that only the user knows. What Sello files itself is in
 * filing/.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import { findCompany } from '../../company/index.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { centsFromEuros } from '../../domain/money.ts'
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
import {
  findFilings,
  findProfile,
  insertFiling,
  withdrawFilingRow,
  writeInput,
  writeProfile,
} from './rows.ts'
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

/** Stores the amounts with which a return was filed. Returns the day up to which the books can now be closed. */
export const markFiled: UseCase<typeof fiscalMarkFiledContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const period = await returnPeriod(tx, input.model, input)
    if (await filingOf(tx, input.model, period)) throw new AppError('already_filed')
    const computed = await computedOf(tx, input.model, period)
    const resultCents = computed.resultCents ?? 0
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
    const outcome = input.outcome ?? (resultCents > 0 ? 'pay' : resultCents < 0 ? 'offset' : 'none')
    const publicId = tx.newId('fil')
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
      boxes: JSON.stringify(figuresOf(computed)),
      createdAt: tx.now().getTime(),
      nature: 'first',
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

/** Withdraws the mark; the row stays, as withdrawn. Throws `filed_by_service` for what the agency has accepted. */
export const withdrawFiling: UseCase<typeof fiscalWithdrawFilingContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const period = await returnPeriod(tx, input.model, input)
    const filing = orNotFound(await filingOf(tx, input.model, period))
    if (filing.source === 'service') throw new AppError('filed_by_service')
    await withdrawFilingRow.run(tx.db, { id: filing.id, at: tx.now().getTime() })
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
