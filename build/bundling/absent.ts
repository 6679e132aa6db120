/** Replaces a module in the bundle that is required there but never called. */
export default undefined
