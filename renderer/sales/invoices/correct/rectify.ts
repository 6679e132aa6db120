/** What the wizard for rectifying invoices holds and asks for. Pure: the sums and the rules are the server's. */
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import { eurosFromCents, microFromNumber, numberFromMicro } from '../../../../server/domain/money.ts'
import type { Cents, Micro } from '../../../../server/domain/money.ts'
import type { ClientForm } from '../editor/draft.ts'

export type Options = OutputOf<'invoices.rectifyOptions'>
export type Cause = InputOf<'invoices.rectify'>['cause']
export type Method = NonNullable<InputOf<'invoices.rectify'>['method']>
type RectifyInput = InputOf<'invoices.rectify'>

/** Causes as people tell them apart, the usual ones first. */
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
  /** By position of the line: how many of it are credited; absent when none is. */
  quantities: Readonly<Record<number, Micro | null>>
  percent: Micro | null
  amountCents: Cents | null
  /** As it is to stand on the paper; empty for the cause's own words. */
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

/** The two ways are asked about only where both are usual: a mistake may be put right whole or by its difference. */
export function needsMethod(options: Options | null, cause: Cause | null): boolean {
  const option = options?.causes.find((each) => each.cause === cause)
  return option !== undefined && option.methods.length > 1 && option.methods[0] === 'S'
}

/** Causes that seldom take back all of an invoice, with what is asked for first. */
const USUAL_PARTS: Partial<Record<Cause, Part>> = {
  discount: 'percent',
  price_change: 'amount',
  returned_packaging: 'lines',
  wrong_amount: 'amount',
  provisional_price: 'amount',
}

/** How much of an invoice a cause usually corrects: a discount of 100 % is nobody's first thought. */
export function usualPart(cause: Cause | null): Part {
  return (cause && USUAL_PARTS[cause]) ?? 'whole'
}

/** What is asked of the server; null while something is still to be said. */
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

/** The quantity of a line as a field holds it. */
export function quantityOf(line: Options['lines'][number]): Micro {
  return microFromNumber(line.quantity) ?? 0
}

/** A customer as the wire takes one. */
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
      // An address is whole or it is none.
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
