/** Preferences saved when they are chosen: a tick beside the saved one, and a notice with undo. */
import { useTimeoutFn } from '@vueuse/core'
import { ref } from 'vue'
import { translate } from '../../i18n.ts'
import { useSessionStore } from '../../stores/session.ts'
import { useToasts } from '../../stores/toasts.ts'

type Preferences = NonNullable<ReturnType<typeof useSessionStore>['preferences']>

const TICK_MS = 4_000

export function useSavedPreferences() {
  const session = useSessionStore()
  const toasts = useToasts()
  const kept = ref<keyof Preferences | null>(null)
  const { start: fade } = useTimeoutFn(() => (kept.value = null), TICK_MS, { immediate: false })

  async function save<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): Promise<void> {
    await session.savePreferences({ [name]: value })
    kept.value = name
    fade()
  }

  /** Saves one preference; after an error it is shown and the old value stays. */
  async function keep<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): Promise<void> {
    const before = session.preferences?.[name]
    if (before === undefined) return
    try {
      await save(name, value)
      toasts.done(translate('settings.kept'), {
        id: 'setting',
        actions: [
          {
            label: translate('common.undo'),
            run: () => void save(name, before as Preferences[Name]).catch(toasts.failed),
          },
        ],
      })
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }

  return { kept, keep }
}
