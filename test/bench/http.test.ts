/** A benchmark compares two programs that do the same work: when an answer of Sello grows, so must that of its limit. */
import { expect, onTestFinished, test } from 'vitest'
import { Workplace } from '../../bench/books.ts'
import { startBoth } from '../../bench/scenarios/http.ts'

test('the limit of http.* answers what Sello answers', { timeout: 60_000 }, async () => {
  const workplace = new Workplace(() => {})
  onTestFinished(() => workplace.close())
  const { paths, drafts, close } = await startBoth(workplace, 60)
  await close()
  expect([paths.length, drafts.length]).toEqual([500, 500])
})
