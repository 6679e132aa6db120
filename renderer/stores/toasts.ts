/** Short notices at the corner: what was done, and failures of what was asked for. */
import { useToast } from '@nuxt/ui/composables/useToast'
import { asCallError } from '../call.ts'
import { errorText } from '../errors.ts'
import { icons } from '../icons.ts'
import { say } from '../i18n.ts'

export interface ToastAction {
  label: string
  run: () => void
}

/** Notices of the app; the same `id` replaces the notice that is there. */
export function useToasts() {
  const toast = useToast()

  /** Something was done; `actions` are the next steps or the way back. */
  function done(
    title: string,
    options: { description?: string; actions?: ToastAction[]; id?: string } = {},
  ): void {
    toast.add({
      title,
      icon: icons.ok,
      color: 'success',
      ...(options.description ? { description: options.description } : {}),
      ...(options.id ? { id: options.id } : {}),
      ...(options.actions
        ? {
            actions: options.actions.map((action) => ({
              label: action.label,
              color: 'neutral' as const,
              variant: 'outline' as const,
              onClick: action.run,
            })),
          }
        : {}),
    })
  }

  /** Something asked for failed; says what and what to do, with the request's id for support. */
  function failed(thrown: unknown, retry?: () => void): void {
    const error = asCallError(thrown)
    // The lock's page says so itself.
    if (error.code === 'app_locked') return
    const { title, next } = errorText(error)
    toast.add({
      id: `failed-${error.code}`,
      title,
      icon: icons.error,
      color: 'error',
      duration: 12_000,
      ...(next ? { description: next } : {}),
      ...(retry
        ? {
            actions: [
              {
                label: say('common.retry'),
                color: 'neutral' as const,
                variant: 'outline' as const,
                onClick: retry,
              },
            ],
          }
        : {}),
    })
  }

  return { done, failed }
}
