/** The project's own lint rules, as a plugin of ESLint and oxlint. */
import { retiredWords } from './retired-words.mjs'

/** Forbids `serialize()` of a database, which returns its content unencrypted. */
const noSerialize = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { serialize: 'serialize() of the database returns its content unencrypted. Use VACUUM INTO.' },
  },
  create: (context) => ({
    "CallExpression[callee.type='MemberExpression'][callee.property.name='serialize']": (node) =>
      context.report({ node, messageId: 'serialize' }),
  }),
}

export default {
  meta: { name: 'house' },
  rules: { 'no-serialize': noSerialize, 'retired-words': retiredWords },
}
