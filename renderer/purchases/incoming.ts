/** Queue of dropped files for the form that reads them one after the other, and of entries proposed elsewhere. */
import { computed, shallowRef } from 'vue'
import type { ReceivedInput } from './form.ts'

const incoming = shallowRef<readonly File[]>([])

/** Number of files that wait for a form. */
export const waitingFiles = computed(() => incoming.value.length)

/** Queues files for the next form that opens; files queued before are discarded. */
export function queueFiles(...files: readonly File[]): void {
  incoming.value = files
}

/** Takes the next queued file, once. */
export function dequeueFile(): File | null {
  const [file, ...rest] = incoming.value
  incoming.value = rest
  return file ?? null
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
export function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const text = String(reader.result)
      resolve(text.slice(text.indexOf(',') + 1))
    })
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')))
    reader.readAsDataURL(file)
  })
}
