/**
 * What can be taken back in this window, newest first: the button of its notice does it, and so does `Ctrl Z` outside
 * fields, one thing after another, also when the notice has gone. Of another book nothing is taken back.
 */
import { shallowReactive } from 'vue'

/** More than anybody takes back one by one. */
const KEPT = 30

interface Undoable {
  /** What was done, as its notice says it. */
  title: string
  bookId: string
  /** Takes it back; says itself what it could not. */
  run: () => unknown
}

const stack = shallowReactive<Undoable[]>([])
const spent = new WeakSet<Undoable>()
let takingBack = 0

/**
 * Notes something that can be taken back; answers the way to do it once, for its button. What a taking back does itself
 * is not put on the pile, or `Ctrl Z` would go to and fro between two states.
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

/** Does it, once: by key or by its button, whichever comes first. */
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

/** The newest deed of the book, taken off the pile; null when there is none. */
export function takeUndoable(bookId: string): Undoable | null {
  for (let place = stack.length - 1; place >= 0; place--) {
    const deed = stack[place]
    if (deed?.bookId !== bookId) continue
    stack.splice(place, 1)
    return deed
  }
  return null
}

/** Forgets all of it: what it would restore is no longer what it was. */
export function forgetUndoables(): void {
  stack.splice(0)
}
