/** A draft that was deleted, written again: the way back of "Borrar". Pure. */
import type { InputOf, OutputOf } from '../../server/contracts.ts'

type Invoice = OutputOf<'invoices.get'>
type DraftInput = InputOf<'invoices.create'>

/**
 * What makes the same draft again. Every value that was inferred is written out, so that nothing is inferred anew: a line
 * without surcharge says 0, because leaving it out would take the customer's.
 */
export function draftInputOf(invoice: Invoice): DraftInput {
  const { client } = invoice
  return {
    clientName: client.name,
    clientNif: client.nif,
    clientId: invoice.clientId,
    client: {
      country: client.country,
      address: client.address ?? null,
      ...(client.idType ? { idType: client.idType } : {}),
      email: client.email ?? null,
    },
    lines: invoice.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      ...(line.unit === undefined ? {} : { unit: line.unit }),
      ...(line.discountPct === 0 ? {} : { discountPct: line.discountPct }),
      ...(line.vatRate === null ? {} : { vatRate: line.vatRate }),
      taxTreatment: line.taxTreatment,
      regimeKey: line.regimeKey,
      surcharge: line.surcharge ?? 0,
      withholdable: line.withholdable,
      isDisbursement: line.isDisbursement,
    })),
    kind: invoice.kind,
    series: invoice.series,
    issueDate: invoice.issueDate,
    operationDate: invoice.operationDate,
    dueDate: invoice.dueDate,
    withholdingPct: invoice.withholding?.rate ?? null,
    priceMode: invoice.priceMode,
    simplifiedArt7273: invoice.simplifiedArt7273,
    notes: invoice.notes,
    language: invoice.language,
    paymentMethod: invoice.paymentMethod,
    externalRef: invoice.externalRef,
  }
}
