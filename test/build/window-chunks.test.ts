/** Code splitting of a small page with a package of its own: the content of each file, and that the page still runs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { rekaParts } from '../../build/bundling/reka-parts.ts'
import { windowChunks } from '../../build/bundling/window-chunks.ts'

/** Returns a module that prints its name, so that it is recognizable in the file and not removed. */
const says = (name: string, ...imports: string[]): string =>
  `${imports.join('\n')}\nexport const ${name} = () => '${name} is here'\n`

function project(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'sello-window-chunks-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** Returns the files of the page, by name without the content hash. */
async function cut(
  root: string,
  input: Record<string, string>,
  plugins: Plugin[],
  output: object = {},
): Promise<Map<string, string>> {
  const done = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins,
    build: {
      outDir: 'out',
      minify: false,
      modulePreload: { polyfill: false, resolveDependencies: () => [] },
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, join(root, path)])),
        preserveEntrySignatures: 'allow-extension',
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs', ...output },
      },
    },
  })
  const { output: files } = done as { output: { fileName: string; code?: string }[] }
  return new Map(files.map(({ fileName, code = '' }) => [fileName, code]))
}

const PAGE = {
  'main.js': `import { app } from './app.js'\nimport { one } from 'kit'\nexport const run = async () => [app(), one(), ...(await (await import('./home.js')).home())]`,
  'app.js': says('app'),
  'home.js': `import { both } from './both.js'\nimport { two } from 'kit'\nimport { app } from './app.js'\nexport const home = async () => [both(), two(), app(), (await import('./other.js')).other()]`,
  'other.js': `import { both } from './both.js'\nexport const other = () => 'other with ' + both()`,
  'both.js': says('both'),
  'docs.js': `import { shared } from './shared.js'\nexport const docs = () => shared()`,
  'shared.js': says('shared'),
  'node_modules/kit/package.json': JSON.stringify({ name: 'kit', type: 'module', exports: './index.js' }),
  // A package whose index only re-exports.
  'node_modules/kit/index.js': `// the kit\nimport { one } from './one.js'\nimport { two } from './two.js'\nimport { three as drei } from './three.js'\nexport { one, two, drei }`,
  'node_modules/kit/one.js': says('one'),
  'node_modules/kit/two.js': says('two'),
  'node_modules/kit/three.js': says('three'),
}

test('the imports of the entry are one file, and those that the front page shares with others another', async () => {
  const root = project(PAGE)
  const { plugin, codeSplitting } = windowChunks({
    entry: join(root, 'main.js'),
    front: [join(root, 'home.js')],
    apart: [join(root, 'docs.js')],
  })
  const files = await cut(root, { main: 'main.js', docs: 'docs.js' }, [plugin], { codeSplitting })
  const holders = (name: string) =>
    [...files].filter(([, code]) => code.includes(`${name} is here`)).map(([file]) => file)
  expect(holders('app')).toEqual(['window.mjs'])
  // Through the package's index only named imports count: the entry does not include the part used by the front page
  // only.
  expect(holders('one')).toEqual(['window.mjs'])
  expect(holders('two')).toEqual(['front.mjs'])
  expect(holders('three')).toEqual([])
  expect(holders('both')).toEqual(['front.mjs'])
  // Modules shared with other pages are split by their users.
  expect(holders('shared').every((file) => !['window.mjs', 'front.mjs'].includes(file))).toBe(true)
  for (const [file, code] of files) writeFileSync(join(root, file), code)
  const { run } = (await import(pathToFileURL(join(root, 'main.mjs')).href)) as {
    run: () => Promise<string[]>
  }
  expect(await run()).toEqual([
    'app is here',
    'one is here',
    'both is here',
    'two is here',
    'app is here',
    'other with both is here',
  ])
})

test('a user of one object of parts gets only its parts', async () => {
  const root = project({
    'main.js': `import { Menu, Label as Name } from 'reka-ui/namespaced'\nexport const parts = [Menu.Root, Menu.Item, Name]`,
    'node_modules/reka-ui/package.json': JSON.stringify({
      name: 'reka-ui',
      type: 'module',
      sideEffects: false,
      exports: { '.': './dist/index.mjs', './namespaced': './dist/namespaced/index.mjs' },
    }),
    'node_modules/reka-ui/dist/index.mjs': `export { MenuRoot, MenuItem } from './menu.mjs'\nexport { Label } from './label.mjs'\nexport { DateRoot } from './date.mjs'`,
    'node_modules/reka-ui/dist/menu.mjs': `export const MenuRoot = 'menu root'\nexport const MenuItem = 'menu item'`,
    'node_modules/reka-ui/dist/label.mjs': `export const Label = 'a label'`,
    'node_modules/reka-ui/dist/date.mjs': `export const DateRoot = globalThis.date = 'date root'`,
    'node_modules/reka-ui/dist/namespaced/index.mjs': `import { MenuRoot, MenuItem, DateRoot } from 'reka-ui'\nconst Menu = {\n  Root: MenuRoot,\n  Item: MenuItem\n};\nconst Dates = { Root: DateRoot };\nexport { Menu, Dates }\nexport { Label } from 'reka-ui'`,
  })
  const files = await cut(root, { main: 'main.js' }, [rekaParts(root)])
  const [code = ''] = files.values()
  expect(code).not.toContain('date root')
  writeFileSync(join(root, 'main.mjs'), code)
  const { parts } = (await import(pathToFileURL(join(root, 'main.mjs')).href)) as { parts: string[] }
  expect(parts).toEqual(['menu root', 'menu item', 'a label'])
})
