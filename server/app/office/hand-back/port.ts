/** What an office needs to hand companies back, loaded when somebody does. */
import type { AppEnvironment } from '../../../context.ts'
import type { Bucket } from '../../../db/postgres/objects/bucket.ts'

interface PortOptions {
  url: string
  masterKey: Buffer
  bucket: Bucket | undefined
  inRowAtMost: number | undefined
  env: Pick<AppEnvironment, 'loadContracts' | 'now' | 'newId' | 'version'>
}

/** Returns the bucket of the server for somebody who closes what they opened. */
function shared(bucket: Bucket): Bucket {
  return Object.create(bucket, { close: { value: () => {} } }) as Bucket
}

export function handBackPort({
  url,
  masterKey,
  bucket,
  inRowAtMost,
  env,
}: PortOptions): NonNullable<AppEnvironment['handBack']> {
  const { loadContracts, now, version } = env
  const office = {
    url,
    masterKey,
    inRowAtMost,
    name: 'office',
    isPooled: true,
    openBucket: bucket && (async () => shared(bucket)),
  }
  return {
    newCode: async () => (await import('../transfer/index.ts')).newCode(),
    isCode: async (typed) => (await import('../transfer/index.ts')).isCode(typed),
    async write({ company, code }) {
      const { fileToHandOver, handBackCompany } = await import('../transfer/index.ts')
      const to = fileToHandOver(env.newId('req'))
      await handBackCompany({ office, company, code, to, version, loadContracts, now })
      return to
    },
    async takeBack(company) {
      const { takeBackCompany } = await import('../transfer/index.ts')
      await takeBackCompany({ office, company, now })
    },
  }
}
