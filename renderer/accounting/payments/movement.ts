/** Texts and amounts of a movement of money. */
import { say } from '../../i18n.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

export type Payment = OutputOf<'payments.window'>['items'][number]

/** Method of a payment, or what it is where no money moved. */
export const methodText = ({ method, kind }: Payment): string =>
  method ? say(`payments.method.${method}`) : say(`payments.kind.${kind}`)

/** Negative where the money left. */
export const signedAmount = ({ direction, amount }: Payment): number =>
  direction === 'out' ? -amount : amount
