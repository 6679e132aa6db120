/** Conversations of assistants with the real product: their cost in calls and bytes, and their results. */
import type { Era } from '../../server/api/mcp/resources.ts'
import { CONVERSATIONS } from '../assistants/conversations/index.ts'
import { Stage } from '../assistants/player.ts'
import type { Group } from '../bench.ts'

interface Outcome {
  failed: string[]
  /** Bytes by kind of answer. */
  costs: [string, number][]
}

/** Plays all conversations in one protocol revision, in separate books. */
async function playAll(era: Era, say: (text: string) => void): Promise<Outcome> {
  const stage = await Stage.open()
  const failed: string[] = []
  try {
    for (const conversation of CONVERSATIONS)
      try {
        const { name, calls, bytesSeen } = await stage.play(conversation, era)
        say(`ok ${era} ${name}: ${calls} calls, ${bytesSeen} B`)
      } catch (error) {
        failed.push(`${era} ${conversation.name}`)
        say(`FAIL ${era} ${conversation.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    for (const mode of ['test', 'live'] as const) await stage.prove(mode)
    const { all, forModels } = await stage.listBytes()
    const costs: Outcome['costs'] = [
      ['tools/list', forModels],
      ['tools/list with the schemas of answers', all],
      ...stage.answerBytes,
    ]
    return { failed, costs }
  } finally {
    await stage.close()
  }
}

export const assistantGroup: Group = {
  names: ['assistants'],
  async run({ say, note }) {
    const { failed: earlier } = await playAll('2025', say)
    const { failed: later, costs } = await playAll('2026', say)
    say(`\n${'bytes'.padStart(8)}  of what a model reads`)
    for (const [what, bytes] of costs) say(`${String(bytes).padStart(8)}  ${what}`)
    note('assistants', Object.fromEntries(costs))
    const failed = [...earlier, ...later]
    if (failed.length > 0) throw new Error(`Conversations that went otherwise: ${failed.join(', ')}`)
  },
}
