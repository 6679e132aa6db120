/** Reads a provider to the end over real HTTP, as a run would. */
import { createErpHttp } from '../../../server/integrations/erp/connection/http.ts'
import type { CallNote } from '../../../server/integrations/erp/connection/http.ts'
import type {
  Credentials,
  NeutralContact,
  NeutralDocument,
  NeutralItem,
  Notes,
  Page,
  Provider,
  ProviderCtx,
  Resource,
  Step,
} from '../../../server/integrations/erp/port.ts'

interface Reading {
  ctx: ProviderCtx
  calls: CallNote[]
  /** Returns all pages of a resource; notes of a page are passed to the next. */
  pull(step: Partial<Step> & { resource: Resource }): Promise<Pulled>
}

interface Pulled {
  pages: Page[]
  contacts: NeutralContact[]
  documents: NeutralDocument[]
  items: NeutralItem[]
  rejects: Page['rejects']
  present: string[]
  mark: string | undefined
}

const PAGES_AT_MOST = 2000

export function readingOf(
  provider: Provider,
  base: string,
  credentials: Partial<Credentials> & { secret: string },
  notes: Notes = {},
): Reading {
  const calls: CallNote[] = []
  const http = createErpHttp({
    base,
    allowPrivate: true,
    paceMs: 0,
    secret: credentials.secret,
    now: () => new Date('2026-11-22T10:00:00Z'),
    onCall: (note) => calls.push(note),
    sleep: () => Promise.resolve(),
    limits: { totalMs: 2000, headersMs: 2000 },
  })
  const ctx: ProviderCtx = {
    http,
    credentials: { baseUrl: base, database: null, accountId: null, ...credentials },
    notes,
    today: '2026-11-22',
  }
  return {
    ctx,
    calls,
    async pull(wish) {
      const pages: Page[] = []
      let cursor = wish.cursor ?? null
      do {
        const page = await provider.pull({ window: null, since: null, ...wish, cursor }, ctx)
        if (page.notes) ctx.notes = page.notes
        pages.push(page)
        cursor = page.nextCursor
      } while (cursor !== null && pages.length < PAGES_AT_MOST)
      const records = pages.flatMap((page) => page.records)
      return {
        pages,
        contacts: records.filter((each) => each.record === 'contact'),
        documents: records.filter((each) => each.record === 'document'),
        items: records.filter((each) => each.record === 'item'),
        rejects: pages.flatMap((page) => page.rejects),
        present: pages.flatMap((page) => page.present.map(({ externalId }) => externalId)),
        mark: pages.at(-1)?.mark,
      }
    },
  }
}
