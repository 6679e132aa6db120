/**
 * The initial books of a run: three companies, one with its test book too, each book with webhook and keys, created
 * once per process.
 */
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKeyByPerson } from '../../../server/platform/api-keys/index.ts'
import { openSello } from '../../../server/api/application.ts'
import type { OpenedSello } from '../../../server/api/application.ts'
import { loadBook } from '../../../server/platform/books/index.ts'
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import { SCOPES } from '../../../server/domain/contract/scopes.ts'
import { NO_BOOK } from '../../../server/context.ts'
import type { Book } from '../../../server/context.ts'
import { PERSON } from '../../../server/api/http/index.ts'
import { loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import { makeP12 } from '../files/certificates.ts'
import { EXAMPLE_COMPANY } from '../store.ts'
import { Surroundings } from './surroundings.ts'
import { OWNER_PRESENT } from '../store.ts'

const PASSWORD = 'mundo'
const COMPANIES = [
  { legalName: 'Talleres Ejemplo, S.L.', nif: 'B12345674' },
  { legalName: 'Librería del Puerto, S.L.', nif: 'B87654323' },
  { legalName: 'Estudio Tres, S.L.', nif: 'B55512347' },
]

/** A company in one of its books. */
export interface Company {
  name: string
  nif: string
  book: Book
  /** Key of the assistant that works in this book. */
  key: string
  /** Key of the program that works in it and issues without approval. */
  programKey: string
  webhookId: string
}

export interface Furnished {
  folder: string
  companies: readonly Company[]
}

/** Opens the books of a folder in this environment, as a start of the program does. */
export function openIn(
  folder: string,
  around: Surroundings,
  log: (line: string) => void,
): Promise<OpenedSello> {
  return openSello({
    dataDir: folder,
    create: true,
    sandbox: true,
    keychain: null,
    person: OWNER_PRESENT,
    cacheKib: 2048,
    now: around.now,
    idDice: around.idBits,
    environment: {},
    log,
  })
}

/** Runs an operation as the person at the window. */
export async function runAsPerson<Name extends OperationName>(
  sello: OpenedSello,
  book: Book,
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  const operation = await loadOperation(name)
  return (await runOperation(operation, sello.ctx(book, PERSON), input)) as OutputOf<Name>
}

/** Creates an assistant, a program and a message receiver for a book. */
async function connect(
  sello: OpenedSello,
  book: Book,
): Promise<Pick<Company, 'key' | 'programKey' | 'webhookId'>> {
  const scopes = SCOPES.filter((scope) => !scope.startsWith('keys.'))
  const { key } = await runAsPerson(sello, book, 'keys.createByPerson', { name: 'Asistente', scopes })
  // The window's API asks for the owner's code; this call bypasses it.
  const { key: programKey } = await createKeyByPerson(sello.ctx(book, PERSON), {
    name: 'Tienda',
    scopes,
    approval: 'never',
  })
  const { id: webhookId } = await runAsPerson(sello, book, 'webhooks.createByPerson', {
    url: 'http://127.0.0.1:61234/hook',
    events: ['*'],
    allowLocal: true,
  })
  return { key, programKey, webhookId }
}

/** Creates new books; the caller removes the folder. */
export async function furnish(): Promise<Furnished> {
  const folder = mkdtempSync(join(tmpdir(), 'sello-deterministic-'))
  const sello = await openIn(folder, new Surroundings(0), () => {})
  const companies: Company[] = []
  try {
    for (const { legalName, nif } of COMPANIES) {
      const { books } = await runAsPerson(sello, NO_BOOK, 'company.create', {
        ...EXAMPLE_COMPANY,
        legalName,
        nif,
      })
      const [live, test] = await Promise.all(
        (['live', 'test'] as const).map((mode) =>
          loadBook(sello.env.store.reader, books.find((book) => book.mode === mode)?.id ?? ''),
        ),
      )
      if (!live || !test) throw new Error('The books were not made.')
      const { p12 } = makeP12({
        kind: 'seal',
        nif,
        name: `Sello de ${legalName}`,
        organization: legalName,
        organizationNif: nif,
        keyType: 'ec',
        from: '2025-01-01T00:00:00Z',
        to: '2039-01-01T00:00:00Z',
        password: PASSWORD,
      })
      await runAsPerson(sello, live, 'certificates.import', {
        file: p12.toString('base64'),
        password: PASSWORD,
      })
      const used = companies.length === 0 ? [live, test] : [live]
      for (const book of used) companies.push({ name: legalName, nif, book, ...(await connect(sello, book)) })
    }
  } finally {
    await sello.close()
  }
  return { folder, companies }
}

let made: Promise<Furnished> | null = null

/** Returns a copy of the prepared books in a separate folder. */
export async function furnishedCopy(): Promise<Furnished> {
  // The run removes its temporary folder, and with it these books.
  made ??= furnish()
  const { folder: from, companies } = await made
  const folder = mkdtempSync(join(tmpdir(), 'sello-deterministic-'))
  cpSync(from, folder, { recursive: true })
  return { folder, companies }
}
