/** What a filing would say: the boxes, the file, what stands against it, and the token for the yes of a person. */
import { createHash } from 'node:crypto'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { obligationOf } from '../calendar/obligations.ts'
import { previousQuarter, returnPeriod } from '../calendar/periods.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'
import type { ModelNumber } from '../contract.ts'
import type { FilingChoices } from '../declaration/choices.ts'
import { declarationOf } from '../declaration/declaration.ts'
import type { Declaration } from '../declaration/declaration.ts'
import { laterNatures, outcomeOf } from '../declaration/kinds.ts'
import { findFilings } from '../rows.ts'
import { mintFilingToken } from './confirm.ts'
import type { prepareFilingContract, ReturnPreview, returnFileContract } from './contract.ts'
import { sendingsOf } from './rows.ts'
import { sendingView } from './views.ts'
import { wayOf } from './way.ts'

/** Returns what a caller chose, without what it left out. */
export function choicesOf(input: FilingChoices): FilingChoices {
  const { kind, nature, iban, paymentReference, previousReceipt, reason } = input
  return {
    nature,
    ...(kind === undefined ? {} : { kind }),
    ...(iban === undefined ? {} : { iban: iban.trim() }),
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
  const period = returnPeriod(input.model, input.year, input.quarter)
  const { name, bytes } = fileOrFaults(await declarationOf(ctx, input.model, period, choicesOf(input)))
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), fileName: name }
}

function labelOf(declared: Declaration, box: string): { es: string; en: string } {
  const known = declared.computed.values.find((value) => value.box.box === box)
  return known?.box.label ?? { es: `Casilla ${box}`, en: `Box ${box}` }
}

/** Returns the boxes of a declaration that are not zero, in the order of the form. */
function boxesShown(declared: Declaration): ReturnPreview['boxes'] {
  const order = declared.computed.values.map(({ box }) => box.box)
  const kinds = new Map(declared.computed.values.map(({ box }) => [box.box, box.kind]))
  return Object.entries(declared.boxes)
    .filter(([box, value]) => value !== 0 && /^\d/.test(box))
    .toSorted(([one], [other]) => place(order, one) - place(order, other))
    .map(([box, value]) => ({
      box,
      label: labelOf(declared, box),
      amount: kinds.get(box) === 'count' ? value : value / 100,
    }))
}

function place(order: readonly string[], box: string): number {
  const at = order.indexOf(box)
  return at < 0 ? order.length : at
}

/** Returns how the boxes differ from those of the return that is filed. */
function differencesOf({ earlier, boxes }: Declaration): ReturnPreview['differences'] {
  if (earlier === null) return []
  const names = [...new Set([...Object.keys(earlier.boxes), ...Object.keys(boxes)])].filter((box) =>
    /^\d/.test(box),
  )
  return names.flatMap((box) => {
    const filed = earlier.boxes[box] ?? 0
    const now = boxes[box] ?? 0
    return filed === now ? [] : [{ box, filed: filed / 100, now: now / 100 }]
  })
}

async function previousOf(
  ctx: Ctx,
  model: ModelNumber,
  { year, quarter }: ReturnPeriod,
): Promise<ReturnPreview['previous']> {
  const before = quarter === null ? { year: year - 1, code: '0A' } : quarterBefore(year, quarter)
  const filing = (await findFilings(ctx, model, { from: before.year, to: before.year })).get(
    `${before.year} ${before.code}`,
  )
  return filing
    ? { year: before.year, period: before.code, result: eurosFromCents(filing.resultCents) }
    : null
}

function quarterBefore(year: number, quarter: number): { year: number; code: string } {
  const before = previousQuarter(year, quarter)
  return { year: before.year, code: `${before.quarter}T` }
}

const REFERENCE_MISSING: Fault = {
  code: 'payment_reference_missing',
  field: 'paymentReference',
  severity: 'warning',
  message: 'A return that is paid at the bank is filed with the reference of the payment (NRC).',
  fix: 'Pay it first and type the reference, or choose another way to pay.',
}

/** Shows what a filing would say. A token is minted only if nothing stands against it. */
export const prepareFiling: UseCase<typeof prepareFilingContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { model } = input
    const period = returnPeriod(model, input.year, input.quarter)
    const declared = await declarationOf(tx, model, period, choicesOf(input))
    const way = await wayOf(tx)
    const sendings = await sendingsOf(tx, { model, year: period.year, period: period.code })
    const isUnderWay = sendings.some(
      ({ state }) => state === 'preparing' || state === 'sent' || state === 'unknown',
    )
    // A payment at the bank is proved by its reference, without which the service takes no such return.
    const lacksReference = declared.kind === 'I' && declared.choices.paymentReference === undefined
    const canConfirm = declared.file !== null && way.way !== 'upload' && !isUnderWay && !lacksReference
    const token = canConfirm ? await mintFilingToken(tx, declared) : null
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
      natures: [...laterNatures(model)],
      kind: declared.kind,
      kinds: declared.kinds,
      outcome: outcomeOf(declared.kind),
      result: declared.computed.resultCents === null ? null : eurosFromCents(declared.resultCents),
      iban: declared.choices.iban ?? null,
      dueTo: term.dueTo,
      directDebitTo: term.directDebitTo ?? null,
      boxes: boxesShown(declared),
      differences: differencesOf(declared),
      previous: await previousOf(tx, model, period),
      faults:
        lacksReference && way.way !== 'upload' ? [...declared.faults, REFERENCE_MISSING] : declared.faults,
      fileName: declared.file?.name ?? null,
      sha256: declared.file ? createHash('sha256').update(declared.file.bytes).digest('hex') : null,
      size: declared.file?.bytes.length ?? null,
      way: way.way,
      wayWhy: way.why,
      confirmationToken: token?.token ?? null,
      expiresAt: token ? new Date(token.expiresAt).toISOString() : null,
      sendings: await Promise.all(sendings.map((row) => sendingView(tx, row))),
    }
  })
