/**
 * Number of waiting proposals while Sello is locked: on the dock and, for a new one, in a system notification. Their
 * content is not available here.
 */
import { useIntervalFn } from '@vueuse/core'
import { watch } from 'vue'
import { inDesktop, notify, showBadge } from '../../desktop.ts'
import { translate } from '../../i18n.ts'
import { useLockStore } from '../../stores/lock.ts'

/** A locked server sends no events, so the window polls. A proposal waits for minutes. */
const LOOK_MS = 20_000

export function useWaitingNotice(): void {
  if (!inDesktop) return
  const lock = useLockStore()
  useIntervalFn(() => void lock.look().catch(() => undefined), LOOK_MS)
  watch(
    () => lock.state?.waiting ?? 0,
    (waiting, before) => {
      showBadge(waiting)
      // Proposals that waited before the lock were announced already.
      if (before === undefined || waiting <= before) return
      notify({
        kind: 'approvals',
        title: translate('desktop.notice.approvals'),
        body: translate('lock.waitingNotice', { count: waiting }, waiting),
        path: '/inbox',
      })
    },
    { immediate: true },
  )
}
