/** Name and version that an assistant gives itself: cleaned, truncated, shown to people, and never trusted. Pure. */
import { textFault, normalizeText } from '../../domain/text.ts'

export interface Client {
  name: string
  version: string | null
}

const MAX_NAME = 60
const MAX_VERSION = 20

type Json = Record<string, unknown>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Matches most lines, which need no cleaning. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/** Returns untrusted text as one line of at most `most` characters; null when nothing remains. */
export function cleanLine(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return null
  if (value.length <= most && PLAIN.test(value)) return value
  // Truncated before and after: a long text is not worth scanning, and a cut may split a surrogate pair.
  const characters = [...normalizeText(value.slice(0, 8 * most))].map((each) =>
    each === '\n' || each === '\t' ? ' ' : each,
  )
  const kept = characters
    .filter((each) => textFault(each) === null)
    .join('')
    .replace(/ +/g, ' ')
    .trim()
  return [...kept].slice(0, most).join('').trim() || null
}

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'

/** Returns the client in a message's params: in the envelope of 2026, in the handshake of 2025; null when absent. */
export function clientOf(params: Json): Client | null {
  const info = (isObject(params._meta) ? params._meta[CLIENT_INFO] : undefined) ?? params.clientInfo
  if (!isObject(info)) return null
  const name = cleanLine(info.title, MAX_NAME) ?? cleanLine(info.name, MAX_NAME)
  return name === null ? null : { name, version: cleanLine(info.version, MAX_VERSION) }
}

export function clientText({ name, version }: Client): string {
  return version === null ? name : `${name} ${version}`
}
