/** The typed client: its requests, and its conversion of errors. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  BOOKLESS,
  call,
  CallError,
  callBytes,
  callsDone,
  followLink,
  onAppLocked,
  useBook,
  useOffice,
} from '../../renderer/call.ts'
import { loadContracts } from '../../server/api/operations.ts'

const contracts = await loadContracts()

let sent: { url: string; init: RequestInit }[] = []
let answer: () => Promise<Response>
const kept = new Map<string, string>()

beforeEach(() => {
  sent = []
  kept.clear()
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    sent.push({ url, init })
    return answer()
  })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('history', {
    state: null,
    replaceState: (_state: unknown, _title: string, url: string) =>
      Object.assign(location, { hash: '', href: url }),
  })
  vi.stubGlobal('location', { hash: '', pathname: '/invoices', search: '?view=owed' })
})
afterEach(() => {
  vi.unstubAllGlobals()
  useBook(null)
  useOffice(null)
})

const ok = (data: unknown) => () =>
  Promise.resolve(Response.json({ ok: true, data, meta: { requestId: 'r1' } }))
const headersOf = (index: number) => sent[index]?.init.headers as Record<string, string>

test('a call posts the input and returns the data', async () => {
  answer = ok({ revoked: true, alsoRevoked: [] })
  expect(await call('keys.revoke', { id: 'key_1' })).toEqual({ revoked: true, alsoRevoked: [] })
  expect(sent[0]?.url).toBe('/app/call/keys.revoke')
  expect(sent[0]?.init).toMatchObject({ method: 'POST', body: '{"id":"key_1"}' })
})

test('the active book is sent with every call but those that need none', async () => {
  answer = ok({})
  useBook('book_test')
  await call('keys.list', {})
  await call('session.get', {})
  expect(headersOf(0)).toMatchObject({ 'sello-book': 'book_test' })
  expect(headersOf(1)).not.toHaveProperty('sello-book')
})

test('the client and the contracts agree on the operations without a book', () => {
  const bookless = contracts
    .filter((contract) => 'bookless' in contract && contract.bookless)
    .map((contract) => contract.name)
  expect([...BOOKLESS].sort()).toEqual(bookless.sort())
})

test('the link is taken out of the address and used once; the pass is sent from then on', async () => {
  answer = ok({ pass: 'pass-1' })
  Object.assign(location, { hash: '#link=abc-1' })
  await followLink()
  expect(location).toMatchObject({ hash: '', href: '/invoices?view=owed' })
  expect(sent[0]).toMatchObject({ url: '/app/session', init: { body: '{"link":"abc-1"}' } })
  await followLink()
  await call('keys.list', {})
  expect(sent.length).toBe(2)
  expect(headersOf(1)).toMatchObject({ authorization: 'Bearer pass-1' })
})

test('a used link is ignored, and a browser with a session keeps it', async () => {
  kept.set('sello.pass', 'pass-0')
  answer = () =>
    Promise.resolve(Response.json({ ok: false, error: { code: 'window_link_spent' } }, { status: 401 }))
  Object.assign(location, { hash: '#link=abc-1' })
  await followLink()
  answer = ok({})
  await call('keys.list', {})
  expect(headersOf(1)).toMatchObject({ authorization: 'Bearer pass-0' })
})

test('without a pass its header is absent', async () => {
  answer = ok({})
  await followLink()
  await call('keys.list', {})
  expect(headersOf(0)).not.toHaveProperty('authorization')
})

test('an error is a CallError with its faults and its request', async () => {
  const fault = { code: 'required', field: 'lines[0].description', severity: 'error', message: 'Missing.' }
  const error = {
    code: 'validation_failed',
    message: 'No.',
    field: fault.field,
    details: { faults: [fault] },
    retry: 'never',
    next: 'Correct it.',
  }
  answer = () =>
    Promise.resolve(Response.json({ ok: false, error, meta: { requestId: 'req_9' } }, { status: 422 }))
  const thrown = await call('keys.list', {}).catch((each: unknown) => each)
  expect(thrown).toBeInstanceOf(CallError)
  expect(thrown).toMatchObject({
    code: 'validation_failed',
    status: 422,
    field: fault.field,
    faults: [fault],
    requestId: 'req_9',
    next: 'Correct it.',
  })
})

test('an answer without an envelope is internal, no answer is offline, an abort is itself', async () => {
  answer = () => Promise.resolve(new Response('<html>', { status: 502 }))
  await expect(call('keys.list', {})).rejects.toMatchObject({ code: 'internal', status: 502 })
  answer = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(call('keys.list', {})).rejects.toMatchObject({ code: 'offline', retry: 'backoff' })
  const control = new AbortController()
  control.abort()
  answer = () => Promise.reject(control.signal.reason)
  await expect(call('keys.list', {}, { signal: control.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('a document is returned as a file with its name and type', async () => {
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': 'inline; filename="F2026-0001.pdf"',
  }
  answer = () => Promise.resolve(new Response('%PDF', { headers }))
  const file = await callBytes('invoices.pdf', { id: 'inv_1' })
  expect(file.name).toBe('F2026-0001.pdf')
  expect(file.type).toBe('application/pdf')
  expect(await file.text()).toBe('%PDF')
})

test('a document keeps its full name, also if it is not plain ASCII', async () => {
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="Factura-ano.pdf"; filename*=UTF-8''Factura%20a%C3%B1o.pdf`,
  }
  answer = () => Promise.resolve(new Response('%PDF', { headers }))
  expect((await callBytes('invoices.pdf', { id: 'inv_1' })).name).toBe('Factura año.pdf')
})

test('a refusal because of the lock is also reported to the window', async () => {
  const heard = vi.fn()
  onAppLocked(heard)
  answer = () =>
    Promise.resolve(
      Response.json({ ok: false, error: { code: 'app_locked', message: 'Locked.' } }, { status: 423 }),
    )
  await expect(call('keys.list', {})).rejects.toMatchObject({ code: 'app_locked', status: 423 })
  expect(heard).toHaveBeenCalledOnce()
})

test('running calls are waited for, hanging ones only for a limited time', async () => {
  let finish: (response: Response) => void = () => {}
  answer = () => new Promise((resolve) => (finish = resolve))
  const asked = call('keys.list', {})
  const done = vi.fn()
  const waiting = callsDone(60_000).then(done)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(done).not.toHaveBeenCalled()
  finish(Response.json({ ok: true, data: {} }))
  await Promise.all([asked, waiting])
  expect(done).toHaveBeenCalledOnce()
  answer = () => new Promise(() => {})
  void call('keys.list', {}).catch(() => undefined)
  await callsDone(10)
})

/** Answers one refusal after another, then the data. */
function refuses(...codes: { code: string; status: number }[]): void {
  answer = () => {
    const refusal = codes.shift()
    if (!refusal) return ok({ items: [] })()
    const body = { ok: false, error: { code: refusal.code, message: '', retry: 'never' } }
    return Promise.resolve(Response.json(body, { status: refusal.status }))
  }
}

