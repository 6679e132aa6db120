/** Who is at work: companies, books, the active book and the preferences; dresses the document accordingly. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { asCallError, call, useBook } from '../call.ts'
import type { CallError } from '../call.ts'
import { onEvent } from '../events.ts'
import { bookToOpen, takeAhead } from '../prefetch.ts'
import { rememberLanguage, speak } from '../i18n.ts'
import { singleKeys } from '../shortcuts.ts'
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
  /** Of the sample company. */
  sample: boolean
}

/** The theme is asked of the server after the first paint; this copy keeps that paint from flashing. */
const THEME_ENTRY = 'sello.theme'

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')

/** Puts the theme's class on the document. */
export function wearTheme(theme: Preferences['theme']): void {
  const dark = theme === 'dark' || (theme === 'system' && prefersDark.matches)
  document.documentElement.classList.toggle('dark', dark)
  document.documentElement.classList.toggle('light', !dark)
  localStorage.setItem(THEME_ENTRY, theme)
}

const prefersLess = window.matchMedia('(prefers-reduced-motion: reduce)')

/** Stills the page when it is asked to, here or in the system. */
export function wearMotion(motion: Preferences['motion']): void {
  document.documentElement.dataset.motion = motion === 'less' || prefersLess.matches ? 'less' : 'full'
}

/** The theme of the last visit, before the server has been asked. */
export function wearRememberedTheme(): void {
  const remembered = localStorage.getItem(THEME_ENTRY)
  wearTheme(remembered === 'dark' || remembered === 'light' ? remembered : 'system')
}

export const useSessionStore = defineStore('session', () => {
  const session = shallowRef<Session | null>(null)
  const company = shallowRef<Company | null>(null)
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
      })),
    ),
  )
  const activeBook = computed(() => bookToOpen(books.value, preferences.value?.activeBook))
  const isTest = computed(() => activeBook.value?.mode === 'test')
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
    wearTheme(chosen.theme)
    wearMotion(chosen.motion)
    document.documentElement.dataset.density = chosen.density
    document.documentElement.classList.toggle('test', isTest.value)
    singleKeys.enabled = chosen.singleKeyShortcuts
    dressTitle()
  }

  function dressTitle(): void {
    const marks = [sandbox.value ? '[SANDBOX]' : '', isTest.value ? '[PRUEBAS]' : ''].filter(Boolean)
    const name = [pageTitle.value, activeBook.value?.companyName, 'Sello'].filter(Boolean).join(' · ')
    document.title = [...marks, name].join(' ')
  }

  /** Names the page in the window's title; the book's marks stay in front. `about` is whom or what it is about. */
  function setPageTitle(title: string, about = ''): void {
    pageTitle.value = title
    pageAbout.value = about
    dressTitle()
  }

  async function adopt(next: Session): Promise<void> {
    session.value = next
    useBook(activeBook.value?.id ?? null)
    await speak(next.preferences.language)
    rememberLanguage(next.preferences.language)
    dressDocument()
  }

  /** Reads session and company. Throws nothing: `error` holds what went wrong. */
  async function load(): Promise<void> {
    try {
      await adopt((await takeAhead('session.get')) ?? (await call('session.get', {})))
      const book = activeBook.value
      company.value = book
        ? ((await takeAhead('company.current', book.id)) ?? (await call('company.current', {})))
        : null
      error.value = null
    } catch (thrown) {
      error.value = asCallError(thrown)
    }
  }

  async function reloadCompany(): Promise<void> {
    const bookId = activeBook.value?.id
    const found = await call('company.current', {})
    // Whoever changed books meanwhile must not be shown the company of the one before.
    if (activeBook.value?.id === bookId) company.value = found
  }

  /** Keeps preferences; the page changes at once and goes back if the server refuses. */
  async function savePreferences(changes: Partial<Preferences>): Promise<void> {
    const before = session.value
    if (!before) return
    const mine = ++lastSave
    await adopt({ ...before, preferences: { ...before.preferences, ...changes } })
    try {
      // One after the other: two on their way at once may arrive the other way round, and the older would stay.
      const answer = saving.then(() => call('session.savePreferences', changes))
      saving = answer.catch(() => undefined)
      const kept = await answer
      // An answer that was overtaken must not bring back the book, or anything else, of before.
      if (mine === lastSave) await adopt({ ...(session.value ?? before), preferences: kept })
    } catch (thrown) {
      if (mine === lastSave) await adopt(before)
      throw thrown
    }
  }

  /** Goes to another book. Pages are rebuilt by the caller: no link crosses books. */
  async function switchBook(id: string): Promise<void> {
    const before = company.value
    company.value = null
    try {
      await savePreferences({ activeBook: id })
    } catch (thrown) {
      company.value = before
      throw thrown
    }
    await reloadCompany()
  }

  /** Replaces the company after a change the page itself made. */
  function setCompany(next: Company): void {
    company.value = next
  }

  /** Forgets everything: Sello is locked, and its window tells no book any more. */
  function forget(): void {
    session.value = null
    company.value = null
    error.value = null
    pageTitle.value = ''
    useBook(null)
    document.documentElement.classList.remove('test')
  }

  prefersLess.addEventListener('change', () => wearMotion(preferences.value?.motion ?? 'system'))
  prefersDark.addEventListener('change', () => wearTheme(preferences.value?.theme ?? 'system'))
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
    isTest,
    isSample,
    twinBook,
    load,
    reloadCompany,
    savePreferences,
    switchBook,
    setCompany,
    forget,
    pageAbout,
    setPageTitle,
  }
})
