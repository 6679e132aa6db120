/**
 * Form of an entry that another part of the window proposes, such as an invoice read from the accounting system.
 * Pure.
 */
import { formOfProposal } from './form.ts'
import type { ReceivedForm, ReceivedInput } from './form.ts'

/** Returns the proposed form for review; missing values stay empty. */
export function formOfInput(input: ReceivedInput, today: string): ReceivedForm {
  const { supplier } = input
  const filled = formOfProposal(
    {
      ...input,
      supplierCountry: supplier?.country,
      supplierAddress: supplier?.address && {
        ...supplier.address,
        country: supplier.address.country ?? 'ES',
      },
    },
    today,
  )
  return { ...filled, fxRate: input.fxRate == null ? null : Math.round(input.fxRate * 1_000_000) }
}
