/** What a filing would say: the boxes, the file, what stands against it, and the token for the yes of a person. */
import { createHash } from 'node:crypto'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { obligationOf } from '../calendar/obligations.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'
import type { ModelNumber } from '../contract.ts'
import type { FilingChoices } from '../declaration/choices.ts'
import { declarationOf } from '../declaration/declaration.ts'
import type { Declaration } from '../declaration/declaration.ts'
import { laterNatures, outcomeOf } from '../declaration/kinds.ts'
import { findFilings } from '../rows.ts'
import { isTypedModel } from '../models/typed/typed-returns.ts'
import { periodsOf, returnPeriod } from '../schemes/units.ts'
import { mintFilingToken } from './confirm.ts'
import type { prepareFilingContract, ReturnPreview, returnFileContract } from './contract.ts'
import { sendingsOf } from './rows.ts'
import { sendingView } from './views.ts'
import { wayOf } from './way.ts'

/** What a caller chooses: as it is stored, but the bank in fields of its own. */
type ChosenInput = Omit<FilingChoices, 'bank'> &
  Pick<
    ContractInput<typeof prepareFilingContract>,
    'bankBic' | 'bankName' | 'bankAddress' | 'bankCity' | 'bankCountry'
  >

function bankOf(input: ChosenInput): FilingChoices['bank'] {
  const { bankBic: bic, bankName: name, bankAddress: address, bankCity: city, bankCountry: country } = input
  const isNamed = [bic, name, address, city, country].some((each) => each !== undefined)
  return isNamed
    ? { bic: bic ?? '', name: name ?? '', address: address ?? '', city: city ?? '', country: country ?? '' }
    : undefined
}

/** Returns what a caller chose, without what it left out. */
export function choicesOf(input: ChosenInput): FilingChoices {
  const bank = bankOf(input)
  const { kind, nature, iban, paymentReference, previousReceipt, reason } = input
  return {
    nature,
    ...(kind === undefined ? {} : { kind }),
    ...(iban === undefined ? {} : { iban: iban.trim() }),
    ...(bank === undefined ? {} : { bank }),
    ...(paymentReference === undefined
      ? {}
      : { paymentReference: paymentReference.replace(/\s/g, '').toUpperCase() }),
    ...(previousReceipt === undefined ? {} : { previousReceipt: previousReceipt.trim() }),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** Returns the file of a declaration. Throws `validation_failed` with everything that stands against it. */
export function fileOrFaults(declared: Declaration): NonNullable<Declaration['file']> {
  if (declared.file === null) throw validationFailed(declared.faults)
  return declared.file
}

/** Returns a return as the agency's file, for upload. */
export const returnFile: UseCase<typeof returnFileContract> = async (ctx, input) => {
  const period = await returnPeriod(ctx, input.model, input)
  const { name, bytes } = fileOrFaults(await declarationOf(ctx, input.model, period, choicesOf(input)))
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), fileName: name }
}

function labelOf(declared: Declaration, box: string): { es: string; en: string } {
  const known = declared.computed.values.find((value) => value.box.box === box)
  return known?.box.label ?? { es: `Casilla ${box}`, en: `Box ${box}` }
}

/** Fields without a number are steps of a computation, but those of a typed return are on its form. */
const isOnForm = ({ model }: Declaration, box: string): boolean => /^\d/.test(box) || isTypedModel(model)

/** Returns a value as the form writes it: euros, percent or a whole number. */
function amountOf({ computed }: Declaration, box: string, value: number): number {
  const kind = computed.values.find((each) => each.box.box === box)?.box.kind
  return kind === 'count' || kind === 'code' ? value : value / 100
}

/** Returns the boxes of a declaration that are not zero, in the order of the form. */
function boxesShown(declared: Declaration): ReturnPreview['boxes'] {
  const order = declared.computed.values.map(({ box }) => box.box)
  return Object.entries(declared.boxes)
    .filter(([box, value]) => value !== 0 && isOnForm(declared, box))
    .toSorted(([one], [other]) => place(order, one) - place(order, other))
    .map(([box, value]) => ({
      box,
      label: labelOf(declared, box),
      kind: declared.computed.values.find((each) => each.box.box === box)?.box.kind ?? 'amount',
      amount: amountOf(declared, box, value),
    }))
}

