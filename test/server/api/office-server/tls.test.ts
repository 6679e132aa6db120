/** A server that ends TLS by itself, with a certificate that is renewed while it runs. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createBareServer } from '../../../../server/api/http/bare.ts'
import { OwnAddress, ServerTls } from '../../../../server/api/http/index.ts'
import {
  issueServerCertificate,
  makeAuthorityCa,
} from '../../../../server/platform/simulated-authority/certificates/certificates.ts'

test('a renewed certificate is used without a restart, and a pair that does not fit is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-tls-'))
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const ca = await makeAuthorityCa()
  const issue = async () => issueServerCertificate({ ca, names: ['localhost', '127.0.0.1'] })
  const [first, second] = [await issue(), await issue()]
  const write = (certificate: string, key: string): void => {
    writeFileSync(files.certificate, certificate)
    writeFileSync(files.key, key)
  }
  write(first.certPem, first.keyPem)
  const reported: unknown[] = []
  const tls = new ServerTls(files, (error) => reported.push(error))
  const address = new OwnAddress(0)
  const app = createBareServer({
    newId: () => 'req_0000000000000000' as never,
    now: () => new Date(),
    log: () => {},
    address,
    uiDir: null,
    network: {
      isProxy: () => false,
      keepAliveMs: 5_000,
      connections: { total: 64, waitingPerPeer: 64 },
      probes: new Set(),
      tls,
      isEncrypted: true,
    },
  })
  onTestFinished(() => app.close())
  app.get('/api/v1/hello', async () => 'hello')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  address.setPort(port)

  const ask = (): Promise<{ status: number; hsts: string | undefined; serial: string }> =>
    new Promise((resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port,
          path: '/api/v1/hello',
          ca: ca.certPem,
          servername: 'localhost',
          agent: false,
          checkServerIdentity: () => undefined,
        },
        (response) => {
          const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate()
          response.resume()
          resolve({
            status: response.statusCode ?? 0,
            hsts: response.headers['strict-transport-security'],
            serial: serialNumber,
          })
        },
      )
      asked.once('error', reject)
      asked.end()
    })
  const before = await ask()
  expect(before).toMatchObject({ status: 200, hsts: 'max-age=31536000' })

  // Only one of the two files is written yet.
  write(second.certPem, first.keyPem)
  tls.renew()
  expect(reported).toHaveLength(1)
  expect((await ask()).serial).toBe(before.serial)
  write(second.certPem, second.keyPem)
  tls.renew()
  expect((await ask()).serial).not.toBe(before.serial)
  expect(() => new ServerTls({ ...files, key: files.certificate }, () => {})).toThrow()

  // Old versions of TLS are refused.
  const refused = await new Promise<string>((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      rejectUnauthorized: false,
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.once('secureConnect', () => resolve('connected'))
  })
  expect(refused).not.toBe('connected')
})
