/** Vitest reporter: writes the numbers of passed, failed and skipped tests to the file named by `SELLO_TEST_REPORT`. */
import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

interface TestCounts {
  passed: number
  failed: number
  skipped: number
  /** `file > test: reason` of each skipped test. */
  skippedNames: string[]
}

/** Counts a file that could not be loaded as one failure, because its tests are unknown. */
export function countTests(modules: readonly TestModule[], outsideErrors: number): TestCounts {
  const counts: TestCounts = { passed: 0, failed: outsideErrors, skipped: 0, skippedNames: [] }
  for (const module of modules) {
    let failedInside = 0
    for (const test of module.children.allTests()) {
      const result = test.result()
      if (result.state === 'passed') counts.passed += 1
      else if (result.state === 'failed') failedInside += 1
      else {
        counts.skipped += 1
        const reason = result.state === 'skipped' && result.note ? `: ${result.note}` : ''
        counts.skippedNames.push(`${module.relativeModuleId} > ${test.fullName}${reason}`)
      }
    }
    counts.failed += failedInside === 0 && module.state() === 'failed' ? 1 : failedInside
  }
  return counts
}

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], outsideErrors: readonly unknown[]): void {
    const file = process.env.SELLO_TEST_REPORT
    if (file) writeFileSync(file, JSON.stringify(countTests(modules, outsideErrors.length)))
  }
}
