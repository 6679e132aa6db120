/**
 * Lint rules of the page, whose templates oxlint cannot read: those of `.oxlintrc.json` for its scripts, and Vue's own.
 * oxlint checks all other code.
 */
import { readFileSync } from 'node:fs'
import vue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'
import house from './lint/house.mjs'

const oxlint = JSON.parse(readFileSync(new URL('../.oxlintrc.json', import.meta.url), 'utf8'))

/** The rules of all code, by the names that ESLint has for them. */
const sharedRules = Object.fromEntries(
  Object.entries(oxlint.rules).map(([name, level]) => [
    name === 'no-unused-vars'
      ? '@typescript-eslint/no-unused-vars'
      : name.replace(/^typescript\//, '@typescript-eslint/'),
    level,
  ]),
)
/** A file outside main/ and preload/. */
const outsideMain = oxlint.overrides.find(({ files }) => files.includes('**/*.ts')).rules

/** Rules of the layout: oxfmt formats. */
const layoutRules = Object.fromEntries(
  Object.keys(vue.rules)
    .filter((name) =>
      /indent|newline|spacing|max-attributes|closing-bracket|html-quotes|max-len|comma|quotes|self-closing/.test(
        name,
      ),
    )
    .map((name) => [`vue/${name}`, 'off']),
)

export default tseslint.config(
  { ignores: ['**/*.d.ts'] },
  ...vue.configs['flat/recommended'],
  {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
  },
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser, extraFileExtensions: ['.vue'] } },
  },
  {
    files: ['**/*.{ts,vue}'],
    plugins: { house, '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...sharedRules,
      ...outsideMain,
      ...layoutRules,
      'house/retired-words': 'error',
      // Foreign text must never become markup: in a desktop window it would run as code.
      'vue/no-v-html': 'error',
      'vue/multi-word-component-names': 'off',
      'vue/require-default-prop': 'off',
    },
  },
)
