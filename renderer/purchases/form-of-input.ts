/**
 * Form of an entry that another part of the window proposes, such as an invoice read from the accounting system.
 * Pure.
 */
import { formOfProposal } from './form.ts'
import type { ReceivedForm, ReceivedInput } from './form.ts'

/** Returns the proposed form for review; missing values stay empty. */
export function formOfInput(input: ReceivedInput, today: string): ReceivedForm {
  const { supplierNif, supplierId, supplierNumber, dueDate, operationDate, withholding } = input
  const filled = formOfProposal(
    {
      source: 'none',
      format: null,
      confidence: {},
      supplierName: input.supplierName,
      issueDate: input.issueDate,
      taxLines: input.taxLines,
      ...(input.kind ? { kind: input.kind } : {}),
      ...(supplierNif ? { supplierNif } : {}),
      ...(supplierId ? { supplierId } : {}),
      ...(supplierNumber ? { supplierNumber } : {}),
      ...(dueDate ? { dueDate } : {}),
      ...(operationDate ? { operationDate } : {}),
      ...(input.supplier?.country ? { supplierCountry: input.supplier.country } : {}),
      ...(input.supplier?.address
        ? { supplierAddress: { ...input.supplier.address, country: input.supplier.address.country ?? 'ES' } }
        : {}),
      ...(withholding ? { withholding } : {}),
      ...(input.currency ? { currency: input.currency } : {}),
      ...(input.concept ? { concept: input.concept } : {}),
    },
    today,
  )
  return {
    ...filled,
    fxRate: input.fxRate == null ? null : Math.round(input.fxRate * 1_000_000),
    ...(input.externalRef ? { externalRef: input.externalRef } : {}),
  }
}
