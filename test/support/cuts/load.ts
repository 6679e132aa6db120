/** Clients of a server in its own process: they draft, validate and issue over HTTP with a key, like a program. */
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import type { Mode } from '../../../server/context.ts'
import { EXAMPLE_COMPANY } from '../store.ts'

export interface Answer<T> {
  status: number
  headers: Headers
  body: { ok: boolean; data: T; error?: { code: string; details?: Record<string, unknown> } }
}

export interface Client {
  /** For a later client of the same books: the requests of a key are answered only to that key. */
  key: string
  /** Calls the REST API. */
  rest<T>(method: string, path: string, body?: object, idempotencyKey?: string): Promise<Answer<T>>
  /** Calls the window's API; throws errors. */
  window<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>>
}

type Invoice = OutputOf<'invoices.get'>
type Validated = OutputOf<'invoices.validate'>

/** The address that a child printed. */
export interface Place {
  url: string
  windowToken: string
  /** Set if the token is a browser's pass: the cookie that belongs to it. */
  cookie?: string
}

/** Opens a client with a key of a book, a new one unless given; creates the company if there is none. */
export async function openClient(
  { url, windowToken, cookie }: Place,
  { known, mode = 'test' }: { known?: string | undefined; mode?: Mode } = {},
): Promise<Client> {
  let book: string | null = null
  async function ask<T>(path: string, init: RequestInit): Promise<Answer<T>> {
    // Network traffic is recorded and read again.
    const response = await fetch(url + path, {
      ...init,
      headers: { ...init.headers, 'accept-encoding': 'identity' },
    })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answer<T>['body'],
    }
  }
  async function window<Called extends OperationName>(
    called: Called,
    input: InputOf<Called>,
  ): Promise<OutputOf<Called>> {
    const { body } = await ask<OutputOf<Called>>(`/app/call/${called}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${windowToken}`,
        ...(cookie === undefined ? {} : { cookie }),
        'content-type': 'application/json',
        ...(book === null ? {} : { 'sello-book': book }),
      },
      body: JSON.stringify(input),
    })
    if (!body.ok) throw new Error(`${called}: ${JSON.stringify(body.error)}`)
    return body.data
  }
  const { companies } = await window('session.get', {})
  const books = companies[0]?.books ?? (await window('company.create', EXAMPLE_COMPANY)).books
  book = books.find((one) => one.mode === mode)?.id ?? null
  const wish: InputOf<'keys.createByPerson'> = {
    name: 'Programa',
    scopes: ['invoices.read', 'invoices.write', 'invoices.issue'],
    approval: 'never',
  }
  const key = known ?? (await window('keys.createByPerson', wish)).key
  return {
    key,
    window,
    rest: (method, path, body, idempotencyKey) =>
      ask(`/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

/** Returns the `nth` draft of many: they differ in size, so that writes do too. */
export function draftOf(nth: number): InputOf<'invoices.create'> {
  return {
    clientName: `Cliente ${nth % 20}`,
    clientNif: '12345678Z',
    lines: Array.from({ length: 1 + (nth % 4) }, (_, line) => ({
      description: `Trabajo ${nth}-${line} ${'y material '.repeat(nth % 9)}`.trim(),
      quantity: 1 + (nth % 7),
      unitPrice: (nth % 100) + 0.5,
    })),
  }
}

function taken<T>(answer: Answer<T>): T {
  if (answer.status >= 300)
    throw new Error(`${answer.status}: ${JSON.stringify(answer.body.error ?? answer.body)}`)
  return answer.body.data
}

/** Returns a draft with the token that issues it. */
export async function confirmedDraft(
  client: Client,
  nth: number,
): Promise<{ id: string; confirmationToken: string }> {
  const { id } = taken(await client.rest<Invoice>('POST', '/invoices', draftOf(nth), `draft-${nth}`))
  const { confirmation } = taken(await client.rest<Validated>('POST', `/invoices/${id}/validate`))
  if (!confirmation) throw new Error('The draft is not valid.')
  return { id, confirmationToken: confirmation.confirmationToken }
}

/** Issues a draft with its own key; returns any answer. */
export function issue(
  client: Client,
  { id, confirmationToken }: { id: string; confirmationToken: string },
): Promise<Answer<Invoice>> {
  return client.rest('POST', `/invoices/${id}/issue`, { confirmationToken }, `issue-${id}`)
}

/** Issues that many invoices with `atOnce` clients together. */
export async function issueMany(client: Client, { count, atOnce }: { count: number; atOnce: number }) {
  let next = 0
  const one = async (): Promise<void> => {
    while (next < count) taken(await issue(client, await confirmedDraft(client, next++)))
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}
