/** Lint rule: SQL outside server/db is understood by both engines; what they spell differently is a helper there. */

/** What only one engine understands, with the helper to use instead. */
const FORMS = [
  [/\bjson_(?:each|array_elements\w*)\b/i, 'elementsOf, numberList or stringList'],
  [/->|\bjson_extract\b/i, 'jsonText or jsonNumber'],
  [/\binstr\(|\bstrpos\(/i, 'contains'],
  [/\b(?:max|min|greatest|least)\((?:[^()]|\([^()]*\))*,/i, 'largest or smallest'],
  [/\bindexed by\b|\bnot indexed\b/i, 'indexedBy or notIndexed'],
  [/[\s(]\+[a-z_"]/i, 'unindexed'],
  [/\bsavepoint\b|\brollback to\b/i, 'withSavepoint'],
  [/\bpragma|\bsqlite_|\bpg_/i, 'columnsOf, foreignKeysOf or referencesTo'],
  [/\biif\(|\bifnull\(/i, '`case` or `coalesce`'],
  [/\bjulianday\(|\bstrftime\(|\bdatetime\(/i, 'days compared as text'],
  [/\bglob\b|\bgroup_concat\(|\bstring_agg\(|\browid\b|\bchar\(/i, 'something that both have'],
  [/\binsert or\b|\breplace into\b/i, '`on conflict`'],
  [/\bsum\((?!case)[^()]*(?: is |[<>=])[^()]*\)/i, '`count(*) filter (where …)`'],
  [/\bwhere [01](?![\d\s]*[=<>])/i, '`1 = 1` or `1 = 0`'],
  [/ is '/i, '`is not distinct from`'],
  [/\bas [a-z]+[A-Z]/, 'an alias in double quotes'],
]

/** @type {import('eslint').Rule.RuleModule} */
export const portableSql = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { engine: '"{{found}}" is SQL of one engine: use {{instead}} (server/db).' },
  },
  create: (context) => ({
    TaggedTemplateExpression: (node) => {
      if (node.tag.type !== 'Identifier' || node.tag.name !== 'sql') return
      for (const part of node.quasi.quasis)
        for (const [form, instead] of FORMS) {
          const found = form.exec(part.value.raw)?.[0].trim()
          if (found) context.report({ node: part, messageId: 'engine', data: { found, instead } })
        }
    },
  }),
}
