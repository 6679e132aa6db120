/** What somebody tries who should not be in, over two servers and real PostgreSQL. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { findKey } from '../../../../server/api/application.ts'
import { officeOperations } from '../../../../server/api/office.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { capabilityFor, VERIFIED } from '../../../../server/app/people/index.ts'
import { inviteFromOutside } from '../../../../server/app/people/index.ts'
import { capabilitiesOf, capabilitiesWithoutCompany } from '../../../../server/app/people/roles/roles.ts'
import { OWNER } from '../../../../server/cli/shared.ts'
import { createCtx } from '../../../../server/context.ts'
import type { Book } from '../../../../server/context.ts'
import { SCOPES } from '../../../../server/domain/contract/scopes.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { ROLES } from '../../../../server/domain/people.ts'
import type { Role } from '../../../../server/domain/people.ts'
import { openOfficeOf, SITE } from '../../../support/postgres/office.ts'
import type { Office, OfficeServer } from '../../../support/postgres/office.ts'
import { codeOf, newMember, Visitor } from '../../../support/postgres/visitor.ts'

const SECOND_NIF = 'A58818501'
const AT_SITE = { headers: { host: SITE.id } }
const NONSENSE = { thereIsNoSuchField: 1 }

async function openTwo(): Promise<{ office: Office; first: OfficeServer; second: OfficeServer; live: Book }> {
  const office = await openOfficeOf(2)
  const [first, second] = office.servers as [OfficeServer, OfficeServer]
  const { live } = await office.company()
  return { office, first, second, live }
}

const member = (server: OfficeServer, book: Book, roles: Role[], name = roles.join('-')): Promise<Visitor> =>
  newMember(server, book, { email: `${name}@example.com`, name, roles })

test('every role and every operation: allowed, or it does not exist', async () => {
  const { first, second, live } = await openTwo()
  const totals = { allowed: 0, refused: 0 }
  for (const role of ROLES) {
    const visitor = await member(first, live, [role])
    visitor.server = second
    const rights = capabilitiesOf([role], false)
    const wrong: string[] = []
    const counts = { allowed: 0, refused: 0 }
    for (const { facts } of officeOperations) {
      const needed = capabilityFor(facts.name)!
      const may = (facts.bookless ? capabilitiesWithoutCompany(false) : rights).has(needed)
      const code = codeOf(await visitor.call(facts.name, NONSENSE, facts.bookless ? null : live))
      // Nothing is asked for a proof that does not exist for the caller; an allowed call fails for its input alone.
      const expected = may
        ? VERIFIED.has(facts.name)
          ? 'verification_needed'
          : 'validation_failed'
        : 'not_found'
      if (code !== expected) wrong.push(`${role} ${facts.name}: ${code}, not ${expected}`)
      counts[may ? 'allowed' : 'refused'] += 1
    }
    expect(wrong).toEqual([])
    console.log(`${role}: ${counts.allowed} operations allowed, ${counts.refused} do not exist`)
    totals.allowed += counts.allowed
    totals.refused += counts.refused
  }
  console.log(
    `${totals.allowed + totals.refused} calls: ${totals.allowed} allowed, ${totals.refused} not_found`,
  )
}, 120_000)

test('a key never may more than its person, whatever its scopes', async () => {
  const { first, live } = await openTwo()
  let calls = 0
  for (const role of ROLES) {
    const visitor = await member(first, live, [role])
    const { key } = await visitor.run('keys.createByPerson', { name: role, scopes: [...SCOPES] }, live)
    const found = (await findKey(first.env, key))!
    const rights = capabilitiesOf([role], false)
    const wrong: string[] = []
    for (const entry of officeOperations) {
      const { facts } = entry
      if (facts.access === 'person') continue
      const ctx = createCtx({
        env: first.env,
        book: found.book,
        actor: found.actor,
        channel: 'rest',
        requestId: first.env.newId('req'),
      })
      const code = await runOperation(await entry.load(), ctx, NONSENSE).then(
        () => 'ok',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      )
      const expected = rights.has(capabilityFor(facts.name)!) ? 'validation_failed' : 'not_found'
      if (code !== expected) wrong.push(`${role} ${facts.name}: ${code}, not ${expected}`)
      calls += 1
    }
    expect(wrong).toEqual([])
  }
  console.log(`${calls} calls of keys of ${ROLES.length} roles with all scopes`)
}, 120_000)

test('a person of one company finds nothing of another', async () => {
  const { office, first, live } = await openTwo()
  const other = await office.company(SECOND_NIF)
  const ana = await member(first, live, ['owner'], 'ana')
  const eva = await member(first, other.live, ['owner'], 'eva')
  const contact = await eva.run('contacts.create', { name: 'Cliente ajeno' }, other.live)
  let refused = 0
  for (const { facts } of officeOperations) {
    if (facts.bookless) continue
    const code = codeOf(await ana.call(facts.name, NONSENSE, other.live))
    expect(code, facts.name).toBe('not_found')
    refused += 1
  }
  await expect(ana.run('contacts.get', { id: contact.id }, live)).rejects.toThrow('not_found')
  const members = await eva.run('people.members', {}, other.live)
  for (const name of ['people.changeRoles', 'people.removeMember', 'people.askRecovery'] as const)
    await expect(
      ana.run(name, { personId: members.items[0]!.id, roles: ['sales'] } as never, live),
      name,
    ).rejects.toThrow(name === 'people.changeRoles' ? 'not_found' : /not_found|validation_failed/)
  console.log(`${refused} operations of the other company do not exist`)
}, 60_000)

test('a session is neither chosen by an attacker nor carried on', async () => {
  const { first, live } = await openTwo()
  const ana = await member(first, live, ['owner'], 'ana')
  const planted = 'A'.repeat(43)
  ana.cookie = planted
  await ana.signIn()
  expect(ana.cookie).not.toBe(planted)
  const attacker = new Visitor(first)
  attacker.cookie = planted
  expect(codeOf(await attacker.call('people.me', {}, live))).toBe('unauthorized')
  // The session before a new sign-in ends with it.
  const earlier = ana.cookie
  await ana.signIn()
  attacker.cookie = earlier
  expect(codeOf(await attacker.call('people.me', {}, live))).toBe('unauthorized')
  // Two cookies of one name: nobody knows which is ours.
  const doubled = await ana.send(
    '/app/call/people.me',
    {},
    {
      'sello-book': live.publicId,
      cookie: `__Host-sello=${planted}; __Host-sello=${ana.cookie}`,
    },
  )
  expect(codeOf(doubled)).toBe('unauthorized')
})

test('a stolen cookie opens nothing that asks for a proof, and a proof works once, for one operation, in one session', async () => {
  const { first, second, live } = await openTwo()
  const ana = await member(first, live, ['owner'], 'ana')
  const thief = new Visitor(second)
  thief.cookie = ana.cookie
  thief.address = '198.51.100.9'
  for (const name of VERIFIED) {
    const facts = officeOperations.find((entry) => entry.facts.name === name)!.facts
    const code = codeOf(await thief.call(name, NONSENSE, facts.bookless ? null : live))
    expect(code, name).toBe(
      facts.bookless && capabilityFor(name) !== 'own' ? 'not_found' : 'verification_needed',
    )
  }
  const begun = await thief.step<{ step: string; options: { challenge: string; rpId: string } }>(
    'verify-options',
    {
      operation: 'keys.createByPerson',
    },
  )
  await expect(
    thief.step('verify', { step: begun.step, response: thief.passkey.get(begun.options, SITE.origins[0]) }),
  ).rejects.toThrow('sign_in_refused')
  await expect(thief.step('verify', { step: begun.step, password: 'x', code: '123456' })).rejects.toThrow(
    /sign_in/,
  )

  const input = { name: 'clave', scopes: ['invoices.read'] }
  const forOther = await ana.verification('people.invite')
  expect(codeOf(await ana.call('keys.createByPerson', input, live, { 'sello-verification': forOther }))).toBe(
    'verification_needed',
  )
  const proof = await ana.verification('keys.createByPerson')
  const otherSession = new Visitor(first)
  await otherSession.signIn(ana.passkey)
  expect(
    codeOf(await otherSession.call('keys.createByPerson', input, live, { 'sello-verification': proof })),
  ).toBe('verification_needed')
  const fresh = await ana.verification('keys.createByPerson')
  const twice = await Promise.all(
    ['a', 'b'].map((name) =>
      ana.call('keys.createByPerson', { ...input, name }, live, { 'sello-verification': fresh }),
    ),
  )
  expect(twice.map(codeOf).toSorted()).toEqual(['ok', 'verification_needed'])
})

test('no other page can call, sign in, or listen', async () => {
  const { first, live } = await openTwo()
  const ana = await member(first, live, ['owner'], 'ana')
  const cookie = `__Host-sello=${ana.cookie}`
  const json = { host: SITE.id, cookie, 'content-type': 'application/json', 'sello-book': live.publicId }
  const post = async (headers: Record<string, string>, url = '/app/call/people.me'): Promise<string> =>
    codeOf(await first.app.inject({ method: 'POST', url, headers: { ...json, ...headers }, payload: '{}' }))
  expect(await post({ origin: SITE.origins[0] })).toBe('ok')
  for (const [what, headers] of [
    ['no origin', {}],
    ['another site', { origin: 'https://evil.example' }],
    ['a subdomain', { origin: 'https://x.office.test' }],
    ['without encryption', { origin: 'http://office.test' }],
    ['an opaque origin', { origin: 'null' }],
    ['a browser says so', { 'sec-fetch-site': 'cross-site' }],
  ] as const) {
    expect(await post(headers), what).toBe('origin_not_allowed')
    expect(await post(headers, '/app/session/end'), what).toBe('origin_not_allowed')
    expect(await post(headers, '/app/session/password'), what).toBe('origin_not_allowed')
  }
})

test('an invitation works once, for its address, and while it is open', async () => {
  const { office, first, second, live } = await openTwo()
  const ana = await member(first, live, ['owner'], 'ana')
  const invite = (email: string) => ana.run('people.invite', { email, roles: ['sales'] }, live)
  const token = (link: string): string => link.split('=')[1]!
  const begin = (visitor: Visitor, link: string, email: string) =>
    visitor.step<{ step: string; options: { challenge: string; rp: { id: string } } }>(
      'registration-options',
      {
        token: token(link),
        email,
        name: 'Alguien',
      },
    )

  const { link } = await invite('luis@example.com')
  expect(link).toMatch(/^https:\/\/office\.test\/#invitation=[\w-]{43}$/)
  await expect(begin(new Visitor(second), link, 'eva@example.com')).rejects.toThrow('invitation_invalid')
  // Two browsers with the same link at the same time.
  const two = [new Visitor(first), new Visitor(second)]
  const steps = await Promise.all(two.map((visitor) => begin(visitor, link, 'luis@example.com')))
  const done = await Promise.allSettled(
    two.map((visitor, at) =>
      visitor.step('register-passkey', {
        step: steps[at]!.step,
        response: visitor.passkey.create(steps[at]!.options, SITE.origins[0]),
        device: 'x',
      }),
    ),
  )
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(begin(new Visitor(first), link, 'luis@example.com')).rejects.toThrow('invitation_invalid')

  const withdrawn = await invite('otro@example.com')
  await ana.run('people.withdrawInvitation', { id: withdrawn.invitation.id }, live)
  await expect(begin(new Visitor(first), withdrawn.link, 'otro@example.com')).rejects.toThrow(
    'invitation_invalid',
  )
  const replaced = await invite('otro@example.com')
  const newer = await invite('otro@example.com')
  await expect(begin(new Visitor(first), replaced.link, 'otro@example.com')).rejects.toThrow(
    'invitation_invalid',
  )
  await begin(new Visitor(first), newer.link, 'otro@example.com')

  // A role that the caller does not have cannot be given, neither by an invitation nor to oneself.
  const marta = await member(first, live, ['administrator'], 'marta')
  await expect(
    marta.run('people.invite', { email: 'x@example.com', roles: ['owner'] }, live),
  ).rejects.toThrow('role_not_given')
  const { items } = await marta.run('people.members', {}, live)
  const idOf = (name: string): string => items.find((one) => one.name === name)!.id
  await expect(
    marta.run(
      'people.changeRoles',
      { personId: idOf('marta'), roles: ['administrator', 'bookkeeper'] },
      live,
    ),
  ).rejects.toThrow('own_roles')
  for (const name of ['people.changeRoles', 'people.removeMember', 'people.askRecovery'] as const)
    await expect(
      marta.run(
        name,
        { personId: idOf('ana'), ...(name === 'people.changeRoles' ? { roles: ['sales'] } : {}) } as never,
        live,
      ),
      name,
    ).rejects.toThrow('role_not_given')
  await expect(ana.run('people.removeMember', { personId: idOf('ana') }, live)).rejects.toThrow('last_owner')
  const late = await office.start({ now: () => new Date(Date.now() + 3 * 24 * 3_600_000 + 60_000) })
  await expect(begin(new Visitor(late), newer.link, 'otro@example.com')).rejects.toThrow('invitation_invalid')
})

/** Opens an event stream and tells when it ends. */
async function listen(
  url: string,
  headers: Record<string, string>,
): Promise<{ endedAfter: () => Promise<number> }> {
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers } })
  expect(response.status).toBe(200)
  const reader = response.body!.getReader()
  return {
    async endedAfter() {
      const from = performance.now()
      for (;;) {
        const read = await Promise.race([reader.read(), pause(10_000, 'late' as const)])
        if (read === 'late') return Infinity
        if (read.done) return performance.now() - from
      }
    },
  }
}

