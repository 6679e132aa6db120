/** Texts and amounts of a payment movement. */
import { translate } from '../../i18n.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

export type Payment = OutputOf<'payments.window'>['items'][number]

/** Returns the method of a payment, or its kind if no money moved. */
export const methodText = ({ method, kind }: Payment): string =>
  method ? translate(`payments.method.${method}`) : translate(`payments.kind.${kind}`)

/** Returns the amount, negative for outgoing money. */
export const signedAmount = ({ direction, amount }: Payment): number =>
  direction === 'out' ? -amount : amount
