/**
 * Makes the declaration of a return: the boxes as they are filed, how the result is settled, the file in the agency's
 * layout, and everything that stands against filing it. What cannot be known is a fault, never a guess.
 */
import { createHash } from 'node:crypto'
import { readIban } from '../../../company/index.ts'
import type { Ctx } from '../../../context.ts'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Cents } from '../../../domain/money.ts'
import { quarterObligation, yearObligation } from '../calendar/obligations.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'
import { standingOf, verdictOf } from '../calendar/filing-duty.ts'
import type { Standing } from '../calendar/filing-duty.ts'
import { computeModel } from '../compute.ts'
import type { Computed } from '../compute.ts'
import type { ModelNumber } from '../contract.ts'
import { encodeFile } from '../files/file.ts'
import type { FileRecord, ReturnFile } from '../files/file.ts'
import { layoutFor } from '../files/layout.ts'
import { findFilings } from '../rows.ts'
import type { FilingRow } from '../rows.ts'
import type { FilingChoices, Filer } from './choices.ts'
import { faultsOfClosing } from './closing.ts'
import type { Boxes } from './closing.ts'
import { correctedBoxes } from './corrected.ts'
import { filerOf } from './filer.ts'
import { kindsFor, laterNatures, WITH_ACCOUNT } from './kinds.ts'
import type { ReturnKind } from './kinds.ts'
import { faultsOfBoxes, faultsOfRates, pagesOf } from './pages.ts'
import type { PageModel } from './pages.ts'
import { records347, records349 } from './parties.ts'
import type { ListHead } from './parties.ts'
import { records180, records190 } from './recipients.ts'

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
  /** Null while an error stands against it. */
  file: { name: string; bytes: Uint8Array; content: ReturnFile } | null
  /** Hash of all that a person confirms; null without a file. */
  contentHash: Uint8Array | null
}

const PAGE_MODELS: readonly string[] = ['303', '130', '111', '115', '390']
const isPageModel = (model: string): model is PageModel => PAGE_MODELS.includes(model)

const LISTS = { '347': records347, '349': records349, '190': records190, '180': records180 } as const
type ListModel = keyof typeof LISTS
const isListModel = (model: string): model is ListModel => Object.hasOwn(LISTS, model)

/** Returns that Sello can write as a file from its own figures. */
type DeclaredModel = PageModel | ListModel

/** Returns true for a return that Sello can write as a file. */
function hasFile(model: ModelNumber): model is DeclaredModel {
  return isPageModel(model) || isListModel(model)
}

const fault = (
  code: string,
  field: string,
  message: string,
  fix?: string,
  params?: Fault['params'],
): Fault => ({
  code,
  field,
  severity: 'error',
  message,
  ...(fix === undefined ? {} : { fix }),
  ...(params === undefined ? {} : { params }),
})

const FORAL_PROVINCES: readonly string[] = ['01', '20', '31', '48']

/** Returns what the company's place says: a postal code is not a tax domicile, so it only warns. */
async function territoryFaults(standing: Standing): Promise<Fault[]> {
  const { territory, postal_code: postalCode } = standing.company
  if (territory !== 'mainland')
    return [
      fault(
        'other_territory',
        '',
        'Businesses of that territory file with another treasury or another tax.',
        'Prepare this return elsewhere.',
      ),
    ]
  if (!FORAL_PROVINCES.includes(postalCode?.trim().slice(0, 2) ?? '')) return []
  return [
    {
      ...fault(
        'territory_doubtful',
        '',
        'The postal code is of a territory with a treasury of its own.',
        'File this return only if the tax domicile is in the common territory.',
      ),
      severity: 'warning',
    },
  ]
}

/** Returns that state the wages paid. */
const WITH_WAGES: readonly ModelNumber[] = ['111', '190']

/** Returns what must be known before a return can be filed at all. */
function knownFaults(
  model: ModelNumber,
  standing: Standing,
  period: ReturnPeriod,
  today: BusinessDate,
): Fault[] {
  const verdict = verdictOf(model, standing, period.year)
  const faults: Fault[] = []
  if (!verdict.computed)
    faults.push(
      fault(
        'not_computed',
        '',
        `Sello does not compute model ${model} for this business.`,
        'Prepare it elsewhere.',
        { why: verdict.why ?? 'not_computed' },
      ),
    )
  // Professionals make the return due, but its boxes of wages still say that nobody was paid.
  if (verdict.applies === null || (WITH_WAGES.includes(model) && standing.wages === 'unknown'))
    faults.push(
      fault(
        'wages_unknown',
        '',
        'It is not known whether wages were paid.',
        'Type boxes 01 to 06 of form 111, or 0 where nobody was paid.',
      ),
    )
  if (verdict.applies === false)
    faults.push({
      ...fault(
        'not_due',
        '',
        'By what Sello knows, this return is not due.',
        'File it only if you know better.',
        {
          why: verdict.why ?? '',
        },
      ),
      severity: 'warning',
    })
  if (today <= period.to)
    faults.push(
      fault(
        'period_open',
        'period',
        'The period has not ended yet.',
        `File it from the day after ${period.to}.`,
        {
          day: period.to,
        },
      ),
    )
  return faults
}

