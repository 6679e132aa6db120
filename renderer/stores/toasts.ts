/** Short notices in the corner: completed actions, and failures of requested ones. */
import { asCallError } from '../call.ts'
import { errorText } from '../errors.ts'
import { icons } from '../icons.ts'
import { translate } from '../i18n.ts'
import { errorLocation } from '../components/error-location.ts'
import { router } from '../router.ts'
import { useNotices } from './notices.ts'
import { useSessionStore } from './session.ts'
import { pushUndoable, runUndo, popUndoable } from './undo.ts'

interface ToastAction {
  label: string
  run: () => void
}

const buttonOf = (action: ToastAction) => ({
  label: action.label,
  color: 'neutral' as const,
  variant: 'outline' as const,
  onClick: action.run,
})

/** Notices of the app; the same `id` replaces the previous notice. */
export function useToasts() {
  const notices = useNotices()
  const session = useSessionStore()

  /**
   * Announces a completed action; `actions` are the next steps, `undo` reverts it: with its button here, and with
   * `Ctrl Z`.
   */
  function done(
    title: string,
    options: { description?: string; actions?: ToastAction[]; id?: string; undo?: () => unknown } = {},
  ): void {
    const undo =
      options.undo && pushUndoable({ title, bookId: session.activeBook?.id ?? '', run: options.undo })
    const actions: ToastAction[] = [
      ...(options.actions ?? []),
      ...(undo ? [{ label: translate('common.undo'), run: undo }] : []),
    ]
    notices.show(
      {
        title,
        icon: icons.ok,
        color: 'success',
        ...(options.description ? { description: options.description } : {}),
        ...(actions.length > 0 ? { actions: actions.map(buttonOf) } : {}),
      },
      options.id,
    )
  }

  /** Announces the failure of a requested action: what happened and what to do, with the request's id for support. */
  function failed(thrown: unknown, retry?: () => void): void {
    const error = asCallError(thrown)
    // The lock page reports this itself.
    if (error.code === 'app_locked') return
    const { title, next } = errorText(error)
    const place = errorLocation(error.code)
    const actions: ToastAction[] = [
      ...(place && router.currentRoute.value.path !== place.to
        ? [{ label: translate(place.label), run: () => void router.push(place.to) }]
        : []),
      ...(retry ? [{ label: translate('common.retry'), run: retry }] : []),
    ]
    notices.show(
      {
        title,
        icon: icons.error,
        color: 'error',
        duration: 12_000,
        ...(next ? { description: next } : {}),
        ...(actions.length > 0 ? { actions: actions.map(buttonOf) } : {}),
      },
      `failed-${error.code}`,
    )
  }

  /** Announces that a value typed in passing was rejected and the old one stays. */
  function refused(title: string): void {
    notices.show({ title, icon: icons.warning, color: 'warning' }, 'refused')
  }

  /** Undoes the latest undoable action of this window; returns false if there is none. */
  function undoNewest(): boolean {
    const deed = popUndoable(session.activeBook?.id ?? '')
    if (!deed) return false
    // The function may then show a more precise notice, or its failure.
    notices.show(
      { title: translate('undo.taking', { what: deed.title }), icon: icons.undo, color: 'neutral' },
      'undo',
    )
    runUndo(deed).catch(failed)
    return true
  }

  return { done, failed, refused, undoNewest }
}
