/** Whoever runs, approvals, conversations and memory belong to: the id of a user. */
export type Owner = string

/** The one user of a machine on which nobody signs in. */
export const LOCAL_OWNER: Owner = 'local'
