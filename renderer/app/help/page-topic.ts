/** The help topic of the page that is open. */
import { computed } from 'vue'
import type { ComputedRef } from 'vue'
import { useRoute } from 'vue-router'
import { topicOfPage } from './topics.ts'
import type { TopicId } from './topics.ts'

/** The topic of this page, or of its tab; null where there is none of its own. */
export function usePageTopic(): ComputedRef<TopicId | null> {
  const route = useRoute()
  return computed(() =>
    topicOfPage(String(route.name), String(route.params.section ?? route.params.tab ?? '')),
  )
}
