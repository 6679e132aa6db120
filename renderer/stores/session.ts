/** Session of the window: companies, books, the active book and the preferences, which are applied to the document. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { asCallError, call, useBook } from '../call.ts'
import type { CallError } from '../call.ts'
import { followBook, onEvent } from '../events.ts'
import { bookToOpen, isOfOffice, takePrefetched } from '../prefetch.ts'
import { saveLanguage, switchLanguage } from '../i18n.ts'
import { singleKeys } from '../shortcuts.ts'
import { followCompany } from '../tax/tax-system.ts'
import { usePersonStore } from './person.ts'
import type { OutputOf } from '../../server/api/contracts.ts'

type Session = OutputOf<'session.get'>
type Preferences = Session['preferences']
type Company = OutputOf<'company.current'>

interface Book {
  id: string
  mode: 'live' | 'test'
  companyId: string
  companyName: string
  nif: string
  /** True for the sample company. */
  sample: boolean
  /** True for the copy of a client's books. */
  advised: boolean
}

/** The preference loads after the first paint; this copy keeps that paint from flashing. */
const THEME_ENTRY = 'sello.theme'

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')

/** Sets the theme's class on the document. */
export function applyTheme(theme: Preferences['theme']): void {
  const dark = theme === 'dark' || (theme === 'system' && prefersDark.matches)
  document.documentElement.classList.toggle('dark', dark)
  document.documentElement.classList.toggle('light', !dark)
  localStorage.setItem(THEME_ENTRY, theme)
}

const prefersLess = window.matchMedia('(prefers-reduced-motion: reduce)')

/** Disables animations if the preference or the system asks for it. */
export function applyMotion(motion: Preferences['motion']): void {
  document.documentElement.dataset.motion = motion === 'less' || prefersLess.matches ? 'less' : 'full'
}

/** Applies the theme of the last visit, before the server has answered. */
export function applySavedTheme(): void {
  const remembered = localStorage.getItem(THEME_ENTRY)
  applyTheme(remembered === 'dark' || remembered === 'light' ? remembered : 'system')
}

