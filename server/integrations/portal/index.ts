/** Exports of the portal for other slices; what they load is light while nothing is due. */
export { createPortalJobs, portalWork } from './jobs.ts'
export { runPortal } from './simulator/command.ts'
export { portalStories } from './story.ts'
export type { PortalStory } from './story.ts'
