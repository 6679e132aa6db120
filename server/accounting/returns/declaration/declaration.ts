/**
 * Makes the declaration of a return: the boxes as they are filed, how the result is settled, the file in the agency's
 * layout, and everything that stands against filing it. What cannot be known is a fault, never a guess.
 */
import { createHash } from 'node:crypto'
import { readIban } from '../../../domain/iban.ts'
import type { Ctx } from '../../../context.ts'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Cents } from '../../../domain/money.ts'
import { obligationOf } from '../calendar/obligations.ts'
import { isLastOfYear } from '../calendar/periods.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'
import { standingOf } from '../calendar/filing-duty.ts'
import { computeModel } from '../compute.ts'
import type { Computed } from '../compute.ts'
import type { ModelNumber } from '../contract.ts'
import { isTypedModel } from '../models/typed/typed-returns.ts'
import { encodeFile } from '../files/file.ts'
import type { FileRecord, ReturnFile } from '../files/file.ts'
import { layoutFor } from '../files/layout.ts'
import { findFilings, lastPaymentKind } from '../rows.ts'
import type { FilingRow } from '../rows.ts'
import { schemeFaults } from '../schemes/faults.ts'
import type { Schemes } from '../schemes/schemes.ts'
import { knownFaults, territoryFaults, typedFaults } from './checks/duty.ts'
import { accountAbroad, isSepa, writtenBank } from './checks/abroad.ts'
import { fault } from './checks/fault.ts'
import { laterBoxFaults, natureFaults } from './checks/nature.ts'
import { asksAccount, settlementFaults } from './checks/settlement.ts'
import type { FilingChoices, Filer } from './choices.ts'
import { faultsOfClosing } from './closing.ts'
import type { Boxes } from './closing.ts'
import { correctedBoxes } from './corrected.ts'
import { filerOf } from './filer.ts'
import { hasFile, isListModel, LISTS } from './declared-models.ts'
import type { DeclaredModel, ListModel } from './declared-models.ts'
import { kindsFor } from './kinds.ts'
import type { ReturnKind } from './kinds.ts'
import { faultsOfActivities } from './modules-131.ts'
import { records369 } from './one-stop-shop.ts'
import { faultsOfBoxes, faultsOfRates, hasWholeName, pagesOf, statementsOf } from './pages.ts'
import type { Statement } from './pages.ts'
import type { ListHead } from './parties.ts'

export interface Declaration {
  model: DeclaredModel
  period: ReturnPeriod
  filer: Filer
  choices: FilingChoices
  /** The kinds that the result allows; empty for what only informs. */
  kinds: ReturnKind[]
  kind: ReturnKind | null
  /** To pay; negative in favour of the business; 0 for what only informs. */
  resultCents: Cents
  boxes: Boxes
  computed: Computed
  /** The filing of this period that is in force. */
  earlier: FilingRow | null
  faults: Fault[]
  /** What a VAT return states of the business, by mark; empty for others, and while nobody has stated its schemes. */
  statements: Statement[]
  /** Null while an error stands against it. */
  file: { name: string; bytes: Uint8Array; content: ReturnFile } | null
  /** Hash of all that a person confirms; null without a file. */
  contentHash: Uint8Array | null
}

function boxesOf(computed: Computed): Record<string, number> {
  const boxes = Object.fromEntries(computed.values.map(({ box, value }) => [box.box, value]))
  // All of the result belongs to the State: Sello's companies file in the common territory only.
  return computed.model === '303' ? { ...boxes, '65': 10_000 } : boxes
}

/** Returns four characters that name the version of the program in a file: `0203` for 2.3. */
function versionCode(version: string): string {
  const [major = '0', minor = '0'] = version.split('.')
  return `${major.slice(-2).padStart(2, '0')}${minor.slice(-2).padStart(2, '0')}`
}

const placeOf = (period: ReturnPeriod) => ({
  year: period.year,
  period: period.code,
  isLastOfYear: isLastOfYear(period.code),
})

interface Draft {
  model: DeclaredModel
  period: ReturnPeriod
  filer: Filer
  choices: FilingChoices
  kind: ReturnKind | null
  boxes: Boxes
  resultCents: Cents
  documents: Boxes
  /** Null while nobody has stated them. */
  schemes: Schemes | null
}

/**
 * Returns the number of a list return: model, year, quarter, month or 00, and a sequence that goes on from the earlier return that it
 * replaces.
 */
function numberOf(
  model: ListModel,
  period: ReturnPeriod,
  { nature, previousReceipt }: FilingChoices,
): string {
  const prefix = `${model}${period.year}${period.code.replace(/\D/g, '').padStart(2, '0')}`
  const before = previousReceipt?.startsWith(prefix) ? Number(previousReceipt.slice(prefix.length)) : 1
  return prefix + String(nature === 'first' ? 1 : before + 1).padStart(4, '0')
}

async function recordsOf(ctx: Ctx, draft: Draft): Promise<{ records: FileRecord[]; faults: Fault[] }> {
  const { model, period, filer, choices, boxes } = draft
  if (model === '369') return records369(ctx, draft)
  if (isListModel(model)) {
    const head: ListHead = { filer, choices, period, number: numberOf(model, period, choices) }
    return LISTS[model](ctx, head)
  }
  const faults = [
    ...(filer.surnames === null && !hasWholeName(model)
      ? [
          fault(
            'name_parts_missing',
            'surnames',
            'The form asks for surnames and first name apart.',
            'Type them among the data for filing.',
          ),
        ]
      : []),
    ...(await faultsOfBoxes(model, period.year, boxes)),
    ...(model === '303' ? await faultsOfRates(period.year, boxes, draft.documents) : []),
    ...(await faultsOfClosing(model, period.year, boxes)),
    ...(model === '131' ? faultsOfActivities(boxes) : []),
  ]
  const records = await pagesOf({
    ...draft,
    model,
    ...placeOf(period),
  })
  return { records, faults }
}

