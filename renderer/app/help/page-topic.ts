/** Help topic of the open page. */
import { computed } from 'vue'
import type { ComputedRef } from 'vue'
import { useRoute } from 'vue-router'
import { topicOfPage } from './topics.ts'
import type { TopicId } from './topics.ts'
import { registryTraits } from '../../registry/traits.ts'

/** Topic of the registry's pages, in whose place another registry has its own. */
const REGISTRY_TOPIC: TopicId = 'verifactu'

/** Returns the topic of this page, or of its tab; null if it has none. */
export function usePageTopic(): ComputedRef<TopicId | null> {
  const route = useRoute()
  return computed(() => {
    const topic = topicOfPage(String(route.name), String(route.params.section ?? route.params.tab ?? ''))
    return topic === REGISTRY_TOPIC ? registryTraits.value.topic : topic
  })
}
