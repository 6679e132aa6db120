/**
 * A mock server of accounting systems: one invented company behind three interfaces, Holded's two and Odoo's, over
 * real HTTP. It records every call and fails on command. Also a program, to try the sandbox by hand: `node
 * test/support/erp/erp-server.ts --port 0 --documents 200`.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeErpBook } from './book.ts'
import type { BookOptions, Doc, ErpBook, Row } from './book.ts'
import { html } from './face.ts'
import type { Answer, Asked, Grants } from './face.ts'
import { insteadOf, mispaged, sendBadly } from './faults.ts'
import type { Fault } from './faults.ts'
import { holdedV1 } from './holded-v1.ts'
import { holdedV2 } from './holded-v2.ts'
import { odooFace } from './odoo.ts'
import type { Company } from './odoo-rows.ts'

/** Keys with all permissions, used unless others are given. */
export const KEYS = {
  v2: 'pat_stand-in_0123456789abcdef9f3a',
  v1: '0123456789abcdef0123456789abcdef',
  odoo: 'stand-in-odoo-key-0123456789abcdef',
} as const

export interface ErpServerOptions extends BookOptions {
  port?: number
  /** Permissions by key, for both interfaces of Holded. */
  keys?: Readonly<Record<string, Grants>>
  decimals?: 'dot' | 'comma'
  /** Holded's pages overlap by a row. */
  duplicates?: boolean
  monthlyLimit?: number
  v1PageSize?: number
  /** Answer to the undocumented request for the company; null for an HTML page. */
  company?: { socialName: string; cifNumber: string; email: string } | null
  odooVersion?: string
  odooDatabase?: string
  odooCompanies?: readonly Company[]
  now?: () => number
}

export interface ErpCall {
  at: Date
  method: string
  path: string
  query: Record<string, string>
  /** Null if the connection ended without one. */
  status: number | null
  /** The parsed request body. */
  body: unknown
}

export interface ErpServer {
  /** Base address of all interfaces: `${base}/api/v2`, `${base}/api/invoicing/v1`, `${base}/json/2`. */
  base: string
  book: ErpBook
  calls: ErpCall[]
  /** Plans a fault; the first that matches a call is used, and one with `nth` once. */
  fail(fault: Fault): void
  /** Removes all planned faults. */
  heal(): void
  /** Changes a row of Holded by its identifier; later requests return it. */
  edit<T extends Row = Doc>(id: string, change: (row: T) => void): void
  remove(id: string): void
  close(): Promise<void>
}

const COMPANY = { socialName: 'Obrador del Ebro SL', cifNumber: 'B50770015', email: 'admin@example.test' }

export async function startErpServer(options: ErpServerOptions = {}): Promise<ErpServer> {
  const book = makeErpBook(options)
  const calls: ErpCall[] = []
  const now = options.now ?? Date.now
  const all: Readonly<Record<string, Grants>> = { [KEYS.v2]: 'all', [KEYS.v1]: 'all', [KEYS.odoo]: 'all' }
  // Without a prototype: `constructor` is not a key.
  const keys: Readonly<Record<string, Grants>> = Object.assign(Object.create(null), options.keys ?? all)
  const v2 = {
    tokens: keys,
    decimals: options.decimals ?? 'dot',
    duplicates: options.duplicates ?? false,
    callsThisMonth: () => calls.length,
    monthlyLimit: options.monthlyLimit ?? 500,
  }
  const v1 = {
    keys,
    pageSize: options.v1PageSize ?? 500,
    company: options.company === undefined ? COMPANY : options.company,
  }
  const odoo = {
    keys,
    version: options.odooVersion ?? '19.0',
    database: options.odooDatabase ?? null,
    companies: options.odooCompanies ?? [{ id: 1, name: COMPANY.socialName, vat: `ES${COMPANY.cifNumber}` }],
  }
  let faults: (Fault & { seen: number })[] = []
  const lastGood = new Map<string, Answer>()

  function answerTo(asked: Asked): Answer {
    return holdedV2(book, v2, asked) ?? holdedV1(book, v1, asked) ?? odooFace(book, odoo, asked) ?? html()
  }

  /** Returns the due fault. Each matching one counts this call. */
  function dueFault(path: string): Fault | null {
    const fitting = faults.filter((fault) => path.includes(fault.path ?? ''))
    for (const fault of fitting) fault.seen += 1
    const due = fitting.find(({ nth, seen }) => nth === undefined || nth === seen)
    faults = faults.filter(({ nth, seen }) => nth === undefined || seen < nth)
    return due ?? null
  }

  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (text += part))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://stand-in')
      const { method = 'GET', headers } = request
      const asked: Asked = {
        method,
        path: url.pathname,
        query: url.searchParams,
        headers,
        body: parsed(text),
      }
      const call: ErpCall = {
        at: new Date(now()),
        method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        status: null,
        body: asked.body,
      }
      calls.push(call)
      const due = dueFault(url.pathname)
      const instead = due === null ? null : insteadOf(due.with, asked, now())
      const good = instead ?? answerTo(asked)
      if (due !== null && instead === null && sendBadly(due.with, response, good)) {
        call.status = response.headersSent ? response.statusCode : null
        return
      }
      const sent =
        due === null || instead !== null ? good : mispaged(due.with, asked, good, lastGood.get(asked.path))
      if (sent.status === 200 && instead === null) lastGood.set(asked.path, good)
      call.status = sent.status
      response.writeHead(sent.status, { ...minuteWindow(asked, now()), ...sent.headers })
      response.end(sent.body)
    })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    book,
    calls,
    fail: (fault) => void faults.push({ ...fault, seen: 0 }),
    heal: () => {
      faults = []
    },
    edit: (id, change) => book.edit(id, change),
    remove: (id) => book.remove(id),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/** Holded returns the remainder of the minute's quota with every answer. */
function minuteWindow({ path }: Asked, now: number): Record<string, string> {
  if (!path.startsWith('/api/')) return {}
  return {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '59',
    'x-ratelimit-reset': String(Math.floor(now / 1000) + 60),
    'x-ratelimit-window': 'minute',
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      documents: { type: 'string', default: '200' },
      decimals: { type: 'string', default: 'dot' },
    },
  })
  const documents = Math.max(0, Number(values.documents) || 0)
  const { base } = await startErpServer({
    port: Number(values.port) || 0,
    issued: Math.ceil(documents * 0.6),
    received: Math.floor(documents * 0.4),
    decimals: values.decimals === 'comma' ? 'comma' : 'dot',
  })
  console.log(`${base}\n  Holded  ${KEYS.v2}\n          ${KEYS.v1}\n  Odoo    ${KEYS.odoo}`)
}
