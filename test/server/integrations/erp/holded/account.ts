/** A sample account of Holded: rows as its two API versions write them, and an `ErpHttp` that answers from a table. */
import type { ErpHttp, ErpReply, ErpRequest } from '../../../../../server/integrations/erp/connection/http.ts'
import { holded } from '../../../../../server/integrations/erp/holded/index.ts'
import type {
  Notes,
  Page,
  ProviderCtx,
  Resource,
  Window,
} from '../../../../../server/integrations/erp/port.ts'
import type { Json } from '../../../../../server/integrations/erp/reading/untrusted-values.ts'

export const NEWER_KEY = 'pat_feedc0de'
export const OLDER_KEY = 'feedc0defeedc0defeedc0defeedc0de'
export const TODAY = '2026-05-20'
export const MAY: Window = { from: '2026-05-01', to: '2026-05-31' }

export const TAXES: readonly Json[] = [
  { id: 't1', key: 's_iva_21', name: 'IVA 21', amount: '21' },
  { id: 't2', key: 's_iva_10', name: 'IVA 10', amount: '10' },
  { id: 't3', key: 's_ret_7', name: 'Retención', amount: '-7' },
  { id: 't4', key: 's_req_14', name: 'Recargo', amount: '1,4' },
  { id: 't5', key: 'p_iva_isp', name: 'Inversión del sujeto pasivo', amount: '21' },
  { id: 't6', key: 'p_ret_19', name: 'Alquileres', amount: '19' },
  // A rate that was temporarily lowered under its old key.
  { id: 't8', key: 's_iva_5', name: 'IVA reducido', amount: '2' },
  { id: 't7', key: 's_ecotasa', name: 'Ecotasa', amount: '3', type: 'fixed' },
]

type Answer = Partial<ErpReply> | ((request: ErpRequest) => Partial<ErpReply>)

/** Answers by path; a path that is not in the table is not found. */
export function answering(table: Readonly<Record<string, Answer>>): { http: ErpHttp; asked: ErpRequest[] } {
  const asked: ErpRequest[] = []
  const http: ErpHttp = {
    async ask(request, classify) {
      asked.push(request)
      const answer = table[request.path] ?? { status: 404, json: { detail: 'Not found.' } }
      const given = typeof answer === 'function' ? answer(request) : answer
      const reply: ErpReply = { status: 200, headers: {}, json: undefined, text: '', ...given }
      const fault = classify(reply)
      if (fault) throw fault
      return reply
    },
  }
  return { http, asked }
}

/** Returns a page of the newer API. */
export function items(rows: readonly unknown[], cursor: string | null = null): Partial<ErpReply> {
  return { json: { items: rows, cursor, has_more: cursor !== null } }
}

export function problem(
  status: number,
  detail: string,
  headers: Record<string, string> = {},
): Partial<ErpReply> {
  return { status, headers, json: { title: 'Problem', status, detail } }
}

export function ctxOf(http: ErpHttp, secret = NEWER_KEY, notes: Notes = {}): ProviderCtx {
  return {
    http,
    notes,
    today: TODAY,
    credentials: { secret, baseUrl: null, database: null, accountId: null },
  }
}

/** Reads the pages of a resource to its end, as a run does: notes kept, repeated pages skipped. */
export async function pullAll(
  http: ErpHttp,
  resource: Resource,
  options: { secret?: string; notes?: Notes; window?: Window } = {},
): Promise<{ pages: Page[]; notes: Notes }> {
  const pages: Page[] = []
  const seen = new Set<string>()
  let notes = options.notes ?? {}
  let cursor: string | null = null
  do {
    const window = resource === 'contacts' || resource === 'catalogue' ? null : (options.window ?? MAY)
    const page: Page = await holded.pull(
      { resource, cursor, window, since: null },
      ctxOf(http, options.secret, notes),
    )
    const names = page.records.map(({ externalKind, externalId }) => `${externalKind} ${externalId}`)
    const isRepeated = names.length > 0 && names.every((name) => seen.has(name))
    for (const name of names) seen.add(name)
    pages.push(page)
    notes = page.notes ?? notes
    cursor = isRepeated && page.repeatedCursor !== undefined ? page.repeatedCursor : page.nextCursor
  } while (cursor !== null && pages.length < 50)
  return { pages, notes }
}

/** Returns a document as the newer API writes it: ten hours of 30 euros with 21 % VAT. */
export function invoiceRow(changes: Json = {}): Json {
  return {
    id: 'd1',
    document_number: 'F-12',
    contact_id: 'c1',
    contact_name: 'Talleres Duero SL',
    description: '',
    date: '2026-05-04',
    due_date: '2026-06-03',
    subtotal: '300.00',
    discount: '0.00',
    tax: '63.00',
    total: '363.00',
    currency: 'EUR',
    currency_change: '1',
    status: 'pending',
    draft: false,
    approved_at: '2026-05-04T10:00:00',
    payments_total: '0.00',
    payments_pending: '363.00',
    lines: [lineRow()],
    ...changes,
  }
}

export function lineRow(changes: Json = {}): Json {
  return {
    name: 'Horas',
    units: '10',
    price: '30.00',
    discount: '0',
    tax: '0',
    taxes: ['s_iva_21'],
    retention: '0',
    ...changes,
  }
}