function place(order: readonly string[], box: string): number {
  const at = order.indexOf(box)
  return at < 0 ? order.length : at
}

/** Returns how the boxes differ from those of the return that is filed. */
function differencesOf(declared: Declaration): ReturnPreview['differences'] {
  const { earlier, boxes } = declared
  if (earlier === null) return []
  const names = [...new Set([...Object.keys(earlier.boxes), ...Object.keys(boxes)])].filter((box) =>
    isOnForm(declared, box),
  )
  return names.flatMap((box) => {
    const filed = earlier.boxes[box] ?? 0
    const now = boxes[box] ?? 0
    return filed === now
      ? []
      : [{ box, filed: amountOf(declared, box, filed), now: amountOf(declared, box, now) }]
  })
}

async function previousOf(
  ctx: Ctx,
  model: ModelNumber,
  period: ReturnPeriod,
): Promise<ReturnPreview['previous']> {
  const before = (await periodsOf(ctx)).before(model, period)
  const filing = (await findFilings(ctx, model, { from: before.year, to: before.year })).get(
    `${before.year} ${before.code}`,
  )
  return filing
    ? { year: before.year, period: before.code, result: eurosFromCents(filing.resultCents) }
    : null
}

const REFERENCE_MISSING: Fault = {
  code: 'payment_reference_missing',
  field: 'paymentReference',
  severity: 'warning',
  message: 'A return that is paid at the bank is filed with the reference of the payment (NRC).',
  fix: 'Pay it first and type the reference, or choose another way to pay.',
}

/** The service of direct filing does not take this return: its file is uploaded, from a test book as well. */
const UPLOAD_ONLY = { way: 'upload', why: 'not_in_service', signer: null } as const

/** Shows what a filing would say. A token is minted only if nothing stands against it. */
export const prepareFiling: UseCase<typeof prepareFilingContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { model } = input
    const period = await returnPeriod(tx, model, input)
    const declared = await declarationOf(tx, model, period, choicesOf(input))
    const way = model === '369' ? UPLOAD_ONLY : await wayOf(tx)
    const sendings = await sendingsOf(tx, { model, year: period.year, period: period.code })
    const isUnderWay = sendings.some(
      ({ state }) => state === 'preparing' || state === 'sent' || state === 'unknown',
    )
    // A payment at the bank is proved by its reference, without which the service takes no such return.
    const lacksReference = declared.kind === 'I' && declared.choices.paymentReference === undefined
    const canConfirm = declared.file !== null && way.way !== 'upload' && !isUnderWay && !lacksReference
    const token = canConfirm && way.signer !== null ? await mintFilingToken(tx, declared, way.signer) : null
    const today = tx.today()
    const term = obligationOf(model, period, today)
    return {
      model,
      year: period.year,
      period: period.code,
      mode: tx.book.mode,
      nif: declared.filer.nif,
      name: declared.filer.name,
      nature: declared.choices.nature,
      computed: !isTypedModel(model),
      natures: [...laterNatures(model)],
      kind: declared.kind,
      kinds: declared.kinds,
      outcome: outcomeOf(declared.kind),
      result: declared.computed.resultCents === null ? null : eurosFromCents(declared.resultCents),
      iban: declared.choices.iban ?? null,
      bank: declared.choices.bank ?? null,
      dueTo: term.dueTo,
      directDebitTo: term.directDebitTo ?? null,
      boxes: boxesShown(declared),
      statements: declared.statements,
      differences: differencesOf(declared),
      previous: await previousOf(tx, model, period),
      faults:
        lacksReference && way.way !== 'upload' ? [...declared.faults, REFERENCE_MISSING] : declared.faults,
      fileName: declared.file?.name ?? null,
      sha256: declared.file ? createHash('sha256').update(declared.file.bytes).digest('hex') : null,
      size: declared.file?.bytes.length ?? null,
      signer: way.signer,
      way: way.way,
      wayWhy: way.why,
      confirmationToken: token?.token ?? null,
      expiresAt: token ? new Date(token.expiresAt).toISOString() : null,
      sendings: await Promise.all(sendings.map((row) => sendingView(tx, row))),
    }
  })
