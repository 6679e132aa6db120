/** The order of the test files: those with a browser first, the walk over all pages before the others. */
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

const WALK = '/test/e2e/window/pages.test.ts'

/** The longest single file begins first; were it last, as by the size of files, the other worker would wait for it. */
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
