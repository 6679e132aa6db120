/** The adapters of the real services, over real TLS against mock services with the same behaviour. */
import { expect, test } from 'vitest'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { censusAddress, createCensus } from '../../../../server/catalog/lookups/census.ts'
import { createEcb, ECB_ADDRESS, readRates } from '../../../../server/catalog/lookups/ecb.ts'
import { callService } from '../../../../server/catalog/lookups/outgoing.ts'
import { createVies, VIES_ADDRESS } from '../../../../server/catalog/lookups/vies.ts'
import { makeCertificate } from '../../../support/files/certificates.ts'
import { json, startService } from './peer.ts'

const refusalOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it was answered',
    (error: unknown) => (error instanceof AppError ? [error.code, error.details?.reason] : error),
  )

test('the real addresses are the official ones', () => {
  expect(VIES_ADDRESS).toEqual({ host: 'ec.europa.eu', port: 443 })
  expect(ECB_ADDRESS).toEqual({ host: 'www.ecb.europa.eu', port: 443 })
  expect([censusAddress('representative').host, censusAddress('seal').host]).toEqual([
    'www1.agenciatributaria.gob.es',
    'www10.agenciatributaria.gob.es',
  ])
})

const number = { prefix: 'DE', number: '129273398' }

test('VIES gets requests in its format, and its answers are read', async () => {
  const service = await startService((_, response) =>
    json(response, {
      countryCode: 'DE',
      vatNumber: '129273398',
      requestDate: '2026-11-21T10:00:00.000Z',
      valid: true,
      requestIdentifier: 'WAPIAAAAY1',
      name: '---',
      address: 'Am Ostbahnhof 9\nBerlin',
    }),
  )
  const answer = await createVies(service.address).check(number, 'ESB12345674')
  expect(answer).toEqual({
    valid: true,
    name: null,
    address: 'Am Ostbahnhof 9\nBerlin',
    consultationNumber: 'WAPIAAAAY1',
  })
  const [asked] = service.asked
  expect([asked?.method, asked?.url]).toEqual(['POST', '/taxation_customs/vies/rest-api/check-vat-number'])
  expect(JSON.parse(asked?.body ?? '')).toEqual({
    countryCode: 'DE',
    vatNumber: '129273398',
    requesterMemberStateCode: 'ES',
    requesterNumber: 'B12345674',
  })
})

test.each([
  [
    { actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] },
    'lookup_unavailable',
    'ms_unavailable',
  ],
  [
    { actionSucceed: false, errorWrappers: [{ error: 'MS_MAX_CONCURRENT_REQ' }] },
    'lookup_unavailable',
    'ms_max_concurrent_req',
  ],
  [
    { actionSucceed: false, errorWrappers: [{ error: 'INVALID_REQUESTER_INFO' }] },
    'lookup_refused',
    'invalid_requester_info',
  ],
  [{ something: 'else' }, 'lookup_refused', 'status_200'],
  [{ valid: 'yes' }, 'lookup_refused', 'unreadable'],
])('the VIES fault %j is distinguished from an invalid number', async (body, code, reason) => {
  const service = await startService((_, response) => json(response, body))
  expect(await refusalOf(createVies(service.address).check(number, null))).toEqual([code, reason])
})

test('a redirect is not followed, and a web page, an empty 503 and a broken connection are not answers', async () => {
  const elsewhere = await startService((_, response) => json(response, { valid: true }))
  const redirecting = await startService((_, response) =>
    response.writeHead(302, { location: `https://127.0.0.1:${elsewhere.address.port}/` }).end(),
  )
  const page = await startService((_, response) => response.writeHead(200).end('<html>'))
  const down = await startService((_, response) => response.writeHead(503).end())
  const broken = await startService((_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{')
    setTimeout(() => response.destroy(), 5)
  })
  const said = []
  for (const service of [redirecting, page, down, broken])
    said.push(await refusalOf(createVies(service.address).check(number, null)))
  expect(said).toEqual([
    ['lookup_refused', 'redirect'],
    ['lookup_refused', 'unreadable'],
    ['lookup_unavailable', 'status_503'],
    ['lookup_unavailable', expect.any(String)],
  ])
  expect(elsewhere.asked).toEqual([])
})

test('an endless answer and one that is too large are aborted', async () => {
  const silent = await startService(() => {})
  const large = await startService((_, response) => {
    response.writeHead(200)
    response.write('x'.repeat(5_000))
  })
  const ask = (address: typeof silent.address) =>
    callService({
      service: 'test',
      address,
      method: 'GET',
      path: '/',
      limits: { totalMs: 300, bytes: 1_000 },
    })
  expect(await refusalOf(ask(silent.address))).toEqual(['lookup_unavailable', 'timeout'])
  expect(await refusalOf(ask(large.address))).toEqual(['lookup_unavailable', 'too_large'])
})

test('a server that cannot prove its identity gets no request', async () => {
  const service = await startService((_, response) => json(response, { valid: true }))
  const { caPem: _, ...unknown } = service.address
  expect(await refusalOf(createVies(unknown).check(number, null))).toEqual([
    'lookup_unavailable',
    expect.stringMatching(/CERT|ISSUER|SIGNED|VERIFY/),
  ])
  expect(service.asked).toEqual([])
})

const NS =
  'http://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/burt/jdit/ws/'

function censusAnswer(result: string, name: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>' +
    `<VNifV2Sal:VNifV2Sal xmlns:VNifV2Sal="${NS}VNifV2Sal.xsd"><VNifV2Sal:Contribuyente>` +
    `<VNifV2Sal:Nif>12345678Z</VNifV2Sal:Nif><VNifV2Sal:Nombre>${name}</VNifV2Sal:Nombre>` +
    `<VNifV2Sal:Resultado>${result}</VNifV2Sal:Resultado>` +
    '</VNifV2Sal:Contribuyente></VNifV2Sal:VNifV2Sal></env:Body></env:Envelope>'
  )
}

