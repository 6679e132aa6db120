/** Files of moves as a person at the window has them: the books of one book of a company, and what was filed with them. */
import { callAsWindow } from '../browser/browser.ts'
import type { ServedApp } from '../browser/browser.ts'
import { admissionOf } from '../browser/admission.ts'
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'

/** Calls an operation that answers bytes, as a page does. */
export async function bytesAsWindow(
  app: ServedApp,
  name: string,
  input: unknown,
  book: string,
): Promise<Buffer> {
  const { headers } = await admissionOf(app)
  const answer = await fetch(`${app.url}/app/call/${name}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'sello-book': book },
    body: JSON.stringify(input),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return Buffer.from(await answer.arrayBuffer())
}

/** Returns the identifiers of the books of the only company. */
export async function booksOf(app: ServedApp): Promise<{ test: string; live: string }> {
  const { companies } = (await callAsWindow(app, 'session.get', {})) as OutputOf<'session.get'>
  const find = (mode: string) => companies[0]?.books.find((book) => book.mode === mode)?.id ?? ''
  return { test: find('test'), live: find('live') }
}

/** Returns a return as its book computes it, with its result by the number of its box. */
export async function returnOf(
  app: ServedApp,
  input: InputOf<'fiscal.model'>,
  book: string,
): Promise<OutputOf<'fiscal.model'>> {
  return (await callAsWindow(app, 'fiscal.model', input, book)) as OutputOf<'fiscal.model'>
}
