/** How the page is cut into files, of a small page with a package of its own: what is in which file, and that it still runs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { rekaParts } from '../../build/bundling/reka-parts.ts'
import { windowChunks } from '../../build/bundling/window-chunks.ts'

/** Says its name when it is asked, so that it is in the file and nobody leaves it out. */
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

/** The files that the page is cut into, by name without what stands for their content. */
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
  // A package whose index only passes on.
  'node_modules/kit/index.js': `// the kit\nimport { one } from './one.js'\nimport { two } from './two.js'\nimport { three as drei } from './three.js'\nexport { one, two, drei }`,
  'node_modules/kit/one.js': says('one'),
  'node_modules/kit/two.js': says('two'),
  'node_modules/kit/three.js': says('three'),
}

test('what the entry imports is one file, and what the front page shares with others another', async () => {
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
  // Through the package's index only what is named there: the entry does not take what the front page alone uses.
  expect(holders('one')).toEqual(['window.mjs'])
  expect(holders('two')).toEqual(['front.mjs'])
  expect(holders('three')).toEqual([])
  expect(holders('both')).toEqual(['front.mjs'])
  // What belongs to other pages as well is cut by who needs it.
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

test('whoever takes one object of parts gets its parts and no others', async () => {
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
