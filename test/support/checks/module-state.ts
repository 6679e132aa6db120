/** Finds state that a module keeps for the whole process: a second server of the same office knows nothing of it. */
import ts from 'typescript'

/** Objects without state of ours. */
const WITHOUT_STATE = new Set([
  'Date',
  'Error',
  'AppError',
  'RegExp',
  'URL',
  'TextDecoder',
  'TextEncoder',
  'Intl.DateTimeFormat',
  'Intl.NumberFormat',
  'Intl.Collator',
  'Intl.Segmenter',
  'Kysely',
])
const CONTAINERS = new Set(['Map', 'Set'])
const CHANGING = new Set([
  'set',
  'add',
  'delete',
  'clear',
  'push',
  'pop',
  'shift',
  'unshift',
  'splice',
  'sort',
])

/** Returns true if a file changes the object that the name stands for. */
function isChanged(file: ts.SourceFile, name: string): boolean {
  let found = false
  const isOfName = (node: ts.Expression): boolean => ts.isIdentifier(node) && node.text === name
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      CHANGING.has(node.expression.name.text) &&
      isOfName(node.expression.expression)
    )
      found = true
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
      node.operatorToken.kind <= ts.SyntaxKind.LastAssignment &&
      (ts.isElementAccessExpression(node.left) || ts.isPropertyAccessExpression(node.left)) &&
      isOfName(node.left.expression)
    )
      found = true
    if (!found) ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/**
 * Returns the names of a file's top-level variables that are assigned again, objects that are changed, and instances of
 * classes that may change, in order.
 */
export function moduleStateIn(path: string, code: string): string[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue
    const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name)) continue
      const made =
        initializer && ts.isNewExpression(initializer) ? initializer.expression.getText(file) : null
      const isInstance = made !== null && !WITHOUT_STATE.has(made) && !CONTAINERS.has(made)
      if (!isConst || isInstance || isChanged(file, name.text)) found.push(name.text)
    }
  }
  return found
}
