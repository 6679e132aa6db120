/** Files on their way from where they were dropped to the form that reads them, one after the other; and entries proposed elsewhere. */
import { computed, shallowRef } from 'vue'
import type { ReceivedInput } from './form.ts'

const incoming = shallowRef<readonly File[]>([])

/** How many wait for a form. */
export const waitingFiles = computed(() => incoming.value.length)

/** Hands files over to the form that opens next; those that waited before are let go. */
export function handOver(...files: readonly File[]): void {
  incoming.value = files
}

/** Takes the next file that was handed over, once. */
export function takeOver(): File | null {
  const [file, ...rest] = incoming.value
  incoming.value = rest
  return file ?? null
}

const entry = shallowRef<ReceivedInput | null>(null)

/** Hands an entry over to the form that opens next, to be looked at before it is saved. */
export function handOverEntry(proposed: ReceivedInput): void {
  entry.value = proposed
}

/** Takes the entry that was handed over, once. */
export function takeOverEntry(): ReceivedInput | null {
  const proposed = entry.value
  entry.value = null
  return proposed
}

/** A file's bytes in base64, as the contract takes them. */
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
