/** The page that a window opens with. */
import type { Router } from 'vue-router'
import type { OutputOf } from '../../../../server/api/contracts.ts'

type StartPage = OutputOf<'session.get'>['preferences']['startPage']

/** Pages to choose from: the name of the route, the message key of its title, and its address. */
export const START_PAGES: readonly { value: StartPage; label: string; to: string }[] = [
  { value: 'home', label: 'nav.home', to: '/' },
  { value: 'invoices', label: 'nav.invoices', to: '/invoices' },
  { value: 'inbox', label: 'nav.inbox', to: '/inbox' },
  { value: 'taxes', label: 'taxes.title', to: '/taxes' },
  { value: 'console', label: 'nav.console', to: '/console' },
]

/**
 * Sends a window that opens at `/` to the chosen page, before the router starts. A reload stays where it is, and so does
 * the link to the home page.
 */
export function openStartPage(router: Router, chosen: StartPage | undefined): void {
  const { history } = router.options
  const [opened] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (!chosen || chosen === 'home' || history.location !== '/' || opened?.type === 'reload') return
  const page = START_PAGES.find(({ value }) => value === chosen)
  if (page && router.hasRoute(page.value)) history.replace(page.to)
}
