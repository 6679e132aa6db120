/** `Ctrl Z` of the window: takes back the newest thing that can be, outside fields and dialogs. An editor's own goes first. */
import { say } from '../../i18n.ts'
import { activeShortcuts, useShortcuts } from '../../shortcuts.ts'
import type { PageShortcut } from '../../shortcuts.ts'
import { useToasts } from '../../stores/toasts.ts'
import { untilAnswered } from './optimistic.ts'

export function useUndoKey(): void {
  const toasts = useToasts()
  const takeBack = (): void => {
    if (!toasts.undoNewest()) toasts.done(say('undo.nothing'), { id: 'undo' })
  }
  const undo: PageShortcut = {
    keys: 'meta_z',
    label: 'undo.key',
    group: 'shortcuts.general',
    handler: () => {
      const isOthers = activeShortcuts.value.some((each) => each.keys === 'meta_z' && each !== undo)
      if (isOthers || document.querySelector('[role="dialog"][data-state="open"]')) return
      // What is on screen can be taken back, also a moment before the server has answered.
      const answered = untilAnswered()
      if (answered) void answered.then(() => setTimeout(takeBack))
      else takeBack()
    },
  }
  useShortcuts([undo])
}
