/** Signing in to a mailbox with OAuth 2: PKCE, one answer, sealed tokens, renewal and its end. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { createWorker, inAllCompanies } from '../../../../../server/platform/jobs/index.ts'
import { endIdleParsers } from '../../../../../server/platform/processes/parsers.ts'
import { mailboxWork } from '../../../../../server/purchases/incoming/sources/mailbox/jobs.ts'
import { endSignIn } from '../../../../../server/purchases/incoming/sources/mailbox/sign-in.ts'
import { secretOf } from '../../../../../server/purchases/incoming/sources/sealed.ts'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import type { World } from '../../../../support/world.ts'
import { hasDovecot, mailOf, openDovecot, openSourceWorld, pdfOf, USER } from './dovecot.ts'

const CLIENT = 'cliente-propio.example'

/** A stand-in of a provider: gives tokens for the codes it knows, and tells a mail server which tokens hold. */
async function openProvider() {
  const provider = {
    url: '',
    /** What came to the token endpoint. */
    asked: [] as Record<string, string>[],
    code: 'codigo-1',
    /** Challenge of the code that was given out. */
    challenge: '',
    refresh: 'refresco-1',
    /** Refuses refresh tokens, as after the person withdrew its consent. */
    withdrawn: false,
    access: new Set<string>(),
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', provider.url)
    const say = (status: number, body: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    }
    if (url.pathname === '/info') {
      const holds = provider.access.has(url.searchParams.get('access_token') ?? '')
      return say(holds ? 200 : 401, holds ? { email: USER, active: 'yes' } : { error: 'invalid_token' })
    }
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const fields = Object.fromEntries(new URLSearchParams(body))
      provider.asked.push(fields)
      const grant = (more: object = {}): void => {
        const token = `acceso-${provider.asked.length}`
        provider.access = new Set([token])
        say(200, { access_token: token, token_type: 'Bearer', expires_in: 3600, ...more })
      }
      if (fields.grant_type === 'authorization_code') {
        const proof = createHash('sha256')
          .update(fields.code_verifier ?? '')
          .digest('base64url')
        if (fields.code !== provider.code || proof !== provider.challenge)
          return say(400, { error: 'invalid_grant' })
        return grant({ refresh_token: provider.refresh })
      }
      if (provider.withdrawn || fields.refresh_token !== provider.refresh)
        return say(400, { error: 'invalid_grant' })
      // Each refresh token holds once.
      provider.refresh = `refresco-${provider.asked.length}`
      grant({ refresh_token: provider.refresh })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return provider
}

type Provider = Awaited<ReturnType<typeof openProvider>>

const sourceAt = ({ url }: Provider, port: number): InputOf<'incoming.addSource'> => ({
  name: 'Correo',
  mailbox: {
    host: '127.0.0.1',
    port,
    user: USER,
    signIn: 'oauth',
    oauth: {
      authorizeUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      clientId: CLIENT,
      scope: 'imap offline',
    },
    clientSecret: 'secreto-del-cliente',
  },
})

async function look({ env }: World): Promise<void> {
  const log = (line: string): void => {
    throw new Error(line)
  }
  const worker = createWorker(inAllCompanies(env, mailboxWork({ env, log }), log))
  await worker.poll()
  await worker.stop()
}

const sourceOf = async (world: World) => (await world.run('incoming.sources', {})).items[0]!
const secretIn = async (world: World) => {
  const ctx = world.ctx()
  const row = await ctx.db.selectFrom('incoming_sources').selectAll().executeTakeFirstOrThrow()
  return { sealed: row.sealed_secret!, secret: secretOf(ctx, row) }
}

/** Signs in like a browser: the provider sends it back with the code. */
async function signIn(world: World, provider: Provider, id: string, changes: Record<string, string> = {}) {
  const { url } = await world.run('incoming.signInSource', { id })
  const asked = new URL(url)
  provider.challenge = asked.searchParams.get('code_challenge') ?? ''
  const back = new URL(asked.searchParams.get('redirect_uri') ?? '')
  back.searchParams.set('state', asked.searchParams.get('state') ?? '')
  back.searchParams.set('code', provider.code)
  for (const [name, value] of Object.entries(changes)) back.searchParams.set(name, value)
  return { asked, back, answer: await fetch(back) }
}

afterEach(() => endIdleParsers())

async function open() {
  const provider = await openProvider()
  const world = await openSourceWorld()
  onTestFinished(() => endSignIn(world.env))
  return { provider, world }
}

test('the address asks for a code with PKCE, and the token is sealed and never shown', async () => {
  const { provider, world } = await open()
  const { id, mailbox } = await world.run('incoming.addSource', sourceAt(provider, 993))
  expect(mailbox).toMatchObject({ signIn: 'oauth', isSignedIn: false })
  const { asked, back, answer } = await signIn(world, provider, id)
  expect(asked.origin + asked.pathname).toBe(`${provider.url}/authorize`)
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: CLIENT,
    scope: 'imap offline',
    code_challenge_method: 'S256',
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
  })
  expect(asked.searchParams.get('state')).toMatch(/^[\w-]{22}$/)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('vuelve a Sello')
  expect(provider.asked).toEqual([
    expect.objectContaining({
      grant_type: 'authorization_code',
      client_id: CLIENT,
      client_secret: 'secreto-del-cliente',
      redirect_uri: back.origin + '/',
    }),
  ])
  const source = await sourceOf(world)
  expect(source.mailbox).toMatchObject({ isSignedIn: true })
  expect(JSON.stringify(source)).not.toMatch(/refresco|secreto/)
  const { sealed, secret } = await secretIn(world)
  expect(secret).toEqual({ refreshToken: 'refresco-1', clientSecret: 'secreto-del-cliente' })
  expect(sealed).not.toMatch(/refresco|secreto/)
  // The listener answers once.
  await expect(fetch(back)).rejects.toThrow()
})

