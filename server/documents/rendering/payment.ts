/** Payment part of a document: text, account, and the code that a banking app reads. */
import type { Cents } from '../../domain/money.ts'
import { isSimplified } from '../../sales/invoices/index.ts'
import type { DraftContent, PartyFacts } from '../../sales/invoices/index.ts'
import { labelsFor, printedDate, sepaQrText } from '../pdf/index.ts'
import type { InvoicePaper, PaperPayment } from '../pdf/index.ts'

interface Payable {
  content: Pick<DraftContent, 'kind' | 'language' | 'paymentMethod' | 'dueDate' | 'currency'>
  issuer: Pick<PartyFacts, 'name' | 'iban'>
  /** Reference that the payer writes on the transfer; null while there is none. */
  number: string | null
  amountDueCents: Cents
  instalments?: InvoicePaper['instalments']
  /** The document is to be paid: issued, and in the real registry. Otherwise a placeholder is shown, never a code. */
  isPayable: boolean
  withQr: boolean
}

/** Methods by which the customer itself transfers money to the company's account. */
const BY_TRANSFER: readonly (string | null)[] = [null, 'transfer']

/** Returns true if the customer is to transfer the money. A ticket is paid immediately unless it states otherwise. */
export function isPaidByTransfer({
  kind,
  paymentMethod,
}: Pick<DraftContent, 'kind' | 'paymentMethod'>): boolean {
  return isSimplified(kind) ? paymentMethod === 'transfer' : BY_TRANSFER.includes(paymentMethod)
}

export function paymentOf({
  content,
  issuer,
  number,
  amountDueCents,
  instalments = [],
  isPayable,
  withQr,
}: Payable): PaperPayment {
  const { language, paymentMethod, dueDate, currency } = content
  const isDebit = paymentMethod === 'direct_debit'
  const asks = amountDueCents > 0
  const account = asks && isPaidByTransfer(content) ? issuer.iban : null
  const named = labelsFor(language).methods[paymentMethod ?? ''] ?? null
  // A transfer is impossible without an account on the document.
  const method = paymentMethod === 'transfer' && account === null ? null : named
  return {
    method,
    // Several days stand in their own table.
    chargedOn:
      isDebit && asks
        ? dueDate === null || instalments.length > 0
          ? ''
          : printedDate(dueDate, language)
        : null,
    account,
    reference: account === null ? null : number,
    qr:
      account !== null && withQr && currency === null
        ? qrOf(
            {
              name: issuer.name,
              iban: account,
              cents: instalments[0]?.cents ?? amountDueCents,
              reference: number,
            },
            isPayable,
          )
        : null,
  }
}

/** The document is kept as it is issued, so that its code asks for the instalment that is due first. */
function qrOf(
  transfer: { name: string; iban: string; cents: Cents; reference: string | null },
  isPayable: boolean,
): PaperPayment['qr'] {
  if (!isPayable || transfer.reference === null) return { kind: 'placeholder' }
  const text = sepaQrText({ ...transfer, reference: transfer.reference })
  return text === null ? null : { kind: 'code', text }
}
