/** Leaving the editor: saves the draft first, or keeps it in memory; the desktop window waits for it. */
import { useEventListener } from '@vueuse/core'
import { onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'
import { translate } from '../../../i18n.ts'
import { beforeLock } from '../../../app/app-lock/preserved-state.ts'
import { useToasts } from '../../../stores/toasts.ts'
import type { Draft } from './use-draft.ts'

const CLOSE_WAIT_MS = 2000

/** `finished` marks a draft that needs no further saving: issued, or deleted. */
export function useLeaving(draft: Draft) {
  const router = useRouter()
  const toasts = useToasts()
  let finished = false

  const stopGuard = router.beforeEach(async (to) => {
    if (finished || to.path === `/invoices/${draft.id.value}/edit`) return true
    if (!(await draft.leave())) toasts.done(translate('invoice.leftUnsaved'), { id: 'restored' })
    return true
  })
  onScopeDispose(stopGuard)
  beforeLock(async () => {
    if (finished) return
    await draft.leave()
    // A new draft that was saved after all is reopened under its own address.
    if (!draft.id.value || router.currentRoute.value.name !== 'invoice-new') return
    finished = true
    await router.replace(`/invoices/${draft.id.value}/edit`)
  })

  const inDesktop = location.protocol === 'app:'
  useEventListener(window, 'beforeunload', (event: BeforeUnloadEvent) => {
    if (finished || !draft.hasUnsaved()) return
    event.preventDefault()
    // The desktop window asks nothing: it stays open until the draft is saved, and then closes.
    if (!inDesktop) return
    finished = true
    void Promise.race([draft.save(), new Promise((resolve) => setTimeout(resolve, CLOSE_WAIT_MS))]).then(() =>
      window.close(),
    )
  })

  return {
    isFinished: () => finished,
    finish: () => {
      finished = true
    },
  }
}
