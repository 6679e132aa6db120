/** Commands for access to the books: keys, the certificate, webhooks. */
import { SCOPES } from '../domain/contract/scopes.ts'
import type { Scope } from '../domain/contract/scopes.ts'
import { AppError } from '../domain/errors/app-error.ts'
import type { OpenedSello } from '../api/application.ts'
import type { Book } from '../context.ts'
import {
  booksOf,
  chosenBook,
  requiredOption,
  readInputBytes,
  readInputFile,
  READS,
  runByName,
  text,
  withSello,
  optionFault,
} from './shared.ts'
import type { Command, Values } from './shared.ts'

/** With these scopes an assistant could extend its own permissions or send data elsewhere. */
const NOT_FOR_ASSISTANTS: readonly Scope[] = ['keys.write', 'webhooks.write', 'integrations.write']

const keyCreate: Command = {
  usage:
    'key create --mode test|live --name N --scopes all|a,b [--assistant] [--approval always|never] [--code-file F] [--book ID]',
  about:
    'Create an API key. It is shown only once. A live key that issues without the approval of a person needs the code of the app lock, read from a file.',
  forwardable: { files: ['code-file'] },
  options: {
    mode: { type: 'string' },
    book: { type: 'string' },
    name: { type: 'string' },
    scopes: { type: 'string' },
    assistant: { type: 'boolean' },
    approval: { type: 'string' },
    'code-file': { type: 'string' },
  },
  async run(values, settings) {
    const assistant = values.assistant === true
    const asked = requiredOption(values, 'scopes')
    const all = assistant ? SCOPES.filter((scope) => !NOT_FOR_ASSISTANTS.includes(scope)) : SCOPES
    const scopes = asked === 'all' ? all : asked.split(',').map((scope) => scope.trim())
    const approval = text(values, 'approval')
    const codeFile = text(values, 'code-file')
    const input = {
      name: requiredOption(values, 'name'),
      scopes,
      ...(assistant ? { assistant } : {}),
      ...(approval === undefined ? {} : { approval }),
      ...(codeFile === undefined ? {} : { code: readInputFile(codeFile, 'code-file').replace(/\r?\n$/, '') }),
    }
    const made = await withSello(settings, async (sello) =>
      runByName(sello, 'keys.createByPerson', await chosenBook(sello, values), input),
    )
    const { id, key } = made as { id: string; key: string }
    return { answer: { id, key } }
  },
}

const keyList: Command = {
  usage: 'key list',
  about: 'List the active API keys of all books.',
  forwardable: {},
  options: {},
  async run(_values, settings) {
    const items = await withSello(
      settings,
      async (sello) => {
        const lists: unknown[] = []
        for (const book of await booksOf(sello)) {
          const { items: keys } = (await runByName(sello, 'keys.list', book, {})) as { items: object[] }
          lists.push(...keys.map((key) => ({ ...key, book: book.publicId })))
        }
        return lists
      },
      READS,
    )
    return { answer: { items } }
  },
}

const keyRevoke: Command = {
  usage: 'key revoke --id I',
  about: 'Revoke an API key.',
  forwardable: {},
  options: { id: { type: 'string' } },
  async run(values, settings) {
    const id = requiredOption(values, 'id')
    const answer = await withSello(settings, async (sello) => {
      for (const book of await booksOf(sello)) {
        const { items } = (await runByName(sello, 'keys.list', book, {})) as { items: { id: string }[] }
        if (items.some((key) => key.id === id)) return runByName(sello, 'keys.revoke', book, { id })
      }
      throw new AppError('not_found', { field: 'id' })
    })
    return { answer }
  },
}

/** Returns any book of the company; with a single company the options are not required. */
async function bookOfCompany(sello: OpenedSello, values: Values): Promise<Book> {
  const { listCompanies } = await import('../company/index.ts')
  const companies = await listCompanies(sello.env.store.reader)
  const [company, book] = [text(values, 'company'), text(values, 'book')]
  const fitting = companies.filter(
    (one) =>
      (company === undefined || one.id === company) &&
      (book === undefined || one.books.some(({ id }) => id === book)),
  )
  const [found, ...others] = fitting
  if (!found) throw new AppError('not_found', { field: book === undefined ? 'company' : 'book' })
  if (others.length > 0)
    throw optionFault(
      'company',
      `These books contain several companies; name one with --company: ${fitting.map(({ id }) => id).join(', ')}.`,
    )
  return chosenBook(sello, { book: book ?? found.books[0]?.id })
}

const certificateImport: Command = {
  usage: 'certificate import --file F --password-file P [--book ID | --company ID]',
  about: "Import the company's certificate from a .p12 or .pfx file; its password is read from another file.",
  forwardable: { files: ['file', 'password-file'] },
  options: {
    file: { type: 'string' },
    'password-file': { type: 'string' },
    book: { type: 'string' },
    company: { type: 'string' },
  },
  async run(values, settings, io) {
    const file = readInputBytes(requiredOption(values, 'file'), 'file').toString('base64')
    // Editors end a file with a line break; a password does not contain one.
    const password = readInputFile(requiredOption(values, 'password-file'), 'password-file').replace(
      /\r?\n$/,
      '',
    )
    const imported = (await withSello(settings, async (sello) =>
      runByName(sello, 'certificates.import', await bookOfCompany(sello, values), { file, password }),
    )) as { certificate: unknown; warnings: { message: string; fix?: string }[] }
    for (const { message, fix } of imported.warnings) io.say(fix ? `${message} ${fix}` : message)
    return { answer: imported }
  },
}

const webhookCreate: Command = {
  usage:
    'webhook create --url U --events a,b [--allow-local] [--description T] [--mode test|live] [--book ID]',
  about:
    'Send the events of a book (by default the test book) to a URL; with --allow-local also to one on this computer or its network. The secret is shown only once.',
  forwardable: {},
  options: {
    url: { type: 'string' },
    events: { type: 'string' },
    'allow-local': { type: 'boolean' },
    description: { type: 'string' },
    mode: { type: 'string' },
    book: { type: 'string' },
  },
  async run(values, settings) {
    const description = text(values, 'description')
    const input = {
      url: requiredOption(values, 'url'),
      events: requiredOption(values, 'events')
        .split(',')
        .map((type) => type.trim()),
      ...(description === undefined ? {} : { description }),
      ...(values['allow-local'] === true ? { allowLocal: true } : {}),
    }
    // Default: the test book, where no harm is possible.
    const unsaid = text(values, 'mode') === undefined && text(values, 'book') === undefined
    const answer = await withSello(settings, async (sello) => {
      const book = await chosenBook(sello, unsaid ? { mode: 'test' } : values)
      return runByName(sello, 'webhooks.createByPerson', book, input)
    })
    return { answer }
  },
}

/** Commands by name. */
export const accessCommands = {
  'key create': keyCreate,
  'key list': keyList,
  'key revoke': keyRevoke,
  'certificate import': certificateImport,
  'webhook create': webhookCreate,
} as const satisfies Record<string, Command>
