/** Order of the assumptions on the page. Pure. */
import type { OutputOf } from '../../../../server/api/contracts.ts'

export type Assumption = OutputOf<'exchange.assumptions'>['items'][number]

const WEIGHT = { live: 0, rendering: 1, nothing: 2 }

/** Returns the assumptions by topic, in the order of the list, those that prevent most first in each. */
export function byTopic(items: readonly Assumption[]): { topic: Assumption['topic']; items: Assumption[] }[] {
  const topics = [...new Set(items.map(({ topic }) => topic))]
  return topics.map((topic) => ({
    topic,
    items: items
      .filter((each) => each.topic === topic)
      .toSorted((one, other) => WEIGHT[one.blocks] - WEIGHT[other.blocks]),
  }))
}
