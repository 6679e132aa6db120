/** Formats of a document and why an invoice cannot be had in one, in words: the same wherever they are said. */
import { useI18n } from 'vue-i18n'
import { hasText } from '../../../i18n.ts'
import type { InputOf } from '../../../../server/api/contracts.ts'

export type DocumentFormat = NonNullable<InputOf<'exports.create'>['format']>

export const FORMATS: readonly DocumentFormat[] = ['pdf', 'facturae', 'ubl', 'cii']

/** `why` is what `format_unavailable` says in its details, and what an export says of an invoice it goes without. */
export function useFormatMessages() {
  const { t } = useI18n()
  return {
    titleOf: (format: DocumentFormat): string => t(`formats.${format}.title`),
    textOf: (format: DocumentFormat): string => t(`formats.${format}.text`),
    whyOf: (why: string): string =>
      hasText(`formats.why.${why}`) ? t(`formats.why.${why}`) : t('formats.whyUnknown'),
  }
}
