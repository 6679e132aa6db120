/** Form state and requests of the rectification wizard. Pure: the server computes sums and applies the rules. */
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import { eurosFromCents, microFromNumber, numberFromMicro } from '../../../../server/domain/money.ts'
import type { Cents, Micro } from '../../../../server/domain/money.ts'
import type { ClientForm } from '../editor/draft.ts'

export type Options = OutputOf<'invoices.rectifyOptions'>
export type Cause = InputOf<'invoices.rectify'>['cause']
export type Method = NonNullable<InputOf<'invoices.rectify'>['method']>
type RectifyInput = InputOf<'invoices.rectify'>

/** Causes in the groups that a user distinguishes, the most common first. */
export const CAUSE_GROUPS = [
  {
    name: 'back',
    causes: ['returned_goods', 'discount', 'cancelled_operation', 'price_change', 'returned_packaging'],
  },
  {
    name: 'error',
    causes: ['wrong_amount', 'wrong_vat', 'wrong_client', 'wrong_text', 'provisional_price', 'other'],
  },
  { name: 'debt', causes: ['uncollectible', 'insolvency'] },
] as const satisfies readonly { name: string; causes: readonly Cause[] }[]

export type Part = 'whole' | 'lines' | 'percent' | 'amount'

export interface RectifyForm {
  cause: Cause | null
  method: Method
  part: Part
  /** Credited quantity by position of the line; absent for a line that is not credited. */
  quantities: Readonly<Record<number, Micro | null>>
  percent: Micro | null
  amountCents: Cents | null
  /** Reason as printed on the document; empty for the default text of the cause. */
  reason: string
}

export const EMPTY_RECTIFY: RectifyForm = {
  cause: null,
  method: 'I',
  part: 'whole',
  quantities: {},
  percent: null,
  amountCents: null,
  reason: '',
}

/**
 * Returns whether the wizard asks for the method. It asks only where both are usual: a mistake may be corrected by
 * substitution or by difference.
 */
export function needsMethod(options: Options | null, cause: Cause | null): boolean {
  const option = options?.causes.find((each) => each.cause === cause)
  return option !== undefined && option.methods.length > 1 && option.methods[0] === 'S'
}

/** Causes that seldom credit a whole invoice, with the part that is asked for first. */
const USUAL_PARTS: Partial<Record<Cause, Part>> = {
  discount: 'percent',
  price_change: 'amount',
  returned_packaging: 'lines',
  wrong_amount: 'amount',
  provisional_price: 'amount',
}

/** Returns the part of an invoice that a cause usually corrects. A discount is never proposed as 100 %. */
export function usualPart(cause: Cause | null): Part {
  return (cause && USUAL_PARTS[cause]) ?? 'whole'
}

/** Returns the request for the server, or null while the form is incomplete. */
export function rectifyInput(id: string, form: RectifyForm): RectifyInput | null {
  if (form.cause === null) return null
  const reason = form.reason.trim()
  const input: RectifyInput = {
    id,
    cause: form.cause,
    method: form.method,
    ...(reason === '' ? {} : { reason }),
  }
  if (form.method === 'S' || form.part === 'whole') return input
  if (form.part === 'percent')
    return form.percent === null ? null : { ...input, percent: numberFromMicro(form.percent) }
  if (form.part === 'amount')
    return form.amountCents === null ? null : { ...input, amount: eurosFromCents(form.amountCents) }
  const lines = Object.entries(form.quantities).map(([index, micro]) => ({ index: Number(index), micro }))
  if (lines.length === 0 || lines.some(({ micro }) => micro === null || micro === 0)) return null
  return {
    ...input,
    lines: lines.map(({ index, micro }) => ({ index, quantity: numberFromMicro(micro ?? 0) })),
  }
}

/** Returns the quantity of a line in the unit of its field. */
export function quantityOf(line: Options['lines'][number]): Micro {
  return microFromNumber(line.quantity) ?? 0
}

/** Returns a customer as the API takes it. */
export function customerInput(
  client: ClientForm,
): Pick<InputOf<'invoices.substitute'>, 'clientName' | 'clientNif' | 'clientId' | 'client'> {
  const [street, postalCode, city, province] = [
    client.street,
    client.postalCode,
    client.city,
    client.province,
  ].map((text) => text.trim()) as [string, string, string, string]
  const { country } = client
  return {
    clientName: client.name.trim(),
    clientNif: client.nif.trim() || null,
    clientId: client.id,
    client: {
      // An address is complete or absent.
      address:
        street && postalCode && city
          ? { street, postalCode, city, ...(province ? { province } : {}), country }
          : null,
      country,
      idType: client.idType === '' ? null : client.idType,
      email: client.email.trim() || null,
    },
  }
}
