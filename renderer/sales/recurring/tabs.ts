/** The pages that stand beside each other under Recurrentes. */
import { icons } from '../../icons.ts'
import type { IconName } from '../../icons.ts'

/** `opened`: the one shown beside the list, which is the same page. */
export function recurringTabs(
  t: (key: string) => string,
  opened = '',
): { to: string; label: string; icon: IconName }[] {
  return [
    { to: opened ? `/recurring/${opened}` : '/recurring', label: t('nav.recurring'), icon: icons.recurring },
    { to: '/templates', label: t('templates.title'), icon: icons.template },
  ]
}
