/** T6: a page of the invoice list must cost the same whatever the number of invoices. */
import { openSello } from '../../server/api/application.ts'
import type { OpenedSello } from '../../server/api/application.ts'
import type { OutputOf } from '../../server/api/contracts.ts'
import type { Book } from '../../server/context.ts'
import type { Bench, Group } from '../bench.ts'
import { sizeName } from '../bench.ts'
import { call, testBook } from '../books.ts'
import { judge, race, timeEach } from '../method.ts'

const BAR = { better: 'less', floor: 3, goal: 2 } as const
const SMALL = 10_000
const PAGE = 25
const LARGEST_PAGE = 100
const PER_TURN = 120

type Page = OutputOf<'invoices.list'>
type Query = Record<string, unknown>
type Ask = (query: Query) => Promise<Page>

interface Shelf {
  sello: OpenedSello
  book: Book
  size: number
}

/** The queries of each scenario; several queries form one operation. */
type Plan = (shelf: Shelf, ask: Ask) => Promise<Query[]>

/** Returns a day in the middle of the book, with an invoice issued on it. */
async function middle({
  sello,
  book,
  size,
}: Shelf): Promise<{ date: string; number: string; nif: string; contact: string }> {
  const row = await sello.env.store.reader
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .innerJoin('contacts', 'contacts.id', 'invoices.contact_id')
    .select(['invoices.list_date', 'invoices.number', 'parties.nif', 'contacts.public_id as contact'])
    .where('invoices.book_id', '=', book.id)
    .where('invoices.state', '=', 'issued')
    .orderBy('invoices.id')
    .offset(Math.floor(size / 2))
    .limit(1)
    .executeTakeFirstOrThrow()
  return { date: row.list_date, number: row.number ?? '', nif: row.nif ?? '', contact: row.contact }
}

const PLANS: Record<string, Plan> = {
  'list.first': async () => [{ limit: PAGE }],
  'list.mid': async ({ size }, ask) => {
    let cursor: string | null = null
    for (let seen = 0; seen < size / 2; seen += LARGEST_PAGE) {
      const page: Page = await ask({ limit: LARGEST_PAGE, ...(cursor === null ? {} : { cursor }) })
      cursor = page.nextCursor
    }
    return [{ limit: PAGE, cursor }]
  },
  'list.status': async () => [
    { limit: PAGE, registryStatus: 'rejected' },
    { limit: PAGE, registryStatus: 'accepted' },
  ],
  'list.client': async (shelf) => [{ limit: PAGE, client: (await middle(shelf)).contact }],
  'list.range': async (shelf) => {
    const { date } = await middle(shelf)
    return [{ limit: PAGE, from: `${date.slice(0, 7)}-01`, to: `${date.slice(0, 7)}-28` }]
  },
  // Typical searches: a number, a tax number, a customer's name, and a word common to many customers.
  'list.search': async (shelf) => {
    const { number, nif } = await middle(shelf)
    return [
      { limit: PAGE, text: number },
      { limit: PAGE, text: nif },
      { limit: PAGE, text: 'Beltrán 317' },
      { limit: PAGE, text: 'librería' },
    ]
  },
}

async function open(bench: Bench, size: number): Promise<Shelf> {
  const place = await bench.workplace.master(size, 'marked')
  const sello = await openSello({ dataDir: place.folder, keyFile: place.keyFile, keychain: null })
  return { sello, book: await testBook(sello), size }
}

async function compare(bench: Bench, small: Shelf, big: Shelf, name: string, plan: Plan): Promise<void> {
  const prepare = async (shelf: Shelf) => {
    const ask: Ask = (query) => call<Page>(shelf.sello, shelf.book, 'invoices.list', query)
    const queries = await plan(shelf, ask)
    for (const query of queries)
      if ((await ask(query)).items.length === 0)
        throw new Error(`${name} finds nothing at ${sizeName(shelf.size)}: ${JSON.stringify(query)}`)
    return {
      run: () =>
        timeEach(PER_TURN, async () => {
          for (const query of queries) await ask(query)
        }),
    }
  }
  const result = await race(await prepare(big), await prepare(small), bench.rounds)
  bench.report(
    judge(result, {
      target: 'T6',
      name,
      size: sizeName(big.size),
      unit: 'ms',
      bar: BAR,
      note: `limit: the same page at ${sizeName(small.size)}`,
    }),
  )
}

export const listGroup: Group = {
  names: Object.keys(PLANS),
  async run(bench, wanted) {
    const small = await open(bench, SMALL)
    try {
      for (const size of bench.full ? [100_000, 1_000_000] : [Math.max(bench.size, 100_000)]) {
        const big = await open(bench, size)
        try {
          for (const [name, plan] of Object.entries(PLANS))
            if (wanted.has(name)) await compare(bench, small, big, name, plan)
        } finally {
          await big.sello.close()
        }
      }
    } finally {
      await small.sello.close()
    }
  },
}
