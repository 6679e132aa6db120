/** Order of the test files: browser tests first, and among them the test of all pages. */
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

const WALK = '/test/e2e/window/pages.test.ts'

/** The longest file starts first. Started last, as the order by file size would do, it would delay the whole run. */
function rank({ moduleId }: TestSpecification): number {
  if (moduleId.endsWith(WALK)) return 0
  return moduleId.includes('/test/e2e/') ? 1 : 2
}

export class BrowserFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
