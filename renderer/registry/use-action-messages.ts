/** Texts of an action item in the language of the page, with durations, dates and counts formatted. */
import { useI18n } from 'vue-i18n'
import { formatAgo, formatCount, formatDate } from '../format.ts'
import { driftOf } from './clock.ts'
import type { ActionItem } from './action-items.ts'

/** Returns the function for the title or text of an action item. */
export function useActionMessages() {
  const { t } = useI18n()

  /** Returns the drift of the clock, with its direction. */
  function driftMessage(skewSeconds: number): string {
    const { unit, side, count } = driftOf(skewSeconds)
    const size = t(`registryPage.clock.${unit}`, { count: formatCount(count) }, count)
    return t(`registryPage.clock.${side}`, { size })
  }

  function actionMessages(matter: ActionItem, part: 'title' | 'text'): string {
    const { records, since, madeAt, expiresOn, daysLeft, seconds, ...rest } = matter.params
    const count = Number(records ?? daysLeft ?? 1)
    const facts = {
      ...rest,
      count: formatCount(count),
      ...(since === undefined ? {} : { ago: formatAgo(String(since)) }),
      ...(madeAt === undefined ? {} : { date: formatDate(String(madeAt).slice(0, 10)) }),
      ...(expiresOn === undefined ? {} : { date: formatDate(String(expiresOn)) }),
      ...(seconds === undefined ? {} : { drift: driftMessage(Number(seconds)) }),
    }
    return matter.own
      ? t(`registryPage.matter.${matter.own}.${part}`, facts, count)
      : t(`registryPage.theme.${matter.theme}.${part}`, facts, count)
  }

  /** Returns the title as a sentence of its own, without the number of the invoice. */
  function actionTitle(matter: ActionItem): string {
    const words = actionMessages(matter, 'title')
    return words.charAt(0).toUpperCase() + words.slice(1)
  }

  return { matterWords: actionMessages, matterTitle: actionTitle, driftWords: driftMessage }
}
