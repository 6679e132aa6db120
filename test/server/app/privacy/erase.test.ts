/**
 * One person's data, planted in every area: exported completely, erased where allowed, kept where the law requires
 * it, and verified.
 */
import { inEmbedded, tablesOf } from '../../../support/engines.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { creditorIdOf } from '../../../../server/accounting/payments/debits/sepa-identifiers.ts'
import { checkBooks } from '../../../../server/app/integrity/index.ts'
import { openDatabase } from '../../../../server/db/embedded/open.ts'
import { KEYS, startErpServer } from '../../../support/erp/erp-server.ts'
import type { Contact } from '../../../support/erp/book.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'
import { readIncoming } from '../../../support/examples/incoming.ts'
import { learnFrom } from '../../../../server/purchases/memory/index.ts'
import { proposalOfText } from '../../../support/stages/read-text.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const OWN = 'facturas@talleres.example'
const OWN_IBAN = 'ES9121000418450200051332'
const THEIR_IBAN = 'ES7921000813610123456789'
const NIF = '12345678Z'
/** In every field of the person that users can write. */
const PHRASE = 'Zafirolenda'
const NAME = `Ana ${PHRASE} Gil`
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Tables kept by law, by the chain or by the audit log; every other table must be clean. */
const KEPT = new Set([
  'audit_events',
  'contacts',
  'parties',
  'invoices',
  'invoice_lines',
  'documents',
  'registry_records',
  'registry_batches',
  'registry_attempts',
  'simulator_records',
  'received_invoices',
  'received_lines',
  'files',
  'file_bytes',
  'figure_parties',
  'payments',
  'remittance_items',
  'bank_transactions',
  'journal_entries',
  'mandates',
  'idempotency_keys',
])

/** Returns the tables with the phrase in any column, read through the store as it is now. */
async function tablesWith(world: World, phrase: string): Promise<string[]> {
  const reader = world.ctx().db
  const found: string[] = []
  const wanted = phrase.toLowerCase()
  for (const name of await tablesOf(reader)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(reader)
    const holds = rows.some((row) =>
      Object.values(row).some((value) =>
        value instanceof Uint8Array
          ? Buffer.from(value).toString('utf8').toLowerCase().includes(wanted)
          : typeof value === 'string' && value.toLowerCase().includes(wanted),
      ),
    )
    if (holds) found.push(name)
  }
  return found.toSorted()
}

const createContact = (world: World): Promise<OutputOf<'contacts.create'>> =>
  world.run('contacts.create', {
    name: NAME,
    nif: NIF,
    tradeName: `Taller ${PHRASE}`,
    email: `${PHRASE.toLowerCase()}@ejemplo.es`,
    phone: `600 ${PHRASE}`,
    iban: THEIR_IBAN,
    notes: `Prefiere las tardes, ${PHRASE}`,
    tags: [PHRASE],
    externalRefs: [`ref-${PHRASE}`],
    address: { street: `Calle ${PHRASE} 1`, postalCode: '28001', city: PHRASE, country: 'ES' },
  })

/** Plants a contact with a draft only. */
async function plantLittle(world: World): Promise<string> {
  const { id } = await createContact(world)
  await world.createDraft({ clientName: NAME, clientNif: NIF, clientId: id })
  return id
}

