/** A company is handed back from the window of an office: who may, with which proof, and what stays possible there. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { restoreBooks } from '../../../../server/app/maintenance/restore-books.ts'
import { decryptedBooks } from '../../../support/fixtures.ts'
import { folderForTest, openFolder, ownTemporaryFolder } from '../../../support/office/folders.ts'
import { ENGINE } from '../../../support/postgres/databases.ts'
import { openOfficeOf } from '../../../support/postgres/office.ts'
import { codeOf, newMember } from '../../../support/postgres/visitor.ts'
import { openTestStore } from '../../../support/store.ts'

const DRAFT = {
  clientName: 'Ana Ruiz Gil',
  clientNif: '12345678Z',
  lines: [{ description: 'Mano de obra', quantity: 2, unitPrice: 10 }],
}

test.runIf(ENGINE === 'pg')(
  'an owner hands the company back, takes the file again and takes it back',
  async () => {
    const office = await openOfficeOf(2)
    const [first, second] = office.servers as [(typeof office.servers)[0], (typeof office.servers)[0]]
    const books = await office.company()
    const { test: book } = books
    const owner = await newMember(first, book, { email: 'ana@x.test', name: 'Ana', roles: ['owner'] })
    const adviser = await newMember(first, book, { email: 'luis@x.test', name: 'Luis', roles: ['adviser'] })
    await owner.run('invoices.create', DRAFT, book)
    await newMember(first, book, { email: 'eva@x.test', name: 'Eva', roles: ['administrator'] }).then((eva) =>
      expect(eva.run('companies.handBackOffer', {}, book)).rejects.toThrow('not_found'),
    )
    for (const name of ['companies.handBackOffer', 'companies.handBack', 'companies.takeBack'] as const)
      expect(codeOf(await adviser.call(name, {}, book))).toBe('not_found')

    const offer = await owner.run('companies.handBackOffer', {}, book)
    expect(offer).toMatchObject({ handedBackAt: null, nif: 'B12345674' })
    expect(offer.groups.join('')).toBe(offer.code)
    const { nif, code } = offer
    expect(codeOf(await owner.call('companies.handBack', { nif, code }, book))).toBe('verification_needed')
    const withProof = async (name: 'companies.handBack' | 'companies.takeBack', input: object) =>
      owner.call(name, input, book, { 'sello-verification': await owner.verification(name) })
    for (const wrong of [
      { nif: 'B87654321', code },
      { nif, code: 'ABCD' },
    ])
      expect(codeOf(await withProof('companies.handBack', wrong))).toBe('validation_failed')
    await owner.run('invoices.create', DRAFT, book)

    const temporary = ownTemporaryFolder()
    const answer = await withProof('companies.handBack', { nif, code })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/octet-stream'])
    expect(answer.headers['content-disposition']).toMatch(/sello-B12345674-\d{4}-\d\d-\d\d\.sellobak/)
    const file = join(folderForTest(), 'empresa.sellobak')
    writeFileSync(file, answer.rawPayload)
    expect(readdirSync(temporary).filter((name) => name.startsWith('sello-hand-back-'))).toEqual([])

    // Read everywhere, written nowhere; who is signed in stays so, and others can sign in.
    owner.server = second
    adviser.server = second
    expect((await owner.run('invoices.list', {}, book)).items).toHaveLength(2)
    expect((await owner.run('session.get', {}, book)).companies).toHaveLength(1)
    for (const visitor of [owner, adviser])
      expect(codeOf(await visitor.call('contacts.create', { name: 'Zoe' }, book))).toBe('company_handed_back')
    await adviser.signIn()
    expect((await adviser.run('invoices.list', {}, book)).items).toHaveLength(2)
    const since = await owner.run('companies.handBackOffer', {}, book)
    expect(since.handedBackAt).not.toBeNull()
    expect(since.code).not.toBe(code)
    const actions = await owner.run('people.actions', {}, null)
    expect(actions.items.filter(({ action }) => action === 'books_handed_back')).toHaveLength(1)

    // The same once more, with another code, on the other server.
    const again = await withProof('companies.handBack', { nif, code: since.code })
    expect(again.statusCode).toBe(200)

    const folder = join(folderForTest(), 'books')
    await restoreBooks({ folder, file, code, keychain: null, now: () => new Date() })
    const desk = await openFolder(folder, { now: () => new Date() })
    const handed = await desk.env.store.reader
      .selectFrom('audit_events')
      .innerJoin('actors', 'actors.id', 'audit_events.actor_id')
      .select('actors.name')
      .where('action', '=', 'company.handed_back')
      .execute()
    expect(handed).toEqual([{ name: 'Ana' }, { name: 'Ana' }])
    await desk.close()
    // Of the people of the office only the history comes along: no session, no way to sign in.
    const content = decryptedBooks(folder)
    expect(content.includes('B12345674')).toBe(true)
    for (const text of [owner.cookie ?? '?', adviser.cookie ?? '?', 'Portátil'])
      expect(content.includes(text), text).toBe(false)

    expect(codeOf(await withProof('companies.takeBack', { nif: 'B87654321' }))).toBe('validation_failed')
    expect(codeOf(await withProof('companies.takeBack', { nif }))).toBe('ok')
    await owner.run('contacts.create', { name: 'Zoe' }, book)
    expect((await owner.run('registry.status', {}, books.live)).chain.held).toBe('restored_copy')
    expect(codeOf(await withProof('companies.takeBack', { nif }))).toBe('company_here')
    const history = await owner.run('audit.list', {}, book)
    expect(history.items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['company.handed_back', 'company.taken_back']),
    )
  },
)

test('on a desk nothing of it exists', async () => {
  const { env } = await openTestStore()
  expect(env.handBack).toBeUndefined()
})
