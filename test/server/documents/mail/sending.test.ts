/** Mails are sent to a real server over verified TLS, with the stored document, and no password leaks. */
import { inEmbedded } from '../../../support/engines.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  accountAt,
  invoiceWithMail,
  openMailWorld,
  openPostOffice,
  OWN,
  parse,
  PASSWORD,
  sendDue,
} from './post-office.ts'
import { swept } from '../../../support/sweep.ts'

test('a mail about a ticket without a means of payment names no account, like its document', async () => {
  const world = await openMailWorld()
  const bodyOf = async (paymentMethod: 'transfer' | null): Promise<string> => {
    const { id } = await world.createDraft({ kind: 'F2', paymentMethod })
    const ticket = await world.issue(id)
    return (await world.run('mail.prepare', { kind: 'invoice', ids: [ticket.id] })).body
  }
  expect(await bodyOf(null)).not.toContain('ES9121000418450200051332')
  expect(await bodyOf('transfer')).toContain('ES9121000418450200051332')
})

test('an invoice is sent with its stored PDF, once, and both histories show it', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  await world.run(
    'mail.saveAccount',
    accountAt(office.port, { copyToSelf: true, replyTo: 'ana@talleres.example' }),
  )
  const { invoice, draft, input } = await invoiceWithMail(world)
  expect(draft).toMatchObject({
    to: [OWN],
    ownAddresses: [OWN, 'ana@talleres.example'],
    canSend: true,
    subject: `Factura ${invoice.number} de Talleres Ejemplo, S.L.`,
  })
  expect(draft.attachments.filter(({ isExtra }) => !isExtra)).toMatchObject([
    { name: `${invoice.number}.pdf`, mediaType: 'application/pdf' },
  ])
  expect(draft.body).toContain('por un total de 24,20\u00a0€')
  expect(draft.body).toContain('ES9121000418450200051332')
  const queued = await world.run('mail.send', input)
  expect(queued).toMatchObject({ state: 'queued', channel: 'smtp', attempts: 0, to: [OWN] })

  expect(await sendDue(world)).toBe(1)
  expect(await sendDue(world)).toBe(0)
  expect(office.received).toHaveLength(1)
  const [received] = office.received
  expect(received).toMatchObject({ from: OWN, to: [OWN], secure: true })
  const mail = await parse(received!.raw)
  expect(mail.subject).toBe(draft.subject)
  expect(mail.from).toEqual({ address: OWN, name: 'Talleres Ejemplo, S.L.' })
  expect(mail.replyTo).toEqual([{ address: 'ana@talleres.example', name: '' }])
  expect(mail.bcc).toBeUndefined()
  expect(mail.text?.replaceAll('\r\n', '\n').trim()).toBe(draft.body)
  expect(mail.messageId).toBe(`<${queued.id}@talleres.example>`)
  const { bytes, sha256 } = await world.run('invoices.pdf', { id: invoice.id })
  expect(mail.attachments).toHaveLength(1)
  expect(mail.attachments[0]).toMatchObject({
    filename: `${invoice.number}.pdf`,
    mimeType: 'application/pdf',
  })
  expect(Buffer.from(mail.attachments[0]!.content as ArrayBuffer).equals(Buffer.from(bytes))).toBe(true)

  const answer = await world.get(`/api/v1/invoices/${invoice.number}/mails`)
  expect(answer.body.data.items).toEqual([
    expect.objectContaining({
      id: queued.id,
      state: 'sent',
      attempts: 1,
      by: 'user',
      detail: expect.stringContaining('4711'),
      documents: [{ type: 'invoice', id: invoice.id, number: invoice.number }],
      attachments: [
        { name: `${invoice.number}.pdf`, mediaType: 'application/pdf', size: bytes.byteLength, sha256 },
      ],
      actions: [],
    }),
  ])
  const { history } = await world.run('invoices.get', { id: invoice.id })
  expect(history.map(({ action }) => action).slice(-2)).toEqual(['mail.queued', 'mail.sent'])
})

