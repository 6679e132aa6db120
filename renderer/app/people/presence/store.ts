/** Who edits which record of the active book. Loaded in an office alone. */
import { useDebounceFn, useIntervalFn } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { call } from '../../../call.ts'
import { onEvent, onReopened } from '../../../events.ts'
import { useSessionStore } from '../../../stores/session.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'

type Editor = OutputOf<'presence.list'>['editors'][number]
export type EditedType = Editor['type']

const SETTLE_MS = 100
/** A page that has vanished says nothing: those who are shown are looked up again. */
const LOOK_MS = 30_000

export const usePresenceStore = defineStore('presence', () => {
  const session = useSessionStore()
  const editors = shallowRef<readonly Editor[]>([])
  const others = computed(() => {
    const byRecord = new Map<string, Editor[]>()
    for (const editor of editors.value.filter(({ mine }) => !mine)) {
      const key = `${editor.type} ${editor.id}`
      byRecord.set(key, [...(byRecord.get(key) ?? []), editor])
    }
    return byRecord
  })

  async function look(): Promise<void> {
    const bookId = session.activeBook?.id
    if (!bookId) return
    try {
      const found = await call('presence.list', {}, { bookId })
      if (session.activeBook?.id === bookId) editors.value = found.editors
    } catch {
      // Without an answer nobody is shown; the next look tries again.
      editors.value = []
    }
  }
  const lookSoon = useDebounceFn(look, SETTLE_MS)
  onEvent('presence.changed', () => void lookSoon())
  onReopened(() => void lookSoon())
  useIntervalFn(() => void (editors.value.length > 0 && look()), LOOK_MS)
  watch(
    () => session.activeBook?.id,
    () => {
      editors.value = []
      void look()
    },
    { immediate: true },
  )

  return {
    /** Others who edit a record, those who came first before. */
    othersOn: (type: EditedType, id: string): readonly Editor[] => others.value.get(`${type} ${id}`) ?? [],
    /** Takes over what an answer said. */
    adopt: (found: readonly Editor[]) => void (editors.value = found),
    /** Name of who takes a record over from this page; null if nobody does. */
    askedFor: (type: EditedType, id: string): string | null =>
      editors.value.find((one) => one.mine && one.type === type && one.id === id && one.askedBy !== null)
        ?.askedBy ?? null,
  }
})
