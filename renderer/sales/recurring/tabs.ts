/** Tabs of the section Recurrentes. */
import { icons } from '../../icons.ts'
import type { IconName } from '../../icons.ts'

/** `opened` is the one shown beside the list, which is on the same page. */
export function recurringTabs(
  t: (key: string) => string,
  opened = '',
): { to: string; label: string; icon: IconName }[] {
  return [
    { to: opened ? `/recurring/${opened}` : '/recurring', label: t('nav.recurring'), icon: icons.recurring },
    { to: '/templates', label: t('templates.title'), icon: icons.template },
  ]
}
