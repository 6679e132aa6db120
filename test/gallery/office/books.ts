/** What the people of a pictured office have done: invoices, notes, tasks, steps that wait, and work over 60 companies. */
import { setTimeout as pause } from 'node:timers/promises'
import { TOTP, Secret } from 'otpauth'
import { fillBook, fillEveryday } from '../../../server/app/demo/index.ts'
import { administer, inviteFromOutside, peopleOf } from '../../../server/app/people/index.ts'
import { OWNER } from '../../../server/cli/shared.ts'
import { NO_BOOK } from '../../../server/context.ts'
import type { Book, Mode } from '../../../server/context.ts'
import type { Role } from '../../../server/domain/people.ts'
import { loadBook } from '../../../server/platform/books/index.ts'
import { makeP12 } from '../../support/files/certificates.ts'
import { personalNif } from '../../support/nif.ts'
import { addClients } from '../../support/office/clients.ts'
import { SITE } from '../../support/postgres/office.ts'
import type { Office, OfficeServer } from '../../support/postgres/office.ts'
import { newMember } from '../../support/postgres/visitor.ts'
import type { Visitor } from '../../support/postgres/visitor.ts'
import { PASSWORD } from '../states-people.ts'
import type { PersonName } from './world.ts'

const CLIENTS = 59
const MEMBERS: Readonly<Record<PersonName, { name: string; email: string; roles: Role[] }>> = {
  ana: { name: 'Ana Beltrán', email: 'ana@moncayo.example', roles: ['owner'] },
  luis: { name: 'Luis Soto', email: 'luis@moncayo.example', roles: ['bookkeeper'] },
  eva: { name: 'Eva Prieto', email: 'eva@moncayo.example', roles: ['sales'] },
  marta: { name: 'Marta Sanz', email: 'marta.sanz@gestoria-ribera.example', roles: ['adviser'] },
  // As long as names of people are.
  oscar: {
    name: 'Óscar Fernández de Córdoba y Vidal-Quadras',
    email: 'oscar.fernandez-de-cordoba.y.vidal-quadras@administracion.moncayo.example',
    roles: ['owner', 'administrator'],
  },
  nora: { name: 'Nora Gil', email: 'nora@moncayo.example', roles: ['accountant'] },
}

interface Furnished {
  books: Record<Mode, Book>
  people: Record<PersonName, Visitor>
  personIds: Record<PersonName, string>
  ids: Record<string, string>
  company: string
}

export async function furnishOffice(office: Office): Promise<Furnished> {
  const server = office.servers[0]!
  const books = await office.company()
  const company = (
    await server.env.store.reader
      .selectFrom('companies')
      .select('public_id')
      .where('id', '=', books.live.companyId)
      .executeTakeFirstOrThrow()
  ).public_id
  const people = {} as Record<PersonName, Visitor>
  const personIds = {} as Record<PersonName, string>
  for (const [who, member] of Object.entries(MEMBERS) as [PersonName, (typeof MEMBERS)[PersonName]][]) {
    people[who] = await newMember(server, books.live, member)
    personIds[who] = (await people[who].run('people.me', {}, books.live)).id
  }
  await administer(peopleOf(server.sello), OWNER, MEMBERS.ana.email, true)
  await furnishClients(office, personIds)
  const ids = {
    ...(await furnishBook(server, books.test, people)),
    book: books.test.publicId,
    live: books.live.publicId,
    company,
  }
  await furnishTeam(server, books, people, company)
  await workOver(people.ana)
  return { books, people, personIds, ids, company }
}

/** Other companies, their order, and what is known of each. */
async function furnishClients(office: Office, personIds: Record<PersonName, string>): Promise<void> {
  const server = office.servers[0]!
  await addClients(server.env, CLIENTS, { outdated: 9 })
  const { admin } = office.database
  // Everybody of the firm may open all of them.
  for (const who of ['ana', 'luis', 'marta', 'oscar'] as const)
    await admin.query(
      `insert into memberships select (jsonb_populate_record(m, jsonb_build_object('company_id', c.id))).*
         from memberships m, companies c where m.person_id = $1 and c.id <> m.company_id`,
      [personIds[who]],
    )
  const { items } = await server.run('console.list', { limit: 100 }, NO_BOOK)
  const ended = await server.run(
    'company.create',
    { legalName: 'Saneamientos Antiguos, S.L.', nif: 'B50000140' },
    NO_BOOK,
  )
  const endedBook = await loadBook(server.env.store.reader, ended.books[0]?.id ?? '')
  await server.run('companies.end', { nif: 'B50000140' }, endedBook!)
  for (const { bookId } of items.slice(40, 43))
    await server.run('companies.archive', {}, (await loadBook(server.env.store.reader, bookId))!)
}

