/** The libraries that read and make certificates load slowly: a start must not wait for them. */
import { createRequire } from 'node:module'
import { sep } from 'node:path'
import { expect, test } from 'vitest'

const { cache } = createRequire(import.meta.url)

/** Returns which of them are loaded; they are CommonJS, so Node has a list. */
function loaded(): string[] {
  const paths = Object.keys(cache).map((path) => path.replaceAll(sep, '/'))
  return ['node-forge', '@peculiar/asn1-x509'].filter((name) =>
    paths.some((path) => path.includes(`/node_modules/${name}/`)),
  )
}

test('neither server nor command line loads the certificate libraries before they are needed', async () => {
  await import('../../../../server/api/application.ts')
  await import('../../../../server/cli/main.ts')
  expect(loaded()).toEqual([])
  await import('../../../../server/company/certificates/worker.ts')
  expect(loaded()).toEqual(['node-forge'])
  await import('../../../../server/platform/simulated-authority/certificates/certificates.ts')
  expect(loaded()).toEqual(['node-forge', '@peculiar/asn1-x509'])
})
