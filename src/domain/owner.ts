/** The id of the user who owns runs, approvals, conversations and memory. */
export type Owner = string

/** The local user of a machine without accounts. */
export const LOCAL_OWNER: Owner = 'local'
