/**
 * Whether Sello is locked, as the server says it; takes the pages down when it is and brings them back. Nothing of the
 * books stays on the page meanwhile but drafts that could not be saved.
 */
import { defineStore } from 'pinia'
import { computed, nextTick, ref, shallowRef } from 'vue'
import { asCallError, call, CallError, callsDone, onAppLocked } from '../call.ts'
import { startEvents, stopEvents } from '../events.ts'
import { forgetAhead } from '../prefetch.ts'
import { i18n, say, speak } from '../i18n.ts'
import { saveBeforeLock } from '../app/app-lock/preserved-state.ts'
import { useKeysStore } from './keys.ts'
import { usePulseStore } from './pulse.ts'
import { useSessionStore, wearMotion, wearTheme } from './session.ts'
import type { InputOf, OutputOf } from '../../server/api/contracts.ts'

type LockState = OutputOf<'session.lockState'>

/** What is under way, such as an issue, is waited for this long before Sello locks. */
const FINISH_WAIT_MS = 15_000

export const useLockStore = defineStore('lock', () => {
  const session = useSessionStore()
  const pulse = usePulseStore()
  const keys = useKeysStore()

  const state = shallowRef<LockState | null>(null)
  /** `closing`: hidden already, while unsaved work is put away. */
  const phase = ref<'open' | 'closing' | 'locked'>('open')
  const isSet = computed(() => state.value?.set ?? false)
  let closing: Promise<void> | null = null

  async function load(): Promise<void> {
    state.value = await call('session.lockState', {})
  }

  function forget(): void {
    stopEvents()
    forgetAhead()
    session.forget()
    keys.forget()
    pulse.forget()
  }

  async function takeDown(): Promise<void> {
    phase.value = 'closing'
    await saveBeforeLock()
    try {
      await load()
    } catch {
      // Without a server there is nothing to open either: the lock's page asks again.
    }
    if (state.value && !i18n.global.availableLocales.includes(state.value.language))
      await speak(state.value.language)
    phase.value = 'locked'
    await nextTick()
    forget()
    if (state.value) {
      await speak(state.value.language)
      wearTheme(state.value.theme)
      wearMotion(state.value.motion)
    }
    document.title = say('lock.title')
  }

  /** The server refuses because Sello is locked: the pages come down. Called as often as it is heard. */
  function close(): Promise<void> {
    if (phase.value === 'locked') return Promise.resolve()
    closing ??= takeDown().finally(() => (closing = null))
    return closing
  }

  /** Locks: what is under way is finished, drafts are saved while that is still possible, then the door shuts. */
  async function lockNow(reason: InputOf<'session.lock'>['reason'] = 'person'): Promise<void> {
    if (phase.value !== 'open') return
    if (!isSet.value) throw new CallError({ code: 'lock_not_set', message: 'There is no code.' })
    phase.value = 'closing'
    try {
      await callsDone(FINISH_WAIT_MS)
      await saveBeforeLock()
      state.value = await call('session.lock', { reason })
    } catch (thrown) {
      // Locked elsewhere meanwhile is locked; any other refusal leaves Sello open and says so.
      if (asCallError(thrown).code !== 'app_locked') {
        phase.value = 'open'
        throw thrown
      }
    }
    await close()
  }

  async function reopen(next: LockState): Promise<void> {
    await session.load()
    state.value = next
    phase.value = 'open'
    startEvents()
  }

  /** Opens with what `input` proves. Throws `CallError`. */
  async function unlock(input: InputOf<'session.unlock'>): Promise<void> {
    await reopen(await call('session.unlock', input))
  }

  /** Asks how it stands: another tab may have opened it. */
  async function look(): Promise<void> {
    const next = await call('session.lockState', {})
    if (!next.locked && phase.value === 'locked') await reopen(next)
    else state.value = next
  }

  onAppLocked(() => void close())

  return { state, phase, isSet, load, close, lockNow, unlock, look }
})
