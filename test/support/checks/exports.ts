/** Finds exports that no other file imports, from the source text alone. */
import { posix } from 'node:path'
import ts from 'typescript'
import type { Sources } from './architecture.ts'

/** Exports that tools load by name, not by an import. */
const TAKEN_BY_TOOLS = [
  // `build/generate.ts` imports every file of the folder by its computed path.
  /^build\/generated\//,
  // Replaces the package `electron`.
  /^test\/support\/browser\/fake-electron\.ts$/,
]

interface UnusedExport {
  path: string
  name: string
}

interface Module {
  /** Names that the file exports. */
  exports: string[]
  /** Imports from other files: names, every mentioned name, or everything. */
  imports: { target: string; names: readonly string[] | 'mentioned' | 'all' }[]
  /** Every identifier of the file. */
  mentions: Set<string>
}

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
const isDefault = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)

function namesOf(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesOf(element.name) : []))
}

function exportsOf(statement: ts.Statement): string[] {
  if (ts.isExportDeclaration(statement))
    return statement.exportClause && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : []
  if (!isExported(statement) || isDefault(statement)) return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesOf(name))
  const { name } = statement as { name?: ts.Node } & ts.Statement
  return name && ts.isIdentifier(name) ? [name.text] : []
}

function importsOf(statement: ts.Statement): readonly string[] | 'mentioned' | 'all' {
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause
    if (!clause || !ts.isNamedExports(clause)) return 'all'
    return clause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
  }
  const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined
  if (!bindings) return []
  if (!ts.isNamedImports(bindings)) return 'mentioned'
  return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
}

function moduleOf(path: string, code: string): Module {
  const script = path.endsWith('.vue')
    ? [...code.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1]).join('\n')
    : code
  const file = ts.createSourceFile(path, script, ts.ScriptTarget.Latest, false, ts.ScriptKind.TS)
  const module: Module = { exports: [], imports: [], mentions: new Set() }
  const take = (specifier: ts.Node | undefined, names: Module['imports'][number]['names']): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.')) return
    const target = posix.join(posix.dirname(path), specifier.text.split('?')[0]!)
    module.imports.push({ target, names })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) module.mentions.add(node.text)
    else if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      take(node.moduleSpecifier, importsOf(node))
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      take(node.arguments[0], 'mentioned')
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      take(node.argument.literal, 'mentioned')
    ts.forEachChild(node, visit)
  }
  visit(file)
  module.exports = file.statements.flatMap(exportsOf)
  return module
}

/**
 * Returns the exports that no other file imports. Default exports are left out: tools load configurations and
 * components. A file that loads another by `import()` or as a namespace uses the names that it mentions, and
 * everything if it mentions none.
 */
export function unusedExports(sources: Sources): UnusedExport[] {
  const modules = new Map(Object.entries(sources).map(([path, code]) => [path, moduleOf(path, code)]))
  const used = new Map<string, Set<string>>()
  for (const [path, { imports, mentions }] of modules)
    for (const { target, names } of imports) {
      const exported = modules.get(target)?.exports
      if (!exported || target === path) continue
      const mentioned = exported.filter((name) => mentions.has(name))
      const taken =
        names === 'all' || (names === 'mentioned' && mentioned.length === 0)
          ? exported
          : names === 'mentioned'
            ? mentioned
            : names
      const known = used.get(target) ?? new Set()
      for (const name of taken) known.add(name)
      used.set(target, known)
    }
  return [...modules].flatMap(([path, { exports }]) =>
    (TAKEN_BY_TOOLS.some((taken) => taken.test(path)) ? [] : exports).flatMap((name) =>
      used.get(path)?.has(name) ? [] : [{ path, name }],
    ),
  )
}
