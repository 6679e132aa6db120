/** The test files that run fewer cases every day than in the long run. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Groups with runs of their own, as folders of `test`. */
const SEPARATE = /^(?:long|shared|electron)\//

/** Lists the everyday test files that import `test/support/sweep.ts`, sorted, as paths from the root. */
export function sweptFiles(root: string): string[] {
  return readdirSync(resolve(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.ts') && !SEPARATE.test(path))
    .map((path) => `test/${path}`)
    .filter((path) => readFileSync(resolve(root, path), 'utf8').includes("/support/sweep.ts'"))
    .toSorted()
}
