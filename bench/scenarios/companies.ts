/** Lists and summaries of a company that is alone in its database, and of the same one beside a thousand others. */
import { loadOperation, operationTable } from '../../server/api/operations.ts'
import { runOperation } from '../../server/api/run.ts'
import { fillEveryday, FIRST_DAY } from '../../server/app/demo/index.ts'
import type { OpenedSello } from '../../server/app/environment.ts'
import type { Book } from '../../server/context.ts'
import { AppError } from '../../server/domain/errors/app-error.ts'
import { copyCompany } from '../../test/support/postgres/many-companies.ts'
import type { Bench, Group } from '../bench.ts'
import { judge, race, timeFor } from '../method.ts'
import type { Turn } from '../method.ts'
import { addCompany, OfficePlace, openOn } from '../office/place.ts'

const BAR = { better: 'less', floor: 1.5, goal: 1.2 } as const
const COMPANIES = 1_000
const PER_TURN = 20
/** A turn lasts at least so long: twenty reads of a tenth of a millisecond are over before the computer is quiet. */
const TURN_MS = 100
const NAME = 'office.companies'

/** Inputs of the summaries, which are measured besides the operations called `list` and `window`. */
const SUMMARIES: Readonly<Record<string, object>> = {
  'dashboard.get': {},
  'fiscal.models': { year: 2026, quarter: 3 },
  'fiscal.summary': { year: 2026 },
  'ledger.accounts': {},
  'ledger.balanceSheet': { year: 2026 },
  'ledger.journal': {},
  'ledger.profitAndLoss': { year: 2026 },
  'ledger.trialBalance': { year: 2026 },
  'payments.aging': { side: 'issued' },
  'payments.open': { side: 'issued' },
  'registry.records': {},
  'registry.status': {},
}

/** Returns the lists, summaries and the dashboard, those that this book has. */
async function readings(sello: OpenedSello, book: Book): Promise<string[]> {
  const found: string[] = []
  for (const { facts } of operationTable) {
    const isWanted = /\.(list|window|journalWindow)$/.test(facts.name) || facts.name in SUMMARIES
    if (facts.effect !== 'read' || facts.desk || !isWanted) continue
    try {
      await runOperation(await loadOperation(facts.name as never), sello.ctx(book), inputOf(facts.name))
      found.push(facts.name)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  return found
}

const inputOf = (name: string): object => SUMMARIES[name] ?? {}

async function measure(bench: Bench, place: OfficePlace): Promise<void> {
  const alone = await place.create()
  const preparing = await openOn(alone)
  let book: Book
  try {
    book = await addCompany(preparing, 1, { invoices: 60, contacts: 15 })
    await fillEveryday(preparing.ctx(book), FIRST_DAY)
  } finally {
    await preparing.close()
  }
  const beside = await place.create(alone)
  await place.within(alone, (client) => client.query('vacuum analyze'))
  await place.within(beside, async (client) => {
    await copyCompany(client, 1, COMPANIES - 1)
    await client.query('vacuum analyze')
  })
  const [one, many] = [await openOn(alone), await openOn(beside)]
  try {
    const turnOf = (sello: OpenedSello, name: string) => async (): Promise<Turn> => {
      const operation = await loadOperation(name as never)
      const read = () => runOperation(operation, sello.ctx(book), inputOf(name))
      const turn = await timeFor(TURN_MS, PER_TURN, read)
      // The database does most of the work in its own processes: only the clock measures both.
      return { ...turn, cpuUs: null }
    }
    for (const name of await readings(one, book))
      bench.report(
        judge(await race({ run: turnOf(many, name) }, { run: turnOf(one, name) }, bench.rounds), {
          target: 'T15',
          name: NAME,
          size: `${COMPANIES}`,
          unit: 'ms',
          bar: BAR,
          note: name,
        }),
      )
  } finally {
    await one.close()
    await many.close()
  }
}

export const companiesGroup: Group = {
  names: [NAME],
  async run(bench) {
    const place = await OfficePlace.start()
    if (!place) return void bench.say(`${NAME}: skipped, no PostgreSQL is installed`)
    try {
      await measure(bench, place)
    } finally {
      await place.stop()
    }
  },
}