function isLastOfYear({ quarter }: ReturnPeriod): boolean {
  return quarter === null || quarter === 4
}

const term = (model: ModelNumber, period: ReturnPeriod, today: BusinessDate) =>
  period.quarter === null
    ? yearObligation(model, period.year, today)
    : quarterObligation(model, period.year, period.quarter, today)

/** Length of a bank's reference of a payment (NRC). */
const REFERENCE = /^[0-9A-Z]{22}$/

/** Returns true if the file names an account: for the kind, or for what was paid in excess. */
function asksAccount(model: DeclaredModel, kind: ReturnKind | null, boxes: Boxes): boolean {
  return (kind !== null && WITH_ACCOUNT.includes(kind)) || (model === '303' && (boxes['111'] ?? 0) > 0)
}

/** Returns what is wrong with the way in which the result is settled. */
function settlementFaults(
  declared: {
    model: DeclaredModel
    period: ReturnPeriod
    kind: ReturnKind | null
    kinds: ReturnKind[]
    boxes: Boxes
  },
  choices: FilingChoices,
  today: BusinessDate,
): Fault[] {
  const { model, period, kind, kinds, boxes } = declared
  const faults: Fault[] = []
  if (choices.kind !== undefined && !kinds.includes(choices.kind))
    faults.push(
      fault(
        'kind_not_of_result',
        'kind',
        `A result like this is not settled by ${choices.kind}.`,
        kinds.length > 0 ? `Choose one of ${kinds.join(', ')}.` : 'Leave it out: this return only informs.',
        { kind: choices.kind, allowed: kinds.join(', ') },
      ),
    )
  const needsAccount = asksAccount(model, kind, boxes)
  if (needsAccount && choices.iban === undefined)
    faults.push(
      fault('iban_missing', 'iban', 'This way of settling the result needs an account.', 'Type its IBAN.'),
    )
  else if (needsAccount && readIban(choices.iban ?? '') === null)
    faults.push(
      fault('iban_invalid', 'iban', 'That is no valid IBAN: its check digits do not fit.', 'Copy it again.'),
    )
  else if (needsAccount && kind !== 'U' && !choices.iban?.startsWith('ES') && !isSepa(choices.iban ?? ''))
    faults.push(
      fault(
        'iban_abroad',
        'iban',
        'A refund to an account outside SEPA is asked for as kind X.',
        'Choose another account, or file it in the agency’s form.',
      ),
    )
  if (kind === 'X')
    faults.push(
      fault(
        'refund_abroad_not_written',
        'kind',
        'A transfer abroad asks for the name and the address of the bank, which Sello does not write.',
        'Choose another way, or file it in the agency’s form.',
      ),
    )
  if (kind === 'U') {
    const { directDebitTo } = term(model, period, today)
    if (directDebitTo !== undefined && today > directDebitTo)
      faults.push(
        fault(
          'debit_term_over',
          'kind',
          'Direct debit was possible until an earlier day.',
          'Pay at the bank and type its reference.',
          { day: directDebitTo },
        ),
      )
  }
  if (kind === 'I' && choices.paymentReference !== undefined && !REFERENCE.test(choices.paymentReference))
    faults.push(
      fault(
        'payment_reference_invalid',
        'paymentReference',
        'The reference of a payment has 22 capitals and digits.',
        'Copy the NRC from the receipt of the bank.',
      ),
    )
  if (kind !== 'I' && choices.paymentReference !== undefined)
    faults.push(
      fault(
        'payment_reference_not_allowed',
        'paymentReference',
        'Only a return that is paid at the bank carries a reference.',
        'Leave it out.',
      ),
    )
  return faults
}

/** Countries of the Single Euro Payments Area beside Spain, by their IBAN prefix. Source: European Payments Council. */
const SEPA = new Set(
  'AD AT BE BG CH CY CZ DE DK EE FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM VA'.split(
    ' ',
  ),
)
const isSepa = (iban: string): boolean => SEPA.has(iban.slice(0, 2))

/** Length of the number on a receipt, which begins with the model. */
const RECEIPT = /^\d{13}$/

/** Models whose later returns take off what an earlier one settled. */
const COMPLETE_EARLIER: readonly DeclaredModel[] = ['303', '130', '111', '115']

/** Boxes about earlier returns of the period, by model. */
const BOXES_OF_LATER: Partial<Record<DeclaredModel, readonly string[]>> = {
  '303': ['70', '109'],
  '130': ['18'],
  '111': ['29'],
  '115': ['04'],
}

