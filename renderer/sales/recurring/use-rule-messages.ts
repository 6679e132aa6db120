/** Sentence of a recurrence rule in the language of the page. */
import { useI18n } from 'vue-i18n'
import { formatDate, formatDayMonth, formatList } from '../../format.ts'
import { ruleSentence } from './rule.ts'
import type { Rule } from './rule.ts'

export function useRuleMessages(): (rule: Rule) => string {
  const { t } = useI18n()
  return (rule) =>
    ruleSentence(rule, {
      t: (key, values = {}, plural) => (plural === undefined ? t(key, values) : t(key, values, plural)),
      date: formatDate,
      dayMonth: formatDayMonth,
      list: formatList,
    })
}
