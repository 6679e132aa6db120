/** Every fault code that the server can answer has a text in both languages, where its page looks for it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import en from '../../../../../renderer/locales/en/index.ts'
import es from '../../../../../renderer/locales/es/index.ts'
import { FiscalWarning } from '../../../../../server/accounting/returns/contract.ts'

const server = resolve(import.meta.dirname, '../../../../../server')

/**
 * Not shown by the page: rules of the simulated authorities and their connections, the command line, the checks of
 * exported books, and the reasons of the XML reader, which its callers replace with codes of their own.
 */
const ELSEWHERE =
  /^(registry\/(simulator|authority)|integrations\/exchange\/simulator|accounting\/returns\/(books|simulator|filing\/aeat|calendar\/ics)|platform\/(simulated-authority|http-client)|cli\/|domain\/formats\/|api\/(openapi|rest|http|window|mcp)\/|db\/)/

/** Texts that the page of a slice has for its own codes, before those shared by all pages. */
const FAMILIES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(sales|registry|company\/series)\//, ['invoice.fault']],
  [/^purchases\//, ['received.fault', 'received.warning']],
  [/^accounting\/returns\//, ['taxes.warning']],
  [/^integrations\/erp\//, ['erp.warning']],
  [/^app\/proposal-checks\//, ['inbox.point', 'invoice.fault']],
]

const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !ELSEWHERE.test(file))
  .map((file) => ({ file, text: readFileSync(join(server, file), 'utf8') }))

/** Returns the innermost braces around a position. */
function objectAround(text: string, at: number): string {
  let from = at
  for (let depth = 0; from > 0; from -= 1) {
    if (text[from] === '}') depth += 1
    if (text[from] === '{' && depth-- === 0) break
  }
  let to = from
  for (let depth = 0; to < text.length; to += 1) {
    if (text[to] === '{') depth += 1
    if (text[to] === '}' && --depth === 0) break
  }
  return text.slice(from, to + 1)
}

const quoted = (text: string): string[] =>
  [...text.matchAll(/(?<!\[)'([a-z][a-z0-9_]+)'/g)].map((match) => match[1] ?? '')

/** Functions that create a fault from the code in their first argument. */
const makers = new Set(
  sources.flatMap(({ text }) =>
    [...text.matchAll(/(?:function (\w+)|const (\w+) = )\(\s*code: string/g)].flatMap((match) =>
      /Fault|severity|validationFailed/.test(text.slice(match.index, match.index + 600))
        ? [match[1] ?? match[2] ?? '']
        : [],
    ),
  ),
)
// Not methods of the same name, as of a set.
const made = new RegExp(`(?<![\\w.])(?:${[...makers].join('|')})\\(\\s*'([a-z][a-z0-9_]+)'`, 'g')

interface Found {
  code: string
  file: string
}

const found: Found[] = sources.flatMap(({ file, text }) => {
  const written = [...text.matchAll(/\bcode:\s*([^,\n]*(?:\n\s+[?:][^,\n]*)*),/g)].flatMap((match) => {
    const object = objectAround(text, match.index)
    return /\b(?:severity|field)\b/.test(object) && /\bmessage\b/.test(object) ? quoted(match[1] ?? '') : []
  })
  // In zod's terms: a value that is not a text, a number out of range.
  const checks = [...text.matchAll(/params: \{ fault: '(\w+)'/g)].map((match) => match[1] ?? '')
  return [...written, ...checks, ...[...text.matchAll(made)].map((match) => match[1] ?? '')].map((code) => ({
    code,
    file,
  }))
})

function has(words: unknown, path: string): boolean {
  let at: any = words
  for (const part of path.split('.')) at = at?.[part]
  return typeof at === 'string'
}

test('every form of creating a fault is understood by this test', () => {
  const codes = found.map(({ code }) => code)
  // Written out, by condition, by a function, and by a check of a contract.
  for (const code of ['unknown_field', 'cause_of_another_treatment', 'nif_repeated', 'not_a_date'])
    expect(codes).toContain(code)
  expect(new Set(codes).size).toBeGreaterThan(200)
})

test.each([
  ['Spanish', es],
  ['English', en],
] as const)('every fault has a text in %s', (_, words) => {
  const mute = found.filter(({ code, file }) => {
    // Points of a proposal that are errors of the underlying operation use its texts.
    if (file.startsWith('app/proposal-checks/') && has(words, `errors.${code}.title`)) return false
    const own = FAMILIES.find(([files]) => files.test(file))?.[1] ?? []
    return !['faults', ...own].some((family) => has(words, `${family}.${code}`))
  })
  expect([...new Set(mute.map(({ code, file }) => `${code} (${file})`))].toSorted()).toEqual([])
})

test('every warning of a return has a text in both languages', () => {
  for (const code of FiscalWarning.shape.code.options)
    for (const words of [es, en]) expect(words.taxes.warning, code).toHaveProperty(code, expect.any(String))
})
