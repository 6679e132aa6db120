/** Finds the data files of packages: WebAssembly modules and the weights of the OCR. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Returns the path of a data file: in `data/` beside the bundle, or in its package when the program runs from source.
 * Throws if it is missing: nothing is ever downloaded.
 */
export function dataFile(fileName: string, specifier: string): string {
  const beside = new URL(`./data/${fileName}`, import.meta.url)
  return existsSync(beside) ? fileURLToPath(beside) : createRequire(import.meta.url).resolve(specifier)
}
