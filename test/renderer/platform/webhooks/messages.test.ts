/** The page offers exactly the event types that the server sends, in the shortest form. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { language } from '../../../../renderer/format.ts'
import { i18n } from '../../../../renderer/i18n.ts'
import en from '../../../../renderer/locales/en/index.ts'
import {
  addressLabel,
  eventsLabel,
  FAMILIES,
  healthOf,
  laidOut,
  reasonLabel,
  compactEventTypes,
  typesOf,
  wantedTypes,
} from '../../../../renderer/platform/webhooks/messages.ts'
import { WEBHOOK_TYPES } from '../../../../server/platform/webhooks/event-types.ts'

// Other files share the worker, and with it the language.
const before = { locale: i18n.global.locale.value, language: language.value }
beforeAll(() => {
  i18n.global.setLocaleMessage('en', en)
  i18n.global.locale.value = 'en'
  language.value = 'en'
})
afterAll(() => {
  i18n.global.locale.value = before.locale
  language.value = before.language
})

const ALL = FAMILIES.flatMap(typesOf)

test('exactly the types that the server sends can be chosen', () => {
  expect(ALL.toSorted()).toEqual(WEBHOOK_TYPES.toSorted())
})

describe('a choice of events', () => {
  test('is a family if all of it is chosen, and everything if all families are', () => {
    expect(compactEventTypes(new Set(typesOf('invoice')))).toEqual(['invoice.*'])
    expect(
      compactEventTypes(new Set(['invoice.issued', 'registry.accepted', ...typesOf('proposal')])),
    ).toEqual(['invoice.issued', 'registry.accepted', 'proposal.*'])
    expect(compactEventTypes(new Set(ALL))).toEqual(['*'])
    expect(compactEventTypes(new Set())).toEqual([])
  })

  test('is expanded to the types it includes', () => {
    for (const events of [['*'], ['invoice.*', 'mail.changed'], ['erp.sync_finished'], []])
      expect(compactEventTypes(wantedTypes(events))).toEqual(
        events.map((each) => (each === 'mail.changed' ? 'mail.*' : each)),
      )
    expect(wantedTypes(['registry.*']).has('registry.accepted_with_errors')).toBe(true)
    // A family is not a mere prefix of a name.
    expect([...wantedTypes(['invoice.*'])].every((type) => type.startsWith('invoice.'))).toBe(true)
  })

  test('is described by the names of families', () => {
    expect(eventsLabel(['*'])).toBe('Everything that happens')
    expect(eventsLabel(['invoice.*', 'registry.accepted'])).toBe('Issued invoices and registry.accepted')
  })
})

test('the state of a webhook: off before failing before waiting', () => {
  const at = '2026-07-01T10:00:00.000Z'
  const one = { state: 'active' as const, disabledReason: null, failingSince: null, holdUntil: null }
  expect(healthOf(one).word).toBe('active')
  expect(healthOf({ ...one, holdUntil: at }).word).toBe('waiting')
  expect(healthOf({ ...one, holdUntil: at, failingSince: at }).word).toBe('failing')
  expect(healthOf({ ...one, state: 'disabled', disabledReason: 'asked', failingSince: at }).word).toBe(
    'asked',
  )
  expect(healthOf({ ...one, state: 'disabled', disabledReason: 'gone' }).word).toBe('gone')
  expect(healthOf({ ...one, state: 'disabled', disabledReason: 'failing' }).word).toBe('silenced')
})

test('every reason of a failed delivery is a sentence', () => {
  expect(reasonLabel('status_503')).toBe('The receiver answered 503.')
  expect(reasonLabel('redirect')).toMatch(/does not follow/)
  expect(reasonLabel('address_private_address')).toBe(addressLabel('private_address'))
  expect(reasonLabel('CERT_HAS_EXPIRED')).toMatch(/certificate.*CERT_HAS_EXPIRED/)
  expect(reasonLabel('ECONNREFUSED')).toMatch(/ECONNREFUSED/)
  expect(addressLabel('something new')).toBe('Sello does not send messages to that address.')
})

test('a body is formatted, or shown unchanged', () => {
  expect(laidOut('{"a":{"b":1}}')).toBe('{\n  "a": {\n    "b": 1\n  }\n}')
  expect(laidOut('{"a":')).toBe('{"a":')
})
