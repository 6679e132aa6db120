/** The list of companies: searched, and in the order of the person who asks. */
import type { ContractInput, ContractOutput } from '../../domain/contract/define-contract.ts'
import { createCursor, readCursor } from '../../domain/contract/cursor.ts'
import { searchText } from '../../domain/text.ts'
import type { UseCase } from '../../context.ts'
import type { listCompaniesContract } from './contract.ts'
import { groupsOf, readArrangement } from './personal.ts'
import type { Arrangement } from './personal.ts'
import { listedCompanies, mayOpen } from './rows.ts'
import type { ListedCompany } from './rows.ts'

type Input = ContractInput<typeof listCompaniesContract>
type Item = ContractOutput<typeof listCompaniesContract>['items'][number]

const PAGE = 100
const SECTIONS: readonly Item['section'][] = ['favourite', 'recent', 'group', 'other', 'archived']

function sectionOf(company: ListedCompany, group: string | null, { recent }: Arrangement): Item['section'] {
  if (company.archived) return 'archived'
  if (company.favourite) return 'favourite'
  if (recent.includes(company.id)) return 'recent'
  return group === null ? 'other' : 'group'
}

/** Compares by section, within it by the person's order, and then by name. */
function inOrder({ recent }: Arrangement): (a: Item, b: Item) => number {
  const names = new Intl.Collator('es', { numeric: true, sensitivity: 'base' })
  const name = ({ tradeName, legalName }: Item): string => tradeName ?? legalName
  return (a, b) =>
    SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section) ||
    (a.section === 'recent' ? recent.indexOf(a.id) - recent.indexOf(b.id) : 0) ||
    (a.section === 'group' ? names.compare(a.group ?? '', b.group ?? '') : 0) ||
    names.compare(name(a), name(b)) ||
    (a.id < b.id ? -1 : 1)
}

function fits(item: Item, { text = '', group, favourite, archived = 'no' }: Input): boolean {
  if (archived !== 'also' && item.archived !== (archived === 'only')) return false
  if (favourite && !item.favourite) return false
  if (group !== undefined && item.group !== group) return false
  const words = searchText(text).split(' ').filter(Boolean)
  if (words.length === 0) return true
  const said = searchText([item.legalName, item.tradeName ?? '', item.nif].join(' '))
  return words.every((word) => said.includes(word))
}

/**
 * Returns a page of the companies. All are read and ordered here: they are a few thousand at most, and the order is of
 * the person, whom the database does not know.
 */
export const listCompanies: UseCase<typeof listCompaniesContract> = async (ctx, input) => {
  const { cursor, limit = PAGE, ...filter } = input
  const arrangement = await readArrangement(ctx)
  const companies = await listedCompanies(ctx, await mayOpen(ctx), arrangement)
  const items = companies
    .map((company): Item => {
      const group = arrangement.groups[company.id] ?? null
      return { ...company, group, section: sectionOf(company, group, arrangement) }
    })
    .filter((item) => fits(item, filter))
    .toSorted(inOrder(arrangement))
  const after = cursor === undefined ? null : String(readCursor(cursor, 'companies', filter)[0])
  // A company that left the list meanwhile begins it again.
  const from = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1
  const shown = items.slice(from, from + limit)
  const last = shown.at(-1)
  return {
    items: shown,
    nextCursor: last && from + limit < items.length ? createCursor('companies', filter, [last.id]) : null,
    total: items.length,
    groups: groupsOf(arrangement),
  }
}
