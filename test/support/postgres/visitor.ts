/** A browser of somebody who signs in to an office: its cookies, its page's headers, and a passkey in software. */
import type { LightMyRequestResponse } from 'fastify'
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import type { Role } from '../../../server/domain/people.ts'
import type { Book } from '../../../server/context.ts'
import { inviteFromOutside } from '../../../server/app/people/index.ts'
import { OWNER } from '../../../server/cli/shared.ts'
import { Authenticator } from '../people/authenticator.ts'
import { SITE } from './office.ts'
import type { OfficeServer } from './office.ts'

const [ORIGIN] = SITE.origins

export class Visitor {
  server: OfficeServer
  readonly passkey = new Authenticator()
  cookie: string | null = null
  /** Where the browser seems to be. */
  address = '203.0.113.7'

  constructor(server: OfficeServer) {
    this.server = server
  }

  async send(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    const answer = await this.server.app.inject({
      method: 'POST',
      url: path,
      remoteAddress: this.address,
      headers: {
        host: SITE.id,
        origin: ORIGIN,
        'content-type': 'application/json',
        ...(this.cookie === null ? {} : { cookie: `__Host-sello=${this.cookie}` }),
        ...headers,
      },
      payload: JSON.stringify(body),
    })
    const written = [answer.headers['set-cookie'] ?? []].flat().join('\n')
    const [, value] = /__Host-sello=([^;]*)/.exec(written) ?? []
    if (value !== undefined) this.cookie = value === '' ? null : value
    return answer
  }

  /** Takes a step of a sign-in; returns its data, or throws its error code. */
  async step<Answer = Record<string, unknown>>(way: string, body: unknown = {}): Promise<Answer> {
    return dataOf(await this.send(`/app/session/${way}`, body)) as Answer
  }

  async signIn(passkey: Authenticator = this.passkey): Promise<void> {
    const { step, options } = await this.step<{ step: string; options: { challenge: string; rpId: string } }>(
      'passkey-options',
    )
    await this.step('passkey', { step, response: passkey.get(options, ORIGIN) })
  }

  /** Registers with a link. */
  async register(link: string, email: string, name: string): Promise<void> {
    const token = link.replace(/^.*#\w+=/, '')
    const { step, options } = await this.step<{
      step: string
      options: { challenge: string; rp: { id: string } }
    }>('registration-options', { token, email, name })
    const response = this.passkey.create(options, ORIGIN)
    await this.step('register-passkey', { step, response, device: 'Portátil' })
  }

  async call(
    name: string,
    input: unknown,
    book: Book | null,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    return this.send(`/app/call/${name}`, input, {
      ...(book ? { 'sello-book': book.publicId } : {}),
      ...headers,
    })
  }

  /** Returns a fresh proof for an operation. */
  async verification(operation: string): Promise<string> {
    const { step, options } = await this.step<{ step: string; options: { challenge: string; rpId: string } }>(
      'verify-options',
      { operation },
    )
    const proof = await this.step<{ verification: string }>('verify', {
      step,
      response: this.passkey.get(options, ORIGIN),
    })
    return proof.verification
  }

  /** Runs an operation, with a fresh proof where one is asked for; throws its error code. */
  async run<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    book: Book | null,
  ): Promise<OutputOf<Name>> {
    let answer = await this.call(name, input, book)
    if (answer.statusCode === 403 && codeOf(answer) === 'verification_needed')
      answer = await this.call(name, input, book, { 'sello-verification': await this.verification(name) })
    return dataOf(answer) as OutputOf<Name>
  }
}

export function codeOf(answer: LightMyRequestResponse): string {
  return (JSON.parse(answer.body) as { error?: { code: string } }).error?.code ?? 'ok'
}

function dataOf(answer: LightMyRequestResponse): unknown {
  const body = JSON.parse(answer.body) as { ok: boolean; data: unknown; error: { code: string } }
  if (!body.ok) throw new Error(body.error.code)
  return body.data
}

/** Invites somebody from the command line and registers them. */
export async function newMember(
  server: OfficeServer,
  book: Book,
  { email, name, roles }: { email: string; name: string; roles: Role[] },
): Promise<Visitor> {
  const company = await server.env.store.reader
    .selectFrom('companies')
    .select('public_id')
    .where('id', '=', book.companyId)
    .executeTakeFirstOrThrow()
  const { link } = await inviteFromOutside(server.env, OWNER, {
    company: company.public_id,
    email,
    roles,
    site: ORIGIN,
  })
  const visitor = new Visitor(server)
  await visitor.register(link, email, name)
  return visitor
}
