/**
 * The rows of the console: read from the summaries of all companies that a person may open, and filtered and sorted
 * here. A summary is about a kilobyte; the books of the companies are never read.
 */
import type { ContractInput, ContractOutput } from '../../domain/contract/define-contract.ts'
import { searchText } from '../../domain/text.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { readArrangement } from '../companies/index.ts'
import type { Arrangement } from '../companies/index.ts'
import { summaryRows } from '../summaries/index.ts'
import type { SummaryRow } from '../summaries/index.ts'
import { consoleCompanies } from './access.ts'
import type { ConsoleCompany } from './access.ts'
import { careRows } from './care-rows.ts'
import type { CareRow } from './care-rows.ts'
import { CARDS } from './contract.ts'
import type { Card, ConsoleRow, ConsoleTotals, listConsoleContract } from './contract.ts'
import { isTroubled, standingOf } from './state.ts'
import type { Standing } from './state.ts'

const DEFAULT_LIMIT = 1_000

/** Characters of a tax number by which a company is found. */
const SHORTEST_OF_NIF = 3

type Input = ContractInput<typeof listConsoleContract>

/** A company with all that is known of it. */
interface Known {
  company: ConsoleCompany
  care: CareRow | undefined
  group: string | null
  isFavourite: boolean
  asOf: number | null
  isOutdated: boolean
  standing: Standing | null
  cards: ReadonlySet<Card>
}

function known(
  company: ConsoleCompany,
  row: SummaryRow | undefined,
  care: CareRow | undefined,
  { favourites, groups }: Arrangement,
  { now, today }: { now: Date; today: BusinessDate },
): Known {
  const standing = row?.facts ? standingOf(row.facts, now, today) : null
  const isOutdated = !row?.facts || row.staleSince !== null || row.computedOn !== today
  // An archived company keeps its duties, which its row shows; it is not among those that need somebody.
  const cards = new Set(company.isArchived ? [] : standing?.cards)
  if (isOutdated && !company.isArchived) cards.add('outdated')
  const [group, isFavourite] = [groups[company.id] ?? null, favourites.includes(company.id)]
  return { company, care, group, isFavourite, asOf: row?.computedAt ?? null, isOutdated, standing, cards }
}

/** Reads everything about the companies of a person: a few statements, however many there are. */
async function readAll(ctx: Ctx, arrangement: Arrangement): Promise<Known[]> {
  const companies = await consoleCompanies(ctx)
  const ids = [...companies.keys()]
  const rows = new Map((await summaryRows(ctx.db, ids)).map((row) => [row.companyId, row]))
  const care = await careRows(ctx.db, ids)
  const at = { now: ctx.now(), today: ctx.today() }
  return [...companies.values()].map((company) =>
    known(company, rows.get(company.rowId), care.get(company.rowId), arrangement, at),
  )
}

/** Returns the condition of the filters to which totals refer. */
function inScope({ text, only, assignee, group, favourite }: Input): (one: Known) => boolean {
  const words = searchText(text ?? '')
    .split(' ')
    .filter(Boolean)
  const ids = only && new Set(only)
  return ({ company, care, group: own, isFavourite }) => {
    if (ids && !ids.has(company.id)) return false
    if (assignee !== undefined && (care?.assignee?.id ?? 'none') !== assignee) return false
    if (group !== undefined && own !== group) return false
    if (favourite && !isFavourite) return false
    if (words.length === 0) return true
    const names = searchText(`${company.name} ${company.legalName}`)
    const nif = searchText(company.nif)
    // Most tax numbers have any single digit.
    return words.every(
      (word) => names.includes(word) || (word.length >= SHORTEST_OF_NIF && nif.includes(word)),
    )
  }
}

/** Returns the condition of the other filters. What is not known yet is found by none of them. */
function isWanted({ cards = [], model, returnState, certificateDays }: Input): (one: Known) => boolean {
  return (one) => {
    if (!cards.every((card) => one.cards.has(card))) return false
    if (model !== undefined || returnState !== undefined) {
      const isFound = one.standing?.returns.some(
        (each) =>
          (model === undefined || each.model === model) &&
          (returnState === undefined ? each.state !== 'filed' : each.state === returnState),
      )
      if (!isFound) return false
    }
    if (certificateDays === undefined) return true
    if (one.standing === null) return false
    const { certificate } = one.standing.figures
    return certificate === null || certificate.daysLeft <= certificateDays
  }
}

/** After all that is known, in either direction. */
const LAST = '\uFFFF'

