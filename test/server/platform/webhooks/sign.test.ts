/** Signatures, compared with the public library and with a verifier on Python's standard library. */
import { execFileSync } from 'node:child_process'
import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newSecret, signatureHeaders } from '../../../../server/platform/webhooks/sign.ts'
import { needs } from '../../../support/tools.ts'

const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'invoice.issued',
  data: { number: 'F2026-0001', n: 'ñ€🧾' },
})

test('a secret is 32 random bytes, and no two are the same', () => {
  const [one, other] = [newSecret(), newSecret()]
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(one).not.toBe(other)
})

test("the specification's example gives the specification's signature", () => {
  // From the tests of the reference implementations.
  const headers = signatureHeaders(
    {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1_614_265_330_000),
      body: '{"test": 2432232314}',
    },
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  )
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

describe('the public library', () => {
  const [now, before, foreign] = [newSecret(), newSecret(), newSecret()]
  const signed = () => signatureHeaders({ id: 'msg_1', at: new Date(), body: BODY }, [now, before])

  test('accepts either secret of a rotation', () => {
    for (const secret of [now, before])
      expect(new Verifier(secret).verify(BODY, signed())).toEqual(JSON.parse(BODY))
  })

  test.each<[string, (headers: Record<string, string>) => [string, string, Record<string, string>]]>([
    ['another secret', (headers) => [foreign, BODY, headers]],
    ['another body', (headers) => [now, BODY.replace('0001', '0002'), headers]],
    ['another message', (headers) => [now, BODY, { ...headers, 'webhook-id': 'msg_2' }]],
    [
      'another time',
      (headers) => [
        now,
        BODY,
        { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) },
      ],
    ],
  ])('rejects %s', (_name, forge) => {
    const [secret, body, headers] = forge(signed())
    expect(() => new Verifier(secret).verify(body, headers)).toThrow()
  })
})

const PYTHON = `
import base64, hashlib, hmac, json, sys
m = json.load(sys.stdin)
key = base64.b64decode(m["secret"].removeprefix("whsec_"))
signed = ".".join([m["id"], m["timestamp"], m["body"]]).encode()
expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
given = [s.split(",", 1)[1] for s in m["signature"].split(" ") if s.startswith("v1,")]
print(any(hmac.compare_digest(expected, g) for g in given))
`

needs('python3')("a verifier of Python's standard library says the same", () => {
  const [secret, other] = [newSecret(), newSecret()]
  const headers = signatureHeaders({ id: 'msg_1', at: new Date(), body: BODY }, [secret])
  const verdict = (with_: string): string =>
    execFileSync('python3', ['-c', PYTHON], {
      input: JSON.stringify({
        secret: with_,
        id: headers['webhook-id'],
        timestamp: headers['webhook-timestamp'],
        signature: headers['webhook-signature'],
        body: BODY,
      }),
      encoding: 'utf8',
    }).trim()
  expect(verdict(secret)).toBe('True')
  expect(verdict(other)).toBe('False')
})
