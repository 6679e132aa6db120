/** Detaching a file from a received invoice. The file is deleted with its last reference, so there is no undo. */
import { call } from '../call.ts'
import { translate } from '../i18n.ts'
import { useToasts } from '../stores/toasts.ts'
import type { OutputOf } from '../../server/api/contracts.ts'

type Received = OutputOf<'received.get'>

/** `show` is called with the invoice as it is afterwards. */
export function useFiles(show: (after: Received) => unknown) {
  const toasts = useToasts()

  /** Throws `CallError` if it must be kept. */
  async function detach(id: string, attachmentId: string): Promise<void> {
    await show(await call('received.detach', { id, attachmentId }))
    toasts.done(translate('received.detached'), { id: 'received-file' })
  }

  return { detach }
}
