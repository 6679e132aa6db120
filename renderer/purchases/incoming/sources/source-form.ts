/** Form of a folder or mailbox, and the servers of well-known providers. Pure. */
import { icons } from '../../../icons.ts'
import type { IconName } from '../../../icons.ts'
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'

export type Source = OutputOf<'incoming.sources'>['items'][number]
export type SourceCheck = OutputOf<'incoming.checkSource'>
export type Phone = OutputOf<'incoming.phone'>
type MailboxInput = NonNullable<InputOf<'incoming.addSource'>['mailbox']>

export type ProviderId = 'gmail' | 'microsoft' | 'icloud' | 'ionos' | 'other'

interface Provider {
  id: ProviderId
  host: string
  /** Where a person signs in in the browser, with a client id of its own. */
  oauth: { authorizeUrl: string; tokenUrl: string; scope: string } | null
  /** Takes no passwords any more. */
  oauthOnly?: boolean
}

/** Servers as published by their providers. */
export const PROVIDERS: readonly Provider[] = [
  {
    id: 'gmail',
    host: 'imap.gmail.com',
    oauth: {
      authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      scope: 'https://mail.google.com/',
    },
  },
  {
    id: 'microsoft',
    host: 'outlook.office365.com',
    oauthOnly: true,
    oauth: {
      authorizeUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
      tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
      scope: 'https://outlook.office.com/IMAP.AccessAsUser.All offline_access',
    },
  },
  { id: 'icloud', host: 'imap.mail.me.com', oauth: null },
  { id: 'ionos', host: 'imap.ionos.es', oauth: null },
  { id: 'other', host: '', oauth: null },
]

/** Returns a known provider. */
function providerBy(id: ProviderId): Provider {
  return PROVIDERS.find((one) => one.id === id) ?? PROVIDERS.at(-1)!
}

interface SourceForm {
  kind: 'folder' | 'mailbox'
  name: string
  path: string
  provider: ProviderId
  host: string
  port: string
  user: string
  mailbox: string
  takes: 'all' | 'new'
  signIn: 'password' | 'oauth'
  password: string
  authorizeUrl: string
  tokenUrl: string
  scope: string
  clientId: string
  clientSecret: string
}

/** Returns the form of a source, or an empty one. */
export function formOf(source: Source | null, kind: Source['kind']): SourceForm {
  const { folder = null, mailbox = null, name = '' } = source ?? {}
  const host = mailbox?.host ?? ''
  return {
    kind,
    name,
    path: folder?.path ?? '',
    provider: mailbox ? (PROVIDERS.find((one) => one.host === host)?.id ?? 'other') : 'gmail',
    host: mailbox ? host : providerBy('gmail').host,
    port: String(mailbox?.port ?? 993),
    user: mailbox?.user ?? '',
    mailbox: mailbox?.mailbox ?? 'Facturas',
    takes: mailbox?.takes ?? 'all',
    signIn: mailbox?.signIn ?? 'password',
    password: '',
    authorizeUrl: mailbox?.oauth?.authorizeUrl ?? '',
    tokenUrl: mailbox?.oauth?.tokenUrl ?? '',
    scope: mailbox?.oauth?.scope ?? '',
    clientId: mailbox?.oauth?.clientId ?? '',
    clientSecret: '',
  }
}

/** Fills in what is known of a provider. `here`: signing in in the browser is possible. */
export function withProvider(form: SourceForm, id: ProviderId, here: boolean): SourceForm {
  const { host, oauth, oauthOnly = false } = providerBy(id)
  const signIn = here && oauthOnly ? 'oauth' : 'password'
  return {
    ...form,
    provider: id,
    host,
    port: '993',
    signIn,
    authorizeUrl: oauth?.authorizeUrl ?? '',
    tokenUrl: oauth?.tokenUrl ?? '',
    scope: oauth?.scope ?? '',
  }
}

/** Returns the mailbox as the server takes it. */
export function mailboxInput(form: SourceForm): MailboxInput {
  const port = Number(form.port)
  return {
    host: form.host.trim(),
    port: Number.isInteger(port) && port > 0 && port <= 65_535 ? port : 993,
    user: form.user.trim(),
    mailbox: form.mailbox.trim(),
    takes: form.takes,
    signIn: form.signIn,
    ...(form.signIn === 'oauth'
      ? {
          oauth: {
            authorizeUrl: form.authorizeUrl.trim(),
            tokenUrl: form.tokenUrl.trim(),
            scope: form.scope.trim(),
            clientId: form.clientId.trim(),
          },
          ...(form.clientSecret === '' ? {} : { clientSecret: form.clientSecret }),
        }
      : form.password === ''
        ? {}
        : { password: form.password }),
  }
}

const MARKS: Readonly<Record<Source['state'], { icon: IconName; tone: string }>> = {
  active: { icon: icons.ok, tone: 'text-success' },
  paused: { icon: icons.stopped, tone: 'text-muted' },
  failing: { icon: icons.error, tone: 'text-error' },
}

/** Returns the icon of the state of a source, shown beside its text. */
export const markOf = ({ state }: Source): { icon: IconName; tone: string } => MARKS[state]
