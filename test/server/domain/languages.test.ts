/**
 * The languages of documents: the same eight in every operation and in the store, with their formats of percentages
 * and days.
 */
import { expect, test } from 'vitest'
import {
  dayText,
  DOCUMENT_LANGUAGES,
  LANGUAGE_NAMES,
  LOCALES,
  percentText,
  programLanguage,
  VAT_NAMES,
} from '../../../server/domain/languages.ts'
import type { DocumentLanguage } from '../../../server/domain/languages.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../support/world.ts'

test.each<[DocumentLanguage, string, string, string]>([
  ['es', '5,2 %', '03/06/2026', 'IVA'],
  ['ca', '5,2 %', '03/06/2026', 'IVA'],
  ['eu', '% 5,2', '2026/06/03', 'BEZ'],
  ['gl', '5,2 %', '03/06/2026', 'IVE'],
  ['en', '5.2%', '03/06/2026', 'VAT'],
  ['fr', '5,2 %', '03/06/2026', 'TVA'],
  ['de', '5,2 %', '03.06.2026', 'MwSt.'],
  ['pt', '5,2 %', '03/06/2026', 'IVA'],
])('%s has its own format of a percentage, a day and the name of VAT', (language, share, day, vat) => {
  expect(percentText(520, language)).toBe(share)
  expect(dayText('2026-06-03', language)).toBe(day)
  expect(VAT_NAMES[language]).toBe(vat)
})

test('days and percentages are those of CLDR, except for the blank in the Portuguese percentage', () => {
  const plain = (text: string): string => text.replace(/\s/g, ' ')
  for (const language of DOCUMENT_LANGUAGES) {
    const day = new Intl.DateTimeFormat(LOCALES[language], {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(Date.UTC(2026, 5, 3))
    expect(dayText('2026-06-03', language), language).toBe(day)
    const share = new Intl.NumberFormat(LOCALES[language], { style: 'percent', maximumFractionDigits: 2 })
    const own = language === 'pt' ? percentText(520, language).replace(' ', '') : percentText(520, language)
    expect(own, language).toBe(plain(share.format(0.052)))
  }
})

test('each language has its own name', () => {
  for (const language of DOCUMENT_LANGUAGES) {
    const name = new Intl.DisplayNames(LOCALES[language], { type: 'language' }).of(language) ?? ''
    expect(LANGUAGE_NAMES[language].toLowerCase()).toBe(name.toLowerCase())
  }
})

test("the program's own texts are Spanish for the languages of Spain, else English", () => {
  expect(DOCUMENT_LANGUAGES.map((language) => [language, programLanguage(language)])).toEqual([
    ['es', 'es'],
    ['ca', 'es'],
    ['eu', 'es'],
    ['gl', 'es'],
    ['en', 'en'],
    ['fr', 'en'],
    ['de', 'en'],
    ['pt', 'en'],
  ])
})

test('a company, a contact, a draft, a quote, a recurring invoice and a mail accept any of them, and store it', async () => {
  const world = await openWorld()
  const lines = [{ description: 'Mano de obra', quantity: 1, unitPrice: 10 }]
  for (const language of DOCUMENT_LANGUAGES) {
    const company = await world.run('company.update', { defaults: { language } })
    expect(company.defaults.language).toBe(language)
    const name = `Kunde ${language}`
    const contact = await world.run('contacts.create', {
      name,
      roles: { customer: true, supplier: false },
      language,
    })
    expect(contact.language).toBe(language)
    const draft = await world.run('invoices.create', { ...EXAMPLE_DRAFT, language })
    expect((await world.run('invoices.get', { id: draft.id })).language).toBe(language)
    const quote = await world.run('quotes.create', { clientName: name, lines, language })
    expect((await world.run('quotes.get', { id: quote.id })).language).toBe(language)
    const rule = { freq: 'monthly' as const, start: '2026-08-01', byMonthDay: 1 }
    const invoice = { clientName: name, clientNif: 'B12345674', lines, language }
    const repeated = await world.run('recurring.create', { name, rule, invoice })
    expect(repeated.invoice.language).toBe(language)
    const words = { subject: name, body: name }
    const template = await world.run('mail.saveTemplate', { kind: 'invoice', language, words })
    expect(template).toMatchObject({ language, isOwn: true, subject: name })
  }
})

test('another language is rejected by every operation with a language', async () => {
  const world = await openWorld()
  const language = 'it' as DocumentLanguage
  const lines = [{ description: 'Mano de obra', quantity: 1, unitPrice: 10 }]
  const asked = [
    await world.call('company.update', { defaults: { language } }),
    await world.call('contacts.create', {
      name: 'Cliente',
      roles: { customer: true, supplier: false },
      language,
    }),
    await world.call('invoices.create', { ...EXAMPLE_DRAFT, language }),
    await world.call('quotes.create', { clientName: 'Cliente', lines, language }),
    await world.call('mail.saveTemplate', { kind: 'invoice', language, words: null }),
    await world.call('tax.causes', { language }),
  ]
  for (const { status, body } of asked) {
    expect(status).toBe(422)
    expect(body.error.code).toBe('validation_failed')
    expect(body.error.details.faults).toEqual([
      expect.objectContaining({
        code: 'not_allowed',
        field: expect.stringMatching(/^(defaults\.)?language$/),
      }),
    ])
  }
})