test('after a revocation everything is refused on every server within five seconds, streams included', async () => {
  const { first, second, live } = await openTwo()
  const urls = [await first.listen(), await second.listen()]
  const ana = await member(first, live, ['owner'], 'ana')
  const cases: [string, (visitor: Visitor, id: string) => Promise<unknown>][] = [
    [
      'the session is ended',
      async (visitor) => {
        const other = new Visitor(second)
        await other.signIn(visitor.passkey)
        await other.run('people.endOtherSessions', {}, null)
      },
    ],
    ['the person is removed', (_, personId) => ana.run('people.removeMember', { personId }, live)],
    [
      'the role is taken',
      (_, personId) => ana.run('people.changeRoles', { personId, roles: ['sales'] }, live),
    ],
  ]
  for (const [what, revoke] of cases) {
    const email = what.replaceAll(' ', '-')
    const visitor = await member(first, live, ['bookkeeper'], email)
    const { id } = await visitor.run('people.me', {}, live)
    const { key } = await visitor.run('keys.createByPerson', { name: email, scopes: [...SCOPES] }, live)
    const headers = { cookie: `__Host-sello=${visitor.cookie}`, 'sello-book': live.publicId }
    const keeps = what === 'the role is taken'
    const streams = await Promise.all(urls.map((url) => listen(`${url}/app/events`, headers)))
    visitor.server = second
    await visitor.run('ledger.periods', {}, live)
    expect((await second.ask('GET', '/ledger/periods', key, AT_SITE)).statusCode).toBe(200)
    await revoke(visitor, id)
    const from = performance.now()
    const refused = async (): Promise<boolean> => {
      const answers = await Promise.all(
        [first, second].map(async (server) => {
          visitor.server = server
          return codeOf(await visitor.call('ledger.periods', {}, live))
        }),
      )
      return answers.every((code) => code === 'unauthorized' || code === 'not_found')
    }
    while (!(await refused())) {
      expect(performance.now() - from, what).toBeLessThan(5_000)
      await pause(50)
    }
    const calls = performance.now() - from
    if (what !== 'the session is ended')
      while ((await second.ask('GET', '/ledger/periods', key, AT_SITE)).statusCode === 200) {
        expect(performance.now() - from, `${what}: key`).toBeLessThan(5_000)
        await pause(50)
      }
    const keys = performance.now() - from
    const ends = keeps ? [0] : await Promise.all(streams.map((stream) => stream.endedAfter()))
    const ended = performance.now() - from
    expect(Math.max(...ends), `${what}: streams`).toBeLessThan(5_000)
    console.log(
      `${what}: calls refused after ${calls.toFixed(0)} ms, the key after ${keys.toFixed(0)} ms, ${keeps ? 'streams go on with less' : `streams ended after ${ended.toFixed(0)} ms`}`,
    )
  }
}, 60_000)

