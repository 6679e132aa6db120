/** Signing in to an office of two servers over real PostgreSQL, with passkeys and with passwords. */
import { TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { peopleOf } from '../../../../server/app/people/index.ts'
import { Authenticator } from '../../../support/people/authenticator.ts'
import { openOfficeOf, SITE } from '../../../support/postgres/office.ts'
import { codeOf, newMember, Visitor } from '../../../support/postgres/visitor.ts'

const ANA = { email: 'ana@example.com', name: 'Ana García' }
const codeFor = (secret: string, timestamp = Date.now()): string =>
  new TOTP({ secret, period: 30, digits: 6 }).generate({ timestamp })

test('an invitation lets one person in, who signs in on any server and acts under the own name', async () => {
  const office = await openOfficeOf(2)
  const [first, second] = office.servers as [never, never]
  const books = await office.company()
  const ana = await newMember(first, books.live, { ...ANA, roles: ['owner'] })
  const me = await ana.run('people.me', {}, books.live)
  expect(me).toMatchObject({ name: 'Ana García', email: 'ana@example.com', roles: ['owner'] })

  ana.server = second
  const contact = await ana.run('contacts.create', { name: 'Cliente Uno' }, books.test)
  const { items } = await ana.run('audit.list', {}, books.test)
  const made = items.find((one) => one.target?.id === contact.id)
  expect(made?.actor).toEqual({ kind: 'user', id: me.id, name: 'Ana García' })

  const before = ana.cookie
  await ana.signIn()
  expect(ana.cookie).not.toBe(before)
  expect((await ana.run('people.sessions', {}, null)).items).toHaveLength(1)
  await ana.step('end')
  expect(ana.cookie).toBeNull()
  ana.cookie = before
  expect(codeOf(await ana.call('people.me', {}, books.live))).toBe('unauthorized')
  const people = peopleOf(office.servers[0]!)
  expect(await people.verify()).toMatchObject({ faults: [] })
  // The servers' own role cannot change it; whoever owns the database can, and it shows.
  await expect(
    people.directory.change((db) =>
      db.updateTable('directory_history').set({ actor_name: 'Otra' }).where('sequence', '=', 2).execute(),
    ),
  ).rejects.toThrow('never changed')
  office.database.spoiled = true
  await office.database.admin.query(
    `alter table directory_history disable trigger user; update directory_history set actor_name = 'Otra' where sequence = 2;`,
  )
  expect((await people.verify()).faults).toEqual(['Entry 2 of the history of the directory was changed.'])
})

test('what is wrong with a passkey is refused alike', async () => {
  const office = await openOfficeOf(1)
  const [server] = office.servers as [never]
  const books = await office.company()
  const ana = await newMember(server, books.live, { ...ANA, roles: ['owner'] })
  const begin = () =>
    ana.step<{ step: string; options: { challenge: string; rpId: string } }>('passkey-options')
  ana.cookie = null
  const wrong: [string, (options: { challenge: string; rpId: string }) => unknown][] = [
    ['another passkey', (options) => new Authenticator().get(options, SITE.origins[0])],
    ['another page', (options) => ana.passkey.get(options, 'https://office.test.example')],
    ['another site', (options) => ana.passkey.get({ ...options, rpId: 'example.com' }, SITE.origins[0])],
    ['another challenge', () => ana.passkey.get({ challenge: 'AAAA', rpId: SITE.id }, SITE.origins[0])],
    ['nobody verified', (options) => ana.passkey.get(options, SITE.origins[0], { verified: false })],
    ['rubbish', () => ({ id: ana.passkey.id, response: 7 })],
  ]
  for (const [what, answer] of wrong) {
    const { step, options } = await begin()
    await expect(ana.step('passkey', { step, response: answer(options) }), what).rejects.toThrow(
      'sign_in_refused',
    )
  }
  // A step is used once, also by a right answer.
  const { step, options } = await begin()
  const response = ana.passkey.get(options, SITE.origins[0])
  await ana.step('passkey', { step, response })
  await expect(ana.step('passkey', { step, response })).rejects.toThrow('sign_in_step_over')
})

test('a password is never enough: the second factor, each code once, and single-use codes', async () => {
  const office = await openOfficeOf(2)
  const [first, second] = office.servers as [never, never]
  const books = await office.company()
  const ana = await newMember(first, books.live, { ...ANA, roles: ['owner'] })
  const password = 'cuatro palabras sin relación'
  for (const weak of ['corto', 'contraseña1234', 'aaaaaaaaaaaaaaaa', 'ana garcia 2026'])
    await expect(ana.run('people.setPassword', { password: weak }, null), weak).rejects.toThrow(
      'validation_failed',
    )
  const set = await ana.run('people.setPassword', { password }, null)
  await expect(ana.run('people.finishPassword', { step: set.step, code: '000000' }, null)).rejects.toThrow(
    'code_wrong',
  )
  const { codes } = await ana.run(
    'people.finishPassword',
    { step: set.step, code: codeFor(set.secret) },
    null,
  )
  expect(codes).toHaveLength(10)

  const browser = new Visitor(second)
  const { step } = await browser.step<{ step: string }>('password', { email: ' ANA@example.com', password })
  expect(browser.cookie).toBeNull()
  // The code that confirmed the second factor is spent.
  await expect(browser.step('second', { step, code: codeFor(set.secret) })).rejects.toThrow('sign_in_refused')
  await browser.step('second', { step, code: codeFor(set.secret, Date.now() + 30_000) })
  expect(browser.cookie).not.toBeNull()

  const other = new Visitor(first)
  const again = await other.step<{ step: string }>('password', { email: ANA.email, password })
  await other.step('second', { step: again.step, code: codes[3]!.toUpperCase() })
  expect((await other.run('people.credentials', {}, null)).codesLeft).toBe(9)
  const third = await other.step<{ step: string }>('password', { email: ANA.email, password })
  await expect(other.step('second', { step: third.step, code: codes[3]! })).rejects.toThrow('sign_in_refused')
})

test('guesses are slowed down, on every server and after a restart', async () => {
  // The clock stands: on a busy machine a guess takes longer than the first wait.
  const standing = new Date()
  const now = { now: () => standing }
  const office = await openOfficeOf(2, now)
  const [first, second] = office.servers as [never, never]
  const books = await office.company()
  await newMember(first, books.live, { ...ANA, roles: ['owner'] })
  const guesser = new Visitor(first)
  const guess = async (address: string): Promise<string> => {
    guesser.address = address
    return codeOf(
      await guesser.send('/app/session/password', { email: ANA.email, password: 'una que no es la suya' }),
    )
  }
  const answers: string[] = []
  for (let count = 0; count < 7; count += 1) {
    guesser.server = count % 2 === 0 ? first : second
    answers.push(await guess(`203.0.113.${count}`))
  }
  expect(answers).toEqual([
    ...Array.from({ length: 5 }, () => 'sign_in_refused'),
    'rate_limited',
    'rate_limited',
  ])
  const third = await office.start(now)
  guesser.server = third
  expect(await guess('203.0.113.99')).toBe('rate_limited')
  // An account that does not exist answers the same.
  const nobody = new Visitor(second)
  nobody.address = '198.51.100.1'
  const unknown = []
  for (let count = 0; count < 6; count += 1)
    unknown.push(
      codeOf(
        await nobody.send('/app/session/password', { email: 'nadie@example.com', password: 'x'.repeat(14) }),
      ),
    )
  expect(unknown).toEqual(answers.slice(0, 6))
})

test('each person has preferences of their own', async () => {
  const office = await openOfficeOf(2)
  const [first, second] = office.servers as [never, never]
  const books = await office.company()
  const ana = await newMember(first, books.live, { ...ANA, roles: ['owner'] })
  const bea = await newMember(second, books.live, { email: 'bea@example.com', name: 'Bea', roles: ['sales'] })
  await ana.run('session.savePreferences', { language: 'en', activeBook: books.test.publicId }, null)
  await ana.run('session.savePreferences', { theme: 'dark' }, null)
  const preferencesOf = async (who: Visitor) => (await who.run('session.get', {}, null)).preferences
  ana.server = second
  expect(await preferencesOf(ana)).toMatchObject({
    language: 'en',
    theme: 'dark',
    activeBook: books.test.publicId,
  })
  expect(await preferencesOf(bea)).toMatchObject({ language: 'es', theme: 'system', activeBook: null })
})
