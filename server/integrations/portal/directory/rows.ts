/** SQL of the directory of units, which belongs to a company and serves both its books. */
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Ctx } from '../../../context.ts'
import { matchesSearch } from '../../../db/text-search.ts'
import type { PortalDirectoriesTable, PortalRelationsTable, PortalUnitsTable } from '../../../db/schema.ts'
import { searchText } from '../../../domain/text.ts'
import type { ParsedRelation, ParsedUnit } from './parse.ts'

type UnitRow = Selectable<PortalUnitsTable>
export type DirectoryRow = Selectable<PortalDirectoriesTable>
type RelationRow = Selectable<PortalRelationsTable>

/** Rows written with one statement. */
const AT_ONCE = 250

interface Written {
  added: number
  changed: number
  unchanged: number
}

type UnitValues = Omit<UnitRow, 'id'>

function valuesOf(companyId: number, unit: ParsedUnit, before: UnitRow | undefined): UnitValues {
  const administration = unit.administration ?? before?.administration ?? null
  return {
    company_id: companyId,
    code: unit.code,
    // A list without names must not take one away.
    name: unit.name === unit.code ? (before?.name ?? unit.name) : unit.name,
    roles: unit.roles | (before?.roles ?? 0),
    administration,
    nif: unit.nif ?? before?.nif ?? null,
    street: unit.street ?? before?.street ?? null,
    postal_code: unit.postalCode ?? before?.postal_code ?? null,
    town: unit.town ?? before?.town ?? null,
    province: unit.province ?? before?.province ?? null,
    is_current: unit.isCurrent ? 1 : 0,
    search: searchText([unit.code, unit.name, administration].filter(Boolean).join(' ')),
  }
}

const isSame = (values: UnitValues, before: UnitRow): boolean =>
  Object.entries(values).every(([column, value]) => before[column as keyof UnitRow] === value)

/** Adds units and changes those that are known; what a file does not say of a unit stays. */
export async function writeUnits(tx: Ctx, units: readonly ParsedUnit[]): Promise<Written> {
  const { companyId } = tx.book
  const written: Written = { added: 0, changed: 0, unchanged: 0 }
  for (let from = 0; from < units.length; from += AT_ONCE) {
    const part = units.slice(from, from + AT_ONCE)
    const known = new Map(
      (
        await tx.db
          .selectFrom('portal_units')
          .selectAll()
          .where('company_id', '=', companyId)
          .where(
            'code',
            'in',
            part.map(({ code }) => code),
          )
          .execute()
      ).map((row) => [row.code, row]),
    )
    const rows: UnitValues[] = []
    for (const unit of part) {
      const before = known.get(unit.code)
      const values = valuesOf(companyId, unit, before)
      if (!before) written.added += 1
      else if (isSame(values, before)) {
        written.unchanged += 1
        continue
      } else written.changed += 1
      rows.push(values)
    }
    if (rows.length > 0)
      await tx.db
        .insertInto('portal_units')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['company_id', 'code']).doUpdateSet((is) => ({
            name: is.ref('excluded.name'),
            roles: is.ref('excluded.roles'),
            administration: is.ref('excluded.administration'),
            nif: is.ref('excluded.nif'),
            street: is.ref('excluded.street'),
            postal_code: is.ref('excluded.postal_code'),
            town: is.ref('excluded.town'),
            province: is.ref('excluded.province'),
            is_current: is.ref('excluded.is_current'),
            search: is.ref('excluded.search'),
          })),
        )
        .execute()
  }
  return written
}

/** Adds the relations that are new, and returns how many. */
export async function writeRelations(tx: Ctx, relations: readonly ParsedRelation[]): Promise<number> {
  let added = 0
  for (let from = 0; from < relations.length; from += AT_ONCE) {
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto('portal_relations')
      .values(
        relations.slice(from, from + AT_ONCE).map((one) => ({
          company_id: tx.book.companyId,
          accounting_office: one.accountingOffice,
          managing_body: one.managingBody,
          processing_unit: one.processingUnit,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    added += Number(numInsertedOrUpdatedRows ?? 0)
  }
  return added
}

/** Returns the last file that was read, or null. */
export async function lastDirectory(ctx: Ctx): Promise<DirectoryRow | null> {
  const row = await ctx.db
    .selectFrom('portal_directories')
    .selectAll()
    .where('company_id', '=', ctx.book.companyId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Returns how many units the directory has. */
export async function countUnits(ctx: Ctx): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('portal_units')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('company_id', '=', ctx.book.companyId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const MOST_FOUND = 50
const CODE_START = /^[a-z]{1,2}\d{1,8}$/i

/** Returns the best units for a search, those that exist first. */
export async function foundUnits(
  ctx: Ctx,
  { search, roleBit, codes }: { search: string; roleBit: number; codes: readonly string[] | null },
): Promise<UnitRow[]> {
  let query = ctx.db.selectFrom('portal_units').selectAll().where('company_id', '=', ctx.book.companyId)
  if (codes !== null) {
    if (codes.length === 0) return []
    query = query.where('code', 'in', codes)
  }
  if (CODE_START.test(search)) query = query.where('code', 'like', `${search.toUpperCase()}%`)
  else if (search !== '') query = query.where(matchesSearch(sql.ref('search'), search))
  // A file without roles says nothing against one.
  if (roleBit > 0) query = query.where(sql<boolean>`(roles = 0 or (roles & ${sql.lit(roleBit)}) <> 0)`)
  return query.orderBy('is_current', 'desc').orderBy('name').orderBy('code').limit(MOST_FOUND).execute()
}

/** Returns the relations of a unit. */
export async function relationsOf(ctx: Ctx, code: string): Promise<RelationRow[]> {
  return ctx.db
    .selectFrom('portal_relations')
    .selectAll()
    .where('company_id', '=', ctx.book.companyId)
    .where((is) =>
      is.or([
        is('accounting_office', '=', code),
        is('managing_body', '=', code),
        is('processing_unit', '=', code),
      ]),
    )
    .orderBy('id')
    .limit(MOST_FOUND)
    .execute()
}
