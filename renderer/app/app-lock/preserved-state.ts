/**
 * Unsaved state of a page across a lock. Pages are unmounted then; their unsaved state is held in the memory of this
 * window, never in the browser's storage, and is restored with the page after unlocking.
 */
import { getCurrentScope, onScopeDispose } from 'vue'
import { useRoute } from 'vue-router'
import { useSessionStore } from '../../stores/session.ts'

const SAVE_WAIT_MS = 3_000

const saving = new Set<() => unknown>()
const waiting = new Map<string, unknown>()

/** Calls `save` before pages are unmounted, while its component is mounted. */
export function beforeLock(save: () => unknown): void {
  saving.add(save)
  if (getCurrentScope()) onScopeDispose(() => saving.delete(save))
}

/** Runs the save handlers of all pages, with a time limit. */
export async function saveBeforeLock(waitMs = SAVE_WAIT_MS): Promise<void> {
  const all = Promise.allSettled([...saving].map(async (save) => save()))
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, waitMs))])
}

/**
 * Stores the result of `read` (null if nothing is unsaved) while Sello is locked. Call the returned function once the
 * page is loaded again: it passes the stored state to `write` and returns true, or does nothing.
 */
export function useStateThroughLock<Work>(
  name: string,
  read: () => Work | null,
  write: (work: Work) => void,
): () => boolean {
  const route = useRoute()
  const session = useSessionStore()
  // The same address in another book has other content.
  const keyNow = () => [session.activeBook?.id, route.fullPath, name].join(' ')
  beforeLock(() => {
    const work = read()
    if (work !== null) waiting.set(keyNow(), work)
  })
  return () => {
    const key = keyNow()
    if (!waiting.has(key)) return false
    const work = waiting.get(key) as Work
    waiting.delete(key)
    write(work)
    return true
  }
}
