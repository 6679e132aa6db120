/** A server in a process of its own that reads the stand-in, asked over its port as the window asks. */
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import { startChild } from '../children/run.ts'
import type { Child } from '../children/run.ts'
import { totalsOf } from './book.ts'
import type { Doc, ErpBook } from './book.ts'
import { FIRST_ID } from './odoo-rows.ts'
import { KEYS } from './erp-server.ts'
import type { Face } from './erp-stage.ts'
import { EXAMPLE_COMPANY } from '../store.ts'

export type Run = OutputOf<'erp.sync'>
export type Side = 'issued' | 'received'

/** Asks a server as its window does, and lets it read the stand-in. */
export interface ErpCaller {
  run<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>>
  connect(face: Face): Promise<void>
  /** Asks until the reading has ended. */
  sync(input?: { mode?: 'auto' | 'full'; force?: boolean }): Promise<Run>
}

export interface ErpChild extends ErpCaller {
  child: Child
}

export interface ChildOptions {
  folder: string
  /** Of the stand-in. */
  erpUrl: string
  paceMs: number
}

/** Speaks for the window of the server at `url`; sets up a company where it has none. */
export async function erpCaller(
  { url, windowToken, cookie }: { url: string; windowToken: string; cookie?: string },
  erpUrl: string,
): Promise<ErpCaller> {
  let book: string | null = null

  async function run<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    const answer = await fetch(`${url}/app/call/${name}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${windowToken}`,
        ...(cookie === undefined ? {} : { cookie }),
        'content-type': 'application/json',
        ...(book === null ? {} : { 'sello-book': book }),
      },
      body: JSON.stringify(input),
    })
    const body = (await answer.json()) as { ok: boolean; data: OutputOf<Name>; error?: { code: string } }
    if (!body.ok) throw new Error(`${name}: ${JSON.stringify(body.error)}`)
    return body.data
  }

  const { companies } = await run('session.get', {})
  const books = companies[0]?.books ?? (await run('company.create', EXAMPLE_COMPANY)).books
  book = books.find(({ mode }) => mode === 'test')!.id
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
  const said = (await child.line()) as { url: string; windowToken: string }
  return { child, ...(await erpCaller(said, erpUrl)) }
}

const round = (euros: number): number => Math.round(euros * 100)
/** Some drafts have no day yet. */
const dayOf = (state: string, date: string | null): string => (state === 'draft' || date === null ? '' : date)

/** What a document is by the book of the stand-in: its state and its sums in cents. */
export function docLine(doc: Doc, face: Face, side: Side): string {
  const { net, total } = totalsOf(doc)
  const sign = doc.kind === 'credit' || doc.kind === 'purchase-refund' ? -1 : 1
  const id = face === 'odoo' ? String(FIRST_ID[side] + doc.index) : doc.id
  return [id, doc.state, doc.currency, dayOf(doc.state, doc.date), sign * net + 0, sign * total + 0].join(' ')
}

/** Every document here, one line each, in the order of their identifiers; nothing is left out and doubles show. */
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

/** The same lines by the stand-in's book. */
export function bookLines(book: ErpBook, face: Face, side: Side): string[] {
  return [...book.heads(side)].map(({ index }) => docLine(book.doc(side, index), face, side)).toSorted()
}

/** Identifiers of the contacts here. */
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
