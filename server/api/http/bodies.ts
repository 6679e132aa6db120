/** Request bodies: only JSON in UTF-8, parsed strictly, so that all readers see the same content. */
import type { FastifyInstance } from 'fastify'
import type { ContractFacts } from '../../domain/contract/define-contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { collectGarbage } from '../../platform/processes/memory.ts'

const MIB = 1024 * 1024
export const BODY_LIMIT_BYTES = MIB
/**
 * A body of this size contains a file. It is in memory as pieces, as a whole and as text: unneeded memory is released
 * before.
 */
const LARGE_BYTES = 4 * MIB

/** Returns the maximum body size of an operation in bytes. */
export function bodyLimitOf({ bodyMiB }: Pick<ContractFacts, 'bodyMiB'>): number {
  return (bodyMiB ?? 1) * MIB
}

export const MAX_DEPTH = 32

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

function malformed(why: string, field?: string): AppError {
  return new AppError('malformed_request', { details: { why }, ...(field === undefined ? {} : { field }) })
}

/** Returns the index after the closing quote of the string whose opening quote is at `start`; -1 if it does not end. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote > 0) {
    let escapes = 0
    while (text.charCodeAt(quote - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
  return -1
}

/**
 * Throws `malformed_request` for faults that JSON.parse accepts: a duplicate member in an object (readers disagree on
 * which one counts), `__proto__`, and depth beyond 32. All other faults are left to JSON.parse.
 */
function checkJson(text: string): void {
  // One entry per open bracket: the members seen, or null inside an array.
  const open: (Set<string> | null)[] = []
  let nameExpected = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      const end = endOfString(text, at)
      if (end < 0) return
      const members = open.at(-1)
      if (nameExpected && members) {
        const raw = text.slice(at + 1, end - 1)
        const name = raw.includes('\\') ? unescaped(text.slice(at, end)) : raw
        if (name === '__proto__') throw malformed('forbidden_member', name)
        if (members.has(name)) throw malformed('duplicate_member', name)
        members.add(name)
      }
      at = end - 1
    } else if (character === COLON) nameExpected = false
    else if (character === COMMA) nameExpected = open.at(-1) instanceof Set
    else if (character === 0x7b || character === 0x5b) {
      open.push(character === 0x7b ? new Set() : null)
      nameExpected = character === 0x7b
      if (open.length > MAX_DEPTH) throw malformed('too_deep')
    } else if (character === 0x7d || character === 0x5d) {
      open.pop()
      nameExpected = false
    }
  }
}

function unescaped(literal: string): string {
  try {
    return JSON.parse(literal) as string
  } catch {
    throw malformed('not_json')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a JSON body; undefined if it is empty. Throws `malformed_request`. */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw malformed('not_utf8')
  }
  checkJson(text)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw malformed('not_json')
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)"?/i

/** Accepts only JSON bodies; any other type, another charset or a compressed body is answered with 415. */
export function installBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase()
    const encoding = request.headers['content-encoding']
    if (
      (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') ||
      (encoding !== undefined && encoding !== 'identity')
    ) {
      done(new AppError('unsupported_media_type'))
      return
    }
    try {
      const bytes = body as Buffer
      if (bytes.length >= LARGE_BYTES) collectGarbage(true)
      done(null, readJson(bytes))
    } catch (error) {
      done(error as Error)
    }
  })
}
