/** Lists the accounts of contacts in the office's program, and typed ones. */
import type { Ctx, UseCase } from '../../../context.ts'
import { createCursor, readCursor } from '../../../domain/contract/cursor.ts'
import { searchText } from '../../../domain/text.ts'
import type { handOnAccountsContract } from '../contract.ts'
import { findSettings, usualSettings } from '../settings-rows.ts'
import { numbered } from './numbers.ts'

const DEFAULT_LIMIT = 100
const LIST = 'handOn.accounts'

/** Returns stored accounts with their contacts, by code and account. */
export async function storedAccounts(ctx: Ctx, digits: number) {
  const rows = await ctx.db
    .selectFrom('hand_on_accounts')
    .leftJoin('contacts', 'contacts.id', 'hand_on_accounts.contact_id')
    .select([
      'hand_on_accounts.id',
      'hand_on_accounts.code',
      'hand_on_accounts.prefix',
      'hand_on_accounts.number',
      'hand_on_accounts.typed',
      'hand_on_accounts.contact_id',
      'contacts.public_id',
      'contacts.name',
      'contacts.nif',
      'contacts.merged_into',
    ])
    .where('hand_on_accounts.book_id', '=', ctx.book.id)
    .where('hand_on_accounts.retired_at', 'is', null)
    .where((where) =>
      where.or([
        where('hand_on_accounts.contact_id', 'is not', null),
        where('hand_on_accounts.typed', 'is not', null),
      ]),
    )
    .orderBy('hand_on_accounts.code')
    .orderBy('hand_on_accounts.prefix')
    .orderBy('hand_on_accounts.number')
    .execute()
  return rows.map((row) => ({
    ...row,
    officeAccount: row.typed ?? numbered(row.prefix ?? row.code, row.number ?? 0, digits),
  }))
}

export const listHandOnAccounts: UseCase<typeof handOnAccountsContract> = async (
  ctx,
  { text = '', limit = DEFAULT_LIMIT, cursor },
) => {
  const { digits } = (await findSettings(ctx)) ?? usualSettings('csv')
  const wanted = searchText(text)
  const rows = (await storedAccounts(ctx, digits)).filter(
    ({ code, name, nif, officeAccount, merged_into: mergedInto }) =>
      // Of a contact that another one took in, the account waits for the merge to be undone.
      mergedInto === null &&
      (wanted === '' ||
        code.startsWith(wanted) ||
        officeAccount?.startsWith(wanted) ||
        searchText(`${name ?? ''} ${nif ?? ''}`).includes(wanted)),
  )
  const after = cursor === undefined ? 0 : Number(readCursor(cursor, LIST, { text })[0])
  // Accounts are given once and stay, so that the row of the last one is still there.
  const from = after === 0 ? 0 : rows.findIndex(({ id }) => id === after) + 1
  const shown = rows.slice(from, from + limit)
  const last = shown.at(-1)
  return {
    nextCursor: last && rows.length > from + limit ? createCursor(LIST, { text }, [last.id]) : null,
    items: shown.map((row) => ({
      account: row.code,
      contact:
        row.public_id === null || row.name === null
          ? null
          : { id: row.public_id, name: row.name, nif: row.nif },
      officeAccount: row.officeAccount,
      typed: row.typed !== null,
      untrusted: true,
    })),
    count: rows.length,
  }
}
