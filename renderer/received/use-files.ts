/** Taking a file off a received invoice, with the way to put it on again. */
import { call } from '../call.ts'
import { say } from '../i18n.ts'
import { useToasts } from '../stores/toasts.ts'
import type { OutputOf } from '../../server/contracts.ts'

type Received = OutputOf<'received.get'>

/** `show` is told of the invoice as it is afterwards. */
export function useFiles(show: (after: Received) => Promise<unknown>) {
  const toasts = useToasts()

  async function attach(id: string, attachmentId: string): Promise<void> {
    try {
      await show(await call('received.attach', { id, attachmentId }))
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }

  async function detach(id: string, attachmentId: string): Promise<void> {
    try {
      await show(await call('received.detach', { id, attachmentId }))
      toasts.done(say('received.detached'), { id: 'received-file', undo: () => attach(id, attachmentId) })
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }

  return { detach }
}
