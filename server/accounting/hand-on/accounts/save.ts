/** Types accounts as the office has them: one by one, or from a list of tax numbers and accounts. */
import type { ContractInput, ContractOutput } from '../../../domain/contract/define-contract.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { accountExists } from '../../ledger/index.ts'
import type { saveHandOnAccountsContract } from '../contract.ts'
import { settingsOf } from '../settings-rows.ts'
import { storedAccounts } from './list.ts'
import { hasOwnAccounts, splitTyped } from './numbers.ts'
import { addNumbers, addTyped, findNumbers, retire } from './rows.ts'

const MAX_ISSUES = 50
const MAX_ROWS = 20_000
/** A tax number, a separator and an account, with quotes or without. */
const LISTED = /^\s*"?([^";,\t]{1,40}?)"?\s*[;,\t]\s*"?([\d. ]{1,20}?)"?\s*$/

type Change = ContractOutput<typeof saveHandOnAccountsContract>['changes'][number]
type TypedRow = NonNullable<ContractInput<typeof saveHandOnAccountsContract>['rows']>[number]

interface Wanted {
  code: string
  contactId: number | null
  name: string
  officeAccount: string | null
  field: string
}

const plainNumber = (nif: string): string =>
  nif
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase()
    .replace(/^ES(?=[0-9A-Z]{9}$)/, '')

const refuse = (
  code: string,
  field: string,
  message: string,
  fix: string,
  params?: Fault['params'],
): Fault => ({
  code,
  field,
  severity: 'error',
  message,
  fix,
  ...(params && { params }),
})

/** Returns the code of the ledger that an account of the office belongs to, by its beginning. */
function codeOf(account: string): string {
  return account.slice(0, 3)
}

interface Listed {
  nif: string
  account: string
  row: number
}

/** Reads a list of two columns; a first row without digits in the second column is its heading. */
function readList(csv: string, issues: Fault[]): Listed[] {
  const listed: Listed[] = []
  const lines = csv.split(/\r\n?|\n/)
  if (lines.length > MAX_ROWS)
    throw validationFailed([
      refuse('hand_on_list_long', 'csv', `The list has more than ${MAX_ROWS} rows.`, 'Send it in parts.', {
        max: MAX_ROWS,
      }),
    ])
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const [, nif = '', account = ''] = LISTED.exec(line) ?? []
    const digits = account.replace(/[. ]/g, '')
    if (nif !== '' && digits !== '') listed.push({ nif: plainNumber(nif), account: digits, row: index + 1 })
    else if (index > 0)
      issues.push(
        refuse(
          'hand_on_list_row',
          `csv[${index + 1}]`,
          `Row ${index + 1} is not a tax number and an account.`,
          'Write the number, a semicolon and the account.',
          { row: index + 1 },
        ),
      )
  }
  return listed
}

async function wantedOfList(ctx: Ctx, csv: string, issues: Fault[]): Promise<Wanted[]> {
  const listed = readList(csv, issues)
  const contacts = await ctx.db
    .selectFrom('contacts')
    .select(['id', 'name', 'nif'])
    .where('book_id', '=', ctx.book.id)
    .where('nif', 'is not', null)
    .where('merged_into', 'is', null)
    .execute()
  const byNif = Map.groupBy(contacts, ({ nif }) => plainNumber(nif ?? ''))
  return listed.flatMap(({ nif, account, row }): Wanted[] => {
    const field = `csv[${row}]`
    const [contact, other] = byNif.get(nif) ?? []
    if (!contact || other) {
      issues.push(
        contact
          ? refuse(
              'hand_on_list_double',
              field,
              `Several contacts have the number ${nif}.`,
              'Merge them first.',
              { row, nif },
            )
          : refuse(
              'hand_on_list_unknown',
              field,
              `No contact has the number ${nif}.`,
              'Check it, or add the contact.',
              {
                row,
                nif,
              },
            ),
      )
      return []
    }
    return [
      { code: codeOf(account), contactId: contact.id, name: contact.name, officeAccount: account, field },
    ]
  })
}

async function wantedOfRows(ctx: Ctx, rows: readonly TypedRow[], issues: Fault[]): Promise<Wanted[]> {
  const ids = rows.flatMap(({ contactId }) => contactId ?? [])
  const contacts =
    ids.length === 0
      ? []
      : await ctx.db
          .selectFrom('contacts')
          .select(['id', 'public_id', 'name'])
          .where('book_id', '=', ctx.book.id)
          .where('public_id', 'in', ids)
          .execute()
  const byId = new Map(contacts.map((contact) => [contact.public_id, contact]))
  const wanted: Wanted[] = []
  for (const [index, { account, contactId, officeAccount }] of rows.entries()) {
    const field = `rows[${index}].officeAccount`
    const contact = contactId === null ? null : byId.get(contactId)
    if (contact === undefined)
      issues.push(
        refuse(
          'hand_on_no_contact',
          `rows[${index}].contactId`,
          'No contact has that identifier.',
          'Choose one.',
        ),
      )
    else if (contact === null && !(await accountExists(ctx, account)))
      issues.push(
        refuse(
          'account_unknown',
          `rows[${index}].account`,
          'The ledger has no such account.',
          'Correct the code.',
          {
            account,
          },
        ),
      )
    else
      wanted.push({
        code: account,
        contactId: contact?.id ?? null,
        name: contact?.name ?? account,
        officeAccount,
        field,
      })
  }
  return wanted
}

