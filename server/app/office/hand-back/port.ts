/** What an office needs to hand companies back, loaded when somebody does. */
import type { AppEnvironment } from '../../../context.ts'
import type { Bucket } from '../../../db/postgres/objects/bucket.ts'

interface PortOptions {
  url: string
  masterKey: Buffer
  bucket: Bucket | undefined
  inRowAtMost: number | undefined
  env: Pick<AppEnvironment, 'now' | 'newId' | 'version'>
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
  const { now, version } = env
  const office = {
    url,
    masterKey,
    name: 'office',
    isPooled: true,
    openBucket: bucket && (async () => shared(bucket)),
  }
  return {
    newCode: async () => (await import('../transfer/index.ts')).newCode(),
    isCode: async (typed) => (await import('../transfer/index.ts')).isCode(typed),
    async write({ company, code }) {
      const [{ fileToHandOver }, { handBackInThread }] = await Promise.all([
        import('../transfer/index.ts'),
        import('./thread.ts'),
      ])
      const to = fileToHandOver(env.newId('req'))
      await handBackInThread(
        {
          office: { url, masterKey, name: office.name, inRowAtMost },
          company,
          code,
          to,
          version,
          at: now().getTime(),
        },
        bucket,
      )
      return to
    },
    async takeBack(company) {
      const { takeBackCompany } = await import('../transfer/index.ts')
      await takeBackCompany({ office, company, now })
    },
  }
}
