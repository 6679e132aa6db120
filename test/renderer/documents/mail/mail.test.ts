/** Typed mail addresses, and the servers of providers, in the form of the API. */
import { expect, test } from 'vitest'
import { mail as en } from '../../../../renderer/locales/en/mail.ts'
import { mail as es } from '../../../../renderer/locales/es/mail.ts'
import { addressesIn, PROVIDERS, providerOf } from '../../../../renderer/documents/mail/mail.ts'
import {
  MailReason,
  MailState,
  saveMailAccountContract,
  TemplateKind,
} from '../../../../server/documents/mail/contract.ts'

test('addresses are parsed with any separator, and out of their names', () => {
  expect(addressesIn(' ana@a.example, luis@b.example;eva@c.example\nx@d.example ')).toEqual([
    'ana@a.example',
    'luis@b.example',
    'eva@c.example',
    'x@d.example',
  ])
  expect(addressesIn('Ana Ruiz <ana@a.example>, "Luis" <luis@b.example>')).toEqual([
    'ana@a.example',
    'luis@b.example',
  ])
  expect(addressesIn('ana@a.example luis@b.example')).toEqual(['ana@a.example', 'luis@b.example'])
  // An invalid address is kept for the server to reject, not dropped.
  expect(addressesIn('ana, luis@b.example')).toEqual(['ana', 'luis@b.example'])
  expect(addressesIn(' , ')).toEqual([])
})

test('every provider offered is an account the server accepts, and is recognised by its host', () => {
  for (const { id, host, port, security } of PROVIDERS) {
    const input = { channel: 'smtp' as const, host, port, security, fromAddress: 'a@b.example' }
    expect(saveMailAccountContract.input.parse(input)).toEqual(input)
    expect(providerOf(host.toUpperCase())).toBe(id)
  }
  expect(providerOf('correo.example')).toBe('other')
})

test('every state, reason and kind of mail has its text', () => {
  for (const { mail } of [es, en]) {
    expect(Object.keys(mail.reason).toSorted()).toEqual(MailReason.options.toSorted())
    expect(Object.keys(mail.fix).toSorted()).toEqual(MailReason.options.toSorted())
    expect(Object.keys(mail.state)).toEqual(expect.arrayContaining([...MailState.options]))
    expect(Object.keys(mail.templateKind)).toEqual([...TemplateKind.options])
    expect(Object.keys(mail.provider)).toEqual([...PROVIDERS.map(({ id }) => id), 'other'])
  }
})
