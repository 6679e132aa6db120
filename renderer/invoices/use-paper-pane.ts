/** Form and paper of the editor side by side, or one behind the other where there is no room; the choice is kept. */
import { useLocalStorage, useMediaQuery, watchDebounced } from '@vueuse/core'
import { computed, ref, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'
import { eurosOf, totalsOf } from './draft.ts'
import { paperOfForm } from './paper.ts'
import type { Company, Paper } from './paper.ts'
import type { Draft } from './use-draft.ts'

const PAPER_AFTER_MS = 250

export function usePaperPane(draft: Draft, company: Readonly<Ref<Company | null>>) {
  const { form, kept } = draft
  const totals = computed(() => totalsOf(form))
  const euros = computed(() => eurosOf(form, totals.value))

  const wide = useMediaQuery('(min-width: 1024px)')
  const paperKept = useLocalStorage('sello.paper', true)
  const tab = ref<'form' | 'paper'>('form')
  const paperShown = computed(() => (wide.value ? paperKept.value : tab.value === 'paper'))
  const formShown = computed(() => wide.value || tab.value === 'form')
  const paper = shallowRef<Paper | null>(null)

  function togglePaper(): void {
    if (wide.value) paperKept.value = !paperKept.value
    else tab.value = tab.value === 'form' ? 'paper' : 'form'
  }
  function drawPaper(): void {
    if (paperShown.value && company.value)
      paper.value = paperOfForm(form, totals.value, company.value, kept.value)
  }
  watchDebounced([form, company, kept], drawPaper, { debounce: PAPER_AFTER_MS, deep: true })
  watch([paperShown, draft.loading], drawPaper, { immediate: true })

  return { totals, euros, wide, tab, paperShown, formShown, paper, togglePaper, drawPaper }
}
