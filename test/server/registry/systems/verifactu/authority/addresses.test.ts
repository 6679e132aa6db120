/** Addresses of the authority: fixed hosts for real books; for a sandbox a mock endpoint on this computer, or none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSello } from '../../../../../../server/api/application.ts'
import { AppError } from '../../../../../../server/domain/errors/app-error.ts'
import type { Fault } from '../../../../../../server/domain/errors/app-error.ts'
import {
  mockEndpointFrom,
  platformMockEndpointFrom,
  returnsMockEndpointFrom,
} from '../../../../../../server/registry/stand-ins.ts'
import { addressOf } from '../../../../../../server/registry/systems/verifactu/authority/addresses.ts'
import { createAeatAuthority } from '../../../../../../server/registry/systems/verifactu/authority/index.ts'
import { makeServerCertificate } from '../../../../../support/files/certificates.ts'
import { connectsTried } from '../../../../../support/setup/network-guard.ts'
import { credentialFor, NOW } from './peer.ts'

const PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP'
const { caPem } = makeServerCertificate()

function folderWithCa(): { folder: string; ca: string } {
  const folder = mkdtempSync(join(tmpdir(), 'sello-stand-in-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, caPem)
  return { folder, ca }
}

/** Returns the only fault of a refused mock endpoint. */
function faultOf(work: () => unknown): Fault | undefined {
  try {
    work()
  } catch (error) {
    const faults = error instanceof AppError ? (error.details?.faults as Fault[]) : []
    return faults.length === 1 ? faults[0] : undefined
  }
  return undefined
}

test.each([
  ['production', 'person', 'www1.agenciatributaria.gob.es'],
  ['production', 'representative', 'www1.agenciatributaria.gob.es'],
  ['production', 'seal', 'www10.agenciatributaria.gob.es'],
  ['preproduction', 'person', 'prewww1.aeat.es'],
  ['preproduction', 'representative', 'prewww1.aeat.es'],
  ['preproduction', 'seal', 'prewww10.aeat.es'],
] as const)('%s with the certificate of a %s: %s', (environment, kind, host) => {
  expect(addressOf({ environment, sandbox: false, standIn: null }, kind)).toEqual({
    host,
    port: 443,
    path: PATH,
    caPem: null,
  })
})

test('a sandbox never gets a real host, and real books never get a mock endpoint', () => {
  const standIn = { url: 'https://127.0.0.1:8443/', caPem }
  const at = (sandbox: boolean, given: typeof standIn | null) => () =>
    addressOf({ environment: 'production', sandbox, standIn: given }, 'person')
  expect(at(true, null)).toThrow('nowhere')
  expect(at(false, standIn)).toThrow('Only a sandbox')
  expect(at(true, { url: 'https://192.0.2.1/', caPem })).toThrow('on this computer')
  expect(at(true, standIn)()).toEqual({ host: '127.0.0.1', port: 8443, path: PATH, caPem })
  expect(at(true, { url: 'https://[::1]/other', caPem })()).toEqual({
    host: '::1',
    port: 443,
    path: '/other',
    caPem,
  })
})

test('a sandbox without a mock endpoint sends nothing and opens no socket', async () => {
  const before = connectsTried()
  const authority = createAeatAuthority({
    environment: 'production',
    sandbox: true,
    standIn: null,
    credential: credentialFor(),
    now: () => NOW,
    version: '1.2.3',
  })
  const expected = { kind: 'not_sent', reason: 'no_address', detail: expect.any(String) }
  expect(await authority.submit('<a/>')).toEqual(expected)
  expect(await authority.query('<a/>')).toEqual(expected)
  expect(connectsTried()).toBe(before)
})

/** Each reads its own variables, by the same rules. */
const ENDPOINTS = [
  {
    read: mockEndpointFrom,
    name: 'mockEndpoint',
    urlName: 'SELLO_TEST_AUTHORITY_URL',
    caName: 'SELLO_TEST_AUTHORITY_CA',
  },
  {
    read: returnsMockEndpointFrom,
    name: 'returnsMockEndpoint',
    urlName: 'SELLO_TEST_RETURNS_URL',
    caName: 'SELLO_TEST_RETURNS_CA',
  },
  {
    read: platformMockEndpointFrom,
    name: 'platformMockEndpoint',
    urlName: 'SELLO_TEST_PLATFORM_URL',
    caName: 'SELLO_TEST_PLATFORM_CA',
  },
] as const

