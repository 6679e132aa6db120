/** State of the sample company in the window: creating it part by part, opening it, and removing it. */
import { computed, reactive } from 'vue'
import { call } from '../../call.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'
import { useSwitchBook } from '../shell/books/switch-book.ts'
import { translate } from '../../i18n.ts'
import { useSessionStore } from '../../stores/session.ts'
import { useToasts } from '../../stores/toasts.ts'

type SampleState = OutputOf<'demo.fill'>

const state = reactive({
  /** Parts created so far; null if it is not being created. */
  progress: null as SampleState | null,
  cancelled: false,
})

/** Returns the state and actions of the sample company. Call it in a component's setup. */
export function useSample() {
  const session = useSessionStore()
  const switchBook = useSwitchBook()
  const toasts = useToasts()

  const book = computed(() => session.books.find((each) => each.sample) ?? null)
  const ownBook = computed(
    () =>
      session.books.find((each) => each.mode === 'test' && !each.sample) ??
      session.books.find((each) => !each.sample) ??
      null,
  )

  async function leave(): Promise<void> {
    if (session.isSample && ownBook.value) await switchBook(ownBook.value.id)
  }

  async function hide(): Promise<void> {
    await leave()
    await call('demo.remove', {})
    await session.load()
  }

  /** Creates the missing parts one by one and opens the company; a cancelled one is removed again. */
  async function fill(): Promise<void> {
    if (state.progress) return
    state.cancelled = false
    state.progress = { bookId: null, shown: false, made: 0, parts: 1, next: 'company' }
    try {
      // A sample of the place of the company that is shown, whose tax it then has.
      const territory = session.company?.territory
      do state.progress = await call('demo.fill', territory === undefined ? {} : { territory })
      while (state.progress.next !== null && !state.cancelled)
      if (state.cancelled) {
        await hide()
        toasts.done(translate('samples.cancelled'), { id: 'sample' })
        return
      }
      const there = state.progress.bookId
      await session.load()
      if (there) await switchBook(there)
      toasts.done(translate('samples.filled'), { id: 'sample' })
    } catch (thrown) {
      toasts.failed(thrown, () => void fill())
    } finally {
      state.progress = null
    }
  }

  async function remove(): Promise<void> {
    try {
      await hide()
      toasts.done(translate('samples.removed'), {
        id: 'sample',
        actions: [{ label: translate('common.undo'), run: () => void fill() }],
      })
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }

  async function open(): Promise<void> {
    if (book.value) await switchBook(book.value.id)
  }

  return {
    state,
    book,
    ownBook,
    fill,
    cancel: () => (state.cancelled = true),
    open,
    leave,
    remove,
  }
}
