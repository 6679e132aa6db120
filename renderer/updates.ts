/**
 * Updates of the desktop app in the window: their state, the user's requests, and the notice of a new version. A
 * browser, and a build without an update source, have none.
 */
import { computed, readonly, shallowRef, watch } from 'vue'
import { checkForUpdates, inDesktop, onUpdates } from './desktop.ts'
import { translate } from './i18n.ts'
import { router } from './router.ts'
import { useSessionStore } from './stores/session.ts'
import { useToasts } from './stores/toasts.ts'
import type { UpdateState } from '../preload/contract.ts'

const UPDATES_PLACE = '/settings/security'

const state = shallowRef<UpdateState | null>(null)

/** Null where updates do not exist. */
export function useUpdates() {
  return {
    state: readonly(computed(() => (state.value?.phase === 'absent' ? null : state.value))),
    ask: checkForUpdates,
  }
}

/** Listens to the desktop and sends it the user's preference. Called once, when the app is mounted. */
export function startUpdates(): void {
  if (!inDesktop) return
  const session = useSessionStore()
  const toasts = useToasts()
  onUpdates((next) => {
    const news = next.phase === 'available' && state.value?.phase === 'checking'
    state.value = next
    if (news && router.currentRoute.value.path !== UPDATES_PLACE)
      toasts.done(translate('updates.found', { version: next.next ?? '' }), {
        id: 'update',
        description: translate('updates.foundText'),
        actions: [{ label: translate('updates.see'), run: () => void router.push(UPDATES_PLACE) }],
      })
  })
  void checkForUpdates('state')
  watch(
    () => session.preferences?.updates,
    (choice) => {
      if (choice) void checkForUpdates(choice)
    },
    { immediate: true },
  )
}
