/** Undo of a payment, and redo where the payment can be recreated as it was. */
import { call } from '../../call.ts'
import { formatEuros } from '../../format.ts'
import { translate } from '../../i18n.ts'
import { useToasts } from '../../stores/toasts.ts'
import { paymentInputOf } from './restore.ts'

export function useUndoPayment() {
  const toasts = useToasts()

  /** Deletes the payment. Throws `CallError`; `changed` is called then, and again when the payment is restored. */
  async function undoPayment(id: string, changed: () => void): Promise<void> {
    const payment = await call('payments.get', { id })
    await call('payments.delete', { id })
    const again = paymentInputOf(payment)
    toasts.done(translate('payments.undone'), {
      id: `payment-${id}`,
      ...(again
        ? {
            undo: async () => {
              try {
                const { amount } = await call('payments.create', again)
                toasts.done(translate('payments.recorded', { amount: formatEuros(amount) }), {
                  id: `payment-${id}`,
                  description: translate('undo.asNew'),
                })
                changed()
              } catch (thrown) {
                toasts.failed(thrown)
              }
            },
          }
        : {}),
    })
    changed()
  }

  return { undoPayment }
}
