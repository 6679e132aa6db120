/**
 * Undo stack of this window, newest first: used by the button of a notice, and by `Ctrl Z` outside fields,
 * repeatedly, also after the notice has gone. Actions of another book are not undone.
 */
import { shallowReactive } from 'vue'

/** More than any user undoes one by one. */
const KEPT = 30

interface Undoable {
  /** The action, as its notice describes it. */
  title: string
  bookId: string
  /** Undoes the action; reports its own failures. */
  run: () => unknown
}

const stack = shallowReactive<Undoable[]>([])
const spent = new WeakSet<Undoable>()
let takingBack = 0

/**
 * Pushes an undoable action; returns the function of its button, which runs once. Undo itself is not pushed, or `Ctrl
 * Z` would alternate between two states.
 */
export function noteUndoable(deed: Undoable): () => void {
  if (takingBack === 0) stack.push(deed)
  if (stack.length > KEPT) stack.shift()
  return () => {
    const place = stack.indexOf(deed)
    if (place !== -1) stack.splice(place, 1)
    void takeBack(deed)
  }
}

/** Runs it once: by key or by its button, whichever comes first. */
export async function takeBack(deed: Undoable): Promise<void> {
  if (spent.has(deed)) return
  spent.add(deed)
  takingBack++
  try {
    await deed.run()
  } finally {
    takingBack--
  }
}

/** Pops the latest action of the book; returns null if there is none. */
export function takeUndoable(bookId: string): Undoable | null {
  for (let place = stack.length - 1; place >= 0; place--) {
    const deed = stack[place]
    if (deed?.bookId !== bookId) continue
    stack.splice(place, 1)
    return deed
  }
  return null
}

/** Clears the stack: the state it would restore is outdated. */
export function forgetUndoables(): void {
  stack.splice(0)
}
