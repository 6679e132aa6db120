/** Lets browsers into the window: with a link that works once, or with what only the owner knows. */
import type { FastifyInstance } from 'fastify'
import { AppError, validationFailed } from '../../domain/errors/catalog.ts'
import type { WindowSessions } from './sessions.ts'
import { sessionCookieName } from './sessions.ts'
import { sendOk } from '../http/envelope.ts'
import type { OwnAddress } from '../http/guard.ts'
import type { BadKeys } from '../http/bad-key-limits.ts'

export const ENTRY_PATH = '/app/session'

const WAYS = ['link', 'code', 'recoveryCode'] as const
const LONGEST = 200

/** What a browser shows; null when it only asks what it could be let in with. */
type Proof = { way: (typeof WAYS)[number]; text: string } | null

/** Read by hand: this stands at the start of the program, which loads no schemas. Throws `validation_failed`. */
function readProof(body: unknown): Proof {
  const [given, ...more] = Object.entries((body ?? {}) as object)
  if (!given) return null
  const [name, text] = given as [string, unknown]
  const way = WAYS.find((one) => one === name)
  if (way && more.length === 0 && typeof text === 'string' && text !== '' && text.length <= LONGEST)
    return { way, text }
  throw validationFailed([
    { code: 'wrong_format', field: '', severity: 'error', message: 'Give a link, a code or nothing.' },
  ])
}

/** What lets a browser in without a link. */
export interface EntryWays {
  /** The kind of the app lock's code; null where there is none. */
  kind: 'pin' | 'passphrase' | null
  recovery: boolean
}

/** What the owner knows: each throws unless it is right. */
export interface EntryProofs {
  ways: () => Promise<EntryWays>
  code: (text: string) => Promise<void>
  recoveryCode: (text: string) => Promise<void>
}

export interface EntryOptions {
  sessions: WindowSessions
  address: OwnAddress
  badKeys: BadKeys
  now: () => Date
  /** Null while the books are shut: then there is nothing to hold a code against. */
  proofs: EntryProofs | null
}

export function installEntry(app: FastifyInstance, options: EntryOptions): void {
  const { sessions, address, badKeys, now, proofs } = options

  /** Throws unless what is shown is the owner's. */
  async function prove({ way, text }: NonNullable<Proof>): Promise<void> {
    if (way === 'link') {
      if (sessions.spend(text)) return
      const refusal = badKeys.refuse()
      throw refusal.code === 'rate_limited' ? refusal : new AppError('window_link_spent')
    }
    if (!proofs) throw new AppError('window_link_spent')
    return proofs[way](text)
  }

  app.post(ENTRY_PATH, async (request, reply) => {
    const proof = readProof(request.body)
    if (!proof) return sendOk(reply, (await proofs?.ways()) ?? { kind: null, recovery: false }, now())
    await prove(proof)
    const { cookie, pass } = sessions.admit()
    // Until the browser ends: nothing of it is kept in a file by the rule of a cookie without an age.
    void reply.header(
      'set-cookie',
      `${sessionCookieName(address.port)}=${cookie}; Path=/app; HttpOnly; SameSite=Strict`,
    )
    return sendOk(reply, { pass }, now())
  })
}
