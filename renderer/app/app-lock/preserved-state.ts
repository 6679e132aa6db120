/**
 * What is being written when Sello locks. Pages are taken down then; what they hold unsaved waits in this window's
 * memory, never in the browser's store, and comes back with the page once the lock is open.
 */
import { getCurrentScope, onScopeDispose } from 'vue'
import { useRoute } from 'vue-router'
import { useSessionStore } from '../../stores/session.ts'

const SAVE_WAIT_MS = 3_000

const saving = new Set<() => unknown>()
const waiting = new Map<string, unknown>()

/** Calls `save` before pages are taken down, for as long as its component lives. */
export function beforeLock(save: () => unknown): void {
  saving.add(save)
  if (getCurrentScope()) onScopeDispose(() => saving.delete(save))
}

/** Lets every page put its unsaved work where it is safe; does not wait for ever. */
export async function saveBeforeLock(waitMs = SAVE_WAIT_MS): Promise<void> {
  const all = Promise.allSettled([...saving].map(async (save) => save()))
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, waitMs))])
}

/**
 * Keeps what `read` answers (null when nothing is unsaved) while Sello is locked. The function it gives is called once
 * the page is loaded anew: it hands the kept to `write` and answers true, or does nothing.
 */
export function useStateThroughLock<Work>(
  name: string,
  read: () => Work | null,
  write: (work: Work) => void,
): () => boolean {
  const route = useRoute()
  const session = useSessionStore()
  // Another book has other work at the same address.
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
