/**
 * Guided tour: its position, and the actions to continue, go back and end it. A taken tour is remembered as a
 * preference.
 */
import { computed, reactive } from 'vue'
import { useRouter } from 'vue-router'
import { useSwitchBook } from '../shell/books/switch-book.ts'
import { useSessionStore } from '../../stores/session.ts'
import { useToasts } from '../../stores/toasts.ts'
import { TOUR } from './steps.ts'

const state = reactive({
  /** Position in `TOUR`; null while no tour is running. */
  at: null as number | null,
  /** True right after the set-up: the first draft may show the offer too. */
  justArrived: false,
})

/** Returns the state and actions of the tour. Call it in a component's setup. */
export function useTour() {
  const router = useRouter()
  const session = useSessionStore()
  const switchBook = useSwitchBook()
  const toasts = useToasts()

  async function goTo(at: number): Promise<void> {
    const step = TOUR[at]
    if (!step) return
    if (router.currentRoute.value.path !== step.path) await router.push(step.path)
    state.at = at
  }

  async function remember(tour: 'seen' | 'off'): Promise<void> {
    if (session.preferences?.tour === tour) return
    await session.savePreferences({ tour }).catch(toasts.failed)
  }

  async function end(): Promise<void> {
    state.at = null
    await remember('seen')
  }

  /** Action of the last step: the first invoice, a test, in the company's own book. */
  async function firstInvoice(): Promise<void> {
    await end()
    const own = session.books.find((book) => book.mode === 'test' && !book.sample)
    if (own && (session.isSample || !session.isTest)) await switchBook(own.id)
    await router.push('/invoices/new')
  }

  return {
    state,
    step: computed(() => (state.at === null ? null : (TOUR[state.at] ?? null))),
    start: () => goTo(0),
    next: () => (state.at === null ? Promise.resolve() : goTo(state.at + 1)),
    back: () => (state.at === null ? Promise.resolve() : goTo(state.at - 1)),
    end,
    firstInvoice,
    /** Declines the tour: it is not offered again and stays available in the help. */
    decline: () => remember('off'),
  }
}
