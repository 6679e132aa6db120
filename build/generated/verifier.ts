/** The page of an inspection pack: its code and style bundled into one self-contained file. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'vite'

const ROOT = resolve(import.meta.dirname, '../..')
const at = (name: string): string => resolve(ROOT, 'renderer/verifier', name)

/** Bundles one entry into a minified script. */
async function bundled(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2023',
      minify: 'oxc',
      rolldownOptions: {
        input: at(entry),
        output: { format: 'iife' },
        treeshake: { moduleSideEffects: false },
      },
    },
  })
  const [output] = [result].flat()
  const chunks = output && 'output' in output ? output.output : []
  const [chunk, ...others] = chunks
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error(`${entry} became more than one script.`)
  // Only this tag ends the script, inside a string too; a `</` elsewhere may be the end of a regular expression and its flags.
  return chunk.code.trim().replace(/<\/(?=script)/gi, '<\\/')
}

const policyHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export async function generate(): Promise<Record<string, string>> {
  const page = await bundled('page.ts')
  const worker = await bundled('worker.ts')
  const style = readFileSync(at('style.css'), 'utf8').trim()
  // The worker starts as a blob and inherits this policy: it may run, but load nothing.
  const policy = [
    "default-src 'none'",
    `script-src ${policyHash(page)}`,
    `style-src ${policyHash(style)}`,
    'worker-src blob:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const parts: Record<string, string> = { POLICY: policy, STYLE: style, WORKER: worker, PAGE: page }
  const template = readFileSync(at('index.html'), 'utf8').replace(/^<!--.*-->\n/, '')
  return {
    'server/app/inspection/verifier/index.html': template.replace(
      /%(POLICY|STYLE|WORKER|PAGE)%/g,
      (_, name: string) => parts[name] ?? '',
    ),
  }
}
