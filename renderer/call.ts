/**
 * Typed client of the window: one function that posts an operation and returns its data or throws a `CallError`. It
 * contains no business rules; inputs and outputs come from the contracts' types.
 */
import type { InputOf, OperationName, OutputOf } from '../server/api/contracts.ts'
import type { Fault } from '../server/domain/errors/app-error.ts'
import type { Retry } from '../server/domain/errors/catalog.ts'

/** This origin's half of its session; the other half is an HTTP-only cookie. */
const PASS_ENTRY = 'sello.pass'
/** The status of `app_locked`, and of nothing else. */
export const APP_LOCKED = 423

/** Operations that work without an active book; the others carry their book. */
export const BOOKLESS: readonly OperationName[] = [
  'session.get',
  'session.savePreferences',
  'session.lockState',
  'session.unlock',
  'session.lock',
  'session.alive',
  'lock.get',
  'lock.set',
  'lock.approvals',
  'lock.options',
  'lock.remove',
  'recovery.reveal',
  'recovery.confirm',
  'recovery.keyChange',
  'assistants.setup',
  'assistants.bundle',
  'assistants.check',
  'company.create',
  'companies.list',
  'companies.setFavourite',
  'companies.setGroup',
  'companies.ended',
  'companies.checkNif',
  'demo.state',
  'demo.fill',
  'demo.remove',
  'limits.get',
  'limits.set',
  'registry.declaration',
  'store.check',
  'console.list',
  'console.unsent',
  'console.views',
  'console.saveViews',
  'console.staff',
  'console.assign',
  'console.note',
  'console.notes',
  'console.enter',
  'console.startWork',
  'console.works',
  'console.work',
  'console.cancelWork',
  'console.workFile',
  'books.verify',
  'books.verification',
  'leaving.send',
  'leaving.takeIn',
  'leaving.takeInProgress',
  'backups.list',
  'backups.make',
  'backups.settings',
  'backups.portable',
  'backups.beginRestore',
]

/** Operations that answer bytes instead of the envelope. */
export type BytesOperation =
  | 'invoices.pdf'
  | 'quotes.pdf'
  | 'quotes.preview'
  | 'exports.file'
  | 'handOn.file'
  | 'invoices.export'
  | 'contacts.export'
  | 'items.export'
  | 'received.export'
  | 'received.files'
  | 'privacy.export'
  | 'books.inspectorPack'
  | 'registry.export'
  | 'backups.portable'
  | 'companies.handBack'
  | 'leaving.archive'
  | 'ledger.export'
  | 'fiscal.deadlinesCalendar'
  | 'fiscal.vatBooks'
  | 'fiscal.returnFile'
  | 'fiscal.returnDraft'
  | 'fiscal.filingDocument'
  | 'fiscal.filedFile'
  | 'fiscal.accountantPack'
  | 'payments.statementFile'
  | 'remittances.file'
  | 'attachments.download'
  | 'imports.template'
  | 'mail.file'
  | 'company.logo'
  | 'exchange.file'
  | 'exchange.message'
  | 'exchange.exportStatus'
  | 'assistants.bundle'
  | 'console.workFile'
  | 'bundles.invite'
  | 'bundles.join'
  | 'bundles.write'

let activeBookId: string | null = null

/** Proof that admits this browser without a link: the lock code, or the recovery code. */
type EntryProof = { link: string } | { code: string } | { recoveryCode: string }

/** Logs this browser in. Throws `CallError`. Not needed under `app://`: the desktop shell authenticates its window. */
export async function enter(proof: EntryProof): Promise<void> {
  const { pass } = await entry<{ pass: string }>(proof)
  localStorage.setItem(PASS_ENTRY, pass)
}

/** Returns the possible ways to log in. Throws `CallError`. */
export async function fetchLoginMethods(): Promise<{ kind: 'pin' | 'passphrase' | null; recovery: boolean }> {
  return entry({})
}

const entry = <Answer>(proof: EntryProof | Record<string, never>): Promise<Answer> => askSession('', proof)

