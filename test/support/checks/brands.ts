/** Finds names of registries and of the tax agency in the code of the server, comments excepted. */
import ts from 'typescript'
import type { Sources } from './architecture.ts'

/** Brands of registries and of their authorities, as names in code and paths spell them. */
const BRAND = /verifactu|ticketbai|aeat/i
const REGISTRY_BRAND = /verifactu|ticketbai/i
/** The folder of a registry, in which its own names are at home. */
const HOME = /^server\/registry\/systems\/[a-z]+\//

function wordsOf(path: string, code: string): string[] {
  const words: string[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) words.push(node.text)
    else if (ts.isRegularExpressionLiteral(node)) words.push(node.text)
    else if (ts.isLiteralExpression(node) || ts.isTemplateHead(node)) words.push(node.text)
    else if (ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) words.push(node.text)
    ts.forEachChild(node, walk)
  }
  walk(ts.createSourceFile(path, code, ts.ScriptTarget.Latest, false))
  return words
}

function filesNaming(brand: RegExp, sources: Sources): string[] {
  return Object.entries(sources)
    .filter(([path]) => path.startsWith('server/') && !HOME.test(path))
    .filter(
      ([path, code]) =>
        brand.test(path) || (brand.test(code) && wordsOf(path, code).some((word) => brand.test(word))),
    )
    .map(([path]) => path)
    .toSorted()
}

/** Returns the files of server/ outside the folders of registries that name one of them or the agency. */
export function filesWithBrands(sources: Sources): string[] {
  return filesNaming(BRAND, sources)
}

/** Returns those that name a registry, or the first one by its constant: they may have to know a further one. */
export function filesNamingRegistries(sources: Sources): string[] {
  return [
    ...new Set([...filesNaming(REGISTRY_BRAND, sources), ...filesNaming(/FIRST_REGISTRY/, sources)]),
  ].toSorted()
}