/** Returns the boxes about an earlier return in one that follows none, and the one that only a criterion explains. */
function laterBoxFaults(model: DeclaredModel, boxes: Boxes, { nature, reason }: FilingChoices): Fault[] {
  const closed = [
    ...(nature === 'first' ? (BOXES_OF_LATER[model] ?? []) : []),
    ...(model === '303' && (nature !== 'rectifying' || reason !== 'criterion') ? ['108'] : []),
  ]
  return closed
    .filter((box) => (boxes[box] ?? 0) !== 0)
    .map((box) =>
      fault(
        'box_of_later_return',
        `boxes.${box}`,
        box === '108'
          ? 'Box 108 belongs to a rectification for disagreement with a criterion.'
          : `Box ${box} belongs to a return that follows an earlier one of its period.`,
        'Empty the box, or choose that kind of return.',
        { box },
      ),
    )
}

/** Returns what is wrong with a return that follows an earlier one of the period, or comes without it. */
function natureFaults(model: DeclaredModel, choices: FilingChoices, earlier: FilingRow | null): Fault[] {
  const later = laterNatures(model)
  if (choices.nature === 'first')
    return earlier
      ? [
          fault(
            'filed_before',
            'nature',
            'A return of this period is filed already.',
            `File it as ${later.join(' or ')}.`,
            { natures: later.join(', ') },
          ),
        ]
      : []
  const faults: Fault[] = []
  // Their result is what the earlier one leaves.
  if (earlier === null && COMPLETE_EARLIER.includes(model))
    faults.push(
      fault(
        'earlier_unknown',
        'nature',
        'The earlier return of this period is not known here, and the result depends on it.',
        'Read its file first, or mark it as filed with its boxes.',
      ),
    )
  if (!later.includes(choices.nature))
    faults.push(
      fault(
        'nature_not_allowed',
        'nature',
        `Model ${model} knows no such return.`,
        `Choose ${later.join(' or ')}.`,
      ),
    )
  if (!RECEIPT.test(choices.previousReceipt ?? ''))
    faults.push(
      fault(
        'previous_receipt_missing',
        'previousReceipt',
        'The form asks for the 13 digits of the receipt of the earlier return.',
        'Copy the number (Justificante) from that receipt.',
      ),
    )
  else if (!choices.previousReceipt?.startsWith(model))
    faults.push(
      fault(
        'previous_receipt_of_other',
        'previousReceipt',
        `A receipt of model ${model} begins with ${model}.`,
        'Copy it from the receipt of this model.',
      ),
    )
  return faults
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

interface Draft {
  model: DeclaredModel
  period: ReturnPeriod
  filer: Filer
  choices: FilingChoices
  kind: ReturnKind | null
  boxes: Boxes
  documents: Boxes
}

/**
 * Returns the number of a list return: model, year, quarter or 00, and a sequence that goes on from the earlier return that it
 * replaces.
 */
function numberOf(
  model: ListModel,
  period: ReturnPeriod,
  { nature, previousReceipt }: FilingChoices,
): string {
  const prefix = `${model}${period.year}${String(period.quarter ?? 0).padStart(2, '0')}`
  const before = previousReceipt?.startsWith(prefix) ? Number(previousReceipt.slice(prefix.length)) : 1
  return prefix + String(nature === 'first' ? 1 : before + 1).padStart(4, '0')
}

async function recordsOf(ctx: Ctx, draft: Draft): Promise<{ records: FileRecord[]; faults: Fault[] }> {
  const { model, period, filer, choices, boxes } = draft
  if (isListModel(model)) {
    const head: ListHead = { filer, choices, period, number: numberOf(model, period, choices) }
    return LISTS[model](ctx, head)
  }
  const faults = [
    ...(filer.surnames === null && model !== '303'
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
  ]
  const records = await pagesOf({
    ...draft,
    model,
    year: period.year,
    period: period.code,
    isLastOfYear: isLastOfYear(period),
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
    software: { version: versionCode(version), nif: producer.nif },
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
    ...(await territoryFaults(standing)),
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
  faults.push(...laterBoxFaults(model, boxes, choices))
  const kinds = kindsFor(model, settledCents, isLastOfYear(period))
  const filer = await filerOf(ctx)
  const chosen = { ...choices, iban: readIban(choices.iban ?? '') ?? choices.iban ?? filer.iban ?? undefined }
  const kind = choices.kind ?? usualKind(kinds, chosen, term(model, period, today).directDebitTo, today)
  faults.push(...settlementFaults({ model, period, kind, kinds, boxes }, chosen, today))
  const { dueTo } = term(model, period, today)
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
    file,
    contentHash: file && contentHash(draft, file.bytes, earlier),
  }
}

function usualKind(
  kinds: readonly ReturnKind[],
  { iban }: FilingChoices,
  directDebitTo: BusinessDate | undefined,
  today: BusinessDate,
): ReturnKind | null {
  const canDebit = iban !== undefined && (directDebitTo === undefined || today <= directDebitTo)
  return kinds.find((kind) => kind !== 'U' || canDebit) ?? null
}

function contentHash(
  { choices, boxes, filer }: Draft,
  bytes: Uint8Array,
  earlier: FilingRow | null,
): Uint8Array {
  const facts = { choices, boxes, nif: filer.nif, earlier: earlier?.publicId ?? null }
  return createHash('sha256').update(canonicalJson(facts)).update(bytes).digest()
}
