/**
 * Keyboard commands of a page: what they do, what they are called, and a list of those in force for the `?` sheet.
 * Single letters are silent in fields, in menus and dialogs, in the middle of a `g` chord, and when the owner turned
 * them off (WCAG 2.1.4).
 */
import { useActiveElement, useEventListener } from '@vueuse/core'
import { defineShortcuts } from '@nuxt/ui/composables/defineShortcuts'
import { computed, getCurrentScope, onScopeDispose, reactive, shallowReactive } from 'vue'

export interface PageShortcut {
  /** As in the kit: `n`, `meta_k`, `shift_arrowdown`, chords as `g-i`. */
  keys: string
  handler: (event?: KeyboardEvent) => void
  /** Message key of what it does; without one it is not listed. */
  label?: string
  /** Message key of the heading it is listed under. */
  group?: string
  /** Works inside fields too (never for single letters). */
  usingInput?: boolean
}

/** For keys that something else on the page listens to: they are listed, and pressed for whoever chooses them by mouse. */
export const handledElsewhere = (): void => {}

/** Switched by the preference; single letters obey it at once. */
export const singleKeys = reactive({ enabled: true })

const CHORD_MS = 800
/** Long ago: a page just opened is in the middle of nothing. */
const NEVER = Number.NEGATIVE_INFINITY
let chordStartedAt = NEVER

const sheets = shallowReactive(new Set<readonly PageShortcut[]>())

/** The shortcuts in force now, for the sheet that `?` opens. */
export const activeShortcuts = computed(() => [...sheets].flat().filter((shortcut) => shortcut.label))

/** Whether something else on the page answers to the same keys. */
export function hasOther(shortcut: PageShortcut): boolean {
  return [...sheets].flat().some((each) => each !== shortcut && each.keys === shortcut.keys)
}

export function isSingleKey(keys: string): boolean {
  return !keys.includes('_') && keys.length <= 3 && (keys.length === 1 || /^.-.$/.test(keys))
}

/** True when the key now pressed belongs to a chord that began with `g`. */
export function inChord(): boolean {
  return performance.now() - chordStartedAt < CHORD_MS
}

/** A dialog or menu is open: letters belong to it. */
export function coveredByOverlay(): boolean {
  return (
    document.querySelector(
      '[role="dialog"][data-state="open"], [role="menu"][data-state="open"], [role="listbox"][data-state="open"]',
    ) !== null
  )
}

const FIELDS = 'input, textarea, select, [contenteditable="true"]'

/**
 * Escape belongs to the dialog or menu on top. The kit's shortcuts would mark the key as dealt with, and then nothing on top
 * closes any more; so it is listened for here, before anybody, and left alone while something covers the page.
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

/** Defines the shortcuts of a component for as long as it lives. */
export function useShortcuts(shortcuts: readonly PageShortcut[]): void {
  const active = useActiveElement()
  useEscape(shortcuts.filter(({ keys }) => keys === 'escape'))
  const letters = shortcuts.filter(({ keys }) => keys !== 'escape')
  const config = computed(() =>
    Object.fromEntries(
      letters.map((shortcut) => {
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

/** Notes the first key of a chord, before any handler sees the second. Called once by the app. */
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
