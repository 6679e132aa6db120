/** Short notices at the corner: what was done, and failures of what was asked for. */
import { useToast } from '@nuxt/ui/composables/useToast'
import { asCallError } from '../call.ts'
import { errorText } from '../errors.ts'
import { icons } from '../icons.ts'
import { say } from '../i18n.ts'
import { placeOfError } from '../components/error-place.ts'
import { router } from '../router.ts'

export interface ToastAction {
  label: string
  run: () => void
}

const buttonOf = (action: ToastAction) => ({
  label: action.label,
  color: 'neutral' as const,
  variant: 'outline' as const,
  onClick: action.run,
})

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
      ...(options.actions ? { actions: options.actions.map(buttonOf) } : {}),
    })
  }

  /** Something asked for failed; says what and what to do, with the request's id for support. */
  function failed(thrown: unknown, retry?: () => void): void {
    const error = asCallError(thrown)
    const { title, next } = errorText(error)
    const place = placeOfError(error.code)
    const actions: ToastAction[] = [
      ...(place && router.currentRoute.value.path !== place.to
        ? [{ label: say(place.label), run: () => void router.push(place.to) }]
        : []),
      ...(retry ? [{ label: say('common.retry'), run: retry }] : []),
    ]
    toast.add({
      id: `failed-${error.code}`,
      title,
      icon: icons.error,
      color: 'error',
      duration: 12_000,
      ...(next ? { description: next } : {}),
      ...(actions.length > 0 ? { actions: actions.map(buttonOf) } : {}),
    })
  }

  return { done, failed }
}
