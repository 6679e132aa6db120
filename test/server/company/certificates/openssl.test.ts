/** Files that OpenSSL writes without any code of ours; and our test files, read by OpenSSL. */
import { execFileSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { holderOf } from '../../../../server/company/certificates/holder.ts'
import { openFile } from '../../../../server/company/certificates/opened.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { swept } from '../../../support/sweep.ts'
import { needs, tool } from '../../../support/tools.ts'
import { refusal } from './damage.ts'

const NOW = new Date('2026-07-01T10:00:00+02:00')
const PASSWORD = 'contraseña ñ€'
const openssl = tool('openssl') ?? 'openssl'
const run = (...args: string[]): Buffer => execFileSync(openssl, args, { stdio: ['ignore', 'pipe', 'pipe'] })

let folder: string
const at = (name: string): string => join(folder, name)

const SUBJECT =
  '/C=ES/serialNumber=IDCES-12345678Z/GN=Ana/SN=Núñez/2.5.4.97=VATES-B12345674/O=Talleres Ejemplo, S.L./CN=12345678Z ANA NÚÑEZ (R: B12345674)'

/** Creates a key with its certificate and authority, all made by OpenSSL. */
function makeWithOpenssl(name: string, ...keyArguments: string[]): void {
  run('genpkey', ...keyArguments, '-out', at(`${name}.key`))
  const request = ['-new', '-utf8', '-key', at(`${name}.key`), '-subj', SUBJECT, '-out', at(`${name}.csr`)]
  run('req', ...request)
  const ca = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-set_serial', '77', '-days', '20000']
  run('x509', '-req', '-in', at(`${name}.csr`), ...ca, '-extfile', at('ext'), '-out', at(`${name}.pem`))
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-openssl-'))
  if (tool('openssl') === null) return
  writeFileSync(at('password'), PASSWORD)
  writeFileSync(at('ext'), 'keyUsage=critical,digitalSignature\nextendedKeyUsage=clientAuth\n')
  run('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', at('ca.key'))
  run(
    'req',
    '-x509',
    '-new',
    '-key',
    at('ca.key'),
    '-subj',
    '/O=FNMT-RCM/CN=AC RAIZ',
    '-days',
    '20000',
    '-out',
    at('ca.pem'),
  )
  makeWithOpenssl('rsa', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048')
  makeWithOpenssl('ec', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256')
  makeWithOpenssl('ec384', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a file of OpenSSL', () => {
  const ways: [string, string[]][] = [
    ['as it writes them today', []],
    ['with RC2-40, as version 1 wrote them', ['-legacy']],
    ['with 3DES throughout', ['-legacy', '-descert']],
    ['with AES-128 and few rounds', ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-128-CBC', '-iter', '10']],
    ['with SHA-512 and AES-192', ['-macalg', 'sha512', '-keypbe', 'AES-192-CBC']],
    ['with certificates in the open', ['-certpbe', 'NONE']],
    ['without a proof', ['-nomac']],
    ['with a name and a local number', ['-name', 'Señora Núñez']],
  ]
  const files = ways.flatMap(([how, options]) => ['rsa', 'ec', 'ec384'].map((key) => ({ how, options, key })))
  const chosen = [
    'as it writes them today, with rsa',
    'with RC2-40, as version 1 wrote them, with ec',
    'with SHA-512 and AES-192, with ec384',
  ]
  for (const { how, options, key } of swept(files, (file) =>
    chosen.includes(`${file.how}, with ${file.key}`),
  ))
    needs('openssl')(`${how}, with ${key}, opens`, () => {
      for (const withChain of [true, false]) {
        const source = ['-inkey', at(`${key}.key`), '-in', at(`${key}.pem`)]
        const chain = withChain ? ['-certfile', at('ca.pem')] : []
        const out = ['-passout', `file:${at('password')}`, '-out', at('file.p12')]
        run('pkcs12', '-export', ...source, ...chain, ...options, ...out)
        const file = readFileSync(at('file.p12'))
        const opened = openFile(file, PASSWORD, NOW)
        const wanted = createPrivateKey(readFileSync(at(`${key}.key`)))
        expect(
          createPrivateKey({ key: Buffer.from(opened.key), format: 'der', type: 'pkcs8' }).equals(wanted),
        ).toBe(true)
        const pems = opened.chainPem.match(/BEGIN/g)
        expect(pems).toHaveLength(withChain ? 2 : 1)
        expect(opened.chainPem.startsWith(readFileSync(at(`${key}.pem`), 'utf8'))).toBe(true)
        expect(holderOf(opened.details.subject, opened.details.qualifiedTypes)).toEqual({
          kind: 'representative',
          name: 'Ana Núñez',
          nif: '12345678Z',
          organizationNif: 'B12345674',
        })
        expect(opened.details.signsDigitally).toBe(true)
        expect(refusal(file, 'otra', NOW)).toBe('password')
      }
    })

  for (const options of [[], ['-legacy']])
    needs('openssl')(`with an empty password opens ${options.join(' ')}`, () => {
      const source = ['-inkey', at('ec.key'), '-in', at('ec.pem')]
      run('pkcs12', '-export', ...source, ...options, '-passout', 'pass:', '-out', at('empty.p12'))
      const file = readFileSync(at('empty.p12'))
      expect(openFile(file, '', NOW).keyType).toBe('ec')
      expect(refusal(file, ' ', NOW)).toBe('password')
    })
})

needs('openssl')('the files that the tests make are files to OpenSSL too', () => {
  for (const format of ['modern', '3des', 'rc2'] as const) {
    writeFileSync(at('ours.p12'), makeP12({ format }).p12)
    const legacy = format === 'modern' ? [] : ['-legacy']
    const password = ['-passin', `file:${at('password')}`]
    const text = run('pkcs12', '-in', at('ours.p12'), ...password, '-nodes', ...legacy).toString('utf8')
    expect(text).toContain('BEGIN PRIVATE KEY')
    expect(text.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  }
})
