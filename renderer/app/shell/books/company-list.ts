/** The companies of the switcher: loaded page by page from the server, which searches and orders them. */
import { useDebounceFn } from '@vueuse/core'
import { computed, ref, shallowRef, watch } from 'vue'
import { call } from '../../../call.ts'
import { asCallError } from '../../../call.ts'
import type { CallError } from '../../../call.ts'
import { latestCall } from '../../../composables/latest-call.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'

export type ListedCompany = OutputOf<'companies.list'>['items'][number]

/** A row of the list: a heading or a company. */
export type SwitcherRow =
  | { kind: 'head'; key: string; section: ListedCompany['section']; group: string | null }
  | { kind: 'company'; key: string; company: ListedCompany; position: number }

const ASK_AFTER_MS = 80

export function useCompanyList() {
  const text = ref('')
  const companies = shallowRef<readonly ListedCompany[]>([])
  const total = ref(0)
  const groups = shallowRef<readonly string[]>([])
  const cursor = ref<string | null>(null)
  const loaded = ref(false)
  /** The text that the companies answer; another one while the search is under way. */
  const answered = ref<string | null>(null)
  const error = shallowRef<CallError | null>(null)
  const begin = latestCall()
  let isAsking = false

  async function load(more = false): Promise<void> {
    if (more && (isAsking || cursor.value === null)) return
    const isLatest = begin()
    isAsking = true
    const wanted = text.value
    try {
      const page = await call('companies.list', {
        archived: 'also',
        ...(wanted.trim() ? { text: wanted.trim() } : {}),
        ...(more && cursor.value !== null ? { cursor: cursor.value } : {}),
      })
      if (!isLatest()) return
      answered.value = wanted
      companies.value = more ? [...companies.value, ...page.items] : page.items
      total.value = page.total
      groups.value = page.groups
      cursor.value = page.nextCursor
      error.value = null
      loaded.value = true
    } catch (thrown) {
      if (isLatest()) error.value = asCallError(thrown)
    } finally {
      if (isLatest()) isAsking = false
    }
  }

  watch(
    text,
    useDebounceFn(() => void load(), ASK_AFTER_MS),
  )

  const rows = computed(() => {
    const all: SwitcherRow[] = []
    let head = ''
    for (const [position, company] of companies.value.entries()) {
      const group = company.section === 'group' ? company.group : null
      const key = `${company.section}/${group ?? ''}`
      if (key !== head) all.push({ kind: 'head', key, section: company.section, group })
      head = key
      all.push({ kind: 'company', key: company.id, company, position })
    }
    return all
  })

  /** True if the companies are those of the text in the field. */
  const isCurrent = computed(() => answered.value === text.value)

  return { text, isCurrent, rows, companies, total, groups, loaded, error, load }
}
