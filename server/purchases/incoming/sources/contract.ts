/** Contracts of the places that documents come from by themselves: folders, mailboxes, and a phone for some minutes. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { Instant, line, PathId } from '../../../domain/contract/fields.ts'

export const SourceFault = z
  .enum([
    'host_unknown',
    'unreachable',
    'timeout',
    'not_trusted',
    'no_encryption',
    'login_refused',
    'sign_in_needed',
    'mailbox_missing',
    'try_later',
    'connection_lost',
    'folder_gone',
    'folder_not_readable',
    'broken',
  ])
  .meta({
    description:
      'not_trusted: the certificate of the server is not valid for its name; sign_in_needed: a person has to sign in again; broken: an error of this program, which tries again.',
  })
export type SourceFault = z.infer<typeof SourceFault>

const LeftBecause = z.enum(['too_large', 'type', 'too_many', 'unreadable', 'reply_refused']).meta({
  description:
    'Why it was not taken. reply_refused: the answer of a customer that no reply page of these books made.',
})
const Left = z
  .strictObject({ name: z.string().meta({ description: 'File, or subject of the mail.' }), why: LeftBecause })
  .meta({ id: 'IncomingSourceLeft' })
export type Left = z.infer<typeof Left>

const OAuth = z
  .strictObject({
    authorizeUrl: z.url().max(500).meta({ description: 'Where a person signs in.' }),
    tokenUrl: z.url().max(500),
    clientId: line(300).meta({ description: "The user's own: Sello has none." }),
    scope: line(500),
  })
  .meta({ id: 'IncomingSourceOAuth' })
export type OAuth = z.infer<typeof OAuth>

const folderFields = {
  path: z
    .string()
    .min(1)
    .max(1000)
    .meta({ description: 'Absolute path on the computer that Sello runs on.' }),
}
const mailboxFields = {
  host: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.:-]*[A-Za-z0-9])?$|^::1$/),
  port: z.int().min(1).max(65_535).meta({ description: 'Encrypted from the start: usually 993.' }),
  user: line(254),
  mailbox: line(200).meta({ description: 'Folder or label. Only this one is read.' }),
  takes: z.enum(['all', 'new']).meta({ description: 'new: only mails that arrive from now on.' }),
  signIn: z.enum(['password', 'oauth']).meta({ description: 'oauth: at the provider, in the browser.' }),
  oauth: OAuth.nullable(),
}

const FolderSettings = z.strictObject(folderFields)
export type FolderSettings = z.infer<typeof FolderSettings>
const MailboxSettings = z.strictObject(mailboxFields)
export type MailboxSettings = z.infer<typeof MailboxSettings>

export const SourceView = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['folder', 'mailbox']),
    name: z.string(),
    state: z.enum(['active', 'paused', 'failing']),
    why: SourceFault.nullable().meta({ description: 'Why it fails.' }),
    checkedAt: Instant.nullable().meta({ description: 'When it was last looked into.' }),
    nextAt: Instant.nullable().meta({ description: 'When it is looked into again at the latest.' }),
    documents: z.int().meta({ description: 'How many documents came from it.' }),
    left: z.array(Left).meta({ description: 'The newest things in it that could not be taken.' }),
    folder: FolderSettings.nullable(),
    mailbox: z
      .strictObject({
        ...mailboxFields,
        isSignedIn: z.boolean().meta({
          description: 'There is a password or a token for it, which is never shown again.',
        }),
      })
      .nullable(),
    version: z.int(),
  })
  .meta({ id: 'IncomingSourceSettings' })
export type SourceView = z.infer<typeof SourceView>

export const listSourcesContract = defineContract({
  name: 'incoming.sources',
  summary: 'The folders and mailboxes that documents come from by themselves.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    items: z.array(SourceView),
    here: z.boolean().meta({
      description: 'This computer has the books: folders, phones and sign-in in the browser are possible.',
    }),
    sandbox: z.boolean().meta({ description: 'Only servers on this computer are called.' }),
  }),
  errors: [],
})

const mailboxInput = z.strictObject({
  ...mailboxFields,
  mailbox: mailboxFields.mailbox.default('Facturas'),
  takes: mailboxFields.takes.default('all'),
  oauth: OAuth.nullable().default(null),
  password: line(500).optional().meta({
    description: 'Of the mailbox, or an app password. Left out it stays, as long as server and user stay.',
  }),
  clientSecret: line(500).optional().meta({ description: 'If the provider gave one with the client id.' }),
})
export type MailboxInput = z.output<typeof mailboxInput>

export const addSourceContract = defineContract({
  name: 'incoming.addSource',
  summary: 'Set up a folder or a mailbox that documents come from. One of both.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    name: line(60),
    folder: FolderSettings.optional(),
    mailbox: mailboxInput.optional(),
  }),
  output: SourceView,
  errors: ['validation_failed', 'incoming_source_desk_only'],
})

export const changeSourceContract = defineContract({
  name: 'incoming.changeSource',
  summary: 'Change, pause or resume a folder or mailbox.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    name: line(60).optional(),
    folder: FolderSettings.optional(),
    mailbox: mailboxInput.optional(),
    paused: z.boolean().optional(),
    expectedVersion: z.int().optional(),
  }),
  output: SourceView,
  errors: ['not_found', 'validation_failed', 'version_conflict', 'incoming_source_desk_only'],
})

export const removeSourceContract = defineContract({
  name: 'incoming.removeSource',
  summary: 'Remove a folder or mailbox, with its password. Documents that came from it stay.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId, expectedVersion: z.int().optional() }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'version_conflict'],
})

export const checkSourceContract = defineContract({
  name: 'incoming.checkSource',
  summary: 'Look whether a folder or mailbox can be read now. Takes nothing.',
  access: 'person',
  effect: 'write',
  external: true,
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({
    why: SourceFault.nullable().meta({ description: 'Null: it can be read.' }),
    detail: z.string().nullable().meta({ description: 'What the server said.' }),
    found: z.int().nullable().meta({ description: 'How many mails or files are there.' }),
    mailboxes: z.array(z.string()).meta({
      description: 'The folders or labels there are, if the chosen one is missing.',
    }),
    source: SourceView,
  }),
  errors: ['not_found', 'incoming_source_desk_only'],
})

export const signInSourceContract = defineContract({
  name: 'incoming.signInSource',
  summary: 'Begin to sign in to a mailbox at its provider: answers the address to open in the browser.',
  access: 'person',
  effect: 'write',
  desk: true,
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ url: z.string(), expiresAt: Instant }),
  errors: ['not_found', 'validation_failed', 'incoming_source_desk_only'],
})

const Upload = z
  .strictObject({
    name: z.string(),
    size: z.int(),
    state: z.enum(['added', 'known', 'refused']).meta({
      description: 'known: the same file was there already; refused: of a kind or size that is not taken.',
    }),
  })
  .meta({ id: 'IncomingPhoneUpload' })
export type PhoneUpload = z.infer<typeof Upload>

const Phone = z
  .strictObject({
    addresses: z
      .array(z.strictObject({ address: z.string(), network: z.string() }))
      .meta({ description: 'Addresses of this computer in private networks.' }),
    open: z
      .strictObject({
        url: z.string().meta({ description: 'With a token that holds for this opening and one phone.' }),
        address: z.string(),
        expiresAt: Instant,
        isConnected: z.boolean().meta({ description: 'A phone has opened the page.' }),
        uploads: z.array(Upload),
      })
      .nullable(),
    closed: z
      .enum(['person', 'time', 'window', 'files'])
      .nullable()
      .meta({ description: 'Why the last opening ended. files: no more are taken in one opening.' }),
  })
  .meta({ id: 'IncomingPhone' })
export type Phone = z.infer<typeof Phone>

export const phoneContract = defineContract({
  name: 'incoming.phone',
  summary: 'Whether a phone can send photos now, and what came.',
  access: 'person',
  effect: 'read',
  desk: true,
  input: z.strictObject({}),
  output: Phone,
  errors: [],
})

export const openPhoneContract = defineContract({
  name: 'incoming.openPhone',
  summary: 'Take photos from a phone in the same network, for 10 minutes at most.',
  access: 'person',
  effect: 'write',
  desk: true,
  input: z.strictObject({
    address: z.string().max(45).meta({ description: 'One of the addresses of `incoming.phone`.' }),
    language: z.enum(['es', 'en']).default('es').meta({ description: 'Of the page on the phone.' }),
  }),
  output: Phone,
  errors: ['validation_failed'],
})

export const closePhoneContract = defineContract({
  name: 'incoming.closePhone',
  summary: 'Take no more photos from a phone.',
  access: 'person',
  effect: 'write',
  desk: true,
  input: z.strictObject({}),
  output: Phone,
  errors: [],
})
