/**
 * New versions of the desktop app, as the page sees them: what the desktop tells, what the person asks, and the notice that one
 * is there. In a browser, and in a build without a place to look, there are none.
 */
import { computed, readonly, shallowRef, watch } from 'vue'
import { say } from './i18n.ts'
import { router } from './router.ts'
import { useSessionStore } from './stores/session.ts'
import { useToasts } from './stores/toasts.ts'
import type { DesktopBridge, UpdateRequest, UpdateState } from '../preload/contract.ts'

export const UPDATES_PLACE = '/settings/security'

const state = shallowRef<UpdateState | null>(null)

const bridge = (): DesktopBridge | undefined => (window as { desktop?: DesktopBridge }).desktop

/** Null where updates do not exist. */
export function useUpdates() {
  return {
    state: readonly(computed(() => (state.value?.phase === 'absent' ? null : state.value))),
    ask: async (request: UpdateRequest): Promise<boolean> => (await bridge()?.askUpdates(request)) ?? false,
  }
}

/** The menu's «look for updates»: goes to where the answer is shown, and asks. */
export async function checkUpdates(): Promise<void> {
  await router.push(UPDATES_PLACE)
  await useUpdates().ask('check')
}

/** Listens to the desktop and tells it what the person prefers. Called once, when the app is there. */
export function startUpdates(): void {
  const desktop = bridge()
  // An older desktop around a newer page has no such thing.
  if (!desktop?.onUpdates) return
  const session = useSessionStore()
  const toasts = useToasts()
  desktop.onUpdates((next) => {
    const news = next.phase === 'available' && state.value?.phase === 'checking'
    state.value = next
    if (news && router.currentRoute.value.path !== UPDATES_PLACE)
      toasts.done(say('updates.found', { version: next.next ?? '' }), {
        id: 'update',
        description: say('updates.foundText'),
        actions: [{ label: say('updates.see'), run: () => void router.push(UPDATES_PLACE) }],
      })
  })
  void desktop.askUpdates('state')
  watch(
    () => session.preferences?.updates,
    (choice) => {
      if (choice) void desktop.askUpdates(choice)
    },
    { immediate: true },
  )
}
