/** Conversations of assistants with the real product: what each costs in calls and bytes, and that it ends as it should. */
import { CONVERSATIONS } from '../assistants/conversations/index.ts'
import { Stage } from '../assistants/player.ts'
import type { Group } from '../bench.ts'

const ERAS = ['2025', '2026'] as const

export const assistantGroup: Group = {
  names: ['assistants'],
  async run({ say, note }) {
    const stage = await Stage.open()
    try {
      const failed: string[] = []
      for (const conversation of CONVERSATIONS)
        for (const era of ERAS)
          try {
            const { name, calls, bytesSeen } = await stage.play(conversation, era)
            say(`ok ${era} ${name}: ${calls} calls, ${bytesSeen} B`)
          } catch (error) {
            failed.push(`${era} ${conversation.name}`)
            say(`FAIL ${era} ${conversation.name}: ${error instanceof Error ? error.message : String(error)}`)
          }
      for (const mode of ['test', 'live'] as const) await stage.prove(mode)
      const { all, forModels } = await stage.listBytes()
      say(`\n${'bytes'.padStart(8)}  what a model reads of it`)
      const costs = [
        ['tools/list', forModels],
        ['tools/list with the schemas of answers', all],
        ...stage.answerBytes,
      ] as const
      for (const [what, bytes] of costs) say(`${String(bytes).padStart(8)}  ${what}`)
      note('assistants', Object.fromEntries(costs))
      if (failed.length > 0) throw new Error(`Conversations that went otherwise: ${failed.join(', ')}`)
    } finally {
      await stage.close()
    }
  },
}
