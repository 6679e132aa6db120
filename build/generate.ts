/**
 * Writes generated files, or with `--check` fails if one is out of date. Each module in build/generated/ produces
 * some of them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The export of a module in `build/generated/`: paths from the repository's root, and their content. */
interface Generator {
  generate: () => Promise<Record<string, string>> | Record<string, string>
}

/** Returns the files whose content on disk is missing or out of date. Writes nothing. */
export async function outdated(root: string): Promise<{ path: string; content: string }[]> {
  const folder = join(root, 'build/generated')
  const modules = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.ts')) : []
  const old: { path: string; content: string }[] = []
  for (const name of modules.toSorted()) {
    const generator = (await import(pathToFileURL(join(folder, name)).href)) as Generator
    for (const [path, content] of Object.entries(await generator.generate())) {
      const file = join(root, path)
      if (!existsSync(file) || readFileSync(file, 'utf8') !== content) old.push({ path, content })
    }
  }
  return old
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  const root = resolve(import.meta.dirname, '..')
  const old = await outdated(root)
  if (process.argv.includes('--check')) {
    for (const { path } of old) console.error(`${path} is not current: run "npm run generate".`)
    process.exitCode = old.length > 0 ? 1 : 0
  } else {
    for (const { path, content } of old) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
      console.error(`wrote ${path}`)
    }
  }
}
