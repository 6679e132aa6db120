/** Converts a received invoice back to its input, so that a change is the same input with some fields replaced. Pure. */
import { eurosFromCents, percentFromBasisPoints, percentOf } from '../../domain/money.ts'
import type { ReceivedContent } from './content.ts'
import type { Received, ReceivedInput } from './contract.ts'
import { receivedHeader } from './fields.ts'

/**
 * Returns base and amount where they differ from the lines, so that otherwise they follow the lines when those
 * change.
 */
function givenWithholding({ withholding, lines, currency }: ReceivedContent): {
  base?: number
  amount?: number
} {
  if (withholding === null || currency !== 'EUR') return {}
  const sum = lines.reduce((cents, line) => cents + line.baseCents, 0)
  const { rateBp, baseCents, amountCents } = withholding
  return {
    ...(baseCents === sum ? {} : { base: eurosFromCents(baseCents) }),
    ...(amountCents === percentOf(baseCents, rateBp) ? {} : { amount: eurosFromCents(amountCents) }),
  }
}

/** Returns the input of a received invoice with every default written out, amounts in the document's currency. */
export function inputOfReceived(view: Received, content: ReceivedContent): ReceivedInput {
  const { supplier } = content
  return {
    ...receivedHeader.pick(content),
    supplierName: supplier.name,
    supplierNif: supplier.nifWritten ?? supplier.nif,
    supplierId: view.supplierId,
    supplier: { idType: supplier.idType, country: supplier.country, address: view.supplier.address },
    taxLines: content.lines.map((line) => ({
      base: eurosFromCents(line.documentBaseCents),
      ...(line.vatRateBp === null
        ? {}
        : { vatRate: percentFromBasisPoints(line.vatRateBp), tax: eurosFromCents(line.documentTaxCents) }),
      taxTreatment: line.taxTreatment,
      nature: line.nature,
      ...(line.surchargeRateBp === null
        ? {}
        : { surchargeRate: percentFromBasisPoints(line.surchargeRateBp) }),
      ...(line.documentSurchargeCents === 0
        ? {}
        : { surcharge: eurosFromCents(line.documentSurchargeCents) }),
      deductiblePct: percentFromBasisPoints(line.deductibleBp),
      concept: line.concept,
      account: line.account,
      investmentGood: line.investmentGood,
      ...(line.description === null ? {} : { description: line.description }),
    })),
    withholding: view.withholding && {
      rate: view.withholding.rate,
      ...givenWithholding(content),
      reason: view.withholding.reason,
    },
    fxRate: view.fxRate,
    deductionPeriod: view.deductionPeriod,
    property: view.property,
    rectifies: content.rectifies,
  }
}
