/** Filter of the bank page from its address. Pure. */
import type { InputOf } from '../../../server/api/contracts.ts'
import type { ViewQuery } from '../../components/views/own-views.ts'

export const SHOWN = ['pending', 'matched', 'ignored', 'everything'] as const

interface BankFilter {
  /** Empty for all accounts. */
  accountId: string
  filter: (typeof SHOWN)[number]
  text: string
}

const LONGEST_ID = 80
const LONGEST_TEXT = 100

export const bankFilter = ({ account = '', show, q = '' }: ViewQuery): BankFilter => ({
  accountId: account.slice(0, LONGEST_ID),
  filter: SHOWN.find((each) => each === show) ?? 'pending',
  text: q.slice(0, LONGEST_TEXT),
})

/** The filter as the operation takes it. */
export const bankInput = ({
  accountId,
  filter,
  text,
}: BankFilter): Pick<InputOf<'bank.window'>, 'accountId' | 'status' | 'text'> => ({
  ...(accountId ? { accountId } : {}),
  ...(filter === 'everything' ? {} : { status: filter }),
  ...(text ? { text } : {}),
})
