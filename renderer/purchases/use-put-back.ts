/** Notices after a received invoice was saved, changed or voided, with undo for the last two. */
import { call } from '../call.ts'
import { translate } from '../i18n.ts'
import { router } from '../router.ts'
import { useToasts } from '../stores/toasts.ts'
import { formOfReceived, receivedInput } from './form.ts'
import type { Received } from './form.ts'

/** `shown` is called with the restored invoice. */
export function usePutBack(shown: (back: Received) => Promise<void>) {
  const toasts = useToasts()

  async function putBack(said: string, deed: () => Promise<Received>): Promise<void> {
    try {
      const back = await deed()
      toasts.done(translate(said, { number: back.receptionNumber }), { id: 'received' })
      await shown(back)
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }

  /** Restores a voided invoice as it was. */
  const unvoid = ({ id, version }: Received): Promise<void> =>
    putBack('undoDelete.received', () => call('received.restore', { id, expectedVersion: version }))

  /**
   * Restores an invoice to its state before a change, if nobody has changed it since; a file attached with the change
   * is detached.
   */
  const unchange = (before: Received, now: Received): Promise<void> =>
    putBack('undoDelete.receivedChange', async () => {
      const { warnings: _warnings, ...after } = await call('received.update', {
        ...receivedInput(formOfReceived(before)),
        id: now.id,
        allowDuplicate: true,
        expectedVersion: now.version,
      })
      const had = new Set(before.attachments.map((each) => each.id))
      let back: Received = after
      for (const { id: attachmentId } of after.attachments)
        if (!had.has(attachmentId)) back = await call('received.detach', { id: now.id, attachmentId })
      return back
    })

  const notifySaved = ({ id, receptionNumber }: Received): void =>
    toasts.done(translate('received.saved', { number: receptionNumber }), {
      id: 'received',
      actions: [
        { label: translate('received.duplicateSee'), run: () => void router.push(`/received/${id}`) },
      ],
    })
  const notifyChanged = (before: Received, now: Received): void =>
    toasts.done(translate('received.changed'), { id: 'received', undo: () => unchange(before, now) })
  const notifyVoided = (gone: Received): void =>
    toasts.done(translate('received.voided', { number: gone.receptionNumber }), {
      id: 'received',
      undo: () => unvoid(gone),
    })

  return { notifySaved, notifyChanged, notifyVoided }
}
