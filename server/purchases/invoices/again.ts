/** A received invoice as it would be sent, so that a change is the same entry with some fields replaced. Pure. */
import { eurosFromCents, percentFromBasisPoints, percentOf } from '../../domain/money.ts'
import type { ReceivedContent } from './content.ts'
import type { Received, ReceivedInput } from './contract.ts'

/** Base and amount where they are not what the lines say, so that they follow the lines when those change. */
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

/** The input that says what a received invoice says; every default written out, amounts in the document's currency. */
export function inputOfReceived(view: Received, content: ReceivedContent): ReceivedInput {
  const { supplier } = content
  return {
    kind: content.kind,
    supplierName: supplier.name,
    supplierNif: supplier.nifWritten ?? supplier.nif,
    supplierId: view.supplierId,
    supplier: { idType: supplier.idType, country: supplier.country, address: view.supplier.address },
    supplierNumber: content.supplierNumber,
    issueDate: content.issueDate,
    receptionDate: content.receptionDate,
    operationDate: content.operationDate,
    dueDate: content.dueDate,
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
    concept: content.concept,
    currency: content.currency,
    fxRate: view.fxRate,
    paymentMethod: view.paymentMethod,
    deductionPeriod: view.deductionPeriod,
    cashAccounting: content.cashAccounting,
    property: view.property,
    rectifies: content.rectifies,
    notes: content.notes,
    externalRef: content.externalRef,
  }
}
