/** Shared parts of the mail pages: typed addresses, and the servers of well-known providers. Pure. */
import { icons } from '../../icons.ts'
import type { IconName } from '../../icons.ts'
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'

export type Mail = OutputOf<'mail.ofInvoice'>['items'][number]
export type MailAccount = OutputOf<'mail.account'>
export type MailDraft = OutputOf<'mail.prepare'>
/** Subject of a mail. */
export type MailTarget = InputOf<'mail.prepare'>

/** Returns the addresses in a line, however they are separated; `Ana <ana@example.com>` counts as its address. */
export function addressesIn(text: string): string[] {
  return text
    .split(/[,;\n]+|\s{2,}/)
    .flatMap((part) => {
      const trimmed = part.trim()
      const inside = /<([^<>]+)>$/.exec(trimmed)?.[1]
      return inside ? [inside.trim()] : trimmed.split(/\s+/)
    })
    .filter((part) => part !== '')
}

export interface Provider {
  id: 'gmail' | 'icloud' | 'ionos' | 'ovh' | 'other'
  host: string
  port: number
  security: 'tls' | 'starttls'
}

/** Servers as published by their providers. */
export const PROVIDERS: readonly Provider[] = [
  { id: 'gmail', host: 'smtp.gmail.com', port: 465, security: 'tls' },
  { id: 'icloud', host: 'smtp.mail.me.com', port: 587, security: 'starttls' },
  { id: 'ionos', host: 'smtp.ionos.es', port: 465, security: 'tls' },
  { id: 'ovh', host: 'ssl0.ovh.net', port: 465, security: 'tls' },
]

/** Returns the provider of a server. */
export function providerOf(host: string): Provider['id'] {
  return PROVIDERS.find((one) => one.host === host.trim().toLowerCase())?.id ?? 'other'
}

const MARKS: Readonly<Record<Mail['state'], { icon: IconName; tone: string }>> = {
  queued: { icon: icons.queued, tone: 'text-muted' },
  sending: { icon: icons.sending, tone: 'text-muted' },
  sent: { icon: icons.ok, tone: 'text-success' },
  handed: { icon: icons.external, tone: 'text-muted' },
  failed: { icon: icons.rejected, tone: 'text-error' },
  unknown: { icon: icons.unknown, tone: 'text-warning' },
  discarded: { icon: icons.cancelled, tone: 'text-muted' },
}

/** Returns the icon of the status of a mail, shown beside its text. */
export const mailMark = (state: Mail['state']) => MARKS[state]
