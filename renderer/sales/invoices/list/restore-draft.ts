/** Input that creates an invoice again: a deleted draft as it was, or a copy as a new draft. Pure. */
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import { addDays, businessDateOf, daysBetween } from '../../../../server/domain/dates.ts'
import type { BusinessDate } from '../../../../server/domain/dates.ts'
import { clearedFor } from '../../../../server/sales/invoices/fields.ts'
import { headerInputOf } from '../editor/header-form.ts'

type Invoice = OutputOf<'invoices.get'>
type DraftInput = InputOf<'invoices.create'>

/**
 * Returns the input that creates the same draft again. Every inferred value is written out, so that nothing is
 * inferred again: a line without surcharge says 0, because leaving it out would apply the customer's.
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
      ...(client.dir3 ? { dir3: client.dir3 } : {}),
    },
    lines: invoice.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      ...(line.unit === undefined ? {} : { unit: line.unit }),
      ...(line.discountPct === 0 ? {} : { discountPct: line.discountPct }),
      ...(line.discountAmount === undefined ? {} : { discountAmount: line.discountAmount }),
      ...(line.vatRate === null ? {} : { vatRate: line.vatRate }),
      taxTreatment: line.taxTreatment,
      regimeKey: line.regimeKey,
      surcharge: line.surcharge ?? 0,
      withholdable: line.withholdable,
      isDisbursement: line.isDisbursement,
      ...(line.cost === undefined ? {} : { cost: line.cost }),
      ...(line.cause === undefined ? {} : { cause: line.cause }),
      ...(line.itemId === undefined ? {} : { itemId: line.itemId }),
      ...(line.account === undefined ? {} : { account: line.account }),
    })),
    kind: invoice.kind,
    series: invoice.series,
    issueDate: invoice.issueDate,
    withholdingPct: invoice.withholding?.rate ?? null,
    priceMode: invoice.priceMode,
    ...(invoice.discount
      ? { discountPct: invoice.discount.pct, discountAmount: invoice.discount.amount }
      : {}),
    ...currencyOf(invoice),
    ...namedOthers(invoice),
    property: invoice.property as DraftInput['property'],
    ...headerInputOf(invoice),
  }
}

function currencyOf({
  inCurrency,
}: Invoice): Pick<DraftInput, 'currency' | 'fxRate' | 'fxDate' | 'fxSource'> {
  if (!inCurrency) return {}
  const { currency, fxRate, fxDate, fxSource } = inCurrency
  return { currency, fxRate, fxDate, fxSource }
}

/** Returns the invoices that it rectifies or replaces, and the method. */
function namedOthers(invoice: Invoice): Pick<DraftInput, 'rectifies' | 'substitutes' | 'rectification'> {
  const named = ({ number, issueDate }: Invoice['rectifies'][number]) => ({ number, issueDate })
  const { rectifies, substitutes, rectification } = invoice
  return {
    ...(rectifies.length === 0 ? {} : { rectifies: rectifies.map(named) }),
    ...(substitutes.length === 0 ? {} : { substitutes: substitutes.map(named) }),
    ...(rectification ? { rectification } : {}),
  }
}

/** Returns the input of a new draft with the same content as an invoice: with new dates and the same payment term. */
export function duplicateInput(invoice: Invoice, today: BusinessDate): DraftInput {
  const input = draftInputOf(invoice)
  // The term of a draft without a date counts from the day it was created.
  const from = invoice.issueDate ?? businessDateOf(new Date(invoice.createdAt))
  const term = invoice.dueDate === null ? null : Math.max(0, daysBetween(from, invoice.dueDate))
  return {
    ...input,
    // Simplified invoices are replaced by one invoice only: a copy of it is an ordinary invoice.
    ...(invoice.kind === 'F3' ? { kind: 'F1', substitutes: [] } : {}),
    ...clearedFor('duplicate'),
    series: null,
    issueDate: null,
    dueDate: term === null ? null : addDays(today, term),
    instalments:
      input.instalments?.map((one) => ({
        ...one,
        dueDate: addDays(today, Math.max(0, daysBetween(from, one.dueDate))),
      })) ?? null,
    // A contract and its file apply again; an order is placed once.
    customerReferences: invoice.customerReferences && { ...invoice.customerReferences, order: null },
  }
}