const ADDRESS = { street: 'Calle Mayor, 1', postalCode: '50001', city: 'Zaragoza', country: 'ES' }

async function furnishBook(
  server: OfficeServer,
  book: Book,
  { ana, luis, eva, marta }: Record<PersonName, Visitor>,
): Promise<Record<string, string>> {
  const there = server.ctx(book)
  await fillBook(there, { invoices: 24, contacts: 8, drafts: 2, from: '2026-08-01' })
  await fillEveryday(there, '2026-09-01')
  const draftOf = async (visitor: Visitor, unitPrice: number, name: string): Promise<string> =>
    (
      await visitor.run(
        'invoices.create',
        {
          clientName: name,
          clientNif: personalNif(44_000_001),
          client: { address: ADDRESS },
          lines: [
            { description: 'Proyecto de reforma', quantity: 1, unitPrice, vatRate: 21 },
            { description: 'Dirección de obra', quantity: 2, unitPrice: 340, vatRate: 21 },
          ],
        },
        book,
      )
    ).id
  const draft = await draftOf(eva, 1_200, 'Conservas del Cantábrico')
  const big = await draftOf(
    luis,
    18_400,
    'Rehabilitaciones Integrales y Mantenimientos Urbanísticos del Ebro',
  )
  const { items } = await server.run('invoices.window', { limit: 100 }, book)
  const issued = items.filter((one) => one.state === 'issued' && one.kind === 'F1')
  const invoice = issued[0]?.id ?? ''
  const account = await luis.run(
    'bank.createAccount',
    {
      name: 'Cuenta corriente',
      iban: 'ES9121000418450200051332',
      openingBalance: 7200,
      openingDate: '2026-11-01',
    },
    book,
  )
  await ana.run('company.update', { iban: 'ES9121000418450200051332' }, book)

  // Two pairs of eyes: a step of each kind waits.
  await ana.run('people.setSecondPersonRules', { issueAbove: 3_000, closing: true, bankAccounts: true }, book)
  const { confirmation } = await luis.run('invoices.validate', { id: big }, book)
  const asks: [Visitor, string, object][] = [
    [luis, 'invoices.issue', { id: big, confirmationToken: confirmation?.confirmationToken ?? '' }],
    [luis, 'ledger.lock', { until: '2026-09-30' }],
    [luis, 'bank.updateAccount', { id: account.id, iban: 'ES7921000813610123456789' }],
    [ana, 'company.update', { iban: 'ES7921000813610123456789' }],
    [ana, 'people.setSecondPersonRules', { issueAbove: 9_000, closing: false, bankAccounts: true }],
  ]
  for (const [visitor, name, input] of asks) {
    const code = await visitor.run(name as 'ledger.lock', input as never, book).then(
      () => 'ok',
      (error: Error) => error.message,
    )
    if (code !== 'second_person_asked') throw new Error(`${name}: ${code}`)
  }

  // Notes and tasks, of several people on several things.
  const target = { type: 'invoice', id: draft } as const
  const { colleagues } = await ana.run('notes.list', { target }, book)
  const idOf = (name: string): string => colleagues.find((one) => one.name === name)?.id ?? ''
  const say = (visitor: Visitor, id: string, text: string, ...names: string[]): Promise<unknown> =>
    visitor.run('notes.add', { target: { type: 'invoice', id }, text, mentions: names.map(idOf) }, book)
  await say(
    eva,
    draft,
    '@Ana Beltrán ¿puedes mirar el precio de la reforma? El cliente pide su número de pedido en la factura.',
    'Ana Beltrán',
  )
  await say(ana, draft, 'Visto: es el del presupuesto. Falta el número de pedido.')
  await say(
    marta,
    invoice,
    `@Ana Beltrán @Luis Soto falta el justificante. ${'Lo pedí por correo dos veces. '.repeat(6)}https://example.invalid/${'carpeta'.repeat(14)}`,
    'Ana Beltrán',
    'Luis Soto',
  )
  const task = (visitor: Visitor, title: string, more: object): Promise<{ id: string }> =>
    visitor.run('tasks.create', { title, ...more }, book)
  await task(eva, 'Llamar al cliente por el número de pedido', {
    target,
    dueOn: '2026-11-20',
    assigneeId: idOf('Ana Beltrán'),
  })
  await task(
    luis,
    'Revisar los gastos de noviembre antes de preparar el trimestre, también los del taller viejo',
    { dueOn: '2026-12-20', assigneeId: idOf('Ana Beltrán') },
  )
  const done = await task(ana, 'Enviar el presupuesto firmado', { target, assigneeId: idOf('Ana Beltrán') })
  await ana.run('tasks.complete', { id: done.id }, book)
  return {
    draft,
    big,
    invoice,
    account: account.id,
    contact: (await server.run('contacts.list', { limit: 1 }, book)).items[0]?.id ?? '',
    received: (await server.run('received.list', {}, book)).items[0]?.id ?? '',
  }
}

