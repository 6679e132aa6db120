/**
 * Payment terms of a contact as one text: days (`30`), equal parts (`30/60/90`), or parts with their percentages
 * (`50 % 0 / 50 % 30`). Pure.
 */
import type { OutputOf } from '../../../server/api/contracts.ts'
import { formatPercent } from '../../format.ts'
import { translate } from '../../i18n.ts'
import { areTerms, MAX_TERM } from '../../../server/domain/tax/instalments.ts'
import { basisPointsFromPercent } from '../../../server/domain/money.ts'

type Terms = Pick<OutputOf<'contacts.get'>, 'paymentDays' | 'paymentTerms'>

const PART = /^(?:(\d{1,3}(?:[.,]\d{1,2})?)\s*%\s*(?:a|at|en)?\s*)?(\d{1,3})(?:\s*(?:d|días?|days?))?$/i

/** Returns the terms of a text, or undefined if it is none. An empty text is no term of its own. */
export function readTerms(text: string): Terms | undefined {
  const typed = text.trim()
  if (typed === '') return { paymentDays: null, paymentTerms: null }
  const parts = typed.split(/\s*(?:\/|;|\+|,\s)\s*/).map((part) => PART.exec(part))
  const terms = parts.flatMap((match) => {
    if (!match) return []
    const percent = match[1] === undefined ? undefined : Number(match[1].replace(',', '.'))
    return [{ days: Number(match[2]), ...(percent === undefined ? {} : { percent }) }]
  })
  if (terms.length !== parts.length || terms.some(({ days }) => days > MAX_TERM)) return undefined
  const [only] = terms
  if (terms.length === 1)
    return only && only.percent === undefined ? { paymentDays: only.days, paymentTerms: null } : undefined
  const exact = terms.map(({ days, percent }) => ({
    days,
    percentBp: percent === undefined ? null : basisPointsFromPercent(percent),
  }))
  return areTerms(exact) ? { paymentDays: null, paymentTerms: terms } : undefined
}

/** Returns the text of a contact's terms, which `readTerms` reads. */
export function termsText({ paymentDays, paymentTerms }: Terms): string {
  if (paymentTerms === null) return paymentDays === null ? '' : String(paymentDays)
  return paymentTerms
    .map(({ days, percent }) => (percent === undefined ? String(days) : `${formatPercent(percent)} ${days}`))
    .join(paymentTerms.some(({ percent }) => percent !== undefined) ? ' / ' : '/')
}

/** Returns how a text is read, if it is several instalments; empty otherwise. */
export function readAs(text: string): string {
  const terms = readTerms(text)?.paymentTerms
  if (!terms) return ''
  const when = (days: number): string =>
    days === 0 ? translate('contacts.terms.atIssue') : translate('contacts.terms.days', { days })
  if (terms.every(({ percent }) => percent === undefined))
    return translate('contacts.terms.equal', {
      count: terms.length,
      days: terms.map(({ days }) => when(days)).join(', '),
    })
  return terms
    .map(({ days, percent }) =>
      percent === undefined
        ? translate('contacts.terms.rest', { when: when(days) })
        : translate('contacts.terms.part', { percent: formatPercent(percent), when: when(days) }),
    )
    .join(', ')
}
