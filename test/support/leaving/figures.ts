/** What a person sees of a book, to compare two of them: lists, returns, ledger, balances and the first page. */
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import type { TestBooks } from '../books.ts'
import { returnsOf } from '../moving/returns-of.ts'

/** Runs operations in one book. */
export interface Runner {
  run<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>>
}

const READS = [
  ['dashboard.get', {}],
  ['ledger.trialBalance', { year: 2026 }],
  ['ledger.profitAndLoss', { year: 2026 }],
  ['ledger.balanceSheet', { year: 2026 }],
  ['ledger.accounts', {}],
  ['ledger.journal', { limit: 100 }],
  ['invoices.list', { limit: 100, totals: true }],
  ['received.list', { limit: 100 }],
  ['payments.list', { limit: 200 }],
  ['contacts.list', { limit: 200 }],
  ['items.list', { limit: 200 }],
  ['quotes.list', { limit: 100 }],
  ['bank.accounts', {}],
  ['bank.transactions', { limit: 100 }],
  ['assets.list', {}],
  ['fiscal.filings', { year: 2026 }],
] as const

/** Returns everything by its name. */
export async function figuresOf(books: Runner): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = { ...(await returnsOf(books as TestBooks, 2026)) }
  for (const [name, input] of READS) found[name] = await books.run(name as OperationName, input as never)
  return { ...found, 'dashboard.get': firstPage(found['dashboard.get'] as OutputOf<'dashboard.get'>) }
}

/** Without what is of the installation: its recovery code, and keys of programs, which do not leave. */
function firstPage({ checklist: _own, attention, customers, ...rest }: OutputOf<'dashboard.get'>): unknown {
  return {
    ...rest,
    attention: attention.filter(({ kind }) => kind !== 'recovery'),
    // Engines order equal turnovers differently.
    customers: { ...customers, items: customers.items.map(({ base, sharePercent }) => [base, sharePercent]) },
  }
}
