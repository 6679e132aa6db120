/** Shared parts of the mock interfaces: a request, its answer, and permissions. */

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: unknown
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Permissions of a key: all, or scopes in the terms of its system. */
export type Grants = 'all' | readonly string[]

export function json(body: unknown, status = 200, type = 'application/json'): Answer {
  return { status, headers: { 'content-type': type }, body: JSON.stringify(body) }
}

export function html(): Answer {
  const body =
    '<!DOCTYPE html><html lang="es"><head><title>ERP</title></head><body><div id="app"></div></body></html>'
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}

export function isGranted(grants: Grants, scope: string): boolean {
  return grants === 'all' || grants.includes(scope)
}

/** Formats cents with a point. */
export function dot(cents: number): string {
  const size = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${size.slice(0, -2)}.${size.slice(-2)}`
}

/** Formats cents with a comma, and points between thousands. */
export function comma(cents: number): string {
  const [whole = '', fraction = ''] = dot(cents).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction}`
}

export function* where<T>(rows: Iterable<T>, keep: (row: T) => boolean): Generator<T> {
  for (const row of rows) if (keep(row)) yield row
}

export function* each<T, U>(rows: Iterable<T>, make: (row: T) => U): Generator<U> {
  for (const row of rows) yield make(row)
}
