/** Taking a file off a received invoice. It is deleted with its last place, so there is no way back. */
import { call } from '../call.ts'
import { say } from '../i18n.ts'
import { useToasts } from '../stores/toasts.ts'
import type { OutputOf } from '../../server/api/contracts.ts'

type Received = OutputOf<'received.get'>

/** `show` is told of the invoice as it is afterwards. */
export function useFiles(show: (after: Received) => unknown) {
  const toasts = useToasts()

  /** Throws `CallError` where it has to be kept. */
  async function detach(id: string, attachmentId: string): Promise<void> {
    await show(await call('received.detach', { id, attachmentId }))
    toasts.done(say('received.detached'), { id: 'received-file' })
  }

  return { detach }
}
