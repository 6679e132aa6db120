/** Makes the window one of an office: its texts, its sign-ins, its proofs, and what somebody may do there. */
import { watch } from 'vue'
import type { Router } from 'vue-router'
import {
  askSession,
  call,
  fetchOfficeState,
  openedOfficeLink,
  takeOfficeLink,
  useOffice,
} from '../../call.ts'
import type { OfficeState } from '../../call.ts'
import { onEvent } from '../../events.ts'
import { addMessages } from '../../i18n.ts'
import { mayOpenPage } from '../../router.ts'
import { usePersonStore } from '../../stores/person.ts'
import { useSessionStore } from '../../stores/session.ts'
import { signInAgain, verify } from './prompts.ts'

/** A page that nobody has touched for this long asks by itself. */
const UNATTENDED_AFTER_MS = 60_000
/** Somebody who only types makes no calls: one of ours keeps the session open meanwhile. */
const TOUCH_EVERY_MS = 4 * 60_000
const LOOK_MS = 30_000
const SIGNS = ['pointerdown', 'keydown', 'touchstart', 'wheel'] as const

const messages = {
  es: async () => ({ default: (await import('../../locales/es/people.ts')).people }),
  en: async () => ({ default: (await import('../../locales/en/people.ts')).people }),
}

/** Tells the server whether somebody is there, and keeps the session open while somebody types. */
function watchAttendance(touch: () => Promise<unknown>): () => Record<string, string> {
  let seenAt = Date.now()
  let usedAt = Date.now()
  const see = (): void => void (seenAt = Date.now())
  for (const sign of SIGNS) window.addEventListener(sign, see, { passive: true, capture: true })
  setInterval(() => {
    const now = Date.now()
    if (seenAt > usedAt && now - usedAt > TOUCH_EVERY_MS) void touch().catch(() => undefined)
  }, LOOK_MS)
  return (): Record<string, string> => {
    const now = Date.now()
    if (now - seenAt > UNATTENDED_AFTER_MS) return { 'sello-unattended': '1' }
    usedAt = now
    return {}
  }
}

/** Writes into the history of a client that an adviser opened its books, however they came there: once a day. */
function noteEntries(): void {
  const person = usePersonStore()
  const session = useSessionStore()
  let noted = ''
  watch(
    [() => person.me, () => session.activeCompany?.id, () => session.company?.today],
    ([me, company, today]) => {
      const entry = [me?.id, company, today].join(' ')
      if (!me?.roles.includes('adviser') || !company || !today || entry === noted) return
      noted = entry
      // The next entry of the day tries again.
      void call('console.enter', { company }).catch(() => (noted = ''))
    },
    { immediate: true },
  )
}

/** Starts the window of an office. `state` is what the server said to a browser without a session. */
export async function startOffice(router: Router, state: OfficeState | null): Promise<void> {
  const person = usePersonStore()
  const session = useSessionStore()
  person.beginOffice()
  person.link = openedOfficeLink()
  useOffice({ headers: watchAttendance(() => person.refresh()), signInAgain, verify })
  await addMessages(messages)
  // A link that is opened where the office is open already only changes the fragment.
  window.addEventListener('hashchange', () => {
    takeOfficeLink()
    person.link = openedOfficeLink()
  })
  if (session.session && !session.activeBook) {
    const { person: me } = state ?? (await fetchOfficeState()) ?? { person: null }
    person.isAlone = me !== null && !me.administers
  }

  const changed = (): void =>
    void person.refresh().catch(async () => {
      // No longer a member of this company: the session names those that are left.
      await session.load()
      if (!session.activeBook) location.reload()
    })
  for (const type of ['people.changed', 'company.*']) onEvent(type, changed)
  // A page that needs more than what is left shows so by itself; the start page has a replacement.
  watch(
    () => person.me,
    () => {
      const { name } = router.currentRoute.value
      if (name === 'home' && !mayOpenPage('home')) void router.replace('/invoices')
    },
  )
  noteEntries()
  // Another tab may have signed in as somebody else: this one would act in their name.
  document.addEventListener('visibilitychange', async () => {
    if (document.hidden || !person.me) return
    const found = await fetchOfficeState()
    if (found?.person && found.person.id !== person.me.id) location.reload()
  })
}

/** Ends the session of this browser and shows the sign-in. */
export async function signOut(): Promise<void> {
  await askSession('/end', {})
  location.assign('/')
}