test.each([
  ['IDENTIFICADO', 'identified'],
  ['NO IDENTIFICADO', 'not_identified'],
  ['NO IDENTIFICADO-SIMILAR', 'similar'],
  ['IDENTIFICADO-BAJA', 'inactive'],
  ['IDENTIFICADO-REVOCADO', 'revoked'],
])('the census answer %s means %s', async (said, result) => {
  const credential = { kind: 'representative' as const, ...makeCertificate() }
  const service = await startService(
    (_, response) => response.writeHead(200).end(censusAnswer(said, 'RUIZ GIL ANA')),
    true,
  )
  const census = createCensus(credential, service.address)
  expect(await census.check('12345678Z', 'Ana Ruiz & <Hijos>')).toEqual({ result, name: 'RUIZ GIL ANA' })
  const [asked] = service.asked
  expect(asked?.hasCertificate).toBe(true)
  expect(asked?.url).toBe('/wlpl/BURT-JDIT/ws/VNifV2SOAP')
  expect(asked?.body).toContain('<vnif:Nombre>Ana Ruiz &amp; &lt;Hijos&gt;</vnif:Nombre>')
})

test.each([
  [200, censusAnswer('NO PROCESADO', ''), 'lookup_unavailable', 'not_processed'],
  [200, censusAnswer('QUIZÁ', ''), 'lookup_refused', 'unknown_result'],
  [200, '<!DOCTYPE a><a/>', 'lookup_refused', 'unreadable'],
  [403, '<html/>', 'lookup_refused', 'certificate'],
  [
    500,
    '<e><faultstring>Codigo[1].No autorizado</faultstring></e>',
    'lookup_refused',
    'Codigo[1].No autorizado',
  ],
])('a census answer of status %s without a result is rejected', async (status, body, code, reason) => {
  const service = await startService((_, response) => response.writeHead(status).end(body))
  const census = createCensus({ kind: 'person', ...makeCertificate() }, service.address)
  expect(await refusalOf(census.check('12345678Z', 'Ana'))).toEqual([code, reason])
})

const RATES = `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.0837'/><Cube currency='JPY' rate='161.55'/></Cube><Cube time='2026-11-19'><Cube currency='USD' rate='1.08'/></Cube></Cube></gesmes:Envelope>`

test("the bank's file of 90 days is requested, and its rates are read exactly", async () => {
  const service = await startService((_, response) => response.writeHead(200).end(RATES))
  const rates = await createEcb(service.address).rates('2026-11-20')
  expect(rates).toEqual([
    { day: '2026-11-20', currency: 'USD', rateMicro: 1_083_700 },
    { day: '2026-11-20', currency: 'JPY', rateMicro: 161_550_000 },
  ])
  expect([service.asked[0]?.method, service.asked[0]?.url]).toEqual([
    'GET',
    '/stats/eurofxref/eurofxref-hist-90d.xml',
  ])
})

test.each([
  ['a page', '<html><body>Sorry</body></html>'],
  ['a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${RATES.slice(RATES.indexOf('<gesmes:Env'))}`],
  ['a rate of zero', RATES.replace('1.0837', '0')],
  ['a rate in words', RATES.replace('1.0837', 'one')],
  ['a day that is none', RATES.replace('2026-11-20', '2026-11-31')],
  ['half a file', RATES.slice(0, 300)],
])('%s is not a file of rates', (_name, xml) => expect(() => readRates(xml)).toThrow())
