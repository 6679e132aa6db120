/**
 * The window's gate of an office: the cookie of a session, our own page as its sender, the person's rights in the
 * company, and for some operations a fresh proof. API keys are refused here, and the cookie everywhere else.
 */
import type { FastifyRequest } from 'fastify'
import { NO_BOOK } from '../../context.ts'
import type { Book, UserActor } from '../../context.ts'
import { VERIFIED } from '../../app/people/index.ts'
import type { PeopleOfOffice, PersonSession } from '../../app/people/index.ts'
import { spendVerification } from '../../app/people/sign-in/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { bookMissing } from '../http/auth.ts'
import type { WindowGate } from '../window/calls.ts'
import { assertOwnPage, readSessionCookie } from './session-cookie.ts'

/** Sent by a page that refreshes itself while nobody is there: that does not keep a session open. */
const UNATTENDED = 'sello-unattended'

interface SignedInRequest {
  cookie: string
  session: PersonSession
}

export function createOfficeGate(people: PeopleOfOffice): WindowGate {
  async function signedIn(request: FastifyRequest): Promise<SignedInRequest> {
    const { site } = people
    if (!site) throw new AppError('unauthorized')
    assertOwnPage(request, site)
    const cookie = readSessionCookie(request, site)
    const isUse = request.headers[UNATTENDED] === undefined
    const session = cookie === null ? null : await people.sessions.find(cookie, isUse)
    if (cookie === null || !session) throw new AppError('unauthorized')
    return { cookie, session }
  }

  async function actorIn({ cookie, session }: SignedInRequest, book: Book): Promise<UserActor> {
    const rights = await people.rightsOf(cookie, session, book === NO_BOOK ? null : book.companyId)
    // The same answer as for a book that does not exist.
    if (!rights) throw bookMissing()
    return { kind: 'user', id: session.personId, name: session.name, rights }
  }

  return {
    async admit(request, operation) {
      const caller = await signedIn(request)
      return {
        async actorIn(book) {
          const actor = await actorIn(caller, book)
          const needed = people.capabilityFor(operation)
          // Whoever may not call it is not asked for a proof, which would say that it exists.
          if (VERIFIED.has(operation) && needed && actor.rights?.capabilities.has(needed)) {
            const proof = request.headers['sello-verification']
            await spendVerification(
              people.directory,
              caller.session,
              operation,
              typeof proof === 'string' ? proof : undefined,
            )
          }
          return actor
        },
        change: (work) => work(),
        // The session can have ended, or a role been taken, while it ran.
        async assertStillOpen() {
          if (!(await people.sessions.find(caller.cookie, false))) throw new AppError('unauthorized')
        },
        done: () => {},
        isEachAttemptCounted: false,
      }
    },
    async admitStream(request) {
      const caller = await signedIn(request)
      return async (book) => {
        if (!book) throw bookMissing()
        await actorIn(caller, book)
        return {
          async now() {
            const session = await people.sessions.find(caller.cookie, false)
            const rights = session && (await people.rightsOf(caller.cookie, session, book.companyId))
            if (!rights) return null
            return (type) => {
              const needed = people.capabilityForEvent(type)
              return needed !== null && rights.capabilities.has(needed)
            }
          },
        }
      }
    },
  }
}
