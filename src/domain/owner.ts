/** The id of the user who owns runs, approvals, conversations and memory. */
export type Owner = string

/** The one user of a machine on which nobody signs in. */
export const LOCAL_OWNER: Owner = 'local'
