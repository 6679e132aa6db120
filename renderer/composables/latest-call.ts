/** Drops answers that arrive after a later call has begun. */

/** Returns a function that begins a call; what that returns says whether no later call has begun since. */
export function latestCall(): () => () => boolean {
  let latest = 0
  return () => {
    const own = ++latest
    return () => own === latest
  }
}