/** Plants all data that can be requested and is kept nowhere by law. */
async function plant(world: World): Promise<string> {
  const contact = await createContact(world)
  const lines = [{ description: `Mano de obra ${PHRASE}`, quantity: 1, unitPrice: 100 }]
  const input = { clientName: NAME, clientNif: NIF, clientId: contact.id, lines, notes: `Nota ${PHRASE}` }
  await world.run('invoices.create', input)
  await world.post('/api/v1/invoices', input, { headers: { 'idempotency-key': 'borrador-1' } })
  const quote = await world.run('quotes.create', input)
  await world.run('quotes.setState', { id: quote.id, state: 'sent' })
  await world.run('quotes.update', { id: quote.id, notes: `Otra nota ${PHRASE}` })
  await world.run('recurring.create', {
    name: `Cuota ${PHRASE}`,
    rule: { freq: 'monthly', start: '2026-12-01' },
    invoice: input,
  })
  await world.run('templates.create', { name: `Plantilla ${PHRASE}`, invoice: input })
  await world.run('mail.file', {
    kind: 'quote',
    ids: [quote.id],
    to: [OWN],
    subject: `Presupuesto para ${PHRASE}`,
    body: `Hola, ${PHRASE}:\nva adjunto.`,
  })
  await world.run('mandates.create', {
    contactId: contact.id,
    signedOn: '2026-01-02',
    iban: THEIR_IBAN,
    holder: NAME,
    reference: 'M-1',
  })
  await world.run('lookups.census', { nif: NIF, name: NAME })
  const { run } = await world.run('imports.upload', {
    kind: 'contacts',
    fileName: 'contactos.csv',
    content: base64(`Nombre;NIF;Correo;Notas\n${NAME};${NIF};otra@ejemplo.es;Nota importada ${PHRASE}\n`),
  })
  await world.run('imports.check', { id: run.id, options: { onDuplicate: 'update' } })
  for (let state = 'running'; state !== 'done';)
    ({ state } = (await world.run('imports.apply', { id: run.id })).run)
  const second = await world.run('imports.upload', {
    kind: 'contacts',
    fileName: 'despues.csv',
    content: base64(`Nombre;NIF;Notas\n${NAME};${NIF};Sin tomar ${PHRASE}\nOtro Cliente;;Se queda\n`),
  })
  expect(second.run.rows).toBe(2)
  const twin = await world.run('contacts.create', { name: `${NAME} Bis`, email: 'bis@ejemplo.es' })
  await world.run('contacts.merge', { id: contact.id, otherId: twin.id, take: ['email'] })
  await plantMemory(world)
  await plantElsewhere(world)
  const { actor } = await keyActor(world)
  await world.run('inbox.propose', { action: 'prepare_return', reason: `Por el cliente ${NAME}` }, { actor })
  return contact.id
}

/** Has the book learn from a document of theirs. */
async function plantMemory(world: World, nif = NIF): Promise<void> {
  const input = {
    supplierName: NAME,
    supplierNif: nif,
    supplierNumber: `${PHRASE}-7`,
    issueDate: '2026-06-30',
    taxLines: [{ base: 100, vatRate: 21 }],
  }
  const text = `${NAME}\nNIF ${nif}\nCalle ${PHRASE} 1, Madrid\nFactura nº ${PHRASE}-7\nFecha: 30/06/2026\nTotal 121,00 EUR\n${THEIR_IBAN}`
  const reading = { proposal: proposalOfText(text) }
  await world.ctx().transaction((tx) => learnFrom(tx, { nif, reading, input }))
}

/** Plants accounting system data: a contact, its invoices on both sides, and an unreadable row of theirs. */
async function plantElsewhere(world: World): Promise<void> {
  const erp = await startErpServer({ contacts: 3, issued: 8, received: 8, items: 1, to: '2026-06-30' })
  world.standIn(erp)
  const [person] = [...erp.book.contacts()]
  erp.edit<Contact>(person!.id, (row) => {
    row.name = NAME
    row.taxId = NIF
    row.email = `${PHRASE.toLowerCase()}@lejos.example`
  })
  const theirs = (['issued', 'received'] as const).flatMap((side) =>
    [...erp.book.heads(side)].map(({ index }) => erp.book.doc(side, index)),
  )
  // All but the two before the last belong to the person, and the last has an invalid date.
  for (const [index, { id }] of theirs.toReversed().entries()) {
    const contact = erp.book.contact(index === 1 || index === 2 ? 1 : 0)
    erp.edit(id, (row) => {
      row.contact = contact.index
      row.contactName = contact.name
      if (index === 0) row.date = '2026-02-31'
    })
  }
  await world.run('erp.connect', { erpApiKey: KEYS.v2 })
  const run = await world.run('erp.sync', { wait: 1 })
  expect(run).toMatchObject({ state: 'completed' })
  expect((await world.run('erp.rejects', { id: run.runId })).items).toHaveLength(1)
}

