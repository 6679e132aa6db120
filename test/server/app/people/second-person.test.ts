/** Two pairs of eyes over real PostgreSQL: nothing is done by one, and everything once by two. */
import { expect, test } from 'vitest'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import type { Book } from '../../../../server/context.ts'
import { sendBook } from '../../../../server/registry/index.ts'
import { setRegistryStatus } from '../../../../server/sales/invoices/index.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { openOfficeOf } from '../../../support/postgres/office.ts'
import type { OfficeServer } from '../../../support/postgres/office.ts'
import { EXAMPLE_DRAFT } from '../../../support/world.ts'
import { codeOf, newMember } from '../../../support/postgres/visitor.ts'
import type { Visitor } from '../../../support/postgres/visitor.ts'

/** What a live book needs to issue. */
async function furnish(server: OfficeServer, live: Book): Promise<void> {
  server.env.producer = { name: 'Ejemplo', nif: 'B12345674', address: 'Calle Mayor, 1', systemId: 'S1' }
  const { p12 } = makeP12({ password: 'clave' })
  await server.run('certificates.import', { file: p12.toString('base64'), password: 'clave' }, live)
}

async function team(
  server: OfficeServer,
  book: Book,
): Promise<{ ana: Visitor; luis: Visitor; eva: Visitor }> {
  await furnish(server, book)
  const ana = await newMember(server, book, { email: 'ana@example.com', name: 'Ana', roles: ['owner'] })
  const luis = await newMember(server, book, {
    email: 'luis@example.com',
    name: 'Luis',
    roles: ['bookkeeper'],
  })
  const eva = await newMember(server, book, { email: 'eva@example.com', name: 'Eva', roles: ['sales'] })
  await newMember(server, book, { email: 'marta@example.com', name: 'Marta', roles: ['administrator'] })
  return { ana, luis, eva }
}

function tokenIn({ valid, issues, confirmation }: OutputOf<'invoices.validate'>): string {
  const errors = issues.filter(({ severity }) => severity === 'error')
  expect({ valid, issues: errors }).toEqual({ valid: true, issues: [] })
  return confirmation!.confirmationToken
}

async function draftOf(visitor: Visitor, book: Book, unitPrice: number): Promise<string> {
  const draft = await visitor.run(
    'invoices.create',
    { ...EXAMPLE_DRAFT, lines: [{ description: 'Trabajo', quantity: 1, unitPrice, vatRate: 21 }] },
    book,
  )
  return draft.id
}

test('an invoice above the amount is issued by two, once, and the history names both', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [OfficeServer]
  const { live } = await office.company()
  const { ana, luis, eva } = await team(server, live)
  await ana.run('people.setSecondPersonRules', { issueAbove: 1_000, closing: true, bankAccounts: true }, live)

  const small = await draftOf(luis, live, 100)
  const token = async (visitor: Visitor, id: string): Promise<string> =>
    tokenIn(await visitor.run('invoices.validate', { id }, live))
  await luis.run('invoices.issue', { id: small, confirmationToken: await token(luis, small) }, live)

  const big = await draftOf(luis, live, 5_000)
  const asking = { id: big, confirmationToken: await token(luis, big) }
  for (let count = 0; count < 2; count += 1)
    expect(codeOf(await luis.call('invoices.issue', asking, live))).toBe('second_person_asked')
  const { waiting } = await luis.run('people.requests', {}, live)
  expect(waiting).toMatchObject([
    {
      kind: 'issue',
      subject: EXAMPLE_DRAFT.clientName,
      amount: 6_050,
      askedBy: 'Luis',
      askedByMe: true,
      mayDecide: false,
    },
  ])
  const request = waiting[0]!
  expect(JSON.stringify(request.input)).not.toContain('svct_')
  const decision = { id: request.id, decision: 'approve', seen: request.seen } as const
  await expect(luis.run('people.decideRequest', decision, live)).rejects.toThrow('second_person_needed')
  await expect(eva.run('people.decideRequest', decision, live)).rejects.toThrow('second_person_needed')
  expect((await eva.run('people.requests', {}, live)).waiting).toEqual([])
  await expect(ana.run('people.decideRequest', { ...decision, seen: 'x' }, live)).rejects.toThrow(
    'second_person_stale',
  )
  // Both at the same time: once.
  const both = await Promise.allSettled([
    ana.run('people.decideRequest', decision, live),
    ana.run('people.decideRequest', decision, live),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await ana.run('invoices.get', { id: big }, live)).toMatchObject({ state: 'issued' })
  const { items } = await ana.run('audit.list', { limit: 50 }, live)
  const about = items.filter(({ action }) => /^second_person|^invoice\.issued/.test(action))
  expect(about.map(({ action, actor }) => `${action} ${actor.name}`)).toEqual([
    'second_person.approved Ana',
    'invoice.issued Ana',
    'second_person.asked Luis',
    'invoice.issued Luis',
    'second_person.rules_changed Ana',
  ])
})

