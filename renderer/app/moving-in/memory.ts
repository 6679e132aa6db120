/**
 * Files of moves that this window holds: the server does not store them, and a file is sent again with answers, other
 * columns, or the documents in it. They are gone after a reload; the page then asks for the file.
 */
import { shallowReactive } from 'vue'

/** Largest file that the server takes. */
export const MOST_BYTES = 20 * 1024 * 1024

const held = shallowReactive(new Map<string, File>())
const keyOf = (moveId: string, name: string): string => `${moveId} ${name}`

/** A name as the server takes it. */
export const nameOfFile = ({ name }: File): string => name.slice(-200) || 'archivo'

export const holdFile = (moveId: string, file: File): void =>
  void held.set(keyOf(moveId, nameOfFile(file)), file)

export const heldFile = (moveId: string, name: string): File | null => held.get(keyOf(moveId, name)) ?? null

export const forgetFile = (moveId: string, name: string): void => void held.delete(keyOf(moveId, name))

/** Forgets all files of a move: it is over. */
export function forgetFiles(moveId: string): void {
  for (const key of held.keys()) if (key.startsWith(`${moveId} `)) held.delete(key)
}
