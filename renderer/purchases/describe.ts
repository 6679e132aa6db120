/** Words for the differences of two changes of a received invoice. */
import { formatCents, formatPercent } from '../format.ts'
import { hasText, translate } from '../i18n.ts'
import { describeFields } from '../components/merge/describe-fields.ts'
import type { LineForm } from './form.ts'

/** Texts of the codes that a field can have. */
const CODES: Readonly<Record<string, string>> = {
  kind: 'received.kind',
  concept: 'received.concept',
  paymentMethod: 'received.method',
}

function lineText({ base, bearing, tax, deductible }: LineForm): string {
  const rate = hasText(`received.rate.${bearing}`)
    ? translate(`received.rate.${bearing}`)
    : formatPercent(Number(bearing))
  return [
    base === null ? '—' : formatCents(base),
    rate,
    ...(tax === null ? [] : [formatCents(tax)]),
    ...(deductible === '' ? [] : [`${translate('received.field.deductible')} ${deductible}`]),
  ].join(' · ')
}

export const describeReceived = describeFields(['received.field'], (field, value) => {
  if (value === null || value === undefined || value === '') return undefined
  if (field === 'lines') return lineText(value as LineForm)
  const key = `${CODES[field] ?? ''}.${String(value)}`
  return field in CODES && hasText(key) ? translate(key) : undefined
})
