/** Chips for the rare fields that hold a value, shown while their panel is closed. */
import { formatAmount, formatDate, formatPercent } from '../../../../format.ts'
import { LANGUAGE_NAMES } from '../../../../../server/domain/languages.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../../../../server/domain/money.ts'
import type { DraftForm } from '../draft.ts'
import { HEADER_TEXT_FIELDS } from '../header-form.ts'

/** Returns the chips in the order of the panel. `usualLanguage` is the company's: only another language gets a chip. */
export function rareChips(
  form: DraftForm,
  usualLanguage: string,
  t: (key: string, named?: Record<string, unknown>) => string,
): string[] {
  return [
    ...(form.kind === 'F2' ? [t('invoice.kind.F2')] : []),
    ...(form.simplifiedArt7273 ? [t('invoice.chip.art7273')] : []),
    ...(form.operationDate ? [t('invoice.chip.operation', { date: formatDate(form.operationDate) })] : []),
    ...(form.currency === 'EUR' ? [] : [form.currency]),
    ...(form.discountBp === 0 && form.discountCents === 0
      ? []
      : [t('invoice.chip.discount', { discount: discountLabel(form) })]),
    ...(form.property ? [t('invoice.chip.property')] : []),
    ...(form.priceMode === 'gross' ? [t('invoice.chip.gross')] : []),
    ...(form.language !== usualLanguage ? [LANGUAGE_NAMES[form.language]] : []),
    ...(form.paymentMethod ? [t(`invoice.method.${form.paymentMethod}`)] : []),
    ...Object.entries(form.customerReferences).flatMap(([name, text]) =>
      text.trim() ? [`${t(`invoice.customerReferences.${name}`)} ${text.trim()}`] : [],
    ),
    ...(form.issuedBy.kind
      ? [t(`invoice.issuedBy.short.${form.issuedBy.kind}`, { name: form.issuedBy.name.trim() })]
      : []),
    ...HEADER_TEXT_FIELDS.flatMap((name) => {
      const text = form[name].trim()
      return text ? [t(`invoice.chip.${name}`, { text })] : []
    }),
  ]
}

function discountLabel(form: DraftForm): string {
  return [
    form.discountBp === 0 ? '' : formatPercent(percentFromBasisPoints(form.discountBp)),
    form.discountCents === 0 ? '' : formatAmount(eurosFromCents(form.discountCents)),
  ]
    .filter(Boolean)
    .join(' + ')
}