test('STARTTLS comes before the password, and a server without it gets no password', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice({ security: 'starttls' })
  await world.run('mail.saveAccount', accountAt(office.port, { security: 'starttls' }))
  expect(await world.run('mail.test', {})).toEqual({
    outcome: 'sent',
    to: OWN,
    reason: null,
    detail: expect.stringContaining('4711'),
  })
  expect(office.received[0]?.secure).toBe(true)
  expect((await world.run('mail.account', {})).testedAt).not.toBeNull()

  const plain = await openPostOffice({ security: 'plain' })
  await world.run('mail.saveAccount', accountAt(plain.port, { security: 'starttls' }))
  expect(await world.run('mail.test', {})).toMatchObject({ outcome: 'failed', reason: 'no_encryption' })
  expect(plain.logins).toBe(0)
  expect((await world.run('mail.account', {})).testedAt).toBeNull()
})

const strangers = [
  ['of another authority', { issuer: 'Otra autoridad' }, 'tls'],
  ['of another host', { hosts: ['correo.example'] }, 'tls'],
  ['of another authority after STARTTLS', { issuer: 'Otra autoridad' }, 'starttls'],
] as const
test.each(swept(strangers, ([name]) => name !== 'of another authority'))(
  'a server with a certificate %s gets no password and no mail',
  async (_name, wish, security) => {
    const world = await openMailWorld()
    const office = await openPostOffice({
      ...wish,
      hosts: 'hosts' in wish ? [...wish.hosts] : ['127.0.0.1'],
      security,
    })
    await world.run('mail.saveAccount', accountAt(office.port, { security }))
    const { input } = await invoiceWithMail(world)
    await world.run('mail.send', input)
    await sendDue(world)
    expect((await world.run('mail.list', {})).items[0]).toMatchObject({
      state: 'failed',
      reason: 'not_trusted',
    })
    expect(office.logins + office.received.length).toBe(0)
  },
)

test("a wrong password fails immediately, and the server's text about it is not repeated", async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  const wrong = 'otra-contraseña-secreta'
  await world.run('mail.saveAccount', accountAt(office.port, { password: wrong }))
  const { input } = await invoiceWithMail(world)
  const { id } = await world.run('mail.send', input)
  await sendDue(world)
  const { items, counts } = await world.run('mail.list', { open: true })
  expect(items[0]).toMatchObject({
    state: 'failed',
    reason: 'login_refused',
    attempts: 1,
    detail: expect.stringContaining('[secret]'),
    actions: ['again', 'discard'],
  })
  expect(counts).toEqual({ waiting: 0, failed: 1, unknown: 0 })

  // With the correct password the same mail is sent.
  await world.run('mail.saveAccount', accountAt(office.port))
  await world.run('mail.resolve', { id, decision: 'again' })
  await sendDue(world)
  expect(office.received).toHaveLength(1)
  expect((await world.run('mail.list', { open: true })).items).toEqual([])
})

inEmbedded(test)('no password appears in a file, the log or an answer', async () => {
  const world = await openMailWorld()
  const office = await openPostOffice()
  const account = await world.run('mail.saveAccount', accountAt(office.port))
  await world.run('mail.test', {})
  expect(JSON.stringify([account, await world.run('mail.account', {})])).not.toContain(PASSWORD)
  expect(account.hasPassword).toBe(true)
  const forms = [PASSWORD, Buffer.from(PASSWORD).toString('base64'), encodeURIComponent(PASSWORD)]
  const files = readdirSync(world.folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )
  expect(files.some(({ name }) => name.endsWith('-wal'))).toBe(true)
  for (const file of files) {
    const bytes = readFileSync(join(file.parentPath, file.name))
    for (const form of forms) expect(bytes.includes(Buffer.from(form))).toBe(false)
  }
  for (const form of forms) expect(world.logged.join('\n')).not.toContain(form)
  // Nor inside the store, whose content is plain once it is open.
  const row = await world.env.store.reader.selectFrom('mail_accounts').selectAll().executeTakeFirstOrThrow()
  expect(row.sealed_password).toMatch(/^v1\./)
  for (const form of forms) expect(JSON.stringify(row)).not.toContain(form)
  // A password sealed for one company cannot be opened for another.
  const place = `mail_accounts|sealed_password|${row.company_id}`
  expect(world.env.store.sealer.open(row.sealed_password ?? '', place).toString()).toBe(PASSWORD)
  expect(() => world.env.store.sealer.open(row.sealed_password ?? '', `${place}1`)).toThrow()
})