test('what has changed since it was asked for is not done', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [OfficeServer]
  const { live } = await office.company()
  const { ana, luis } = await team(server, live)
  await ana.run(
    'people.setSecondPersonRules',
    { issueAbove: 1_000, closing: false, bankAccounts: false },
    live,
  )
  const id = await draftOf(luis, live, 5_000)
  const confirmationToken = tokenIn(await luis.run('invoices.validate', { id }, live))
  await luis.call('invoices.issue', { id, confirmationToken }, live)
  const [request] = (await ana.run('people.requests', {}, live)).waiting
  await luis.run(
    'invoices.update',
    { id, lines: [{ description: 'Otro', quantity: 1, unitPrice: 90_000, vatRate: 21 }] } as never,
    live,
  )
  await expect(
    ana.run('people.decideRequest', { id: request!.id, decision: 'approve', seen: request!.seen }, live),
  ).rejects.toThrow('second_person_stale')
  expect(await ana.run('invoices.get', { id }, live)).toMatchObject({ state: 'draft' })
  await luis.run('people.decideRequest', { id: request!.id, decision: 'withdraw' }, live)
  await expect(
    ana.run('people.decideRequest', { id: request!.id, decision: 'approve', seen: request!.seen }, live),
  ).rejects.toThrow('approval_closed')
})

test('closings and bank accounts, a key of the same person, and loosening the rules', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [OfficeServer]
  const { live } = await office.company()
  const { ana, luis } = await team(server, live)
  await ana.run('people.setSecondPersonRules', { issueAbove: 1_000, closing: true, bankAccounts: true }, live)
  const asked = [
    [luis, 'ledger.lock', { until: '2025-12-31' }],
    [luis, 'bank.createAccount', { name: 'Nueva', iban: 'ES9121000418450200051332' }],
    [ana, 'people.setSecondPersonRules', { issueAbove: 2_000, closing: true, bankAccounts: true }],
    [ana, 'company.update', { iban: 'ES9121000418450200051332' }],
  ] as const
  for (const [asker, name, input] of asked)
    await expect(asker.run(name, input as never, live), name).rejects.toThrow('second_person_asked')
  const { waiting } = await ana.run('people.requests', {}, live)
  expect(waiting.map(({ kind, askedBy }) => `${kind} ${askedBy}`)).toEqual([
    'closing Luis',
    'bank_account Luis',
    'rules Ana',
    'bank_account Ana',
  ])
  for (const { id, seen } of waiting.slice(0, 2))
    await ana.run('people.decideRequest', { id, decision: 'approve', seen }, live)
  expect(await ana.run('ledger.periods', {}, live)).toMatchObject({ lockedUntil: '2025-12-31' })
  expect((await ana.run('bank.accounts', {}, live)).items).toMatchObject([{ name: 'Nueva' }])
  // A bookkeeper does not decide about rules, and nobody about the own request.
  await expect(
    luis.run('people.decideRequest', { id: waiting[2]!.id, decision: 'deny' }, live),
  ).rejects.toThrow('second_person_needed')

  // What needs nobody else stays as it is: a stricter rule, and an account's name.
  await ana.run('people.setSecondPersonRules', { issueAbove: 500, closing: true, bankAccounts: true }, live)

  // Whoever has a key does not approve what it asks for above the amount.
  const { key } = await luis.run(
    'keys.createByPerson',
    { name: 'Programa', scopes: ['invoices.read', 'invoices.write', 'invoices.issue'] },
    live,
  )
  const draft = await server.ask('POST', '/invoices', key, {
    body: { ...EXAMPLE_DRAFT, lines: [{ description: 'Trabajo', quantity: 1, unitPrice: 700, vatRate: 21 }] },
  })
  const { id } = (JSON.parse(draft.body) as { data: { id: string } }).data
  const validated = await server.ask('POST', `/invoices/${id}/validate`, key, { body: {} })
  expect(validated.statusCode).toBe(200)
  const [approval] = (await luis.run('approvals.list', {}, live)).waiting
  const card = await luis.run('approvals.get', { id: approval!.approvalId }, live)
  const yes = { id: card.approvalId, decision: 'approve', contentHash: card.contentHash } as never
  await expect(luis.run('approvals.decide', yes, live)).rejects.toThrow('second_person_asked')
  await ana.run('approvals.decide', yes, live)
  expect(await ana.run('invoices.get', { id }, live)).toMatchObject({ state: 'issued' })
})

