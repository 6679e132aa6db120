/** The file on its way from the list, where it was dropped, to the form that reads it. */
import { shallowRef } from 'vue'

const incoming = shallowRef<File | null>(null)

/** Hands a file over to the form that opens next. */
export function handOver(file: File): void {
  incoming.value = file
}

/** Takes the file that was handed over, once. */
export function takeOver(): File | null {
  const file = incoming.value
  incoming.value = null
  return file
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
