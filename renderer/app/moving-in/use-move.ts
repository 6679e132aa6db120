/** The move that a page shows, loaded again after its events. */
import { useDebounceFn } from '@vueuse/core'
import { computed, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'
import { asCallError, call } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { onEvent, onReopened } from '../../events.ts'
import { knownMove, showMove } from './moves.ts'
import { runOf } from './runner.ts'

const SETTLE_MS = 250
/** A file of many rows reports every portion: the page follows at this pace. */
const MOST_MS = 1_000

export function useMove(id: Ref<string>) {
  const error = shallowRef<CallError | null>(null)
  const move = computed(() => (id.value === '' ? null : knownMove(id.value)))

  async function load(): Promise<void> {
    const wanted = id.value
    if (wanted === '') return
    try {
      const answer = await call('moving.get', { id: wanted })
      error.value = null
      showMove(answer.move)
    } catch (thrown) {
      if (wanted === id.value && move.value === null) error.value = asCallError(thrown)
    }
  }
  const loadSoon = useDebounceFn(load, SETTLE_MS, { maxWait: MOST_MS })
  // The answers of a run are newer than any that its events would bring.
  onEvent('moving.changed', ({ data }) => {
    if (data.moveId === id.value && runOf(id.value) === null) void loadSoon()
  })
  onReopened(() => void loadSoon())
  watch(id, load, { immediate: true })
  return { move, error, load }
}
