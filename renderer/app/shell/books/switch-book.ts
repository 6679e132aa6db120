/** Switch to another book: leaves the page (no address is valid in two books) and announces the new book. */
import { isNavigationFailure, NavigationFailureType, useRouter } from 'vue-router'
import { translate } from '../../../i18n.ts'
import { hasPage } from '../../../router.ts'
import { usePulseStore } from '../../../stores/pulse.ts'
import { useSessionStore } from '../../../stores/session.ts'
import { useToasts } from '../../../stores/toasts.ts'

/**
 * Returns the function that switches; a page saves its draft when it is left. It resolves to whether the book is open
 * now: a page with unsaved changes may ask, and the user may stay.
 */
export function useSwitchBook(): (bookId: string) => Promise<boolean> {
  const router = useRouter()
  const session = useSessionStore()
  const pulse = usePulseStore()
  const toasts = useToasts()
  return async (bookId) => {
    if (bookId === session.activeBook?.id) return true
    try {
      const start = hasPage('home') ? '/' : '/settings'
      const failure = await router.push(start)
      if (isNavigationFailure(failure, NavigationFailureType.aborted | NavigationFailureType.cancelled))
        return false
      await session.switchBook(bookId)
      void pulse.refresh()
      toasts.done(
        translate(session.isTest ? 'switcher.nowTest' : 'switcher.nowLive', {
          company: session.activeBook?.companyName ?? '',
        }),
        {
          id: 'book',
        },
      )
      return true
    } catch (thrown) {
      toasts.failed(thrown)
      return false
    }
  }
}
