/**
 * Signs in to a mailbox in the browser of this computer: the provider sends the person back to a loopback address with a
 * code, which is exchanged for a refresh token that is sealed in the row of the source.
 */
import { timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCtx, orNotFound } from '../../../../context.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../../../context.ts'
import { validationFailed } from '../../../../domain/errors/app-error.ts'
import type { signInSourceContract } from '../contract.ts'
import { assertHere, recordSource } from '../manage.ts'
import { changeSourceRow, findSource, mailboxOf, sourceByRow } from '../rows.ts'
import type { SourceRow } from '../rows.ts'
import { sealSecret, secretOf } from '../sealed.ts'
import { codeRequest, redeemCode } from './tokens.ts'
import type { CodeRequest } from './tokens.ts'

const OPEN_MS = 10 * 60_000

/** The sign-in under way of each store; another one ends it. */
const underWay = new WeakMap<object, () => void>()

const PAGE = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Sello</title><p style="font:17px system-ui;margin:2rem">${text}</p>\n`
const DONE = PAGE('Listo: vuelve a Sello. · Done: go back to Sello.')
const REFUSED = PAGE('No se ha podido entrar: vuelve a Sello. · Signing in failed: go back to Sello.')

/** Ends the sign-in under way, if there is one. */
export function endSignIn({ store }: AppEnvironment): void {
  underWay.get(store)?.()
}

export const signInSource: UseCase<typeof signInSourceContract> = async (ctx, { id }) => {
  assertHere(ctx)
  const row = orNotFound(await findSource(ctx, id))
  const { oauth, user } = row.kind === 'mailbox' ? mailboxOf(row) : { oauth: null, user: '' }
  if (oauth === null)
    throw validationFailed([
      {
        code: 'not_allowed',
        field: 'id',
        severity: 'error',
        message: 'This source has a password or none: there is nothing to sign in to.',
      },
    ])
  endSignIn(ctx.env)
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000, maxHeaderSize: 16_384 })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const request = codeRequest(oauth, redirect, user)
  const end = endOf(ctx.env, server)
  server.on('request', (asked, response) => {
    const code = codeOf(asked.url ?? '', redirect, request)
    const isOurs = asked.method === 'GET' && asked.headers.host === new URL(redirect).host
    if (code === undefined || !isOurs) {
      response.writeHead(404, { Connection: 'close' }).end()
      return
    }
    // One answer only, whatever it is.
    server.close()
    void finish(ctx, row, { code, redirect, request })
      .catch((error: unknown) => {
        ctx.env.report('mailboxes', error)
        return false
      })
      .then((done) => {
        response.once('close', end)
        response
          .writeHead(200, {
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
            'Referrer-Policy': 'no-referrer',
            'Cache-Control': 'no-store',
            Connection: 'close',
          })
          .end(done ? DONE : REFUSED)
      })
  })
  return { url: request.url, expiresAt: new Date(ctx.now().getTime() + OPEN_MS).toISOString() }
}

function endOf({ store }: AppEnvironment, server: Server): () => void {
  const timer = setTimeout(() => end(), OPEN_MS)
  timer.unref()
  const end = (): void => {
    clearTimeout(timer)
    server.close()
    server.closeAllConnections()
    if (underWay.get(store) === end) underWay.delete(store)
  }
  underWay.set(store, end)
  return end
}

/** Returns the code of an answer to this very request; null if the person or the provider refused; else undefined. */
function codeOf(path: string, redirect: string, { state }: CodeRequest): string | null | undefined {
  const { pathname, searchParams } = new URL(path, redirect)
  const given = Buffer.from(searchParams.get('state') ?? '')
  const wanted = Buffer.from(state)
  if (pathname !== '/' || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
  return searchParams.get('code')
}

/** Exchanges the code and seals the token. Returns false if there is none. */
async function finish(
  { env, book, actor, channel }: Ctx,
  row: SourceRow,
  given: { code: string | null; redirect: string; request: CodeRequest },
): Promise<boolean> {
  const { code, redirect, request } = given
  const { oauth } = mailboxOf(row)
  if (code === null || oauth === null) return false
  const ctx = createCtx({ env, book, actor, channel, requestId: env.newId('req') })
  const { clientSecret } = secretOf(ctx, row)
  const { verifier } = request
  const { refreshToken } = await redeemCode(env, { oauth, clientSecret }, { code, verifier, redirect })
  if (refreshToken === null) return false
  return ctx.transaction(async (tx) => {
    const now = await sourceByRow(tx, row.id)
    if (now?.version !== row.version) return false
    const secret = { ...secretOf(tx, now), refreshToken }
    const isPaused = now.state === 'paused'
    const after = await changeSourceRow(tx, now, {
      sealed_secret: sealSecret(tx, now.public_id, secret),
      state: isPaused ? 'paused' : 'active',
      why: null,
      next_at: isPaused ? null : tx.now().getTime(),
    })
    tx.wake('mailboxes')
    await recordSource(tx, 'incoming.source_signed_in', after)
    return true
  })
}
