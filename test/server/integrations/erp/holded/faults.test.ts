/** Error answers: codes, waits, and texts without the key. */
import { describe, expect, test } from 'vitest'
import type { AppError } from '../../../../../server/domain/errors/app-error.ts'
import { faultsOf } from '../../../../../server/integrations/erp/holded/faults.ts'
import type { ErpReply } from '../../../../../server/integrations/erp/connection/http.ts'
import { NEWER_KEY, problem, TODAY } from './account.ts'

function fault(reply: Partial<ErpReply>, scope: string | null = 'sales:invoices.read'): AppError | null {
  return faultsOf({ secret: NEWER_KEY, today: TODAY, scope })({
    status: 200,
    headers: {},
    json: undefined,
    text: '',
    ...reply,
  })
}

test.each([
  [{ status: 200, json: { items: [] } }, null],
  [{ status: 200, json: [] }, null],
  // A list without a status is not an error.
  [{ status: 200, json: { status: 0, items: [] } }, null],
  [problem(401, 'Missing or invalid API key.'), 'erp_key_rejected'],
  [{ status: 401, json: { status: 401 } }, 'erp_key_rejected'],
  [{ status: 401, text: '<html>' }, 'erp_key_rejected'],
  [problem(403, 'Access denied.'), 'erp_key_rejected'],
  [{ status: 400, json: { status: 0, info: 'Invalid key' } }, 'erp_key_rejected'],
  [{ status: 200, json: { status: 0, info: 'Invalid key' } }, 'erp_key_rejected'],
  [problem(402, 'Upgrade.'), 'erp_plan_required'],
  [problem(403, 'Insufficient permissions: inventory:products.read required.'), 'erp_permission_missing'],
  [problem(403, 'Blocked by a rule.'), 'erp_protocol_error'],
  [{ status: 403, text: '<html>' }, 'erp_protocol_error'],
  [problem(400, 'Error parsing ObjectId string: x'), 'erp_protocol_error'],
  [problem(404, 'Not found.'), 'erp_protocol_error'],
  [problem(422, 'No.'), 'erp_protocol_error'],
  [problem(500, 'Unexpected error.'), 'erp_unavailable'],
  [{ status: 503, text: '<html>' }, 'erp_unavailable'],
  [{ status: 200, text: '<!DOCTYPE html>' }, 'erp_protocol_error'],
  [{ status: 200, text: '' }, 'erp_protocol_error'],
  [{ status: 204 }, 'erp_protocol_error'],
  [{ status: 302 }, 'erp_protocol_error'],
  [{ status: 200, json: { status: 0, info: 'Document not found' } }, 'erp_protocol_error'],
])('%j is %s', (reply, code) => expect(fault(reply)?.code ?? null).toBe(code))

test('a missing permission is named by the refusal, else by the list', () => {
  const missing = (detail: string, scope: string | null) => fault(problem(403, detail), scope)?.details
  expect(missing('Insufficient permissions: sales:receipts.read required.', null)).toEqual({
    permissions: { missing: ['sales:receipts.read'] },
  })
  expect(missing('Insufficient permissions.', 'sales:invoices.read')).toEqual({
    permissions: { missing: ['sales:invoices.read'] },
  })
})

describe('too many calls', () => {
  test.each([
    [{ 'x-ratelimit-window': 'minute', 'retry-after': '17' }, 'erp_rate_limited', 17],
    [{ 'x-ratelimit-window': 'month', 'retry-after': '86400' }, 'erp_quota_exhausted', 86_400],
    [
      {
        'x-ratelimit-window': 'minute',
        'x-ratelimit-reset': '1779264030',
        date: 'Wed, 20 May 2026 08:00:00 GMT',
      },
      'erp_rate_limited',
      30,
    ],
    [{ 'x-ratelimit-window': 'minute', 'retry-after': '0' }, 'erp_rate_limited', 1],
    [{}, 'erp_rate_limited', 60],
    [{ 'retry-after': 'Wed, 20 May 2026' }, 'erp_rate_limited', 60],
    // From the beginning of 20 May to the end of the month in Spain.
    [{ 'x-ratelimit-window': 'month' }, 'erp_quota_exhausted', 12 * 86_400],
  ] as [Record<string, string>, string, number][])(
    'with %j are %s for %i seconds',
    (headers, code, seconds) => {
      const error = fault(problem(429, 'Too many.', headers))
      expect([error?.code, error?.retryAfterSeconds]).toEqual([code, seconds])
    },
  )

  test('in a month are recognized where only the text says so', () => {
    expect(fault(problem(429, 'You have reached the monthly limit (500).'))?.code).toBe('erp_quota_exhausted')
  })
})

test('the quoted text is one harmless line of at most 200 characters, without the key', () => {
  const said = (detail: string) => fault(problem(500, detail))?.details?.['said']
  expect(said(`The key\n${NEWER_KEY}\u202e failed`)).toBe('The key … failed')
  expect(said('x'.repeat(500))).toBe('x'.repeat(200))
  expect(fault({ status: 500, text: '<b>secret page</b>' })?.details).toEqual({ status: 500 })
})
