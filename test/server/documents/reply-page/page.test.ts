/** The reply page as a file: complete in itself, strict, and signed by a company that can. */
import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DOCUMENT_LANGUAGES } from '../../../../server/domain/languages.ts'
import { languagesOf, pageFileName, replyPageHtml } from '../../../../server/documents/reply-page/page.ts'
import { PAGE_MESSAGES } from '../../../../server/documents/reply-page/messages.ts'
import { signDetached } from '../../../../server/documents/signing/index.ts'
import type { OfferedPage, PageFacts } from '../../../../server/sales/replies/index.ts'
import { needs, tool } from '../../../support/tools.ts'
import { KEY_TYPES, signer } from '../signing/samples.ts'

const FACTS: PageFacts = {
  seller: { name: 'Talleres Ejemplo, S.L.', nif: 'B12345674' },
  buyer: { name: 'Ana Ruiz Gil', nif: '12345678Z' },
  number: 'F2026-0001',
  issueDate: '2026-07-01',
  dueDate: '2026-07-31',
  instalments: [],
  currency: 'EUR',
  total: 1210.5,
  payable: 1060.5,
  iban: 'ES9121000418450200051332',
  replyTo: 'facturas@talleres.example',
}
const offered = (
  changes: Partial<PageFacts> = {},
  language: OfferedPage['language'] = 'es',
): OfferedPage => ({
  id: 'rpp_6tqy0v5cbn2k8w4e',
  language,
  facts: { ...FACTS, ...changes },
  key: Buffer.alloc(32, 3),
  offeredAt: 0,
})

describe.each(DOCUMENT_LANGUAGES)('in %s', (language) => {
  const page = replyPageHtml(offered({}, language))

  test('its policy names the only script and style by their digests, and nothing is loaded', () => {
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    const digestOf = (text: string): string =>
      `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`
    const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text)
    const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text = '']) => text)
    expect([scripts.length, styles.length]).toEqual([1, 1])
    expect(policy.replaceAll('&#39;', "'")).toBe(
      `default-src 'none'; script-src ${digestOf(scripts[0]!)}; style-src ${digestOf(styles[0]!)}; base-uri 'none'; form-action 'none'`,
    )
    expect(page).not.toMatch(/https?:/)
    const markup = page.replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    expect(markup).not.toMatch(
      /<(?:img|link|iframe|object|embed|base|video|audio)\b| on[a-z]+=| style=|url\(/i,
    )
    expect(scripts[0]).not.toMatch(/fetch|XMLHttp|WebSocket|sendBeacon|import|eval|Function\(/)
  })

  test('it says the facts without a script, and has all words', () => {
    expect(page).toContain(`<html lang="${language}">`)
    expect(page).toMatch(/ES91 2100 0418 4502 0005 1332/)
    for (const text of [FACTS.number, 'B12345674', 'Ana Ruiz Gil (12345678Z)']) expect(page).toContain(text)
    const words = PAGE_MESSAGES[language]
    expect(Object.keys(words)).toEqual(Object.keys(PAGE_MESSAGES.es))
    for (const [name, text] of Object.entries(words))
      expect([name, text.trim() === '']).toEqual([name, false])
    expect(languagesOf(language)).toContain('es')
    expect(languagesOf(language)).toContain('en')
  })
})

test('hostile names stay text', () => {
  const name = `</script><script>alert(1)</script>"'><img src=x onerror=alert(1)>\u2028{number}`
  const page = replyPageHtml(offered({ buyer: { name, nif: null }, number: '../../<b>"1' }))
  expect(page.match(/<script/g)).toHaveLength(2)
  expect(page).not.toContain('<img')
  expect(/id="data">([^<]*)</.exec(page)?.[1]).not.toContain('\u2028')
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(pageFileName(offered({ number: '../../<b>"1' }))).toBe('..-..--b--1-respuesta.html')
})

test('without an address there is no link for mail', () => {
  expect(replyPageHtml(offered({ replyTo: null }))).not.toContain('id="mail"')
  expect(replyPageHtml(offered())).toContain('id="mail"')
})

test('the same page is the same text', () => {
  expect(replyPageHtml(offered())).toBe(replyPageHtml(offered()))
})

needs('openssl').each(KEY_TYPES)('OpenSSL verifies the signature of a page with %s', (type) => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-reply-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { key, caPem } = signer(type)
  const page = Buffer.from(replyPageHtml(offered()))
  const write = (name: string, bytes: Uint8Array | string): string => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const verify = (content: Uint8Array): number | null =>
    spawnSync(tool('openssl')!, [
      ...['cms', '-verify', '-binary', '-inform', 'DER', '-purpose', 'any'],
      ...['-in', write('s.der', signDetached(key, page)), '-content', write('page.html', content)],
      ...['-CAfile', write('ca.pem', caPem), '-out', join(folder, 'out')],
    ]).status
  expect(verify(page)).toBe(0)
  const changed = Buffer.from(page)
  changed[200] = changed[200]! ^ 1
  expect(verify(changed)).not.toBe(0)
})
