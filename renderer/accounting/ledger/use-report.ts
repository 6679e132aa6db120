/** Loads the content of a tab: again when its query or the ledger changes, while the old content stays visible. */
import { useDebounceFn } from '@vueuse/core'
import { onScopeDispose, shallowRef, watch } from 'vue'
import { asCallError } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { onEvent, onReopened } from '../../events.ts'
import { useSessionStore } from '../../stores/session.ts'

const SETTLE_MS = 300
/** Events that book something. */
export const FACTS = ['ledger.changed', 'invoice.*', 'received.changed', 'payment.changed', 'bank.changed']

/** Calls `ask` with the value of `question`; an answer to an older query is dropped. */
export function useReport<Question, Answer>(
  question: () => Question,
  ask: (question: Question) => Promise<Answer>,
) {
  const session = useSessionStore()
  const answer = shallowRef<Answer | null>(null)
  const error = shallowRef<CallError | null>(null)
  let turn = 0

  async function load(): Promise<void> {
    const mine = ++turn
    try {
      const got = await ask(question())
      if (mine !== turn) return
      answer.value = got
      error.value = null
    } catch (thrown) {
      if (mine === turn) error.value = asCallError(thrown)
    }
  }

  watch(question, () => void load(), { immediate: true, deep: true })
  const settle = useDebounceFn(load, SETTLE_MS)
  const leave = FACTS.map((type) =>
    onEvent(type, (event) => {
      if (event.bookId === session.activeBook?.id) void settle()
    }),
  )
  leave.push(onReopened(() => void settle()))
  onScopeDispose(() => {
    turn = -1
    for (const each of leave) each()
  })
  return { answer, error, load }
}
