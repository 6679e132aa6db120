/** Lint rules. oxfmt handles formatting; these rules forbid code that would leak a secret or break the layers. */
import vue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'
import { houseWords } from './lint/retired-words.mjs'

const layoutRules = Object.fromEntries(
  Object.keys(vue.rules)
    .filter((name) =>
      /indent|newline|spacing|max-attributes|closing-bracket|html-quotes|max-len|comma|quotes|self-closing/.test(
        name,
      ),
    )
    .map((name) => [`vue/${name}`, 'off']),
)

const noSerialize = {
  selector: "CallExpression[callee.type='MemberExpression'][callee.property.name='serialize']",
  message: 'serialize() of the database answers it unencrypted. Use VACUUM INTO.',
}

/** ESLint's own rules for mistakes that types do not detect. */
const mistakes = Object.fromEntries(
  [
    'for-direction',
    'no-async-promise-executor',
    'no-case-declarations',
    'no-cond-assign',
    'no-constant-binary-expression',
    'no-debugger',
    'no-dupe-else-if',
    'no-duplicate-case',
    'no-empty-character-class',
    'no-empty-pattern',
    'no-fallthrough',
    'no-irregular-whitespace',
    'no-loss-of-precision',
    'no-self-assign',
    'no-sparse-arrays',
    'no-unsafe-finally',
    'no-unsafe-optional-chaining',
    'no-useless-backreference',
    'no-useless-escape',
    'require-yield',
    'use-isnan',
    'valid-typeof',
  ].map((name) => [name, 'error']),
)

export default tseslint.config(
  {
    ignores: [
      'out/**',
      'node_modules/**',
      'coverage/**',
      'test/golden/**',
      '**/*.d.ts',
      '**/*.config.ts.*.mjs',
    ],
  },
  ...tseslint.configs.recommended,
  ...vue.configs['flat/recommended'],
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser, extraFileExtensions: ['.vue'] } },
  },
  {
    files: ['**/*.{ts,mts,vue,mjs}'],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...layoutRules,
      ...mistakes,
      // Foreign text must never become markup: in a desktop window it would run as code.
      'vue/no-v-html': 'error',
      'vue/multi-word-component-names': 'off',
      'vue/require-default-prop': 'off',
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-syntax': ['error', noSerialize],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // Released migrations keep their names.
    files: ['server/**/*.ts', 'main/**/*.ts', 'preload/**/*.ts', 'renderer/**/*.{ts,vue}'],
    ignores: ['server/db/migrations/**'],
    plugins: { house: houseWords },
    rules: { 'house/retired-words': 'error' },
  },
  {
    files: ['**/*.{ts,vue}'],
    ignores: [
      'main/**',
      'preload/**',
      'test/main/**',
      'test/electron/**',
      'test/support/browser/fake-electron.ts',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'electron', message: 'Only main/ and preload/ know Electron.' }] },
      ],
    },
  },
  {
    // Server responses are read as untyped JSON; the assertions check them.
    files: ['test/**/*.ts'],
    // A test of a composable mounts a component of its own for each case.
    rules: { '@typescript-eslint/no-explicit-any': 'off', 'vue/one-component-per-file': 'off' },
  },
  {
    // A forgotten await can lose an invoice here, so that these rules use type information.
    files: ['server/**/*.ts', 'main/**/*.ts', 'preload/**/*.ts'],
    languageOptions: {
      parserOptions: { project: ['build/tsconfig.node.json'], tsconfigRootDir: `${import.meta.dirname}/..` },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/await-thenable': 'error',
    },
  },
)
