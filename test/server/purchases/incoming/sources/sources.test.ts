/** Folders and mailboxes as a person sets them up: what is refused, what is kept secret, what the history says. */
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { faultOf } from '../../../../../server/purchases/incoming/sources/mailbox/connect.ts'
import { secretOf, verifySourceSecrets } from '../../../../../server/purchases/incoming/sources/sealed.ts'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import { inEmbedded } from '../../../../support/engines.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'
import { openSourceWorld } from './dovecot.ts'

type MailboxInput = NonNullable<InputOf<'incoming.addSource'>['mailbox']>
const PASSWORD = 'clave-muy-larga-del-buzón'

const mailbox = (changes: Partial<MailboxInput> = {}): MailboxInput => ({
  host: 'imap.proveedor.example',
  port: 993,
  user: 'ana@talleres.example',
  signIn: 'password',
  password: PASSWORD,
  ...changes,
})
const faultsOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const error = (await promise.catch((thrown: unknown) => thrown)) as {
    code?: string
    details?: { faults?: { code: string; field?: string }[] }
  }
  return error.details?.faults?.map(({ code, field }) => `${field}: ${code}`) ?? error.code
}
const add = (world: World, input: MailboxInput) =>
  world.run('incoming.addSource', { name: 'Correo', mailbox: input })

test('a mailbox is read in its own folder by default, and its password is sealed for its row', async () => {
  const world = await openWorld()
  const source = await add(world, mailbox())
  expect(source).toMatchObject({
    kind: 'mailbox',
    state: 'active',
    mailbox: { mailbox: 'Facturas', takes: 'all', isSignedIn: true, oauth: null },
    folder: null,
  })
  const shown = JSON.stringify([await world.run('incoming.sources', {}), await world.run('audit.list', {})])
  expect(shown).not.toContain(PASSWORD)
  const ctx = world.ctx()
  const row = await ctx.db.selectFrom('incoming_sources').selectAll().executeTakeFirstOrThrow()
  expect(`${row.settings}${row.sealed_secret}`).not.toContain(PASSWORD)
  expect(secretOf(ctx, row)).toEqual({ password: PASSWORD })
  expect(() => secretOf(ctx, { ...row, public_id: 'isr_other' })).toThrow()
  expect(await verifySourceSecrets(world.env)).toMatchObject({ checked: 1, faults: [] })
})

test('a password stays only with the server and user that it was typed for', async () => {
  const world = await openWorld()
  const { id, version } = await add(world, mailbox())
  const { password: _left, ...same } = mailbox()
  const renamed = await world.run('incoming.changeSource', {
    id,
    name: 'Otro nombre',
    mailbox: { ...same, mailbox: 'Compras' },
  })
  expect(renamed).toMatchObject({
    name: 'Otro nombre',
    version: version + 1,
    mailbox: { mailbox: 'Compras' },
  })
  for (const changes of [{ host: 'imap.malo.example' }, { user: 'otro@talleres.example' }, { port: 1993 }])
    expect(
      await faultsOf(world.run('incoming.changeSource', { id, mailbox: { ...same, ...changes } })),
    ).toEqual(['mailbox.password: required'])
  expect(
    await faultsOf(world.run('incoming.changeSource', { id, paused: true, expectedVersion: version })),
  ).toBe('version_conflict')
  await world.run('incoming.removeSource', { id })
  expect(await world.ctx().db.selectFrom('incoming_sources').selectAll().execute()).toEqual([])
})