test('an amendment and an annulment above the amount are done by two, who see what would change', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [OfficeServer]
  const { test: book } = await office.company()
  const { ana, luis } = await team(server, book)
  const issued = async (unitPrice: number): Promise<string> => {
    const id = await draftOf(luis, book, unitPrice)
    const confirmationToken = tokenIn(await luis.run('invoices.validate', { id }, book))
    await luis.run('invoices.issue', { id, confirmationToken }, book)
    return id
  }
  const [small, big] = [await issued(100), await issued(5_000)]
  await sendBook(server.env, book, setRegistryStatus)
  await ana.run(
    'people.setSecondPersonRules',
    { issueAbove: 1_000, closing: false, bankAccounts: false },
    book,
  )
  const changes = { clientName: 'Nombre Corregido, S.L.' }
  const amendment = async (
    visitor: Visitor,
    id: string,
  ): Promise<{ id: string; confirmationToken: string }> => {
    const validated = await visitor.run('invoices.validate', { id, action: 'amend', changes }, book)
    return { id, confirmationToken: tokenIn(validated) }
  }
  await luis.run('invoices.amend', await amendment(luis, small), book)
  const asking = await amendment(luis, big)
  for (let count = 0; count < 2; count += 1)
    expect(codeOf(await luis.call('invoices.amend', asking, book))).toBe('second_person_asked')
  // The token of somebody else holds nothing for him.
  const hers = await amendment(ana, big)
  expect(codeOf(await luis.call('invoices.amend', hers, book))).toBe('confirmation_invalid')

  const { waiting } = await ana.run('people.requests', {}, book)
  expect(waiting).toMatchObject([
    {
      operation: 'invoices.amend',
      kind: 'amend',
      amount: 6_050,
      askedBy: 'Luis',
      mayDecide: true,
      rule: { name: 'issue_above', above: 1_000 },
      input: { id: big, changes },
    },
  ])
  const [request] = waiting
  expect(request!.facts).toEqual([
    { name: 'number', value: 'T-F2026-0002' },
    { name: 'client', value: EXAMPLE_DRAFT.clientName },
    { name: 'total', value: 6_050 },
    { name: 'clientName', before: EXAMPLE_DRAFT.clientName, value: changes.clientName },
  ])
  expect(JSON.stringify(request)).not.toContain('svct_')
  const { id, seen } = request!
  await ana.run('people.decideRequest', { id, decision: 'approve', seen }, book)
  const view = await ana.run('invoices.get', { id: big }, book)
  expect(view.registry).toMatchObject({ status: 'pending' })
  await sendBook(server.env, book, setRegistryStatus)

  const token = tokenIn(await luis.run('invoices.validate', { id: big, action: 'cancel' }, book))
  const cancelling = { id: big, confirmationToken: token, reason: 'Duplicada' }
  expect(codeOf(await luis.call('invoices.cancel', cancelling, book))).toBe('second_person_asked')
  const [annulment] = (await ana.run('people.requests', {}, book)).waiting
  expect(annulment!.facts.at(-1)).toEqual({ name: 'reason', value: 'Duplicada' })
  // Stricter rules change nothing of what waits.
  await ana.run('people.setSecondPersonRules', { issueAbove: 900, closing: false, bankAccounts: false }, book)
  const decision = { id: annulment!.id, decision: 'approve', seen: annulment!.seen } as const
  await ana.run('people.decideRequest', decision, book)
  expect(await ana.run('invoices.get', { id: big }, book)).toMatchObject({ payment: { status: 'cancelled' } })
  const { items } = await ana.run('audit.list', { limit: 50 }, book)
  const about = items.filter(({ action }) =>
    /^second_person\.[aw]|^invoice\.(?:amended|cancelled)/.test(action),
  )
  expect(about.map(({ action, actor }) => `${action} ${actor.name}`)).toEqual([
    'second_person.approved Ana',
    'invoice.cancelled Ana',
    'second_person.asked Luis',
    'second_person.approved Ana',
    'invoice.amended Ana',
    'second_person.asked Luis',
    'invoice.amended Luis',
  ])
})

test('a card shows the account that would change, before and after, and is stale once that is another one', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [OfficeServer]
  const { live } = await office.company()
  const { ana, luis } = await team(server, live)
  const [OLD, NEW, OTHER] = [
    'ES9121000418450200051332',
    'ES7921000813610123456789',
    'ES6000491500051234567892',
  ]
  const { id } = await luis.run('bank.createAccount', { name: 'Corriente', iban: OLD }, live)
  await ana.run('people.setSecondPersonRules', { issueAbove: null, closing: true, bankAccounts: true }, live)
  await expect(luis.run('bank.updateAccount', { id, iban: NEW }, live)).rejects.toThrow('second_person_asked')
  await expect(luis.run('ledger.lock', { until: '2025-12-31' }, live)).rejects.toThrow('second_person_asked')
  const { waiting } = await ana.run('people.requests', {}, live)
  expect(waiting.map(({ rule, facts }) => ({ rule: rule.name, facts }))).toEqual([
    {
      rule: 'bank_accounts',
      facts: [
        { name: 'name', value: 'Corriente' },
        { name: 'iban', before: OLD, value: NEW },
      ],
    },
    { rule: 'closing', facts: [{ name: 'lockedUntil', before: null, value: '2025-12-31' }] },
  ])
  // Changed meanwhile, without a second person: what she saw is no longer so.
  await server.run('bank.updateAccount', { id, iban: OTHER }, live)
  const { id: request, seen } = waiting[0]!
  await expect(
    ana.run('people.decideRequest', { id: request, decision: 'approve', seen }, live),
  ).rejects.toThrow('second_person_stale')
  expect((await ana.run('bank.accounts', {}, live)).items).toMatchObject([{ iban: OTHER }])
})
