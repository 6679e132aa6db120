/** Words for the differences of a form whose values are texts, switches, dates and numbers. */
import { formatDate } from '../../format.ts'
import { hasText, translate } from '../../i18n.ts'
import { isBusinessDate } from '../../../server/domain/dates.ts'
import type { Describe } from './changes.ts'

/** Returns a value in words. */
function fieldText(value: unknown): string {
  if (value === null || value === undefined || value === '') return translate('merge.none')
  if (typeof value === 'boolean') return translate(value ? 'merge.yes' : 'merge.no')
  if (typeof value === 'string') return isBusinessDate(value) ? formatDate(value) : value.trim()
  if (typeof value === 'object') {
    const parts = Object.values(value).filter((part) => part !== null && part !== '')
    return parts.length > 0 ? parts.map(String).join(' · ') : translate('merge.none')
  }
  return String(value)
}

/**
 * Describes the differences of a form. `places` are where its fields have their names among the texts; `valueOf` gives
 * the words of values that are codes, or undefined.
 */
export function describeFields(
  places: readonly string[],
  valueOf: (field: string, value: unknown) => string | undefined = () => undefined,
): Describe {
  return ({ field, row, before, mine, theirs }) => {
    const key = [...places.map((place) => `${place}.${field}`), `merge.field.${field}`].find(hasText)
    const name = translate(key ?? 'merge.otherField')
    const text = (value: unknown): string =>
      row !== null && value === undefined
        ? translate(before === undefined ? 'merge.none' : 'merge.removed')
        : (valueOf(field, value) ?? fieldText(value))
    return {
      label: row === null ? name : translate('merge.row', { field: name, number: row }),
      before: text(before),
      mine: text(mine),
      theirs: text(theirs),
    }
  }
}
