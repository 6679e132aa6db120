/** Books of a folder in an office: the same canonical digest, and issuing that goes on there alone. */
import { describe, expect, test } from 'vitest'
import { loadContracts } from '../../../../server/api/operations.ts'
import { importBooks } from '../../../../server/app/office/transfer/index.ts'
import { ENGINE, testKey } from '../../../support/postgres/databases.ts'
import { databaseForTest, digestOfFolder, digestOfOffice, folderForTest, now, openFolder } from '../../../support/office/folders.ts'
import { unpackFixture } from '../../../support/fixtures.ts'
import { openTestStore } from '../../../support/store.ts'

describe.runIf(ENGINE === 'pg')('in an office', () => {
  test('a folder of an earlier version is upgraded, copied and verified', async () => {
    const folder = folderForTest()
    unpackFixture(15, folder)
    const { url } = await databaseForTest()
    const source = await openFolder(folder)
    const before = await digestOfFolder(folder)
    const lines: string[] = []
    const started = performance.now()
    const { companies } = await importBooks({
      source,
      office: { url, masterKey: testKey(), name: 'office' },
      loadContracts,
      now,
      report: (line) => lines.push(line),
    })
    console.log(lines.join('\n'), Math.round(performance.now() - started), 'ms')
    await source.close()
    for (const { id } of companies) {
      console.log(await digestOfOffice(url, id).then((d) => d.sha256))
      expect((await digestOfOffice(url, id)).rows).toBe(before.rows)
    }
  })
})

test('x', async () => { await openTestStore() })
