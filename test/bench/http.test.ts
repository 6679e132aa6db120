/** A benchmark compares two programs that do the same work: when an answer of Sello grows, so must that of its limit. */
import { expect, onTestFinished, test } from 'vitest'
import { Workplace } from '../../bench/books.ts'
import { startBoth } from '../../bench/scenarios/http.ts'
import { sweptCount } from '../support/sweep.ts'

/** Few customers: neither answer depends on their number, and thousands take seconds to create. */
class SmallWorkplace extends Workplace {
  override master(invoices: number, settling: Parameters<Workplace['master']>[1]) {
    return super.master(invoices, settling, 20)
  }
}

test('the limit of http.* answers what Sello answers', { timeout: 60_000 }, async () => {
  const workplace = new SmallWorkplace(() => {})
  onTestFinished(() => workplace.close())
  const { paths, drafts, close } = await startBoth(workplace, sweptCount(60, 20))
  await close()
  expect([paths.length, drafts.length]).toEqual([500, 500])
})
