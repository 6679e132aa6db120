/**
 * Keyboard shortcuts of a page: action, label, and the list of active ones for the `?` sheet. Single letters are
 * ignored in fields, in menus and dialogs, in the middle of a `g` chord, and when the user disabled them (WCAG
 * 2.1.4).
 */
import { useActiveElement, useEventListener } from '@vueuse/core'
import { defineShortcuts } from '@nuxt/ui/composables/defineShortcuts'
import { allowedOf } from './stores/person.ts'
import { computed, getCurrentScope, onScopeDispose, reactive, shallowReactive } from 'vue'

export interface PageShortcut {
  /** In the notation of the UI library: `n`, `meta_k`, `shift_arrowdown`, chords as `g-i`. */
  keys: string
  handler: (event?: KeyboardEvent) => void
  /** Message key of the action; without one it is not listed. */
  label?: string
  /** Message key of the heading it is listed under. */
  group?: string
  /** Active inside fields too (never for single letters). */
  usingInput?: boolean
  /** Returns false while the page has nothing for it: then it does nothing and is not listed. */
  when?: () => boolean
  /** Operation that it leads to: without the right to it, it does nothing and is not listed. */
  runs?: string | readonly string[]
}

/** Handler for keys that another element handles: they are listed, and dispatched when the user chooses them by mouse. */
export const handledElsewhere = (): void => {}

/** Set by the preference; it applies to single letters at once. */
export const singleKeys = reactive({ enabled: true })

const CHORD_MS = 800
/** Long ago: a new page is not in the middle of a chord. */
const NEVER = Number.NEGATIVE_INFINITY
let chordStartedAt = NEVER

const sheets = shallowReactive(new Set<readonly PageShortcut[]>())

/** The active shortcuts, for the sheet opened with `?`. */
export const activeShortcuts = computed(() =>
  allowedOf([...sheets].flat()).filter(({ label, when }) => label && (when?.() ?? true)),
)

/** Returns whether another element handles the same keys. */
export function hasOther(shortcut: PageShortcut): boolean {
  return [...sheets].flat().some((each) => each !== shortcut && each.keys === shortcut.keys)
}

export function isSingleKey(keys: string): boolean {
  return !keys.includes('_') && keys.length <= 3 && (keys.length === 1 || /^.-.$/.test(keys))
}

/** Returns true if the pressed key belongs to a chord that began with `g`. */
export function inChord(): boolean {
  return performance.now() - chordStartedAt < CHORD_MS
}

/** Returns whether a dialog or menu is open: letters belong to it. */
export function coveredByOverlay(): boolean {
  return (
    document.querySelector(
      '[role="dialog"][data-state="open"], [role="menu"][data-state="open"], [role="listbox"][data-state="open"]',
    ) !== null
  )
}

const FIELDS = 'input, textarea, select, [contenteditable="true"]'

/**
 * Handles Escape, which belongs to the topmost dialog or menu. The shortcuts of the UI library would mark the key as
 * handled, and the topmost element would no longer close; so this listener runs first, and ignores the key while
 * something covers the page.
 */
function useEscape(handlers: readonly PageShortcut[]): void {
  if (handlers.length === 0) return
  useEventListener(
    window,
    'keydown',
    (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || coveredByOverlay()) return
      if ((event.target as HTMLElement | null)?.closest?.(FIELDS)) return
      for (const { handler } of handlers) handler(event)
    },
    { capture: true },
  )
}

const applicable = (shortcuts: readonly PageShortcut[]) =>
  allowedOf(shortcuts).filter(({ when }) => when?.() ?? true)

/** Registers the shortcuts of a component while it is mounted. */
export function useShortcuts(shortcuts: readonly PageShortcut[]): void {
  const active = useActiveElement()
  useEscape(shortcuts.filter(({ keys }) => keys === 'escape'))
  const letters = shortcuts.filter(({ keys }) => keys !== 'escape')
  const config = computed(() =>
    Object.fromEntries(
      applicable(letters).map((shortcut) => {
        const single = isSingleKey(shortcut.keys)
        const chord = single && shortcut.keys.includes('-') && shortcut.keys.length > 1
        if (single && (!singleKeys.enabled || active.value?.tagName === 'SELECT'))
          return [shortcut.keys, null]
        return [
          shortcut.keys,
          {
            usingInput: shortcut.usingInput ?? false,
            handler: (event?: KeyboardEvent) => {
              if (single && coveredByOverlay()) return
              if (single && !chord && inChord()) return
              shortcut.handler(event)
            },
          },
        ]
      }),
    ),
  )
  defineShortcuts(config)
  sheets.add(shortcuts)
  if (getCurrentScope()) onScopeDispose(() => sheets.delete(shortcuts))
}

/** Detects the first key of a chord before any handler sees the second. Called once by the app. */
export function watchChords(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      const target = event.target as HTMLElement | null
      if (target?.closest(FIELDS)) return
      if (event.key === 'g' && !event.ctrlKey && !event.metaKey && !event.altKey)
        chordStartedAt = performance.now()
      else if (event.key.length === 1) queueMicrotask(() => setTimeout(() => (chordStartedAt = NEVER)))
    },
    { capture: true },
  )
}
