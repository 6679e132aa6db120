/** Finds direct uses of time or randomness in the product: a repeatable run must not depend on them. */
import ts from 'typescript'

/** Random functions of `node:crypto`. */
const DRAWING = new Set([
  'generateKeyPair',
  'generateKeyPairSync',
  'randomBytes',
  'randomFill',
  'randomFillSync',
  'randomInt',
  'randomUUID',
  'getRandomValues',
])
const TIMERS = new Set(['setTimeout', 'setInterval'])
const MEMBERS = new Set(['Date.now', 'Math.random', 'performance.now', 'process.hrtime'])

/**
 * Returns the nondeterministic functions that a file uses, each once, in order: `Date.now`, `new Date()`,
 * `randomBytes`, `setTimeout` and so on.
 */
export function surprisesIn(path: string, code: string): string[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const name = node.getText(file)
      if (MEMBERS.has(name)) found.add(name)
      else if (DRAWING.has(node.name.text)) found.add(node.name.text)
    } else if (ts.isNewExpression(node)) {
      if (node.expression.getText(file) === 'Date' && (node.arguments ?? []).length === 0)
        found.add('new Date()')
    } else if (ts.isImportSpecifier(node)) {
      const name = (node.propertyName ?? node.name).text
      if (DRAWING.has(name) || TIMERS.has(name)) found.add(name)
    } else if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      if (TIMERS.has(node.expression.text)) found.add(node.expression.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...found].sort()
}
