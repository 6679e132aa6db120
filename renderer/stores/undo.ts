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
let undoing = 0

/**
 * Pushes an undoable action; returns the function of its button, which runs once. Undo itself is not pushed, or `Ctrl
 * Z` would alternate between two states.
 */
export function pushUndoable(action: Undoable): () => void {
  if (undoing === 0) stack.push(action)
  if (stack.length > KEPT) stack.shift()
  return () => {
    const place = stack.indexOf(action)
    if (place !== -1) stack.splice(place, 1)
    void runUndo(action)
  }
}

/** Runs it once: by key or by its button, whichever comes first. */
export async function runUndo(action: Undoable): Promise<void> {
  if (spent.has(action)) return
  spent.add(action)
  undoing++
  try {
    await action.run()
  } finally {
    undoing--
  }
}

/** Pops the latest action of the book; returns null if there is none. */
export function popUndoable(bookId: string): Undoable | null {
  for (let place = stack.length - 1; place >= 0; place--) {
    const action = stack[place]
    if (action?.bookId !== bookId) continue
    stack.splice(place, 1)
    return action
  }
  return null
}

/** Clears the stack: the state it would restore is outdated. */
export function clearUndoables(): void {
  stack.splice(0)
}
