/** Sealed inputs of units, for a change of the key. */
import type { SealedColumn } from '../../../db/sealed-columns.ts'

/** Returns the place for which the input of a unit is sealed. */
export function secretPlace(runId: string, companyId: number): string {
  return `bulk_units.secret/${runId}/${companyId}`
}

export const SEALED_UNIT_SECRETS: SealedColumn = {
  table: 'bulk_units',
  column: 'secret',
  key: ['id'],
  reads: ['run_id', 'company_id'],
  place: ({ run_id, company_id }) => secretPlace(String(run_id), Number(company_id)),
}
