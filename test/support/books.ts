/** The company's two books and the everyday steps of a test in them, each through its operation and its contract. */
import type { InputOf, OperationName, OutputOf } from '../../server/api/contracts.ts'
import { SCOPES } from '../../server/domain/contract/scopes.ts'
import { AppError } from '../../server/domain/errors/app-error.ts'
import type { Fault } from '../../server/domain/errors/app-error.ts'
import type { AppEnvironment, Book, Ctx, KeyActor, Mode } from '../../server/context.ts'
import { setRegistryStatus } from '../../server/sales/invoices/index.ts'
import { authenticate } from '../../server/platform/api-keys/index.ts'
import { listBooks } from '../../server/platform/books/index.ts'
import { companyBooks } from '../../server/platform/jobs/index.ts'
import type { CompanyBooks } from '../../server/platform/jobs/index.ts'
import { loadOperation } from '../../server/api/operations.ts'
import type { Authority } from '../../server/registry/queue/authority.ts'
import { sendDueRecords } from '../../server/registry/queue/sender.ts'
import { simulatedAuthority } from '../../server/registry/systems/verifactu/simulator/stored.ts'
import { runOperation } from '../../server/api/run.ts'
import { EXAMPLE_COMPANY, openTestStore } from './store.ts'
import type { TestStore } from './store.ts'

export type DraftInput = InputOf<'invoices.create'>
export type Invoice = OutputOf<'invoices.get'>

/** Returns the company of a test as background work gets it. */
export function companyOf({ env, books }: { env: AppEnvironment; books: Record<Mode, Book> }): CompanyBooks {
  return companyBooks(env, books.test.companyId, Object.values(books))
}

/** The specification's draft of three fields. */
export const THREE_FIELDS = {
  clientName: 'Cliente Primero, S.L.',
  clientNif: 'B87654323',
  lines: [{ description: 'Servicios de consultoría', quantity: 10, unitPrice: 50 }],
} satisfies DraftInput

/** A customer's address, for drafts without warnings. */
export const CLIENT_ADDRESS = {
  street: 'Gran Vía, 2',
  postalCode: '28013',
  city: 'Madrid',
  province: 'Madrid',
  country: 'ES',
}

export interface TestBooks extends TestStore {
  books: Record<Mode, Book>
  /** Contexts of the person in the test book and in the live one. Created at each use, so that they survive a restart. */
  readonly test: Ctx
  readonly live: Ctx
  run<Name extends OperationName>(name: Name, input: InputOf<Name>, ctx?: Ctx): Promise<OutputOf<Name>>
  draft(changes?: Partial<DraftInput>, ctx?: Ctx): Promise<Invoice>
  /** Validates a draft and returns the token; fails with the faults if there is none. */
  token(id: string, ctx?: Ctx): Promise<string>
  issue(id: string, ctx?: Ctx): Promise<Invoice>
  /** Creates a draft, validates and issues it. */
  invoice(changes?: Partial<DraftInput>, ctx?: Ctx): Promise<Invoice>
  /** Sends the due records of the test book once; returns how many were settled. */
  send(authority?: Authority): Promise<number>
  key(changes?: Partial<InputOf<'keys.createByPerson'>>, book?: Book): Promise<KeyActor>
}

/** Returns the two books of the only company of a store. */
async function booksIn({ env }: TestStore): Promise<Record<Mode, Book>> {
  const books = await listBooks(env.store.reader)
  return Object.fromEntries(books.map((book) => [book.mode, book])) as Record<Mode, Book>
}

/** Opens a store with a company; with `from` the company of the kept one. */
export async function openBooks({
  company = {},
  ...options
}: NonNullable<Parameters<typeof openTestStore>[0]> & {
  company?: Partial<InputOf<'company.create'>>
} = {}): Promise<TestBooks> {
  const store = await openTestStore(options)
  const books = options.from ? await booksIn(store) : await store.company(company)
  let keys = 0
  const world: TestBooks = {
    ...store,
    books,
    get test() {
      return store.ctx(books.test)
    },
    get live() {
      return store.ctx(books.live)
    },
    run: async (name, input, ctx = world.test) => {
      const operation = await loadOperation(name)
      return (await runOperation(operation, ctx, input)) as never
    },
    draft: (changes = {}, ctx) => world.run('invoices.create', { ...THREE_FIELDS, ...changes }, ctx),
    token: async (id, ctx) => {
      const { confirmation, issues } = await world.run('invoices.validate', { id }, ctx)
      if (!confirmation)
        throw new Error(`Not valid: ${issues.map((issue) => `${issue.field}: ${issue.code}`).join(', ')}`)
      return confirmation.confirmationToken
    },
    issue: async (id, ctx) =>
      world.run('invoices.issue', { id, confirmationToken: await world.token(id, ctx) }, ctx),
    invoice: async (changes, ctx) => world.issue((await world.draft(changes, ctx)).id, ctx),
    send: async (authority = simulatedAuthority(world.test)) => {
      const issuer = { name: EXAMPLE_COMPANY.legalName, nif: EXAMPLE_COMPANY.nif }
      const options = { authority, issuer, onStatus: setRegistryStatus, random: () => 0.5 }
      return (await sendDueRecords(world.test, options)).settled
    },
    key: async (changes = {}, book = books.test) => {
      keys += 1
      const scopes = SCOPES.filter((scope) => !scope.startsWith('keys.'))
      const made = await world.run(
        'keys.createByPerson',
        { name: `Clave ${keys}`, scopes, ...changes },
        store.ctx(book),
      )
      const known = await authenticate(store.env.store.reader, made.key, store.env.now())
      if (!known) throw new Error('The new key is not known.')
      return known.actor
    },
    tamper: store.tamper,
  }
  return world
}

/** Returns the code with which a promise was rejected; fails if it was not. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  return (await refused(work)).code
}

/** Returns the error with which a promise was rejected. */
export async function refused(work: Promise<unknown>): Promise<AppError> {
  try {
    await work
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('It was not refused.')
}

/** Returns `field: code` of each fault of an error. */
export async function faultsOfRefusal(work: Promise<unknown>): Promise<string[]> {
  const faults = (await refused(work)).details?.faults as Fault[] | undefined
  return (faults ?? []).map((fault) => `${fault.field}: ${fault.code}`)
}
