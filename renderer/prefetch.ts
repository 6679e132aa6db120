/**
 * Prefetch of what the first page needs, before the other scripts have run: the session, the messages, then the
 * page's data. Imported first; a page takes an answer from here once, or requests it normally.
 */
import { call, followLink, takeOfficeLink } from './call.ts'
import type { BytesOperation } from './call.ts'
import { followBook, onEvent, startEvents } from './events.ts'
import { fetchMessages, savedLanguage } from './i18n.ts'
import type { OperationName, OutputOf } from '../server/api/contracts.ts'

type Session = OutputOf<'session.get'>
type Prefetched = Exclude<OperationName, BytesOperation>

/** A page opened later than this is not the first one any more. */
const FRESH_MS = 10_000

const answers = new Map<Prefetched, { bookId: string | null; answer: Promise<unknown> }>()

/** What the console shows first, unless its address says otherwise. */
export const CONSOLE_START = { sort: 'due', descending: false, offset: 0, limit: 200 } as const

function prefetchAnswer(
  name: Prefetched,
  bookId: string | null,
  { after, input = {} }: { after?: Promise<void> | null; input?: object } = {},
): Promise<unknown> {
  const ask = (): Promise<unknown> => call(name, input as never, bookId === null ? {} : { bookId })
  const answer = after ? after.then(ask) : ask()
  // The page that takes the answer receives the failure; there may be none.
  answer.catch(() => undefined)
  answers.set(name, { bookId, answer })
  return answer
}

/** Returns the prefetched answer for that book; undefined if there is none. Each is returned once. Throws `CallError`. */
export async function takePrefetched<Name extends Prefetched>(
  name: Name,
  bookId: string | null = null,
): Promise<OutputOf<Name> | undefined> {
  const asked = answers.get(name)
  answers.delete(name)
  if (!asked || asked.bookId !== bookId || performance.now() > FRESH_MS) return undefined
  return (await asked.answer) as OutputOf<Name> | undefined
}

/** Discards unused answers. */
export function discardPrefetched(): void {
  answers.clear()
}

/** Returns the book chosen last; by default the test book of the first company, where nothing has legal effect. */
export function bookToOpen<Book extends { id: string; mode: string }>(
  books: readonly Book[],
  chosen: string | null | undefined,
): Book | null {
  return (
    books.find(({ id }) => id === chosen) ?? books.find(({ mode }) => mode === 'test') ?? books[0] ?? null
  )
}

/** Returns whether a session is one of an office: its books are in no folder. */
export const isOfOffice = ({ store }: Session): boolean => store.dataFolder === null

function askFor(session: Session): void {
  const { companies, preferences } = session
  fetchMessages(preferences.language).catch(() => undefined)
  const book = bookToOpen(
    companies.flatMap(({ books }) => books),
    preferences.activeBook,
  )
  if (!book) return
  if (isOfOffice(session)) followBook(book.id)
  // Any event of a book outdates an answer, so listening starts before the first request.
  startEvents('held')
  void prefetchAnswer('company.current', book.id)
  if (location.pathname === '/' && preferences.startPage === 'home')
    void prefetchAnswer('dashboard.get', book.id)
  if (location.pathname === '/console' && location.search === '')
    void prefetchAnswer('console.list', null, { input: CONSOLE_START })
}

/** Starts the prefetch. The session determines the other requests, so they follow it. */
export function prefetchFirstPage(): void {
  onEvent('*', ({ bookId }) => bookId && discardPrefetched())
  takeOfficeLink()
  const entered = followLink()
  prefetchAnswer('session.get', null, { after: entered }).then(
    (session) => askFor(session as Session),
    () => undefined,
  )
  fetchMessages(savedLanguage()).catch(() => undefined)
}
