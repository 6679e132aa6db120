/** A certificate as its section shows it: how much of its time is left, and a file as the server takes it. Pure. */
import type { OutputOf } from '../../../../server/api/contracts.ts'

export type Certificate = NonNullable<OutputOf<'certificates.get'>['certificate']>

/** The largest file the server takes. */
export const MAX_FILE_BYTES = 100_000

/** What is wrong with a file before it is read, as a message key below `settings.certificate.fault`; null when nothing is. */
export function fileFault(file: { name: string; size: number }): 'kind' | 'empty' | 'large' | null {
  if (!/\.(p12|pfx)$/i.test(file.name)) return 'kind'
  if (file.size === 0) return 'empty'
  return file.size > MAX_FILE_BYTES ? 'large' : null
}

const CHUNK = 8192

/** Bytes in base64. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}

/** The share of its life that is left, 0 to 1. */
export function lifeLeft(certificate: Pick<Certificate, 'validFrom' | 'validTo'>, now: Date): number {
  const from = Date.parse(certificate.validFrom)
  const to = Date.parse(certificate.validTo)
  if (to <= from) return 0
  return Math.min(1, Math.max(0, (to - now.getTime()) / (to - from)))
}

/** The colour of a state. */
export const STATUS_TONES: Record<Certificate['status'], { text: string; bar: string }> = {
  ok: { text: 'text-success', bar: 'bg-success' },
  expiring: { text: 'text-warning', bar: 'bg-warning' },
  expired: { text: 'text-error', bar: 'bg-error' },
  not_yet_valid: { text: 'text-warning', bar: 'bg-warning' },
}
