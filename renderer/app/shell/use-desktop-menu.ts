/** Page side of the native menu: sends its current entries, and runs the chosen ones. */
import { useDebounceFn } from '@vueuse/core'
import { computed, onScopeDispose, watch } from 'vue'
import { useRouter } from 'vue-router'
import type { MenuChoice, MenuCommand, MenuEntry, MenuState } from '../../../preload/contract.ts'
import { offeredCommands, onCommand, runCommand } from '../../commands.ts'
import { inDesktop, onMenuChoice, openExternal, showMenu } from '../../desktop.ts'
import { translate } from '../../i18n.ts'
import { hasPage } from '../../router.ts'
import {
  activeShortcuts,
  coveredByOverlay,
  handledElsewhere,
  isSingleKey,
  singleKeys,
} from '../../shortcuts.ts'
import type { PageShortcut } from '../../shortcuts.ts'
import { useSessionStore } from '../../stores/session.ts'
import { useToasts } from '../../stores/toasts.ts'
import { footNavigationItems, navigationGroups } from './navigation.ts'
import type { NavigationItem } from './navigation.ts'
import { printPage } from './print.ts'
import { useSwitchBook } from './books/switch-book.ts'

/** Limits of the menu: number of entries and length. */
const MOST_ENTRIES = 60
const LONGEST_LABEL = 120
const SETTLE_MS = 80
/** Groups shown in menus of their own. */
const ELSEWHERE = new Set(['shortcuts.general', 'shortcuts.goTo'])

const PAGES: readonly [MenuCommand, string, string][] = [
  ['new-invoice', 'invoice-new', '/invoices/new'],
  ['new-quote', 'quote-new', '/quotes/new'],
  ['new-recurring', 'recurring-new', '/recurring/new'],
  ['new-received', 'received-one', '/received/new'],
  ['new-contact', 'contacts', '/contacts/new'],
  ['new-item', 'items', '/items/new'],
  ['import', 'import', '/import'],
  ['settings', 'settings', '/settings'],
  ['declaration', 'declaration', '/declaration'],
  ['add-company', 'welcome', '/welcome'],
]

interface ShellActions {
  palette: () => void
  shortcuts: () => void
  sidebar: () => void
}

/** Returns the page's own actions, one for each key: if two use the same key, the one registered last. */
function pageActions(shortcuts: readonly PageShortcut[]): PageShortcut[] {
  const own = shortcuts.filter(({ label, group }) => label && !ELSEWHERE.has(group ?? ''))
  return [...new Map(own.map((shortcut) => [shortcut.keys, shortcut])).values()].slice(0, MOST_ENTRIES)
}

const MAC = /Mac/.test(navigator.platform)
const KEY_NAMES: Record<string, string> = {
  enter: 'Enter',
  escape: 'Escape',
  backspace: 'Backspace',
  arrowup: 'ArrowUp',
  arrowdown: 'ArrowDown',
  arrowleft: 'ArrowLeft',
  arrowright: 'ArrowRight',
}

/** Dispatches keys to the focused element, or to the row that would have the focus. */
function press(keys: string): void {
  const parts = keys.length > 1 ? keys.split('_') : [keys]
  const key = parts.pop() ?? ''
  const focused = document.activeElement
  const row = document.querySelector<HTMLElement>('[role="grid"] [role="row"][tabindex="0"]')
  if (parts.length === 0 && row && !focused?.closest('[role="grid"]')) row.focus()
  const meta = parts.includes('meta')
  ;(document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', {
      key: KEY_NAMES[key] ?? key,
      ctrlKey: parts.includes('ctrl') || (meta && !MAC),
      metaKey: meta && MAC,
      altKey: parts.includes('alt'),
      shiftKey: parts.includes('shift'),
      bubbles: true,
      cancelable: true,
    }),
  )
}

/** Connects shell and native menu while the shell is mounted. The commands work without a desktop too. */
export function useDesktopMenu(actions: ShellActions): void {
  const router = useRouter()
  const session = useSessionStore()
  const switchBook = useSwitchBook()
  const toasts = useToasts()

  const prefer = (changes: Parameters<typeof session.savePreferences>[0]) => () =>
    void session.savePreferences(changes).catch((thrown: unknown) => toasts.failed(thrown))
  for (const [command, page, path] of PAGES)
    if (hasPage(page)) onCommand(command, () => void router.push(path))
  onCommand('search', actions.palette)
  onCommand('shortcuts', actions.shortcuts)
  onCommand('sidebar', actions.sidebar)
  onCommand('print', () => void printPage())
  onCommand('back', () => router.back())
  onCommand('forward', () => router.forward())
  for (const theme of ['light', 'dark', 'system'] as const) onCommand(`theme-${theme}`, prefer({ theme }))
  for (const density of ['normal', 'roomy'] as const) onCommand(`density-${density}`, prefer({ density }))
  const guides = computed(() => session.session?.store.restUrl)
  watch(
    guides,
    (url, _before, onCleanup) => {
      if (url) onCleanup(onCommand('help', () => void openExternal(new URL('/docs', url).href)))
    },
    { immediate: true },
  )

  if (!inDesktop) return

  const entry = (id: string, label: string, keys?: string): MenuEntry => ({
    id,
    label: label.slice(0, LONGEST_LABEL),
    ...(keys && (singleKeys.enabled || !isSingleKey(keys)) ? { keys } : {}),
  })
  const place = ({ name, label, keys }: NavigationItem): MenuEntry => entry(name, translate(label), keys)
  const state = computed<MenuState>(() => ({
    commands: offeredCommands.value,
    checked: session.preferences
      ? [`theme-${session.preferences.theme}`, `density-${session.preferences.density}`]
      : [],
    places: [...navigationGroups().map((group) => group.places), footNavigationItems()].map((group) =>
      group.map(place),
    ),
    actions: pageActions(activeShortcuts.value).map(({ keys, label }) =>
      entry(keys, translate(label ?? ''), keys),
    ),
    books: session.books.slice(0, MOST_ENTRIES).map((book) => ({
      ...entry(book.id, `${book.companyName} · ${translate(`switcher.${book.mode}`)}`),
      active: book.id === session.activeBook?.id,
    })),
  }))

  function choose(choice: MenuChoice): void {
    switch (choice.kind) {
      case 'command':
        return void runCommand(choice.id)
      case 'book':
        return void switchBook(choice.id)
      case 'place': {
        const places = [...navigationGroups().flatMap((group) => group.places), ...footNavigationItems()]
        const to = places.find(({ name }) => name === choice.id)?.to
        return to ? void router.push(to) : undefined
      }
      case 'action': {
        // Actions covered by a dialog are not available.
        if (coveredByOverlay()) return
        const action = pageActions(activeShortcuts.value).find(({ keys }) => keys === choice.id)
        if (action?.handler === handledElsewhere) press(action.keys)
        else action?.handler()
      }
    }
  }

  // During navigation, shortcuts are removed and added one by one.
  const tell = useDebounceFn((now: MenuState) => showMenu(now), SETTLE_MS)
  watch(state, (now) => void tell(now), { immediate: true })
  onScopeDispose(onMenuChoice(choose))
}
