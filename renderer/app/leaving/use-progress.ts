/** Asks for the progress of an archive while it is worked on. */
import { useIntervalFn } from '@vueuse/core'
import { shallowRef } from 'vue'
import type { ShallowRef } from 'vue'
import { call } from '../../call.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

const LOOK_EVERY_MS = 500

type Progress = OutputOf<'leaving.progress'>['inFlight']

/** Returns the progress, and what begins and ends the asking. */
export function useArchiveProgress(name: 'leaving.progress' | 'leaving.takeInProgress'): {
  progress: ShallowRef<Progress>
  begin: () => void
  end: () => void
} {
  const progress = shallowRef<Progress>(null)
  async function look(): Promise<void> {
    // It only informs: a missed answer comes with the next one.
    const answer = await call(name, {}).catch(() => null)
    if (answer?.inFlight) progress.value = answer.inFlight
  }
  const looking = useIntervalFn(() => void look(), LOOK_EVERY_MS, { immediate: false })
  return {
    progress,
    begin: () => looking.resume(),
    end: () => {
      looking.pause()
      progress.value = null
    },
  }
}
