/** The records that notes and tasks are about: which there are, how they are called, and who may read them. */
import { AppError } from '../../domain/errors/app-error.ts'
import { isModel } from '../../accounting/returns/index.ts'
import type { Ctx } from '../../context.ts'
import type { Capability } from '../../domain/people.ts'
import type { Target, TargetType } from './contract.ts'

/** Reading the notes of a record needs what reading the record needs. */
const NEEDS: Readonly<Record<TargetType, Capability>> = {
  invoice: 'sales.read',
  quote: 'sales.read',
  received: 'purchases.read',
  contact: 'sales.read',
  return: 'returns.read',
  transaction: 'bank.read',
}

export const capabilityOf = (type: TargetType): Capability => NEEDS[type]

/** The types of records that the caller may read. */
export const readableTypes = (ctx: Ctx): TargetType[] =>
  (Object.keys(NEEDS) as TargetType[]).filter((type) => ctx.may(NEEDS[type]))

/** Returns what a record is called now, null if it has no name yet, or undefined if the book has no such record. */
type Find = (ctx: Ctx, id: string) => Promise<string | null | undefined>

const FIND: Readonly<Record<TargetType, Find>> = {
  async invoice({ db, book }, id) {
    const row = await db
      .selectFrom('invoices')
      .leftJoin('parties', 'parties.id', 'invoices.party_id')
      .select(['invoices.number', 'parties.name'])
      .where('invoices.book_id', '=', book.id)
      .where('invoices.public_id', '=', id)
      .executeTakeFirst()
    return row && (row.number ?? row.name)
  },
  async quote({ db, book }, id) {
    const row = await db
      .selectFrom('quotes')
      .select(['number', 'client_name'])
      .where('book_id', '=', book.id)
      .where('public_id', '=', id)
      .executeTakeFirst()
    return row && (row.number ?? row.client_name)
  },
  async received({ db, book }, id) {
    const row = await db
      .selectFrom('received_invoices')
      .select(['supplier_number', 'supplier_name'])
      .where('book_id', '=', book.id)
      .where('public_id', '=', id)
      .executeTakeFirst()
    return row && [row.supplier_name, row.supplier_number].filter(Boolean).join(' · ')
  },
  async contact({ db, book }, id) {
    const row = await db
      .selectFrom('contacts')
      .select('name')
      .where('book_id', '=', book.id)
      .where('public_id', '=', id)
      .executeTakeFirst()
    return row?.name
  },
  async transaction({ db, book }, id) {
    const row = await db
      .selectFrom('bank_transactions')
      .select(['counterparty', 'text'])
      .where('book_id', '=', book.id)
      .where('public_id', '=', id)
      .executeTakeFirst()
    return row && (row.counterparty ?? row.text)
  },
  // Every return of a known model exists: it is computed when somebody asks for it.
  async return(_ctx, id) {
    const [, model = '', year, period] = /^(\d{3})-(2\d{3})-(0A|[1-4]T|0[1-9]|1[0-2])$/.exec(id) ?? []
    return isModel(model) ? `${model} · ${period === '0A' ? year : `${period} ${year}`}` : undefined
  },
}

/** Longest label that a row stores. */
const LONGEST_LABEL = 160

/** Returns what a record is called. Throws `not_found` for one that does not exist or that the caller may not read. */
export async function labelOf(ctx: Ctx, { type, id }: Target): Promise<string> {
  const label = ctx.may(NEEDS[type]) ? await FIND[type](ctx, id) : undefined
  if (label === undefined) throw new AppError('not_found')
  return (label ?? id).slice(0, LONGEST_LABEL)
}