async function furnishTeam(
  server: OfficeServer,
  { live }: Record<Mode, Book>,
  { ana, marta, oscar }: Record<PersonName, Visitor>,
  company: string,
): Promise<void> {
  const invite = (email: string, roles: Role[]): Promise<unknown> =>
    ana.run('people.invite', { email, roles }, live)
  await invite('carla.rodriguez.de.la.fuente@asesoria-larga.example', ['adviser', 'sales'])
  const { invitation } = (await invite('antiguo@example.com', ['sales'])) as { invitation: { id: string } }
  await ana.run('people.withdrawInvitation', { id: invitation.id }, live)
  await inviteFromOutside(server.env, OWNER, {
    company,
    email: 'nuevo@example.com',
    roles: ['sales'],
    site: SITE.origins[0],
  })
  // Other browsers of one person.
  for (const address of ['198.51.100.20', '2001:db8::17']) {
    const before = ana.cookie
    ana.address = address
    ana.cookie = null
    await ana.signIn()
    ana.cookie = before
  }
  const { secret, step } = await marta.run('people.setPassword', { password: PASSWORD }, null)
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await marta.run('people.finishPassword', { step, code: totp.generate() }, null)
  // Somebody lost all ways in, and somebody is in no company any more.
  const { items } = await ana.run('people.members', {}, live)
  const idOf = (email: string): string => items.find((one) => one.email === email)?.id ?? ''
  await oscar.run('people.askRecovery', { personId: idOf(MEMBERS.eva.email) }, live)
  await ana.run('people.removeMember', { personId: idOf(MEMBERS.nora.email) }, live)
}

/** Order of the companies, notes on them, and works that ended, one of them with failures. */
async function workOver(ana: Visitor): Promise<void> {
  const { items } = await ana.run('console.list', { limit: 100 }, null)
  const ids = items.map(({ id }) => id)
  const staff = (await ana.run('console.staff', { company: ids[3]! }, null)).items
  for (const [index, company] of ids.entries())
    if (index % 5 > 0)
      await ana.run('console.assign', { company, assignee: staff[index % staff.length]?.id ?? null }, null)
  await ana.run(
    'console.note',
    { company: ids[1]!, text: 'Falta la luz de agosto. Llamar a Carmen el lunes.' },
    null,
  )
  await ana.run('console.note', { company: ids[1]!, text: 'Cambian de local en enero.' }, null)
  for (const companyId of ids.slice(4, 7))
    await ana.run('companies.setFavourite', { companyId, favourite: true }, null)
  await ana.run('companies.setGroup', { companyIds: ids.slice(8, 16), group: 'Hostelería' }, null)
  await ana.run(
    'companies.setGroup',
    { companyIds: ids.slice(16, 22), group: 'Construcción y reformas' },
    null,
  )
  await ana.run(
    'console.saveViews',
    { expectedVersion: 0, items: [{ name: 'Modelos atrasados de Luis', filter: { cards: ['late'] } }] },
    null,
  )
  // It has ended: no company takes it.
  const { p12 } = makeP12({ password: 'galeria', from: '2020-01-01', to: '2022-01-01' })
  const works = [
    { companies: ids.slice(0, 6), work: { kind: 'export', what: 'vat_books', year: 2026 } },
    { companies: ids.slice(0, 9), work: { kind: 'close', year: 2026, quarter: 3 } },
    { companies: ids.slice(0, 4), work: { kind: 'remind' } },
    {
      companies: ids.slice(0, 12),
      work: { kind: 'certificate', file: p12.toString('base64'), password: 'galeria' },
    },
  ] as const
  for (const work of works) {
    const { id } = await ana.run(
      'console.startWork',
      { companies: [...work.companies], work: work.work },
      null,
    )
    for (let look = 0; look < 300 && !(await ana.run('console.work', { id }, null)).ended; look++)
      await pause(100)
  }
}
