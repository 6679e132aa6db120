/** The way back of what was deleted: for a day the server brings back the same record, with all that it was linked to. */
import { call } from '../../call.ts'
import { say } from '../../i18n.ts'
import { useToasts } from '../../stores/toasts.ts'

export function useWayBack() {
  const toasts = useToasts()

  /** Brings one back and says so; `then` shows it. What is refused is told, and nothing else happens. */
  async function bringBack(
    id: string,
    name: string,
    { bookId, then }: { bookId?: string | undefined; then?: () => unknown } = {},
  ): Promise<void> {
    try {
      await call('bin.restore', { id }, bookId ? { bookId } : {})
      toasts.done(say('wayBack.back', { name }), { id: `back-${id}` })
      await then?.()
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }

  /** Brings back as many as can be, and tells of the first refusal. Answers how many. */
  async function bringBackMany(ids: readonly string[], bookId: string): Promise<number> {
    let [back, refusal]: [number, unknown] = [0, null]
    for (const id of ids)
      try {
        await call('bin.restore', { id }, { bookId })
        back++
      } catch (thrown) {
        refusal ??= thrown
      }
    if (refusal !== null) toasts.failed(refusal)
    return back
  }

  return { bringBack, bringBackMany }
}
