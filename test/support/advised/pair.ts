/** Two installations: a client with its books, and an adviser who works with a copy of them by files. */
import { checkBooks } from '../../../server/app/integrity/index.ts'
import { loadBook } from '../../../server/platform/books/index.ts'
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import type { Book, Mode } from '../../../server/context.ts'
import { openWorld } from '../world.ts'
import type { World } from '../world.ts'

interface FileAnswer {
  bytes: Uint8Array
  fileName: string
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export class Pair {
  readonly client: World
  readonly adviser: World
  /** Public identifier of the pairing. */
  id = ''

  private constructor(client: World, adviser: World) {
    this.client = client
    this.adviser = adviser
  }

  /** Opens both, not paired yet. */
  static async open(at?: string): Promise<Pair> {
    const when = at === undefined ? {} : { at }
    const client = await openWorld(when)
    const adviser = await openWorld({
      ...when,
      company: { legalName: 'Gestoría Olmo, S.L.', nif: 'B58818501' },
    })
    return new Pair(client, adviser)
  }

  /** Opens both and pairs them; the adviser has the books. */
  static async ready(at?: string): Promise<Pair> {
    const pair = await Pair.open(at)
    await pair.join()
    await pair.sendBooks()
    return pair
  }

  /** Invitation, answer and comparison. */
  async join(): Promise<void> {
    const { client, adviser } = this
    const invitation = (await client.run('bundles.invite', {})) as FileAnswer
    const answer = (await adviser.run('bundles.join', {
      content: base64(invitation.bytes),
      adviserName: 'Gestoría Olmo',
      person: 'Ana Prado',
    })) as FileAnswer
    const accepted = await client.run('bundles.accept', { content: base64(answer.bytes) })
    const there = (await adviser.run('bundles.state', {})).pairings[0]
    this.id = accepted.pairings[0]?.id ?? ''
    await client.run('bundles.confirm', { id: this.id, fingerprint: there?.fingerprint ?? '' })
  }

  /** Moves both clocks. */
  advance(milliseconds: number): void {
    this.client.advance(milliseconds)
    this.adviser.advance(milliseconds)
  }

  /** Returns a file of the client's books, in base64. */
  async books(options: { allFiles?: boolean } = {}): Promise<string> {
    this.advance(1000)
    return base64(((await this.client.run('bundles.write', { id: this.id, ...options })) as FileAnswer).bytes)
  }

  /** Returns a file of the adviser's changes, in base64. */
  async changes(): Promise<string> {
    this.advance(1000)
    return base64(((await this.adviser.run('bundles.write', { id: this.id })) as FileAnswer).bytes)
  }

  async sendBooks(): Promise<OutputOf<'bundles.read'>> {
    return this.adviser.run('bundles.read', { content: await this.books() })
  }

  async sendChanges(): Promise<OutputOf<'bundles.read'>> {
    return this.client.run('bundles.read', { content: await this.changes() })
  }

  /** Returns the copy of one of the client's books at the adviser. */
  async copy(mode: Mode = 'test'): Promise<Book> {
    const book = await loadBook(this.adviser.env.store.reader, this.client.books[mode].publicId)
    if (!book) throw new Error('The books have not arrived.')
    return book
  }

  /** Runs an operation as the adviser in the copy. */
  async advise<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    mode: Mode = 'test',
  ): Promise<OutputOf<Name>> {
    return this.adviser.run(name, input, { book: await this.copy(mode) })
  }

  /** Takes everything that waits at the client. */
  async takeAll(): Promise<OutputOf<'bundles.take'>> {
    const { changes } = await this.client.run('bundles.state', {})
    const ids = changes.filter(({ state }) => state === 'waiting').map(({ id }) => id)
    return ids.length === 0 ? { taken: 0, failed: [] } : this.client.run('bundles.take', { ids })
  }
}

/** Returns the checks of all books of an installation that fail. */
export async function failedChecks(world: World): Promise<unknown[]> {
  const { checks } = await checkBooks(world.env, (book) => world.ctx({ book }))
  return checks.filter(({ ok }) => !ok)
}

/** A purchase as an adviser enters it. */
export function purchase(
  number: string,
  changes: Partial<InputOf<'received.create'>> = {},
): InputOf<'received.create'> {
  return {
    supplierName: 'Papelería Sol, S.L.',
    supplierNif: 'B58818501',
    supplierNumber: number,
    issueDate: '2026-06-10',
    receptionDate: '2026-06-12',
    taxLines: [{ base: 100, vatRate: 21 }],
    ...changes,
  }
}

/** An entry by hand. */
export function entry(text: string, amount: number, date = '2026-06-20'): InputOf<'ledger.writeEntry'> {
  return {
    date,
    text,
    lines: [
      { account: '626', debit: amount },
      { account: '572', credit: amount },
    ],
  }
}