/** Returns what is wrong with wanted accounts, beside those that others have. */
function faultsOf(wanted: readonly Wanted[], digits: number): Fault[] {
  const faults: Fault[] = []
  const seen = new Map<string, Wanted>()
  for (const row of wanted) {
    const { officeAccount, contactId, code, field } = row
    if (officeAccount === null) {
      if (contactId !== null)
        faults.push(
          refuse(
            'hand_on_account_needed',
            field,
            'A contact keeps an account once it has one.',
            'Type another account.',
          ),
        )
      continue
    }
    if (officeAccount.length !== digits)
      faults.push(
        refuse(
          'hand_on_account_digits',
          field,
          `Account ${officeAccount} does not have ${digits} digits.`,
          'Correct it.',
          {
            account: officeAccount,
            digits,
          },
        ),
      )
    if (contactId !== null && !hasOwnAccounts(code))
      faults.push(
        refuse(
          'hand_on_account_group',
          field,
          `Accounts of group ${code} are not of contacts.`,
          'Use 400, 410 or 430.',
          {
            account: code,
          },
        ),
      )
    const other = contactId === null ? undefined : seen.get(officeAccount)
    if (other && (other.contactId !== contactId || other.code !== code))
      faults.push(
        refuse(
          'hand_on_account_taken',
          field,
          `Account ${officeAccount} is in the list twice.`,
          'Correct one of them.',
          {
            account: officeAccount,
          },
        ),
      )
    seen.set(officeAccount, row)
  }
  return faults
}

/** Saves typed accounts; with `write` false it only says what would change. */
export const saveHandOnAccounts: UseCase<typeof saveHandOnAccountsContract> = (
  ctx,
  { rows = [], csv, write },
) =>
  ctx.transaction(async (tx) => {
    const { digits } = await settingsOf(tx)
    const issues: Fault[] = []
    const wanted = [
      ...(await wantedOfRows(tx, rows, issues)),
      ...(csv === undefined ? [] : await wantedOfList(tx, csv, issues)),
    ]
    issues.push(...faultsOf(wanted, digits))
    const now = await storedAccounts(tx, digits)
    const byPlace = new Map(now.map((row) => [`${row.code}/${row.contact_id ?? ''}`, row]))
    const given = new Map(
      (await findNumbers(tx)).flatMap((row) =>
        row.prefix === null || row.number === null ? [] : [[`${row.prefix}/${row.number}`, row] as const],
      ),
    )
    const changes: Change[] = []
    const work: { row: Wanted; before: number | null }[] = []
    for (const row of wanted) {
      const before = byPlace.get(`${row.code}/${row.contactId ?? ''}`)
      if ((before?.officeAccount ?? null) === row.officeAccount) continue
      if (row.contactId !== null && row.officeAccount !== null) {
        const { prefix, number } = splitTyped(row.officeAccount)
        const owner = given.get(`${prefix}/${number}`)
        // A number that somebody had is never given again, not even to another account of the same contact.
        if (owner)
          issues.push(
            refuse(
              'hand_on_account_taken',
              row.field,
              `Account ${row.officeAccount} was given before, and numbers are never given twice.`,
              'Type another account.',
              { account: row.officeAccount },
            ),
          )
      }
      changes.push({
        account: row.code,
        name: row.name,
        before: before?.officeAccount ?? null,
        after: row.officeAccount,
        untrusted: true,
      })
      work.push({ row, before: before?.id ?? null })
    }
    if (!write) return { changes: changes.slice(0, 500), issues: issues.slice(0, MAX_ISSUES), written: false }
    if (issues.length > 0) throw validationFailed(issues.slice(0, MAX_ISSUES))
    await retire(
      tx,
      work.flatMap(({ before }) => before ?? []),
    )
    await addNumbers(
      tx,
      work.flatMap(({ row: { code, contactId, officeAccount } }) =>
        contactId === null || officeAccount === null
          ? []
          : [{ code, contactId, ...splitTyped(officeAccount) }],
      ),
    )
    for (const { row } of work)
      if (row.contactId === null && row.officeAccount !== null)
        await addTyped(tx, row.code, row.officeAccount)
    if (work.length > 0)
      await recordAudit(tx, {
        action: 'hand_on.accounts_saved',
        target: { type: 'company', id: tx.book.publicId, label: String(work.length) },
      })
    return { changes: changes.slice(0, 500), issues: [], written: true }
  })
