/**
 * Second half of every irreversible step: shows the answer of the validation and spends its token on confirmation. If
 * the shown content no longer holds, it is validated and shown again, and nothing is executed.
 */
import { ref, shallowRef } from 'vue'
import { asCallError } from '../../../call.ts'
import type { CallError } from '../../../call.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import type { Invoice } from '../editor/draft.ts'
import type { ServerFault } from '../editor/faults.ts'

export type Validation = OutputOf<'invoices.validate'>

interface Confirmable {
  /** Validates again on the server. */
  check: () => Promise<Validation>
  /** Spends the token. */
  perform: (confirmationToken: string) => Promise<Invoice>
  /** Called if it is no longer possible as it stands. */
  onInvalid: (issues: readonly ServerFault[]) => void
  /** Called when it is done, with the number that had been announced. */
  onDone: (invoice: Invoice, forecast: string) => void
}

/** Error codes of the server that require a new validation. */
const STALE = ['confirmation_stale', 'confirmation_expired', 'confirmation_invalid', 'confirmation_used']

/** State and actions of a dialog that shows a validation and waits for a confirmation. */
export function useConfirmation({ check, perform, onInvalid, onDone }: Confirmable) {
  const current = shallowRef<Validation | null>(null)
  const busy = ref(false)
  const refusal = shallowRef<CallError | null>(null)
  /** True if the content differs from what was shown a moment ago. */
  const changed = ref(false)

  /** Shows the answer of a validation, or nothing. */
  function show(validation: Validation | null): void {
    current.value = validation
    refusal.value = null
    changed.value = false
  }

  /** Validates again and shows what would be registered now; `says` displays the notice that it changed. */
  async function review(says: boolean): Promise<void> {
    try {
      const next = await check()
      if (!next.valid || !next.confirmation) return onInvalid(next.issues)
      show(next)
      changed.value = says
    } catch (thrown) {
      refusal.value = asCallError(thrown)
    }
  }

  /** Executes what is shown. */
  async function confirm(): Promise<void> {
    const now = current.value
    if (busy.value || !now?.confirmation) return
    busy.value = true
    refusal.value = null
    try {
      const done = await perform(now.confirmation.confirmationToken)
      onDone(done, now.preview.number)
    } catch (thrown) {
      const error = asCallError(thrown)
      if (STALE.includes(error.code)) await review(true)
      else if (error.code === 'invoice_invalid' && error.faults.length > 0)
        onInvalid(error.faults as ServerFault[])
      else refusal.value = error
    } finally {
      busy.value = false
    }
  }

  return { current, busy, refusal, changed, show, review, confirm }
}
