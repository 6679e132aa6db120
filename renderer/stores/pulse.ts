/** The two figures the shell shows everywhere: how the registry answers, and how much waits in the inbox. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { call } from '../call.ts'
import { onEvent, onReopened } from '../events.ts'
import { useSessionStore } from './session.ts'
import type { OutputOf } from '../../server/contracts.ts'

type RegistryState = OutputOf<'registry.status'>

const SETTLE_MS = 150

export const usePulseStore = defineStore('pulse', () => {
  const session = useSessionStore()
  const registry = shallowRef<Pick<RegistryState, 'environment' | 'simulated' | 'service' | 'queue'> | null>(
    null,
  )
  const waiting = ref(0)
  let timer: ReturnType<typeof setTimeout> | undefined

  async function refresh(): Promise<void> {
    if (!session.activeBook) return
    const bookId = session.activeBook.id
    // The shell must live without these figures: a failure leaves the old ones and the page tells its own.
    const [state, inbox] = await Promise.allSettled([call('registry.status', {}), call('inbox.list', {})])
    if (session.activeBook?.id !== bookId) return
    if (state.status === 'fulfilled') registry.value = state.value
    if (inbox.status === 'fulfilled') waiting.value = inbox.value.waiting.length
  }

  /** Several events in a row are one refresh. */
  function refreshSoon(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(), SETTLE_MS)
  }

  for (const type of ['registry.*', 'invoice.*', 'proposal.*'])
    onEvent(type, (event) => {
      if (event.bookId === session.activeBook?.id) refreshSoon()
    })
  onReopened(refreshSoon)

  return { registry, waiting, refresh, refreshSoon }
})
