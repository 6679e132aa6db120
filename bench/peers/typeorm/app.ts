/**
 * The peer's server: Express with its own JSON parser, keys, idempotency, schemas and errors. It opens no port
 * itself.
 */
import express from 'express'
import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express'
import type { EntityManager } from 'typeorm'
import { z } from 'zod'
import { ApiKeys, IdempotentAnswers } from './entities.ts'
import type { ApiKey } from './entities.ts'
import {
  createDraft,
  DraftInput,
  HttpError,
  IssueInput,
  issueInvoice,
  NoInput,
  validateDraft,
} from './invoices.ts'
import type { Store } from './store.ts'
import { sha256 } from './store.ts'

interface Locals {
  key: ApiKey
}

interface Write<Input> {
  scope: string
  status: number
  input: z.ZodType<Input>
  run: (manager: EntityManager, key: ApiKey, request: Request, input: Input) => Promise<object>
}

const envelope = (data: object) => ({ ok: true, data, meta: { timestamp: new Date().toISOString() } })

/** Authenticates the caller by the key's SHA-256. */
function authenticate(store: Store): RequestHandler<object, unknown, unknown, unknown, Locals> {
  return async (request, response, next) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const key = token ? await store.manager.findOneBy(ApiKeys, { secretHash: sha256(token) }) : null
    if (!key || key.revokedAt !== null) throw new HttpError(401, 'unauthorized')
    response.locals.key = key
    next()
  }
}

/** Runs one transaction; with an idempotency key the answer is stored in it and returned for repetitions. */
function write<Input>(
  store: Store,
  { scope, status, input, run }: Write<Input>,
): RequestHandler<Record<string, string>, unknown, unknown, unknown, Locals> {
  return async (request, response) => {
    const { key } = response.locals
    if (!key.scopes.includes(scope)) throw new HttpError(403, 'forbidden')
    const body = input.parse(request.body)
    const idempotencyKey = request.get('idempotency-key')
    const answer = await store.transaction(null, async (manager) => {
      if (idempotencyKey === undefined)
        return { status, body: envelope(await run(manager, key, request as Request, body)) }
      const requestHash = sha256(`${request.method} ${request.path} ${JSON.stringify(request.body)}`)
      const kept = await manager.findOneBy(IdempotentAnswers, { key: idempotencyKey, keyId: key.id })
      if (kept && kept.requestHash !== requestHash) throw new HttpError(409, 'idempotency_key_reused')
      if (kept) return { status: kept.status, body: kept.body }
      const made = envelope(await run(manager, key, request as Request, body))
      await manager.insert(IdempotentAnswers, {
        key: idempotencyKey,
        keyId: key.id,
        requestHash,
        status,
        body: made,
        createdAt: Date.now(),
      })
      return { status, body: made }
    })
    response.status(answer.status).json(answer.body)
  }
}

const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (error instanceof z.ZodError)
    return void response
      .status(400)
      .json({ ok: false, error: { code: 'validation_failed', issues: error.issues } })
  if (error instanceof HttpError)
    return void response.status(error.status).json({ ok: false, error: { code: error.code } })
  // Errors of the body parser: invalid JSON, or too long.
  if (error instanceof Error && 'expose' in error && error.expose === true && 'status' in error)
    return void response.status(Number(error.status)).json({ ok: false, error: { code: 'bad_request' } })
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  response.status(500).json({ ok: false, error: { code: 'internal' } })
}

const idOf = (request: Request): string => String(request.params.id)

export function createPeerApp(store: Store): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(authenticate(store))
  app.use(express.json({ limit: '1mb' }))
  app.post(
    '/api/v1/invoices',
    write(store, {
      scope: 'invoices.write',
      status: 201,
      input: DraftInput,
      run: (manager, key, _request, input) => createDraft(manager, key, input),
    }),
  )
  app.post(
    '/api/v1/invoices/:id/validate',
    write(store, {
      scope: 'invoices.write',
      status: 200,
      input: NoInput,
      run: (manager, key, request) => validateDraft(manager, key, idOf(request)),
    }),
  )
  app.post(
    '/api/v1/invoices/:id/issue',
    write(store, {
      scope: 'invoices.issue',
      status: 200,
      input: IssueInput,
      run: (manager, key, request, input) => issueInvoice(manager, key, idOf(request), input),
    }),
  )
  app.use(answerError)
  return app
}
