/** Converts the product's answer, which has disbursements among its lines, into the form of a truth. */
import { DISBURSEMENTS } from '../../server/purchases/intake/read-result.ts'
import type { ReadProposal } from '../../server/purchases/intake/read-result.ts'
import type { Found } from './score.ts'
import type { TruthFields } from './truth.ts'

const SURE_LEVELS: readonly (string | undefined)[] = ['proven', 'known']
/** Names of the fields that the proposal calls differently. */
const NAMES: Partial<Record<keyof TruthFields, string>> = {
  number: 'supplierNumber',
  docType: 'kind',
  supplied: 'taxLines',
}
const KINDS: Readonly<Record<string, string>> = { rectifying: 'credit', simplified: 'simplified' }

/** Returns what a proposal states, and which of it is shown as sure. */
export function foundInProposal(proposal: ReadProposal): Found {
  const isSupplied = (line: ReadProposal['taxLines'][number]): boolean => line.description === DISBURSEMENTS
  const supplied = proposal.taxLines.filter(isSupplied).reduce((sum, { base }) => sum + (base ?? 0), 0)
  const { withholding, total } = proposal
  const fields: TruthFields = {
    docType: KINDS[proposal.kind ?? ''] ?? 'invoice',
    supplierName: proposal.supplierName ?? null,
    supplierNif: proposal.supplierNif ?? null,
    customerNif: proposal.customerNif ?? null,
    number: proposal.supplierNumber ?? null,
    issueDate: proposal.issueDate ?? null,
    dueDate: proposal.dueDate ?? null,
    currency: proposal.currency ?? 'EUR',
    taxLines: proposal.taxLines
      .filter((line) => !isSupplied(line))
      .map(({ base = 0, vatRate, tax, surchargeRate, surcharge }) => ({
        base,
        vatRate: vatRate ?? 0,
        tax: tax ?? 0,
        ...(surchargeRate ? { surchargeRate, surcharge: surcharge ?? 0 } : {}),
      })),
    withholding: withholding ? { rate: withholding.rate, amount: withholding.amount ?? 0 } : null,
    supplied: supplied === 0 ? null : supplied,
    total: total === undefined ? null : Math.round((total - supplied) * 100) / 100,
    payable: proposal.payable ?? null,
    paymentMethod: proposal.paymentMethod ?? null,
    iban: proposal.iban ?? null,
    category: proposal.category ?? null,
  }
  const sure = new Set<keyof TruthFields>()
  for (const name of Object.keys(fields) as (keyof TruthFields)[])
    if (SURE_LEVELS.includes(proposal.levels[NAMES[name] ?? name])) sure.add(name)
  // The mark "adds up to the total" is what a person sees.
  if (!proposal.closes) for (const name of ['taxLines', 'total'] as const) sure.delete(name)
  return { fields, sure }
}
