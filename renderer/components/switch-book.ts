/** Going to another book: leaves the page (no address crosses books) and says where you are now. */
import { useRouter } from 'vue-router'
import { say } from '../i18n.ts'
import { hasPage } from '../router.ts'
import { usePulseStore } from '../stores/pulse.ts'
import { useSessionStore } from '../stores/session.ts'
import { useToasts } from '../stores/toasts.ts'

/** The function that switches; drafts are saved by their own page as it is left. */
export function useSwitchBook(): (bookId: string) => Promise<void> {
  const router = useRouter()
  const session = useSessionStore()
  const pulse = usePulseStore()
  const toasts = useToasts()
  return async (bookId) => {
    if (bookId === session.activeBook?.id) return
    try {
      const start = hasPage('home') ? '/' : '/settings'
      await router.push(start)
      await session.switchBook(bookId)
      void pulse.refresh()
      toasts.done(
        say(session.isTest ? 'switcher.nowTest' : 'switcher.nowLive', {
          company: session.activeBook?.companyName ?? '',
        }),
        {
          id: 'book',
        },
      )
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }
}
