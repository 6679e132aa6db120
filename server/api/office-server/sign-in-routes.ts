/** What a browser asks before somebody is signed in, and to prove again to be there: `POST /app/session/…`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  beginPasskey,
  beginPassword,
  beginRegistration,
  beginVerification,
  confirmPassword,
  finishPasskey,
  finishPassword,
  finishVerification,
  recordJoinedAll,
  registerPasskey,
  registerPassword,
  signOut,
} from '../../app/people/sign-in/index.ts'
import type { SignedIn } from '../../app/people/sign-in/index.ts'
import type { PeopleOfOffice, PersonSession, Site } from '../../app/people/index.ts'
import { faultsOf } from '../../domain/contract/define-contract.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { sendOk } from '../http/envelope.ts'
import {
  assertOwnPage,
  DIRECTORY_CALLBACK,
  originOf,
  readDirectoryStep,
  readSessionCookie,
  writeDirectoryStep,
  writeSessionCookie,
} from './session-cookie.ts'

const Step = z.string().min(1).max(64)
const Token = z.string().min(1).max(100)
const Email = z.string().min(3).max(254)
const Password = z.string().min(1).max(400)
const Code = z.string().min(1).max(20)
const BrowserAnswer = z.record(z.string().max(60), z.unknown())

const BODIES = {
  state: z.strictObject({}),
  'passkey-options': z.strictObject({}),
  passkey: z.strictObject({ step: Step, response: BrowserAnswer }),
  password: z.strictObject({ email: Email, password: Password }),
  second: z.strictObject({ step: Step, code: Code }),
  'registration-options': z.strictObject({ token: Token, email: Email, name: z.string().min(1).max(120) }),
  'register-passkey': z.strictObject({
    step: Step,
    response: BrowserAnswer,
    device: z.string().min(1).max(60),
  }),
  'register-password': z.strictObject({ step: Step, email: Email, password: Password }),
  'confirm-password': z.strictObject({ step: Step, code: Code }),
  directory: z.strictObject({}),
  'verify-options': z.strictObject({ operation: z.string().min(1).max(60) }),
  verify: z.union([
    z.strictObject({ step: Step, response: BrowserAnswer }),
    z.strictObject({ step: Step, password: Password, code: Code }),
  ]),
  end: z.strictObject({}),
} as const

type Way = keyof typeof BODIES

function parse<Name extends Way>(way: Name, body: unknown): z.output<(typeof BODIES)[Name]> {
  const parsed = BODIES[way].safeParse(body ?? {}, { reportInput: true })
  if (!parsed.success) throw validationFailed(faultsOf(parsed.error))
  return parsed.data as z.output<(typeof BODIES)[Name]>
}

/** Navigates on by itself: the browser sends a strict cookie only with what our own page asks for. */
const ON = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>Sello</title>`
const notIn = (code: string): string =>
  `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/#refused=${code}"><title>Sello</title>`

/** Adds the routes. */
export function installSignIn(app: FastifyInstance, people: PeopleOfOffice): void {
  const { directory } = people

  function siteOf(): Site {
    if (!people.site) throw new AppError('not_found')
    return people.site
  }

  async function sessionOf(request: FastifyRequest): Promise<{ cookie: string; session: PersonSession }> {
    const cookie = readSessionCookie(request, siteOf())
    const session = cookie === null ? null : await people.sessions.find(cookie, true)
    if (cookie === null || !session) throw new AppError('unauthorized')
    return { cookie, session }
  }

  /** Gives out the cookie of a new session; the one before it ends. */
  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    { cookie, endsAt, codes }: SignedIn,
  ): Promise<unknown> {
    const site = siteOf()
    const before = readSessionCookie(request, site)
    if (before !== null) await signOut(directory, before)
    writeSessionCookie(reply, site, cookie)
    return { endsAt: new Date(endsAt).toISOString(), ...(codes ? { codes } : {}) }
  }

  const ANSWERS: {
    [Name in Way]: (
      body: z.output<(typeof BODIES)[Name]>,
      request: FastifyRequest,
      reply: FastifyReply,
    ) => Promise<unknown>
  } = {
    state: async (_body, request) => {
      const cookie = readSessionCookie(request, siteOf())
      const session = cookie === null ? null : await people.sessions.find(cookie, false)
      return {
        office: true,
        person: session
          ? { id: session.personId, name: session.name, administers: session.administers }
          : null,
        endsAt: session ? new Date(session.endsAt).toISOString() : null,
        directory: people.firmDirectory?.settings.name ?? null,
      }
    },
    'passkey-options': (_body, request) => beginPasskey(directory, siteOf(), originOf(request)),
    passkey: async (body, request, reply) =>
      admit(request, reply, await finishPasskey(directory, siteOf(), body, originOf(request))),
    password: (body, request) => beginPassword(directory, body, originOf(request)),
    second: async (body, request, reply) =>
      admit(request, reply, await finishPassword(directory, body, originOf(request))),
    'registration-options': (body, request) =>
      beginRegistration(directory, siteOf(), body, originOf(request)),
    'register-passkey': async (body, request, reply) => {
      const signedIn = await registerPasskey(directory, siteOf(), body, originOf(request))
      await recordJoinedAll(directory, signedIn)
      return admit(request, reply, signedIn)
    },
    'register-password': (body) => registerPassword(directory, body),
    'confirm-password': async (body, request, reply) => {
      const signedIn = await confirmPassword(directory, body, originOf(request))
      await recordJoinedAll(directory, signedIn)
      return admit(request, reply, signedIn)
    },
    directory: async (_body, request, reply) => {
      const { firmDirectory } = people
      if (!firmDirectory) throw new AppError('not_found')
      const { url, step } = await firmDirectory.begin(siteOf().origins[0]!, originOf(request))
      writeDirectoryStep(reply, siteOf(), step)
      return { url }
    },
    'verify-options': async ({ operation }, request) => {
      const { session } = await sessionOf(request)
      return beginVerification(directory, siteOf(), session, operation)
    },
    verify: async (body, request) => {
      const { session } = await sessionOf(request)
      return finishVerification(directory, siteOf(), session, body)
    },
    end: async (_body, request, reply) => {
      const cookie = readSessionCookie(request, siteOf())
      if (cookie !== null) await signOut(directory, cookie)
      writeSessionCookie(reply, siteOf(), null)
      return { ended: true }
    },
  }

  app.post<{ Params: { way: string } }>('/app/session/:way', async (request, reply) => {
    assertOwnPage(request, siteOf())
    const way = Object.keys(BODIES).find((one) => one === request.params.way) as Way | undefined
    if (!way) throw new AppError('not_found')
    const answer = ANSWERS[way] as (
      body: unknown,
      ...more: [FastifyRequest, FastifyReply]
    ) => Promise<unknown>
    return sendOk(reply, await answer(parse(way, request.body), request, reply), directory.env.now())
  })

  // Where the firm's directory sends the browser back.
  app.get(DIRECTORY_CALLBACK, async (request, reply) => {
    const { firmDirectory } = people
    const site = siteOf()
    if (!firmDirectory) throw new AppError('not_found')
    const step = readDirectoryStep(request, site)
    writeDirectoryStep(reply, site, null)
    const page = reply.header('content-type', 'text/html; charset=utf-8')
    try {
      if (step === null) throw new AppError('sign_in_step_over')
      const query = new URL(request.url, site.origins[0]).search
      const { cookie } = await firmDirectory.finish(site.origins[0]!, query, step, originOf(request))
      writeSessionCookie(reply, site, cookie)
      return await page.send(ON)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return page.send(notIn(error.code))
    }
  })
}
