/** Entry point of the page: window token, messages, session, then the shell. */
import './start-app.ts'
import './styles/main.css'
import './styles/print.css'
import ui from '@nuxt/ui/vue-plugin'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import { loadRouteLocation } from 'vue-router'
import App from './App.vue'
import { openStartPage } from './app/shell/menu/start-page.ts'
import { fetchOfficeState } from './call.ts'
import { startDesktop } from './desktop.ts'
import { startEvents } from './events.ts'
import { i18n, savedLanguage, switchLanguage } from './i18n.ts'
import { hasPage, router } from './router.ts'
import { vRuns } from './runs.ts'
import { useLockStore } from './stores/lock.ts'
import { usePersonStore } from './stores/person.ts'
import { useSessionStore, applySavedTheme } from './stores/session.ts'
import { watchChords } from './shortcuts.ts'
import { startUpdates } from './updates.ts'

applySavedTheme()
watchChords()

const app = createApp(App)
app.use(createPinia())
app.use(i18n)
app.use(ui)
app.directive('runs', vRuns)

// The code of the page loads in parallel with the session.
loadRouteLocation(router.resolve(router.options.history.location)).catch(() => undefined)

const session = useSessionStore()
await session.load()
const person = usePersonStore()
// A session says by itself whether it is one of an office; without one, the server is asked.
const office = session.error?.code === 'unauthorized' ? await fetchOfficeState() : null
if (office || person.isOffice) await (await import('./app/people/office.ts')).startOffice(router, office)
const lock = useLockStore()
if (session.error?.code === 'app_locked') await lock.close()
// Idle detection runs only if a lock is set; an office has none.
else if (session.session && !person.isOffice) void lock.load().catch(() => undefined)
// Without a session there is no preference but the last one.
if (!session.session && !lock.state) await switchLanguage(savedLanguage())

openStartPage(router, session.preferences?.startPage)
router.beforeEach((to) => {
  if (session.session && !session.activeBook && to.name !== 'welcome') return { name: 'welcome' }
  // The start page and the connections are links of everybody's menu.
  if (person.isOffice && to.name === 'home' && !hasPage('home')) return { name: 'invoices' }
  if (person.isOffice && to.name === 'assistants') return { name: 'keys' }
  return true
})

app.use(router)
app.mount('#app')
// Closed books have no events, and a locked window receives none.
const isKnown = session.error?.code !== 'unauthorized'
if (isKnown && session.error?.details.trouble === undefined && lock.phase === 'open') startEvents()
app.runWithContext(startUpdates)
startDesktop(router)
