/** Lint rule: names of functions, types, exports and files use the standard term, never one that the project has retired. */

/** A retired word of a name, and what to write instead. The house's terms are those of textbooks, standards and libraries. */
const RETIRED = {
  asked: 'request',
  asking: 'request',
  anew: 'again',
  bin: 'trash',
  deed: 'action or event',
  deeds: 'actions',
  desk: 'session, dashboard or window',
  feasibility: 'proposal checks',
  judge: 'check, assess or resolve',
  judged: 'checked',
  kept: 'saved, stored or cached',
  matter: 'action item',
  matters: 'action items',
  mending: 'recovery',
  nobody: 'noop',
  outward: 'external',
  patience: 'timeout or maximum wait',
  patient: 'with recovery',
  patiently: 'with recovery',
  remains: 'purged data',
  taker: 'importer',
  tell: 'record, notify or emit',
  tells: 'output fields',
  tidy: 'normalize or trim',
  texts: 'messages',
  told: 'reported or registered',
  trouble: 'fault or problem',
  wear: 'apply',
  whoever: 'caller',
  wording: 'messages',
  words: 'messages or labels',
}
/** Two words that mean something else together. */
const RETIRED_PAIRS = {
  'at hand': 'available',
  'at once': 'optimistic',
  'must tick': 'required checkbox',
  'secret once': 'one-time secret',
  'stand in': 'mock',
  'under way': 'in flight',
  'way back': 'undo',
}
/** Names that speak of words in a text. */
const SPEAKS_OF_WORDS =
  /^(?:name|search|shared|key|free|stop)?words(?:of|in)?$|wordsIn$|WordsOf$|SharedWords$/i

/** The words of a name in camelCase, PascalCase, SNAKE_CASE or kebab-case, in lower case. */
const wordsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())

/** What to write instead of the first retired word of a name, or null. */
function retiredIn(name) {
  const words = wordsOf(name)
  for (const [index, word] of words.entries()) {
    const pair = `${word} ${words[index + 1] ?? ''}`
    if (Object.hasOwn(RETIRED_PAIRS, pair)) return { word: pair, instead: RETIRED_PAIRS[pair] }
    if (word === 'words' && SPEAKS_OF_WORDS.test(name)) continue
    if (Object.hasOwn(RETIRED, word)) return { word, instead: RETIRED[word] }
  }
  return null
}

export const retiredWords = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { retired: '"{{name}}" says "{{word}}", a retired word: write {{instead}}.' },
  },
  create(context) {
    const check = (id) => {
      const retired = id && id.type === 'Identifier' ? retiredIn(id.name) : null
      if (retired) context.report({ node: id, messageId: 'retired', data: { name: id.name, ...retired } })
    }
    return {
      Program(node) {
        const name = context.filename.split(/[\\/]/).at(-1).replace(/\..*$/, '')
        const retired = retiredIn(name)
        if (retired) context.report({ node, messageId: 'retired', data: { name, ...retired } })
      },
      FunctionDeclaration: ({ id }) => check(id),
      ClassDeclaration: ({ id }) => check(id),
      TSInterfaceDeclaration: ({ id }) => check(id),
      TSTypeAliasDeclaration: ({ id }) => check(id),
      TSEnumDeclaration: ({ id }) => check(id),
      'ExportNamedDeclaration > VariableDeclaration > VariableDeclarator': ({ id }) => check(id),
      "VariableDeclarator[init.type='ArrowFunctionExpression']": ({ id }) => check(id),
    }
  },
}
