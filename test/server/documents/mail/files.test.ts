/** The mail as a file, templates, permissions, and hostile input. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DOCUMENT_LANGUAGES } from '../../../../server/domain/languages.ts'
import type { DocumentLanguage } from '../../../../server/domain/languages.ts'
import {
  fillTemplate,
  placeholdersOf,
  unknownPlaceholders,
} from '../../../../server/documents/mail/default-templates.ts'
import { inLongRun } from '../../../support/sweep.ts'
import { needs } from '../../../support/tools.ts'
import {
  accountAt,
  invoiceWithMail,
  liveQuote,
  openMailWorld,
  openPostOffice,
  OWN,
  parse,
  sendDue,
} from './post-office.ts'

const READ_MAIL = `
import sys, json, hashlib
from email import policy
from email.parser import BytesParser
m = BytesParser(policy=policy.default).parsebytes(open(sys.argv[1], 'rb').read())
parts = [{'name': p.get_filename(), 'type': p.get_content_type(), 'sha256': hashlib.sha256(p.get_payload(decode=True)).hexdigest()} for p in m.iter_attachments()]
print(json.dumps({'subject': m['subject'], 'to': m['to'], 'from': m['from'], 'bcc': m['bcc'], 'unsent': m['x-unsent'],
  'body': m.get_body().get_content(), 'parts': parts, 'headers': sorted(set(k.lower() for k in m.keys()))}))
`

test('without an account the mail is a file that any mail program opens, with the stored PDF', async () => {
  const world = await openMailWorld()
  const { invoice, draft, input } = await invoiceWithMail(world)
  expect(draft.canSend).toBe(false)
  expect((await world.call('mail.send', input)).body.error.code).toBe('mail_not_configured')

  const file = await world.run('mail.file', { ...input, subject: 'Tu factura: «ñandú» €' })
  expect(file.fileName).toBe(`${invoice.number}.eml`)
  const { bytes: pdf, sha256 } = await world.run('invoices.pdf', { id: invoice.id })
  const mail = await parse(file.bytes)
  expect(mail.subject).toBe('Tu factura: «ñandú» €')
  expect(mail.headers.find(({ key }) => key === 'x-unsent')?.value).toBe('1')
  expect(Buffer.from(mail.attachments[0]!.content as ArrayBuffer).equals(Buffer.from(pdf))).toBe(true)

  const { items } = await world.run('mail.ofInvoice', { id: invoice.id })
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({ state: 'handed', channel: 'program', attempts: 0, actions: [] })
  expect(items[0]?.attachments).toEqual([
    { name: `${invoice.number}.pdf`, mediaType: 'application/pdf', size: pdf.byteLength, sha256 },
  ])
  expect(await sendDue(world)).toBe(0)
})

test('the data of an invoice and its reply page go along as the customer receives them, or on request', async () => {
  const world = await openMailWorld()
  const address = {
    street: 'Plaza Mayor, 1',
    postalCode: '06700',
    city: 'Villanueva',
    province: 'Badajoz',
    country: 'ES',
  }
  const invoice = await world.issue((await world.createDraft({ client: { address } })).id)
  const about = { kind: 'invoice' as const, ids: [invoice.id] }
  const draft = await world.run('mail.prepare', about)
  expect(draft.attachments).toEqual([
    { name: `${invoice.number}.pdf`, mediaType: 'application/pdf', isExtra: false },
    { name: `${invoice.number}.xml`, mediaType: 'application/xml', isExtra: true },
    { name: `${invoice.number}-cii.xml`, mediaType: 'application/xml', isExtra: true },
    { name: `${invoice.number}-ubl.xml`, mediaType: 'application/xml', isExtra: true },
    { name: `${invoice.number}-ubl25.xml`, mediaType: 'application/xml', isExtra: true },
    { name: `${invoice.number}-respuesta.html`, mediaType: 'text/html', isExtra: true },
  ])
  const input = { ...about, to: draft.to, subject: draft.subject, body: draft.body }
  const names = async (more: object): Promise<(string | null)[]> => {
    const file = await world.run('mail.file', { ...input, ...more })
    return (await parse(file.bytes)).attachments.map(({ filename }) => filename)
  }
  expect(await names({})).toEqual([`${invoice.number}.pdf`])
  const all = draft.attachments.map(({ name }) => name)
  expect(await names({ attachments: all })).toEqual(all)

  const contact = await world.run('contacts.create', {
    name: 'Ana Ruiz Gil',
    nif: '12345678Z',
    address,
    invoiceEnclosures: ['ubl', 'reply_page', 'ubl'],
  })
  expect(contact.invoiceEnclosures).toEqual(['ubl', 'reply_page'])
  const second = await world.issue((await world.createDraft({ clientId: contact.id })).id)
  const usual = await world.run('mail.prepare', { kind: 'invoice', ids: [second.id] })
  expect(usual.attachments.filter(({ isExtra }) => !isExtra).map(({ name }) => name)).toEqual([
    `${second.number}.pdf`,
    `${second.number}-ubl.xml`,
    `${second.number}-respuesta.html`,
  ])
  const file = await world.run('mail.file', {
    kind: 'invoice',
    ids: [second.id],
    to: usual.to,
    subject: usual.subject,
    body: usual.body,
  })
  const sent = (await parse(file.bytes)).attachments
  const { bytes } = await world.run('invoices.pdf', { id: second.id, format: 'ubl' })
  expect(Buffer.from(sent[1]!.content as ArrayBuffer).equals(Buffer.from(bytes))).toBe(true)
  const { page } = await world.run('replies.page', { id: second.id })
  expect(Buffer.from(sent[2]!.content as ArrayBuffer).toString('utf8')).toBe(page)
  const none = await world.run('contacts.update', { id: contact.id, invoiceEnclosures: [] })
  expect(none.invoiceEnclosures).toEqual([])
})

test('a customer gets UBL 2.5 and UBL 2.1; an invoice that cannot have one says why, and no mail goes half', async () => {
  const world = await openMailWorld()
  const address = {
    street: 'Calle Mayor, 1',
    postalCode: '28013',
    city: 'Madrid',
    province: 'Madrid',
    country: 'ES',
  }
  const contact = await world.run('contacts.create', {
    name: 'Cliente Dos, S.L.',
    nif: 'B87654323',
    address,
    invoiceEnclosures: ['ubl25', 'ubl'],
  })
  expect(contact.invoiceEnclosures).toEqual(['ubl25', 'ubl'])
  const draftFor = async (changes: object = {}) =>
    world.issue((await world.createDraft({ clientId: contact.id, ...changes })).id)
  const whole = await draftFor()
  const draft = await world.run('mail.prepare', { kind: 'invoice', ids: [whole.id] })
  expect(draft.lacking).toEqual([])
  const mail = (from: typeof draft, id: string) => ({
    kind: 'invoice' as const,
    ids: [id],
    to: from.to,
    subject: from.subject,
    body: from.body,
  })
  const { attachments } = await parse((await world.run('mail.file', mail(draft, whole.id))).bytes)
  expect(attachments.map(({ filename }) => filename)).toEqual([
    `${whole.number}.pdf`,
    `${whole.number}-ubl.xml`,
    `${whole.number}-ubl25.xml`,
  ])
  const xmlOf = (index: number): string => Buffer.from(attachments[index]!.content as ArrayBuffer).toString()
  expect(xmlOf(1)).toContain('urn:cen.eu:en16931:2017')
  expect(xmlOf(2)).toContain('urn:cen.eu:en16931:2026')

  const german = await world.run('contacts.create', {
    name: 'Kunde GmbH',
    nif: 'DE136695976',
    idType: '02',
    address: { street: 'Unter den Linden 5', postalCode: '10117', city: 'Berlin', country: 'DE' },
    invoiceEnclosures: ['ubl25', 'ubl'],
  })
  const abroad = await draftFor({
    clientId: german.id,
    clientName: german.name,
    clientNif: german.nif,
  })
  const lacks = await world.run('mail.prepare', { kind: 'invoice', ids: [abroad.id] })
  expect(lacks.lacking).toEqual([{ format: 'ubl25', why: 'customer_outside_spain' }])
  const before = await world.run('mail.list', {})
  await expect(world.run('mail.file', mail(lacks, abroad.id))).rejects.toMatchObject({
    code: 'format_unavailable',
    field: 'attachments',
    details: { format: 'ubl25', why: 'customer_outside_spain' },
  })
  expect((await world.run('mail.list', {})).items).toHaveLength(before.items.length)
  // A person who knows it names what goes.
  const named = await world.run('mail.file', {
    ...mail(lacks, abroad.id),
    attachments: [`${abroad.number}.pdf`],
  })
  expect((await parse(named.bytes)).attachments).toHaveLength(1)
})

inLongRun(needs('python3'))('another reader of mails reads the same', async () => {
  const world = await openMailWorld()
  const { invoice, draft, input } = await invoiceWithMail(world)
  const file = await world.run('mail.file', { ...input, subject: 'Tu factura: «ñandú» €' })
  const { sha256 } = await world.run('invoices.pdf', { id: invoice.id })
  const folder = mkdtempSync(join(tmpdir(), 'sello-mail-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'mail.eml'), file.bytes)
  const read = JSON.parse(
    execFileSync('python3', ['-c', READ_MAIL, join(folder, 'mail.eml')], { encoding: 'utf8' }),
  ) as Record<string, unknown>
  expect(read).toMatchObject({
    subject: 'Tu factura: «ñandú» €',
    to: OWN,
    unsent: '1',
    parts: [{ name: `${invoice.number}.pdf`, type: 'application/pdf', sha256 }],
  })
  expect(String(read.body).replaceAll('\r\n', '\n').trim()).toBe(draft.body)
})

test('the file is returned as a mail, and only to the window', async () => {
  const world = await openMailWorld()
  const { input } = await invoiceWithMail(world)
  const { raw } = await world.call('mail.file', input)
  expect(raw.statusCode).toBe(200)
  expect(raw.headers['content-type']).toBe('message/rfc822')
  expect(raw.headers['content-disposition']).toMatch(/^attachment; filename="T-F2026-0001\.eml"$/)

  // An API key can only prepare and read: operations that send have no address.
  const prepared = await world.post('/api/v1/mails/prepare', { kind: 'invoice', ids: input.ids })
  expect(prepared.status).toBe(200)
  expect(prepared.body.data.to).toEqual([OWN])
  for (const path of ['/api/v1/mails', '/api/v1/mails/send', '/api/v1/mail/account'])
    expect((await world.post(path, input)).status).toBe(404)
})

test('a header accepts no second line, a recipient no second address, a file name no path', async () => {
  const world = await openMailWorld()
  const { input } = await invoiceWithMail(world)
  const faults = async (changes: object): Promise<string[]> => {
    const { body } = await world.call('mail.file', { ...input, ...changes })
    return (body?.error?.details?.faults ?? []).map(
      (one: { field: string; code: string }) => `${one.field}: ${one.code}`,
    )
  }
  for (const text of ['a\r\nBcc: x@y.example', 'a\nX: 1', 'a\rb', 'a\u0000b', 'a\u202eb'])
    expect(await faults({ subject: text })).toHaveLength(1)
  for (const address of [
    'a@b.example\r\nBcc: x@y.example',
    'a@b.example, x@y.example',
    'Ana <a@b.example>',
    'a@b.example>',
    '"a b"@b.example',
    'a@b.example\u0000',
    'a@b',
    '',
  ])
    expect(await faults({ to: [address] })).toEqual(['to[0]: wrong_format'])
  expect(await faults({ to: [] })).toEqual(['to: too_small'])
  expect(await faults({ to: Array.from({ length: 21 }, (_, i) => `a${i}@b.example`) })).toEqual([
    'to: too_big',
  ])
  expect(await faults({ attachments: ['../../etc/passwd'] })).toEqual(['attachments[0]: not_allowed'])
  expect((await world.run('mail.list', {})).items).toEqual([])

  // Text that looks like headers stays text, and a name full of special characters stays one name.
  const client = 'Ana "la" <x@y.example>, S.L.; Bcc: z@y.example'
  await world.run('mail.saveAccount', { channel: 'program', fromName: client, fromAddress: OWN })
  const file = await world.run('mail.file', { ...input, body: 'Hola\n\nBcc: x@y.example\n.\nQUIT' })
  const mail = await parse(file.bytes)
  expect(mail.from).toEqual({ address: OWN, name: client })
  expect(mail.to).toEqual([{ address: OWN, name: '' }])
  expect(mail.bcc).toBeUndefined()
  expect(mail.text?.replaceAll('\r\n', '\n').trim()).toBe('Hola\n\nBcc: x@y.example\n.\nQUIT')
})

test('a test book writes to the company alone, through every channel', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const { input } = await invoiceWithMail(world)
  for (const name of ['mail.send', 'mail.file']) {
    for (const changes of [{ to: ['ana@cliente.example'] }, { cc: ['ana@cliente.example'] }]) {
      const { body } = await world.call(name, { ...input, ...changes })
      expect(body.error).toMatchObject({
        code: 'mail_test_recipient',
        details: { own: [OWN], strangers: ['ana@cliente.example'] },
      })
    }
  }
  await world.run('mail.send', { ...input, to: [OWN.toUpperCase()] })
  await sendDue(world)
  expect(office.received).toHaveLength(1)
})

test('several invoices go to their customers, and each one that cannot be sent states why', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const first = await world.issue((await world.createDraft()).id)
  const second = await world.issue((await world.createDraft()).id)
  const draft = await world.createDraft()
  const answer = await world.run('mail.sendMany', {
    ids: [first.id, draft.id, second.id, 'inv_0000000000000000', first.id],
  })
  expect(answer.queued.map(({ invoiceId }) => invoiceId)).toEqual([first.id, second.id])
  expect(answer.refused.map(({ invoiceId, code }) => [invoiceId, code])).toEqual([
    [draft.id, 'mail_not_issued'],
    ['inv_0000000000000000', 'not_found'],
  ])
  expect(await sendDue(world)).toBe(2)
  const subjects = await Promise.all(office.received.map(async ({ raw }) => (await parse(raw)).subject))
  expect(subjects).toEqual([first, second].map(({ number }) => `Factura ${number} de Talleres Ejemplo, S.L.`))
})

test('a quote that nobody has seen gets its number when it is sent, and its document shows it', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const { quote, draft, input } = await liveQuote(world)
  expect(quote.number).toBeNull()
  expect(draft.to).toEqual(['ana@cliente.example'])
  const mail = await world.run(
    'mail.send',
    { ...input, attachments: [draft.attachments[0]!.name] },
    { book: 'live' },
  )
  const after = await world.run('quotes.get', { id: quote.id }, { book: 'live' })
  expect(after.state).toBe('sent')
  expect(draft.subject).toBe('Presupuesto de Talleres Ejemplo, S.L.')
  expect(mail.subject).toBe(`Presupuesto ${after.number} de Talleres Ejemplo, S.L.`)
  expect(mail.body).toContain(`: Presupuesto ${after.number} del `)
  expect(mail.attachments.map(({ name }) => name)).toEqual([`${after.number}.pdf`])
  expect(mail.documents).toEqual([{ type: 'quote', id: quote.id, number: after.number }])
  await sendDue(world)
  expect((await world.run('mail.ofQuote', { id: quote.id }, { book: 'live' })).items[0]?.state).toBe('sent')
  expect(office.received[0]?.to).toEqual(['ana@cliente.example'])
  // A mail of another book counts as missing.
  expect((await world.call('mail.ofQuote', { id: quote.id })).body.error.code).toBe('not_found')
})

test('a sent reminder is recorded as one, with the letter as its text', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run('mail.saveAccount', accountAt(office.port))
  const late = await world.issue(
    (await world.createDraft({ issueDate: '2026-07-01', dueDate: '2026-07-31' })).id,
  )
  world.setTime('2026-09-15T10:00:00+02:00')
  const about = { kind: 'reminder' as const, ids: [late.id], level: 2 }
  const draft = await world.run('mail.prepare', about)
  const letter = await world.run('payments.previewReminder', { invoiceIds: [late.id], level: 2 })
  expect(draft).toMatchObject({ level: 2, subject: letter.subject, body: letter.text })
  await world.run('mail.send', { ...about, to: draft.to, subject: draft.subject, body: draft.body })
  const reminders = () => world.run('payments.remindersOf', { id: late.id })
  expect((await reminders()).items).toEqual([])
  await sendDue(world)
  expect((await reminders()).items.map(({ level, channel }) => [level, channel])).toEqual([[2, 'email']])
  expect((await parse(office.received[0]!.raw)).attachments).toHaveLength(1)
})

test('a statement is sent as a spreadsheet', async () => {
  const world = await openMailWorld()
  const contact = await world.run('contacts.create', {
    name: 'Ana Ruiz Gil',
    nif: '12345678Z',
    email: 'ana@cliente.example',
    language: 'en',
  })
  await world.issue((await world.createDraft({ clientId: contact.id })).id)
  const draft = await world.run('mail.prepare', { kind: 'statement', ids: [contact.id] })
  expect(draft).toMatchObject({
    language: 'en',
    to: [OWN],
    subject: 'Statement of account from Talleres Ejemplo, S.L.',
  })
  expect(draft.body).toContain('€24.20')
  const file = await world.run('mail.file', {
    kind: 'statement',
    ids: [contact.id],
    to: draft.to,
    subject: draft.subject,
    body: draft.body,
  })
  const [sheet] = (await parse(file.bytes)).attachments
  expect(sheet).toMatchObject({ filename: draft.attachments[0]!.name, mimeType: 'text/csv' })
  expect(new TextDecoder().decode(sheet!.content as ArrayBuffer)).toContain('Saldo final')
})

test('an account that would reveal the password is rejected', async () => {
  const world = await openMailWorld()
  const save = async (changes: object): Promise<string[]> => {
    const { body } = await world.call('mail.saveAccount', { ...accountAt(2525), ...changes })
    return (body?.error?.details?.faults ?? []).map(
      (one: { field: string; code: string }) => `${one.field}: ${one.code}`,
    )
  }
  expect(await save({ host: 'smtp.proveedor.example' })).toEqual(['host: mail_host_outside'])
  expect(await save({ host: null, port: null })).toEqual(['host: required', 'port: required'])
  for (const host of ['a b', 'user@host', 'http://host/', '-x', 'host\nx'])
    expect(await save({ host })).toEqual(['host: wrong_format'])
  expect(await save({ security: 'plain' })).toEqual([])

  // The password stays while server and user stay; for any other it has to be entered again.
  const { password: _, ...known } = accountAt(2525, { security: 'plain' })
  expect((await world.run('mail.saveAccount', { ...known, fromName: 'Otro' })).hasPassword).toBe(true)
  for (const changes of [{ host: '127.0.0.2' }, { port: 2526 }, { user: 'otro' }, { security: 'tls' }])
    expect(await save({ ...changes, security: 'plain', ...changes, password: undefined })).toEqual([
      'password: required',
    ])

  // A real installation neither calls this computer nor sends unencrypted, whatever was saved before.
  world.env.sandbox = false
  expect((await world.call('mail.test', {})).body.error.code).toBe('mail_not_configured')
  expect(await save({ host: '127.0.0.1' })).toEqual(['host: mail_host_here'])
  expect(await save({ host: 'LOCALHOST', security: 'plain' })).toEqual([
    'host: mail_host_here',
    'security: mail_plain',
  ])
  expect(await save({ host: 'smtp.proveedor.example' })).toEqual([])
  const { version } = await world.run('mail.account', {})
  const { body } = await world.call('mail.saveAccount', { channel: 'program', expectedVersion: version - 1 })
  expect(body.error.code).toBe('version_conflict')
  await world.run('mail.saveAccount', { channel: 'program' })
  expect(await world.run('mail.account', {})).toMatchObject({ host: null, hasPassword: false })
})

test("the company's own templates are used, in the customer's language, until they are removed", async () => {
  const world = await openMailWorld()
  const own = {
    subject: 'Aquí va la {numero}',
    body: 'Hola {Cliente}\n\nVence el {vencimiento}\nTotal {total} {x y}',
  }
  const refused = await world.call('mail.saveTemplate', { kind: 'invoice', language: 'es', words: own })
  expect(refused.body.error.details.faults).toEqual([
    expect.objectContaining({
      code: 'mail_placeholder_unknown',
      field: 'words.body',
      params: { name: 'x y' },
    }),
  ])
  const words = { ...own, body: own.body.replace(' {x y}', '') }
  await world.run('mail.saveTemplate', { kind: 'invoice', language: 'es', words })
  const { draft, invoice } = await invoiceWithMail(world)
  expect(draft.subject).toBe(`Aquí va la ${invoice.number}`)
  expect(draft.body).toMatch(/^Hola Ana Ruiz Gil\n\n(?:Vence el .+\n)?Total 24,20\u00a0€$/)
  const english = await world.run('mail.prepare', { kind: 'invoice', ids: [invoice.id], language: 'en' })
  expect(english.subject).toBe(`Invoice ${invoice.number} from Talleres Ejemplo, S.L.`)
  const { items } = await world.run('mail.templates', {})
  expect(items).toHaveLength(6 * DOCUMENT_LANGUAGES.length)
  expect(items.filter(({ isOwn }) => isOwn).map(({ kind, language }) => [kind, language])).toEqual([
    ['invoice', 'es'],
  ])
  for (const { kind, subject, body } of items) expect(unknownPlaceholders(kind, subject + body)).toEqual([])
  const back = await world.run('mail.saveTemplate', { kind: 'invoice', language: 'es', words: null })
  expect(back.isOwn).toBe(false)
})

test('a language without a template uses the Spanish or the English one, with its own dates and amounts', async () => {
  const world = await openMailWorld()
  const { invoice } = await invoiceWithMail(world)
  const prepare = (language: DocumentLanguage) =>
    world.run('mail.prepare', { kind: 'invoice', ids: [invoice.id], language })
  const spanish = await prepare('es')
  const english = await prepare('en')
  for (const language of ['ca', 'eu', 'gl'] as const)
    expect(await prepare(language)).toMatchObject({ ...spanish, language, attachments: expect.any(Array) })
  for (const language of ['fr', 'de', 'pt'] as const)
    expect(await prepare(language)).toMatchObject({ ...english, language, attachments: expect.any(Array) })
  const words = { subject: 'Rechnung {number}', body: 'Betrag {total}, vom {date}' }
  const kept = await world.run('mail.saveTemplate', { kind: 'invoice', language: 'de', words })
  expect(kept).toMatchObject({ language: 'de', isOwn: true, placeholders: placeholdersOf('invoice', 'en') })
  const german = await prepare('de')
  expect(german.subject).toBe(`Rechnung ${invoice.number}`)
  expect(german.body).toMatch(/^Betrag 24,20\u00a0€, vom \d{1,2}\. \p{L}+ 2026$/u)
  expect(await prepare('fr')).toEqual({ ...english, language: 'fr', attachments: expect.any(Array) })
})

test('a fact never adds placeholders, and a line without facts is removed', () => {
  expect(
    fillTemplate('invoice', 'A {client} {número}\nVence {dueDate}\nB', {
      client: '{total}',
      number: '$& {client}',
    }),
  ).toBe('A {total} $& {client}\nB')
  expect(placeholdersOf('statement', 'es')).toEqual([
    'cliente',
    'empresa',
    'desde',
    'hasta',
    'saldo',
    'cuenta',
  ])
})
