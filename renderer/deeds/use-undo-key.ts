/** `Ctrl Z` of the window: takes back the newest thing that can be, outside fields and dialogs. An editor's own goes first. */
import { say } from '../i18n.ts'
import { activeShortcuts, useShortcuts } from '../shortcuts.ts'
import type { PageShortcut } from '../shortcuts.ts'
import { useToasts } from '../stores/toasts.ts'

export function useUndoKey(): void {
  const toasts = useToasts()
  const undo: PageShortcut = {
    keys: 'meta_z',
    label: 'undo.key',
    group: 'shortcuts.general',
    handler: () => {
      const isOthers = activeShortcuts.value.some((each) => each.keys === 'meta_z' && each !== undo)
      if (isOthers || document.querySelector('[role="dialog"][data-state="open"]')) return
      if (!toasts.undoNewest()) toasts.done(say('undo.nothing'), { id: 'undo' })
    },
  }
  useShortcuts([undo])
}