test('this computer is no mail server, and of a sandbox only this computer is', async () => {
  const world = await openWorld()
  for (const host of ['127.0.0.1', 'localhost', 'correo.localhost', '::1'])
    expect(await faultsOf(add(world, mailbox({ host })))).toEqual(['mailbox.host: mail_host_here'])
  const oauth = {
    authorizeUrl: 'https://a.example/x',
    tokenUrl: 'http://a.example/t',
    clientId: 'c',
    scope: 's',
  }
  const sandbox = await openSourceWorld()
  expect(await faultsOf(add(sandbox, mailbox()))).toEqual(['mailbox.host: mail_host_outside'])
  if (world.env.servers === null) {
    expect(await faultsOf(add(world, mailbox({ signIn: 'oauth' })))).toEqual(['mailbox.oauth: required'])
    expect(await faultsOf(add(world, mailbox({ signIn: 'oauth', oauth })))).toEqual([
      'mailbox.oauth.tokenUrl: address_refused',
    ])
  } else
    expect(await faultsOf(add(world, mailbox({ signIn: 'oauth', oauth })))).toBe('incoming_source_desk_only')
})

test('an office has no folders of its users', async () => {
  const world = await openWorld()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sello-folder-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const adding = world.run('incoming.addSource', { name: 'Escáner', folder: { path: folder } })
  if (world.env.servers !== null) return expect(await faultsOf(adding)).toBe('incoming_source_desk_only')
  expect(await adding).toMatchObject({ kind: 'folder', folder: { path: folder } })
})

inEmbedded(test)('a folder is there, whole, and known by its real path', async () => {
  const world = await openWorld()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sello-folder-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'archivo'), '')
  const link = `${folder}-enlace`
  symlinkSync(folder, link)
  onTestFinished(() => rmSync(link))
  const adding = (path: string) => world.run('incoming.addSource', { name: 'Escáner', folder: { path } })
  expect(await faultsOf(adding('Documentos'))).toEqual(['folder.path: folder_relative'])
  expect(await faultsOf(adding(join(folder, 'nada')))).toEqual(['folder.path: folder_missing'])
  expect(await faultsOf(adding(join(folder, 'archivo')))).toEqual(['folder.path: folder_missing'])
  const { id, folder: added } = await adding(link)
  expect(added).toEqual({ path: folder })
  expect(await faultsOf(world.run('incoming.changeSource', { id, mailbox: mailbox() }))).toEqual([
    'mailbox: not_allowed',
  ])
  expect(await faultsOf(world.run('incoming.addSource', { name: 'Nada' }))).toEqual(['folder: choose_one'])
})

test('what a person does is in the history', async () => {
  const world = await openWorld()
  const { id } = await add(world, mailbox())
  await world.run('incoming.changeSource', { id, paused: true })
  await world.run('incoming.removeSource', { id })
  const { items } = await world.run('audit.list', {})
  expect(
    items
      .map(({ action }) => action)
      .filter((action) => action.startsWith('incoming.'))
      .toSorted(),
  ).toEqual(['incoming.source_added', 'incoming.source_changed', 'incoming.source_removed'])
})

test.each([
  [{ code: 'ENOTFOUND' }, 'host_unknown'],
  [{ code: 'EAI_AGAIN' }, 'unreachable'],
  [{ code: 'ECONNREFUSED' }, 'unreachable'],
  [{ code: 'CONNECT_TIMEOUT' }, 'timeout'],
  [{ code: 'CERT_HAS_EXPIRED' }, 'not_trusted'],
  [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'no_encryption'],
  [{ authenticationFailed: true, serverResponseCode: 'AUTHENTICATIONFAILED' }, 'login_refused'],
  [{ authenticationFailed: true, serverResponseCode: 'UNAVAILABLE' }, 'try_later'],
  [{ mailboxMissing: true }, 'mailbox_missing'],
  [{ code: 'NoConnection' }, 'connection_lost'],
])('an error %j is told as %s, without the password', (error, why) => {
  const server = { host: 'x', port: 993, user: 'u', login: { password: PASSWORD } }
  const thrown = Object.assign(new Error('failed'), error, { responseText: `Bad\u0007 ${PASSWORD}` })
  const fault = faultOf(thrown, server)
  expect(fault).toMatchObject({ why, detail: 'Bad [secret]' })
})
