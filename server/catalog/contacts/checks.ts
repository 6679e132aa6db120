/** Returns the answers of VIES and the census about a contact: the last one of each, for its current numbers. */
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import type { contactChecksContract } from './contract.ts'
import { madridInstant } from '../../domain/dates.ts'
import { orNotFound } from '../../context.ts'
import type { UseCase } from '../../context.ts'
import { findContact } from './rows.ts'

/** Returns the last answers; an answer about a number that has changed since no longer applies. */
export const contactChecks: UseCase<typeof contactChecksContract> = async (ctx, { id }) => {
  const row = orNotFound(await findContact(ctx, id))
  if (row.nif === null) return { vies: null, census: null }
  const vies = await ctx.db
    .selectFrom('vat_number_checks')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('vat_number', 'in', [row.nif, `ES${row.nif}`])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const census = await ctx.db
    .selectFrom('census_checks')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('nif', '=', row.nif)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    vies: vies
      ? {
          vatNumber: vies.vat_number,
          valid: vies.valid === 1,
          name: vies.name,
          consultationNumber: vies.consultation,
          checkedAt: madridInstant(new Date(vies.checked_at)),
        }
      : null,
    census: census
      ? {
          nif: census.nif,
          result: census.result as NonNullable<
            ContractOutput<typeof contactChecksContract>['census']
          >['result'],
          censusName: census.census_name,
          checkedAt: madridInstant(new Date(census.checked_at)),
        }
      : null,
  }
}