describe.each(ENDPOINTS)('the mock endpoint that $urlName names', ({ read, name, urlName, caName }) => {
  test.each([
    'https://127.0.0.1:8443/',
    'https://127.0.0.1:8443',
    'https://127.1.2.3:8443/wlpl/x',
    'https://[::1]:8443/',
    'https://localhost:8443/?a=b',
    'https://0x7f.1:8443/',
    'https://[::ffff:127.0.0.1]:8443/',
  ])('may be %s', (url) => {
    const { ca } = folderWithCa()
    const environment = { [urlName]: url, [caName]: ca }
    expect(read(environment, true)).toEqual({ url, caPem })
  })

  test.each([
    'http://127.0.0.1:8443/',
    'https://example.org/',
    'https://www1.agenciatributaria.gob.es/',
    'https://localhost.example.org/',
    'https://127.0.0.1.example.org/',
    'https://127.0.0.1@example.org/',
    'https://user:password@127.0.0.1/',
    'https://127.0.0.1/#part',
    'https://0.0.0.0:8443/',
    'https://10.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://[2001:db8::1]/',
    'https://[::]/',
    '127.0.0.1:8443',
    'ftp://127.0.0.1/',
    'anything',
  ])('may not be %s', (url) => {
    const { ca } = folderWithCa()
    const environment = { [urlName]: url, [caName]: ca }
    expect(faultOf(() => read(environment, true))).toMatchObject({
      code: 'stand_in_address',
      field: urlName,
      severity: 'error',
    })
  })

  test('needs a file with a certificate', () => {
    const { folder } = folderWithCa()
    const noCertificate = join(folder, 'key.pem')
    writeFileSync(noCertificate, '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n')
    for (const file of [undefined, '', join(folder, 'absent.pem'), noCertificate, folder]) {
      const environment = { [urlName]: 'https://127.0.0.1/', [caName]: file }
      expect(faultOf(() => read(environment, true))).toMatchObject({
        code: 'stand_in_certificate',
        field: caName,
      })
    }
  })

  test('is null when none is named, and is ignored with a message for books that are not a sandbox', () => {
    const said: string[] = []
    const say = (line: string): void => void said.push(line)
    for (const sandbox of [true, false]) {
      expect(read({}, sandbox, say)).toBeNull()
      expect(read({ [urlName]: '' }, sandbox, say)).toBeNull()
    }
    expect(said).toEqual([])
    expect(read({ [urlName]: 'http://anything' }, false, say)).toBeNull()
    expect(said).toEqual([`${urlName} is ignored: these books are no sandbox.`])
  })

  test('is read when books are opened: a sandbox with an invalid one does not open', async () => {
    const { folder, ca } = folderWithCa()
    const logged: string[] = []
    const open = (data: string, sandbox: boolean, url: string) =>
      openSello({
        dataDir: join(folder, data),
        create: true,
        sandbox,
        keychain: null,
        cacheKib: 1024,
        environment: { [urlName]: url, [caName]: ca },
        log: (line) => logged.push(line),
      })
    const url = 'https://127.0.0.1:8443/'
    const sandbox = await open('sandbox', true, url)
    expect(sandbox.env).toMatchObject({
      sandbox: true,
      mockEndpoint: null,
      returnsMockEndpoint: null,
      portalMockEndpoint: null,
      [name]: { url, caPem },
    })
    await sandbox.close()
    await expect(open('sandbox', true, 'https://example.org/')).rejects.toMatchObject({
      code: 'validation_failed',
    })
    // The refusal left nothing open.
    const again = await open('sandbox', false, url)
    expect(again.env[name]).toEqual({ url, caPem })
    await again.close()
    expect(logged.join()).not.toContain('ignored')

    const real = await open('real', false, url)
    expect(real.env).toMatchObject({ sandbox: false, [name]: null })
    await real.close()
    expect(logged.filter((line) => line.includes('is ignored: these books are no sandbox'))).toHaveLength(1)
  })
})
