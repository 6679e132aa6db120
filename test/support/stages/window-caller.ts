/** Calls a server in another process over its port, as the window does. */
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import { EXAMPLE_COMPANY } from '../store.ts'

export interface ServerAddress {
  url: string
  windowToken: string
  /** Of a browser. */
  cookie?: string
}

export type RunOverHttp = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
) => Promise<OutputOf<Name>>

/** Returns what runs an operation in the test book of a server's first company, which is created if there is none. */
export async function windowCaller({ url, windowToken, cookie }: ServerAddress): Promise<RunOverHttp> {
  let book: string | null = null

  async function run<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    const answer = await fetch(`${url}/app/call/${name}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${windowToken}`,
        ...(cookie === undefined ? {} : { cookie }),
        'content-type': 'application/json',
        ...(book === null ? {} : { 'sello-book': book }),
      },
      body: JSON.stringify(input),
    })
    const body = (await answer.json()) as { ok: boolean; data: OutputOf<Name>; error?: { code: string } }
    if (!body.ok) throw new Error(`${name}: ${JSON.stringify(body.error)}`)
    return body.data
  }

  const { companies } = await run('session.get', {})
  const books = companies[0]?.books ?? (await run('company.create', EXAMPLE_COMPANY)).books
  book = books.find(({ mode }) => mode === 'test')!.id
  return run
}