/** Returns the file of a draft; null while an error stands against it. Adds what keeps values out of it to `faults`. */
async function fileOf(ctx: Ctx, draft: Draft, faults: Fault[]): Promise<Declaration['file']> {
  const { model, period } = draft
  const { records, faults: found } = await recordsOf(ctx, draft)
  faults.push(...found)
  if (faults.some(({ severity }) => severity === 'error')) return null
  const { producer, version } = ctx.env
  const content: ReturnFile = {
    model,
    year: period.year,
    period: period.code,
    // The head of the 369 has the filer in place of the program.
    ...(model === '369'
      ? { software: { version: '', nif: '' }, filer: draft.filer.nif }
      : { software: { version: versionCode(version), nif: producer.nif } }),
    records,
  }
  try {
    const bytes = await encodeFile(content)
    return { name: `${model}-${period.year}-${period.code}.txt`, bytes, content }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error
    faults.push(...((error.details?.faults as Fault[] | undefined) ?? []))
    return null
  }
}

/** Throws `no_file_layout` if no design of the year is known; callers name the last one. */
export async function declarationOf(
  ctx: Ctx,
  model: ModelNumber,
  period: ReturnPeriod,
  choices: FilingChoices,
): Promise<Declaration> {
  if (!hasFile(model)) throw new AppError('no_file_layout', { field: 'model', details: { model } })
  // Before any other fault: correcting that would be of no use.
  await layoutFor(model, period.year)
  const today = ctx.today()
  const standing = await standingOf(ctx, period)
  const filings = await findFilings(ctx, model, { from: period.year, to: period.year })
  const earlier = filings.get(`${period.year} ${period.code}`) ?? null
  const faults = [
    ...territoryFaults(model, standing),
    ...knownFaults(model, standing, period, today),
    ...natureFaults(model, choices, earlier),
  ]
  const computed = await computeModel(ctx, model, period, standing.profile)
  const {
    boxes,
    resultCents,
    settledCents,
    fault: corrected,
  } = correctedBoxes(model, boxesOf(computed), {
    choices,
    earlier,
    resultCents: computed.resultCents ?? 0,
  })
  if (corrected) faults.push(corrected)
  if (isTypedModel(model)) faults.push(...typedFaults(computed))
  faults.push(...laterBoxFaults(model, boxes, choices))
  faults.push(...schemeFaults(model, standing.schemes, isLastOfYear(period.code)))
  const canAskRefund = isLastOfYear(period.code) || standing.schemes?.refundRegister === true
  const kinds = kindsFor(model, settledCents, canAskRefund)
  const filer = await filerOf(ctx)
  const chosen: FilingChoices = {
    ...choices,
    iban: readIban(choices.iban ?? '') ?? choices.iban ?? filer.iban ?? undefined,
  }
  const { dueTo, directDebitTo } = obligationOf(model, period, today)
  const canDebit = chosen.iban !== undefined && (directDebitTo === undefined || today <= directDebitTo)
  const kind = choices.kind ?? usualKind(kinds, canDebit, await lastPaymentKind(ctx))
  if (kind === 'X') chosen.iban = accountOfRefundAbroad(choices.iban, filer.iban)
  if (choices.bank !== undefined) chosen.bank = writtenBank(choices.bank)
  faults.push(...settlementFaults({ model, kind, kinds, boxes, directDebitTo }, chosen, today))
  if (today > dueTo)
    faults.push({
      ...fault('filed_late', '', 'The term is over: a surcharge may be due.', undefined, { day: dueTo }),
      severity: 'warning',
    })
  const needsAccount = asksAccount(model, kind, boxes)
  const draft: Draft = {
    model,
    period,
    filer,
    choices: { ...chosen, kind: kind ?? undefined, iban: needsAccount ? chosen.iban : undefined },
    kind,
    boxes,
    resultCents,
    schemes: standing.schemes,
    documents: Object.fromEntries(computed.values.map(({ box, documents }) => [box.box, documents ?? 0])),
  }
  const file = await fileOf(ctx, draft, faults)
  return {
    model,
    period,
    filer,
    choices: draft.choices,
    kinds,
    kind,
    resultCents,
    boxes,
    computed,
    earlier,
    faults,
    statements: model === '303' ? statementsOf({ ...draft, model, ...placeOf(period) }) : [],
    file,
    contentHash: file && contentHash(draft, file.bytes, earlier),
  }
}

/** Returns the account of a refund abroad: as typed, or the usual one if it is abroad too. */
function accountOfRefundAbroad(typed: string | undefined, usual: string | null): string | undefined {
  if (typed !== undefined) return accountAbroad(typed) ?? typed
  return usual === null || usual.startsWith('ES') || isSepa(usual) ? undefined : usual
}

/** Returns the kind to propose: that of the last payment where the result allows it, else the first one that is possible. */
function usualKind(kinds: readonly ReturnKind[], canDebit: boolean, last: string | null): ReturnKind | null {
  const possible = kinds.filter((kind) => kind !== 'U' || canDebit)
  return possible.find((kind) => kind === last) ?? possible[0] ?? null
}

function contentHash(
  { choices, boxes, filer }: Draft,
  bytes: Uint8Array,
  earlier: FilingRow | null,
): Uint8Array {
  const facts = { choices, boxes, nif: filer.nif, earlier: earlier?.publicId ?? null }
  return createHash('sha256').update(canonicalJson(facts)).update(bytes).digest()
}