test.each([
  ['another state', { state: 'a'.repeat(22) }, 404],
  ['a code that the provider does not know', { code: 'otro' }, 200],
])('an answer with %s signs nobody in', async (_name, changes, status) => {
  const { provider, world } = await open()
  const { id } = await world.run('incoming.addSource', sourceAt(provider, 993))
  const { answer } = await signIn(world, provider, id, changes)
  expect(answer.status).toBe(status)
  expect((await sourceOf(world)).mailbox).toMatchObject({ isSignedIn: false })
})

test('another client, address or user needs another sign-in', async () => {
  const { provider, world } = await open()
  const { id } = await world.run('incoming.addSource', sourceAt(provider, 993))
  await signIn(world, provider, id)
  const { mailbox } = sourceAt(provider, 993)
  const { clientSecret: _left, ...same } = mailbox!
  await world.run('incoming.changeSource', { id, mailbox: { ...same, mailbox: 'Otra' } })
  expect((await secretIn(world)).secret).toEqual({
    refreshToken: 'refresco-1',
    clientSecret: 'secreto-del-cliente',
  })
  await world.run('incoming.changeSource', {
    id,
    mailbox: { ...same, oauth: { ...same.oauth!, tokenUrl: `${provider.url}/elsewhere` } },
  })
  expect((await secretIn(world)).secret).toEqual({})
})

describe.runIf(hasDovecot)('with a server that takes tokens', () => {
  test('mails come with fresh tokens, replaced refresh tokens are kept, and a withdrawal asks to sign in', async () => {
    const { provider, world } = await open()
    const dovecot = await openDovecot({ tokenInfoUrl: `${provider.url}/info` })
    dovecot.deliver(mailOf({ parts: [{ name: 'uno.pdf', bytes: pdfOf(1) }] }))
    const { id } = await world.run('incoming.addSource', sourceAt(provider, dovecot.port))
    await look(world)
    expect(await sourceOf(world)).toMatchObject({ state: 'failing', why: 'sign_in_needed' })
    await signIn(world, provider, id)
    await look(world)
    expect(await sourceOf(world)).toMatchObject({ state: 'active', why: null, documents: 1 })
    expect((await secretIn(world)).secret.refreshToken).toBe('refresco-2')
    dovecot.deliver(mailOf({ parts: [{ name: 'dos.pdf', bytes: pdfOf(2) }] }))
    world.advance(60 * 60_000)
    await look(world)
    expect(await sourceOf(world)).toMatchObject({ documents: 2 })
    provider.withdrawn = true
    world.advance(60 * 60_000)
    await look(world)
    expect(await sourceOf(world)).toMatchObject({ state: 'failing', why: 'sign_in_needed' })
  })
})