/** Sends a step of a sign-in, which needs no session. Throws `CallError`. */
export async function askSession<Answer>(step: '' | `/${string}`, body: object): Promise<Answer> {
  let response: Response
  try {
    response = await fetch(`/app/session${step}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  } catch {
    throw new CallError({ code: 'offline', message: 'Sello does not answer.', retry: 'backoff' })
  }
  if (!response.ok) throw await refusalOf(response)
  return ((await response.json()) as { data: Answer }).data
}

/**
 * Takes the link from the address (`#link=…`) and logs in with it. A used link is ignored: a browser with a session
 * keeps it, and any other is shown how to log in.
 */
export async function followLink(): Promise<void> {
  const link = /^#link=([\w-]+)/.exec(location.hash)?.[1]
  if (!link) return
  history.replaceState(history.state, '', location.pathname + location.search)
  await enter({ link }).catch(() => undefined)
}

/** What an office says of itself to a browser that nobody has signed in with yet. */
export interface OfficeState {
  person: { id: string; name: string; administers: boolean } | null
  /** Name of the firm's own directory; null if people cannot sign in with one. */
  directory: string | null
}

/** Returns what an office says of itself; null on a desk, which has no such address. */
export async function fetchOfficeState(): Promise<OfficeState | null> {
  return askSession<OfficeState>('/state', {}).catch(() => null)
}

/** A link with which somebody registers, or the refusal of the firm's directory. */
export interface OfficeLink {
  kind: 'invitation' | 'recovery' | 'refused'
  value: string
}

let officeLink: OfficeLink | null = null

/** Takes the link of an office out of the address at once, so that neither the history nor a bookmark has it. */
export function takeOfficeLink(): void {
  const [, kind, value = ''] = /^#(invitation|recovery|refused)=([\w-]+)/.exec(location.hash) ?? []
  if (!kind) return
  officeLink = { kind: kind as OfficeLink['kind'], value }
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** Returns the link with which the page was opened. */
export const openedOfficeLink = (): OfficeLink | null => officeLink

/** What an office adds to calls. A desk has none of it, and loads no code for it. */
interface OfficeCalls {
  /** Headers of every request. */
  headers(): Record<string, string>
  /** The session has ended: resolves when the same person has signed in again. */
  signInAgain(): Promise<void>
  /** Returns a fresh proof for an operation. Throws if the person gives none. */
  verify(operation: string): Promise<string>
}

let office: OfficeCalls | null = null

/** Makes the following calls those of an office; null ends it. */
export function useOffice(calls: OfficeCalls | null): void {
  office = calls
}

/** Asks for a sign-in if this is an office. Returns false on a desk, where nobody can sign in again. */
export async function signInAgain(): Promise<boolean> {
  await office?.signInAgain()
  return office !== null
}

/** Sets the book of the following calls; null before there is one. */
export function useBook(id: string | null): void {
  activeBookId = id
}

/** Error of a call: `code` for programs, `message` in English from the server, `faults` per field. */
export class CallError extends Error {
  readonly code: string
  readonly status: number
  readonly field: string | undefined
  readonly faults: readonly Fault[]
  readonly retry: Retry
  readonly next: string | undefined
  readonly requestId: string | undefined
  readonly details: Record<string, unknown>

  constructor(
    fields: Pick<CallError, 'code' | 'message'> &
      Partial<Pick<CallError, 'status' | 'field' | 'retry' | 'next' | 'requestId' | 'details'>>,
  ) {
    super(fields.message)
    this.name = 'CallError'
    this.code = fields.code
    this.status = fields.status ?? 0
    this.field = fields.field
    this.details = fields.details ?? {}
    this.faults = Array.isArray(this.details.faults) ? (this.details.faults as Fault[]) : []
    this.retry = fields.retry ?? 'never'
    this.next = fields.next
    this.requestId = fields.requestId
  }
}

/** Converts any thrown value to a `CallError`: a bug of the page becomes `internal`. */
export function asCallError(thrown: unknown): CallError {
  if (thrown instanceof CallError) return thrown
  return new CallError({
    code: 'internal',
    message: thrown instanceof Error ? thrown.message : String(thrown),
    retry: 'backoff',
  })
}

/** Headers that identify this window to the server. */
export function windowHeaders(): Record<string, string> {
  // Read each time: another tab may have logged in meanwhile.
  const pass = localStorage.getItem(PASS_ENTRY)
  return { ...(pass ? { authorization: `Bearer ${pass}` } : {}), ...office?.headers() }
}

let heardLocked: () => void = () => {}

/** Calls `listener` whenever the server refuses a call because Sello is locked, by whichever window or by itself. */
export function onAppLocked(listener: () => void): void {
  heardLocked = listener
}

/** Reports that the server refused a call because Sello is locked. */
export function notifyAppLocked(): void {
  heardLocked()
}

const underWay = new Set<Promise<unknown>>()

/** Resolves once every call made so far has been answered, or after `waitMs`. */
export async function callsDone(waitMs: number): Promise<void> {
  const all = Promise.allSettled([...underWay])
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, waitMs))])
}

export interface CallOptions {
  signal?: AbortSignal
  /** Book other than the active one. */
  bookId?: string
  /** Called with the number of bytes of a document received so far. */
  onBytes?: (bytes: number) => void
}

type FailureListener = (error: CallError) => void
const failureListeners = new Set<FailureListener>()

