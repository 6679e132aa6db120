/** Admits browsers to the window: with a one-time link, or with a secret of the owner. */
import type { FastifyInstance } from 'fastify'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { WindowSessions } from './sessions.ts'
import { sessionCookieName } from './sessions.ts'
import { sendOk } from '../http/envelope.ts'
import type { OwnAddress } from '../http/guard.ts'
import type { BadKeys } from '../http/bad-key-limits.ts'

const ENTRY_PATH = '/app/session'

const WAYS = ['link', 'code', 'recoveryCode'] as const
const LONGEST = 200

/** The proof that a browser sends; null to ask which ways are available. */
type Proof = { way: (typeof WAYS)[number]; text: string } | null

/** Parses by hand: this module is part of the start, which loads no schemas. Throws `validation_failed`. */
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

/** Ways to admit a browser without a link. */
interface EntryWays {
  /** The kind of the app lock's code; null if there is none. */
  kind: 'pin' | 'passphrase' | null
  recovery: boolean
}

/** Checks of the owner's secrets: each throws unless it is correct. */
interface EntryProofs {
  ways: () => Promise<EntryWays>
  code: (text: string) => Promise<void>
  recoveryCode: (text: string) => Promise<void>
}

interface EntryOptions {
  sessions: WindowSessions
  address: OwnAddress
  badKeys: BadKeys
  now: () => Date
  /** Null while the books are closed, when no code can be checked. */
  proofs: EntryProofs | null
}

export function installEntry(app: FastifyInstance, options: EntryOptions): void {
  const { sessions, address, badKeys, now, proofs } = options

  /** Throws unless the proof is correct. */
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
    // Session cookie: without an age it is never stored in a file.
    void reply.header(
      'set-cookie',
      `${sessionCookieName(address.port)}=${cookie}; Path=/app; HttpOnly; SameSite=Strict`,
    )
    return sendOk(reply, { pass }, now())
  })
}