/** Also plants what must be kept: an issued invoice paid by debit, a received one with its file, a bank movement. */
async function plantKept(world: World, contactId: string): Promise<{ invoiceId: string; number: string }> {
  const issued = await world.issue(
    (
      await world.createDraft({
        clientName: NAME,
        clientNif: NIF,
        clientId: contactId,
        lines: [{ description: `Reparación ${PHRASE}`, quantity: 1, unitPrice: 50 }],
      })
    ).id,
  )
  const { id: fileId } = await world.run('attachments.upload', {
    name: `${PHRASE}.txt`,
    content: base64(`Albarán de ${PHRASE}\n`),
  })
  await world.run('received.create', {
    supplierName: NAME,
    supplierNif: NIF,
    supplierId: contactId,
    supplierNumber: `${PHRASE}-7`,
    issueDate: '2026-06-30',
    receptionDate: '2026-06-30',
    taxLines: [{ base: 100, vatRate: 21 }],
    attachments: [fileId],
  })
  await world.run('debits.saveCreditor', { creditorId: creditorIdOf('B12345674'), iban: OWN_IBAN })
  const remittance = await world.run('remittances.create', { kind: 'debit', items: [{ id: issued.id }] })
  world.advance(10 * 86_400_000)
  await world.run('remittances.settle', { id: remittance.id })
  const account = await world.run('bank.createAccount', {
    name: 'Cuenta',
    openingBalance: 0,
    openingDate: '2026-07-01',
  })
  await world.run('bank.import', {
    fileName: 'movimientos.csv',
    content: base64(`Fecha;Concepto;Importe;Saldo\n02/07/2026;Transferencia de ${NAME};24,20;24,20\n`),
    accountId: account.id,
  })
  return { invoiceId: issued.id, number: issued.number ?? '' }
}

const fateOf = ({ findings }: OutputOf<'privacy.preview'>, fate: string): string[] =>
  findings.filter((finding) => finding.fate === fate).map(({ area }) => area)

