/** Signing in with the firm's directory, against a real OpenID Connect provider. */
import { expect, test } from 'vitest'
import { directoryOf } from '../../../../server/app/people/directory/store.ts'
import { peopleOf } from '../../../../server/app/people/index.ts'
import { firmDirectoryFrom } from '../../../../server/app/people/sign-in/index.ts'
import { openOfficeOf, SITE } from '../../../support/postgres/office.ts'
import type { OfficeServer } from '../../../support/postgres/office.ts'
import { codeOf, newMember, Visitor } from '../../../support/postgres/visitor.ts'
import { signInAt, startIdentityProvider } from '../../../support/people/identity-provider.ts'
import type { IdentityProvider } from '../../../support/people/identity-provider.ts'

const CALLBACK = `${SITE.origins[0]}/app/session/directory`

function connect(server: OfficeServer, provider: IdentityProvider, linkByEmail = false): void {
  const { issuer, clientId, clientSecret } = provider
  peopleOf(server).useFirmDirectory(
    firmDirectoryFrom(JSON.stringify({ issuer, clientId, clientSecret, name: 'La firma', linkByEmail })),
  )
}

/** Returns where the page goes on to. */
async function signIn(
  visitor: Visitor,
  provider: IdentityProvider,
  login: string,
  change = (url: URL) => url,
): Promise<string> {
  const begun = await visitor.send('/app/session/directory', {})
  const { url } = (JSON.parse(begun.body) as { data: { url: string } }).data
  const [, step = ''] = /__Host-sello-directory=([^;]+)/.exec(String(begun.headers['set-cookie'])) ?? []
  const back = change(await signInAt(provider, url, login))
  expect(back.href.startsWith(CALLBACK)).toBe(true)
  const answer = await visitor.server.app.inject({
    method: 'GET',
    url: back.pathname + back.search,
    // A navigation that another site has begun: only the lax cookie comes along.
    headers: {
      host: SITE.id,
      cookie: `__Host-sello-directory=${step}`,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
  })
  const cookies = [answer.headers['set-cookie'] ?? []].flat()
  const session = cookies.map((one) => /^__Host-sello=([^;]+)/.exec(one)?.[1]).find(Boolean)
  if (session) visitor.cookie = session
  return /url=([^"]+)/.exec(answer.body)?.[1] ?? answer.body
}

test('groups give roles by the table, and take them back; nobody else comes in', async () => {
  const office = await openOfficeOf(2)
  const [first, second] = office.servers as [OfficeServer, OfficeServer]
  const { live } = await office.company()
  const provider = await startIdentityProvider(CALLBACK)
  for (const server of [first, second]) connect(server, provider)
  await peopleOf(first).directory.change(async (db) => {
    await directoryOf(db as never)
      .insertInto('directory_groups')
      .values({ name: 'contabilidad', company_id: live.companyId, roles: '["bookkeeper"]' })
      .execute()
  })
  provider.accounts.set('luis', {
    name: 'Luis Directorio',
    email: 'luis@firm.example',
    email_verified: true,
    groups: ['contabilidad', 'otros'],
  })
  const luis = new Visitor(second)
  expect(await signIn(luis, provider, 'luis')).toBe('/')
  expect(await luis.run('people.me', {}, live)).toMatchObject({
    name: 'Luis Directorio',
    roles: ['bookkeeper'],
  })

  // Without a group, unverified, or with an answer that is not for this browser: not in.
  provider.accounts.set('eva', { name: 'Eva', email: 'eva@firm.example', email_verified: true, groups: [] })
  expect(await signIn(new Visitor(first), provider, 'eva')).toBe('/#refused=directory_not_a_member')
  provider.accounts.set('max', {
    name: 'Max',
    email: 'max@firm.example',
    email_verified: false,
    groups: ['contabilidad'],
  })
  expect(await signIn(new Visitor(first), provider, 'max')).toBe('/#refused=directory_not_a_member')
  const forged = (url: URL): URL => {
    url.searchParams.set('state', 'another')
    return url
  }
  expect(await signIn(new Visitor(first), provider, 'luis', forged)).toBe('/#refused=sign_in_refused')

  // Out of the group: the next sign-in takes the role back.
  provider.accounts.get('luis')!.groups = []
  const later = new Visitor(first)
  await signIn(later, provider, 'luis')
  await expect(later.run('people.me', {}, live)).rejects.toThrow('not_found')
})

test('an invited person is linked by a verified address only where the operator says so', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [OfficeServer]
  const { live } = await office.company()
  const provider = await startIdentityProvider(CALLBACK)
  await newMember(server, live, { email: 'ana@firm.example', name: 'Ana', roles: ['owner'] })
  provider.accounts.set('ana', { name: 'Ana', email: 'Ana@firm.example', email_verified: true, groups: [] })
  connect(server, provider, false)
  expect(await signIn(new Visitor(server), provider, 'ana')).toBe('/#refused=directory_not_a_member')
  connect(server, provider, true)
  provider.accounts.get('ana')!.email_verified = false
  expect(await signIn(new Visitor(server), provider, 'ana')).toBe('/#refused=directory_not_a_member')
  provider.accounts.get('ana')!.email_verified = true
  const ana = new Visitor(server)
  expect(await signIn(ana, provider, 'ana')).toBe('/')
  expect(await ana.run('people.me', {}, live)).toMatchObject({ name: 'Ana', roles: ['owner'] })
  // An invitation's roles are not the directory's to take.
  await signIn(ana, provider, 'ana')
  expect(await ana.run('people.me', {}, live)).toMatchObject({ roles: ['owner'] })
})

test('a directory that is away is told as such, and wrong settings before the start', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [OfficeServer]
  peopleOf(server).useFirmDirectory(
    firmDirectoryFrom(
      JSON.stringify({ issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y', name: 'La firma' }),
    ),
  )
  await expect(new Visitor(server).step('directory')).rejects.toThrow('directory_unreachable')
  for (const text of [
    'no json',
    '{}',
    '{"issuer":"http://login.example","clientId":"x","clientSecret":"y","name":"z"}',
    '{"issuer":"https://login.example","clientId":"x","clientSecret":"y","name":"z","other":1}',
  ])
    expect(() => firmDirectoryFrom(text), text).toThrow('validation_failed')
})

test('somebody who has just signed in with the directory adds a first passkey, and no second one without a proof', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [OfficeServer]
  const { live } = await office.company()
  const provider = await startIdentityProvider(CALLBACK)
  connect(server, provider)
  await peopleOf(server).directory.change(async (db) => {
    await directoryOf(db as never)
      .insertInto('directory_groups')
      .values({ name: 'contabilidad', company_id: live.companyId, roles: '["bookkeeper"]' })
      .execute()
  })
  provider.accounts.set('luis', {
    name: 'Luis',
    email: 'luis@firm.example',
    email_verified: true,
    groups: ['contabilidad'],
  })
  const luis = new Visitor(server)
  expect(await signIn(luis, provider, 'luis')).toBe('/')
  // Nothing else is exempt.
  expect(codeOf(await luis.call('people.newCodes', {}, null))).toBe('verification_needed')
  const add = async (): Promise<string> => {
    const answer = await luis.call('people.addPasskey', { name: 'Portátil' }, null)
    if (answer.statusCode !== 200) return codeOf(answer)
    const { step, options } = (
      JSON.parse(answer.body) as {
        data: { step: string; options: { challenge: string; rp: { id: string } } }
      }
    ).data
    const response = luis.passkey.create(options, SITE.origins[0])
    return codeOf(await luis.call('people.finishPasskey', { step, response }, null))
  }
  expect(await add()).toBe('ok')
  expect(await add()).toBe('verification_needed')
  expect(await luis.run('people.credentials', {}, null)).toMatchObject({ directory: true })

  // A session that was left open is no proof.
  const eva = new Visitor(server)
  provider.accounts.set('eva', {
    name: 'Eva',
    email: 'eva@firm.example',
    email_verified: true,
    groups: ['contabilidad'],
  })
  expect(await signIn(eva, provider, 'eva')).toBe('/')
  await office.database.admin.query('update person_sessions set ends_at = ends_at - 11 * 60000')
  await new Promise((resolve) => setTimeout(resolve, 3_500))
  expect(codeOf(await eva.call('people.addPasskey', { name: 'Portátil' }, null))).toBe('verification_needed')
})
