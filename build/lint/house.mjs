/** The project's own lint rules, as a plugin of ESLint and oxlint. */
import { portableSql } from './portable-sql.mjs'
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

/** Forbids `insertId` and `lastInsertRowid`, which only SQLite has. */
const noInsertId = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      returning: "Only SQLite returns the identifier of a new row by itself. Use returning('id').",
    },
  },
  create: (context) => ({
    'Identifier[name=/^(?:insertId|lastInsertRowid)$/]': (node) =>
      context.report({ node, messageId: 'returning' }),
  }),
}

export default {
  meta: { name: 'house' },
  rules: {
    'no-insert-id': noInsertId,
    'no-serialize': noSerialize,
    'portable-sql': portableSql,
    'retired-words': retiredWords,
  },
}
