/**
 * `Ctrl Z` of the window: undoes the last action that can be undone, outside fields and dialogs. The undo of an
 * editor takes precedence.
 */
import { translate } from '../../i18n.ts'
import { activeShortcuts, useShortcuts } from '../../shortcuts.ts'
import type { PageShortcut } from '../../shortcuts.ts'
import { useToasts } from '../../stores/toasts.ts'
import { whenAnswered } from './optimistic.ts'

export function useUndoKey(): void {
  const toasts = useToasts()
  const undoLatest = (): void => {
    if (!toasts.undoNewest()) toasts.done(translate('undo.nothing'), { id: 'undo' })
  }
  const undo: PageShortcut = {
    keys: 'meta_z',
    label: 'undo.key',
    group: 'shortcuts.general',
    handler: () => {
      const isOthers = activeShortcuts.value.some((each) => each.keys === 'meta_z' && each !== undo)
      if (isOthers || document.querySelector('[role="dialog"][data-state="open"]')) return
      // A shown change can be undone even before the server has answered.
      const answered = whenAnswered()
      if (answered) void answered.then(() => setTimeout(undoLatest))
      else undoLatest()
    },
  }
  useShortcuts([undo])
}
