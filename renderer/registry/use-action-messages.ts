/** A matter in the page's language: its facts are written as the page writes amounts of time, days and counts. */
import { useI18n } from 'vue-i18n'
import { formatAgo, formatCount, formatDate } from '../format.ts'
import { driftOf } from './clock.ts'
import type { ActionItem } from './action-items.ts'

/** The function that says the title or the text of a matter. */
export function useActionMessages() {
  const { t } = useI18n()

  /** How far the clock is off, and on which side. */
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

  /** The title as a sentence of its own, without the invoice's number before it. */
  function actionTitle(matter: ActionItem): string {
    const words = actionMessages(matter, 'title')
    return words.charAt(0).toUpperCase() + words.slice(1)
  }

  return { matterWords: actionMessages, matterTitle: actionTitle, driftWords: driftMessage }
}
