/** Words for the differences of two drafts. */
import { formatAmount, formatDate, formatEuros, formatMicro, formatPercent } from '../../../../format.ts'
import { hasText, translate } from '../../../../i18n.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../../../../server/domain/money.ts'
import type { DescribedChange } from '../../../../components/merge/changes.ts'
import type { Difference } from '../../../../components/merge/three-way.ts'
import type { Instalment } from '../../../../../server/domain/tax/instalments.ts'
import type { ClientForm, LineForm } from '../draft.ts'

const none = (): string => translate('merge.none')

function lineText(line: LineForm | undefined): string {
  if (!line) return translate('merge.removed')
  const price = line.unitPriceMicro === null ? '—' : formatMicro(line.unitPriceMicro, 2)
  const quantity = line.quantityMicro === null ? '—' : formatMicro(line.quantityMicro)
  const discount =
    line.discountBp === null ? '' : ` − ${formatPercent(percentFromBasisPoints(line.discountBp))}`
  const amount = line.discountCents === 0 ? '' : ` − ${formatAmount(eurosFromCents(line.discountCents))}`
  const tax =
    line.taxTreatment === 'S1'
      ? formatPercent(percentFromBasisPoints(line.vatRateBp))
      : hasText(`invoice.vat.${line.taxTreatment}`)
        ? translate(`invoice.vat.${line.taxTreatment}`)
        : line.taxTreatment
  return `${line.description.trim()} · ${quantity} × ${price}${discount}${amount} · ${tax}`
}

function clientText(client: ClientForm): string {
  const { name, nif, street, postalCode, city, email } = client
  return [name, nif, street, [postalCode, city].filter(Boolean).join(' '), email].filter(Boolean).join(' · ')
}

/** Returns a value of a field in words. */
function valueText(field: string, value: unknown): string {
  if (field === 'lines') return lineText(value as LineForm | undefined)
  if (value === null || value === undefined || value === '') return none()
  if (field === 'client') return clientText(value as ClientForm) || none()
  if (field === 'instalments')
    return (value as Instalment[])
      .map(({ dueDate, percentBp, cents }) =>
        percentBp !== null
          ? `${formatDate(dueDate)} ${formatPercent(percentFromBasisPoints(percentBp))}`
          : cents !== null
            ? `${formatDate(dueDate)} ${formatAmount(eurosFromCents(cents))}`
            : formatDate(dueDate),
      )
      .join(' · ')
  if (field === 'kind') return translate(`invoice.kind.${String(value)}`)
  if (field === 'paymentMethod') return translate(`invoice.method.${String(value)}`)
  if (typeof value === 'boolean') return translate(value ? 'merge.yes' : 'merge.no')
  if (field.endsWith('Bp')) return formatPercent(percentFromBasisPoints(value as number))
  if (field.endsWith('Cents')) return formatEuros(eurosFromCents(value as number))
  if (field.endsWith('Micro')) return formatMicro(value as number)
  if (typeof value === 'string')
    return /^\d{4}-\d{2}-\d{2}$/.test(value)
      ? formatDate(value as `${number}-${number}-${number}`)
      : value.trim()
  if (typeof value === 'object') {
    const parts = Object.values(value).filter((part) => typeof part === 'string' && part !== '')
    return parts.length > 0 ? parts.join(' · ') : none()
  }
  return String(value)
}

/** Describes a difference of two drafts. */
export function describeDraft({ field, row, before, mine, theirs }: Difference): DescribedChange {
  const name = translate(`invoice.conflict.field.${field}`)
  const text = (value: unknown): string => valueText(field, value)
  const added = row !== null && before === undefined
  return {
    label: row === null ? name : translate('merge.row', { field: name, number: row }),
    before: added ? none() : text(before),
    mine: added && mine === undefined ? none() : text(mine),
    theirs: added && theirs === undefined ? none() : text(theirs),
  }
}
