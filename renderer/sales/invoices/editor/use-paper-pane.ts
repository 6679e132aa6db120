/** Form and preview of the editor side by side, or one at a time in narrow windows; the choice is remembered. */
import { useLocalStorage, useMediaQuery } from '@vueuse/core'
import { computed, ref, watch } from 'vue'
import type { Ref } from 'vue'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { usePreview } from '../../../components/pdf/use-preview.ts'
import { eurosOf, totalsOf } from './draft.ts'
import { anchorOfArea, loadPreview } from './preview.ts'
import type { Draft } from './use-draft.ts'

type Company = OutputOf<'company.current'>

export function usePaperPane(draft: Draft, bookId: string, company: Readonly<Ref<Company | null>>) {
  const { form, id, version } = draft
  const totals = computed(() => totalsOf(form))
  const euros = computed(() => eurosOf(form, totals.value))

  const wide = useMediaQuery('(min-width: 1024px)')
  const paperKept = useLocalStorage('sello.paper', true)
  const tab = ref<'form' | 'paper'>('form')
  const paperShown = computed(() => (wide.value ? paperKept.value : tab.value === 'paper'))
  const formShown = computed(() => wide.value || tab.value === 'form')

  const { preview, busy, error, refresh } = usePreview(() =>
    id.value === null ? Promise.resolve(null) : loadPreview(id.value, bookId),
  )
  // Each save has its own version; the preview shows what was saved, never what is only typed.
  watch([paperShown, id, version, company], () => void (paperShown.value && refresh()), { immediate: true })
  /** Only areas that lead to a field of this form are clickable. */
  const areas = computed(() =>
    (preview.value?.areas ?? []).filter(({ field }) => anchorOfArea(field, form) !== ''),
  )

  function togglePaper(): void {
    if (wide.value) paperKept.value = !paperKept.value
    else tab.value = tab.value === 'form' ? 'paper' : 'form'
  }

  return {
    totals,
    euros,
    wide,
    tab,
    paperShown,
    formShown,
    paper: { preview, areas, busy, error, refresh },
    togglePaper,
  }
}
