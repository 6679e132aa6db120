/**
 * Lock state of Sello, as the server reports it; unmounts the pages when it locks and restores them afterwards.
 * Meanwhile nothing of the books stays in the window but drafts that could not be saved.
 */
import { defineStore } from 'pinia'
import { computed, nextTick, ref, shallowRef } from 'vue'
import { asCallError, call, CallError, callsDone, onAppLocked } from '../call.ts'
import { startEvents, stopEvents } from '../events.ts'
import { discardPrefetched } from '../prefetch.ts'
import { i18n, translate, switchLanguage } from '../i18n.ts'
import { saveBeforeLock } from '../app/app-lock/preserved-state.ts'
import { useKeysStore } from './keys.ts'
import { usePulseStore } from './pulse.ts'
import { useSessionStore, applyMotion, applyTheme } from './session.ts'
import type { InputOf, OutputOf } from '../../server/api/contracts.ts'

type LockState = OutputOf<'session.lockState'>

/** Time limit for running actions, such as an issue, before Sello locks. */
const FINISH_WAIT_MS = 15_000

export const useLockStore = defineStore('lock', () => {
  const session = useSessionStore()
  const pulse = usePulseStore()
  const keys = useKeysStore()

  const state = shallowRef<LockState | null>(null)
  /** `closing`: already hidden, while unsaved work is being saved. */
  const phase = ref<'open' | 'closing' | 'locked'>('open')
  const isSet = computed(() => state.value?.set ?? false)
  let closing: Promise<void> | null = null

  async function load(): Promise<void> {
    state.value = await call('session.lockState', {})
  }

  function forget(): void {
    stopEvents()
    discardPrefetched()
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
      // Without a server nothing can be unlocked either: the lock page polls.
    }
    if (state.value && !i18n.global.availableLocales.includes(state.value.language))
      await switchLanguage(state.value.language)
    phase.value = 'locked'
    await nextTick()
    forget()
    if (state.value) {
      await switchLanguage(state.value.language)
      applyTheme(state.value.theme)
      applyMotion(state.value.motion)
    }
    document.title = translate('lock.title')
  }

  /** Unmounts the pages because the server refuses calls while Sello is locked. May be called repeatedly. */
  function close(): Promise<void> {
    if (phase.value === 'locked') return Promise.resolve()
    closing ??= takeDown().finally(() => (closing = null))
    return closing
  }

  /** Locks: running actions finish, drafts are saved while that is still possible, then the server locks. */
  async function lockNow(reason: InputOf<'session.lock'>['reason'] = 'person'): Promise<void> {
    if (phase.value !== 'open') return
    if (!isSet.value) throw new CallError({ code: 'lock_not_set', message: 'There is no code.' })
    phase.value = 'closing'
    try {
      await callsDone(FINISH_WAIT_MS)
      await saveBeforeLock()
      state.value = await call('session.lock', { reason })
    } catch (thrown) {
      // If it was locked elsewhere meanwhile, it is locked; any other error leaves Sello unlocked and is shown.
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

  /** Unlocks with the proof in `input`. Throws `CallError`. */
  async function unlock(input: InputOf<'session.unlock'>): Promise<void> {
    await reopen(await call('session.unlock', input))
  }

  /** Reloads the lock state: another tab may have unlocked it. */
  async function look(): Promise<void> {
    const next = await call('session.lockState', {})
    if (!next.locked && phase.value === 'locked') await reopen(next)
    else state.value = next
  }

  onAppLocked(() => void close())

  return { state, phase, isSet, load, close, lockNow, unlock, look }
})
