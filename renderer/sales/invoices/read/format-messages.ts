/** Texts of the document formats and of the reasons why an invoice is not available in one; the same on every page. */
import { useI18n } from 'vue-i18n'
import { hasText } from '../../../i18n.ts'
import type { InputOf } from '../../../../server/api/contracts.ts'

export type DocumentFormat = NonNullable<InputOf<'exports.create'>['format']>

export const FORMATS: readonly DocumentFormat[] = ['pdf', 'facturae', 'ubl25', 'ubl', 'peppol', 'cii']

/** `why` takes the reason from the details of `format_unavailable`, or from an export that leaves an invoice out. */
export function useFormatMessages() {
  const { t } = useI18n()
  return {
    titleOf: (format: DocumentFormat): string => t(`formats.${format}.title`),
    textOf: (format: DocumentFormat): string => t(`formats.${format}.text`),
    whyOf: (why: string): string =>
      hasText(`formats.why.${why}`) ? t(`formats.why.${why}`) : t('formats.whyUnknown'),
  }
}
