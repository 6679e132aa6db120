/** Stands in the bundle for what is required there but never called. */
export default undefined