test('in an office a call waits for the sign-in and for a proof, and is then repeated', async () => {
  const asked: string[] = []
  useOffice({
    headers: () => ({ 'sello-unattended': '1' }),
    signInAgain: async () => void asked.push('sign-in'),
    verify: async (operation) => {
      asked.push(operation)
      return 'proof-1'
    },
  })
  refuses({ code: 'unauthorized', status: 401 }, { code: 'verification_needed', status: 403 })
  await call('keys.list', {})
  expect(asked).toEqual(['sign-in', 'keys.list'])
  expect(sent.map(({ init }) => (init.headers as Record<string, string>)['sello-verification'])).toEqual([
    undefined,
    undefined,
    'proof-1',
  ])
  expect(headersOf(0)).toMatchObject({ 'sello-unattended': '1' })
})

test('a proof that nobody gives fails the call, and a desk asks for nothing', async () => {
  useOffice({
    headers: () => ({}),
    signInAgain: async () => {},
    verify: () => Promise.reject(new CallError({ code: 'verification_needed', message: '' })),
  })
  refuses({ code: 'verification_needed', status: 403 })
  await expect(call('keys.list', {})).rejects.toMatchObject({ code: 'verification_needed' })
  expect(sent).toHaveLength(1)

  useOffice(null)
  refuses({ code: 'unauthorized', status: 401 })
  await expect(call('keys.list', {})).rejects.toMatchObject({ code: 'unauthorized' })
  expect(sent).toHaveLength(2)
})

test('a refusal says after how many seconds it may be tried again', async () => {
  answer = () =>
    Promise.resolve(
      Response.json(
        { ok: false, error: { code: 'rate_limited', message: '', retry: 'after' } },
        { status: 429, headers: { 'retry-after': '8' } },
      ),
    )
  await expect(call('keys.list', {})).rejects.toMatchObject({ details: { retryAfterSeconds: 8 } })
})
