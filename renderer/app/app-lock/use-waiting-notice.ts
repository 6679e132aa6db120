/**
 * While Sello is locked: how many proposals wait, on the dock and, when one comes, in a notice of the system. Nothing of what
 * they are about is known here.
 */
import { useIntervalFn } from '@vueuse/core'
import { watch } from 'vue'
import { inDesktop, notify, showBadge } from '../../desktop.ts'
import { say } from '../../i18n.ts'
import { useLockStore } from '../../stores/lock.ts'

/** No events come through a locked door: it is asked. A proposal waits for minutes. */
const LOOK_MS = 20_000

export function useWaitingNotice(): void {
  if (!inDesktop) return
  const lock = useLockStore()
  useIntervalFn(() => void lock.look().catch(() => undefined), LOOK_MS)
  watch(
    () => lock.state?.waiting ?? 0,
    (waiting, before) => {
      showBadge(waiting)
      // What waited already when it was locked has been told.
      if (before === undefined || waiting <= before) return
      notify({
        kind: 'approvals',
        title: say('desktop.notice.approvals'),
        body: say('lock.waitingNotice', { count: waiting }, waiting),
        path: '/inbox',
      })
    },
    { immediate: true },
  )
}
