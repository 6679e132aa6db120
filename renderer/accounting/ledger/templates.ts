/** Templates of manual entries: the accounts in order, and the side of each amount. Pure. */

export const TEMPLATES = [
  { name: 'payroll', lines: ['640:d', '642:d', '476:c', '4751:c', '465:c'] },
  { name: 'social_security', lines: ['642:d', '572:c'] },
  { name: 'owner_out', lines: ['550:d', '572:c'] },
  { name: 'owner_in', lines: ['572:d', '550:c'] },
  { name: 'capital', lines: ['572:d', '100:c'] },
  { name: 'loan', lines: ['572:d', '170:c'] },
  { name: 'loan_payment', lines: ['170:d', '662:d', '572:c'] },
  { name: 'depreciation', lines: ['681:d', '281:c'] },
  { name: 'corporate_tax', lines: ['6300:d', '473:c', '4752:c'] },
  { name: 'stock', lines: ['610:d', '300:c', '300:d', '610:c'] },
] as const
export interface FormLine {
  key: number
  account: string
  debit: number | null
  credit: number | null
}

/**
 * Returns the amount missing to balance the sides, in cents: positive if it is missing in the credit, negative if in
 * the debit.
 */
export function difference(lines: readonly FormLine[]): number {
  return lines.reduce((sum, line) => sum + (line.debit ?? 0) - (line.credit ?? 0), 0)
}

/** Returns the lines of a template, without amounts. */
export function accountsOf(name: string): { account: string; side: 'debit' | 'credit' }[] {
  const template = TEMPLATES.find((each) => each.name === name)
  return (template?.lines ?? []).map((line) => {
    const [account = '', side] = line.split(':')
    return { account, side: side === 'd' ? 'debit' : 'credit' }
  })
}
