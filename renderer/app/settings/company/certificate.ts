/**
 * Certificate as its section shows it: the remaining share of its validity, and the encoding of a file for the
 * server. Pure.
 */
import type { OutputOf } from '../../../../server/api/contracts.ts'

export type Certificate = NonNullable<OutputOf<'certificates.get'>['certificate']>

/** File size limit of the server. */
export const MAX_FILE_BYTES = 100_000

/** Checks a file before it is read. Returns a message key below `settings.certificate.fault`, or null. */
export function fileFault(file: { name: string; size: number }): 'kind' | 'empty' | 'large' | null {
  if (!/\.(p12|pfx)$/i.test(file.name)) return 'kind'
  if (file.size === 0) return 'empty'
  return file.size > MAX_FILE_BYTES ? 'large' : null
}

const CHUNK = 8192

/** Encodes bytes in base64. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}

/** Returns the remaining share of the validity, 0 to 1. */
export function lifeLeft(certificate: Pick<Certificate, 'validFrom' | 'validTo'>, now: Date): number {
  const from = Date.parse(certificate.validFrom)
  const to = Date.parse(certificate.validTo)
  if (to <= from) return 0
  return Math.min(1, Math.max(0, (to - now.getTime()) / (to - from)))
}

/** Colours of the statuses. */
export const STATUS_TONES: Record<Certificate['status'], { text: string; bar: string }> = {
  ok: { text: 'text-success', bar: 'bg-success' },
  expiring: { text: 'text-warning', bar: 'bg-warning' },
  expired: { text: 'text-error', bar: 'bg-error' },
  not_yet_valid: { text: 'text-warning', bar: 'bg-warning' },
}
