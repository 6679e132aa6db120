/** Sets folders and mailboxes up, changes, pauses and removes them. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { normalizeText } from '../../../domain/text.ts'
import { orNotFound, purgeSecret } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { checkedUrl, HttpClientFault } from '../../../platform/http-client/exchange.ts'
import { isLoopback } from '../../../platform/http-client/addresses.ts'
import type {
  addSourceContract,
  changeSourceContract,
  FolderSettings,
  listSourcesContract,
  MailboxInput,
  MailboxSettings,
  removeSourceContract,
  SourceView,
} from './contract.ts'
import { folderPath } from './folder/place.ts'
import {
  changeSourceRow,
  countDocuments,
  deleteSource,
  findSource,
  folderOf,
  insertSource,
  mailboxOf,
  positionOf,
  sourcesOfBook,
} from './rows.ts'
import type { SourceRow } from './rows.ts'
import { sealSecret, secretOf } from './sealed.ts'
import type { SourceSecret } from './sealed.ts'

/** Returns true if this process has the books on its own computer. */
function isHere(ctx: Ctx): boolean {
  return ctx.env.servers === null
}

/** Throws `incoming_source_desk_only` in an office: its servers have neither the user's folders nor a browser. */
export function assertHere(ctx: Ctx): void {
  if (!isHere(ctx)) throw new AppError('incoming_source_desk_only')
}

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** Returns a source as a person sees it: no secret is part of it. */
export async function sourceView(ctx: Ctx, row: SourceRow): Promise<SourceView> {
  return {
    id: row.public_id,
    kind: row.kind,
    name: row.name,
    state: row.state,
    why: row.why as SourceView['why'],
    checkedAt: instant(row.checked_at),
    nextAt: row.state === 'paused' ? null : instant(row.next_at),
    documents: await countDocuments(ctx, row.id),
    left: positionOf(row).left ?? [],
    folder: row.kind === 'folder' ? folderOf(row) : null,
    mailbox: row.kind === 'mailbox' ? { ...mailboxOf(row), isSignedIn: isSignedIn(ctx, row) } : null,
    version: row.version,
  }
}

function isSignedIn(ctx: Ctx, row: SourceRow): boolean {
  const { password, refreshToken } = secretOf(ctx, row)
  return (mailboxOf(row).signIn === 'oauth' ? refreshToken : password) !== undefined
}

export const listSources: UseCase<typeof listSourcesContract> = async (ctx) => {
  const items: SourceView[] = []
  for (const row of await sourcesOfBook(ctx)) items.push(await sourceView(ctx, row))
  return { items, here: isHere(ctx), sandbox: ctx.env.sandbox }
}

/** Writes the history and notifies the window. */
export async function recordSource(ctx: Ctx, action: string, row: SourceRow): Promise<void> {
  const target = { type: 'incoming_source', id: row.public_id, label: row.name }
  await recordAudit(ctx, { action, target })
  await notifySource(ctx, row)
}

export async function notifySource(ctx: Ctx, row: SourceRow): Promise<void> {
  await emitEvent(ctx, 'incoming.source_changed', { sourceId: row.public_id, state: row.state })
}

const fault = (code: string, field: string, message: string, fix?: string): Fault => ({
  code,
  field,
  severity: 'error',
  message,
  ...(fix === undefined ? {} : { fix }),
})

const required = (field: string): Fault => fault('required', field, 'This field is required.')

/** Returns true if a host is a name or address of this computer itself. */
export function isHostHere(host: string): boolean {
  return isLoopback(host) || /^(?:.+\.)?localhost\.?$/i.test(host)
}

function mailboxFaults(ctx: Ctx, { host, signIn, oauth }: MailboxInput): Fault[] {
  const faults: Fault[] = []
  const { sandbox } = ctx.env
  if (isHostHere(host) !== sandbox)
    faults.push(
      sandbox
        ? fault(
            'mail_host_outside',
            'mailbox.host',
            'A sandbox calls only servers on this computer.',
            'Use 127.0.0.1 or localhost.',
          )
        : fault(
            'mail_host_here',
            'mailbox.host',
            'That is this computer, not a mail server.',
            'Use the server your mail provider names.',
          ),
    )
  if (signIn === 'password') return faults
  if (oauth === null) return [...faults, required('mailbox.oauth')]
  for (const name of ['authorizeUrl', 'tokenUrl'] as const)
    try {
      checkedUrl(oauth[name], sandbox ? 'here' : 'public')
    } catch (error) {
      if (!(error instanceof HttpClientFault)) throw error
      faults.push(
        fault(
          'address_refused',
          `mailbox.oauth.${name}`,
          'This address cannot be called.',
          'Use the https address that the provider names.',
        ),
      )
    }
  return faults
}

function mailboxSettings(input: MailboxInput): MailboxSettings {
  const { host, port, user, mailbox, takes, signIn, oauth } = input
  return {
    host: host.toLowerCase(),
    port,
    user: user.trim(),
    mailbox: normalizeText(mailbox),
    takes,
    signIn,
    oauth: signIn === 'oauth' ? oauth : null,
  }
}

/** A secret never reaches another server than the one it was entered for. */
function isSameLogin(before: MailboxSettings, after: MailboxSettings): boolean {
  return (
    before.host === after.host &&
    before.port === after.port &&
    before.user === after.user &&
    before.signIn === after.signIn &&
    JSON.stringify(before.oauth) === JSON.stringify(after.oauth)
  )
}