describe('a person', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ company: { email: OWN } })
  })

  const erase = async (subject: { contactId: string }) => {
    const { hash } = await world.run('privacy.preview', { subject })
    return world.run('privacy.erase', { subject, hash })
  }
  const verified = async () => {
    const { ok, checks } = await checkBooks(world.env, (book) => world.ctx({ book }))
    return ok ? 'ok' : checks.filter((check) => !check.ok)
  }

  test('who was never invoiced is removed from every table but the audit log, and from the bytes of the file', async () => {
    const contactId = await plant(world)
    const planted = await tablesWith(world, PHRASE)
    expect(planted).toEqual(
      expect.arrayContaining([
        'contacts',
        'contact_merges',
        'parties',
        'invoice_lines',
        'quotes',
        'quote_revisions',
        'recurrences',
        'templates',
        'mails',
        'mandates',
        'census_checks',
        'import_rows',
        'import_chunks',
        'import_runs',
        'proposals',
        'idempotency_keys',
        'erp_contacts',
        'erp_documents',
        'erp_rejects',
        'supplier_memory',
      ]),
    )
    const preview = await world.run('privacy.preview', { subject: { contactId } })
    expect(fateOf(preview, 'keep')).toEqual(['history'])
    expect(preview.keepUntil).toBeNull()
    expect(await erase({ contactId })).toMatchObject({ blockedUntil: null })
    expect(await tablesWith(world, PHRASE)).toEqual(['audit_events'])
    expect(await tablesWith(world, NIF)).toEqual(['audit_events'])
    expect(await tablesWith(world, THEIR_IBAN)).toEqual([])
    expect(await verified()).toBe('ok')
    const { rows: papers } = await sql`select 1 from mail_attachments`.execute(world.ctx().db)
    expect(papers).toEqual([])
    // Synchronized data of others stays.
    const { counts } = (await world.run('erp.status', {})).integrations[0]!
    expect(counts).toMatchObject({ contacts: 2, issued: 0, received: 2 })
    // Another row of the same file stays available for import.
    expect(await tablesWith(world, 'Otro Cliente')).toContain('import_chunks')
  })

  inEmbedded(test)('leaves no deleted data in the pages of the file', async () => {
    const contact = await world.run('contacts.create', {
      name: 'Solo Nombre',
      notes: `Nota ${PHRASE}`.repeat(20),
    })
    const quote = await world.run('quotes.create', {
      clientName: 'Solo Nombre',
      clientId: contact.id,
      lines: [{ description: 'x', quantity: 1, unitPrice: 1 }],
      notes: `Nota ${PHRASE} `.repeat(100),
    })
    expect(quote.id).toBeTruthy()
    const masterKey = Buffer.from(readFileSync(join(world.folder, 'master.key'), 'utf8').trim(), 'hex')
    const pages = (): Buffer => {
      const connection = openDatabase({ folder: world.folder, masterKey, role: 'reader', cacheKib: 1024 })
      try {
        // oxlint-disable-next-line house/no-serialize -- the pages as they are below the cipher are what is looked at
        return connection.handle.serialize()
      } finally {
        connection.close()
      }
    }
    const before = pages()
    expect(before.includes(PHRASE)).toBe(true)
    await erase({ contactId: contact.id })
    expect(pages().includes(PHRASE)).toBe(false)
    expect(readFileSync(join(world.folder, 'sello.db-wal')).byteLength).toBe(0)
  })

  test('who was invoiced is blocked with name and number only, and what must be kept is complete', async () => {
    const contactId = await plant(world)
    const { invoiceId, number } = await plantKept(world, contactId)
    const preview = await world.run('privacy.preview', { subject: { contactId } })
    expect(fateOf(preview, 'block').toSorted()).toEqual(['contact', 'mandates'])
    expect(fateOf(preview, 'keep')).toEqual(
      expect.arrayContaining([
        'issued',
        'records',
        'received',
        'attachments',
        'payments',
        'debits',
        'entries',
        'bank',
        'history',
      ]),
    )
    expect(preview.keepUntil).toBe('2032-12-31')
    expect(await erase({ contactId })).toMatchObject({ blockedUntil: '2032-12-31' })

    const left = await tablesWith(world, PHRASE)
    expect(left.filter((table) => !KEPT.has(table))).toEqual([])
    expect(left).toEqual(expect.arrayContaining(['parties', 'received_invoices', 'bank_transactions']))
    expect(await verified()).toBe('ok')
    expect((await world.run('invoices.get', { id: invoiceId })).clientName).toBe(NAME)
    const { rows } = await sql<Record<string, unknown>>`select * from contacts`.execute(world.ctx().db)
    expect(rows).toHaveLength(1)
    expect(
      Object.entries(rows[0] ?? {})
        .filter(([, value]) => String(value).includes(PHRASE))
        .map(([column]) => column),
    ).toEqual(['name'])
    expect(rows[0]).toMatchObject({
      nif: NIF,
      email: null,
      phone: null,
      iban: null,
      street: null,
      notes: null,
      tags: '[]',
    })

    // Hidden everywhere: lists, pickers, keys.
    expect((await world.run('contacts.list', {})).items).toEqual([])
    expect((await world.get(`/api/v1/contacts/${contactId}`)).status).toBe(404)
    expect(
      (
        await world.post('/api/v1/invoices', {
          clientName: NAME,
          clientId: contactId,
          lines: [{ description: 'x', quantity: 1, unitPrice: 1 }],
        })
      ).status,
    ).toBe(422)
    expect((await world.run('mandates.list', {})).items.map(({ state }) => state)).toEqual(['cancelled'])
    expect((await world.run('privacy.blocked', {})).items).toMatchObject([
      { contactId, keepUntil: '2032-12-31', isOver: false },
    ])
    // The law may still require a correction.
    const credit = await world.run('invoices.rectify', { id: number, cause: 'returned_goods' })
    expect((await world.issue(credit.id)).clientName).toBe(NAME)
    expect(await verified()).toBe('ok')
  })

  longTest('can be deleted after all retention periods, and the invoice stays with its chain', async () => {
    const contactId = await plant(world)
    const { invoiceId } = await plantKept(world, contactId)
    await erase({ contactId })
    world.setTime('2033-01-01T10:00:00+01:00')
    expect((await world.run('privacy.blocked', {})).items).toMatchObject([{ isOver: true }])
    const preview = await world.run('privacy.preview', { subject: { contactId } })
    expect(fateOf(preview, 'erase').toSorted()).toEqual(['contact', 'mandates'])
    expect(preview.findings.find(({ area }) => area === 'issued')).toMatchObject({
      fate: 'keep',
      isOver: true,
    })
    expect(await erase({ contactId })).toMatchObject({ blockedUntil: null })
    expect((await world.run('privacy.blocked', {})).items).toEqual([])
    expect(await world.run('invoices.get', { id: invoiceId })).toMatchObject({
      clientName: NAME,
      clientId: null,
    })
    expect(await verified()).toBe('ok')
  })

  test('is not erased when the data changed since they were shown', async () => {
    const contactId = await plantLittle(world)
    const { hash } = await world.run('privacy.preview', { subject: { contactId } })
    await world.run('invoices.create', {
      clientName: NAME,
      clientId: contactId,
      lines: [{ description: 'x', quantity: 1, unitPrice: 1 }],
    })
    const refused = await world.call('privacy.erase', { subject: { contactId }, hash })
    expect(refused.body.error.code).toBe('erasure_stale')
    expect((await world.run('contacts.get', { id: contactId })).name).toBe(NAME)
  })

  test('is erased although the PDF of an invoice was made since they were shown', async () => {
    const contactId = await plantLittle(world)
    const draft = await world.createDraft({
      clientName: NAME,
      clientNif: NIF,
      clientId: contactId,
      lines: [{ description: 'Reparación', quantity: 1, unitPrice: 50 }],
    })
    await world.issue(draft.id)
    const before = await world.run('privacy.preview', { subject: { contactId } })
    expect(before.findings.filter(({ area }) => area === 'documents')).toEqual([])
    await world.call('privacy.export', { subject: { contactId }, language: 'es' })
    const after = await world.run('privacy.preview', { subject: { contactId } })
    expect(after.findings.filter(({ area }) => area === 'documents')).toMatchObject([
      { count: 1, fate: 'keep' },
    ])
    expect(after.hash).toBe(before.hash)
    const erased = await world.call('privacy.erase', { subject: { contactId }, hash: before.hash })
    expect(erased.status).toBe(200)
  })

  test('has an audit entry of the erasure with counts, never with content', async () => {
    const contactId = await plantLittle(world)
    await erase({ contactId })
    const { items } = await world.run('audit.list', {})
    const told = items.find(({ action }) => action === 'privacy.erased')
    expect(told?.target).toMatchObject({ type: 'contact', id: contactId })
    expect(told?.target?.label).toMatch(/^-\d+ =\d+$/)
  })

  const PLANTED = { little: plantLittle, everything: plant }
  test.each(swept(Object.entries(PLANTED), ([what]) => what === 'little'))(
    'of the same name and another number is left unchanged (%s planted)',
    async (_what, planting) => {
      const contactId = await planting(world)
      const other = await world.run('contacts.create', {
        name: NAME,
        nif: 'B87654323',
        notes: 'Otra persona',
      })
      const draft = await world.createDraft({
        clientName: NAME,
        clientNif: 'B87654323',
        clientId: other.id,
      })
      await erase({ contactId })
      expect((await world.run('contacts.get', { id: other.id })).notes).toBe('Otra persona')
      expect((await world.run('invoices.get', { id: draft.id })).clientName).toBe(NAME)
    },
  )

  test('whose contact was merged into another loses what was learned under both numbers, and nobody else does', async () => {
    const first = await createContact(world)
    const second = await world.run('contacts.create', { name: `${NAME} Bis`, nif: '87654321X' })
    for (const nif of [NIF, '87654321X', 'B87654323']) await plantMemory(world, nif)
    await world.run('contacts.merge', { id: first.id, otherId: second.id })
    const memoryOf = async (id: string) => (await world.run('received.memory', { id })).memory
    expect(await memoryOf(first.id)).toMatchObject({ nif: NIF, documents: 1 })
    const exported = await world.run('privacy.preview', { subject: { contactId: first.id } })
    expect(exported.findings.filter(({ area }) => area === 'supplierMemory')).toMatchObject([
      { fate: 'erase', count: 2 },
    ])
    await erase({ contactId: first.id })
    expect(await memoryOf(NIF)).toBeNull()
    expect(await memoryOf('87654321X')).toBeNull()
    expect(await memoryOf('B87654323')).toMatchObject({ documents: 1 })
  })

  test('whose documents wait or are entered loses them with their files, but for the file of an entry', async () => {
    const contact = await createContact(world)
    const paper = (number: string, name = NAME) => ({
      name: `papel-${number}.txt`,
      content: base64(
        `${name}\nNIF ${name === NAME ? NIF : 'B58818501'}\nFactura nº ${number}\nFecha: 20/06/2026\nBase imponible 21% 100,00\nCuota IVA 21,00\nTotal a pagar 121,00 EUR`,
      ),
    })
    const [waits, entered, others] = [
      await world.run('incoming.add', paper('A-1')),
      await world.run('incoming.add', paper('A-2')),
      await world.run('incoming.add', paper('B-1', 'Ferretería Luna, S.L.')),
    ]
    await readIncoming(world)
    const { input } = await world.run('incoming.get', { id: entered.id })
    const { received } = await world.run('incoming.enter', { id: entered.id, input: input! })
    const preview = await world.run('privacy.preview', { subject: { contactId: contact.id } })
    expect(preview.findings.filter(({ area }) => area === 'incoming')).toMatchObject([
      { fate: 'erase', count: 2 },
    ])
    await erase({ contactId: contact.id })
    const { items } = await world.run('incoming.list', {})
    expect(items.map(({ id }) => id)).toEqual([others.id])
    expect((await world.run('received.get', { id: received.id })).attachments).toHaveLength(1)
    const gone = world.run('attachments.download', { id: waits.attachments[0]!.id })
    await expect(gone).rejects.toMatchObject({ code: 'not_found' })
  })

  test('of whom only the memory of a document is left is found and erased', async () => {
    await plantMemory(world)
    const [someone] = (await world.run('privacy.find', { text: PHRASE })).people
    expect(someone).toMatchObject({ nif: NIF, kind: 'elsewhere' })
    const { hash } = await world.run('privacy.preview', { subject: someone!.subject })
    await world.run('privacy.erase', { subject: someone!.subject, hash })
    expect(await tablesWith(world, PHRASE)).toEqual([])
  })

  test('who is not a contact is found by number, name and mail', async () => {
    await world.createDraft({ clientName: NAME, clientNif: NIF, clientId: null })
    const byName = await world.run('privacy.find', { text: PHRASE })
    expect(byName.people).toEqual([
      { subject: { nif: NIF, name: NAME }, name: NAME, nif: NIF, email: null, kind: 'elsewhere' },
    ])
    const [someone] = (await world.run('privacy.find', { text: '12.345.678-Z' })).people
    expect(someone?.nif).toBe(NIF)
    const { hash, findings } = await world.run('privacy.preview', { subject: someone!.subject })
    expect(findings.filter(({ area }) => area === 'drafts')).toMatchObject([{ fate: 'erase', count: 1 }])
    await world.run('privacy.erase', { subject: someone!.subject, hash })
    expect((await world.run('privacy.find', { text: PHRASE })).people).toEqual([])
  })

  test('who exists only in the accounting system is found, shown and erased', async () => {
    await plantElsewhere(world)
    const { people } = await world.run('privacy.find', { text: PHRASE })
    expect(people.length).toBeGreaterThan(0)
    expect(people[0]).toMatchObject({ name: NAME, nif: NIF, kind: 'elsewhere' })
    const [someone] = (await world.run('privacy.find', { text: NIF })).people
    const { hash, findings } = await world.run('privacy.preview', { subject: someone!.subject })
    expect(findings.filter(({ area }) => area === 'erp')).toMatchObject([{ fate: 'erase', count: 15 }])
    expect((await world.run('privacy.find', { text: PHRASE }, { book: 'live' })).people).toEqual([])
    await world.run('privacy.erase', { subject: someone!.subject, hash })
    expect(await tablesWith(world, PHRASE)).toEqual([])
    expect((await world.run('privacy.find', { text: PHRASE })).people).toEqual([])
  })

  test('can be unblocked, and what was erased does not come back', async () => {
    const contactId = await plantLittle(world)
    await world.issue((await world.createDraft({ clientName: NAME, clientNif: NIF, clientId: contactId })).id)
    await erase({ contactId })
    await world.run('privacy.lift', { contactId, reason: 'customer_again' })
    expect(await world.run('contacts.get', { id: contactId })).toMatchObject({
      name: NAME,
      nif: NIF,
      email: null,
      notes: null,
    })
    expect((await world.call('privacy.lift', { contactId, reason: 'by_mistake' })).body.error.code).toBe(
      'not_found',
    )
    expect((await world.run('audit.list', {})).items[0]).toMatchObject({
      action: 'privacy.block_lifted',
      target: { label: 'customer_again' },
    })
  })

  test('gets a ZIP that opens and contains the page, the data and the documents', async () => {
    const contactId = await plant(world)
    const { number } = await plantKept(world, contactId)
    const answer = await world.call('privacy.export', { subject: { contactId }, language: 'es' })
    expect(answer.headers['content-type']).toBe('application/zip')
    const files = unzipSync(answer.raw.rawPayload)
    const names = Object.keys(files)
    expect(names).toEqual(
      expect.arrayContaining([
        'resumen.html',
        'datos/contact.json',
        'datos/quotes.json',
        'datos/mails.json',
        'datos/issued.json',
        'datos/received.json',
        'datos/bank.json',
        'datos/erp.json',
        `facturas/${number}.pdf`,
        `archivos/recibidas/${PHRASE}.txt`,
      ]),
    )
    expect(names.every((name) => !name.includes('..') && !name.startsWith('/'))).toBe(true)
    const read = (name: string) => strFromU8(files[name] ?? new Uint8Array())
    expect(read(`facturas/${number}.pdf`)).toMatch(/^%PDF-/)
    expect(JSON.parse(read('datos/contact.json'))[0]).toMatchObject({
      id: contactId,
      name: NAME,
      nif: NIF,
      iban: THEIR_IBAN,
    })
    expect(JSON.parse(read('datos/issued.json'))[0]).toMatchObject({
      number,
      customer: { name: NAME },
      lines: [{ description: `Reparación ${PHRASE}` }],
    })
    const elsewhere = JSON.parse(read('datos/erp.json')) as Record<string, unknown>[]
    expect(elsewhere).toHaveLength(1 + 8 + 5 + 1)
    expect(JSON.stringify(elsewhere).split(NIF).length).toBeGreaterThan(1)
    expect(read('resumen.html')).toContain('Código de Comercio')
    expect(read('resumen.html')).toContain('31/12/2032')
    expect((await world.run('audit.list', {})).items[0]).toMatchObject({ action: 'privacy.exported' })
  })

  test('sees all typed text escaped on the page', async () => {
    const contact = await world.run('contacts.create', { name: '<img src=x onerror=alert(1)>' })
    const answer = await world.call('privacy.export', { subject: { contactId: contact.id }, language: 'en' })
    const page = strFromU8(unzipSync(answer.raw.rawPayload)['summary.html'] ?? new Uint8Array())
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(page).not.toContain('<img')
  })

  test('is out of reach of every key', async () => {
    const { actor } = await keyActor(world)
    for (const name of [
      'privacy.find',
      'privacy.preview',
      'privacy.erase',
      'privacy.export',
      'privacy.blocked',
      'privacy.lift',
    ] as const)
      await expect(world.run(name, {} as never, { actor }), name).rejects.toMatchObject({ code: 'not_found' })
    expect((await world.get('/api/v1/privacy')).status).toBe(404)
  })
})

async function keyActor(world: World) {
  const { id } = await world.makeKey()
  const { rows } = await sql<{
    id: number
  }>`select id from api_keys where public_id = ${id}`.execute(world.env.store.reader)
  return {
    actor: {
      kind: 'key' as const,
      companyId: 1,
      rowId: rows[0]?.id ?? -1,
      id,
      rootId: id,
      name: 'clave',
      prefix: 'x',
      scopes: ['invoices.read', 'invoices.write', 'audit.read'] as const,
      approval: 'never' as const,
      assistant: false,
      expiresAt: null,
      perDay: null,
      centsPerDay: null,
    },
  }
}
