/** Steps of a change of the database key, as shown while it runs. */
export const KEY_CHANGE_STEPS = ['copying', 'encrypting', 'swapping', 'backing_up'] as const
export type KeyChangeStep = (typeof KEY_CHANGE_STEPS)[number]
