/**
 * Finds the programs with which some tests check files. Without one the test is skipped, or fails if everything is
 * required.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'vitest'

const windows = process.platform === 'win32'
const announced = new Set<string>()

/** Programs with several names. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
  firefox: ['firefox', 'firefox-esr'],
}

/**
 * Returns the path of a program by name, or null. `CHROMIUM` in the environment names the browser to use for
 * `chromium`.
 */
export function tool(name: string): string | null {
  const named = NAMES[name] ?? [name]
  const candidates = [
    ...(name === 'chromium' && process.env.CHROMIUM ? [process.env.CHROMIUM] : []),
    ...(process.env.PATH ?? '')
      .split(delimiter)
      .filter((folder) => folder !== '')
      .flatMap((folder) => named.map((each) => join(folder, windows ? `${each}.exe` : each))),
  ]
  return candidates.find(isProgram) ?? null
}

/**
 * Returns `test`, or if a program is missing a `test` that is skipped and names it: `needs('qpdf', 'xmllint')('the
 * file is well-formed', …)`. With `SELLO_REQUIRE_ALL=1` it fails instead.
 */
export function needs(...names: string[]): typeof test {
  const missing = names.filter((name) => tool(name) === null)
  if (missing.length === 0) return test
  const reason = `needs ${missing.join(', ')}`
  if (process.env.SELLO_REQUIRE_ALL === '1') {
    return ((title: string) =>
      test(title, () => {
        throw new Error(`${reason} (SELLO_REQUIRE_ALL=1)`)
      })) as typeof test
  }
  if (!announced.has(reason)) {
    announced.add(reason)
    console.warn(`Tests skipped: ${reason}.`)
  }
  return test.skip as unknown as typeof test
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
