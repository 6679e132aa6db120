/** Files on their way from where they were dropped to the form that reads them, one after the other. */
import { computed, shallowRef } from 'vue'

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