test('a recovery needs a second administrator or three days, and the person sees and refuses it', async () => {
  const { office, first, live } = await openTwo()
  const ana = await member(first, live, ['owner'], 'ana')
  const marta = await member(first, live, ['owner'], 'marta')
  const luis = await member(first, live, ['bookkeeper'], 'luis')
  const { id: luisId } = await luis.run('people.me', {}, live)
  const asked = await ana.run('people.askRecovery', { personId: luisId }, live)
  await expect(ana.run('people.recoveryLink', { id: asked.id }, live)).rejects.toThrow('recovery_waits')
  await expect(ana.run('people.confirmRecovery', { id: asked.id }, live)).rejects.toThrow(
    'second_person_needed',
  )
  expect((await luis.run('people.me', {}, live)).recoveries).toMatchObject([
    { id: asked.id, askedByName: 'ana' },
  ])
  await luis.run('people.refuseRecovery', { id: asked.id }, null)
  await expect(ana.run('people.recoveryLink', { id: asked.id }, live)).rejects.toThrow('not_found')

  // In another company the one who asks manages nobody: the recovered account does not open it.
  const other = await office.company(SECOND_NIF)
  const company = await first.env.store.reader
    .selectFrom('companies')
    .select('public_id')
    .where('id', '=', other.live.companyId)
    .executeTakeFirstOrThrow()
  const { link: more } = await inviteFromOutside(first.env, OWNER, {
    company: company.public_id,
    email: 'luis@example.com',
    roles: ['owner'],
    site: SITE.origins[0],
  })
  await luis.run('people.acceptInvitation', { token: more.split('=')[1]! }, null)
  await luis.run('people.me', {}, other.live)

  const again = await ana.run('people.askRecovery', { personId: luisId }, live)
  await marta.run('people.confirmRecovery', { id: again.id }, live)
  const { link } = await ana.run('people.recoveryLink', { id: again.id }, live)
  await expect(marta.run('people.recoveryLink', { id: again.id }, live)).rejects.toThrow(
    'recovery_link_given',
  )
  const fresh = new Visitor(first)
  await fresh.register(link, 'luis@example.com', 'Luis')
  expect(codeOf(await luis.call('people.me', {}, live))).toBe('unauthorized')
  await expect(luis.signIn()).rejects.toThrow('sign_in_refused')
  expect((await fresh.run('people.me', {}, live)).id).toBe(luisId)
  expect(codeOf(await fresh.call('people.me', {}, other.live))).toBe('not_found')
  const { items } = await fresh.run('people.actions', {}, null)
  expect(items.map(({ action, actor }) => `${action} ${actor}`)).toEqual(
    expect.arrayContaining([
      'recovery_asked ana',
      'recovery_confirmed marta',
      'recovery_link ana',
      'recovered luis',
    ]),
  )
})