/** Calls `listener` with every failed call of the window: any of them may reveal a fault of the server. */
export function onCallFailed(listener: FailureListener): () => void {
  failureListeners.add(listener)
  return () => void failureListeners.delete(listener)
}

function noted(error: CallError): CallError {
  for (const listener of failureListeners) listener(error)
  return error
}

/** Calls the recovery server, which answers while the books are closed and has its own operations. Throws `CallError`. */
export async function ask<Answer>(name: `trouble.${string}`, input: unknown): Promise<Answer> {
  const response = await post(name, input, {})
  return ((await response.json()) as { data: Answer }).data
}

/** Uploads a file to the recovery server, which answers while the books are closed. Throws `CallError`. */
export async function sendFile(path: string, file: Blob): Promise<void> {
  let response: Response
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', ...windowHeaders() },
      body: file,
    })
  } catch {
    throw noted(new CallError({ code: 'offline', message: 'The file did not arrive.', retry: 'backoff' }))
  }
  if (!response.ok) throw noted(await refusalOf(response))
}

async function post(
  name: OperationName | `trouble.${string}`,
  input: unknown,
  options: CallOptions,
): Promise<Response> {
  let proof: Record<string, string> = {}
  for (;;) {
    const response = await postOnce(name, input, options, proof)
    if (response.ok) return response
    const error = await refusalOf(response)
    // In an office both are repaired over the page, which goes on as if nothing had been.
    if (office && error.code === 'unauthorized') await office.signInAgain()
    else if (office && error.code === 'verification_needed')
      proof = { 'sello-verification': await office.verify(name) }
    else throw noted(error)
  }
}

async function postOnce(
  name: OperationName | `trouble.${string}`,
  input: unknown,
  options: CallOptions,
  proof: Record<string, string>,
): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ...windowHeaders(),
    ...proof,
  }
  const book = options.bookId ?? activeBookId
  if (book && !(BOOKLESS as readonly string[]).includes(name)) headers['sello-book'] = book
  let response: Response
  try {
    const asked = fetch(`/app/call/${name}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(input),
      ...(options.signal ? { signal: options.signal } : {}),
    })
    underWay.add(asked)
    response = await asked.finally(() => underWay.delete(asked))
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    throw noted(new CallError({ code: 'offline', message: 'Sello does not answer.', retry: 'backoff' }))
  }
  if (response.status === APP_LOCKED) notifyAppLocked()
  return response
}

async function refusalOf(response: Response): Promise<CallError> {
  try {
    const body = (await response.json()) as { error: CallError; meta?: { requestId?: string } }
    const requestId = body.meta?.requestId
    const wait = Number(response.headers.get('retry-after'))
    const details = { ...body.error.details, ...(wait > 0 ? { retryAfterSeconds: wait } : {}) }
    return new CallError({
      ...body.error,
      details,
      status: response.status,
      ...(requestId ? { requestId } : {}),
    })
  } catch {
    return new CallError({
      code: 'internal',
      message: `The server answered ${response.status}.`,
      status: response.status,
      retry: 'backoff',
    })
  }
}

/** Runs an operation. Throws `CallError`; an aborted call throws the signal's reason. */
export async function call<Name extends Exclude<OperationName, BytesOperation>>(
  name: Name,
  input: InputOf<Name>,
  options: CallOptions = {},
): Promise<OutputOf<Name>> {
  const response = await post(name, input, options)
  const body = (await response.json()) as { data: OutputOf<Name> }
  return body.data
}

/** Returns the name of a document: the extended one if it differs from the plain one. */
function fileNameOf(disposition: string): string {
  const full = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return full ? decodeURIComponent(full) : (/filename="([^"]+)"/.exec(disposition)?.[1] ?? 'document')
}

/** Runs an operation that answers a document; the file has the name given by the server. */
export async function callBytes<Name extends BytesOperation>(
  name: Name,
  input: InputOf<Name>,
  options: CallOptions = {},
): Promise<File> {
  const response = await post(name, input, options)
  const fileName = fileNameOf(response.headers.get('content-disposition') ?? '')
  const type = response.headers.get('content-type') ?? ''
  const { onBytes, signal } = options
  if (!onBytes || !response.body) return new File([await response.blob()], fileName, { type })
  try {
    return new File(await piecesOf(response.body, onBytes), fileName, { type })
  } catch (cause) {
    if (signal?.aborted) throw cause
    // Interrupted download: a part must not be taken for the whole.
    throw noted(new CallError({ code: 'offline', message: 'The file broke off.', retry: 'backoff' }))
  }
}

async function piecesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const reader = body.getReader()
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return pieces
    pieces.push(value)
    onBytes((bytes += value.byteLength))
  }
}
