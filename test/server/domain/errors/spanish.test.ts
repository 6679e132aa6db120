/** Explanations in Spanish: each sentence of an answer has a translation, and REST and MCP return it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { SPANISH_SENTENCES, spanishSentences } from '../../../../server/domain/errors/spanish-sentences.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import { call, messageOf, post } from '../../api/mcp/wires.ts'

const SERVER = join(import.meta.dirname, '../../../../server')

/** Returns every text in the sources that is a `why` of an assumption, or a caveat. */
function sentencesOfSources(): Set<string> {
  const sentences = new Set<string>()
  const take = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && / /.test(node.text)) sentences.add(node.text)
    if (ts.isTemplateExpression(node))
      for (const { literal } of node.templateSpans)
        if (/[a-z]{3}/.test(literal.text)) sentences.add(literal.text.trim())
    ts.forEachChild(node, take)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ['why', 'generalRateReason'].includes(node.name.getText()))
      take(node.initializer)
    else if (ts.isCallExpression(node) && node.expression.getText() === 'inferred')
      node.arguments.forEach(take)
    else if (
      ts.isVariableDeclaration(node) &&
      [
        'REPEATED',
        'ESTIMATE',
        'NO_PURCHASES',
        'FROM_ERP',
        'ERP_PARTLY',
        'SIMPLIFIED',
        'WAGES',
        'ISSUED_ONLY',
      ].includes(node.name.getText())
    )
      take(node)
    ts.forEachChild(node, visit)
  }
  for (const file of [
    ...globSync(join(SERVER, 'sales/invoices/{draft,correct}/{compose*,drafts,rectify,rectify-causes}.ts')),
    join(SERVER, 'accounting/returns/summary.ts'),
    ...globSync(join(SERVER, 'tax/systems/*/index.ts')),
  ])
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true))
  return sentences
}

test('every explanation in the sources has a Spanish text, and no text is unused', () => {
  const sentences = sentencesOfSources()
  expect(sentences.size).toBeGreaterThan(30)
  expect([...sentences].filter((sentence) => !Object.hasOwn(SPANISH_SENTENCES, sentence))).toEqual([])
  expect(Object.keys(SPANISH_SENTENCES).filter((sentence) => !sentences.has(sentence))).toEqual([])
})

test('an article of the law stays unchanged', () => {
  expect(
    spanishSentences(
      'A discount given after the invoice reduces its base. What it rectifies is a ticket. (art. 80.Uno.2.º LIVA and art. 15 RD 1619/2012)',
    ),
  ).toBe(
    'Un descuento posterior a la factura reduce su base. Lo que se rectifica es una factura simplificada. (art. 80.Uno.2.º LIVA y art. 15 RD 1619/2012)',
  )
  expect(spanishSentences('Texto de un cliente')).toBe('Texto de un cliente')
})

test('REST explains a draft in the requested language, and tools in that of the owner', async () => {
  const world = await openWorld()
  const draft = { ...EXAMPLE_DRAFT, lines: [{ description: 'Obra', quantity: 1, unitPrice: 100 }] }
  const reasons = ({ assumptions }: { assumptions: { why: string }[] }) => assumptions.map(({ why }) => why)
  const told = async (headers: Record<string, string>) =>
    reasons((await world.post('/api/v1/invoices', draft, { headers })).body.data)
  expect(await told({})).toContain('The general VAT rate on the day.')
  expect(await told({ 'accept-language': 'es' })).toContain('El tipo general de IVA en esa fecha.')
  const { result } = await messageOf(await post(world, call('svc_create_invoice_draft', draft)))
  expect(reasons(result.structuredContent)).toContain('El tipo general de IVA en esa fecha.')
})

test('REST gives the caveats of a fiscal summary in the requested language', async () => {
  const world = await openWorld()
  const caveats = async (headers: Record<string, string>) =>
    (await world.get('/api/v1/fiscal/summary?year=2026&quarter=3', { headers })).body.data.caveats as string[]
  const [english, spanish] = [await caveats({}), await caveats({ 'accept-language': 'es' })]
  expect(english.length).toBeGreaterThan(1)
  expect(spanish).toEqual(english.map((each) => SPANISH_SENTENCES[each]))
})