export const useSessionStore = defineStore('session', () => {
  const person = usePersonStore()
  const session = shallowRef<Session | null>(null)
  const company = shallowRef<Company | null>(null)
  watch(company, (shown) => followCompany(shown), { flush: 'sync' })
  const error = shallowRef<CallError | null>(null)
  const pageTitle = ref('')
  const pageAbout = ref('')
  let lastSave = 0
  let saving: Promise<unknown> = Promise.resolve()

  const preferences = computed(() => session.value?.preferences ?? null)
  const sandbox = computed(() => session.value?.store.sandbox ?? false)
  const books = computed<Book[]>(() =>
    (session.value?.companies ?? []).flatMap((each) =>
      each.books.map((book) => ({
        ...book,
        companyId: each.id,
        companyName: each.tradeName ?? each.legalName,
        nif: each.nif,
        sample: each.sample,
        advised: each.advised === true,
      })),
    ),
  )
  const activeBook = computed(() => bookToOpen(books.value, preferences.value?.activeBook))
  const activeCompany = computed(
    () => session.value?.companies.find(({ id }) => id === activeBook.value?.companyId) ?? null,
  )
  /** True if there is another company to confuse this one with. */
  const isSeveral = computed(() => (session.value?.companyCount ?? 0) > 1)
  const isTest = computed(() => activeBook.value?.mode === 'test')
  const isAdvised = computed(() => activeBook.value?.advised === true)
  const isSample = computed(() => activeBook.value?.sample === true)
  const twinBook = computed(
    () =>
      books.value.find(
        (book) => book.companyId === activeBook.value?.companyId && book.id !== activeBook.value?.id,
      ) ?? null,
  )

  function dressDocument(): void {
    const chosen = preferences.value
    if (!chosen) return
    applyTheme(chosen.theme)
    applyMotion(chosen.motion)
    document.documentElement.dataset.density = chosen.density
    document.documentElement.dataset.textSize = chosen.textSize
    document.documentElement.classList.toggle('test', isTest.value)
    singleKeys.enabled = chosen.singleKeyShortcuts
    dressTitle()
  }

  function dressTitle(): void {
    const marks = [sandbox.value ? '[SANDBOX]' : '', isTest.value ? '[PRUEBAS]' : ''].filter(Boolean)
    if (isSeveral.value && activeCompany.value) marks.push(`${activeCompany.value.mark} ·`)
    const name = [pageTitle.value, activeBook.value?.companyName, 'Sello'].filter(Boolean).join(' · ')
    document.title = [...marks, name].join(' ')
  }

  /** Sets the window's title after the mark of the book. `about` is the subject of the page. */
  function setPageTitle(title: string, about = ''): void {
    pageTitle.value = title
    pageAbout.value = about
    dressTitle()
  }

  async function adopt(next: Session): Promise<void> {
    session.value = next
    const bookId = activeBook.value?.id ?? null
    useBook(bookId)
    if (isOfOffice(next)) {
      followBook(bookId)
      await person.enter(bookId)
    }
    await switchLanguage(next.preferences.language)
    saveLanguage(next.preferences.language)
    dressDocument()
  }

  /** Loads session and company. Never throws: `error` holds a failure. */
  async function load(): Promise<void> {
    try {
      await adopt((await takePrefetched('session.get')) ?? (await call('session.get', {})))
      const book = activeBook.value
      company.value = book
        ? ((await takePrefetched('company.current', book.id)) ?? (await call('company.current', {})))
        : null
      error.value = null
    } catch (thrown) {
      error.value = asCallError(thrown)
    }
  }

  async function reloadCompany(): Promise<void> {
    const bookId = activeBook.value?.id
    const found = await call('company.current', {})
    // If the book changed meanwhile, the company of the previous one must not be shown.
    if (activeBook.value?.id === bookId) company.value = found
  }

  /** Loads the companies at hand again, after one of them or their order changed. */
  async function reload(): Promise<void> {
    await adopt(await call('session.get', {}))
  }

  /** Saves preferences; the page changes at once and reverts if the server refuses. */
  async function savePreferences(changes: Partial<Preferences>): Promise<void> {
    const before = session.value
    if (!before) return
    const mine = ++lastSave
    await adopt({ ...before, preferences: { ...before.preferences, ...changes } })
    try {
      // In sequence: two parallel requests may arrive in reverse order, and the older one would win.
      const answer = saving.then(() => call('session.savePreferences', changes))
      saving = answer.catch(() => undefined)
      const kept = await answer
      // An overtaken answer must not restore the previous book, or any other old value.
      if (mine === lastSave) await adopt({ ...(session.value ?? before), preferences: kept })
    } catch (thrown) {
      if (mine === lastSave) await adopt(before)
      throw thrown
    }
  }

  /** Switches to another book. The caller rebuilds the pages: no link is valid in two books. */
  async function switchBook(id: string): Promise<void> {
    const before = company.value
    company.value = null
    try {
      if (books.value.some((book) => book.id === id)) await savePreferences({ activeBook: id })
      else {
        // A company that is not at hand yet: it becomes the active one on the server first.
        await call('session.savePreferences', { activeBook: id })
        await reload()
      }
    } catch (thrown) {
      company.value = before
      throw thrown
    }
    await reloadCompany()
  }

  /** Replaces the company after a change made by the page itself. */
  function setCompany(next: Company): void {
    company.value = next
  }

  /** Clears the state: Sello is locked, and its window names no book any more. */
  function forget(): void {
    session.value = null
    company.value = null
    error.value = null
    pageTitle.value = ''
    useBook(null)
    document.documentElement.classList.remove('test')
  }

  prefersLess.addEventListener('change', () => applyMotion(preferences.value?.motion ?? 'system'))
  prefersDark.addEventListener('change', () => applyTheme(preferences.value?.theme ?? 'system'))
  onEvent('company.*', (event) => {
    if (event.bookId === activeBook.value?.id) void reloadCompany()
  })

  return {
    session,
    company,
    error,
    pageTitle,
    preferences,
    sandbox,
    books,
    activeBook,
    activeCompany,
    isSeveral,
    isAdvised,
    isTest,
    isSample,
    twinBook,
    load,
    reload,
    reloadCompany,
    savePreferences,
    switchBook,
    setCompany,
    forget,
    pageAbout,
    setPageTitle,
  }
})
