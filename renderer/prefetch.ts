/**
 * What the first page needs, asked for before the rest of the scripts have run: who is at work, the words, and then what stands
 * on the page. Imported before anything else; whoever needs an answer takes it from here, once, or asks for it as ever.
 */
import { call, followLink } from './call.ts'
import type { BytesOperation } from './call.ts'
import { onEvent, startEvents } from './events.ts'
import { fetchMessages, rememberedLanguage } from './i18n.ts'
import type { OperationName, OutputOf } from '../server/api/contracts.ts'

type Session = OutputOf<'session.get'>
type Prefetched = Exclude<OperationName, BytesOperation>

/** A page that comes later than this is not the first one any more. */
const FRESH_MS = 10_000

const answers = new Map<Prefetched, { bookId: string | null; answer: Promise<unknown> }>()

function askAhead(
  name: Prefetched,
  bookId: string | null,
  after: Promise<void> | null = null,
): Promise<unknown> {
  const ask = (): Promise<unknown> => call(name, {}, bookId === null ? {} : { bookId })
  const answer = after ? after.then(ask) : ask()
  // Whoever takes it hears of a failure; it may be nobody.
  answer.catch(() => undefined)
  answers.set(name, { bookId, answer })
  return answer
}

/** The answer that was asked for ahead, for that book; undefined when there is none. Each is given once. Throws `CallError`. */
export async function takeAhead<Name extends Prefetched>(
  name: Name,
  bookId: string | null = null,
): Promise<OutputOf<Name> | undefined> {
  const asked = answers.get(name)
  answers.delete(name)
  if (!asked || asked.bookId !== bookId || performance.now() > FRESH_MS) return undefined
  return (await asked.answer) as OutputOf<Name> | undefined
}

/** What was asked for and not taken is not kept. */
export function forgetAhead(): void {
  answers.clear()
}

/** The book chosen last; else the test book of the first company, the one where nothing can go wrong. */
export function bookToOpen<Book extends { id: string; mode: string }>(
  books: readonly Book[],
  chosen: string | null | undefined,
): Book | null {
  return (
    books.find(({ id }) => id === chosen) ?? books.find(({ mode }) => mode === 'test') ?? books[0] ?? null
  )
}

function askFor({ companies, preferences }: Session): void {
  fetchMessages(preferences.language).catch(() => undefined)
  const book = bookToOpen(
    companies.flatMap(({ books }) => books),
    preferences.activeBook,
  )
  if (!book) return
  // Whatever happens in a book makes an answer old: it is listened for before anything is asked.
  startEvents('held')
  void askAhead('company.current', book.id)
  if (location.pathname === '/') void askAhead('dashboard.get', book.id)
}

/** Begins. What the answers are for is not known before the first, so the rest follows it. */
export function prefetchFirstPage(): void {
  onEvent('*', ({ bookId }) => bookId && forgetAhead())
  const entered = followLink()
  askAhead('session.get', null, entered).then(
    (session) => askFor(session as Session),
    () => undefined,
  )
  fetchMessages(rememberedLanguage()).catch(() => undefined)
}
