/** A server in its own process that reads the mock accounting system, called over its port like the window does. */
import type { OutputOf } from '../../../server/api/contracts.ts'
import { startChild } from '../children/run.ts'
import type { Child } from '../children/run.ts'
import { totalsOf } from './book.ts'
import type { Doc, ErpBook } from './book.ts'
import { FIRST_ID } from './odoo-rows.ts'
import { KEYS } from './erp-server.ts'
import type { Face } from './erp-stage.ts'
import { windowCaller } from '../stages/window-caller.ts'
import type { RunOverHttp, ServerAddress } from '../stages/window-caller.ts'

type Run = OutputOf<'erp.sync'>
type Side = 'issued' | 'received'

/** Calls a server like its window, and lets it read the mock server. */
interface ErpCaller {
  run: RunOverHttp
  connect(face: Face): Promise<void>
  /** Repeats the call until the reading has ended. */
  sync(input?: { mode?: 'auto' | 'full'; force?: boolean }): Promise<Run>
}

export interface ErpChild extends ErpCaller {
  child: Child
}

interface ChildOptions {
  folder: string
  /** Of the stand-in. */
  erpUrl: string
  paceMs: number
}

/** Acts as the window of the server at `url`; creates a company if there is none. */
export async function erpCaller(server: ServerAddress, erpUrl: string): Promise<ErpCaller> {
  const run = await windowCaller(server)
  return {
    run,
    connect: async (face) => {
      await run(
        'erp.connect',
        face === 'odoo'
          ? { erpApiKey: KEYS.odoo, provider: 'odoo', baseUrl: erpUrl, replace: true }
          : { erpApiKey: KEYS[face], provider: 'holded', replace: true },
      )
    },
    sync: async (input = {}) => {
      let reading = await run('erp.sync', { ...input, wait: 1 })
      while (reading.state === 'running') reading = await run('erp.sync', { wait: 1 })
      return reading
    },
  }
}

/** Starts a server over the books of a folder. */
export async function startErpChild({ folder, erpUrl, paceMs }: ChildOptions): Promise<ErpChild> {
  const child = startChild('serve', [folder, erpUrl, String(paceMs)])
  const said = (await child.line()) as unknown as ServerAddress
  return { child, ...(await erpCaller(said, erpUrl)) }
}

const round = (euros: number): number => Math.round(euros * 100)
/** Some drafts have no day yet. */
const dayOf = (state: string, date: string | null): string => (state === 'draft' || date === null ? '' : date)

/** Returns a document in the mock server's book as a line: its state and its sums in cents. */
function docLine(doc: Doc, face: Face, side: Side): string {
  const { net, total } = totalsOf(doc)
  const sign = doc.kind === 'credit' || doc.kind === 'purchase-refund' ? -1 : 1
  const id = face === 'odoo' ? String(FIRST_ID[side] + doc.index) : doc.id
  return [id, doc.state, doc.currency, dayOf(doc.state, doc.date), sign * net + 0, sign * total + 0].join(' ')
}

/** Returns every imported document, one line each, ordered by identifier, including duplicates. */
export async function documentLines({ run }: Pick<ErpCaller, 'run'>, side: Side): Promise<string[]> {
  const lines: string[] = []
  let cursor: string | null | undefined
  do {
    const page = await run('erp.documents', { side, limit: 100, ...(cursor ? { cursor } : {}) })
    for (const { externalId, state, currency, issueDate, net, total } of page.items)
      lines.push(
        [externalId, state, currency, dayOf(state, issueDate), round(net) + 0, round(total) + 0].join(' '),
      )
    cursor = page.nextCursor
  } while (cursor)
  return lines.toSorted()
}

/** Returns the same lines from the mock server's book. */
export function bookLines(book: ErpBook, face: Face, side: Side): string[] {
  return [...book.heads(side)].map(({ index }) => docLine(book.doc(side, index), face, side)).toSorted()
}

/** Returns the identifiers of imported contacts. */
export async function contactIds({ run }: Pick<ErpCaller, 'run'>): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null | undefined
  do {
    const page = await run('erp.contacts', { limit: 100, ...(cursor ? { cursor } : {}) })
    ids.push(...page.items.map(({ externalId }) => externalId))
    cursor = page.nextCursor
  } while (cursor)
  return ids.toSorted()
}