/** Returns the new secret of a mailbox; throws `validation_failed` if it has to be typed again. */
function secretAfter(input: MailboxInput, kept: SourceSecret): SourceSecret {
  if (input.signIn === 'oauth') {
    const { clientSecret = kept.clientSecret } = input
    return {
      ...(clientSecret === undefined ? {} : { clientSecret }),
      ...(kept.refreshToken === undefined ? {} : { refreshToken: kept.refreshToken }),
    }
  }
  const { password = kept.password } = input
  if (password === undefined) throw validationFailed([required('mailbox.password')])
  return { password }
}

/** Returns the settings of a folder with its real path. Throws `validation_failed`, or in an office. */
async function checkedFolder(ctx: Ctx, { path }: FolderSettings): Promise<FolderSettings> {
  assertHere(ctx)
  const place = await folderPath(path)
  if ('path' in place) return { path: place.path }
  throw validationFailed([
    place.why === 'relative'
      ? fault('folder_relative', 'folder.path', 'This is not the whole path of a folder.')
      : fault('folder_missing', 'folder.path', 'There is no folder here that can be read.'),
  ])
}

function assertVersion(row: SourceRow, expectedVersion: number | undefined): void {
  if (expectedVersion !== undefined && expectedVersion !== row.version)
    throw new AppError('version_conflict', {
      field: 'expectedVersion',
      details: { expectedVersion, version: row.version },
    })
}

export const addSource: UseCase<typeof addSourceContract> = async (ctx, { name, folder, mailbox }) => {
  if ((folder === undefined) === (mailbox === undefined))
    throw validationFailed([fault('choose_one', 'folder', 'Give a folder or a mailbox, and not both.')])
  const checked = folder === undefined ? null : await checkedFolder(ctx, folder)
  if (mailbox?.signIn === 'oauth') assertHere(ctx)
  const faults = mailbox === undefined ? [] : mailboxFaults(ctx, mailbox)
  if (faults.length > 0) throw validationFailed(faults)
  return ctx.transaction(async (tx) => {
    const publicId = tx.newId('isr')
    const row = await insertSource(tx, {
      public_id: publicId,
      kind: mailbox === undefined ? 'folder' : 'mailbox',
      name: normalizeText(name),
      settings: JSON.stringify(mailbox === undefined ? checked : mailboxSettings(mailbox)),
      sealed_secret: mailbox === undefined ? null : sealSecret(tx, publicId, secretAfter(mailbox, {})),
    })
    tx.wake('mailboxes')
    await recordSource(tx, 'incoming.source_added', row)
    return sourceView(tx, row)
  })
}

export const changeSource: UseCase<typeof changeSourceContract> = async (ctx, input) => {
  const { id, name, folder, mailbox, paused, expectedVersion } = input
  const wanted = folder === undefined ? null : await checkedFolder(ctx, folder)
  if (mailbox?.signIn === 'oauth') assertHere(ctx)
  const faults = mailbox === undefined ? [] : mailboxFaults(ctx, mailbox)
  if (faults.length > 0) throw validationFailed(faults)
  return purgeSecret(ctx, async (tx) => {
    const row = orNotFound(await findSource(tx, id))
    assertVersion(row, expectedVersion)
    if (row.kind === 'mailbox' ? wanted !== null : mailbox !== undefined)
      throw validationFailed([
        fault(
          'not_allowed',
          wanted === null ? 'mailbox' : 'folder',
          'A source stays what it is.',
          'Add another one.',
        ),
      ])
    const { settings, position, sealed_secret } =
      mailbox === undefined ? folderChanges(row, wanted) : mailboxChanges(tx, row, mailbox)
    const isPaused = paused ?? row.state === 'paused'
    const after = await changeSourceRow(tx, row, {
      name: name === undefined ? row.name : normalizeText(name),
      settings,
      position,
      sealed_secret,
      state: isPaused ? 'paused' : 'active',
      why: null,
      next_at: isPaused ? null : tx.now().getTime(),
    })
    tx.wake('mailboxes')
    await recordSource(tx, 'incoming.source_changed', after)
    return sourceView(tx, after)
  })
}

type Changes = Pick<SourceRow, 'settings' | 'position' | 'sealed_secret'>

function folderChanges(row: SourceRow, wanted: FolderSettings | null): Changes {
  const { settings, position, sealed_secret } = row
  if (wanted === null || wanted.path === folderOf(row).path) return { settings, position, sealed_secret }
  return { settings: JSON.stringify(wanted), position: null, sealed_secret }
}

function mailboxChanges(ctx: Ctx, row: SourceRow, input: MailboxInput): Changes {
  const before = mailboxOf(row)
  const after = mailboxSettings(input)
  const isSame = isSameLogin(before, after)
  const secret = secretAfter(input, isSame ? secretOf(ctx, row) : {})
  const isSamePlace = isSame && before.mailbox === after.mailbox && before.takes === after.takes
  return {
    settings: JSON.stringify(after),
    // Another place is read from its beginning; what came before is remembered by its content.
    position: isSamePlace ? row.position : null,
    sealed_secret: sealSecret(ctx, row.public_id, secret),
  }
}

export const removeSource: UseCase<typeof removeSourceContract> = (ctx, { id, expectedVersion }) =>
  purgeSecret(ctx, async (tx) => {
    const row = orNotFound(await findSource(tx, id))
    assertVersion(row, expectedVersion)
    await deleteSource(tx, row)
    tx.wake('mailboxes')
    await recordSource(tx, 'incoming.source_removed', { ...row, state: 'paused' })
    return { deleted: true as const }
  })
