/** Importing through the window and on the command line; API keys cannot see it, and no secret leaks. */
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../../server/cli/main.ts'
import { loadOperations } from '../../../../server/api/operations.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { inLongRun } from '../../../support/sweep.ts'
import { openWorld } from '../../../support/world.ts'

const longTest = inLongRun(test)

const operations = await loadOperations()

const PASSWORD = 'CANARY-contraseña-7d1e'

describe('in the window', () => {
  test('a person imports, sees and removes a certificate, and neither answers nor log contain password or key', async () => {
    const world = await openWorld()
    const made = makeP12({ password: PASSWORD, keyType: 'rsa', freshKey: true })
    const file = made.p12.toString('base64')
    const answers = [
      await world.call('certificates.get'),
      await world.call('certificates.import', { file, password: 'CANARY-wrong' }),
      await world.call('certificates.import', { file: 'AAAA', password: PASSWORD }),
      await world.call('certificates.import', { file: 'A'.repeat(133_340), password: PASSWORD }),
      await world.call('certificates.import', { file, password: PASSWORD }),
      await world.call('certificates.get'),
      await world.call('company.current', {}, { book: 'live' }),
      await world.get('/api/v1/companies/current'),
      await world.call('audit.list', {}),
      await world.call('certificates.remove'),
      await world.call('certificates.remove'),
    ]
    expect(answers.map(({ status, body }) => `${status} ${String(body.error?.code ?? 'ok')}`)).toEqual([
      '200 ok',
      '422 certificate_password',
      '422 certificate_invalid',
      '422 validation_failed',
      '200 ok',
      '200 ok',
      '200 ok',
      '200 ok',
      '200 ok',
      '200 ok',
      '404 not_found',
    ])
    const state = { status: 'ok', subject: 'Ana María Núñez Güell', expiresOn: '2029-01-01', daysLeft: 915 }
    expect(answers[6]?.body.data.certificate).toEqual(state)
    expect(answers[7]?.body.data.certificate).toEqual(state)

    const der = createPrivateKey(made.keyPem).export({ type: 'pkcs8', format: 'der' })
    const all = [...answers.map((one) => one.raw.body), ...world.logged].join('\n')
    for (const canary of [
      'CANARY',
      'PRIVATE KEY',
      made.keyPem.split('\n')[5] ?? '',
      der.subarray(99, 141).toString('base64'),
      der.subarray(100, 140).toString('hex'),
      file.slice(200, 260),
    ]) {
      expect(canary.length).toBeGreaterThan(5)
      expect(all.includes(canary), canary).toBe(false)
    }
  })

  test('a request repeated with one Idempotency-Key imports once', async () => {
    const world = await openWorld()
    const input = { file: makeP12({ password: PASSWORD }).p12.toString('base64'), password: PASSWORD }
    const headers = { 'idempotency-key': 'import-1' }
    const first = await world.call('certificates.import', input, { headers })
    const again = await world.call('certificates.import', input, { headers })
    expect(first.status).toBe(200)
    expect(again.body.data).toEqual(first.body.data)
    const rows = await world.env.store.reader.selectFrom('certificates').select('id').execute()
    expect(rows).toHaveLength(1)
  })

  test('no API key has access to certificates: there is neither path nor tool', () => {
    const found = operations.filter(({ contract }) => contract.name.startsWith('certificates.'))
    expect(found.map(({ contract }) => contract.name)).toEqual([
      'certificates.get',
      'certificates.import',
      'certificates.remove',
    ])
    for (const { contract } of found) {
      expect(contract.access).toBe('person')
      expect([contract.rest, contract.tool]).toEqual([undefined, undefined])
    }
  })
})

describe('on the command line', () => {
  function terminal() {
    const folder = mkdtempSync(join(tmpdir(), 'sello-certificate-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const env = { SELLO_DATA: join(folder, 'data'), SELLO_KEY_FILE: join(folder, 'master.key') }
    const said: string[] = []
    return {
      said,
      file: (name: string, content: string | Uint8Array): string => {
        writeFileSync(join(folder, name), content)
        return join(folder, name)
      },
      run: async (...argv: string[]) => {
        const lines: string[] = []
        const code = await runCommand(argv, {
          env,
          answer: (line) => lines.push(line),
          say: (text) => said.push(text),
          untilStopped: async () => {},
        })
        const answer: any = JSON.parse(lines.at(-1) ?? 'null')
        return { code, answer, lines }
      },
    }
  }

  test('a file is imported with the password from another file, and warnings are printed', async () => {
    const { run, file, said } = terminal()
    const made = await run('init', '--company', file('company.json', JSON.stringify(EXAMPLE_COMPANY)))
    expect(made.code).toBe(0)
    const p12 = file('certificate.p12', makeP12({ password: PASSWORD, issuer: 'Casera' }).p12)
    const password = file('password', `${PASSWORD}\n`)
    const imported = await run('certificate', 'import', '--file', p12, '--password-file', password)
    expect(imported.code).toBe(0)
    expect(imported.answer.certificate).toMatchObject({
      kind: 'representative',
      organizationNif: 'B12345674',
    })
    expect(imported.answer.warnings.map((one: { code: string }) => one.code)).toEqual([
      'certificate_unknown_issuer',
    ])
    expect(said.join('\n')).toContain('none of the known Spanish providers')
    expect([...said, ...imported.lines].join('\n')).not.toContain('CANARY')

    const wrong = await run(
      ...['certificate', 'import', '--file', p12, '--password-file', file('wrong', 'CANARY-other')],
    )
    expect([wrong.code, wrong.answer.error.code]).toEqual([1, 'certificate_password'])
    const missing = await run('certificate', 'import', '--file', `${p12}x`, '--password-file', password)
    expect([missing.code, missing.answer.error.field]).toEqual([1, 'file'])
    const unknown = await run('certificate', 'sell')
    expect([unknown.code, unknown.answer.error.details.command]).toEqual([2, 'certificate sell'])
    expect(said.join('\n')).not.toContain('CANARY')
  })

  longTest('one of several companies is named, directly or by one of its books', async () => {
    const { run, file } = terminal()
    const first = await run('init', '--company', file('1.json', JSON.stringify(EXAMPLE_COMPANY)))
    const ana = { legalName: 'Ana Ruiz', nif: '12345678Z' }
    const second = await run('init', '--company', file('2.json', JSON.stringify(ana)))
    const p12 = file('certificate.p12', makeP12({ password: PASSWORD, kind: 'person' }).p12)
    const options = ['--file', p12, '--password-file', file('password', PASSWORD)]

    const vague = await run('certificate', 'import', ...options)
    expect([vague.answer.error.code, vague.answer.error.field]).toEqual(['validation_failed', 'company'])
    const nobody = await run('certificate', 'import', ...options, '--company', 'com_0')
    expect(nobody.answer.error.code).toBe('not_found')
    const named = await run('certificate', 'import', ...options, '--company', second.answer.companyId)
    expect(named.answer.warnings).toEqual([])
    const byBook = await run('certificate', 'import', ...options, '--book', first.answer.books[1].id)
    expect(byBook.answer.warnings.map((one: { code: string }) => one.code)).toEqual([
      'certificate_third_party',
    ])
  })
})
