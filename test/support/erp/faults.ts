/** Faults of an accounting system on command: for a path, at the nth request or every time. */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Answer, Asked } from './face.ts'
import { html } from './face.ts'
import { broken, denied, lacking, limited, unauthorized } from './holded-v2.ts'
import { unknownKey } from './holded-v1.ts'
import { accessError, invalidKey, serverError } from './odoo.ts'

export type FaultKind =
  | '429-minute'
  | '429-month'
  | 401
  | '403-denied'
  | '403-scope'
  | 500
  | 'html'
  | 'hang'
  | 'slow'
  | 'huge'
  | 'deep'
  | 'redirect'
  | 'gzip'
  | 'truncated'
  | 'reset'
  | 'same-cursor'
  | 'repeat-page'
  | 'no-cursor'
  | '429-month-date'

export interface Fault {
  /** Part of the path; undefined for any. */
  path?: string
  /** Counted from its planning, from 1; undefined for every time. */
  nth?: number
  with: FaultKind
}

/** Returns the answer that replaces a good one; null if the fault is in the sending or the paging. */
export function insteadOf(kind: FaultKind, asked: Asked, now: number): Answer | null {
  const face = asked.path.startsWith('/json/2/') ? 'odoo' : asked.path.startsWith('/api/v2/') ? 'v2' : 'v1'
  const model = asked.path.split('/')[3] ?? ''
  switch (kind) {
    case '429-minute':
      return limited('minute', now)
    case '429-month':
      return limited('month', now)
    case '429-month-date': {
      const answer = limited('month', now)
      return {
        ...answer,
        headers: { ...answer.headers, 'retry-after': new Date(now + 86_400_000).toUTCString() },
      }
    }
    case 401:
      return face === 'odoo' ? invalidKey() : face === 'v2' ? unauthorized() : unknownKey()
    case '403-denied':
      return face === 'odoo' ? accessError(model) : denied()
    case '403-scope':
      return face === 'odoo' ? accessError(model) : lacking(scopeOf(asked.path))
    case 500:
      return face === 'odoo' ? serverError() : broken()
    case 'html':
      return html()
    case 'deep':
      return { status: 200, headers: { 'content-type': 'application/json' }, body: '['.repeat(100_000) }
    case 'redirect':
      return { status: 302, headers: { location: '/elsewhere' }, body: '' }
    default:
      return null
  }
}

function scopeOf(path: string): string {
  if (path.includes('/contacts')) return 'contacts:contacts.read'
  if (path.includes('/purchases')) return 'accounting:purchases.read'
  if (path.includes('/taxes')) return 'accounting:taxes.read'
  if (path.includes('/products')) return 'inventory:products.read'
  if (path.includes('/services')) return 'sales:services.read'
  return 'sales:invoices.read'
}

/** Returns the wrong page that replaces the right one. */
export function mispaged(kind: FaultKind, asked: Asked, good: Answer, before: Answer | undefined): Answer {
  if (kind === 'no-cursor' && asked.path.startsWith('/api/v2/'))
    return { ...good, body: JSON.stringify({ ...JSON.parse(good.body), cursor: null, has_more: true }) }
  if (kind === 'same-cursor' && asked.path.startsWith('/api/v2/')) {
    const cursor = asked.query.get('cursor') ?? '650000000000000000000000'
    return { ...good, body: JSON.stringify({ ...JSON.parse(good.body), cursor, has_more: true }) }
  }
  if (kind !== 'repeat-page' || !before) return good
  if (!asked.path.startsWith('/api/v2/')) return before
  // The rows of the previous page, with a cursor to continue.
  return { ...good, body: JSON.stringify({ ...JSON.parse(good.body), items: JSON.parse(before.body).items }) }
}

const MANY = 17 * 1024 * 1024

/** Sends a good answer incorrectly; returns false for other kinds of faults. */
export function sendBadly(kind: FaultKind, response: ServerResponse, good: Answer): boolean {
  switch (kind) {
    case 'hang':
      return true
    case 'reset':
      response.destroy()
      return true
    case 'slow': {
      response.writeHead(200, good.headers)
      response.write(good.body.slice(0, 1))
      const drip = setInterval(() => response.write(' '), 100)
      response.on('close', () => clearInterval(drip))
      return true
    }
    case 'huge':
      response.writeHead(200, good.headers)
      response.end(`["${'x'.repeat(MANY)}"]`)
      return true
    case 'gzip':
      response.writeHead(good.status, { ...good.headers, 'content-encoding': 'gzip' })
      response.end(gzipSync(good.body))
      return true
    case 'truncated':
      response.writeHead(good.status, { ...good.headers, 'content-length': Buffer.byteLength(good.body) })
      response.write(good.body.slice(0, good.body.length / 2), () => response.destroy())
      return true
    default:
      return false
  }
}
