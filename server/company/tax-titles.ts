/** Titles of columns in exported lists, which name the tax of the company. */
import type { Ctx } from '../context.ts'
import { taxSystemOf, VAT_SYSTEM } from '../tax/systems/index.ts'
import { findCompany } from './rows.ts'

/** Returns the columns with the company's own tax where a title says VAT, in Spanish. */
export async function withTaxTitles<Column extends { title: string }>(
  ctx: Ctx,
  columns: readonly Column[],
): Promise<readonly Column[]> {
  const system = taxSystemOf((await findCompany(ctx)).territory)
  return columns.map((column) => ({ ...column, title: column.title.replace(VAT_SYSTEM.name, system.name) }))
}