/** Returns the text by which a company is sorted; equal ones by name. */
function sortKey({ company, care, standing }: Known, sort: NonNullable<Input['sort']>): string {
  const number = (value: number | undefined): string =>
    value === undefined ? LAST : String(1e15 - value).padStart(16, '0')
  const figures = standing?.figures
  if (company.isArchived && sort !== 'name') return LAST
  switch (sort) {
    case 'name':
      return ''
    case 'assignee':
      return care?.assignee ? searchText(care.assignee.name) : LAST
    case 'due':
      return figures?.returns.find(({ state }) => state !== 'unknown')?.dueTo ?? LAST
    case 'trouble':
      return figures
        ? number(
            isTroubled(figures.trouble)
              ? 1 +
                  figures.trouble.records +
                  figures.trouble.waiting +
                  (figures.trouble.chain === 'ok' ? 0 : 1e6) +
                  (figures.trouble.stopped ? 1e6 : 0)
              : 0,
          )
        : LAST
    case 'certificate':
      return figures ? (figures.certificate?.until ?? '') : LAST
    case 'inbox':
      return number(figures?.inbox.waiting)
    case 'bank':
      return number(figures?.bank?.pending)
    case 'activity':
      return figures?.lastActivityAt === null || figures === undefined
        ? LAST
        : number(Date.parse(figures.lastActivityAt))
  }
}

/** Sorts by a key and then by name; what is not known stays at the end. */
function sorted(list: readonly Known[], { sort = 'due', descending = false }: Input): Known[] {
  const placed = list.map((one) => ({ one, key: sortKey(one, sort), name: searchText(one.company.name) }))
  const less = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
  return placed
    .toSorted((a, b) => {
      if ((a.key === LAST) !== (b.key === LAST)) return a.key === LAST ? 1 : -1
      const order = less(a.key, b.key) || less(a.name, b.name) || less(a.one.company.id, b.one.company.id)
      return descending ? -order : order
    })
    .map(({ one }) => one)
}

function view({ company, care, group, isFavourite, asOf, isOutdated, standing }: Known): ConsoleRow {
  const { id, bookId, name, legalName, nif, colour, mark, isArchived } = company
  const note = care?.note ?? null
  return {
    id,
    bookId,
    name,
    legalName,
    nif,
    colour,
    mark,
    favourite: isFavourite,
    group,
    assignee: care?.assignee ?? null,
    note: note && { text: note.text, by: note.by, at: new Date(note.at).toISOString(), count: note.count },
    figures: standing?.figures ?? null,
    asOf: asOf === null ? null : new Date(asOf).toISOString(),
    outdated: isOutdated,
    ...(isArchived ? { archived: true as const } : {}),
  }
}

function totalsOf(list: readonly Known[], every: readonly Known[]): ConsoleTotals {
  const cards = Object.fromEntries(CARDS.map((card) => [card, 0])) as Record<Card, number>
  const models = new Map<string, ConsoleTotals['returns'][number]>()
  const assignees = new Map<string, ConsoleTotals['assignees'][number]>()
  let unassigned = 0
  for (const { company, standing, care, cards: own } of list) {
    if (company.isArchived) continue
    for (const card of own) cards[card] += 1
    // A company counts once for a model and a state, however many periods it has.
    const seen = new Set<string>()
    for (const { model, state } of standing?.returns ?? []) {
      const total = models.get(model) ?? { model, late: 0, open: 0, upcoming: 0, filed: 0 }
      models.set(model, total)
      if (state === 'unknown' || seen.has(`${model} ${state}`)) continue
      seen.add(`${model} ${state}`)
      total[state] += 1
    }
    const assignee = care?.assignee
    if (!assignee) unassigned += 1
    else {
      const total = assignees.get(assignee.id) ?? { ...assignee, companies: 0 }
      total.companies += 1
      assignees.set(assignee.id, total)
    }
  }
  return {
    companies: list.length,
    cards,
    returns: [...models.values()].toSorted((a, b) => Number(a.model) - Number(b.model)),
    assignees: [...assignees.values()].toSorted((a, b) => b.companies - a.companies),
    unassigned,
    // They choose a scope, so that they are those of all companies.
    groups: [...new Set(every.flatMap(({ group }) => group ?? []))].toSorted((a, b) =>
      a.localeCompare(b, 'es'),
    ),
    favourites: every.filter(({ isFavourite }) => isFavourite).length,
  }
}

/** Lists the companies of a person. On a desk, figures that are not current are computed after the answer. */
export const listConsole: UseCase<typeof listConsoleContract> = async (
  ctx,
  input,
): Promise<ContractOutput<typeof listConsoleContract>> => {
  const { offset = 0, limit = DEFAULT_LIMIT } = input
  const every = await readAll(ctx, await readArrangement(ctx))
  const all = every.filter(inScope(input))
  const found = sorted(all.filter(isWanted(input)), input)
  const shown = found.slice(offset, offset + limit)
  const totals = totalsOf(all, every)
  if (totals.cards.outdated > 0 && !ctx.env.servers) ctx.env.wake('bulk')
  return {
    today: ctx.today(),
    items: shown.map(view),
    count: found.length,
    totals,
    staff: ctx.env.people !== null,
  }
}
