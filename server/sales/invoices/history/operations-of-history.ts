/** What an issued invoice of an earlier program counts in the tax totals. Pure. */
import type { HistoryParty, HistoryReplaced, HistoryTax, IssuedHistory } from '../../../domain/history.ts'
import { incomeOfTax } from '../../../domain/tax/totals.ts'
import type { Operation, OperationTax } from '../../../tax/totals/index.ts'
import { accrualDateOf } from '../content.ts'
import { isRectifying, isSimplified } from '../kinds.ts'

/** Treatments of goods only; the rest counts as services, as for own invoices. */
const GOODS: readonly string[] = ['E2', 'E5']
const RENT_OF_PREMISES = '11'
const CASH_ACCOUNTING = '07'

function taxOf(kind: string, tax: HistoryTax, sign: 1 | -1): OperationTax {
  const income = tax.incomeCents ?? incomeOfTax(kind, { ...tax, outsideCents: 0 })
  return {
    taxTreatment: tax.taxTreatment,
    regimeKey: tax.regimeKey,
    vatRateBp: tax.vatRateBp,
    surchargeRateBp: tax.surchargeRateBp,
    baseCents: sign * tax.baseCents,
    taxCents: sign * tax.taxCents,
    surchargeCents: sign * tax.surchargeCents,
    incomeCents: sign * income,
    nature:
      tax.nature === 'goods' || tax.nature === 'services'
        ? tax.nature
        : GOODS.includes(tax.taxTreatment)
          ? 'goods'
          : 'services',
  }
}

const partyOf = ({ nif, name, country, postalCode, idType }: HistoryParty): Operation['party'] => ({
  nif,
  name,
  country,
  postalCode,
  idType,
})

const grossOf = (taxes: readonly HistoryTax[]): number =>
  taxes.reduce((sum, tax) => sum + tax.baseCents + tax.taxCents + tax.surchargeCents, 0)

/** Returns the operations of an invoice: its own, and one for each group of documents that it takes back. */
export function operationsOfIssued(
  document: IssuedHistory,
  rowId: number,
  replaced: readonly (readonly HistoryReplaced[])[],
): Operation[] {
  const { kind, party, withholding } = document
  const rents = document.property !== null || document.taxes.some((tax) => tax.regimeKey === RENT_OF_PREMISES)
  const own: Operation = {
    source: { type: 'invoice', id: rowId },
    side: 'issued',
    date: accrualDateOf(document),
    rectifying: isRectifying(kind),
    cash: document.taxes.some((tax) => tax.regimeKey === CASH_ACCOUNTING),
    taxes: document.taxes.map((tax) => taxOf(kind, tax, 1)),
    party: partyOf(party),
    totalCents: document.totalCents,
    withholding: withholding && { ...withholding, reason: rents ? 'rent' : 'professional' },
    missingNif: !isSimplified(kind) && party.nif === null,
  }
  return [
    own,
    ...replaced.map((group, index): Operation => {
      const taxes = group.flatMap((one) => one.taxes)
      const withheld = group.flatMap((one) => one.withholding ?? [])
      const customer = group[0]?.party ?? party
      return {
        ...own,
        source: { ...own.source, part: index + 1 },
        party: partyOf(customer),
        taxes: taxes.map((tax) => taxOf(kind, tax, -1)),
        totalCents: -grossOf(taxes),
        // Operations with withholding are declared elsewhere than with third parties, also when they are taken back.
        withholding:
          withheld.length === 0
            ? null
            : {
                rateBp: withheld[0]?.rateBp ?? 0,
                baseCents: -withheld.reduce((sum, one) => sum + one.baseCents, 0),
                amountCents: -withheld.reduce((sum, one) => sum + one.amountCents, 0),
                reason: rents ? 'rent' : 'professional',
              },
        missingNif: false,
      }
    }),
  ]
}
