/** Slots in which a dropped file, or an entry proposed elsewhere, waits for the form that opens next. */
import { shallowRef } from 'vue'
import type { ReceivedInput } from './form.ts'

const file = shallowRef<File | null>(null)

/** Passes a file to the next form that opens. */
export function queueFile(dropped: File): void {
  file.value = dropped
}

/** Takes the passed file, once. */
export function dequeueFile(): File | null {
  const dropped = file.value
  file.value = null
  return dropped
}

const entry = shallowRef<ReceivedInput | null>(null)

/** Passes an entry to the next form that opens, for review before it is saved. */
export function queueEntry(proposed: ReceivedInput): void {
  entry.value = proposed
}

/** Takes the passed entry, once. */
export function dequeueEntry(): ReceivedInput | null {
  const proposed = entry.value
  entry.value = null
  return proposed
}

/** Encodes the bytes of a file in base64, as the contract takes them. */
export function base64Of(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const text = String(reader.result)
      resolve(text.slice(text.indexOf(',') + 1))
    })
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')))
    reader.readAsDataURL(content)
  })
}
