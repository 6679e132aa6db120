/** Texts of a movement and of the reasons of a suggestion, in the language of the page. */
import { formatAmount, formatDate } from '../../format.ts'
import { hasText, i18n, translate } from '../../i18n.ts'
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'

export type Movement = OutputOf<'bank.window'>['items'][number]
export type Suggestion = NonNullable<Movement['suggestion']>
export type Part = Movement['parts'][number]
export type Account = OutputOf<'bank.accounts'>['items'][number]

/** Returns a reason as a sentence. Days and uses select its plural form. */
export function reasonText({ code, params, message }: Suggestion['reasons'][number]): string {
  const key = `bank.reason.${code}`
  if (!hasText(key)) return message
  const shown: Record<string, string | number> = { ...params }
  if (typeof params.date === 'string') shown.date = formatDate(params.date)
  for (const name of ['missing', 'extra', 'fee'])
    if (typeof params[name] === 'string') shown[name] = formatAmount(Number(params[name]))
  const count = params.count ?? params.days ?? params.uses
  return typeof count === 'number' ? i18n.global.t(key, { ...shown, count }, count) : translate(key, shown)
}

/** Returns the text of all parts together: one by its name, several by their number. */
export function partsText(parts: readonly Part[]): string {
  const [first, ...more] = parts
  if (!first) return ''
  return more.length === 0 ? partText(first) : `${partText(first)} + ${more.length}`
}

/** Returns the text of one part: the invoice, the account with its name, or the other bank account. */
export function partText(part: Part): string {
  if (part.ledgerAccount === null) return part.label
  const named = part.label && part.label !== part.ledgerAccount ? part.label : commonName(part.ledgerAccount)
  return named ? `${part.ledgerAccount} · ${named}` : part.ledgerAccount
}

/** Accounts most used for bank movements. */
export const COMMON_ACCOUNTS = [
  '626',
  '662',
  '769',
  '4750',
  '4751',
  '473',
  '476',
  '642',
  '465',
  '570',
  '5200',
  '550',
  '625',
  '629',
  '631',
  '555',
] as const

function commonName(code: string): string {
  const key = `bank.manual.accounts.${code}`
  return hasText(key) ? translate(key) : ''
}

type PartsInput = InputOf<'bank.match'>['parts']

/** Returns the parts as `bank.match` takes them. */
export function asInput(parts: readonly Part[]): PartsInput {
  return parts.flatMap((part): PartsInput => {
    if (part.kind === 'invoice' && part.invoiceId)
      return [
        {
          kind: 'invoice' as const,
          invoiceId: part.invoiceId,
          instalment: part.instalment,
          amount: part.amount,
        },
      ]
    if (part.kind === 'received' && part.receivedId)
      return [{ kind: 'received' as const, receivedId: part.receivedId, amount: part.amount }]
    if (part.kind === 'payment' && part.paymentId)
      return [{ kind: 'payment' as const, paymentId: part.paymentId }]
    if (part.kind === 'remittance' && part.remittanceId)
      return [{ kind: 'remittance' as const, remittanceId: part.remittanceId }]
    if (part.kind === 'transfer' && part.accountId)
      return [
        {
          kind: 'transfer' as const,
          accountId: part.accountId,
          ...(part.transactionId ? { transactionId: part.transactionId } : {}),
        },
      ]
    if (part.kind === 'account' && part.ledgerAccount)
      return [
        {
          kind: 'account' as const,
          ledgerAccount: part.ledgerAccount,
          amount: part.amount,
          ...(part.contactId ? { contactId: part.contactId } : {}),
        },
      ]
    return []
  })
}

/** Encodes a file as the server takes it. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
